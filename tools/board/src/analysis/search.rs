//! Searches on separate threads, each running while it has listeners.
//!
//! The one idea: a search is a [`Topic`] whose state is its latest message, its complete result. A
//! task checks it a few times a second: it stops the search at the end of its time, or cuts it
//! short after a while without listeners. That task keeps the time, not the engine's deadline, with
//! which the tree search would end early where it has no choice.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use alesia::game::ParseError;
use alesia::games::GameSpec;
use alesia::record::game_record::GameLine;
use alesia::search::clock::Budget;
use alesia_answers::forced::Forced;
use alesia_answers::insight::Insight;
use alesia_answers::review::Review;
use serde::Serialize;

use crate::door::failure::Failure;
use crate::door::secrets::secret;
use crate::engines::mind::Mind;
use crate::page::topic::{News, Subject, Topic};

/// Max searches known by name; the oldest that has ended makes room for a new one.
const MAX_KNOWN: usize = 100;

/// The time between two messages.
const BETWEEN_NEWS: Duration = Duration::from_millis(200);

/// The time between two looks at whether anybody listens.
const LOOK: Duration = Duration::from_millis(250);

/// How long a search continues without listeners. A browser that has lost the connection waits up
/// to five seconds before each try to connect again.
const GRACE: Duration = Duration::from_secs(30);

/// The same where somebody waits for its place: a page connects within that time.
const GRACE_IF_CROWDED: Duration = Duration::from_secs(4);

/// The latest message of a search.
pub struct Latest {
    news: News,
    done: bool,
}

impl Subject for Latest {
    fn whole(&self, _: usize) -> News {
        self.news.clone()
    }

    fn ended(&self) -> bool {
        self.done
    }
}

/// A search with its listeners.
pub struct Search {
    topic: Arc<Topic<Latest>>,
    stop: AtomicBool,
    /// It ends before its time.
    cut: AtomicBool,
}

impl Search {
    fn new(first: News) -> Search {
        let topic = Arc::new(Topic::new(Latest { news: first, done: false }));
        Search { topic, stop: AtomicBool::new(false), cut: AtomicBool::new(false) }
    }

    pub fn topic(&self) -> &Arc<Topic<Latest>> {
        &self.topic
    }

    /// Ends it soon, as its time is over.
    fn stop(&self) {
        // Relaxed, as below: the flags alone matter.
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Ends it soon, before its time.
    pub fn cut(&self) {
        self.cut.store(true, Ordering::Relaxed);
        self.stop();
    }

    /// Whether it ends before its time.
    pub fn is_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed)
    }

    /// Whether it is to end.
    #[cfg(test)]
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Publishes the last event.
    pub fn finish(&self, news: News) {
        self.publish(news, true);
    }

    fn publish(&self, news: News, done: bool) {
        self.topic.change(|latest, publish| {
            *latest = Latest { news: news.clone(), done };
            publish(news);
        });
    }

    fn is_done(&self) -> bool {
        self.topic.state().done
    }
}

/// Publishes the state of a search, at a limited rate.
pub struct Publisher<'a> {
    search: &'a Search,
    last: Option<Instant>,
}

impl<'a> Publisher<'a> {
    /// Nothing has been published yet.
    pub fn new(search: &'a Search) -> Publisher<'a> {
        Publisher { search, last: None }
    }

    /// Publishes what `make` makes, unless something was published just now.
    pub fn publish(&mut self, make: impl FnOnce() -> News) {
        if self.last.is_none_or(|last| last.elapsed() >= BETWEEN_NEWS) {
            self.last = Some(Instant::now());
            self.search.publish(make(), false);
        }
    }
}

/// All that is known of a reviewed game.
pub fn review_news(review: &Review, finished: bool) -> News {
    News::new("review", &review.message(finished))
}

/// Reviews a game until the end or until the search is stopped.
pub fn run_review(mut review: Review, mut mind: Mind, search: &Search) {
    let mut publisher = Publisher::new(search);
    review.run(&mut mind.thinker, Some(&search.stop), &mut |review| {
        publisher.publish(|| review_news(review, false));
    });
    // Before the end is published, so that the engine's place is free by then.
    drop(mind);
    search.finish(review_news(&review, true));
}

/// All searches that are known by name.
#[derive(Default)]
pub struct Searches {
    /// In the order in which they began.
    known: Mutex<Vec<(String, Arc<Search>)>>,
}

impl Searches {
    /// Finds a search.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn find(&self, id: &str) -> Result<Arc<Search>, Failure> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|(name, _)| name == id);
        found.map(|(_, search)| search.clone()).ok_or_else(|| {
            Failure::unknown("analysis not found: the server may have been restarted")
        })
    }

