//! An external program as a player, over pipes in the Universal Game Interface or, in chess
//! variants, the Universal Chess Interface.
//!
//! The one idea: every wait ends. After its time a program's answer is late; a while later it gets
//! `stop`, and if it still does not answer, it has stalled and is ended. Without a time limit it
//! stalls when it prints nothing for [`PATIENCE`] or searches for [`LONGEST_MOVE`]. It is started
//! again for the next game.

use std::time::{Duration, Instant};

use alesia::game::{Game, ParseError, quoted};
use alesia::games::GameSpec;
use alesia::ugi::Dialect;

use super::entrant::{Entrant, Program};
use super::handshake::{GameOptions, Greeting, check_option};
use super::limit::Allowance;
use super::process::{Heard, Process};
use super::{Choice, Details, Fault, PATIENCE, Player, Turn};
use alesia::record::game_record::GameLine;
use alesia::record::thought::Thought;
use alesia::words::command_error::CommandError;

/// Max time of a program for a move without a time limit.
const LONGEST_MOVE: Duration = Duration::from_secs(600);

/// How long after its time a late move is waited for, and again after `stop`.
const GRACE: Duration = Duration::from_secs(1);

/// A program and how it is started.
pub struct Piped {
    name: String,
    program: Program,
    /// The interface, where the user has named it.
    dialect: Option<Dialect>,
    game: GameSpec,
    /// Whether it is started again for every game.
    restart: bool,
    /// None after a fault, until the next game.
    running: Option<Running>,
}

/// A program that has answered `ugiok` or `uciok`.
struct Running {
    process: Process,
    dialect: Dialect,
    /// What it was told of the game.
    _game: GameOptions,
    /// Whether it has an option for the seed of its random choices, which the user has not set.
    seeded: bool,
    /// Whether it has begun a game.
    used: bool,
}

impl Piped {
    /// Starts the program.
    ///
    /// # Errors
    /// It does not start, does not answer, does not have an option, or cannot play the game.
    pub fn new(
        program: &Program,
        dialect: Option<Dialect>,
        game: GameSpec,
        entrant: &Entrant,
    ) -> Result<Piped, CommandError> {
        let mut player = Piped {
            name: entrant.name.clone(),
            program: program.clone(),
            dialect,
            game,
            restart: entrant.restart,
            running: None,
        };
        player.running = Some(player.start()?);
        Ok(player)
    }

    /// Starts the program and sets its options.
    fn start(&self) -> Result<Running, CommandError> {
        let failed = |what: String| CommandError::Failed(format!("-engine {}, {what}", self.name));
        let wrong =
            |error: ParseError| CommandError::Usage(format!("-engine {}, {error}", self.name));
        let path = self.program.path.display();
        let process = Process::start(&self.name, &self.program, true)
            .map_err(|error| failed(format!("cmd={path}: {error}")))?;
        let no_answer = |fault| {
            let (said, expected) = match (self.dialect, &fault) {
                (Some(Dialect::Uci), _) => ("`uci`", "`uciok`"),
                (None, Fault::Stalls) => ("`ugi` and `uci`", "`ugiok` or `uciok`"),
                _ => ("`ugi`", "`ugiok`"),
            };
            let how = match ended(fault, &process) {
                Fault::Ended(how) => how,
                _ => format!("nothing for {} s", PATIENCE.as_secs()),
            };
            failed(format!("cmd={path}: found no answer to {said} ({how}), expected {expected}"))
        };
        let greeting = Greeting::exchange(&process, self.dialect).map_err(no_answer)?;
        let dialect = greeting.dialect;
        if self.dialect.is_none() {
            log::info!("{} speaks {}", self.name, dialect.name().to_uppercase());
        }
        let game = GameOptions::of(self.game, &greeting).map_err(wrong)?;
        for (name, value) in &game.options {
            process.say(&format!("setoption name {name} value {value}"));
        }
        for (name, value) in &self.program.options {
            check_option((dialect, self.game), name, value).map_err(wrong)?;
            let own = greeting.own(name).ok_or_else(|| {
                let known: Vec<&str> = greeting.names().collect();
                let expected = format!("one of {}", known.join(", "));
                wrong(ParseError::new("option", quoted(name), expected))
            })?;
            process.say(&format!("setoption name {own} value {value}"));
        }
        process.say("isready");
        let mut complaint = None;
        wait_for(&process, "readyok", |line| {
            if let Some(text) = line.strip_prefix("info string setoption") {
                complaint.get_or_insert_with(|| text.trim_start_matches([',', ' ']).to_owned());
            }
        })
        .map_err(no_answer)?;
        if let Some(complaint) = complaint {
            return Err(CommandError::Usage(format!("-engine {}, option, {complaint}", self.name)));
        }
        let seeded = greeting.own("Seed").is_some() && self.program.option("Seed").is_none();
        Ok(Running { process, dialect, _game: game, seeded, used: false })
    }
}

