//! A game by hand as a command: the arguments of `alesia manual`.
//!
//! The one idea: an interrupted network game continues as a game in which the opponent's moves are
//! entered by hand. The command for that has the same type as the one read from the command line.

use std::fmt;

use alesia::game::Side;
use alesia::search::levels::Level;
use clap::{Args, Parser, ValueEnum};

use super::options::{
    BookOption, EngineArguments, GameOptions, PonderOption, PositionOptions, TimeArguments,
};
use super::record_option::RecordOption;

/// Whose moves are entered by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sides {
    /// White by hand, Black by the engine.
    White,
    /// Black by hand, White by the engine.
    Black,
    /// Both by hand: two people, or a game played elsewhere; the engine only gives hints.
    Both,
    /// The engine plays both sides.
    None,
}

impl Sides {
    /// One side alone.
    pub fn only(side: Side) -> Sides {
        match side {
            Side::White => Sides::White,
            Side::Black => Sides::Black,
        }
    }

    /// Whether a side's moves are entered by hand.
    pub fn has(self, side: Side) -> bool {
        self == Sides::Both || self == Sides::only(side)
    }

    /// The engine's side, if it has exactly one.
    pub fn engine_side(self) -> Option<Side> {
        match self {
            Sides::White => Some(Side::Black),
            Sides::Black => Some(Side::White),
            Sides::Both | Sides::None => None,
        }
    }
}

/// The arguments of `alesia manual`. Its `Display` is a command line that means the same.
#[derive(Clone, Args)]
pub struct ByHand {
    #[command(flatten)]
    pub game: GameOptions,
    /// Sides whose moves are entered by hand; the engine plays the others.
    #[arg(long, value_enum, value_name = "SIDES", default_value = "white", help_heading = "Game")]
    pub side: Sides,
    #[command(flatten)]
    pub position: PositionOptions,
    #[command(flatten)]
    pub engine: EngineArguments,
    /// Level below full strength: 1 (recruit) to 6 (legate), or its name.
    #[arg(long, value_name = "N", value_parser = Level::named, help_heading = "Engine",
          conflicts_with_all = ["engine", "threads", "trees", "nodes", "book"])]
    pub level: Option<&'static Level>,
    #[command(flatten)]
    pub time: TimeArguments,
    #[command(flatten)]
    pub ponder: PonderOption,
    #[command(flatten)]
    pub book: BookOption,
    #[command(flatten)]
    pub record: RecordOption,
}

impl ByHand {
    /// The command that continues a network game by hand; its side is set later.
    pub fn instead_of(
        game: &GameOptions,
        engine: &EngineArguments,
        time: &TimeArguments,
        ponder: &PonderOption,
        book: &BookOption,
    ) -> ByHand {
        let (game, engine) = (game.clone(), engine.clone());
        let (time, ponder, book) = (time.clone(), ponder.clone(), book.clone());
        ByHand { game, engine, time, ponder, book, ..ByHand::by_default() }
    }

    /// The same with a file for the record of the game.
    pub fn with_record(self, record: &RecordOption) -> ByHand {
        ByHand { record: record.clone(), ..self }
    }

    /// The defaults of the command line.
    fn by_default() -> ByHand {
        #[derive(Parser)]
        struct CommandLine {
            #[command(flatten)]
            by_hand: ByHand,
        }
        CommandLine::parse_from(["manual"]).by_hand
    }

    /// Every option but game and sides, as words of the command line.
    fn options(&self) -> Vec<String> {
        let EngineArguments { engine, threads, trees, memory, seed, nodes, parameters, weights } =
            &self.engine;
        let PositionOptions { position, moves } = &self.position;
        let TimeArguments { move_time, margin } = &self.time;
        let mut options = vec![
            format!("--engine {engine}"),
            format!("--trees {trees}"),
            format!("--memory {memory}"),
            format!("--move-time {move_time}"),
            format!("--margin {margin}"),
            format!("--ponder {}", if self.ponder.is_on() { "on" } else { "off" }),
            format!("--book {}", if self.book.is_on() { "on" } else { "off" }),
        ];
        options.extend(self.level.map(|level| format!("--level {}", level.name)));
        options.extend(seed.map(|seed| format!("--seed {seed}")));
        options.extend(threads.map(|threads| format!("--threads {threads}")));
        options.extend(nodes.map(|nodes| format!("--nodes {nodes}")));
        options.extend(parameters.iter().map(|set| format!("--set {set}")));
        let weights = weights.iter();
        options.extend(weights.map(|weights| format!("--weights \"{}\"", weights.path.display())));
        options.extend(position.iter().map(|board| format!("--position \"{board}\"")));
        let record = self.record.record.iter();
        options.extend(record.map(|path| format!("--record \"{}\"", path.display())));
        if !moves.is_empty() {
            options.push(format!("--moves \"{moves}\""));
        }
        options
    }
}

