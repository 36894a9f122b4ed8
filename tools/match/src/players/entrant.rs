//! Who plays in a match: the keys of `-engine` and `-each`.

use std::collections::HashSet;
use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use alesia::eval::weights_file::WeightsFile;
use alesia::game::{ParseError, alternatives, counted, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::net::referee::Wire;
use alesia::search::size::Size;
use alesia::search::{EngineKind, EngineOptions};
use alesia::ugi::Dialect;
use alesia_plain::alphabeta;

use super::guest::Guest;
use super::limit::{self, Limit};
use crate::words::grammar::{Group, number};

/// Default bytes for each engine.
const MEMORY: usize = 64 << 20;

/// What engines of this process and pipes may need more than their time, by default: a
/// busy machine wakes a thread so late.
const MARGIN: Duration = Duration::from_millis(100);

/// The values of `proto`.
const PROTOCOLS: [&str; 5] = ["internal", "ugi", "uci", "tcp", "relay"];

/// Max milliseconds of `timemargin`.
const MAX_MARGIN: u64 = 3_600_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub path: PathBuf,
    pub arguments: Vec<String>,
    /// Where; none: here.
    pub directory: Option<PathBuf>,
    /// Options by name, in order.
    pub options: Vec<(String, String)>,
    /// Whether it runs in a session of its own, as if from another terminal, where the system has
    /// sessions.
    pub apart: bool,
}

impl Program {
    /// The value of an option that the user has set.
    pub fn option(&self, name: &str) -> Option<&str> {
        let set = self.options.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        set.map(|(_, value)| value.as_str())
    }

    /// Checks that there is such a file where the system looks for it.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), &'static str> {
        // Elsewhere a name may lack its extension.
        if !cfg!(unix) {
            return Ok(());
        }
        if self.path.components().count() > 1 {
            let here = self.directory.as_deref().unwrap_or(Path::new(""));
            return match here.join(&self.path).is_file() {
                true => Ok(()),
                false => Err("found no such file, expected a program (as seen from this folder, \
                              or from dir=FOLDER)"),
            };
        }
        let folders = env::var_os("PATH").unwrap_or_default();
        match env::split_paths(&folders).any(|folder| folder.join(&self.path).is_file()) {
            true => Ok(()),
            false => Err("found no such program in PATH, expected one, or a path such as ./NAME"),
        }
    }
}

/// How a player is spoken to.
#[derive(Clone, Debug)]
pub enum Protocol {
    /// An engine in this process.
    Internal {
        kind: EngineKind,
        /// The options that it is built with.
        options: EngineOptions,
    },
    /// The textbook player of `tools/plain` in this process, with a table of `memory` bytes.
    Plain { memory: usize },
    /// A program over pipes, in the interface that the user has named or else in the one that it
    /// answers.
    Pipes(Program, Option<Dialect>),
    /// A program that joins a tournament server and plays one game.
    Tcp(Program),
    /// A program that plays one game by the relay protocol: as White, and as Black.
    Relay(Box<[Program; 2]>),
    /// A player that comes by itself.
    Guest(Guest),
}

impl Protocol {
    /// Whether it plays through the referee of match day.
    pub fn is_client(&self) -> bool {
        matches!(self, Protocol::Tcp(_) | Protocol::Relay(_) | Protocol::Guest(_))
    }

    /// The player that comes by itself, if it is one.
    pub fn guest(&self) -> Option<&Guest> {
        match self {
            Protocol::Guest(guest) => Some(guest),
            _ => None,
        }
    }

    /// Its program, if it has one.
    pub fn program(&self) -> Option<&Program> {
        match self {
            Protocol::Pipes(program, _) | Protocol::Tcp(program) => Some(program),
            Protocol::Relay(programs) => Some(&programs[0]),
            Protocol::Internal { .. } | Protocol::Plain { .. } | Protocol::Guest(_) => None,
        }
    }
}

/// One of the players.
#[derive(Clone, Debug)]
pub struct Entrant {
    pub name: String,
    pub protocol: Protocol,
    pub limit: Limit,
    /// What it may need more before it is late.
    pub margin: Duration,
    /// Whether a program is started again for every game.
    pub restart: bool,
}

/// A key with its value, and where it stands.
struct Setting<'a> {
    place: String,
    key: &'a str,
    value: &'a str,
    /// Whether it stands with the player itself.
    is_own: bool,
}

