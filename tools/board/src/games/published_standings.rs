//! The standings of a tournament, as pages follow them.
//!
//! The one idea: they are small, so they are published whole after every game; what they say is the
//! tournament's own business.

use serde::Serialize;

use crate::page::topic::{News, Subject};

/// The latest standings of a tournament.
#[derive(Default)]
pub struct Standings {
    news: Option<News>,
}

impl Standings {
    /// Whether there is a tournament.
    pub fn are_known(&self) -> bool {
        self.news.is_some()
    }

    /// Replaces the standings, and returns the event for the pages.
    pub fn set(&mut self, content: &impl Serialize) -> News {
        self.news.insert(News::new("standings", content)).clone()
    }
}

impl Subject for Standings {
    fn whole(&self, _: usize) -> News {
        self.news.clone().unwrap_or_else(|| News::new("standings", &()))
    }
}
