//! The statistics of a node: visits and the sum of their rewards.
//!
//! The one idea: both stand in one word of 64 bits, the visits above the rewards, so that one
//! addition counts an iteration and an average is never torn.

/// What a won iteration adds to a node's reward.
pub const REWARD_OF_WIN: u32 = 1022;
/// What a drawn one adds: exactly half.
pub const REWARD_OF_DRAW: u32 = REWARD_OF_WIN / 2;

/// Bits of the reward sum in the statistics word, below the visits.
const REWARD_BITS: u32 = 37;
/// One visit in the statistics word.
pub const ONE_VISIT: u64 = 1 << REWARD_BITS;

/// Visits at which a node is full, and is halved (`halving.rs`); the rest of the 27 bits leaves
/// room for the iterations that threads have under way.
pub const MAX_VISITS: u32 = (1 << (64 - REWARD_BITS)) - (1 << 20);

// The rewards of the max number of visits do not carry into the visits.
const _: () = assert!((1u64 << (64 - REWARD_BITS)) * (REWARD_OF_WIN as u64) < ONE_VISIT);

/// Virtual loss: the lost visits that an iteration under way counts as.
///
/// With one, two threads on one tree work at times in the same part of it, batch after batch, and
/// wait for each other's cache lines; with two they rarely do (`cargo bench --bench threads`).
pub const VIRTUAL_LOSS: u64 = 2;

/// Visits and rewards of a node at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Iterations that passed through; those under way in a batch count as [`VIRTUAL_LOSS`] each.
    pub visits: u32,
    /// The sum of their rewards so far, each 0 to [`REWARD_OF_WIN`], for the side that moved here.
    pub reward: u64,
}

impl Stats {
    /// What a statistics word holds.
    #[inline(always)]
    pub fn from_word(word: u64) -> Stats {
        Stats { visits: (word >> REWARD_BITS) as u32, reward: word & (ONE_VISIT - 1) }
    }

    /// With one visit more, before its reward is known.
    #[inline(always)]
    pub fn plus_visit(self) -> Stats {
        Stats { visits: self.visits + 1, ..self }
    }

    /// With `count` iterations more, and the sum of their rewards for the side to move here.
    #[inline(always)]
    pub fn plus(self, count: u32, sum: u64) -> Stats {
        Stats { visits: self.visits + count, reward: self.reward + opponents_share(count, sum) }
    }

    /// Whether the node must be halved before more is added.
    #[inline(always)]
    pub fn full(self) -> bool {
        self.visits >= MAX_VISITS
    }

    /// The mean reward for the side that moved here, where there are visits.
    #[inline(always)]
    pub fn mean_reward(self) -> u32 {
        (self.reward / u64::from(self.visits.max(1))).min(u64::from(REWARD_OF_WIN)) as u32
    }

    /// The mean result, 0 to 1, for the side that moved here; 1/2 without visits.
    #[inline(always)]
    pub fn mean(self) -> f32 {
        if self.visits == 0 {
            return 0.5;
        }
        self.reward as i64 as f32 / (self.visits as f32 * REWARD_OF_WIN as f32)
    }
}

/// The opponent's share: `count` full rewards minus `sum`.
#[inline(always)]
pub fn opponents_share(count: u32, sum: u64) -> u64 {
    let all = u64::from(count) * u64::from(REWARD_OF_WIN);
    debug_assert!(sum <= all);
    all - sum
}
