//! `alesia-lab board`: a page to watch, play and analyse games.
//!
//! The one idea: the server holds games and searches as [`topic`]s; a page listens to their events and
//! posts what its person does; the rules decide here and nowhere else. Everything is drawn from text
//! boards and moves in the games' own notations.

mod analysis;
mod failure;
mod guard;
mod hall;
mod mind;
mod page;
mod play;
mod position;
mod shape;
mod table;
mod topic;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use alesia::games::GameSpec;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use clap::Args;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use crate::CommandError;
use crate::matches::players::Line;
use failure::{Body, Failure};
use guard::Guard;
use hall::Hall;

/// The port of the page where none is given.
const DEFAULT_PORT: u16 = 8910;

/// The arguments of `alesia-lab board`.
#[derive(Args)]
pub struct Board {
    /// The port of the page; 0 for any free one.
    #[arg(short, long, value_name = "PORT", default_value_t = DEFAULT_PORT)]
    port: u16,
    /// The address to listen on; any but a loopback one needs the token that is printed.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// The token that a browser must know [default: a new one, where --bind is not loopback].
    #[arg(long, value_name = "TOKEN", value_parser = guard::token)]
    token: Option<String>,
}

impl Board {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        crate::start_log(None)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.serve())
    }

    async fn serve(&self) -> Result<(), CommandError> {
        let address = SocketAddr::new(self.bind, self.port);
        let failed = |error| CommandError::Failed(format!("listening on {address}: {error}"));
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let token = self.token.clone().or((!address.ip().is_loopback()).then(guard::secret));
        let guard = Arc::new(Guard::new(address, token));
        println!("the page: {}", guard.link());
        let hall = Arc::new(Hall::new());
        let keeper = hall.clone();
        tokio::spawn(async move { keeper.keep().await });
        let router = routes().layer(middleware::from_fn_with_state(guard, guard::check));
        axum::serve(listener, router.with_state(hall)).await.map_err(failed)
    }
}

/// Everything that can be asked; the state is the hall.
fn routes() -> Router<Arc<Hall>> {
    Router::new()
        .route("/api/lobby/events", get(lobby_events))
        .route("/api/games/{id}/events", get(game_events))
        .route("/api/rules", get(all_rules))
        .route("/api/rules/{id}", get(rules))
        .route("/api/positions", post(positions))
        .merge(play::routes())
        .merge(analysis::routes())
        .merge(page::routes())
}

async fn lobby_events(State(hall): State<Arc<Hall>>) -> impl IntoResponse {
    hall.lobby().listen()
}

async fn game_events(
    State(hall): State<Arc<Hall>>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Failure> {
    Ok(hall.find(&id)?.listen())
}

/// What the page asks once.
#[derive(Serialize)]
struct Known {
    games: Vec<position::Rules>,
    engines: [&'static str; 3],
    cores: usize,
}

async fn all_rules() -> Json<Known> {
    let games = position::OFFERED.iter().filter_map(|name| name.parse().ok());
    Json(Known {
        games: games.map(position::rules).collect(),
        engines: ["mcts", "alphabeta", "random"],
        cores: std::thread::available_parallelism().map_or(1, usize::from),
    })
}

async fn rules(Path(id): Path<String>) -> Result<Json<position::Rules>, Failure> {
    Ok(Json(position::rules(id.parse()?)))
}

/// A game up to some move, as a request has it.
#[derive(Debug, Deserialize)]
pub struct GameText {
    /// As on the command line.
    game: String,
    /// The text board it begins with.
    board: Option<String>,
    /// Its moves.
    #[serde(default)]
    moves: Vec<String>,
}

impl GameText {
    /// The game that is meant and its line.
    pub fn read(self) -> Result<(GameSpec, Line), Failure> {
        Ok((self.game.parse()?, Line { board: self.board, moves: self.moves }))
    }
}

async fn positions(Body(text): Body<GameText>) -> Result<Json<position::Shown>, Failure> {
    let (game, line) = text.read()?;
    Ok(Json(position::show(game, &line)?))
}
