//! Something that pages listen to: a state that changes, and the news of its changes.
//!
//! The one idea: a new listener gets the whole state and from then on every change, with none lost
//! or doubled between, as both are taken under one lock. News is written once, as it goes over the
//! wire, and all listeners share it; one that is too slow gets the whole state again.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde::Serialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};
use tokio::time::timeout;

/// News that a listener may fall behind.
const BACKLOG: usize = 64;

/// After this time without news a comment is sent, so that no proxy closes the connection, and a
/// dead connection is noticed.
const QUIET_TIME: Duration = Duration::from_secs(15);

/// That empty comment.
const NOTHING: News = News(Bytes::from_static(b":\n\n"));

/// One message to the listeners: a server-sent event, byte for byte.
#[derive(Clone, Debug)]
pub struct News(Bytes);

impl News {
    pub fn new(name: &'static str, content: &impl Serialize) -> News {
        // All on one line, as the event's format demands.
        let data = serde_json::to_string(content).expect("what is sent can be written as JSON");
        News(format!("event: {name}\ndata: {data}\n\n").into())
    }
}

/// A state that can be published as a whole.
pub trait Subject: Send + 'static {
    /// The whole state for a new listener; `listeners` includes it.
    fn whole(&self, listeners: usize) -> News;

    /// Whether nothing will change any more.
    fn ended(&self) -> bool {
        false
    }
}

/// A state and its listeners.
pub struct Topic<S> {
    state: Mutex<S>,
    sender: Sender<News>,
}

impl<S: Subject> Topic<S> {
    pub fn new(state: S) -> Topic<S> {
        Topic { state: Mutex::new(state), sender: channel(BACKLOG).0 }
    }

    /// The state. Held for short times only.
    pub fn state(&self) -> MutexGuard<'_, S> {
        // A panic elsewhere must not end the server; every change is made whole before it is
        // published.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and publishes what has changed.
    pub fn change<T>(&self, change: impl FnOnce(&mut S, &mut dyn FnMut(News)) -> T) -> T {
        let mut state = self.state();
        // Fails if there are no listeners.
        change(&mut state, &mut |news| drop(self.sender.send(news)))
    }

    pub fn listeners(&self) -> usize {
        self.sender.receiver_count()
    }

    /// One more listener, that never listens.
    #[cfg(test)]
    pub fn follower(&self) -> Receiver<News> {
        self.sender.subscribe()
    }

    /// The events for one more listener.
    pub fn listen(self: &Arc<Self>) -> Response {
        let listener = Listener { topic: self.clone(), receiver: None };
        let next = |mut listener: Listener<S>| async {
            let News(bytes) =
                timeout(QUIET_TIME, listener.next()).await.unwrap_or(Some(NOTHING))?;
            Some((Ok::<_, Infallible>(bytes), listener))
        };
        let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-cache")];
        (headers, Body::from_stream(unfold(listener, next))).into_response()
    }
}

struct Listener<S> {
    topic: Arc<Topic<S>>,
    /// None until it has received the whole.
    receiver: Option<Receiver<News>>,
}

impl<S: Subject> Listener<S> {
    async fn next(&mut self) -> Option<News> {
        if let Some(receiver) = &mut self.receiver {
            if self.topic.state().ended() && receiver.is_empty() {
                return None;
            }
            match receiver.recv().await {
                Ok(news) => return Some(news),
                Err(RecvError::Closed) => return None,
                Err(RecvError::Lagged(_)) => {}
            }
        }
        let state = self.topic.state();
        self.receiver = Some(self.topic.sender.subscribe());
        Some(state.whole(self.topic.listeners()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Count(usize);

    impl Subject for Count {
        fn whole(&self, _: usize) -> News {
            News::new("whole", &self.0)
        }

        fn ended(&self) -> bool {
            self.0 >= 1000
        }
    }

    fn add(topic: &Topic<Count>) {
        topic.change(|count, publish| {
            count.0 += 1;
            publish(News::new("change", &count.0));
        });
    }

    fn next(listener: &mut Listener<Count>) -> Option<String> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let News(bytes) = runtime.block_on(listener.next())?;
        Some(String::from_utf8(bytes.to_vec()).unwrap())
    }

    fn event(name: &str, number: usize) -> Option<String> {
        Some(format!("event: {name}\ndata: {number}\n\n"))
    }

    #[test]
    fn the_whole_first_then_every_change_and_the_whole_again_after_falling_behind() {
        let topic = Arc::new(Topic::new(Count(0)));
        add(&topic);
        let mut listener = Listener { topic: topic.clone(), receiver: None };
        assert_eq!(next(&mut listener), event("whole", 1));
        assert_eq!(topic.listeners(), 1);
        add(&topic);
        add(&topic);
        assert_eq!(next(&mut listener), event("change", 2));
        assert_eq!(next(&mut listener), event("change", 3));
        (0..BACKLOG + 1).for_each(|_| add(&topic));
        assert_eq!(next(&mut listener), event("whole", 3 + BACKLOG + 1));
        while topic.state().0 < 1000 {
            add(&topic);
        }
        assert_eq!(next(&mut listener), event("whole", 1000));
        assert_eq!(next(&mut listener), None);
        drop(listener);
        assert_eq!(topic.listeners(), 0);
    }
}
