//! Statements of hypotheses, as data and as sentences.

use pgas_base::models::Words;
use pgas_base::quantity;
use pgas_monitor::{Name, Place, known_name};
use serde::{Deserialize, Serialize};

/// Statement of a hypothesis.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "level", rename_all = "snake_case")]
pub enum Claim {
    /// The program is inefficient.
    Program,
    /// Operations of this kind take a notable share of the time.
    Kind {
        /// `waiting` or `communicating`.
        #[serde(deserialize_with = "known_name")]
        activity: Name,
        /// Kind of waiting or communicating.
        #[serde(deserialize_with = "known_name")]
        kind: Name,
    },
    /// Operations of this kind take a notable share of the time at this place.
    Place {
        /// `waiting` or `communicating`.
        #[serde(deserialize_with = "known_name")]
        activity: Name,
        /// Kind of waiting or communicating.
        #[serde(deserialize_with = "known_name")]
        kind: Name,
        /// The operation.
        place: Place,
    },
    /// The other threads wait there for this one.
    Thread {
        /// Kind of waiting.
        #[serde(deserialize_with = "known_name")]
        kind: Name,
        /// Place of the wait.
        place: Place,
        /// The thread, from 0.
        thread: u32,
    },
}

/// A confirmed claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Its statement.
    #[serde(flatten)]
    pub claim: Claim,
    /// Share of all threads' time (0 to 1). For a thread: at barriers, the difference between its
    /// share of time in the wait and the smallest of the others; at locks, the share of waits for a
    /// lock that it holds; at flags, signals, events and messages, the share of looks at waiting
    /// threads in which no other thread was busy; in collective operations, as at barriers, or how
    /// much more often than each of the others it was busy in such looks.
    pub share: f64,
    /// Seconds from the start of the program to the confirmation.
    pub known_after: f64,
    /// Of waiting at a place: id of the wait state that the analysis would call most of it; `None`
    /// while it is not known, and where the program does not ask for waiting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Most frequent activity of the thread while the others wait.
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
        } => {
            let pattern = finding.pattern.as_ref();
            let pattern = pattern.map_or_else(String::new, |id| format!(" ({})", spoken(id)));
            format!(
                "{activity} in {} takes {share} of the time{pattern}",
                place.shown()
            )
        }
        Claim::Thread {
            kind,
            place,
            thread,
        } => {
            let verb = match *kind {
                "lock" => "holds what is waited for",
                "point_to_point" | "message" => "keeps others waiting",
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

impl Claim {
    /// Identifies a claim in files, independent of figures: "thread 2 lock upc_lock at a.upc:9".
    pub fn key(&self) -> String {
        match self {
            Claim::Program => "program".to_owned(),
            Claim::Kind { activity, kind } => format!("kind {activity} {kind}"),
            Claim::Place {
                activity,
                kind,
                place,
            } => format!("place {activity} {kind} {}", place.shown()),
            Claim::Thread {
                kind,
                place,
                thread,
            } => format!("thread {thread} {kind} {}", place.shown()),
        }
    }
}

fn spoken(kind: &str) -> String {
    kind.replace('_', " ")
}
