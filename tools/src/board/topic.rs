//! Something that pages listen to: a state that changes, and the news of its changes.
//!
//! The one idea: whoever comes gets the whole state and from then on every change, with none lost or
//! doubled between, as both are taken under one lock. News is written once for all listeners; one
//! that is too slow gets the whole state again.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use serde::Serialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};

/// News that a listener may fall behind.
const BACKLOG: usize = 64;

/// One message to the listeners, as it is sent.
#[derive(Clone, Debug)]
pub struct News {
    name: &'static str,
    data: Arc<str>,
}

impl News {
    /// Writes a message.
    pub fn new(name: &'static str, content: &impl Serialize) -> News {
        let data = serde_json::to_string(content).expect("what is sent can be written as JSON");
        News { name, data: data.into() }
    }

    fn event(&self) -> Event {
        Event::default().event(self.name).data(&*self.data)
    }
}

/// A state that can be told as a whole.
pub trait Subject: Send + 'static {
    /// The whole, for whoever comes; so many listen then.
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
    /// Nobody listens yet.
    pub fn new(state: S) -> Topic<S> {
        Topic { state: Mutex::new(state), sender: channel(BACKLOG).0 }
    }

    /// The state. Held for short times only.
    pub fn state(&self) -> MutexGuard<'_, S> {
        // A panic elsewhere must not end the server; every change is made whole before it is told.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and tells what has changed.
    pub fn change<T>(&self, change: impl FnOnce(&mut S, &mut dyn FnMut(News)) -> T) -> T {
        let mut state = self.state();
        // Fails where nobody listens.
        change(&mut state, &mut |news| drop(self.sender.send(news)))
    }

    /// How many listen.
    pub fn listeners(&self) -> usize {
        self.sender.receiver_count()
    }

    /// The events for one more listener.
    pub fn listen(self: &Arc<Self>) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<S>> {
        let listener = Listener { topic: self.clone(), receiver: None };
        let next = |mut listener: Listener<S>| async {
            let news = listener.next().await?;
            Some((Ok(news.event()), listener))
        };
        Sse::new(unfold(listener, next)).keep_alive(KeepAlive::default())
    }
}

struct Listener<S> {
    topic: Arc<Topic<S>>,
    /// None until it has been told the whole.
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
        topic.change(|count, tell| {
            count.0 += 1;
            tell(News::new("change", &count.0));
        });
    }

    fn next(listener: &mut Listener<Count>) -> Option<(&'static str, String)> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let news = runtime.block_on(listener.next())?;
        Some((news.name, news.data.to_string()))
    }

    #[test]
    fn the_whole_first_then_every_change_and_the_whole_again_after_falling_behind() {
        let topic = Arc::new(Topic::new(Count(0)));
        add(&topic);
        let mut listener = Listener { topic: topic.clone(), receiver: None };
        assert_eq!(next(&mut listener), Some(("whole", "1".into())));
        assert_eq!(topic.listeners(), 1);
        add(&topic);
        add(&topic);
        assert_eq!(next(&mut listener), Some(("change", "2".into())));
        assert_eq!(next(&mut listener), Some(("change", "3".into())));
        (0..BACKLOG + 1).for_each(|_| add(&topic));
        assert_eq!(next(&mut listener), Some(("whole", (3 + BACKLOG + 1).to_string())));
        while topic.state().0 < 1000 {
            add(&topic);
        }
        assert_eq!(next(&mut listener), Some(("whole", "1000".into())));
        assert_eq!(next(&mut listener), None);
        drop(listener);
        assert_eq!(topic.listeners(), 0);
    }
}
