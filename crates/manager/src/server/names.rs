//! Levels and kinds by their names in queries.

use super::problem::Problem;
use crate::level::{Kind, Level};

/// The level of this name.
pub(super) fn level(name: &str) -> Result<Level, Problem> {
    Level::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Level::ALL.into_iter().map(Level::name).collect();
        Problem::bad(format!("there is no level `{name}`"), names.join(", "))
    })
}

/// The kind of this name.
pub(super) fn kind(name: &str) -> Result<Kind, Problem> {
    Kind::from_name(name).ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name);
        Problem::bad(format!("there is no kind `{name}`"), names.join(", "))
    })
}