impl fmt::Display for ByHand {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (game, side) = (self.game.game().to_string(), name(self.side));
        // The name of a file may have blanks.
        let quote = if game.contains(char::is_whitespace) { "\"" } else { "" };
        write!(f, "{} manual --game {quote}{game}{quote} --side {side}", program())?;
        let by_default = ByHand::by_default().options();
        for option in self.options().iter().filter(|option| !by_default.contains(option)) {
            write!(f, " {option}")?;
        }
        Ok(())
    }
}

/// The name by which this program was called.
pub fn program() -> String {
    let program = std::env::args().next().unwrap_or_else(|| "alesia".into());
    if program.contains(char::is_whitespace) { format!("\"{program}\"") } else { program }
}

/// A value's name on the command line.
fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().into())
}

#[cfg(test)]
pub mod tests {
    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        by_hand: ByHand,
    }

    /// The arguments of a command line without blanks in quotes.
    pub fn by_hand(arguments: &str) -> ByHand {
        let words = std::iter::once("manual").chain(arguments.split_whitespace());
        CommandLine::parse_from(words).by_hand
    }

    #[test]
    fn a_command_line_is_written_as_it_was_read() {
        for arguments in [
            "--game murus --side white",
            "--game hadron4x5 --side black",
            "--game loa:files --side both",
            "--game variant:chess --side white --level optio",
            "--game voidrider --side none --engine alphabeta --trees 2 --memory 3MiB \
             --move-time 500 --margin 20 --ponder off --book on --seed 9 --threads 3 --nodes 77 \
             --set exploration=1.5 --set prior_noise=0.1 --moves \"c3-c4\"",
        ] {
            let shown = by_hand(&arguments.replace('"', "")).to_string();
            assert_eq!(shown, format!("{} manual {arguments}", program()));
        }
    }

    #[test]
    fn leaves_out_options_with_their_default() {
        let shown = by_hand("--engine mcts --memory 512MiB").to_string();
        assert_eq!(shown, format!("{} manual --game murus --side white", program()));
    }

    #[test]
    fn a_level_stands_beside_nothing_that_it_would_ignore() {
        let read = |words: &str| {
            let words = std::iter::once("manual").chain(words.split_whitespace());
            CommandLine::try_parse_from(words).map(|line| line.by_hand.level)
        };
        assert_eq!(read("--level 2").unwrap().map(|level| level.name), Some("legionary"));
        assert!(read("--level 7").is_err() && read("--level mcts").is_err());
        for other in ["--engine mcts", "--threads 1", "--trees 1", "--nodes 9", "--book on"] {
            assert!(read(&format!("--level 2 {other}")).is_err(), "{other}");
            assert!(read(other).is_ok(), "{other}");
        }
    }

    #[test]
    fn positions_and_moves_are_quoted() {
        let mut command = by_hand("--game hadron2x3 --side black");
        command.position.position = Some("w../.b. w 2".into());
        command.position.moves = "A3 B1".into();
        let end = "--side black --position \"w../.b. w 2\" --moves \"A3 B1\"";
        assert!(command.to_string().ends_with(end), "{command}");
    }

    #[test]
    fn the_engine_has_the_sides_that_are_not_entered() {
        for (sides, white, black, engine) in [
            (Sides::White, true, false, Some(Side::Black)),
            (Sides::Black, false, true, Some(Side::White)),
            (Sides::Both, true, true, None),
            (Sides::None, false, false, None),
        ] {
            assert_eq!([sides.has(Side::White), sides.has(Side::Black)], [white, black]);
            assert_eq!(sides.engine_side(), engine);
        }
    }
}
