//! Compares what an analysis has found with the truth that was written down.

use std::error::Error;
use std::path::Path;

use pgas_analyze::Analysis;

use super::generator::truth;

/// Nanoseconds are one tick of a synthetic experiment's clock.
const TICK: f64 = 1e-9;

/// Metrics that count something else than time.
const COUNTS: [&str; 2] = ["bytes_get", "bytes_put"];

/// The figures that differ by a tick or more, in words, and how many were compared.
pub fn differences(
    directory: &Path,
    analysis: &Analysis,
) -> Result<(Vec<String>, usize), Box<dyn Error + Send + Sync>> {
    let truth = truth(directory)?;
    let mut different = Vec::new();
    for (metric, thread, expected) in &truth {
        let id = analysis.cube.metric(metric);
        let id = id.ok_or_else(|| format!("the analysis knows no {metric}"))?;
        let unit = if COUNTS.contains(&metric.as_str()) {
            1.0
        } else {
            TICK
        };
        let found = analysis.cube.per_thread(id)[*thread] / unit;
        if (found - *expected as f64).abs() >= 0.5 {
            different.push(format!(
                "{metric} of thread {thread}: {found} found, {expected} true"
            ));
        }
    }
    Ok((different, truth.len()))
}
