//! The rules of a variant: its tables, and what its pieces are worth.
//!
//! The one idea: values and learned weights are computed from the tables alone, so that the rules
//! hold all three, and none of the three knows the rules.

use std::ops::Deref;

use super::definition::Definition;
use super::learned::Learned;
use super::tables::Tables;
use super::weights::Weights;

/// The rules of a variant.
#[derive(Clone)]
pub struct Rules {
    tables: Tables,
    /// What its pieces are worth.
    pub weights: Weights,
    /// What has been learned beyond that.
    pub learned: Option<Learned>,
}

impl Rules {
    /// Compiles a definition; the weights are none.
    pub fn new(definition: Definition) -> Rules {
        Rules { tables: Tables::new(definition), weights: Weights::none(), learned: None }
    }

    /// The name of the variant.
    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// What it is called, in a few words.
    pub fn title(&self) -> &str {
        &self.definition.title
    }
}

/// Rules are read like their tables.
impl Deref for Rules {
    type Target = Tables;

    #[inline(always)]
    fn deref(&self) -> &Tables {
        &self.tables
    }
}
