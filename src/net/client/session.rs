//! What a client knows of its game between two lines of the server.
//!
//! The one idea: the client believes its own position, and the server's words are events on it.
//! A second `YOUR_TURN` finds that the opponent is to move, and is not answered twice; an
//! opponent's move is played only if our rules know it; a connection that is cut after the last
//! move still has a result.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;

use super::{ClientError, ClientEvent, ClientReport, Player};
use crate::game::{Game, GameState, MAX_PLIES, Move, MoveList, Outcome, ParseError, Side};
use crate::net::clock::Clock;
use crate::net::line::{LineError, MAX_LINE};
use crate::net::tournament::{self, MoveText, ServerMessage, readable};

/// A loss of ours that the server has told before the result. (A server that then gives us
/// another turn has not meant it so.)
#[derive(Clone, Copy)]
enum Forfeit {
    IllegalMove,
    Timeout,
}

/// Text of the server, kept without taking memory.
type Text = ArrayVec<u8, MAX_LINE>;

/// As much of a text as is kept.
fn kept(text: &[u8]) -> Text {
    text.iter().copied().take(MAX_LINE).collect()
}

/// The state of one game between two lines of the server.
pub struct Session<'a, G, P, W> {
    clock: &'a dyn Clock,
    outgoing: W,
    player: &'a mut P,
    observer: &'a mut dyn FnMut(ClientEvent<'_, G>),
    state: GameState<G>,
    /// Ours; a guess until it is known.
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
    /// What is wrong with a move of the opponent that our rules do not know. As it is not played,
    /// it stays the opponent's turn for us, and we are silent.
    dispute: Option<ParseError>,
}

