//! Iterations of programs that were not recorded in full: known values are those of a full
//! recording, and missing ones are marked, never zero. One tick is one second.

use crate::common::looping::Program;
use crate::common::summing::{Recording, analyse_recordings, limit, throttle_from};
use crate::common::{analyse, looping};
use pgas_earl::StreamBuilder;
use pgas_result::phases::{Loop, Mark, MarkReason, Shape};
use pgas_trace::model::{Operation, Site, SyncMode};

/// Iterations of `main` with single puts at line 20; their time grows as `put` says.
fn program(threads: usize, iterations: u64, put: impl Fn(u64) -> u64) -> Program {
    let mut program = Program::new(threads);
    program.compute(|t| 70 + 3 * t as u64);
    program.barrier(5);
    for k in 0..iterations {
        program.compute(|t| 100 + 10 * t as u64);
        for _ in 0..4 {
            program.put(20, |_| put(k));
        }
        program.compute(|_| 40);
        program.barrier(42);
    }
    program.compute(|_| 50);
    program.barrier(90);
    program
}

fn only(loops: &[Loop]) -> &Loop {
    assert_eq!(loops.len(), 1, "{loops:#?}");
    &loops[0]
}

fn is_put(site: &Site) -> bool {
    site.operation == Operation::Memput
}

fn throttled_from(program: &Program, from: u64) -> Vec<Recording> {
    let streams = program.streams();
    let throttled = |stream: &StreamBuilder| throttle_from(stream, from, is_put);
    streams.iter().map(throttled).collect()
}

/// Metrics that lack the time of missing puts, or have it in place of them.
const AFFECTED: [&str; 3] = ["imbalance", "computation", "one_sided"];

#[test]
fn what_is_known_with_throttling_is_what_a_full_recording_has() {
    for (iterations, grows) in [(40, 0), (40, 2), (700, 0)] {
        let program = program(3, iterations, |k| 10 + grows * k);
        let streams = program.streams();
        let full = analyse(&streams);
        let full = only(&full.summary.phases);
        let end = *program.clocks().iter().max().unwrap();
        for share in [0, 1, 3, 5, 8, 9] {
            let from = end / 10 * share + 7;
            let analysis = analyse_recordings(&throttled_from(&program, from));
            let found = only(&analysis.summary.phases);
            assert_eq!(found.iterations, full.iterations);
            let mark = found
                .marks
                .iter()
                .find(|mark| mark.reason == MarkReason::Throttled);
            let mark = mark.unwrap_or_else(|| panic!("no mark at {from} of {end}"));
            assert_eq!((mark.region.as_str(), mark.line), ("upc_memput", 20));
            // The call that was under way is the last one that is recorded.
            assert!(mark.at_seconds < from as f64 + 100.0, "{mark:?}");
            assert_eq!(mark.metrics, AFFECTED);
            for series in &full.series {
                let Some(other) = found.metric(&series.metric) else {
                    assert!(AFFECTED.contains(&series.metric.as_str()));
                    assert_eq!(mark.after_iteration, 0, "{}", series.metric);
                    continue;
                };
                let known = other.values.len();
                assert_eq!(other.values, series.values[..known], "{}", series.metric);
                let expected = AFFECTED.contains(&series.metric.as_str());
                assert_eq!(other.recorded_iterations.is_some(), expected);
                if expected {
                    let recorded = known as u64 * found.iterations_per_value;
                    assert_eq!(other.recorded_iterations, Some(recorded));
                    assert_eq!(mark.after_iteration, recorded);
                    // No more is given up than the value in which it began.
                    let until = mark.at_seconds - full.begin_seconds;
                    let mean = full.mean_seconds * full.iterations_per_value as f64;
                    let lost = until / mean - known as f64;
                    assert!(grows > 0 || lost < 2.0, "{lost} values");
                } else {
                    assert_eq!(known, series.values.len());
                }
            }
        }
    }
}

/// Operations whose time is next to nothing do not cost the curve of the computation.
#[test]
fn what_takes_no_time_ends_no_curve() {
    let mut program = Program::new(2);
    for _ in 0..30 {
        program.barrier(5);
        program.compute(|_| 1000);
        program.put(20, |_| 1);
        program.put(21, |_| 900);
    }
    program.barrier(90);
    let streams = program.streams();
    let throttled = |stream: &StreamBuilder| {
        throttle_from(stream, 9000, |site| is_put(site) && site.line == 20)
    };
    let recordings: Vec<Recording> = streams.iter().map(throttled).collect();
    let analysis = analyse_recordings(&recordings);
    let found = only(&analysis.summary.phases);
    assert!(found.marks.is_empty(), "{:?}", found.marks);
    let full = analyse(&streams);
    let full = only(&full.summary.phases);
    let values = |found: &Loop| found.metric("one_sided").unwrap().values.len();
    assert_eq!(values(found), values(full));
}

