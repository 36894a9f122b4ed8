//! What a page is told of positions, games and searches.
//!
//! The one idea: everything here is a function of text and of an engine's reports. So the page's
//! server (`tools/board`) and the module in a browser (`tools/web`) give the same answers.

pub mod book_moves;
pub mod definitions;
pub mod forced;
pub mod formats;
pub mod game_text;
pub mod guide;
pub mod insight;
pub mod known_games;
pub mod loaded_games;
pub mod marks;
mod nearest;
pub mod opening_lines;
pub mod position;
pub mod record;
pub mod report_view;
pub mod review;
pub mod shape;
pub mod variant_view;
