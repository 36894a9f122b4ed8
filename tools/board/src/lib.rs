//! `alesia-lab board`: a page to watch, play and analyse games.
//!
//! The one idea: the server holds games and searches as `topic`s; a page listens to their events
//! and posts what its person does; the rules decide here and nowhere else. Everything is drawn from
//! text boards and moves in the games' own notations.
//!
#![doc = include_str!("interface.md")]

mod analysis;
mod attempts;
mod connections;
mod failure;
pub mod feed;
mod files;
mod guard;
mod guide;
pub mod hall;
mod hosted;
mod intake;
mod kept;
mod keys;
pub mod levels;
pub mod live;
mod mind;
mod page;
mod places;
mod play;
pub mod position;
mod qr;
mod seat;
mod secrets;
mod serve;
mod shape;
mod standings;
mod store;
mod stored;
mod table;
mod taken;
mod thoughts;
mod topic;
mod unsent;
mod variants;
mod watched;
mod writing;

use std::env;
use std::io::{Write, stderr, stdin};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use alesia::games::GameSpec;
use alesia::search::EngineKind;
use alesia::search::size::Size;
use alesia_match::players::GameLine;
use alesia_match::words::error::CommandError;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Extension, Json, Router, middleware};
use clap::Args;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use failure::{Body, Failure, Name};
use guard::Guard;
use hall::Hall;
use mind::Minds;
use store::Store;

/// The port of the page where none is given.
const DEFAULT_PORT: u16 = 8910;

/// The environment variable with the token.
const TOKEN_VARIABLE: &str = "ALESIA_TOKEN";

/// The arguments of `alesia-lab board`.
#[derive(Args)]
#[command(after_help = alesia::net::feed::FORMAT)]
pub struct Board {
    /// Port of the page; 0: any free port [default: 8910, else any free port].
    #[arg(short, long, value_name = "PORT", help_heading = "Network")]
    port: Option<u16>,
    /// Address to listen on; if it is not loopback, browsers must send the printed token.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST),
          help_heading = "Network")]
    bind: IpAddr,
    /// Token that a browser must send [default: a new one, if --bind is not loopback]. Other users
    /// of this machine can see it in the list of processes: --token-file or the environment
    /// variable ALESIA_TOKEN hide it from them.
    #[arg(long, value_name = "TOKEN", value_parser = guard::token, help_heading = "Network")]
    token: Option<String>,
    /// File whose only line is the token.
    #[arg(long, value_name = "FILE", conflicts_with = "token", help_heading = "Network")]
    token_file: Option<PathBuf>,
    /// Path below which a proxy shows the page, such as /alesia.
    #[arg(long, value_name = "PATH", value_parser = guard::base, default_value = "/",
          help_heading = "Network")]
    base: String,
    /// Folder that keeps the games, so that they outlive a restart [default: none].
    #[arg(long, value_name = "DIR", conflicts_with = "feed")]
    data: Option<PathBuf>,
    /// Memory of each engine that plays; an analysis uses twice as much.
    #[arg(long, value_name = "SIZE", default_value = mind::USUAL_MEMORY, help_heading = "Engine")]
    memory: Size,
    /// Shows the games that a referee reports on standard input (see below).
    #[arg(long, help_heading = "Feed")]
    feed: bool,
    /// Seconds that the page stays after the end of the feed while nobody has it open.
    #[arg(long, value_name = "S", default_value_t = 60, requires = "feed", help_heading = "Feed")]
    linger: u64,
}

impl Board {
    pub fn run(&self) -> Result<(), CommandError> {
        alesia_match::words::logging::start(None)?;
        let server = Server::open(self.bind, self.port, self.token()?)?.below(&self.base);
        let hall = Arc::new(Hall::with_engines(Minds::new(self.memory)));
        if let Some(folder) = &self.data {
            let opened = Store::open(folder, &hall.variants);
            let (store, kept) = opened.map_err(|error| {
                CommandError::Failed(format!("--data {}: {error}", folder.display()))
            })?;
            hall.keep_in(store, kept)?;
        }
        if !self.feed {
            println!("{}", server.line());
            return server.serve(&hall);
        }
        // Standard output is the referee's.
        let _ = writeln!(stderr(), "{}", server.line());
        server.in_background(&hall);
        feed::follow(&hall, stdin().lock());
        hall.stay(Duration::from_secs(self.linger), None);
        Ok(())
    }

    /// The token that was chosen: by an option, or else by the environment.
    fn token(&self) -> Result<Option<String>, CommandError> {
        if self.token.is_some() {
            return Ok(self.token.clone());
        }
        if let Some(file) = &self.token_file {
            let place = format!("--token-file: {}", file.display());
            return guard::token_in(file)
                .map(Some)
                .map_err(|error| CommandError::Usage(format!("{place}: {error}")));
        }
        let Some(chosen) = env::var_os(TOKEN_VARIABLE).filter(|chosen| !chosen.is_empty()) else {
            return Ok(None);
        };
        let token = guard::token(&chosen.to_string_lossy());
        token.map(Some).map_err(|error| CommandError::Usage(format!("{TOKEN_VARIABLE}: {error}")))
    }
}

/// A port that is taken for the page.
pub struct Server {
    listener: std::net::TcpListener,
    guard: Guard,
}

