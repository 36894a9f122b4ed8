//! One game and the engine that thinks about it.

use std::time::Duration;

use alesia::game::{Game, GameState};
use alesia::games::{AnyGame, AnyState, GameSpec};
use alesia::record::game_record::GameLine;
use alesia::search::clock::{Budget, Instant};
use alesia::search::levels::Strength;
use alesia::search::report::RootMove;
use alesia::search::signature::Signature;
use alesia::search::{EngineKind, EngineOptions};
use alesia_answers::forced::Forced;
use alesia_answers::insight::Thinker;
use alesia_answers::review::Review;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{requests, view};

/// MiB of an engine's memory where nothing else is said: what a phone has to spare.
const MEMORY: usize = 64;

/// Max time for a search: a day.
const MAX_MS: u64 = 86_400_000;

/// A question; the names in JSON are in lower case.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum Question {
    /// The games that can be played.
    Games,
    /// Begins a game, here or at a text board, and plays the moves.
    New {
        game: String,
        board: Option<String>,
        #[serde(default)]
        moves: Vec<String>,
        /// MiB of the engine.
        memory: Option<usize>,
        /// An engine or a level, `mcts` if none is named.
        #[serde(default)]
        engine: String,
        #[serde(default)]
        seed: u64,
        /// Whether the engine keeps what it knows of the game before.
        #[serde(default)]
        carry: bool,
    },
    /// Plays one more move.
    Play {
        #[serde(rename = "move")]
        text: String,
    },
    /// Searches the position until the first limit; with `keep`, continues the last search of it.
    Search {
        ms: Option<u64>,
        nodes: Option<u64>,
        #[serde(default)]
        keep: bool,
        /// Lines of play.
        #[serde(default)]
        lines: usize,
        /// Whether all moves are shown at the end, not the best alone.
        #[serde(default)]
        all: bool,
        /// Whether a position with one move is worth what the first after it with a choice is.
        #[serde(default)]
        ahead: bool,
    },
    /// Searches all positions of the game, `ms` each; the first moves are nobody's faults.
    Review {
        ms: u64,
        #[serde(default)]
        opening: usize,
    },
    /// What the page's server would answer.
    Ask {
        path: String,
        #[serde(default)]
        body: Value,
    },
    /// The work of `alesia bench` on one game or all.
    Bench { engine: String, game: Option<String> },
}

/// What ends a search: the first of those that are given.
#[derive(Clone, Copy)]
struct Limit {
    ms: Option<u64>,
    nodes: Option<u64>,
}

impl Limit {
    fn budget(self) -> Result<Budget<'static>, String> {
        if self.ms.is_none() && self.nodes.is_none() {
            return Err("search: found no limit, expected `ms` or `nodes`".to_owned());
        }
        let time = self.ms.map(|ms| Duration::from_millis(ms.min(MAX_MS)));
        let deadline = time.map(|time| Instant::now() + time);
        Ok(Budget { deadline, nodes: self.nodes, ..Budget::default() })
    }
}

/// Which engine.
#[derive(Clone, Copy, PartialEq)]
struct Wanted {
    spec: GameSpec,
    strength: Strength,
    seed: u64,
    /// MiB.
    memory: usize,
}

/// A game as it is played.
struct Played {
    start: AnyGame,
    line: GameLine,
    state: AnyState,
    engine: Wanted,
}

impl Played {
    fn play(&mut self, text: &str) -> Result<(), String> {
        if let Some(ending) = self.state.ending() {
            return Err(format!(
                "move: found `{text}`, expected none, as the game is over: {ending}"
            ));
        }
        let m = self.state.position.parse_move(text).map_err(|error| error.to_string())?;
        self.line.moves.push(self.state.position.notation(m).to_string());
        self.state.play(m);
        Ok(())
    }
}

/// What a host has asked for so far.
#[derive(Default)]
pub struct Session {
    played: Option<Played>,
    /// As it was built.
    engine: Option<(Wanted, Thinker)>,
}