impl<'a, G: Game, P: Player<G>, W: Write> Session<'a, G, P, W> {
    /// Before the server's first line.
    pub fn new(
        clock: &'a dyn Clock,
        outgoing: W,
        start: G,
        player: &'a mut P,
        observer: &'a mut dyn FnMut(ClientEvent<'_, G>),
    ) -> Self {
        Session {
            clock,
            outgoing,
            player,
            observer,
            state: GameState::new(start),
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
        }
    }

    /// Does what a line of the server asks for; answers the result if it announces one.
    pub fn hear(&mut self, line: &[u8], received: Instant) -> Option<Outcome> {
        let Some(message) = ServerMessage::parse(line) else {
            log::warn!("ignored an unknown line of the server: `{}`", readable(line));
            return None;
        };
        if message == ServerMessage::YourTurn {
            self.answer(received);
            return None;
        }
        log::debug!("the server says {message:?}");
        match message {
            ServerMessage::Welcome(side) => self.welcome(side),
            ServerMessage::Message(text) => {
                self.explanation = Some(kept(text));
                (self.observer)(ClientEvent::Message(text));
            }
            ServerMessage::OpponentMove(text) => self.opponent_moved(text),
            ServerMessage::IllegalMove => {
                let answer = self.last_answer.as_ref().map_or("", |text| text.as_str());
                log::error!("the server refused our move `{answer}` in `{}`", self.state.position);
                self.forfeit = Some(Forfeit::IllegalMove);
            }
            ServerMessage::Timeout => {
                log::error!("the server says that our move came too late");
                self.forfeit = Some(Forfeit::Timeout);
            }
            ServerMessage::Victory => return Some(Outcome::Win(self.side)),
            ServerMessage::Defeat => return Some(Outcome::Win(!self.side)),
            ServerMessage::Tie => return Some(Outcome::Draw),
            ServerMessage::ValidMove | ServerMessage::YourTurn => {}
        }
        None
    }

    fn welcome(&mut self, side: Side) {
        if self.side_known {
            if side != self.side {
                log::error!("ignored a second WELCOME as {side}: we are {}", self.side);
            }
            return;
        }
        self.side = side;
        self.side_known = true;
        self.player.welcome(&self.state, side);
        (self.observer)(ClientEvent::Welcome(side));
    }

    /// Takes the colour that a message implies, where the server has not told it.
    fn imply(&mut self, side: Side, message: &str) {
        if !self.side_known {
            log::warn!("{message} without WELCOME: we seem to be {side}");
            self.side = side;
            self.side_known = true;
        }
    }

    /// Why we do not move now, if so.
    fn silence(&self) -> Option<&'static str> {
        if self.state.position.side() != self.side {
            Some("it is the opponent's turn")
        } else if self.state.position.ply() >= MAX_PLIES {
            Some("no game lasts longer")
        } else {
            None
        }
    }

    /// `YOUR_TURN`: the time runs since `received`.
    fn answer(&mut self, received: Instant) {
        let position = self.state.position;
        if !self.side_known {
            self.imply(position.side(), "YOUR_TURN");
        }
        if let Some(reason) = self.silence() {
            log::warn!("ignored YOUR_TURN: {reason}");
            return;
        }
        let mut legal = MoveList::new();
        position.moves(&mut legal);
        let Some(&fallback) = legal.first() else {
            log::warn!("ignored YOUR_TURN: we have no legal move");
            return;
        };
        // The server decides whether the game goes on; but a player need not know how to go on
        // from the end of a game.
        let ending = self.state.ending();
        let chosen = match ending {
            None => self.player.choose(&self.state, received),
            Some(_) => fallback,
        };
        let chosen_is_legal = legal.contains(&chosen);
        let m = if chosen_is_legal { chosen } else { fallback };
        let text = tournament::move_text(&position, m);
        let sent = self.outgoing.write_all(&tournament::move_line(&text));
        let left = self.clock.now();
        let thinking = left.saturating_duration_since(received);
        let overshoot = self.player.sent(left);

        self.slowest = self.slowest.max(thinking);
        self.overshoot = self.overshoot.max(overshoot);
        self.last_answer = Some(text);
        self.explanation = None;
        self.forfeit = None;
        self.play(m);
        if self.state.ending().is_none() {
            self.player.opponent_to_move(&self.state);
        }
        if let Some(ending) = ending {
            log::error!("YOUR_TURN after the end of the game, {ending}: sent {text}");
        }
        if !chosen_is_legal {
            log::error!("the player chose {chosen:?}, illegal in `{position}`: sent {text}");
        }
        if let Err(error) = sent {
            // The result may be on its way to us all the same.
            log::error!("sending {text} failed: {error}");
            self.send_failure = Some(error);
        }
        let (side, thinking) = (self.side, Some(thinking));
        let state = &self.state;
        (self.observer)(ClientEvent::Moved { side, text, thinking, overshoot, state });
    }

    fn opponent_moved(&mut self, text: &[u8]) {
        let position = self.state.position;
        self.imply(!position.side(), "OPPONENT_MOVE");
        if self.dispute.is_some() {
            return;
        }
        if position.side() == self.side {
            log::error!("ignored OPPONENT_MOVE `{}`: it is our turn", readable(text));
            return;
        }
        let m = match tournament::read_move(&position, text) {
            Ok(m) if position.ply() < MAX_PLIES => m,
            Ok(_) => {
                let found = tournament::quoted_bytes(text);
                self.dispute = Some(ParseError::new("move", found, "the end of the game"));
                return;
            }
            Err(fault) => {
                log::error!("the server relayed an illegal move in `{position}`: {fault}");
                self.dispute = Some(fault);
                return;
            }
        };
        self.explanation = None;
        let (side, text) = (!self.side, tournament::move_text(&position, m));
        self.play(m);
        let (thinking, overshoot, state) = (None, Duration::ZERO, &self.state);
        (self.observer)(ClientEvent::Moved { side, text, thinking, overshoot, state });
    }

    fn play(&mut self, m: Move) {
        self.state.play(m);
        self.plies += 1;
    }

    /// The number of the next move, counted for each side from 1.
    fn number(&self) -> usize {
        self.plies / 2 + 1
    }

    /// The server has announced the result.
    pub fn announced(mut self, outcome: Outcome) -> Result<ClientReport, ClientError> {
        match self.dispute.take() {
            // An opponent that loses by an illegal move is no dispute.
            Some(fault) if outcome == Outcome::Win(self.side) => {
                let reason = format!("illegal {fault}");
                self.explanation.get_or_insert_with(|| kept(reason.as_bytes()));
            }
            Some(fault) => return Err(self.disputed(fault, Some(outcome))),
            None => {}
        }
        let report = self.report(outcome, true);
        (self.observer)(ClientEvent::Ended(&report));
        Ok(report)
    }

    /// The connection has ended without a result.
    pub fn cut_off(mut self, error: LineError) -> Result<ClientReport, ClientError> {
        if let Some(fault) = self.dispute.take() {
            return Err(self.disputed(fault, None));
        }
        let outcome = match (self.forfeit, self.state.ending()) {
            (Some(_), _) => Outcome::Win(!self.side),
            (None, Some(ending)) => ending.outcome,
            (None, None) => {
                let why = match self.send_failure.take() {
                    Some(failure) => format!("{error}, and sending our move failed: {failure}"),
                    None => error.to_string(),
                };
                let (number, side) = (self.number(), self.state.position.side());
                return Err(ClientError::NoResult { number, side, why });
            }
        };
        log::warn!("{error} before the result was announced; by our own reckoning: {outcome}");
        let report = self.report(outcome, false);
        (self.observer)(ClientEvent::Ended(&report));
        Ok(report)
    }

    fn disputed(&self, fault: ParseError, announced: Option<Outcome>) -> ClientError {
        let (number, side) = (self.number(), !self.side);
        ClientError::IllegalOpponentMove { number, side, fault, announced }
    }

    fn report(&mut self, outcome: Outcome, announced: bool) -> ClientReport {
        let ending = self.state.ending();
        if let Some(ending) = ending
            && ending.outcome != outcome
            && self.forfeit.is_none()
        {
            log::error!("the server's result is {outcome}; by our rules it is {ending}");
        }
        let forfeit = self.forfeit.filter(|_| outcome == Outcome::Win(!self.side));
        let reason = match (forfeit, ending, self.explanation.take()) {
            (Some(Forfeit::IllegalMove), ..) => {
                let answer = self.last_answer.as_ref().map_or("", |text| text.as_str());
                format!("our move `{answer}` was refused as illegal")
            }
            (Some(Forfeit::Timeout), ..) => "our move came too late".to_owned(),
            (None, Some(ending), _) if ending.outcome == outcome => ending.rule.to_string(),
            (None, _, Some(explanation)) => readable(&explanation).to_string(),
            (None, _, None) => "the server gave no reason".to_owned(),
        };
        ClientReport {
            side: self.side,
            outcome,
            announced,
            ending,
            reason,
            plies: self.plies,
            slowest: self.slowest,
            overshoot: self.overshoot,
        }
    }
}
