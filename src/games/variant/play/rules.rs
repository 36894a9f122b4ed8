//! The rules of a variant: its tables, what its pieces are worth, and learned weights.
//!
//! The one idea: piece values and learned weights are computed from the tables alone, so that the
//! rules hold all three, and none of the three knows the rules.

use std::ops::Deref;
use std::sync::{PoisonError, RwLock};

use super::learned::Learned;
use super::piece_values::PieceValues;
use crate::eval::weights_file::WeightsFile;
use crate::game::ParseError;
use crate::games::variant::read::definition::Definition;
use crate::games::variant::read::tables::Tables;

/// The rules of a variant.
#[derive(Clone)]
pub struct Rules {
    tables: Tables,
    /// What its pieces are worth.
    pub piece_values: PieceValues,
    /// What has been learned beyond that.
    pub learned: Option<Learned>,
}

/// Rules without weights, a file, and the same rules with the weights of that file.
type Learning = (&'static Rules, &'static WeightsFile, &'static Rules);

/// The rules that have got weights.
static LEARNED: RwLock<Vec<Learning>> = RwLock::new(Vec::new());

impl Rules {
    /// Compiles a definition; the values of pieces are not computed yet.
    pub fn new(definition: Definition) -> Rules {
        let (tables, piece_values) = (Tables::new(definition), PieceValues::none());
        Rules { tables, piece_values, learned: None }
    }

    /// The name of the variant.
    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// What it is called, in a few words.
    pub fn title(&self) -> &str {
        &self.definition.title
    }

    /// The same rules with the weights of a file, which are made once.
    ///
    /// # Errors
    /// These are not weights of this variant.
    pub fn with_weights(
        &'static self,
        file: &'static WeightsFile,
    ) -> Result<&'static Rules, ParseError> {
        let mut all = LEARNED.write().unwrap_or_else(PoisonError::into_inner);
        let same = |&&(rules, other, _): &&Learning| {
            std::ptr::eq(rules, self) && std::ptr::eq(other, file)
        };
        if let Some(&(.., learned)) = all.iter().find(same) {
            return Ok(learned);
        }
        let learned = Some(Learned::read(self, file)?);
        // Never freed, as positions refer to it; each file is read only once for the same rules.
        let rules: &'static Rules = Box::leak(Box::new(Rules { learned, ..self.clone() }));
        all.push((self, file, rules));
        Ok(rules)
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
