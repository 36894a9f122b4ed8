//! Properties of every parser of the player, for any bytes.
//!
//! The one idea: each property is a function of bytes, so that tests with generated lines and
//! fuzzers (tools/fuzz) try the same. No parser panics or hangs, and accepted text is written in
//! one form that reads as the same again.

use std::io::{self, Read};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use alesia::eval::parameters::Parameters;
use alesia::eval::weights_file::WeightsFile;
use alesia::game::chance::Chance;
use alesia::game::check::check;
use alesia::game::{Game, GameState, MoveList, Side};
use alesia::games::loa::Layout;
use alesia::games::variant;
use alesia::games::{AnyGame, GameSpec, Hadron, Loa, Murus, Voidrider};
use alesia::net::feed::{FeedLine, GameEvent};
use alesia::net::line::{LineError, LineReader, MAX_LINE};
use alesia::net::relay;
use alesia::net::tournament::{self, ServerMessage, move_line, move_text, parse_move_line};
use alesia::search::clock::Budget;
use alesia::search::size::Size;
use alesia::ugi::{self, Command, Dialect, Limits, Query};

/// Something that holds for any bytes; panics where it does not.
pub type Property = fn(&[u8]);

/// All of them, by the names of the fuzzers' targets.
pub const ALL: [(&str, Property); 12] = [
    ("server", server_line),
    ("client", client_line),
    ("relay", relay_message),
    ("framing", framing),
    ("ugi", ugi_line),
    ("boards", any_board),
    ("moves", any_move),
    ("positions", positions_file),
    ("arguments", argument),
    ("events", event_line),
    ("variants", variants_file),
    ("learned", weights_file),
];

/// Whether bytes are what a line reader hands out, and still so when written a little longer.
fn is_line(bytes: &[u8]) -> bool {
    bytes.len() < MAX_LINE && !bytes.iter().any(|byte| b"\r\n".contains(byte))
}

/// A line of a tournament server.
pub fn server_line(bytes: &[u8]) {
    let Some(message) = ServerMessage::parse(bytes) else { return };
    if !is_line(bytes) {
        return;
    }
    let line = message.to_line();
    let (end, line) = line.split_last().expect("a line has its end");
    assert_eq!((*end, ServerMessage::parse(line)), (b'\n', Some(message)));
}

/// A line of a tournament client, and the move in it.
pub fn client_line(bytes: &[u8]) {
    let Some(text) = parse_move_line(bytes) else { return };
    if is_line(bytes) {
        let line = move_line(text);
        assert_eq!(parse_move_line(&line[..line.len() - 1]), Some(text));
    }
    fn read(position: &AnyGame, text: &str) {
        if let Ok(m) = tournament::read_move(position, text.as_bytes()) {
            let written = move_text(position, m);
            assert_eq!(tournament::read_move(position, written.as_bytes()), Ok(m));
            let compact: String = text.split_ascii_whitespace().collect();
            assert!(written.eq_ignore_ascii_case(&compact), "{text:?} is read as {written}");
        }
    }
    read(&AnyGame::from(Murus::start()), text);
    read(&AnyGame::from(Hadron::start(9, 9)), text);
    read(&AnyGame::from(Loa::start(Layout::Rows)), text);
    read(&AnyGame::from(Voidrider::start()), text);
}

/// A message of the relay protocol, after as many moves as the first byte says.
pub fn relay_message(bytes: &[u8]) {
    let Some((&plies, message)) = bytes.split_first() else { return };
    let mut rng = fastrand::Rng::with_seed(plies.into());
    let mut position = AnyGame::from(Loa::start(Layout::Files));
    for _ in 0..plies % 16 {
        let m = position.random_move(&mut rng).expect("both sides can move for long");
        position.play(m);
    }
    if let Ok(m) = relay::read_exactly(&position, message) {
        assert_eq!(relay::message(&position, m).1, message);
    }
}