impl Setting<'_> {
    fn error(&self, expected: impl Into<String>) -> ParseError {
        ParseError::new(&self.place, quoted(self.value), expected)
    }

    fn margin(&self) -> Result<Duration, ParseError> {
        number(&self.place, self.value, 0..=MAX_MARGIN).map(Duration::from_millis)
    }

    /// Checks what stands for every player, also where a player's own word counts.
    fn check(&self) -> Result<(), ParseError> {
        match self.key {
            key if Limit::KEYS.contains(&key) => {
                Limit::read(&self.place, key, self.value).map(drop)
            }
            "timemargin" => self.margin().map(drop),
            "restart" if !matches!(self.value, "on" | "off") => Err(self.error("on or off")),
            "proto" if !PROTOCOLS.contains(&self.value) => {
                Err(self.error(alternatives(&PROTOCOLS)))
            }
            _ => Ok(()),
        }
    }
}

impl Entrant {
    /// Reads the keys of an `-engine` and, for what it does not say, of `-each`.
    ///
    /// # Errors
    /// A key or a value that cannot be, no name, no limit, or more trees than threads.
    pub fn read(own: &Group, each: Option<&Group>, game: GameSpec) -> Result<Entrant, ParseError> {
        let settings = settings(own, each)?;
        let last = |key: &str| settings.iter().rev().find(|setting| setting.key == key);
        let text = |key: &str| last(key).map(|setting| setting.value.to_owned());
        let by_program = || {
            let program = last("cmd").filter(|_| last("name").is_none())?;
            Some(Path::new(program.value).file_stem()?.to_string_lossy().into_owned())
        };
        let name = text("name").or_else(by_program).filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| ParseError::new(&own.place, "no name", "name=NAME"))?;
        if name.chars().any(char::is_control) {
            return Err(ParseError::new(&own.place, quoted(&name), "a name on one line"));
        }
        let place = format!("-engine {name}");

        let of_limit = settings.iter().rev().find(|setting| Limit::KEYS.contains(&setting.key));
        let no_limit = || ParseError::new(&place, "no limit", limit::FORMS);
        let limit = of_limit.ok_or_else(no_limit)?;
        let limit = Limit::read(&limit.place, limit.key, limit.value)?;

        let program = match last("cmd") {
            Some(cmd) => Some(program(cmd, &settings, text("dir"))?),
            None => None,
        };
        let proto = last("proto").map(|proto| (proto, proto.value));
        let is_guest = settings.iter().any(|s| s.is_own && Guest::KEYS.contains(&s.key));
        let protocol = match (proto, program) {
            (_, None) if is_guest => guest(&name, &settings, game, &place)?,
            (_, Some(_)) if is_guest => {
                let expected = "none beside port or from, as the player comes by itself";
                return Err(ParseError::new(place, "cmd", expected));
            }
            (None | Some((_, "internal")), None) => internal(&settings, game, &place)?,
            (None, Some(program)) => Protocol::Pipes(program, None),
            (Some((_, "ugi")), Some(program)) => Protocol::Pipes(program, Some(Dialect::Ugi)),
            // Servers name UCI for every program; in other games the program says what it speaks.
            (Some((_, "uci")), Some(program)) => {
                let is_chess = matches!(game, GameSpec::Variant(_));
                Protocol::Pipes(program, is_chess.then_some(Dialect::Uci))
            }
            (Some((_, "tcp")), Some(program)) => {
                check_no_options(&program, &place)?;
                Protocol::Tcp(program)
            }
            (Some((_, "relay")), Some(program)) => relay(program, &settings, game, &place)?,
            (Some((_, "ugi" | "uci" | "tcp" | "relay")), None) => {
                return Err(ParseError::new(place, "no program", "cmd=PROGRAM"));
            }
            (Some((proto, "internal")), Some(_)) => {
                return Err(proto.error("ugi, uci, tcp or relay where there is cmd=PROGRAM"));
            }
            (Some((proto, _)), _) => return Err(proto.error(alternatives(&PROTOCOLS))),
        };
        let of_side = |s: &&Setting| s.is_own && matches!(s.key, "white" | "black");
        if let Some(setting) = settings.iter().find(of_side)
            && !matches!(protocol, Protocol::Relay(_))
        {
            return Err(setting.error("proto=relay beside it, and cmd=PROGRAM"));
        }
        let margin = match last("timemargin") {
            Some(setting) => setting.margin()?,
            // A client of the referee keeps back a margin of its own, as on match day.
            None if protocol.is_client() => Duration::ZERO,
            None => MARGIN,
        };
        let restart = last("restart").is_some_and(|restart| restart.value == "on");
        Ok(Entrant { name, protocol, limit, margin, restart })
    }
}

impl Entrant {
    /// What its random choices follow from.
    pub fn seed(&self) -> u64 {
        match &self.protocol {
            Protocol::Internal { options, .. } => options.seed,
            _ => 0,
        }
    }
}

