//! Samples of a thread's stack, small and of every kind.

use pgas_trace::model::{Module, PathEntry, SampleClock, SiteId, StackSample, StackSamples};

/// `count` samples from tick `begin` on, `step` ticks apart: with and without a call path of the
/// sites 0 and 1, and from no frame to many.
pub fn stack_samples(begin: u64, step: u64, count: u64) -> StackSamples {
    let entry = |parent, site| PathEntry {
        parent,
        site: SiteId(site),
    };
    let sample = |number: u64| StackSample {
        time: begin + step * number,
        weight: 1 + number / 4,
        path: [None, Some(1), Some(0)][number as usize % 3],
        frames: (0..number)
            .map(|depth| 0x40_1000 + 16 * depth + number)
            .collect(),
    };
    StackSamples {
        first_time: begin,
        last_time: begin + step * count,
        period_nanoseconds: 1_000_000,
        clock: SampleClock::UserTime,
        lost: 1,
        within_recorder: 2,
        modules: vec![Module {
            start: 0x40_0000,
            end: 0x50_0000,
            bias: 0x40_0000,
            build_id: "00ff".into(),
            path: "/bin/program".into(),
        }],
        paths: vec![entry(None, 0), entry(Some(0), 1)],
        samples: (0..count).map(sample).collect(),
    }
}
