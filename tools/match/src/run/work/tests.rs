//! What becomes of games when another one cannot be played.

use std::ops::ControlFlow;

use super::*;
use crate::command::simulation::reference;

/// What a match keeps, and what counts.
#[derive(Default)]
struct Kept {
    ended: Vec<GameRecord>,
    saved: usize,
    counted: usize,
}

impl Observer for Kept {
    fn ended(&mut self, record: &GameRecord) {
        self.ended.push(record.clone());
    }

    fn save(&mut self) -> Result<(), CommandError> {
        self.saved = self.ended.len();
        Ok(())
    }

    fn counts(&mut self, _: &Task, _: &GameRecord) -> Result<ControlFlow<()>, CommandError> {
        self.counted += 1;
        Ok(ControlFlow::Continue(()))
    }

    fn interrupted(&mut self) {}
}

#[test]
fn games_that_were_played_are_kept_when_another_cannot_be() {
    let (terms, games) = reference();
    let mut kept = Kept::default();
    let mut count = Count { terms, done: BTreeMap::new(), counted: 0, observer: &mut kept };
    let (sender, receiver) = channel();
    let failed = || Err(CommandError::Failed("no player".to_owned()));
    let watch = Watch::start();
    let game = |number: usize| Ok(Box::new(games[number].clone()));
    for (number, played) in [(0, game(0)), (1, failed()), (2, game(2)), (3, failed())] {
        sender.send((number, Happened::Begins)).unwrap();
        sender.send((number, Happened::Ended(played))).unwrap();
    }
    let result = count.until_decided(&receiver, &watch);
    assert!(matches!(result, Ok(Some(_))));
    // One that is under way ends by the rules.
    sender.send((4, Happened::Ended(game(4)))).unwrap();
    drop(sender);
    count.until_all_end(&receiver, &watch, &result);
    let numbers = [0, 2, 4].map(|number: usize| games[number].clone());
    assert_eq!((kept.saved, kept.ended), (3, numbers.to_vec()));
}
