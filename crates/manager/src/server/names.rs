//! Levels, kinds, objects and metrics by their names in queries.

use super::guard::Pairs;
use super::problem::Problem;
use pgas_monitor::{Kind, Level, Wanted};

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

/// What a query asks for.
pub(super) fn wanted(pairs: &Pairs) -> Result<Wanted, Problem> {
    let text = |name: &str| {
        let mut found = pairs.iter().filter(|pair| pair.0 == name);
        found.next().map(|pair| pair.1.clone())
    };
    let wanted = Wanted {
        kind: text("kind").map(|name| kind(&name)).transpose()?,
        level: text("level").map(|name| level(&name)).transpose()?,
        object: text("object"),
        metric: text("metric"),
    };
    match (wanted.kind, wanted.level) {
        (Some(kind), Some(level)) if level.kind() != kind => Err(Problem::bad(
            format!("level `{}` is not of kind `{}`", level.name(), kind.name()),
            format!("kind={}, or no kind", level.kind().name()),
        )),
        _ => Ok(wanted),
    }
}
