//! What a hypothesis says, as data and in words.

use pgas_base::models::Words;
use pgas_base::quantity;
use pgas_monitor::Place;
use serde::Serialize;

/// What a hypothesis says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "level", rename_all = "snake_case")]
pub enum Claim {
    /// The program is inefficient.
    Program,
    /// Much time is lost in operations of this kind.
    Kind {
        /// `waiting` or `communicating`.
        activity: &'static str,
        /// Kind of waiting or communicating.
        kind: &'static str,
    },
    /// Much time is lost at this place.
    Place {
        /// `waiting` or `communicating`.
        activity: &'static str,
        /// Kind of waiting or communicating.
        kind: &'static str,
        /// The operation.
        place: Place,
    },
    /// The others wait there for this thread.
    Thread {
        /// Kind of waiting.
        kind: &'static str,
        /// Where the others wait.
        place: Place,
        /// The thread, from 0.
        thread: u32,
    },
}

/// A claim that is certain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// What it says.
    #[serde(flatten)]
    pub claim: Claim,
    /// Share of all threads' time that is lost; of a thread, by how much its share of time in the
    /// wait is below that of the others, or of a lock, the share of waits in which it holds that.
    pub share: f64,
    /// Seconds after the program's begin at which it was known.
    pub known_after: f64,
    /// What the thread mostly does while the others wait.
    pub meanwhile: Option<String>,
}

/// A finding as a sentence.
pub fn shown(finding: &Finding, words: &Words) -> String {
    let share = quantity::percent(100.0 * finding.share);
    match &finding.claim {
        Claim::Program => format!("{share} of the time is not computing"),
        Claim::Kind { activity, kind } => {
            format!("{activity} ({}) takes {share} of the time", spoken(kind))
        }
        Claim::Place {
            activity, place, ..
        } => format!("{activity} in {} takes {share} of the time", place.shown()),
        Claim::Thread {
            kind,
            place,
            thread,
        } => {
            let verb = match *kind {
                "lock" => "holds what is waited for",
                _ => "comes late",
            };
            let meanwhile = finding.meanwhile.as_ref();
            let meanwhile = meanwhile.map_or_else(String::new, |what| format!(", mostly {what}"));
            format!(
                "{} {verb} in {}{meanwhile}",
                words.name(*thread),
                place.shown()
            )
        }
    }
}

fn spoken(kind: &str) -> String {
    kind.replace('_', " ")
}
