//! The experiments that the benchmark of the analysis uses, at a small size: what is found in them
//! is the truth that was written down when they were made, for each metric and thread, to the tick.

use pgas_analyze::analyze;
use pgas_trace::Experiment;

/// Checks an experiment of `threads` threads and about `events` events, with `calls` calls between
/// two synchronisations.
fn is_right(threads: u32, events: u64, calls: u64) {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path().join("experiment");
    crate::generator::write(&directory, threads, events, calls).unwrap();
    let experiment = Experiment::open(&directory).unwrap();
    let found = experiment.event_count();
    assert!(found.abs_diff(events) < events / 4, "{found} events");
    let analysis = analyze(&experiment, &|_| {}).unwrap();
    let (different, compared) = crate::check::differences(&directory, &analysis).unwrap();
    assert_eq!(different, [""; 0], "{threads} threads");
    let metrics = compared / threads as usize;
    // One thread has nobody to wait for as a root.
    let expected = if threads > 1 { 19 } else { 16 };
    assert_eq!(metrics, expected, "{threads} threads");
}

#[test]
fn few_threads() {
    for threads in [1, 2, 3, 7, 16] {
        is_right(threads, 40_000, 0);
        is_right(threads, 40_000, 5);
    }
}

#[test]
fn a_thousand_threads() {
    is_right(1024, 400_000, 0);
}
