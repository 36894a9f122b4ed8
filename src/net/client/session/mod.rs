//! The state of a client's game between two lines of the server.
//!
//! The one idea: the client trusts its own position, and the server's lines are events on it. Where
//! the two disagree, the server's latest line counts if a position follows from it, with an error
//! in the log. Otherwise the client stays silent, as an extra line could be read as the move of the
//! next turn. All cases, as: lines of the server: their meaning; our reaction.
//!
//! - `YOUR_TURN` again, our move not yet answered: the same turn, sent twice; not answered again.
//! - `YOUR_TURN` after `VALID_MOVE` (or at the start), the opponent's move still missing: the two
//!   are out of order; answered as soon as that move comes.
//! - `ILLEGAL_MOVE`, then `YOUR_TURN`: our move was refused; taken back, another is sent.
//! - `ILLEGAL_MOVE`, then the opponent's move: our move stands; the game continues.
//! - `TIMEOUT`, then `YOUR_TURN`: a second chance, where our late line may still be accepted; not
//!   answered again.
//! - `TIMEOUT`, then the opponent's move: our move stands; the game continues.
//! - the opponent's last move once more: the same move, sent twice; ignored.
//! - another move of the opponent before our turn, possible instead of its last: it was replaced;
//!   the last is taken back.
//! - a move of the opponent that our rules do not know, then `YOUR_TURN`: its rules know the move;
//!   [played as written](super::as_written), if that leaves a position.
//! - the same, then another move of the opponent: it was replaced; only the other one is played.
//! - the same, then a result: the opponent's loss, or our error; no move of ours.
//! - the opponent's first move to White: our side was wrong; we are Black.
//! - another `WELCOME`: no meaning; ignored.
//! - `YOUR_TURN` after the end of the game by our rules: its rules differ; any legal move is sent.
//! - `YOUR_TURN` where we have no legal move, or only refused ones: no meaning known; silence.
//! - a result that differs from ours: its rules differ; the server's counts.

mod ended;

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use log::Level;

use super::as_written::{as_written, is_the_same};
use super::{ClientEvent, Player};
use crate::game::{Game, GameState, Move, MoveList, Outcome, ParseError, Side};
use crate::games::{AnyGame, AnyState};
use crate::net::clock::Clock;
use crate::net::line::MAX_LINE;
use crate::net::stand_in::Outgoing;
use crate::net::tournament::{self, MoveText, ServerMessage, quoted_bytes};

/// A loss of ours that the server announced before the result. (It is void if the server then gives
/// us another turn.)
#[derive(Clone, Copy)]
enum Forfeit {
    IllegalMove,
    Timeout,
}

/// Text of the server, stored without allocation.
type Text = ArrayVec<u8, MAX_LINE>;

/// The stored part of a text.
fn kept(text: &[u8]) -> Text {
    text.iter().copied().take(MAX_LINE).collect()
}

/// Max warnings, and max errors, about a server's lines in the log, so that a flood neither fills
/// it nor delays us.
const MAX_COMPLAINTS: usize = 50;

/// Plies to which a server may continue a game that is over by our rules; positions count so far.
const CONTINUED_PLIES: usize = 200;

/// Max plies of a game on a server.
fn max_plies(game: &AnyGame) -> usize {
    game.ply_limit().max(CONTINUED_PLIES)
}

/// A move of the opponent that our rules do not know. It is not played, so for us it is still the
/// opponent's turn.
struct Dispute {
    /// The error.
    fault: ParseError,
    /// The opponent's first move, and none in our game's notation.
    foreign: bool,
    /// The position that it leaves if played as written.
    implied: Option<AnyGame>,
}

/// The state of one game between two lines of the server.
pub struct Session<'a, AnyGame, P, W> {
    clock: &'a dyn Clock,
    outgoing: W,
    player: &'a mut P,
    observer: &'a mut dyn FnMut(&ClientEvent<'_>),
    start: AnyGame,
    state: AnyState,
    /// The last move and the state before it, in case it is taken back.
    before: Option<(AnyState, Move)>,
    /// Moves that the server has refused in our last turn.
    refused: MoveList,
    /// The server has accepted our last move, or we have not moved yet.
    acknowledged: bool,
    /// `YOUR_TURN` has come before the opponent's move.
    turn_ahead: bool,
    /// The opponent's last move.
    their_last: Option<MoveText>,
    /// Our side; a guess until it is known.
    side: Side,
    side_known: bool,
    plies: usize,
    slowest: Duration,
    overshoot: Duration,
    last_answer: Option<MoveText>,
    send_failure: Option<io::Error>,
    /// The server's last text since the last move, perhaps the reason of the result.
    explanation: Option<Text>,
    forfeit: Option<Forfeit>,
    dispute: Option<Dispute>,
    /// Complaints of each kind so far.
    errors: usize,
    warnings: usize,
}

