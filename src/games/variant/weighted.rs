//! Rules with the weights of a file, kept for as long as the program runs.

use std::sync::{PoisonError, RwLock};

use super::learned::Learned;
use super::position::Variant;
use super::rules::Rules;
use crate::eval::weights_file::WeightsFile;
use crate::game::ParseError;

/// The rules that have weights: those without, the file, and those with it.
type Known = (&'static Rules, &'static WeightsFile, &'static Rules);

static KNOWN: RwLock<Vec<Known>> = RwLock::new(Vec::new());

impl Variant {
    /// The same position with the weights of a file; rules with the same weights are made once.
    pub(super) fn weighted(self, file: &'static WeightsFile) -> Result<Variant, ParseError> {
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        let same = |&&(rules, other, _): &&Known| {
            std::ptr::eq(rules, self.rules) && std::ptr::eq(other, file)
        };
        if let Some(&(.., rules)) = known.iter().find(same) {
            return Ok(self.with_rules(rules));
        }
        let mut rules = self.rules.clone();
        rules.learned = Some(Learned::read(self.rules, file)?);
        // Never freed, as positions refer to it; each file is read only once for the same rules.
        let rules: &'static Rules = Box::leak(Box::new(rules));
        known.push((self.rules, file, rules));
        Ok(self.with_rules(rules))
    }
}
