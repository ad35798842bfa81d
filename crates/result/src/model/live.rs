//! Bottlenecks that the online search confirmed while the program ran.

use serde::{Deserialize, Serialize};

/// A bottleneck that the online search confirmed. Files of earlier versions have only its sentence
/// and its times.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LiveFinding {
    /// Identifies the bottleneck, whatever the figures of `text`; empty in files of earlier versions.
    #[serde(default)]
    pub key: String,
    /// One sentence.
    pub text: String,
    /// Kind of waiting or communicating; absent for the whole program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The operation; absent for a kind and for the whole program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<LivePlace>,
    /// The thread for which others wait, from 0; absent for a place and all above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    /// The task that is too slow for one that it is joined to by a channel, whose place `place` is:
    /// "task 2 (smoother)"; absent otherwise. `kind` is `producer` or `consumer` then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Share of all threads' time (0 to 1). For a thread, by its evidence; for a task, the share of time
    /// in which the other one does not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Of waiting at a place: id of the wait state; absent if it was not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// For a thread, the evidence of its share: `waits_least`, `busiest`, `only_one_busy` or
    /// `holds_lock`; absent in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Most frequent activity of the thread while the others wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meanwhile: Option<String>,
    /// Confirmation, in seconds since the start of the first thread.
    pub known_after_seconds: f64,
    /// Rejection, likewise; absent if it was still confirmed when the last watch ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone_after_seconds: Option<f64>,
}

/// Place of an operation in the source.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LivePlace {
    /// Name of the operation.
    pub region: String,
    /// The file; empty if unknown.
    pub file: String,
    /// Line in the file, from 1; 0 if unknown.
    pub line: u32,
}
