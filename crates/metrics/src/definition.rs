//! Definitions of metrics, and the regions that they name.

use pgas_filter::Pattern;

use crate::condition::Condition;
use crate::error::DefinitionError;
use crate::parser;
use crate::token::error;

/// Regions that all definitions together can name: bits of a word.
pub const MOST_REGIONS: usize = 64;

/// A metric that the recorder keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What is measured.
    pub measure: Measure,
    /// When; always if `None`.
    pub condition: Option<Condition>,
}

/// What a metric measures. Regions are indices into [`Definitions::regions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Time inside of a region, or all time.
    Time(Option<usize>),
    /// Calls of a region.
    Count(usize),
    /// Bytes that calls of a region move.
    Bytes(usize),
}

/// Names of regions that a definition names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// As in the definition.
    pub text: String,
    /// The same to compare names with.
    pub pattern: Pattern,
}

/// Definitions that are evaluated together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Definitions {
    /// In the order in which they were added.
    pub all: Vec<Definition>,
    /// The regions that they name, each once; at most [`MOST_REGIONS`].
    pub regions: Vec<Region>,
}

impl Definitions {
    /// Adds a definition. Nothing is added if there is an error.
    ///
    /// # Errors
    /// [`DefinitionError`], also if there is a metric of this name.
    pub fn add(&mut self, text: &str) -> Result<(), DefinitionError> {
        let known = self.regions.len();
        match parser::parse(text, &mut self.regions) {
            Ok((definition, column)) if self.all.iter().any(|one| one.name == definition.name) => {
                self.regions.truncate(known);
                let found = format!("`{}`, which is defined already", definition.name);
                Err(error(text, column, found, "a new name"))
            }
            Ok((definition, _)) => {
                self.all.push(definition);
                Ok(())
            }
            Err(problem) => {
                self.regions.truncate(known);
                Err(problem)
            }
        }
    }

    /// Set of the regions that have this name, as bits.
    pub fn regions_named(&self, name: &str) -> u64 {
        let bits = self.regions.iter().enumerate();
        bits.filter(|(_, region)| region.pattern.matches(name))
            .fold(0, |set, (bit, _)| set | 1 << bit)
    }
}
