//! How the waiting of one wait state at one call path is spread over its instances and over single
//! threads' waits.

use pgas_result::distribution::Spread;
use pgas_result::summary::WorstInstance;

use crate::detectors::wait_states::severities::{Entry, Worst};
use crate::model::clock::Times;

/// Distribution of the waiting of an entry, for the summary, in seconds.
pub fn spread(entry: &Entry, times: &Times) -> Option<Spread> {
    let histograms = &entry.histograms;
    let completion = histograms.until_last_exit.as_deref();
    Some(Spread {
        instances: histograms.instances.distribution(times)?,
        threads: histograms.threads.distribution(times)?,
        until_last_exit: completion.and_then(|histogram| histogram.distribution(times)),
    })
}

/// The worst instance, for the summary, in seconds.
pub fn worst(worst: &Worst, times: &Times) -> WorstInstance {
    let (longest_thread, longest) = worst.longest;
    WorstInstance {
        at_seconds: times.at(worst.begin),
        seconds: times.length(worst.ticks as f64),
        last_thread: worst.culprit.unwrap_or(0),
        number: Some(worst.number),
        longest_thread: Some(longest_thread),
        longest_seconds: Some(times.length(longest as f64)),
    }
}
