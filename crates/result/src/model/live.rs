//! What was certain while the program ran.

use serde::{Deserialize, Serialize};

/// Something that the search for bottlenecks of `pgastool watch` was certain of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveFinding {
    /// One sentence.
    pub text: String,
    /// When it was known, in seconds since the first thread began.
    pub known_after_seconds: f64,
    /// When it did not hold any more, likewise; absent if it held until nobody watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone_after_seconds: Option<f64>,
}
