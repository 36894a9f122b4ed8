//! Properties of every parser of the lab, for any bytes.
//!
//! The one idea: as for those of the player (`tools/properties`), each property is a function of
//! bytes, tried by tests with generated lines and by fuzzers (`fuzz/`).

use std::sync::Arc;

use alesia::eval::network::HIDDEN_ONE;
use alesia::games::{AnyGame, GameSpec};
use alesia::record::checked_line::json_line;
use alesia::record::game_record::{GameRecord, read};
use alesia_board::games::feed::follow;
use alesia_board::games::hall::Hall;
use alesia_match::command::options::Options;
use alesia_match::files::match_file::Header;
use alesia_match::players::limit::Limit;
use alesia_match::run::opening::Openings;
use alesia_report::{Source, page};

use crate::tournament::plan::Plan;
use crate::tune::record::SelfPlayRecord;
use crate::tune::shape::Shape;

/// Something that holds for any bytes; panics where it does not.
pub type Property = fn(&[u8]);

/// All of them, by the names of the fuzzers' targets.
pub const ALL: [(&str, Property); 9] = [
    ("record", record_line),
    ("limit", limit),
    ("opening", openings_file),
    ("match", match_words),
    ("tournament", tournament_file),
    ("feed", referee_feed),
    ("games", training_game),
    ("weights", weights_file),
    ("report", reported_file),
];

/// A line of a file of games or of a match.
pub fn record_line(bytes: &[u8]) {
    let Ok(line) = str::from_utf8(bytes) else { return };
    if let Ok(record) = read::<GameRecord>("line 1", line) {
        assert_eq!(read::<GameRecord>("line 1", &json_line(&record)), Ok(record.clone()), "{line}");
        if let Ok(game) = record.game.parse::<GameSpec>() {
            let _ = record.check(AnyGame::start(game));
        }
    }
    if let Ok(header) = read::<Header>("line 1", line) {
        let again: Header = read("line 1", &json_line(&header)).expect("it was written so");
        assert_eq!((again.words, again.draw), (header.words, header.draw), "{line}");
    }
}

/// A file of games or measurements, as a page.
pub fn reported_file(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(source) = Source::read("file", &text) {
        assert!(page(&[source], "alesia-lab", &[32]).ends_with("</html>"));
    }
}

/// The value of a key that limits thinking.
pub fn limit(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    for key in Limit::KEYS {
        let Ok(limit) = Limit::read("-each", key, text) else { continue };
        let written = limit.to_string();
        let value = written.trim_end_matches(" nodes").trim_end_matches("/move");
        assert_eq!(Limit::read("-each", key, value), Ok(limit), "{key}={text}");
    }
}

/// A file of openings, of the game that the first byte says.
pub fn openings_file(bytes: &[u8]) {
    let Some((game, text)) = bytes.split_first() else { return };
    let Ok(text) = str::from_utf8(text) else { return };
    let game = ["murus", "hadron5", "loa", "voidrider"][usize::from(game % 4)];
    let start = AnyGame::named(game).expect("the name of a game");
    for line in Openings::lines(start, text, "file").unwrap_or_default() {
        assert!(line.state(start).is_ok_and(|state| state.ending().is_none()));
    }
}

/// The words of a match, one on each line.
pub fn match_words(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    // A file that is named would be read.
    if text.contains("file") {
        return;
    }
    let words: Vec<String> = text.lines().map(str::to_owned).collect();
    if let Ok(options) = Options::read(&words) {
        assert!(options.terms.entrants.len() >= 2);
    }
}

/// A file that describes a tournament.
pub fn tournament_file(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(plan) = Plan::read(text, "cup.toml", 1, false) else { return };
    let mut drawn: Vec<usize> = plan.groups.concat();
    drawn.sort_unstable();
    assert!(drawn.into_iter().eq(0..plan.players.len()), "everyone is in one group");
    assert!(plan.describe().starts_with("draw of lots, seed "));
}