impl<'a, P: Player, W: Outgoing> Session<'a, AnyGame, P, W> {
    /// Before the server's first line.
    pub fn new(
        clock: &'a dyn Clock,
        outgoing: W,
        start: AnyGame,
        player: &'a mut P,
        observer: &'a mut dyn FnMut(&ClientEvent<'_>),
    ) -> Self {
        Session {
            clock,
            outgoing,
            player,
            observer,
            start,
            state: GameState::new(start),
            before: None,
            refused: MoveList::new(),
            acknowledged: true,
            turn_ahead: false,
            their_last: None,
            side: start.side(),
            side_known: false,
            plies: 0,
            slowest: Duration::ZERO,
            overshoot: Duration::ZERO,
            last_answer: None,
            send_failure: None,
            explanation: None,
            forfeit: None,
            dispute: None,
            errors: 0,
            warnings: 0,
        }
    }

    /// Whether a turn or a move has come: from then on the server's silence is limited, and the
    /// game cannot be joined again.
    pub fn has_begun(&self) -> bool {
        self.plies > 0 || self.turn_ahead || self.dispute.is_some()
    }

    /// Logs a complaint about a line of the server, up to [`MAX_COMPLAINTS`] of them.
    pub fn complain(&mut self, what: fmt::Arguments) {
        self.complain_as(Level::Warn, what);
    }

    fn complain_as(&mut self, level: Level, what: fmt::Arguments) {
        let is_error = level == Level::Error;
        let (said, kind) = match is_error {
            true => (&mut self.errors, "errors"),
            false => (&mut self.warnings, "warnings"),
        };
        *said += 1;
        match *said {
            ..MAX_COMPLAINTS => log::log!(level, "{what}"),
            MAX_COMPLAINTS => log::log!(level, "{what}; further {kind} are not shown"),
            _ => {}
        }
    }

    /// Carries out a line of the server; returns the result if the line announces one.
    pub fn hear(&mut self, line: &[u8], received: Instant) -> Option<Outcome> {
        let Some(message) = ServerMessage::parse(line) else {
            self.complain(format_args!("ignored an unknown line: {}", quoted_bytes(line)));
            return None;
        };
        if message == ServerMessage::YourTurn {
            self.our_turn(received);
            return None;
        }
        log::debug!("the server sent {message:?}");
        match message {
            ServerMessage::Welcome(side) => self.welcome(side),
            ServerMessage::Message(text) => {
                self.explanation = Some(kept(text));
                self.report(&ClientEvent::Message(text));
            }
            ServerMessage::OpponentMove(text) => self.opponent_moved(text, received),
            ServerMessage::IllegalMove => {
                let (answer, position) =
                    (self.last_answer.unwrap_or_default(), self.state.position);
                let what = format_args!("the server refused our move `{answer}` in `{position}`");
                self.complain_as(Level::Error, what);
                self.forfeit = Some(Forfeit::IllegalMove);
            }
            ServerMessage::Timeout => {
                let what = format_args!("the server reports that our move came too late");
                self.complain_as(Level::Error, what);
                self.forfeit = Some(Forfeit::Timeout);
            }
            ServerMessage::Victory => return Some(Outcome::Win(self.side)),
            ServerMessage::Defeat => return Some(Outcome::Win(!self.side)),
            ServerMessage::Tie => return Some(Outcome::Draw),
            ServerMessage::ValidMove => self.acknowledged = true,
            ServerMessage::YourTurn => {}
        }
        None
    }

    fn welcome(&mut self, side: Side) {
        if self.side_known {
            if side != self.side {
                let we = self.side;
                self.complain(format_args!("ignored a second WELCOME as {side}: we are {we}"));
            }
            return;
        }
        self.side = side;
        self.side_known = true;
        let state = self.state;
        self.report(&ClientEvent::Welcome { side, state: &state });
    }

    /// Reports an event, to the player first.
    fn report(&mut self, event: &ClientEvent<'_>) {
        self.player.event(event);
        (self.observer)(event);
    }

    /// Sets the side that a message implies if the server has not named it; returns whether it did.
    fn imply(&mut self, side: Side) -> bool {
        let implied = !self.side_known;
        if implied {
            self.side = side;
            self.side_known = true;
        }
        implied
    }

    /// `YOUR_TURN`: the time runs since `received`. Log lines wait until the answer is sent.
    fn our_turn(&mut self, received: Instant) {
        let implied = self.imply(self.state.position.side());
        let mut continued = None;
        match self.dispute.take() {
            Some(Dispute { fault, implied: Some(position), .. }) => {
                self.leave_for(position);
                continued = Some((fault, position));
            }
            unknown => self.dispute = unknown,
        }
        if self.state.position.side() == self.side {
            self.answer(received);
        } else if self.dispute.is_some() {
            self.complain(format_args!("ignored YOUR_TURN: the opponent's move is unknown"));
        } else if let Some(Forfeit::IllegalMove) = self.forfeit
            && !self.acknowledged
            && let Some((before, refused)) = self.before.take()
        {
            self.take_back(before);
            let _ = self.refused.try_push(refused);
            self.answer(received);
            log::error!("our move was refused, and it is our turn again: sent another move");
        } else if self.acknowledged {
            self.complain(format_args!("YOUR_TURN before the opponent's move: waiting for it"));
            self.turn_ahead = true;
        } else {
            self.complain(format_args!("ignored YOUR_TURN: it is the opponent's turn"));
        }
        if implied {
            log::warn!("YOUR_TURN without WELCOME: we seem to be {}", self.side);
        }
        if let Some((fault, position)) = continued {
            log::error!(
                "the server accepted an illegal move ({fault}): we continue from `{position}`"
            );
        }
    }

    /// Sends a move, if there is one; the time runs since `received`.
    fn answer(&mut self, received: Instant) {
        let before = self.state;
        let position = before.position;
        let most = max_plies(&position);
        if position.ply() >= most {
            self.complain(format_args!("ignored YOUR_TURN: no game has more than {most} plies"));
            return;
        }
        let mut legal = position.legal_moves();
        let refused = &self.refused;
        legal.retain(|m| !refused.contains(m));
        let Some(&fallback) = legal.first() else {
            self.complain(format_args!("ignored YOUR_TURN: we have no other legal move"));
            return;
        };
        // The server decides whether the game continues; but a player may not support positions
        // after the end of a game.
        let ending = before.ending();
        let outgoing = &mut self.outgoing;
        let answer = match ending {
            None if outgoing.is_watched() => {
                outgoing.our_turn(&position, received);
                let mut so_far = |m: Move, latest| {
                    if legal.contains(&m) {
                        let text = tournament::move_text(&position, m);
                        outgoing.so_far(&tournament::move_line(&text), latest);
                    }
                };
                self.player.choose_watched(&before, received, &mut so_far)
            }
            None => self.player.choose(&before, received),
            Some(_) => fallback.into(),
        };
        let chosen_is_legal = legal.contains(&answer.m);
        let mut m = if chosen_is_legal { answer.m } else { self.another(&legal) };
        let mut text = tournament::move_text(&position, m);
        let sent = self.outgoing.send(&tournament::move_line(&text));
        let mut left = self.clock.now();
        if let Ok(sent) = &sent {
            left = sent.left.unwrap_or(left);
            let instead = sent.instead.as_ref().and_then(|line| {
                legal.iter().find(|&&m| {
                    *line == tournament::move_line(&tournament::move_text(&position, m))
                })
            });
            if let Some(&instead) = instead {
                (m, text) = (instead, tournament::move_text(&position, instead));
            }
        }
        let thinking = left.saturating_duration_since(received);
        let overshoot = answer.overshoot(left);

        self.slowest = self.slowest.max(thinking);
        self.overshoot = self.overshoot.max(overshoot);
        self.last_answer = Some(text);
        self.acknowledged = false;
        self.turn_ahead = false;
        self.explanation = None;
        self.forfeit = None;
        self.play(m);
        let (side, thinking, state) = (self.side, Some(thinking), self.state);
        self.report(&ClientEvent::Moved { side, text, thinking, overshoot, state: &state });
        if let Some(ending) = ending {
            log::error!("YOUR_TURN after the end of the game ({ending}): sent {text}");
        }
        if !chosen_is_legal {
            let chosen = position.notation(answer.m);
            log::error!(
                "the player chose {chosen}, refused or illegal in `{position}`: sent {text}"
            );
        }
        if let Err(error) = sent {
            // The result may still arrive.
            log::error!("sending {text} failed: {error}");
            self.send_failure = Some(error);
        }
    }

    /// One of the remaining moves, where the player has chosen none of them.
    fn another(&mut self, legal: &[Move]) -> Move {
        let m = self.player.instead(&self.state, legal);
        if legal.contains(&m) { m } else { legal[0] }
    }

    /// `OPPONENT_MOVE`.
    fn opponent_moved(&mut self, text: &[u8], received: Instant) {
        let position = self.state.position;
        if self.imply(!position.side()) {
            log::warn!("OPPONENT_MOVE without WELCOME: we seem to be {}", self.side);
        }
        let again = self.their_last.is_some_and(|last| is_the_same(text, &last));
        if position.side() == self.side && !self.may_replace(text, again) {
            let text = quoted_bytes(text);
            self.complain(format_args!("ignored OPPONENT_MOVE {text}: it is our turn"));
            return;
        }
        let position = self.state.position;
        let fault = match tournament::read_move(&position, text) {
            Ok(m) if position.ply() < max_plies(&position) => return self.they_played(m, received),
            Ok(_) => ParseError::new("move", quoted_bytes(text), "the end of the game"),
            Err(fault) => fault,
        };
        if again {
            let text = quoted_bytes(text);
            self.complain(format_args!("ignored OPPONENT_MOVE {text}: it was played already"));
            return;
        }
        let what = format_args!("the server relayed an illegal move in `{position}`: {fault}");
        self.complain_as(Level::Error, what);
        let implied = as_written(&self.start, &position, text);
        let foreign = self.their_last.is_none() && !is_notation(&position, text);
        self.dispute = Some(Dispute { fault, foreign, implied });
        if std::mem::take(&mut self.turn_ahead) {
            self.our_turn(received);
        }
    }

    /// The opponent moves while it is our turn: makes it the opponent's turn if the move is legal
    /// then.
    fn may_replace(&mut self, text: &[u8], again: bool) -> bool {
        if self.plies == 0 && tournament::read_move(&self.state.position, text).is_ok() {
            self.side = !self.side;
            let (now, before) = (self.side, !self.side);
            let what =
                format_args!("the opponent makes the first move: we are {now}, not {before}");
            self.complain_as(Level::Error, what);
            return true;
        }
        if again {
            return false;
        }
        let Some((before, replaced)) = self.before else { return false };
        if tournament::read_move(&before.position, text).is_err() {
            return false;
        }
        let replaced = before.position.notation(replaced);
        let by = quoted_bytes(text);
        let what = format_args!("the opponent's {replaced} is replaced by {by}");
        self.complain_as(Level::Error, what);
        self.take_back(before);
        true
    }

    /// A legal move of the opponent.
    fn they_played(&mut self, m: Move, received: Instant) {
        let (side, text) = (!self.side, tournament::move_text(&self.state.position, m));
        self.dispute = None;
        self.explanation = None;
        // The opponent answers our last move, so that one stands.
        self.forfeit = None;
        self.their_last = Some(text);
        self.refused.clear();
        self.play(m);
        let (thinking, overshoot, state) = (None, Duration::ZERO, self.state);
        self.report(&ClientEvent::Moved { side, text, thinking, overshoot, state: &state });
        if std::mem::take(&mut self.turn_ahead) {
            // Nobody can answer before this move is known, so the time runs from here.
            self.answer(received);
        }
    }

    fn play(&mut self, m: Move) {
        self.before = Some((self.state, m));
        self.state.play(m);
        self.plies += 1;
    }

    fn take_back(&mut self, before: AnyState) {
        self.state = before;
        self.before = None;
        self.plies -= 1;
    }

    /// Continues from the position that an unknown move of the opponent left.
    fn leave_for(&mut self, position: AnyGame) {
        self.state.history.push(&self.state.position);
        self.state.position = position;
        self.before = None;
        self.refused.clear();
        self.plies += 1;
    }

    /// The number of the next move, counted for each side from 1.
    fn number(&self) -> usize {
        self.plies / 2 + 1
    }
}

/// Whether a text has the form of a move of this game, legal or not.
fn is_notation(position: &AnyGame, text: &[u8]) -> bool {
    let blank = |&&byte: &&u8| !byte.is_ascii_whitespace();
    let compact: Vec<u8> = text.iter().filter(blank).copied().collect();
    std::str::from_utf8(&compact).is_ok_and(|text| position.read_notation(text).is_ok())
}