impl Player for Piped {
    fn begin(&mut self, seed: u64) -> Result<(), Fault> {
        let old = self.running.take();
        let mut running = match old.filter(|running| !(running.used && self.restart)) {
            Some(running) => running,
            // The old process is gone by now.
            None => self.start().map_err(|error| Fault::NotStarted(error.to_string()))?,
        };
        running.used = true;
        let process = &running.process;
        if running.seeded {
            process.say(&format!("setoption name Seed value {seed}"));
        }
        process.say(&format!("{}newgame", running.dialect.name()));
        process.say("isready");
        wait_for(process, "readyok", |_| {}).map_err(|fault| ended(fault, process))?;
        self.running = Some(running);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let Some(running) = &mut self.running else { return Err(Fault::Disconnects) };
        let answer = ask(&running.process, running.dialect, turn)
            .map_err(|fault| ended(fault, &running.process));
        if matches!(answer, Err(Fault::Ended(_) | Fault::Stalls)) {
            self.running = None;
        }
        let Answer { text, elapsed, thought, variation, remark } = answer?;
        match turn.state.position.parse_move(&text) {
            Ok(m) => Ok(Choice { m, elapsed, thought, details: Details::Variation(variation) }),
            Err(_) => {
                if let Some(remark) = remark {
                    log::error!("{} says {}, after: {remark}", self.name, quoted(&text));
                }
                Err(Fault::IllegalMove(text))
            }
        }
    }
}

/// The fault of a program, with how it ended where it did.
fn ended(fault: Fault, process: &Process) -> Fault {
    match fault {
        Fault::Disconnects => Fault::Ended(process.last_words()),
        other => other,
    }
}

/// What a program says of a move.
struct Answer {
    text: String,
    elapsed: Duration,
    thought: Thought,
    /// The moves that it expects.
    variation: String,
    /// Its last words for people.
    remark: Option<String>,
}

fn ask(process: &Process, dialect: Dialect, turn: &Turn<'_>) -> Result<Answer, Fault> {
    let side = turn.state.position.side();
    let allowed = turn.allowance.time(side);
    // What it still says of earlier moves comes before the answer, and is none to what follows.
    process.say("isready");
    wait_for(process, "readyok", |_| {})?;
    process.say(&position(turn.line));
    let started = Instant::now();
    process.say(&go(dialect, turn.allowance));
    let (mut thought, mut remark) = (Thought::default(), None);
    let mut variation = String::new();
    let last = started + allowed.map_or(LONGEST_MOVE, |time| time + turn.margin + GRACE);
    let mut end = allowed.map_or(started + PATIENCE, |_| last);
    let mut told_to_stop = false;
    loop {
        match process.hear(Some(end)) {
            Heard::Line(line, at) => {
                let mut words = line.split_whitespace();
                match words.next() {
                    Some("bestmove") => {
                        let elapsed = at.saturating_duration_since(started);
                        let text = words.next().unwrap_or_default().to_owned();
                        // The arbiter judges a late answer; without a time limit there is none,
                        // and a program that needed `stop` has stalled.
                        return if told_to_stop && allowed.is_none() {
                            Err(Fault::Stalls)
                        } else {
                            Ok(Answer { text, elapsed, thought, variation, remark })
                        };
                    }
                    Some("info") => match line.split_once("info string ") {
                        Some(("", words)) => remark = Some(words.to_owned()),
                        _ if is_of_another_line(&line) => {}
                        _ => {
                            note(&mut thought, words);
                            if let Some((_, moves)) = line.split_once(" pv ") {
                                variation = moves.to_owned();
                            }
                        }
                    },
                    _ => {}
                }
                if allowed.is_none() && !told_to_stop {
                    end = last.min(at + PATIENCE);
                }
            }
            Heard::End => return Err(Fault::Disconnects),
            Heard::Nothing if told_to_stop => return Err(Fault::Stalls),
            Heard::Nothing => {
                process.say("stop");
                told_to_stop = true;
                end = Instant::now() + GRACE;
            }
        }
    }
}

/// Whether an `info` line is of a move that the program thinks less of than of its best.
fn is_of_another_line(info: &str) -> bool {
    let mut words = info.split_whitespace().take_while(|&word| word != "pv");
    words.any(|word| word == "multipv") && words.next().is_some_and(|number| number != "1")
}

/// Notes the values of an `info` line. A score is a proof or an estimate, not both.
fn note<'a>(thought: &mut Thought, mut words: impl Iterator<Item = &'a str>) {
    let Thought { cp, mate, depth, nodes, .. } = thought;
    while let Some(word) = words.next() {
        match word {
            "depth" => *depth = words.next().and_then(|n| n.parse().ok()).or(*depth),
            "nodes" => *nodes = words.next().and_then(|n| n.parse().ok()).or(*nodes),
            "score" => (*cp, *mate) = (None, None),
            "cp" => *cp = words.next().and_then(|n| n.parse().ok()),
            "mate" => *mate = words.next().and_then(|n| n.parse().ok()),
            // Moves or free text follow, to the end of the line.
            "pv" | "string" => return,
            _ => {}
        }
    }
}