/// What `-each` and then the engine itself say.
fn settings<'a>(own: &Group<'a>, each: Option<&Group<'a>>) -> Result<Vec<Setting<'a>>, ParseError> {
    const KEYS: [&str; 18] = [
        "name",
        "cmd",
        "args",
        "dir",
        "proto",
        "timemargin",
        "restart",
        "nodes",
        "depth",
        "st",
        "tc",
        "white",
        "black",
        "port",
        "from",
        "listens",
        "wait",
        "warmup",
    ];
    let mut settings = Vec::new();
    for (group, is_own) in each.map(|each| (each, false)).into_iter().chain([(own, true)]) {
        let pairs = group.pairs()?;
        if pairs.iter().filter(|(key, _)| Limit::KEYS.contains(key)).count() > 1 {
            let expected = format!("one of {}", limit::FORMS);
            return Err(ParseError::new(&group.place, "several limits", expected));
        }
        for (key, value) in pairs {
            let known = if is_own { &KEYS[..] } else { &KEYS[1..] };
            if !known.contains(&key) && !key.starts_with("option.") {
                let found = quoted(&format!("{key}={value}"));
                let expected = format!("{} or option.NAME", known.join(", "));
                return Err(ParseError::new(&group.place, found, expected));
            }
            let place = format!("{}, {key}", group.place);
            let setting = Setting { place, key, value, is_own };
            setting.check()?;
            settings.push(setting);
        }
    }
    Ok(settings)
}

/// The options among the settings, by their names.
fn options<'a, 'b>(
    settings: &'a [Setting<'b>],
) -> impl Iterator<Item = (&'b str, &'a Setting<'b>)> {
    settings.iter().filter_map(|setting| Some((setting.key.strip_prefix("option.")?, setting)))
}

fn program(
    cmd: &Setting,
    settings: &[Setting],
    directory: Option<String>,
) -> Result<Program, ParseError> {
    if cmd.value.is_empty() {
        return Err(cmd.error("a program"));
    }
    let arguments = words_of(settings, "args")?.unwrap_or_default();
    // The last word on each option counts.
    let mut names = HashSet::new();
    let named = options(settings).collect::<Vec<_>>().into_iter().rev();
    let last = named.filter(|(name, _)| names.insert(name.to_ascii_lowercase()));
    let mut chosen: Vec<(String, String)> =
        last.map(|(name, setting)| (name.to_owned(), setting.value.to_owned())).collect();
    chosen.reverse();
    let directory = directory.map(PathBuf::from);
    let path = PathBuf::from(cmd.value);
    Ok(Program { path, arguments, directory, options: chosen, apart: false })
}

/// The words of a key that has arguments of a program.
fn words_of(settings: &[Setting], key: &str) -> Result<Option<Vec<String>>, ParseError> {
    let last = settings.iter().rev().find(|setting| setting.key == key);
    let split = |setting: &Setting| {
        shlex::split(setting.value)
            .ok_or_else(|| setting.error("words, with quotes that are closed"))
    };
    last.map(split).transpose()
}

/// A program that plays by the relay protocol: as White it listens, as Black it connects.
fn relay(
    program: Program,
    settings: &[Setting],
    game: GameSpec,
    place: &str,
) -> Result<Protocol, ParseError> {
    check_relay(game, place)?;
    check_no_options(&program, place)?;
    let of_side = |key: &str| {
        let arguments = words_of(settings, key)?.unwrap_or(program.arguments.clone());
        if !arguments.iter().any(|argument| argument.contains("{port}")) {
            let expected = "the arguments of that side with {port} in them (proto=relay)";
            return Err(ParseError::new(format!("{place}, {key}"), "no {port}", expected));
        }
        Ok(Program { arguments, ..program.clone() })
    };
    Ok(Protocol::Relay(Box::new([of_side("white")?, of_side("black")?])))
}

/// The relay protocol has the moves of Lines of Action alone.
fn check_relay(game: GameSpec, place: &str) -> Result<(), ParseError> {
    match game {
        GameSpec::Loa(_) => Ok(()),
        other => {
            let found = format!("proto=relay in {other}");
            Err(ParseError::new(place, found, "loa or loa:files, for which that protocol is"))
        }
    }
}

/// A player that comes by itself.
fn guest(
    name: &str,
    settings: &[Setting],
    game: GameSpec,
    place: &str,
) -> Result<Protocol, ParseError> {
    let last = |key: &str| settings.iter().rev().find(|setting| setting.key == key);
    let wire = match last("proto").map(|proto| proto.value) {
        None | Some("tcp") => Wire::Tournament,
        Some("relay") => Wire::Relay,
        Some(other) => {
            let expected = "tcp or relay for a player that comes by itself";
            return Err(ParseError::new(place, quoted(other), expected));
        }
    };
    if wire == Wire::Relay {
        check_relay(game, place)?;
    }
    let own = |s: &&Setting| {
        s.is_own && (s.key.starts_with("option.") || ["args", "dir", "restart"].contains(&s.key))
    };
    if let Some(setting) = settings.iter().find(own) {
        return Err(setting.error("cmd=PROGRAM beside it"));
    }
    let value = |key: &str| last(key).map(|setting| (setting.place.as_str(), setting.value));
    Guest::read(name, place, wire, value).map(Protocol::Guest)
}