/// Passes bytes on in pieces; their lengths follow from a number.
struct Sliced<'a> {
    rest: &'a [u8],
    rng: fastrand::Rng,
}

impl Read for Sliced<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let most = [1, 7, 100, 2000][self.rng.index(..4)];
        let count = most.min(room.len()).min(self.rest.len());
        let (piece, rest) = self.rest.split_at(count);
        room[..count].copy_from_slice(piece);
        self.rest = rest;
        Ok(count)
    }
}

/// A stream cut into lines, sliced as the first byte says.
pub fn framing(bytes: &[u8]) {
    let Some((&seed, stream)) = bytes.split_first() else { return };
    let rng = fastrand::Rng::with_seed(seed.into());
    let mut reader = LineReader::new(Sliced { rest: stream, rng });
    let mut rest = stream;
    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        let line = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
        match reader.read_line() {
            Ok(found) => assert!(found.bytes == line && line.len() <= MAX_LINE),
            Err(LineError::TooLong) => assert!(line.len() > MAX_LINE),
            Err(error) => panic!("{error}"),
        }
        rest = &rest[end + 1..];
    }
    let mut end = reader.read_line();
    if matches!(end, Err(LineError::TooLong)) {
        assert!(rest.len() > MAX_LINE);
        end = reader.read_line();
    }
    let Err(LineError::Closed { mid_line }) = end else { panic!("{end:?}") };
    assert_eq!(mid_line, !rest.is_empty());
}

/// The one form in which this program would write a command.
fn written(dialect: Dialect, command: &Command) -> String {
    match command {
        Command::Hello => dialect.name().to_owned(),
        Command::IsReady => "isready".to_owned(),
        Command::NewGame => format!("{}newgame", dialect.name()),
        Command::SetOption { name, value } => format!("setoption name {name} value {value}"),
        Command::Position { board: None, moves } => format!("position startpos moves {moves}"),
        Command::Position { board: Some(board), moves } => {
            format!("position fen {board} moves {moves}")
        }
        Command::Go(Ok(limits)) => format!("go {}", written_limits(limits)),
        Command::Go(Err(_)) => "go nodes".to_owned(),
        Command::Stop => "stop".to_owned(),
        Command::PonderHit => "ponderhit".to_owned(),
        Command::Query(Query::GameOver) => "query gameover".to_owned(),
        Command::Query(Query::FirstPlayersTurn) => "query p1turn".to_owned(),
        Command::Query(Query::Result) => "query result".to_owned(),
        Command::Quit => "quit".to_owned(),
    }
}

fn written_limits(limits: &Limits) -> String {
    let ms = |time: Duration| time.as_millis().to_string();
    let [white, black] = limits.remaining;
    let [white_more, black_more] = limits.increments;
    let values = [
        ("movetime", limits.move_time.map(ms)),
        ("nodes", limits.nodes.map(|nodes| nodes.to_string())),
        ("p1time", white.map(ms)),
        ("p2time", black.map(ms)),
        ("p1inc", Some(ms(white_more))),
        ("p2inc", Some(ms(black_more))),
        ("movestogo", limits.moves_to_go.map(|moves| moves.to_string())),
        ("infinite", limits.infinite.then(String::new)),
        ("ponder", limits.ponder.then(String::new)),
    ];
    let mut words = Vec::new();
    for (name, value) in values {
        words.extend(value.map(|value| format!("{name} {value}")));
    }
    words.join(" ")
}

/// A line of a match runner in UGI or UCI, and the board, moves and limits in it.
pub fn ugi_line(bytes: &[u8]) {
    let Ok(line) = str::from_utf8(bytes) else { return };
    for dialect in [Dialect::Ugi, Dialect::Uci] {
        runner_line(dialect, line);
    }
}

