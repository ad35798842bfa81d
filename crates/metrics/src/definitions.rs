//! Definitions of metrics that are evaluated together.

use crate::definition::{Definition, Region};
use crate::error::DefinitionError;
use crate::parser;
use crate::token::error;

/// Definitions that are evaluated together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Definitions {
    /// In the order in which they were added.
    pub all: Vec<Definition>,
    /// The regions that they name, each once; at most [`crate::MOST_REGIONS`].
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