impl Session {
    /// Answers a line of JSON by another: what was asked for, or why not in `error`. Meanwhile
    /// hands lines to `report`.
    pub fn ask(&mut self, line: &str, report: &mut dyn FnMut(&str)) -> String {
        let answer = match serde_json::from_str(line) {
            Ok(question) => self.answer(question, report),
            Err(error) => Err(format!("question: {error}")),
        };
        answer.unwrap_or_else(|error| json!({ "error": error })).to_string()
    }

    fn answer(
        &mut self,
        question: Question,
        report: &mut dyn FnMut(&str),
    ) -> Result<Value, String> {
        match question {
            Question::Games => {
                let game =
                    |spec: GameSpec| json!({ "id": spec.to_string(), "title": spec.title() });
                Ok(GameSpec::all().into_iter().chain(GameSpec::variants()).map(game).collect())
            }
            Question::New { game, board, moves, memory, engine, seed, carry } => {
                let spec = game.parse().map_err(|error| format!("{error}"))?;
                let strength = match &*engine {
                    "" => EngineKind::MonteCarlo.into(),
                    name => name.parse().map_err(|error| format!("{error}"))?,
                };
                let memory = memory.unwrap_or(MEMORY);
                self.begin(Wanted { spec, strength, seed, memory }, board, &moves, carry)
            }
            Question::Play { text } => {
                let played = self.played.as_mut().ok_or_else(no_game)?;
                played.play(&text)?;
                Ok(view::position(&played.state))
            }
            Question::Search { ms, nodes, keep, lines, all, ahead } => {
                let limit = Limit { ms, nodes };
                if keep {
                    self.thinking()?.1.engine.keep();
                }
                if ahead {
                    return self.search_ahead(limit, report);
                }
                self.search(limit, lines, all, report)
            }
            Question::Review { ms, opening } => self.review(ms, opening, report),
            Question::Ask { path, body } => Ok(requests::answer(&path, body)),
            Question::Bench { engine, game } => bench(&engine, game.as_deref()),
        }
    }

    fn begin(
        &mut self,
        wanted: Wanted,
        board: Option<String>,
        moves: &[String],
        carry: bool,
    ) -> Result<Value, String> {
        let start = AnyGame::start(wanted.spec);
        let position = start.begin(board.as_deref()).map_err(|error| error.to_string())?;
        let (state, line) = (GameState::new(position), GameLine { board, moves: Vec::new() });
        let mut played = Played { start, line, state, engine: wanted };
        for (number, text) in moves.iter().enumerate() {
            played.play(text).map_err(|error| format!("move {}: {error}", number + 1))?;
        }
        let answer = view::position(&played.state);
        self.played = Some(played);
        match &mut self.engine {
            Some((built, _)) if *built == wanted && carry => {}
            Some((built, thinker)) if *built == wanted => thinker.engine.new_game(wanted.seed),
            engine => *engine = None,
        }
        Ok(answer)
    }

    /// The game, and its engine, which is built when it is first needed.
    fn thinking(&mut self) -> Result<(&Played, &mut Thinker), String> {
        let played = self.played.as_ref().ok_or_else(no_game)?;
        if self.engine.is_none() {
            let Wanted { strength, seed, memory, .. } = played.engine;
            let memory = memory.saturating_mul(1 << 20);
            let options = EngineOptions { threads: 0, memory, seed, ..EngineOptions::default() };
            let engine = strength.build(played.start, &options);
            let engine = engine.map_err(|error| error.to_string())?;
            self.engine = Some((played.engine, Thinker::new(played.start, engine)));
        }
        let (_, thinker) = self.engine.as_mut().ok_or_else(no_game)?;
        Ok((played, thinker))
    }

    fn search(
        &mut self,
        limit: Limit,
        lines: usize,
        all: bool,
        report: &mut dyn FnMut(&str),
    ) -> Result<Value, String> {
        let (played, Thinker { engine, .. }) = self.thinking()?;
        let state = &played.state;
        if let Some(ending) = state.ending() {
            return Err(format!(
                "search: found a game that is over ({ending}), expected one that is not"
            ));
        }
        // The time begins when the engine is built.
        let budget = Budget { lines, ..limit.budget()? };
        let found = engine.think(state, &budget, &mut |found| {
            let top: Vec<RootMove> = found.known_moves().copied().collect();
            report(&view::report(state, found, &top).to_string());
        });
        let top = match all {
            true => engine.root_moves(state),
            false => found.known_moves().copied().collect(),
        };
        Ok(view::report(state, &found, &top))
    }

