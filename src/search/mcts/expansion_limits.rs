//! When a leaf gets children, and how many, by how full the pool is.

use super::tree::Tree;
use crate::eval::parameters::Parameters;

/// How a search uses nodes: the fuller the pool, the fewer children a node gets at first, which
/// costs time but no information; and finally, the more visits it needs before.
#[derive(Clone, Copy)]
pub struct ExpansionLimits {
    /// Children that a node gets at first, at least 1.
    pub first_children: usize,
    /// Visits at which a leaf gets children.
    pub expand_visits: u32,
}

impl ExpansionLimits {
    /// First children are halved when an eighth of the pool is used, a quarter, and a half;
    /// visits are doubled when a sixteenth is left, a thirty-second, and so on.
    pub fn of(tree: &Tree, parameters: &Parameters) -> ExpansionLimits {
        let fewer = [8, 4, 2].into_iter().filter(|&one_in| tree.fuller_than(one_in)).count();
        ExpansionLimits {
            first_children: (parameters.first_children >> fewer).max(1) as usize,
            expand_visits: parameters
                .expand_visits
                .saturating_mul(1 << tree.halvings().saturating_sub(3)),
        }
    }
}
