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
    /// Share of all threads' time (0 to 1). For a thread, by its evidence.
    pub share: f64,
    /// Seconds from the start of the program to the confirmation.
    pub known_after: f64,
    /// Of waiting at a place: id of the wait state that the analysis would call most of it; `None`
    /// while it is not known, and where the program does not ask for waiting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// For a thread, the evidence of its share. `waits_least`: the difference between its share of
    /// time in the wait and the smallest of the others. `busiest`: the share of looks at waiting
    /// threads in which it was busy, beyond that of each of the others. `only_one_busy`: the share
    /// of such looks in which it was the only busy one. `holds_lock`: the share of waits for a lock
    /// that it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
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
        Claim::Thread { place, thread, .. } => {
            let verb = match finding.evidence.as_deref() {
                Some("holds_lock") => "holds what is waited for",
                Some("only_one_busy") => "keeps others waiting",
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