    fn search_ahead(
        &mut self,
        limit: Limit,
        report: &mut dyn FnMut(&str),
    ) -> Result<Value, String> {
        let (played, thinker) = self.thinking()?;
        let budget = limit.budget()?;
        let forced = Forced::new(played.engine.spec, played.line.clone());
        let found = forced.and_then(|forced| {
            forced.think(thinker, &budget, &mut |insight| report(&json!(insight()).to_string()))
        });
        found.map(|insight| json!(insight)).map_err(|error| error.to_string())
    }

    fn review(
        &mut self,
        ms: u64,
        opening: usize,
        report: &mut dyn FnMut(&str),
    ) -> Result<Value, String> {
        let (played, thinker) = self.thinking()?;
        let time = Duration::from_millis(ms.min(MAX_MS));
        let review = Review::new(played.engine.spec, played.line.clone(), opening, time);
        let mut review = review.map_err(|error| error.to_string())?;
        review.run(thinker, None, &mut |review| {
            report(&json!({ "review": review.message(false) }).to_string());
        });
        Ok(json!({ "review": review.message(true) }))
    }
}

fn no_game() -> String {
    "game: found none, expected `new` before".to_owned()
}

fn bench(engine: &str, game: Option<&str>) -> Result<Value, String> {
    let kind: EngineKind = engine.parse().map_err(|error| format!("{error}"))?;
    let games = match game {
        Some(game) => vec![game.parse().map_err(|error| format!("{error}"))?],
        None => GameSpec::all(),
    };
    let (mut signature, mut nodes) = (Signature::default(), 0);
    for spec in games {
        let work = signature.work(kind, AnyGame::start(spec), 0);
        nodes += work.map_err(|error| error.to_string())?;
    }
    Ok(json!({ "nodes": nodes, "signature": format!("{:016x}", signature.0) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers to some lines, and how many reports came.
    fn answers(lines: &[&str]) -> (Vec<Value>, usize) {
        let (mut session, mut reports) = (Session::default(), 0);
        let mut ask = |line: &&str| {
            let answer = session.ask(line, &mut |_| reports += 1);
            serde_json::from_str(&answer).expect("an answer is JSON")
        };
        let answers = lines.iter().map(&mut ask).collect();
        (answers, reports)
    }

    #[test]
    fn a_game_is_played_searched_and_reviewed() {
        let (answers, reports) = answers(&[
            r#"{"do":"new","game":"hadron3","moves":["b2"]}"#,
            r#"{"do":"search","nodes":500,"all":true}"#,
            r#"{"do":"play","move":"a1"}"#,
            r#"{"do":"review","ms":20}"#,
        ]);
        assert_eq!(answers[0]["ply"], 1);
        let legal = answers[0]["legal"].as_array().map(Vec::len);
        assert_eq!(answers[1]["top"].as_array().map(Vec::len), legal);
        assert_eq!(answers[2]["ply"], 2);
        let plies = answers[3]["review"]["plies"].as_array().expect("a review");
        assert_eq!((plies.len(), &answers[3]["review"]["finished"]), (3, &json!(true)));
        assert!(plies[0]["loss"].is_number() && plies[2]["loss"].is_null());
        assert!(reports >= 2);
    }

    #[test]
    fn what_cannot_be_done_is_one_clear_line() {
        let (answers, _) = answers(&[
            "no JSON",
            r#"{"do":"play","move":"b2"}"#,
            r#"{"do":"new","game":"chequers"}"#,
            r#"{"do":"new","game":"murus","moves":["zz"]}"#,
            r#"{"do":"new","game":"murus","board":"none"}"#,
            r#"{"do":"new","game":"murus"}"#,
            r#"{"do":"search"}"#,
            r#"{"do":"bench","engine":"none"}"#,
        ]);
        for (number, answer) in answers.iter().enumerate() {
            let is_refused = answer["error"].as_str().is_some_and(|error| !error.contains('\n'));
            assert_eq!(is_refused, number != 5, "{answer}");
        }
    }
}
