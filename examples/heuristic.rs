//! A heuristic of one's own for Hadron, in both engines, against the network of this program:
//! `cargo run --release --example heuristic`.

use std::error::Error;

use alesia::games::{AnyGame, Hadron};
use alesia::search::duel::{Contestant, Limit, play_pair, random_opening};
use alesia::search::judged::{self, Heuristic};
use alesia::search::{EngineKind, EngineOptions};

/// The idea: the side to move wants an odd number of cells that are left, to place the last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OddCells;

impl Heuristic<Hadron> for OddCells {
    fn evaluate(position: &Hadron) -> i32 {
        if position.live().count_ones() % 2 == 1 { 50 } else { -50 }
    }
}

/// Plays pairs of games against the network, each opening with both colours: how many pairs ended
/// with 0, 1, 2, 3 and 4 half points for the heuristic.
pub fn pairs_against_the_network(kind: EngineKind, pairs: u64) -> Result<[u32; 5], Box<dyn Error>> {
    let options = EngineOptions { memory: 16 << 20, ..EngineOptions::default() };
    let start = AnyGame::named("hadron5")?;
    let mut heuristic = judged::engine::<_, OddCells>(kind, Hadron::start(5, 5), &options)?;
    let mut network = kind.build(start, &options)?;
    let mut rng = fastrand::Rng::with_seed(7);
    let mut counts = [0; 5];
    for seed in 0..pairs {
        let opening = random_opening(start, 4, &mut rng).ok_or("no opening")?;
        let limit = Limit::Nodes(1000);
        let players = [&mut *heuristic, &mut *network];
        let players = players.map(|engine| Contestant { engine, limit, seed });
        let halves: u32 =
            play_pair(&opening.state, players).iter().map(|score| score.halves()).sum();
        counts[halves as usize] += 1;
    }
    Ok(counts)
}

fn main() -> Result<(), Box<dyn Error>> {
    for kind in [EngineKind::AlphaBeta, EngineKind::MonteCarlo] {
        let [ll, ld, dd, wd, ww] = pairs_against_the_network(kind, 100)?;
        println!("{kind:?}: pairs by half points {ll} {ld} {dd} {wd} {ww}; the verdict:");
        println!("alesia-lab match sprt {ll} {ld} {dd} {wd} {ww} --elo0=0 --elo1=20");
    }
    Ok(())
}
