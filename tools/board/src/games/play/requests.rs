//! What people do at the games of the page.

use std::sync::Arc;
use std::time::{Duration, Instant};

use alesia::game::{Outcome, Side};
use alesia::search::EngineKind;
use alesia::search::clock::Budget;
use alesia_answers::report_view::Colour;
use axum::extract::State;
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::{Value, json};

use super::act::{Act, current, local_players, not_over, seat, to_move};
use super::engine;
use super::seats::{self, Wish};
use crate::door::failure::{Body, Failure, Name, aside};
use crate::door::places::Visitor;
use crate::door::secrets::secret;
use crate::games::game_seat::Sitter;
use crate::games::game_table::{GameTable, Source};
use crate::games::hall::Hall;
use crate::games::keys::Keys;
use crate::games::local_players::LocalPlayers;
use crate::games::time_bank::TimeBank;
use crate::page::topic::{News, Topic};
use alesia_answers::game_text::GameText;

/// How long a hint is thought of.
const HINT_TIME: Duration = Duration::from_secs(1);

type Answer = Result<Json<Value>, Failure>;

#[derive(Deserialize)]
pub struct Wanted {
    #[serde(flatten)]
    text: GameText,
    white: Wish,
    black: Wish,
    /// For two people.
    clock: Option<TimeBank>,
}

/// Sets up a game.
pub async fn create(
    State(hall): State<Arc<Hall>>,
    Extension(visitor): Extension<Visitor>,
    Body(wanted): Body<Wanted>,
) -> Answer {
    aside(move || set_up(&hall, visitor, wanted)).await
}

fn set_up(hall: &Arc<Hall>, visitor: Visitor, wanted: Wanted) -> Answer {
    let Wanted { text, white, black, clock } = wanted;
    let (game, line) = text.read()?;
    let seats = [white.seat(Side::White)?, black.seat(Side::Black)?];
    let bank = clock.map(TimeBank::checked).transpose()?;
    if bank.is_some() && seats.iter().any(|seat| seat.kind == Sitter::Engine) {
        return Err(Failure::unreadable("clock: found an engine, expected two people"));
    }
    let keys = Keys::new([white.is_own(), black.is_own()]);
    let tokens = [Side::White, Side::Black].into_iter().filter_map(|side| {
        let name = if side == Side::White { "white" } else { "black" };
        Some((name.to_owned(), keys.of(side)?.into()))
    });
    let tokens: serde_json::Map<String, Value> = tokens.collect();
    let table = hall.add_of(Some(visitor), |id| {
        let mut table = GameTable::new(id, game, Source::Board, String::new(), seats, line)?;
        not_over(&table)?;
        table.bank = bank;
        table.local_players = Some(LocalPlayers { keys, ..LocalPlayers::default() });
        Ok::<_, Failure>(table)
    })?;
    let id = table.state().id.clone();
    let waits = table.state().open().next().is_some();
    if !waits {
        if let Err(failure) = engine::start(hall, &table) {
            hall.remove(&table);
            return Err(failure);
        }
        begin(hall, &table, |_| Ok(()))?;
    }
    Ok(Json(json!({ "id": id, "tokens": tokens })))
}

/// Changes a game before its start; it starts when both seats are taken.
fn begin(
    hall: &Hall,
    table: &Topic<GameTable>,
    change: impl FnOnce(&mut GameTable) -> Result<(), Failure>,
) -> Result<(), Failure> {
    hall.change(table, |table| {
        change(table)?;
        let waits = table.open().next().is_some();
        let news = if waits { table.news(table.length()) } else { table.begin() };
        local_players(table)?.wake();
        Ok(news)
    })
}

/// A person takes an open seat.
#[derive(Deserialize)]
pub struct Join {
    side: Option<Colour>,
    name: Option<String>,
}

pub async fn join(State(hall): State<Arc<Hall>>, Name(id): Name, Body(join): Body<Join>) -> Answer {
    let table = hall.find(&id)?;
    let free = |table: &mut GameTable| {
        local_players(table)?;
        let mut open = table.open();
        let found = match join.side.map(Side::from) {
            Some(side) => open.find(|&free| free == side),
            None => open.next(),
        };
        let side = found.ok_or_else(|| Failure::stale("this seat is already taken"))?;
        Ok::<_, Failure>((side, seats::person(join.name.as_deref(), side)?))
    };
    free(&mut table.state())?;
    engine::ready(&hall, &table).await?;
    let mut answer = Value::Null;
    begin(&hall, &table, |table| {
        let (side, seat) = free(table)?;
        let token = secret();
        table.seat(side, seat, token.clone())?;
        answer = json!({ "side": Colour::from(side), "token": token });
        Ok(())
    })?;
    Ok(Json(answer))
}

#[derive(Deserialize)]
pub struct Step {
    #[serde(flatten)]
    act: Act,
    #[serde(rename = "move")]
    text: String,
}