fn runner_line(dialect: Dialect, line: &str) {
    let Ok(Some(command)) = ugi::parse(dialect, line) else { return };
    let again = written(dialect, &command);
    if let Command::Go(Err(_)) = command {
        return;
    }
    let read = ugi::parse(dialect, &again);
    assert_eq!(read, Ok(Some(command.clone())), "{line:?} is written {again:?}");
    match command {
        Command::Position { board, moves } => {
            fn play(start: AnyGame, board: Option<&str>, moves: &str) {
                let position = start.begin(board);
                if let Ok(position) = position {
                    let _ = GameState::new(position).play_text(moves);
                }
            }
            play(AnyGame::from(Murus::start()), board, moves);
            play(AnyGame::from(Hadron::start(5, 5)), board, moves);
            play(AnyGame::from(Loa::start(Layout::Rows)), board, moves);
            play(AnyGame::from(Voidrider::start()), board, moves);
        }
        Command::Go(Ok(limits)) => {
            let received = Instant::now();
            for overhead in [Duration::ZERO, Duration::from_secs(5)] {
                let budget = limits.budget(received, Side::Black, 100, overhead);
                assert!(budget.deadline.is_none_or(|deadline| deadline >= received));
                let Budget { deadline, nodes, depth, .. } = budget;
                let endless = deadline.is_none() && nodes.is_none() && depth.is_none();
                assert!(!endless || limits.infinite, "a search ends, or can be stopped");
            }
        }
        _ => {}
    }
}

/// Text as a board of each game.
pub fn any_board(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    refused_or_usable(AnyGame::from(Murus::start()), text);
    refused_or_usable(AnyGame::from(Hadron::start(2, 3)), text);
    refused_or_usable(AnyGame::from(Hadron::start(9, 9)), text);
    refused_or_usable(AnyGame::from(Loa::start(Layout::Rows)), text);
    refused_or_usable(AnyGame::from(Voidrider::start()), text);
    refused_or_usable(chess(), text);
}

/// The start of chess, a variant by definition.
pub fn chess() -> AnyGame {
    AnyGame::named("variant:chess").expect("it is built in")
}

/// Text as a move of each game.
pub fn any_move(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    refused_or_legal(&AnyGame::from(Murus::start()), text);
    refused_or_legal(&AnyGame::from(Hadron::start(4, 5)), text);
    refused_or_legal(&AnyGame::from(Hadron::start(9, 9)), text);
    refused_or_legal(&AnyGame::from(Loa::start(Layout::Files)), text);
    refused_or_legal(&AnyGame::from(Voidrider::start()), text);
}

/// A text is refused as a board, or is a position that supports all operations.
pub fn refused_or_usable(start: AnyGame, text: &str) {
    let Ok(position) = start.parse_board(text) else { return };
    let written = position.to_string();
    assert_eq!(start.parse_board(&written), Ok(position), "{text}");
    let (mut list, mut next) = (MoveList::new(), MoveList::new());
    position.moves(&mut list);
    assert_eq!(list.len(), position.count_moves(), "{text}");
    let state = GameState::new(position);
    if state.ending().is_some() {
        return;
    }
    for &m in &list {
        let name = position.notation(m).to_string();
        assert_eq!(position.parse_move(&name), Ok(m), "{text}");
        let after = state.after(m);
        after.position.moves(&mut next);
        assert_eq!(next.len(), after.position.count_moves(), "{text} after {name}");
    }
}

/// A text is refused as a move, or it is the name of a legal move.
pub fn refused_or_legal(position: &AnyGame, text: &str) {
    if let Ok(m) = position.parse_move(text) {
        let name = position.notation(m).to_string();
        assert!(name.eq_ignore_ascii_case(text), "{text} is read as {name}");
    }
    // Also without a check of legality, a parsed move is written in the same form.
    if let Ok(m) = position.read_notation(text) {
        let name = position.notation(m).to_string();
        assert!(name.eq_ignore_ascii_case(text), "{text} is read as {name}");
    }
}