impl Server {
    /// Binds a port: the one given, or else the usual one or any free port.
    ///
    /// # Errors
    /// The port cannot be used.
    pub fn open(
        ip: IpAddr,
        port: Option<u16>,
        token: Option<String>,
    ) -> Result<Server, CommandError> {
        let bind = |port| std::net::TcpListener::bind((ip, port));
        let usual = || bind(DEFAULT_PORT).or_else(|_| bind(0));
        let opened = port.map_or_else(usual, bind).and_then(|listener| {
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        });
        let (listener, address) = opened.map_err(|error| {
            let address = SocketAddr::new(ip, port.unwrap_or(DEFAULT_PORT));
            CommandError::Failed(format!("listening on {address}: {error}"))
        })?;
        let token = token.or((!ip.is_loopback()).then(secrets::secret));
        Ok(Server { listener, guard: Guard::new(address, token) })
    }

    /// The same below a path.
    #[must_use]
    pub fn below(self, base: &str) -> Server {
        Server { guard: self.guard.below(base), ..self }
    }

    /// The line that says where the page is.
    pub fn line(&self) -> String {
        format!("the page: {}", self.guard.link())
    }

    /// Serves the page for ever.
    ///
    /// # Errors
    /// The system refuses a thread or a socket.
    pub fn serve(self, hall: &Arc<Hall>) -> Result<(), CommandError> {
        let line = self.line();
        let failed = |error| CommandError::Failed(format!("{line}: {error}"));
        let (listener, guard) = (self.listener, Arc::new(self.guard));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let serving = runtime.map(|runtime| {
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener)?;
                let keeper = hall.clone();
                tokio::spawn(async move { keeper.keep().await });
                let check = middleware::from_fn_with_state(guard.clone(), guard::check);
                // The guard has read everything already, and no more than it allows.
                let unlimited = DefaultBodyLimit::disable();
                let router = routes().layer(unlimited).layer(Extension(guard.clone())).layer(check);
                let router = router.with_state(hall.clone());
                match serve::serve(listener, router, guard.base()).await {}
            })
        });
        serving.flatten().map_err(failed)
    }

    /// The same in the background, until the process ends.
    pub fn in_background(self, hall: &Arc<Hall>) {
        let hall = hall.clone();
        thread::spawn(move || {
            if let Err(error) = self.serve(&hall) {
                log::error!("{error}");
            }
        });
    }
}

/// Everything that can be asked; the state is the hall.
fn routes() -> Router<Arc<Hall>> {
    Router::new()
        .route("/api/lobby/events", get(lobby_events))
        .route("/api/games/{id}/events", get(game_events))
        .route("/api/games/{id}/record", get(taken::record))
        .route("/api/rules", get(all_rules))
        .route("/api/rules/{id}", get(rules))
        .route("/api/variants", post(variants::variants))
        .route("/api/positions", post(positions))
        .route("/api/guide/{id}", get(guide::guide))
        .route("/api/qr", get(qr::code))
        .merge(play::routes())
        .merge(analysis::routes())
        .route("/api/standings/events", get(standings_events))
        .merge(thoughts::routes())
        .merge(page::routes())
        .method_not_allowed_fallback(page::unsuited)
}

async fn lobby_events(State(hall): State<Arc<Hall>>) -> impl IntoResponse {
    hall.lobby().listen()
}

async fn standings_events(State(hall): State<Arc<Hall>>) -> Result<impl IntoResponse, Failure> {
    match hall.standings().state().are_known() {
        true => Ok(hall.standings().listen()),
        false => Err(Failure::unknown("this server has no tournament")),
    }
}

async fn game_events(
    State(hall): State<Arc<Hall>>,
    Name(id): Name,
) -> Result<impl IntoResponse, Failure> {
    let table = hall.find(&id)?;
    play::watched(&hall, &table).await;
    Ok(table.listen())
}

/// What the page asks once.
#[derive(Serialize)]
struct Known {
    games: Vec<position::Rules>,
    /// The built-in chess variants.
    variants: Vec<position::Rules>,
    engines: [&'static str; 3],
    /// The levels below full strength, the weakest first.
    levels: [&'static str; levels::LEVELS.len()],
    cores: usize,
    /// For links that others can follow.
    token: Option<String>,
    /// The begin of such a link; none where the page listens on loopback.
    reachable: Option<String>,
    /// The address of this machine's page, if it listened to others too.
    elsewhere: Option<String>,
}

async fn all_rules(Extension(guard): Extension<Arc<Guard>>) -> Json<Known> {
    Json(Known {
        games: GameSpec::without_alternatives(GameSpec::setups())
            .into_iter()
            .map(position::rules)
            .collect(),
        variants: GameSpec::variants().map(position::rules).collect(),
        engines: EngineKind::ALL.map(EngineKind::name),
        levels: levels::LEVELS.each_ref().map(|level| level.name),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        token: guard.token().map(str::to_owned),
        reachable: guard.reachable(),
        elsewhere: guard.elsewhere(),
    })
}

async fn rules(Name(id): Name) -> Result<Json<position::Rules>, Failure> {
    Ok(Json(position::rules(id.parse()?)))
}

/// A game up to some move, in the form of a request.
#[derive(Debug, Deserialize)]
pub struct GameText {
    /// As on the command line.
    game: String,
    /// The text board it begins with.
    board: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
}

impl GameText {
    /// The game that is meant and its line.
    pub fn read(self) -> Result<(GameSpec, GameLine), Failure> {
        Ok((self.game.parse()?, GameLine { board: self.board, moves: self.moves }))
    }
}

async fn positions(Body(text): Body<GameText>) -> Result<Json<position::Shown>, Failure> {
    let (game, line) = text.read()?;
    Ok(Json(position::show(game, &line)?))
}