/// The protocols of the courses have no words for options.
fn check_no_options(program: &Program, place: &str) -> Result<(), ParseError> {
    match program.options.first() {
        None => Ok(()),
        Some((name, _)) => {
            let expected = "no options with proto=tcp or proto=relay, but args=\"…\"";
            Err(ParseError::new(place, quoted(&format!("option.{name}")), expected))
        }
    }
}

/// An engine of this process.
fn internal(settings: &[Setting], game: GameSpec, outer: &str) -> Result<Protocol, ParseError> {
    for key in ["args", "dir"] {
        if let Some(setting) = settings.iter().find(|setting| setting.key == key) {
            return Err(setting.error("cmd=PROGRAM beside it"));
        }
    }
    // First, as what else there is depends on it; none: the plain player.
    let mut kind = Some(EngineKind::MonteCarlo);
    for (_, Setting { place, value, .. }) in options(settings).filter(|(name, _)| *name == "engine")
    {
        kind = engine(place, value)?;
    }
    let own = match kind {
        Some(_) => &OF_ENGINES[..],
        None => &OF_PLAIN[..],
    };
    if kind.is_none() && !alphabeta::plays(AnyGame::start(game).name(), &game.setup()) {
        let expected = "another engine, as it plays only the four games, by their usual rules";
        return Err(ParseError::new(outer, quoted("option.engine=plain"), expected));
    }
    let mut chosen = EngineOptions { memory: MEMORY, ..Default::default() };
    let mut parameters = AnyGame::start(game).tuning();
    for (name, setting) in options(settings) {
        let Setting { place, value, .. } = setting;
        match name {
            "engine" => {}
            _ if kind != Some(EngineKind::MonteCarlo) && setting.is_own && !own.contains(&name) => {
                let expected = match kind {
                    Some(_) => "none with this engine, as it is one of the tree search",
                    None => "none with this engine, which has only memory",
                };
                return Err(ParseError::new(place, quoted(value), expected));
            }
            "threads" => chosen.threads = number(place, value, 1..=1024)? as usize,
            "trees" => chosen.trees = number(place, value, 1..=1024)? as usize,
            "memory" => {
                let size = value.parse::<Size>();
                chosen.memory = size.map_err(|e| ParseError { place: place.clone(), ..e })?.bytes();
            }
            "seed" => chosen.seed = number(place, value, 0..=u64::MAX)?,
            "weights" => {
                let file = WeightsFile::open(Path::new(value));
                let file = file.map_err(|error| error.within(place))?;
                AnyGame::start(game)
                    .with_weights(file)
                    .map(drop)
                    .map_err(|error| error.within(place))?;
                chosen.weights = Some(file);
            }
            _ => parameters
                .set(&format!("{name}={value}"))
                .map_err(|error| of_option(error, place))?,
        }
    }
    chosen.parameters = Some(parameters);
    if chosen.trees > chosen.threads {
        let EngineOptions { threads, trees, .. } = chosen;
        let found = format!("{trees} trees on {}", counted(threads, "thread"));
        return Err(ParseError::new(outer, found, "at most a tree for each thread"));
    }
    Ok(match kind {
        Some(kind) => Protocol::Internal { kind, options: chosen },
        None => Protocol::Plain { memory: chosen.memory },
    })
}

/// The options of every engine; random ignores them, as it does the time.
const OF_ENGINES: [&str; 4] = ["threads", "memory", "seed", "weights"];
/// Those of the plain player.
const OF_PLAIN: [&str; 1] = ["memory"];
/// Its name among the engines.
const PLAIN: &str = "plain";

/// The engine of a name; none: the plain player.
fn engine(place: &str, name: &str) -> Result<Option<EngineKind>, ParseError> {
    match EngineKind::ALL.into_iter().find(|kind| kind.name() == name) {
        Some(kind) => Ok(Some(kind)),
        None if name == PLAIN => Ok(None),
        None => {
            let names = EngineKind::ALL.map(EngineKind::name);
            let names: Vec<&str> = names.into_iter().chain([PLAIN]).collect();
            Err(ParseError::new(place, quoted(name), alternatives(&names)))
        }
    }
}

/// The error of a parameter, at the place of its setting, and the other options listed where there
/// is no such parameter.
fn of_option(error: ParseError, place: &str) -> ParseError {
    if error.place == "parameter" {
        let expected = format!("engine, threads, trees, memory, seed, weights, {}", error.expected);
        return ParseError::new(place, error.found, expected);
    }
    ParseError { place: place.to_owned(), ..error }
}
