//! Bottlenecks that `pgastool watch` confirmed while the program ran.

use serde::{Deserialize, Serialize};

/// A bottleneck that the online search confirmed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveFinding {
    /// Identifies the bottleneck, whatever the figures of `text`; empty in files of earlier versions.
    #[serde(default)]
    pub key: String,
    /// One sentence.
    pub text: String,
    /// Confirmation, in seconds since the start of the first thread.
    pub known_after_seconds: f64,
    /// Rejection, likewise; absent if it was still confirmed when the last watch ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone_after_seconds: Option<f64>,
}
