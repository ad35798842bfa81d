//! Names and kinds of the metrics of this process. A metric has the same number on all threads.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use pgas_live::metric::{LONGEST_METRIC, METRICS};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) name: String,
    /// As in a live page.
    pub(crate) kind: u64,
}

/// Why a metric was not registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// So many are registered already, with these names.
    AllInUse(String, Vec<String>),
    OtherKind(String),
    BadName(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::AllInUse(name, known) => write!(
                to,
                "metric {name}: all {METRICS} metrics are in use ({}); remove one",
                known.join(", ")
            ),
            Refusal::OtherKind(name) => write!(
                to,
                "metric {name}: it is registered already, as another kind"
            ),
            Refusal::BadName(name) => write!(
                to,
                "metric {name:?}: found a name of {} bytes, expected 1 to {LONGEST_METRIC}",
                name.len()
            ),
        }
    }
}

static NAMES: Mutex<Vec<Name>> = Mutex::new(Vec::new());

/// The number of a metric, which is new or has the same kind.
pub(crate) fn register(name: &str, kind: u64) -> Result<usize, Refusal> {
    register_in(&mut lock(), name, kind)
}

/// Name and kind of a metric.
pub(crate) fn of(number: usize) -> Option<Name> {
    lock().get(number).cloned()
}

/// Changes the kind of a metric on threads that do not have it yet.
pub(crate) fn change_kind(number: usize, kind: u64) {
    if let Some(name) = lock().get_mut(number) {
        name.kind = kind;
    }
}

fn lock() -> std::sync::MutexGuard<'static, Vec<Name>> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn register_in(all: &mut Vec<Name>, name: &str, kind: u64) -> Result<usize, Refusal> {
    if let Some(known) = all.iter().position(|known| known.name == name) {
        return match all[known].kind == kind {
            true => Ok(known),
            false => Err(Refusal::OtherKind(name.to_owned())),
        };
    }
    if name.is_empty() || name.len() > LONGEST_METRIC || name.contains('\0') {
        return Err(Refusal::BadName(name.to_owned()));
    }
    if all.len() >= METRICS {
        let known = all.iter().map(|known| known.name.clone()).collect();
        return Err(Refusal::AllInUse(name.to_owned(), known));
    }
    all.push(Name {
        name: name.to_owned(),
        kind,
    });
    Ok(all.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_live::metric::{COUNTER, TIMER};

    #[test]
    fn a_metric_has_one_number_and_their_number_is_bounded() {
        let mut all = Vec::new();
        for number in 0..METRICS {
            let name = format!("m{number}");
            assert_eq!(register_in(&mut all, &name, COUNTER), Ok(number));
        }
        assert_eq!(register_in(&mut all, "m3", COUNTER), Ok(3));
        let error = register_in(&mut all, "more", COUNTER)
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("metric more: all 16") && error.contains("m0, m1"),
            "{error}"
        );
        let error = register_in(&mut all, "m3", TIMER).unwrap_err().to_string();
        assert!(error.contains("another kind"), "{error}");
        for name in ["", "a\0b", &"x".repeat(41)] {
            assert!(register_in(&mut Vec::new(), name, COUNTER).is_err());
        }
    }
}
