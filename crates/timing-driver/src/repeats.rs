//! Times of one operation from those of launches that performed several.

use pgas_timing::record::{Overlap, Summary, Timing};

/// The timing of one operation of a launch that had `repeats`. Stages and the picture are of
/// launches.
pub fn divide(mut timing: Timing, repeats: u64) -> Timing {
    let by = repeats as f64;
    timing.repeats = repeats;
    timing.summary = summary(timing.summary, by);
    timing.times.iter_mut().for_each(|time| *time /= by);
    timing.clock_uncertainty /= by;
    timing.start_error /= by;
    for thread in &mut timing.per_thread {
        *thread = summary(*thread, by);
    }
    timing.overlap = timing.overlap.map(|overlap| Overlap {
        together: summary(overlap.together, by),
        computation: overlap.computation / by,
        ..overlap
    });
    timing
}

fn summary(of: Summary, by: f64) -> Summary {
    Summary {
        mean: of.mean / by,
        standard_error: of.standard_error / by,
        minimum: of.minimum / by,
        maximum: of.maximum / by,
        error: of.error / by,
        interval: (of.interval.0 / by, of.interval.1 / by),
        ..of
    }
}
