//! Statements of hypotheses, as data and as sentences.

use pgas_base::models::Words;
use pgas_base::quantity;
use pgas_monitor::tasks::{channel_name, task_name};
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
    /// One of two tasks that are joined by a channel is slower than the other one.
    Channel {
        /// `producer` or `consumer`.
        #[serde(deserialize_with = "known_name")]
        slow: Name,
        /// Number of the channel.
        channel: u64,
        /// Where it was created.
        place: Place,
        /// The task that sends.
        producer: TaskRef,
        /// The task that receives.
        consumer: TaskRef,
    },
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TaskRef {
    /// Its number.
    pub task: u64,
    /// Its function and where it was created.
    pub place: Place,
}

impl TaskRef {
    /// "task 5 (smoother)".
    pub fn name(&self) -> String {
        task_name(self.task, &self.place)
    }
}

/// A confirmed claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Its statement.
    #[serde(flatten)]
    pub claim: Claim,
    /// Share of all threads' time (0 to 1). For a thread, by its evidence; for two tasks, the share of
    /// time in which the faster one did not run.
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
        Claim::Channel {
            slow,
            channel,
            place,
            producer,
            consumer,
        } => {
            let tasks = [producer.name(), consumer.name()];
            shown_pair(slow, &channel_name(*channel, place), tasks, &share)
        }
        Claim::Program => format!("{share} of the time is not computing"),
        Claim::Kind { kind: "idle", .. } => {
            format!("processors have no task that can run for {share} of the time")
        }
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

/// "task 2 (smoother) cannot keep up with task 1 (reader): the queue of channel 1 (pipeline.rs:28)
/// is long, and task 1 (reader) does not run for 88 % of the time".
fn shown_pair(slow: &str, channel: &str, tasks: [String; 2], share: &str) -> String {
    let [producer, consumer] = tasks;
    match slow {
        "producer" => format!(
            "{producer} is too slow for {consumer}: the queue of {channel} is short, and {consumer} \
             does not run for {share} of the time"
        ),
        _ => format!(
            "{consumer} cannot keep up with {producer}: the queue of {channel} is long, and \
             {producer} does not run for {share} of the time"
        ),
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
            Claim::Channel {
                slow,
                channel,
                producer,
                ..
            } => format!("channel {channel} {slow} {}", producer.task),
        }
    }
}

fn spoken(kind: &str) -> String {
    kind.replace('_', " ")
}