/// Puts that take as long in every iteration would seem to vanish, and computation to grow: neither
/// is said.
#[test]
fn throttling_makes_no_trend() {
    let program = program(2, 60, |_| 50);
    let end = *program.clocks().iter().max().unwrap();
    let analysis = analyse_recordings(&throttled_from(&program, end / 2));
    let found = only(&analysis.summary.phases);
    for series in &found.series {
        assert_eq!(series.shape, Shape::Steady, "{series:?}");
        assert!(series.values.iter().all(|&value| value > 0.0));
    }
    // Growth up to then is still reported.
    let growing = looping_growth(60);
    let end = *growing.clocks().iter().max().unwrap();
    let analysis = analyse_recordings(&throttled_from(&growing, end / 2));
    let found = only(&analysis.summary.phases);
    let one_sided = found.metric("one_sided").unwrap();
    assert_eq!(one_sided.shape, Shape::Growing);
    assert!(one_sided.values.len() < 60);
}

fn looping_growth(iterations: u64) -> looping::Program {
    program(2, iterations, |k| 20 + 2 * k)
}

#[test]
fn throttled_operations_say_from_when_on() {
    let program = program(2, 40, |_| 10);
    let analysis = analyse_recordings(&throttled_from(&program, 3000));
    let throttled = &analysis.summary.recording.throttled;
    assert_eq!(throttled.len(), 1);
    let since = throttled[0].since_seconds.unwrap();
    assert!(since <= 3000.0 && since > 2500.0, "{since}");
}

fn reasons(marks: &[Mark]) -> Vec<MarkReason> {
    marks.iter().map(|mark| mark.reason).collect()
}

#[test]
fn the_end_of_a_trace_is_marked() {
    let program = program(2, 40, |_| 10);
    let streams = program.streams();
    let end = *program.clocks().iter().max().unwrap();
    let limited: Vec<Recording> = streams.iter().map(|s| limit(s, end / 2)).collect();
    let analysis = analyse_recordings(&limited);
    let found = only(&analysis.summary.phases);
    assert_eq!(reasons(&found.marks), [MarkReason::TraceEnds]);
    let mark = &found.marks[0];
    assert_eq!(mark.after_iteration, found.iterations);
    assert!(found.iterations < 25 && mark.at_seconds >= found.end_seconds);
    for series in &found.series {
        assert!(series.values.iter().all(|&value| value > 0.0), "{series:?}");
    }
}

#[test]
fn a_pause_is_marked_between_the_iterations_around_it() {
    let mut program = Program::new(2);
    program.barrier(5);
    let iteration = |program: &mut Program| {
        program.compute(|t| 100 + 10 * t as u64);
        program.barrier(42);
    };
    for _ in 0..12 {
        iteration(&mut program);
    }
    let before = *program.clocks().iter().max().unwrap();
    program.without_recording(1000, 7, 0);
    for _ in 0..20 {
        iteration(&mut program);
    }
    program.compute(|_| 50);
    program.barrier(90);
    let analysis = analyse(&program.streams());
    let found = only(&analysis.summary.phases);
    assert_eq!(reasons(&found.marks), [MarkReason::Paused]);
    let mark = &found.marks[0];
    assert!((11..=12).contains(&mark.after_iteration), "{mark:?}");
    assert_eq!(mark.at_seconds, before as f64);
    assert!(mark.until_seconds.unwrap() >= before as f64 + 1000.0);
    assert!(found.max_seconds < 200.0, "the pause is no iteration");
}

/// A pause breaks a loop where it lies, whichever operations were passed in it: here barriers, in a
/// loop of collective operations.
#[test]
fn a_pause_with_operations_of_another_kind_is_no_iteration() {
    let mut program = Program::new(2);
    program.barrier(5);
    let iteration = |program: &mut Program| {
        program.compute(|t| 100 + 10 * t as u64);
        program.collective(Operation::Exchange, 42, SyncMode::All);
    };
    for _ in 0..12 {
        iteration(&mut program);
    }
    program.without_recording(1000, 7, 0);
    for _ in 0..20 {
        iteration(&mut program);
    }
    program.compute(|_| 50);
    program.barrier(90);
    let analysis = analyse(&program.streams());
    let found = only(&analysis.summary.phases);
    assert_eq!(reasons(&found.marks), [MarkReason::Paused]);
    assert!((11..=12).contains(&found.marks[0].after_iteration));
    assert!(found.max_seconds < 200.0, "the pause is no iteration");
}
