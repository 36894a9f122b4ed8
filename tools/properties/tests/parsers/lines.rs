//! Every parser of the player on made-up, damaged, random and enormous text.

use alesia::eval::network::LoadedNetwork;
use alesia::eval::parameters::Parameters;
use alesia::game::Game;
use alesia::games::loa::Layout;
use alesia::games::{AnyGame, Loa, variant};
use alesia_properties::kings;
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

const BOARDS: &[&str] = &[
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
        2 => select(BOARDS).prop_map(|board| board.as_bytes().to_vec()),
        1 => any::<Vec<u8>>(),
        1 => any::<String>().prop_map(String::into_bytes),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Texts of a language, some of them with a byte changed, beside lines of any words.
fn near(texts: impl Strategy<Value = String> + 'static) -> impl Strategy<Value = Vec<u8>> {
    let texts = texts.prop_map(String::into_bytes).boxed();
    let change = (any::<prop::sample::Index>(), select(&b" \t\r\n_-,=/.0aAzZ\x00\xe8\xff"[..]));
    let damaged = (texts.clone(), change).prop_map(|(mut text, (place, byte))| {
        if !text.is_empty() {
            let place = place.index(text.len());
            text[place] = byte;
        }
        text
    });
    prop_oneof![4 => texts, 2 => damaged, 1 => any_line()]
}

fn server_lines() -> impl Strategy<Value = String> {
    "[ \t]?((?i)WELCOME|MESSAGE|YOUR|VALID|ILLEGAL|OPPONENT|TIMEOUT|VICTORY|DEFEAT|TIE)\
     [_ \t]{0,2}((?i)TURN|MOVE|WHITE|BLACK)?[ \t]{0,2}\\PC{0,10}"
}

fn client_lines() -> impl Strategy<Value = String> {
    "((?i)MOVE)[ \t]{0,2}[A-Ia-i] ?[1-9][, -]{0,2}[NESWnesw]{0,2}([A-Ia-i][1-9])?(=[A-Z])? ?"
}

/// A number of plies, and a move that is legal after none.
fn relay_messages() -> impl Strategy<Value = String> {
    let start = AnyGame::from(Loa::start(Layout::Files));
    let moves = start.legal_moves();
    let moves: Vec<String> = moves.iter().map(|&m| start.notation(m).to_string()).collect();
    (
        select(vec!["\0", "\x01", "\x10"]),
        select(moves),
        any::<bool>(),
        select(vec!["\n", "", "\r\n"]),
    )
        .prop_map(|(plies, m, lower, end)| {
            let text = if lower { m.to_lowercase() } else { m };
            format!("{plies}{text}{end}")
        })
}

/// Lines about as long as a line may be.
fn streams() -> impl Strategy<Value = String> {
    let length = prop_oneof![0..4_usize, 1020..1030_usize, 0..3000_usize];
    let line = (length, select(vec!["\n", "\r\n", "\r", ""]));
    prop::collection::vec(line, 0..6).prop_map(|lines| {
        let lines = lines.into_iter().map(|(length, end)| "x".repeat(length) + end);
        format!("s{}", lines.collect::<String>())
    })
}

fn runner_lines() -> impl Strategy<Value = String> {
    let words = "((value|values|evalue|moves|name|Hash|\u{e8}|1) ?){0,3}";
    let limits = "((movetime|nodes|[wbp][12]?time|p[12]inc|movestogo|infinite|ponder) \
                  (-?[0-9]{1,5}|99999999999)? ?){0,4}";
    prop_oneof![
        (words, words).prop_map(|(name, value)| format!("setoption name {name} value {value}")),
        (select(BOARDS), words).prop_map(|(board, moves)| format!("position fen {board} {moves}")),
        "position startpos moves( [A-Ia-i][1-9](,[NESW]{1,2}|-[a-i][1-9])?){0,4}",
        limits.prop_map(|limits| format!("go {limits}")),
        "(u[gc]i|isready|u[gc]inewgame|stop|ponderhit|quit|query (gameover|p1turn|result)) ?",
    ]
}

fn position_files() -> impl Strategy<Value = String> {
    let field = "(GAME|END|[0-9]{1,3}|[wbd.]|[A-E][1-5]|[wb.]{5}(/[wb.]{5}){4}|)";
    let line = prop::collection::vec(field, 0..8).prop_map(|fields| fields.join("\t"));
    let lines = prop::collection::vec(line, 0..6).prop_map(|lines| lines.join("\n"));
    let games = prop::collection::vec(select(vec!["GAME\t0", "END\t0\t.\t."]), 0..4);
    (games, lines).prop_map(|(games, lines)| format!("\x01{}\n{lines}", games.join("\n")))
}

/// Keys of definitions, some of them right, below one section or two.
fn variant_files() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "customPiece[0-9]{1,2} = [a-z]:[mcnpgiefbslrv]{0,3}[WFDNAHCZGKRBQ][0-9WNR]?",
        "(max(Rank|File)|nMoveRule|nFoldRule) = ([0-9]|1[0-2])",
        "(pawn|rook|amazon|cannon|king|commoner) = [a-z-]",
        "(promotion|flag|doubleStep)Region(White|Black) = [*a-h][1-8]( [a-h][1-8*])?",
        "(stalemate|checkmate|extinction|nFold)Value = (win|loss|draw)",
        "(extinctionPieceTypes|promotionPieceTypes|flagPiece|voidRiders|pawnTypes) = [pnbrqk*-]{1,3}",
        "(castling|doubleStep|checking|mustCapture|mandatoryPawnPromotion) = (true|false)",
        "(castlingMoves = e1-g1-h1-f1|voidMoves = orthogonal|pawnVoidMoves = forward)",
        "startFen = [kqpP1-8*]{1,8}(/[pP1-8*]{1,3}){6}/[KQR1-8*]{1,8} w (-|KQkq) - 0 1",
        "\\PC{0,12}",
    ];
    let head = select(vec!["[a:chess]", "[a:voidrider]", "[a]", "[a:gardner]\n[b:a]"]);
    let lines = prop::collection::vec(line, 0..5);
    (head, lines).prop_map(|(head, lines)| format!("{head}\n{}", lines.join("\n")))
}

