//! The instructions of today's processors, in a build that runs on all.
//!
//! The one idea: the most expensive code is compiled twice, for the target of the build and for the
//! x86-64-v3 level (AVX2, BMI, POPCNT; processors since about 2013), and chosen at run time. So a
//! plain build is nearly as fast as `cargo build-v3`.
//!
//! Also prefetches memory, where the processor supports it.

/// Whether the processor has the instructions of x86-64-v3 that are used here.
#[inline(always)]
pub fn has_v3_instructions() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Runs `work`, compiled for x86-64-v3 if the processor is of that level. It gains as far as the
/// compiler inlines it: `work` and what it calls should be `#[inline(always)]`.
#[inline(always)]
pub fn with_v3_instructions<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if has_v3_instructions() {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn compiled_for_v3<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: the check above has found the instructions.
        return unsafe { compiled_for_v3(work) };
    }
    #[cfg(target_family = "wasm")]
    {
        // A browser runs its quick first translation of a function until that is called again.
        #[inline(never)]
        fn called_anew<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        called_anew(work)
    }
    #[cfg(not(target_family = "wasm"))]
    work()
}

/// Prefetches the memory at an address into the caches while other work continues. Only a hint: any
/// address is allowed.
#[inline(always)]
pub fn prefetch<T>(at: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is part of every x86-64 and faults at no address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        _ = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluate;
    use crate::game::{GameState, MAX_MOVES, MoveList};
    use crate::games::loa::Layout;
    use crate::games::{Hadron, Loa, Murus, Voidrider};

    /// Everything the search asks of the positions of a random game.
    #[inline(always)]
    fn observe<G: Evaluate>(start: G, seed: u64) -> Vec<u64> {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut state = GameState::new(start);
        let mut seen = Vec::new();
        while state.ending().is_none()
            && let Some(m) = state.position.random_move(&mut rng)
        {
            let (mut moves, mut weights) = (MoveList::new(), [0.0; MAX_MOVES]);
            state.position.moves(&mut moves);
            state.position.weigh(&moves, &mut weights[..moves.len()]);
            seen.extend(moves.iter().map(|m| u64::from(m.code())));
            seen.extend(weights[..moves.len()].iter().map(|weight| u64::from(weight.to_bits())));
            seen.extend([u64::from(m.code()), state.position.count_moves() as u64]);
            seen.push(state.position.evaluate() as u64);
            seen.push(state.position.decided().map_or(0, |(_, plies)| 1 + plies as u64));
            state.play(m);
        }
        seen
    }

    #[test]
    fn both_compilations_see_the_same() {
        fn check<G: Evaluate>(start: G) {
            for seed in 0..20 {
                let as_built = observe(start, seed);
                let for_v3 = with_v3_instructions(
                    #[inline(always)]
                    || observe(start, seed),
                );
                assert!(!as_built.is_empty() && as_built == for_v3, "{} {seed}", G::TITLE);
            }
        }
        check(Murus::start());
        check(Hadron::start(9, 9));
        check(Loa::start(Layout::Rows));
        check(Voidrider::start());
    }
}
