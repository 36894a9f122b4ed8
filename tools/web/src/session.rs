//! One game and the engine that thinks about it.

use std::time::Duration;

use alesia::game::{Game, GameState, Move};
use alesia::games::{AnyGame, AnyState, GameSpec};
use alesia::search::clock::{Budget, Instant};
use alesia::search::report::RootMove;
use alesia::search::signature::Signature;
use alesia::search::{Engine, EngineKind, EngineOptions};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::view;

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
    },
    /// Searches all positions of the game; the limits are for each.
    Review { ms: Option<u64>, nodes: Option<u64> },
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

/// A game as it is played.
struct Played {
    spec: GameSpec,
    start: AnyState,
    moves: Vec<Move>,
    state: AnyState,
    /// MiB of its engine.
    memory: usize,
}

impl Played {
    fn play(&mut self, text: &str) -> Result<(), String> {
        if let Some(ending) = self.state.ending() {
            return Err(format!(
                "move: found `{text}`, expected none, as the game is over: {ending}"
            ));
        }
        let m = self.state.position.parse_move(text).map_err(|error| error.to_string())?;
        self.state.play(m);
        self.moves.push(m);
        Ok(())
    }
}

/// What a host has asked for so far.
#[derive(Default)]
pub struct Session {
    played: Option<Played>,
    /// With the game and the memory that it was built for.
    engine: Option<((GameSpec, usize), Box<dyn Engine>)>,
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
            Question::New { game, board, moves, memory } => {
                self.begin(&game, board.as_deref(), &moves, memory.unwrap_or(MEMORY))
            }
            Question::Play { text } => {
                let played = self.played.as_mut().ok_or_else(no_game)?;
                played.play(&text)?;
                Ok(view::position(&played.state))
            }
            Question::Search { ms, nodes, keep, lines, all } => {
                self.search(Limit { ms, nodes }, lines, keep, all, report)
            }
            Question::Review { ms, nodes } => self.review(Limit { ms, nodes }, report),
            Question::Bench { engine, game } => bench(&engine, game.as_deref()),
        }
    }

    fn begin(
        &mut self,
        game: &str,
        board: Option<&str>,
        moves: &[String],
        memory: usize,
    ) -> Result<Value, String> {
        let spec: GameSpec = game.parse().map_err(|error| format!("{error}"))?;
        let position = AnyGame::start(spec).begin(board).map_err(|error| error.to_string())?;
        let start = GameState::new(position);
        let mut played = Played { spec, start, moves: Vec::new(), state: start, memory };
        for (number, text) in moves.iter().enumerate() {
            played.play(text).map_err(|error| format!("move {}: {error}", number + 1))?;
        }
        let answer = view::position(&played.state);
        self.played = Some(played);
        match &mut self.engine {
            Some((of, engine)) if *of == (spec, memory) => engine.new_game(0),
            engine => *engine = None,
        }
        Ok(answer)
    }

    /// The game, and its engine, which is built when it is first needed.
    fn thinking(&mut self) -> Result<(&Played, &mut dyn Engine), String> {
        let played = self.played.as_ref().ok_or_else(no_game)?;
        if self.engine.is_none() {
            let memory = played.memory.saturating_mul(1 << 20);
            let options = EngineOptions { threads: 0, memory, ..EngineOptions::default() };
            let engine = EngineKind::MonteCarlo.build(played.start.position, &options);
            self.engine =
                Some(((played.spec, played.memory), engine.map_err(|error| error.to_string())?));
        }
        let (_, engine) = self.engine.as_mut().ok_or_else(no_game)?;
        Ok((played, &mut **engine))
    }

    fn search(
        &mut self,
        limit: Limit,
        lines: usize,
        keep: bool,
        all: bool,
        report: &mut dyn FnMut(&str),
    ) -> Result<Value, String> {
        let (played, engine) = self.thinking()?;
        let state = &played.state;
        if let Some(ending) = state.ending() {
            return Err(format!(
                "search: found a game that is over ({ending}), expected one that is not"
            ));
        }
        if keep {
            engine.keep();
        }
        // The time begins when the engine is built.
        let budget = Budget { lines, ..limit.budget()? };
        let found = engine.think(state, &budget, &mut |found| {
            let top: Vec<RootMove> = found.known_moves().copied().collect();
            report(&view::report(&state.position, found, &top).to_string());
        });
        let top = match all {
            true => engine.root_moves(state),
            false => found.known_moves().copied().collect(),
        };
        Ok(view::report(&state.position, &found, &top))
    }

    /// The positions of the game in turn, and what each move lost.
    fn review(&mut self, limit: Limit, report: &mut dyn FnMut(&str)) -> Result<Value, String> {
        let (played, engine) = self.thinking()?;
        let mut state = played.start;
        let mut positions: Vec<Value> = Vec::new();
        let mut last: Option<f32> = None;
        for number in 0..=played.moves.len() {
            let (value, best) = match view::value_of_end(&state) {
                Some(value) => (value, None),
                None => {
                    let budget = Budget { saves: true, ..limit.budget()? };
                    let found = engine.think(&state, &budget, &mut |_| {});
                    let best = state.position.notation(found.best).to_string();
                    (view::value(&state.position, &found), Some(best))
                }
            };
            if let (Some(before), Some(position)) = (last, positions.last_mut()) {
                // Of the side that has moved.
                position["loss"] = json!(view::loss(!state.position.side(), before, value));
            }
            last = Some(value);
            let next = played.moves.get(number);
            let text = next.map(|&m| state.position.notation(m).to_string());
            positions.push(json!({
                "ply": state.position.ply(), "value": value, "best": best, "move": text,
            }));
            report(&json!({ "reviewed": number + 1, "of": played.moves.len() + 1 }).to_string());
            if let Some(&m) = next {
                state.play(m);
            }
        }
        Ok(json!({ "positions": positions }))
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
            r#"{"do":"review","nodes":200}"#,
        ]);
        assert_eq!(answers[0]["ply"], 1);
        let legal = answers[0]["legal"].as_array().map(Vec::len);
        assert_eq!(answers[1]["top"].as_array().map(Vec::len), legal);
        assert_eq!(answers[2]["ply"], 2);
        let positions = answers[3]["positions"].as_array().expect("a review");
        assert_eq!((positions.len(), &positions[1]["move"]), (3, &json!("A1")));
        assert!(positions[0]["loss"].is_number() && positions[2]["loss"].is_null());
        assert!(reports >= 3);
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