/// Files of weights, whole or cut, some with another first line.
fn weights_files() -> impl Strategy<Value = String> {
    let layout = variant::Layout::of(kings());
    let (inputs, rows) = (layout.inputs(), layout.move_rows());
    let bytes = LoadedNetwork::<{ variant::HIDDEN }>::bytes(inputs, rows);
    let whole = move |base, length| {
        let file = variant::weights_file(kings(), base, &vec![0; length]);
        String::from_utf8(file).expect("numbers of zeros")
    };
    let first_line = "alesia weights [12]: [a-z]{0,5} [0-9a-f]{15,17}, (32|16) hidden, [0-9]{1,4} \
                      inputs, [0-9]{1,4} rows, base -?[0-9]{1,4}/64, sum [0-9a-f]{0,17}\n\\PC{0,9}";
    prop_oneof![
        (0..=variant::MAX_BASE).prop_map(move |base| whole(base, bytes)),
        (-9..=300_i32, 0..=bytes).prop_map(move |(base, length)| whole(base, length)),
        first_line,
    ]
}

fn arguments() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,7} ?(B|KiB|MiB|GiB)?",
        "(murus|loa|voidrider|hadron([0-9]|[0-9]x[0-9])?)",
        "(variant:(chess|gardner|none)?|none.ini(:x)?)",
        (select(Parameters::NAMES), " ?= ?[0-9]{0,5}[.]?[0-9]{0,9}(e-[0-9])?")
            .prop_map(|(name, value)| format!("{name}{value}")),
    ]
}

fn feed_lines() -> impl Strategy<Value = String> {
    prop_oneof![
        "game [0-9]{1,3} [0-9]{1,3} (loa|hadron3|) [0-9]{1,20} [wb./ 0-9]{0,12}",
        "seated [0-9]{1,2} (White|Black|tie) ?(unknown|10.0.0.5:4711|\\[::1\\]:80|)",
        "(left|started) [0-9]{1,20}( [0-9]{1,20})?",
        "thought [0-9] (White|Black|tie) [0-9]{1,3} ?(info depth 1\t?){0,3}",
        "moved [0-9] (White|Black|tie) (B1|b1-b3|G4,NE|) ?-?[0-9]{0,17}([.][0-9]{0,6})?",
        "ended [0-9] (White|Black|tie|white) ?[a-z (),\t\r]{0,12}",
    ]
}

macro_rules! parsers {
    ($($name:ident: $property:ident of $texts:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(
                if cfg!(debug_assertions) { 2_500 } else { 100_000 }
            ))]
            $(
                #[test]
                fn $name(line in near($texts)) {
                    alesia_properties::$property(&line);
                }
            )*
        }
    };
}

parsers! {
    lines_of_a_server: server_line of server_lines();
    lines_of_a_client: client_line of client_lines();
    messages_of_the_relay: relay_message of relay_messages();
    streams_of_lines: framing of streams();
    lines_of_a_match_runner: ugi_line of runner_lines();
    boards: any_board of select(BOARDS).prop_map(str::to_owned);
    moves: any_move of client_lines().prop_map(|line| line[4..].trim().to_owned());
    files_of_positions: positions_file of position_files();
    values_of_arguments: argument of arguments();
    lines_of_feeds: event_line of feed_lines();
    files_of_variants: variants_file of variant_files();
    files_of_weights: weights_file of weights_files();
}

/// A parser with quadratic time would need days.
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
            alesia_properties::ALL.iter().for_each(|(_, property)| property(input.as_bytes()));
        }
    }
}
