//! A run on two nodes, for what converts times.

use std::path::Path;

use pgas_trace::ExperimentBuilder;
use pgas_trace::model::{Attributes, ClockComparison, Operation, Site};

/// Writes an experiment in which thread 1's clock is a second ahead of thread 0's. Each thread is
/// in a fence for 10 nanoseconds: thread 0 from 1000 on, thread 1 from 1001 on, by thread 0's
/// clock.
pub fn write_two_nodes(directory: &Path) {
    let site = Site::operation(Operation::Fence, "a.upc", 1);
    let ahead = 1_000_000_000;
    let mut builder = ExperimentBuilder::new("p", 2);
    for (thread, offset) in [(0, 0), (1, ahead)] {
        let stream = builder.thread(thread);
        stream.property("host", &format!("node{thread}"));
        if thread == 1 {
            stream.compare_clocks(&[ClockComparison {
                reference: 0,
                ticks: ahead + 2_000,
                reference_ticks: 2_000,
                round_trip: 500,
                exchanges: 150,
            }]);
        }
        let begin = offset + 1_000 + u64::from(thread);
        stream.enter(begin, &site, Attributes::None);
        stream.exit(begin + 10, Attributes::None);
    }
    builder.write(directory).unwrap();
}