    /// Begins a search on a new thread and returns its name. `first` is published at once; `run`
    /// must publish the last event soon after it has been stopped. `crowded` says whether somebody
    /// waits for its place.
    ///
    /// # Errors
    /// The system refuses to start the thread.
    pub fn begin(
        &self,
        first: News,
        time: Option<Duration>,
        crowded: impl Fn() -> bool + Send + 'static,
        run: impl FnOnce(&Search) + Send + 'static,
    ) -> Result<String, Failure> {
        let search = Arc::new(Search::new(first));
        let running = search.clone();
        thread::Builder::new()
            .name("analysis".to_owned())
            .spawn(move || run(&running))
            .map_err(|error| Failure::busy(format!("cannot start a thread: {error}")))?;
        let grace = move || if crowded() { GRACE_IF_CROWDED } else { GRACE };
        tokio::spawn(look_after(search.clone(), time, grace));
        let id = secret();
        self.remember(id.clone(), search);
        Ok(id)
    }

    fn remember(&self, id: String, search: Arc<Search>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KNOWN
            && let Some(oldest) = known.iter().position(|(_, search)| search.is_done())
        {
            known.remove(oldest);
        }
        known.push((id, search));
    }
}

/// Stops a search at the end of its time, or when it has had no listeners for longer than `grace`.
async fn look_after(search: Arc<Search>, time: Option<Duration>, grace: impl Fn() -> Duration) {
    let end = time.map(|time| Instant::now() + time);
    let mut listened = Instant::now();
    while !search.is_done() {
        let now = Instant::now();
        if search.topic.listeners() > 0 {
            listened = now;
        }
        let left = end.map_or(LOOK, |end| end.saturating_duration_since(now));
        if left.is_zero() {
            search.stop();
        } else if now.duration_since(listened) > grace() {
            search.cut();
        }
        tokio::time::sleep(if left.is_zero() { LOOK } else { left.min(LOOK) }).await;
    }
}

/// The event for the listeners of an analysis.
#[derive(Serialize)]
struct Message<'a> {
    #[serde(flatten)]
    insight: &'a Insight,
    done: bool,
    /// Before its time.
    stopped: bool,
}

fn news(insight: &Insight, done: bool, stopped: bool) -> News {
    News::new("report", &Message { insight, done, stopped })
}

/// A position to be searched, which is not over.
pub struct Question {
    forced: Forced,
}

impl Question {
    /// The position at the end of a line.
    ///
    /// # Errors
    /// The line is not by the rules.
    pub fn new(game: GameSpec, line: GameLine) -> Result<Question, ParseError> {
        Ok(Question { forced: Forced::new(game, line)? })
    }

    /// What an engine says before it has searched, so that there is something to show from the
    /// beginning.
    ///
    /// # Errors
    /// The line is not by the rules.
    pub fn first_look(&self, mind: &mut Mind) -> Result<News, Failure> {
        let first = self.forced.think(&mut mind.thinker, &Budget::nodes(1), &mut |_| {})?;
        Ok(news(&first, false, false))
    }

    /// Searches until it is stopped or the result is proven.
    pub fn answer(&self, mut mind: Mind, search: &Search) {
        let mut publisher = Publisher::new(search);
        let budget = Budget { stop: Some(&search.stop), ..Budget::default() };
        let answer = self.forced.think(&mut mind.thinker, &budget, &mut |insight| {
            publisher.publish(|| news(&insight(), false, false));
        });
        // Before the end is published, so that the engine's place is free by then.
        drop(mind);
        let answer = answer.expect("the line was good at the first look");
        search.finish(news(&answer, true, search.is_cut()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks after a search until it ends; returns whether it was cut short.
    fn is_cut(listened: bool, time: Option<Duration>, grace: Duration) -> bool {
        let search = Arc::new(Search::new(News::new("report", &())));
        let listener = listened.then(|| search.topic.follower());
        let running = search.clone();
        let ending = thread::spawn(move || {
            while !running.stopped() {
                thread::sleep(Duration::from_millis(1));
            }
            running.finish(News::new("report", &()));
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(look_after(search.clone(), time, move || grace));
        ending.join().unwrap();
        drop(listener);
        search.is_cut()
    }

    #[test]
    fn a_search_is_cut_short_without_listeners_but_not_by_the_end_of_its_time() {
        let soon = Some(Duration::from_millis(20));
        assert!(is_cut(false, None, Duration::ZERO));
        assert!(!is_cut(false, soon, GRACE), "somebody may come back");
        assert!(!is_cut(true, soon, Duration::ZERO));
    }
}