pub async fn play(State(hall): State<Arc<Hall>>, Name(id): Name, Body(step): Body<Step>) -> Answer {
    let table = hall.find(&id)?;
    to_move(&mut table.state(), &step.act)?;
    engine::ready(&hall, &table).await?;
    hall.change(&table, |table| {
        to_move(table, &step.act)?;
        if let Some(news) = table.drop_flag()? {
            return Ok(news);
        }
        let news = table.play(&step.text, None, None)?;
        local_players(table)?.wake();
        Ok::<_, Failure>(news)
    })?;
    Ok(Json(json!({})))
}

#[derive(Deserialize)]
pub struct Undo {
    #[serde(flatten)]
    act: Act,
    /// To what the other person has asked for, which that person's page has shown by then.
    #[serde(default)]
    agree: bool,
}

/// Takes moves back, requests it from the other person, or agrees.
pub async fn undo(State(hall): State<Arc<Hall>>, Name(id): Name, Body(undo): Body<Undo>) -> Answer {
    let table = hall.find(&id)?;
    hall.change(&table, |table| take_back(table, &undo))?;
    Ok(Json(json!({})))
}

fn take_back(table: &mut GameTable, Undo { act, agree }: &Undo) -> Result<News, Failure> {
    let side = current(table, act)?;
    let shared = local_players(table)?.keys.shared();
    let person = table.seats[!side as usize].kind == Sitter::Person;
    let asks = person && !shared && !agree;
    let mover = match table.undo_asked {
        // At one screen, the side that has moved last.
        _ if shared => !table.side(),
        _ if !person => side,
        Some(asked) if asked == side => {
            return Err(Failure::stale(
                "you have asked already: wait until the other player agrees",
            ));
        }
        // A request that has crossed the other's is no consent.
        Some(_) if asks => {
            return Err(Failure::stale("the other player asks for that too: agree, or play on"));
        }
        None if !asks => return Err(Failure::stale("nobody asks to take a move back")),
        asked => asked.unwrap_or(side),
    };
    let nothing = || Failure::stale("there is no move of yours to take back");
    let turn = table.last_turn(mover).ok_or_else(nothing)?;
    if asks {
        table.undo_asked = Some(side);
        return Ok(table.news(table.length()));
    }
    local_players(table)?.interrupt();
    table.take_back(turn)
}

#[derive(Deserialize)]
pub struct Resign {
    token: String,
    /// Only a game that has not begun: meanwhile somebody may have joined.
    #[serde(default)]
    cancel: bool,
}

/// Gives a game up; one that has not begun is removed.
pub async fn resign(
    State(hall): State<Arc<Hall>>,
    Name(id): Name,
    Body(resign): Body<Resign>,
) -> Answer {
    let table = hall.find(&id)?;
    let mut waits = false;
    hall.change(&table, |table| {
        let side = seat(table, &resign.token)?;
        not_over(table)?;
        waits = table.open().next().is_some();
        if waits {
            return Ok(table.leave());
        }
        if resign.cancel {
            return Err(Failure::stale("the game has begun"));
        }
        local_players(table)?.interrupt();
        table.end(Outcome::Win(!side), &format!("{side} resigned"))
    })?;
    if waits {
        hall.remove(&table);
    }
    Ok(Json(json!({})))
}

/// Names a good move.
pub async fn hint(
    State(hall): State<Arc<Hall>>,
    Extension(visitor): Extension<Visitor>,
    Name(id): Name,
    Body(act): Body<Act>,
) -> Answer {
    let table = hall.find(&id)?;
    aside(move || advise(&hall, visitor, &table, &act)).await
}

/// Marks that a hint is being thought of.
struct Hinting<'a>(&'a Topic<GameTable>);

impl Drop for Hinting<'_> {
    fn drop(&mut self) {
        if let Some(local_players) = &mut self.0.state().local_players {
            local_players.hinting = false;
        }
    }
}

fn advise(hall: &Hall, visitor: Visitor, table: &Topic<GameTable>, act: &Act) -> Answer {
    let (game, line, _hinting) = {
        let mut state = table.state();
        to_move(&mut state, act)?;
        let local_players = local_players(&mut state)?;
        if local_players.hinting {
            return Err(Failure::busy("a hint for this game is being searched already"));
        }
        local_players.hinting = true;
        (state.game, state.line().clone(), Hinting(table))
    };
    let mut mind =
        hall.minds.build(Some(visitor), game, EngineKind::MonteCarlo.into(), fastrand::u64(..))?;
    // Its time begins only now: on a busy machine, building the engine needs some.
    let insight = mind.thinker.think(
        &line,
        &Budget::at_most_until(Instant::now() + HINT_TIME),
        &mut |_| {},
    )?;
    to_move(&mut table.state(), act)?;
    Ok(Json(json!({ "move": insight.best, "report": insight.report })))
}