/// What a referee reports of its games.
pub fn referee_feed(bytes: &[u8]) {
    // A warm-up of any length would be waited for.
    if String::from_utf8_lossy(bytes).contains("started") {
        return;
    }
    let hall = Arc::new(Hall::default());
    follow(&hall, bytes);
    assert!(hall.search(|table| table.result().is_none()).is_none(), "every game has ended");
}

/// A game that `tune` learns from, of the kind that the first byte says.
pub fn training_game(bytes: &[u8]) {
    let Some((game, text)) = bytes.split_first() else { return };
    let Ok(text) = str::from_utf8(text) else { return };
    let game = ["murus", "hadron2", "loa", "voidrider"][usize::from(game % 4)];
    let start = AnyGame::named(game).expect("the name of a game");
    if let Ok(record) = SelfPlayRecord::read(start, text) {
        assert_eq!(SelfPlayRecord::read(start, &record.line(start)), Ok(record), "{text}");
    }
}

/// A file of weights, of a small network whose sizes the first byte says.
pub fn weights_file(bytes: &[u8]) {
    let Some((sizes, file)) = bytes.split_first() else { return };
    let (inputs, rows) = (usize::from(sizes % 4), usize::from(sizes / 4 % 4));
    let value_one = if sizes / 16 % 2 == 0 { 64 } else { 256 };
    let shape = Shape::<4> { inputs, rows, value_one };
    let random = || fastrand::Rng::with_seed(u64::from(*sizes));
    let Some(numbers) = shape.grown(file, &mut random()) else {
        assert_ne!(file.len(), 2 * shape.len(), "as long as it must be");
        return;
    };
    assert_eq!(numbers.len(), shape.len());
    assert!(file.len() <= 2 * numbers.len() && numbers.iter().all(|number| number.is_finite()));
    // What was read is written as it was, and what was added has been rounded.
    let rounded = shape.rounded(&numbers);
    let written = shape.bytes(&numbers);
    assert_eq!(shape.bytes(&rounded), written);
    if file.len() == written.len() {
        assert_eq!((&*written, &numbers), (file, &rounded));
    }
    assert_eq!(shape.grown(&written, &mut random()), Some(rounded.clone()));
    // The sums of the player are in 16 bits where they are said to be.
    let whole = |row: usize, i: usize| (rounded[row * 4 + i] * HIDDEN_ONE as f32).round() as i64;
    let sums = |i: usize| {
        let all = (0..inputs).map(move |row| whole(row, i));
        let part = |sign: i64| all.clone().filter(move |x| x * sign > 0).sum::<i64>();
        [-1, 1].map(|sign| whole(inputs, i) + part(sign))
    };
    let fit = (0..4).flat_map(sums).all(|sum| i16::try_from(sum).is_ok());
    assert_eq!(shape.fits(&rounded, inputs), fit, "{rounded:?}");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    /// What the lines of the files are made of.
    const WORDS: &[&str] = &[
        "-game",
        "--each",
        "-engine",
        "-rounds",
        "-sprt",
        "-pairs",
        "-srand",
        "-openings",
        "-tournament",
        "-jsonl",
        "murus",
        "hadron3",
        "loa",
        "name=",
        "name=a",
        "name=b",
        "nodes=",
        "nodes=5",
        "st=",
        "st=0.1",
        "tc=1+0.1",
        "elo0=0",
        "elo1=5",
        "plies=4",
        "0..10",
        "gauntlet",
        "option.engine=random",
        "option.threads=1",
        "cmd=x",
        "args=\"a b\"",
        "proto=tcp",
        "proto=ugi",
        "1e-7",
        "0.30000000000000004",
        "86400",
        "inf",
        "nan",
        "1/2",
        "\n",
        "\n",
        "\n",
        " ",
        "=",
        "+",
        "game = ",
        "\"murus\"",
        "groups = ",
        "draw = ",
        "[each]",
        "st = ",
        "[[player]]",
        "name = ",
        "\"a\"",
        "\"b\"",
        "option = { engine = \"random\" }",
        "moves",
        "A1",
        "B2",
        "b2-b4",
        "{\"seed\":1,",
        "\"pair\":0,",
        "\"leg\":0,",
        "\"leg\":2,",
        "\"game\":\"hadron2\",",
        "\"white\":\"x\",",
        "\"black\":\"y\",",
        "\"opening\":[],",
        "\"moves\":[{\"move\":\"A1\",\"ms\":",
        "}],",
        "\"result\":\"1-0\",",
        "\"cause\":\"rule\",",
        "\"reason\":\"r\"}",
        "{\"match\":[\"",
        "\"]}",
        "\u{e8}",
        "\0",
        "\\ud800",
        "\ngame 1 2 hadron2 500 ../.. w 0\n",
        "seated 1 ",
        "moved 1 ",
        "ended 1 ",
        "left 1\n",
        "White ",
        "Black ",
        " | ",
        "A1:500",
        "/",
        ":1000",
    ];

    /// Texts near to ones that are accepted.
    const WHOLE: &[&str] = &[
        "-game\nloa\n-engine\nname=a\n-engine\nname=b\n-each\nnodes=5\n-rounds\n2",
        "game = \"loa\"\n[each]\nst = 1.0\n[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\n",
        "{\"seed\":1,\"pair\":0,\"leg\":1,\"game\":\"hadron2\",\"white\":\"x\",\"black\":\"y\",\
         \"opening\":[\"A1\"],\"moves\":[{\"move\":\"A2\",\"ms\":0.123,\"value\":0.1}],\
         \"result\":\"1-0\",\"cause\":\"rule\",\"reason\":\"no legal move\"}",
        "{\"match\":[\"-game\",\"loa\"],\"draw\":3}",
        "{\"run\":\"stress trees\",\"cores\":2}\n{\"seconds\":1.5,\"searches\":9}\n",
        "1A1 B2\n# a comment\nw..../...../...../...../..... b 1 moves B3\n",
        "1b A1 | B2:500/B2:1000 A2:500 B1:500",
        "game 1 2 hadron2 500 ../.. w 0\nseated 1 White a:1\nseated 1 Black b:2\n\
         moved 1 White A1 12.5\nmoved 1 Black B2 3\nended 1 tie agreed\n",
        "0w......./......../......../......../......../......../........ b 9\n",
    ];

    #[test]
    fn the_whole_game_to_learn_from_is_one() {
        let game = WHOLE.iter().find(|text| text.starts_with("1b")).expect("a game");
        let start = alesia::games::Hadron::start(2, 2);
        let record = super::SelfPlayRecord::read(start, &game[1..]).expect("read");
        assert_eq!(record.line(start), game[1..]);
    }

    #[test]
    fn a_number_that_comes_again_on_a_feed_ends_the_former_game() {
        super::referee_feed("game 1 2 hadron2 500 ../.. w 0\n".repeat(2).as_bytes());
    }

    /// A text with some pieces of it replaced.
    fn damaged() -> impl Strategy<Value = Vec<u8>> {
        let change = (any::<prop::sample::Index>(), 0..4_usize, select(WORDS));
        let changes = prop::collection::vec(change, 0..4);
        (select(WHOLE), changes).prop_map(|(text, changes)| {
            let mut bytes = text.as_bytes().to_vec();
            for (place, length, word) in changes {
                let from = place.index(bytes.len());
                let to = (from + length).min(bytes.len());
                bytes.splice(from..to, word.bytes());
                if bytes.is_empty() {
                    break;
                }
            }
            bytes
        })
    }

    fn any_text() -> impl Strategy<Value = Vec<u8>> {
        let word = || select(WORDS).prop_map(|word| word.as_bytes().to_vec());
        let number = any::<f64>().prop_map(|number| number.to_string().into_bytes());
        let piece = prop_oneof![12 => word(), 2 => number, 1 => any::<Vec<u8>>()];
        let words = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
        prop_oneof![damaged(), words]
    }

    macro_rules! parsers {
        ($($name:ident: $property:ident;)*) => {
            proptest! {
                #![proptest_config(ProptestConfig::with_cases(
                    if cfg!(debug_assertions) { 2_000 } else { 100_000 }
                ))]
                $(
                    #[test]
                    fn $name(text in any_text()) {
                        super::$property(&text);
                    }
                )*
            }
        };
    }

    parsers! {
        lines_of_records: record_line;
        limits_of_thinking: limit;
        files_of_openings: openings_file;
        words_of_matches: match_words;
        files_of_tournaments: tournament_file;
        feeds_of_referees: referee_feed;
        games_to_learn_from: training_game;
        files_of_weights_in_words: weights_file;
        files_of_reports: reported_file;
    }

    proptest! {
        /// However long a move took, it is read as it was written.
        #[test]
        fn times_come_back(ms in 0.0..1e9_f64, value in 0.0..1.0_f32) {
            let line = super::tests::WHOLE[2];
            let line = line.replace("0.123", &ms.to_string()).replace(":0.1}", &format!(":{value}}}"));
            let record: super::GameRecord = super::read("", &line).expect("a record");
            prop_assert_eq!(record.moves[0].ms, Some(ms));
            super::record_line(line.as_bytes());
        }

        /// Of the right length, as hardly any text is.
        #[test]
        fn files_of_weights(
            sizes in any::<u8>(),
            hidden in 1..=4_usize,
            file in prop::collection::vec(any::<u8>(), 100),
        ) {
            let (inputs, rows) = (usize::from(sizes % 4), usize::from(sizes / 4 % 4));
            let length = 2 * (hidden * (inputs + 2 + rows) + 1 + rows);
            super::weights_file(&[&[sizes], &file[..length]].concat());
        }

        #[test]
        fn seconds_come_back(seconds in 0.0..86_400.0_f64, small in 0.0..1e-8_f64) {
            super::limit(seconds.to_string().as_bytes());
            super::limit(format!("{small}").as_bytes());
            super::limit(format!("{seconds}+{small}").as_bytes());
        }
    }

    /// A parser with quadratic time would need days for it.
    #[test]
    fn enormous_inputs_are_done_with_at_once() {
        const LENGTH: usize = if cfg!(debug_assertions) { 1 << 18 } else { 10 << 20 };
        let beginnings = [
            "",
            "-game\nloa\n-engine\n",
            "-engine\nname=a\ncmd=x\nproto=ugi\nst=1\n",
            "{\"seed\":1,\"pair\":0,\"leg\":0,\"opening\":[",
            "game = \"loa\"\neach.st = 1\n",
            "0",
        ];
        let repeated = [
            "x",
            "\n",
            "[",
            "{",
            "-engine\n",
            "name=a\n",
            "option.a=1\n",
            "[[player]]\n",
            "1",
            "[[player]]\nname = \"a\"\n",
            "A1 ",
            "A1\n",
            "\"A1\",",
            "-",
            "\"",
            "#\n",
            "\u{e8}",
        ];
        for beginning in beginnings {
            for repeated in repeated {
                let mut input = beginning.to_owned();
                while input.len() < LENGTH {
                    input.push_str(repeated);
                }
                super::ALL.iter().for_each(|(_, property)| property(input.as_bytes()));
            }
        }
        let players = |count: usize| {
            let player = |number| format!("-engine\nname=p{number}\n");
            let players: String = (0..count).map(player).collect();
            format!("-game\nloa\n-each\nnodes=5\n-rounds\n1\n{players}")
        };
        super::match_words(
            players(if cfg!(debug_assertions) { 20_000 } else { 100_000 }).as_bytes(),
        );
        let options: String = (0..50_000).map(|number| format!("option.o{number}=1\n")).collect();
        let long = players(1) + "-engine\nname=b\ncmd=x\nproto=ugi\n" + &options;
        super::match_words(long.as_bytes());
    }
}

#[cfg(fuzzing)]
mod target {
    use std::sync::OnceLock;

    libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
        static PROPERTY: OnceLock<super::Property> = OnceLock::new();
        let chosen = || {
            let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
            let found = super::ALL.iter().find(|(target, _)| *target == name);
            found.expect("FUZZ_TARGET names a property").1
        };
        PROPERTY.get_or_init(chosen)(bytes);
    });
}