/// A file of recorded positions, of the game that the first byte says.
pub fn positions_file(bytes: &[u8]) {
    fn replay(start: AnyGame, text: &str) {
        let mut reported = 0;
        if let Ok(summary) = check(start, text, &mut |_| reported += 1) {
            assert_eq!(summary.mismatches, reported);
            assert!(summary.positions <= text.lines().count());
        }
    }
    let Some((game, text)) = bytes.split_first() else { return };
    let Ok(text) = str::from_utf8(text) else { return };
    match game % 4 {
        0 => replay(AnyGame::from(Murus::start()), text),
        1 => replay(AnyGame::from(Hadron::start(5, 5)), text),
        2 => replay(AnyGame::from(Loa::start(Layout::Rows)), text),
        _ => replay(AnyGame::from(Voidrider::start()), text),
    }
}

/// The values of arguments: sizes, games, parameters.
pub fn argument(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(size) = text.parse::<Size>() {
        assert_eq!(size.to_string().parse(), Ok(size), "{text}");
    }
    if let Ok(game) = text.parse::<GameSpec>() {
        assert_eq!(game.to_string().parse(), Ok(game), "{text}");
    }
    let mut set = Parameters::DEFAULT;
    if set.set(text).is_ok() {
        let mut again = Parameters { exploration: 2.5, ..Parameters::DEFAULT };
        for (name, value) in set.values() {
            again.set(&format!("{name}={value}")).expect("what is listed can be set");
        }
        assert_eq!(set, again, "{text}");
    }
}

/// A file of definitions of chess variants: refused with its line, or all of it can be played.
pub fn variants_file(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    match variant::read("file.ini", text) {
        Err(error) => {
            let lines = text.lines().count().max(1);
            let line =
                error.place.strip_prefix("file.ini:").and_then(|rest| rest.split(':').next());
            let line = line.and_then(|line| line.parse().ok());
            assert!(line.is_some_and(|line| (1..=lines).contains(&line)), "{error}");
        }
        Ok(all) => {
            for rules in all {
                let start = rules.start();
                assert_eq!(rules.position(&start.to_string()), Ok(start), "{text}");
            }
        }
    }
}

/// The variant of [`weights_file`]: a king on nine cells.
pub fn kings() -> &'static variant::Rules {
    static RULES: LazyLock<variant::Rules> = LazyLock::new(|| {
        let text = "[kings]\nking = k\nmaxRank = 3\nmaxFile = 3\ncastling = false\n\
                    startFen = k2/3/2K w - - 0 1\n";
        variant::read("kings.ini", text).expect("it can be played").remove(0)
    });
    &RULES
}

/// A file of weights of a variant: refused in one line, or written as it was read.
pub fn weights_file(bytes: &[u8]) {
    let file = WeightsFile::new("some.weights".to_owned(), bytes.to_vec());
    match variant::Learned::read(kings(), &file) {
        Err(error) => {
            let text = error.to_string();
            assert!(
                text.starts_with("some.weights: found ") && text.lines().count() == 1,
                "{text}"
            );
        }
        Ok(learned) => {
            let numbers = variant::numbers_of(kings(), &file).expect("the whole file was read");
            // The name in the file may be another one.
            let written = variant::weights_file(kings(), learned.base, numbers);
            assert!(written.ends_with(numbers) && numbers.len() < bytes.len());
        }
    }
}

/// A line of a referee's feed.
pub fn event_line(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(line) = text.parse::<FeedLine>() else { return };
    assert_eq!(FeedLine::number_in(text), Some(line.number), "{text:?}");
    let written = line.to_string();
    assert!(!written.contains(['\n', '\r']) || text.contains(['\n', '\r']), "{text:?}");
    if !is_line(bytes) {
        return;
    }
    let again: FeedLine = written.parse().expect("it was written so");
    // A time of centuries has no microseconds as a number with a fraction.
    const CENTURY: Duration = Duration::from_secs(100 * 366 * 86_400);
    match line.event {
        GameEvent::Moved { elapsed, .. } if elapsed > CENTURY => {}
        _ => assert_eq!(again, line, "{text:?}"),
    }
}
