//! The standings of a tournament, as pages follow them.
//!
//! The one idea: they are small, so they are told whole after every game; what they say is the
//! tournament's own business.

use serde::Serialize;

use super::hall::Hall;
use super::topic::{News, Subject};

/// What a tournament has told last.
#[derive(Default)]
pub struct Standings {
    news: Option<News>,
}

impl Standings {
    /// Whether there is a tournament.
    pub fn are_known(&self) -> bool {
        self.news.is_some()
    }
}

impl Subject for Standings {
    fn whole(&self, _: usize) -> News {
        self.news.clone().unwrap_or_else(|| News::new("standings", &()))
    }
}

impl Hall {
    /// Tells how a tournament stands.
    pub fn tell_standings(&self, content: &impl Serialize) {
        let news = News::new("standings", content);
        self.standings().change(|standings, tell| {
            standings.news = Some(news.clone());
            tell(news);
        });
        self.touch();
    }
}