/// Waits for a line that is one word, and hands those before it to `other`.
fn wait_for(process: &Process, word: &str, mut other: impl FnMut(&str)) -> Result<(), Fault> {
    let end = Instant::now() + PATIENCE;
    loop {
        match process.hear(Some(end)) {
            Heard::Line(line, _) if line.trim() == word => return Ok(()),
            Heard::Line(line, _) => other(&line),
            Heard::Nothing => return Err(Fault::Stalls),
            Heard::End => return Err(Fault::Disconnects),
        }
    }
}

/// The `position` line of a game.
fn position(line: &GameLine) -> String {
    let mut text = match &line.board {
        Some(board) => format!("position fen {board}"),
        None => "position startpos".to_owned(),
    };
    if !line.moves.is_empty() {
        text.push_str(" moves ");
        text.push_str(&line.moves.join(" "));
    }
    text
}

/// The `go` line of a turn.
fn go(dialect: Dialect, allowance: Allowance) -> String {
    match allowance {
        Allowance::Nodes(nodes) => format!("go nodes {nodes}"),
        Allowance::Depth(plies) => format!("go depth {plies}"),
        Allowance::Move(time) => format!("go movetime {}", time.as_millis()),
        Allowance::Clock { left: [p1, p2], increments: [p1_more, p2_more], moves_to_go } => {
            let [white, black] = match dialect {
                Dialect::Ugi => ["p1", "p2"],
                Dialect::Uci => ["w", "b"],
            };
            let mut line = format!(
                "go {white}time {} {black}time {} {white}inc {} {black}inc {}",
                p1.as_millis(),
                p2.as_millis(),
                p1_more.as_millis(),
                p2_more.as_millis(),
            );
            if let Some(moves) = moves_to_go {
                line.push_str(&format!(" movestogo {moves}"));
            }
            line
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_a_program_the_position_and_the_limits() {
        let mut line = GameLine { board: None, moves: Vec::new() };
        assert_eq!(position(&line), "position startpos");
        line.moves = ["A1", "B2"].map(str::to_owned).to_vec();
        assert_eq!(position(&line), "position startpos moves A1 B2");
        line.board = Some("w./.. b 1".to_owned());
        assert_eq!(position(&line), "position fen w./.. b 1 moves A1 B2");
        let ms = Duration::from_millis;
        assert_eq!(go(Dialect::Ugi, Allowance::Nodes(7)), "go nodes 7");
        assert_eq!(go(Dialect::Ugi, Allowance::Move(ms(100))), "go movetime 100");
        assert_eq!(go(Dialect::Ugi, Allowance::Depth(5)), "go depth 5");
        let clock = |dialect, moves_to_go| {
            let (left, increments) = ([ms(1), ms(2)], [ms(3), ms(4)]);
            go(dialect, Allowance::Clock { left, increments, moves_to_go })
        };
        assert_eq!(clock(Dialect::Ugi, None), "go p1time 1 p2time 2 p1inc 3 p2inc 4");
        assert_eq!(clock(Dialect::Uci, Some(9)), "go wtime 1 btime 2 winc 3 binc 4 movestogo 9");
    }

    #[test]
    fn reads_a_programs_answers() {
        let mut thought = Thought::default();
        note(&mut thought, "depth 7 score cp -13 nodes 900 pv depth 9".split(' '));
        note(&mut thought, "string nodes 1".split(' '));
        note(&mut thought, "depth x nps 5 time 3".split(' '));
        let expected =
            Thought { depth: Some(7), nodes: Some(900), cp: Some(-13), ..Thought::default() };
        assert_eq!(thought, expected);
        note(&mut thought, "score mate -4".split(' '));
        assert_eq!((thought.cp, thought.mate), (None, Some(-4)));
        note(&mut thought, "score cp 20 lowerbound".split(' '));
        assert_eq!((thought.cp, thought.mate), (Some(20), None), "the proof is no longer claimed");
        note(&mut thought, "depth 8".split(' '));
        assert_eq!(thought.cp, Some(20));
    }

    #[test]
    fn only_the_best_of_several_lines_counts() {
        for (line, is_other) in [
            ("info depth 3 score cp 9 pv a", false),
            ("info depth 3 multipv 1 score cp 9 pv a", false),
            ("info depth 3 multipv 2 score cp -7 pv b", true),
            ("info depth 3 score cp 9 pv multipv 2", false),
        ] {
            assert_eq!(is_of_another_line(line), is_other, "{line}");
        }
    }
}
