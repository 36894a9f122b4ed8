//! Every parser of the player on made-up, damaged, random and enormous text.

mod properties;

use proptest::prelude::*;
use proptest::sample::select;

/// What the lines of the protocols and files are made of.
const WORDS: &[&str] = &[
    " ",
    "  ",
    "\t",
    "\n",
    "\r",
    "_",
    "/",
    "-",
    ",",
    "=",
    "#",
    ".",
    "",
    "\0",
    "\u{e8}",
    "\u{2003}",
    "MESSAGE",
    "WELCOME",
    "WHITE",
    "Black",
    "YOUR",
    "TURN",
    "VALID",
    "MOVE",
    "ILLEGAL",
    "OPPONENT",
    "TIMEOUT",
    "VICTORY",
    "DEFEAT",
    "TIE",
    "move",
    "your_turn",
    "B1",
    "b1-b3",
    "B1-B3",
    "G4,NE",
    "a1,n",
    "F5",
    "I9",
    "c8-c9=V",
    "d1-f1",
    "ugi",
    "isready",
    "uginewgame",
    "setoption",
    "name",
    "value",
    "Hash",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "movetime",
    "nodes",
    "p1time",
    "wtime",
    "p2inc",
    "movestogo",
    "infinite",
    "stop",
    "query",
    "gameover",
    "result",
    "quit",
    "GAME",
    "END",
    "0",
    "1",
    "-1",
    "100",
    "99999999999999999999",
    "MiB",
    "KiB",
    "GiB",
    "B",
    "murus",
    "hadron",
    "4x5",
    "loa",
    "voidrider",
    "exploration",
    "0.25",
    "1e-7",
];

const BOARDS: [&str; 5] = [
    "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 0",
    "w../.b. w 2",
    ".wwwwww./b......b/b......b/b......b/b......b/b......b/b......b/.wwwwww. w 0",
    "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DdUu 0",
    "......... w 0",
];

fn any_line() -> impl Strategy<Value = Vec<u8>> {
    let word = || select(WORDS).prop_map(|word| word.as_bytes().to_vec());
    let piece = prop_oneof![
        12 => word(),
        8 => word().prop_map(|word| [&word[..], b" "].concat()),
        2 => select(&BOARDS[..]).prop_map(|board| board.as_bytes().to_vec()),
        1 => any::<Vec<u8>>(),
        1 => any::<String>().prop_map(String::into_bytes),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

macro_rules! parsers {
    ($($name:ident: $property:ident;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(
                if cfg!(debug_assertions) { 2_000 } else { 100_000 }
            ))]
            $(
                #[test]
                fn $name(line in any_line()) {
                    properties::$property(&line);
                }
            )*
        }
    };
}

parsers! {
    lines_of_a_server: server_line;
    lines_of_a_client: client_line;
    messages_of_the_relay: relay_message;
    streams_of_lines: framing;
    lines_of_a_match_runner: ugi_line;
    boards: any_board;
    moves: any_move;
    files_of_positions: positions_file;
    arguments: argument;
}

/// Whoever took a square of the length for something would be at it for days.
#[test]
fn enormous_inputs_are_done_with_at_once() {
    const LENGTH: usize = if cfg!(debug_assertions) { 1 << 20 } else { 10 << 20 };
    let beginnings: [&str; 9] = [
        "",
        "MESSAGE ",
        "MOVE ",
        "setoption name ",
        "position startpos moves ",
        "position fen ",
        "go ",
        "GAME\t0\n",
        "hadron",
    ];
    let repeated = ["x", " ", "\n", "/", "0", "value ", "moves ", "nodes 1 ", "w../.b. ", "\u{e8}"];
    for beginning in beginnings {
        for repeated in repeated {
            let mut input = beginning.to_owned();
            while input.len() < LENGTH {
                input.push_str(repeated);
            }
            properties::ALL.iter().for_each(|(_, property)| property(input.as_bytes()));
        }
    }
}
