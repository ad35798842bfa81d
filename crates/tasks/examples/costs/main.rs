//! Costs of tasks and channels, beside those of crossbeam's channels in the same run.
//!
//!     cargo run --release -p pgas-tasks --example costs -- [ROUNDS [TASKS]]
//!
//! Prints a line for each figure, with tabs: name, figure, reference, target, its kind, unit.

mod against;
mod memory;
mod own;
mod processes;

use std::env;
use std::time::Duration;

/// Messages of one measurement.
const MESSAGES: u64 = 500_000;
/// Round trips of one measurement.
const TRIPS: u64 = 10_000;
/// Capacity of bounded channels.
const CAPACITY: usize = 256;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(part) = env::args().nth(1).filter(|part| part.starts_with("--")) {
        return processes::part(&part);
    }
    let mut arguments = env::args().skip(1);
    let rounds = arguments.next().map_or(Ok(15), |rounds| rounds.parse())?;
    let tasks = arguments
        .next()
        .map_or(Ok(1_000_000), |tasks| tasks.parse())?;
    // First, as memory that was freed is used again.
    memory::print(tasks)?;
    for comparison in COMPARISONS {
        comparison.print(rounds);
    }
    processes::print(rounds)?;
    Ok(())
}

/// Ours, and what it is compared to. Each does all its operations, and says how long they took,
/// without the start of threads.
struct Comparison {
    name: &'static str,
    operations: u64,
    own: fn() -> Duration,
    reference: fn() -> Duration,
    /// Times the reference; 0 for none.
    target: f64,
}

const COMPARISONS: [Comparison; 6] = [
    Comparison {
        name: "8 bytes, one processor (crossbeam: one thread)",
        operations: MESSAGES,
        own: || own::stream(None, 1),
        reference: || against::alternate(None),
        target: 2.0,
    },
    Comparison {
        name: "  in a bounded channel",
        operations: MESSAGES,
        own: || own::stream(Some(CAPACITY), 1),
        reference: || against::alternate(Some(CAPACITY)),
        target: 2.0,
    },
    Comparison {
        name: "8 bytes, two processors (crossbeam: two threads)",
        operations: MESSAGES,
        own: || own::stream(None, 2),
        reference: || against::stream(None),
        target: 2.0,
    },
    Comparison {
        name: "  in a bounded channel",
        operations: MESSAGES,
        own: || own::stream(Some(CAPACITY), 2),
        reference: || against::stream(Some(CAPACITY)),
        target: 2.0,
    },
    Comparison {
        name: "round trip, one processor (crossbeam: two threads)",
        operations: TRIPS,
        own: || own::round_trips(1),
        reference: against::round_trips,
        target: 2.0,
    },
    Comparison {
        name: "round trip, two processors (crossbeam: two threads)",
        operations: TRIPS,
        own: || own::round_trips(2),
        reference: against::round_trips,
        target: 2.0,
    },
];

impl Comparison {
    /// The shortest of all rounds, of which each measures both: the others were disturbed.
    fn print(&self, rounds: usize) {
        let (mut own, mut reference) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            own.push(nanoseconds(self.own, self.operations));
            reference.push(nanoseconds(self.reference, self.operations));
        }
        let (own, reference) = (shortest(&own), shortest(&reference));
        println!(
            "{}\t{own:.3}\t{reference:.3}\t{}\tratio\tns",
            self.name, self.target
        );
    }
}

fn nanoseconds(work: fn() -> Duration, operations: u64) -> f64 {
    work().as_secs_f64() * 1e9 / operations as f64
}

/// Of several rounds, that of the one that was disturbed least.
fn shortest(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}
