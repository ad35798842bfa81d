//! Programs whose recording meets the worst: they are killed at any moment, end in any way, have no
//! room for their trace, and get in the way of samples. Their own result stays what it is without recording, what was
//! written can be read, and it is the truth.
//!
//! `PGAS_TORTURE_RUNS=n` kills n programs instead of a few, and tries all ends on all disks;
//! `scripts/torture` does that. `PGAS_TORTURE_SAMPLED=n` does it to n sampled programs. `PGAS_TORTURE_FIRST=n` begins with the run of that number, which
//! failures name.

#[path = "../cli/bench.rs"]
#[allow(dead_code)] // these tests use a part of it
mod bench;
mod ends;
mod kills;
#[path = "../../../trace/tests/support/not_tested.rs"]
mod not_tested;
#[path = "../../../trace/tests/support/numbers.rs"]
mod numbers;
mod sampled;
mod sequence;

use ends::{Disk, ENDS, Ends};
use kills::{Counts, Programs};

/// Killed programs unless `PGAS_TORTURE_RUNS` says how many.
const RUNS: u64 = 12;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} is '{text}'; it can be a number")),
    )
}

#[test]
fn killed_at_any_moment() {
    let programs = Programs::new();
    let mut counts = Counts::default();
    let first = number("PGAS_TORTURE_FIRST").unwrap_or(0);
    let runs = number("PGAS_TORTURE_RUNS").unwrap_or(RUNS);
    for run in first..first + runs {
        programs.kill(run, &mut counts);
        if counts.runs % 100 == 0 {
            eprintln!("{} of {runs} programs killed", counts.runs);
        }
    }
    println!(
        "{} programs killed, {} of them before they had files; {} streams read ({} of them \
         complete), {} blocks, {} events, {} bytes; nothing misread, nothing lost; {} events were \
         still in memory",
        counts.runs,
        counts.too_early,
        counts.streams,
        counts.complete,
        counts.blocks,
        counts.events,
        counts.bytes,
        counts.collected
    );
    assert!(counts.events > 0, "{counts:?}");
}

/// Everything that was recorded is there, with a file for each thread and with one for the node.
#[test]
fn killed_soon_after_the_start() {
    let programs = Programs::new();
    let mut counts = Counts::default();
    let first = number("PGAS_TORTURE_FIRST").unwrap_or(0);
    let runs = number("PGAS_TORTURE_RUNS").unwrap_or(RUNS);
    for run in first..first + runs {
        programs.kill_early(run, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.events > 0 && counts.collected > 0, "{counts:?}");
}

#[test]
fn any_end_on_any_disk() {
    let everything = number("PGAS_TORTURE_RUNS").is_some();
    let ends = Ends::new(if everything { 20_000 } else { 5_000 });
    let (mut tried, mut impossible) = (0, 0);
    for (index, end) in ENDS.iter().enumerate() {
        for (other, disk) in [Disk::Good, Disk::Full, Disk::ReadOnly, Disk::Limited]
            .into_iter()
            .enumerate()
        {
            // In the short form each end meets one disk beside the good one.
            if everything || other == 0 || other == 1 + index % 3 {
                tried += 1;
                impossible += u32::from(!ends.try_end(end, disk));
            }
        }
    }
    println!(
        "{tried} ways to end on good, full, read-only and limited disks, {impossible} of them not \
         possible here; all with the output and the status of the program without recording"
    );
    assert!(tried > impossible);
}

#[test]
fn sampled_while_it_does_the_worst() {
    let runs = number("PGAS_TORTURE_SAMPLED").unwrap_or(1);
    let rounds = if runs > 1 { 50 } else { 10 };
    let sampled = sampled::Sampled::new(rounds);
    let mut samples = 0;
    for _ in 0..runs {
        samples += sampled.run();
    }
    println!("{runs} times sampled in all ways: {samples} samples, and all output as without");
}
