//! Loops of programs that are known: where they are, how often they run, how long each iteration
//! takes, and how every metric develops. One tick is one second.

use crate::common::looping::Program;
use crate::common::numbers::Numbers;
use crate::common::simulator::Simulation;
use crate::common::{analyse, analyse_in};
use pgas_analyze::Analysis;
use pgas_analyze::search::Stretch;
use pgas_earl::StreamBuilder;
use pgas_result::phases::{Boundary, Loop, Shape};
use pgas_trace::model::{Operation, SyncMode};
use proptest::prelude::*;

fn loops(program: &Program) -> Vec<Loop> {
    let streams = program.streams();
    let analysis = analyse(&streams);
    let stretch = Stretch {
        events: 300,
        per_thread: 77,
    };
    let other = analyse_in(&streams, stretch);
    assert_eq!(other.summary.phases, analysis.summary.phases);
    analysis.summary.phases
}

fn only(program: &Program) -> Loop {
    let mut loops = loops(program);
    assert_eq!(loops.len(), 1, "{loops:#?}");
    loops.remove(0)
}

fn shape(found: &Loop, metric: &str) -> Shape {
    found
        .metric(metric)
        .unwrap_or_else(|| panic!("no {metric}"))
        .shape
}

/// Set-up before a barrier at line 5, a loop, output after it.
fn with_loop(threads: usize, iterations: u64, body: impl Fn(&mut Program, u64)) -> Program {
    let mut program = Program::new(threads);
    program.compute(|t| 70 + 3 * t as u64);
    program.barrier(5);
    for k in 0..iterations {
        body(&mut program, k);
    }
    program.compute(|_| 50);
    program.barrier(90);
    program
}

#[test]
fn a_plain_loop_is_found_to_the_tick() {
    let program = with_loop(3, 20, |p, _| {
        p.function("relax", |p| p.compute(|t| 100 + 10 * t as u64));
        p.barrier(42);
    });
    let found = only(&program);
    assert_eq!(found.iterations, 20);
    assert_eq!((found.line, found.region.as_str()), (42, "upc_barrier"));
    assert_eq!((found.function.as_str(), found.body.as_str()), ("main", ""));
    // Threads 0 and 1 wait for thread 2, which computes 120.
    assert_eq!((found.min_seconds, found.max_seconds), (120.0, 120.0));
    assert_eq!((found.mean_seconds, found.median_seconds), (120.0, 120.0));
    assert_eq!(found.begin_seconds, 76.0);
    assert_eq!(found.end_seconds, 76.0 + 20.0 * 120.0);
    assert_eq!(found.coverage, 2400.0 / (76.0 + 2400.0 + 50.0));
    assert_eq!(found.iterations_per_value, 1);
    let values = |metric: &str| found.metric(metric).unwrap().values.clone();
    assert_eq!(values("duration"), [120.0; 20]);
    assert_eq!(values("computation"), [110.0; 20]);
    assert_eq!(values("imbalance"), [10.0; 20]);
    assert_eq!(values("wait_at_barrier"), [10.0; 20]);
    assert_eq!(values("barrier"), [10.0; 20]);
    assert!(found.series.iter().all(|s| s.shape == Shape::Steady));
    assert!(found.metric("lock").is_none());
    let slowest = found.slowest.unwrap();
    assert_eq!((slowest.thread, slowest.region.as_str()), (2, "relax"));
    assert_eq!((slowest.first_share, slowest.last_share), (1.0, 1.0));
}

#[test]
fn a_loop_in_a_function_is_told_from_a_loop_around_it() {
    let inside = with_loop(2, 1, |p, _| {
        p.function("solve", |p| {
            for _ in 0..10 {
                p.compute(|_| 30);
                p.barrier(12);
            }
        });
    });
    let found = only(&inside);
    assert_eq!(
        (found.function.as_str(), found.body.as_str()),
        ("solve", "")
    );
    // The first iteration begins with what leads to its barrier.
    assert_eq!((found.iterations, found.mean_seconds), (10, 30.0));
    let around = with_loop(2, 10, |p, _| {
        p.function("step", |p| {
            p.compute(|_| 30);
            p.barrier(12);
        });
    });
    let found = only(&around);
    assert_eq!(
        (found.function.as_str(), found.body.as_str()),
        ("main", "step")
    );
}

#[test]
fn several_barriers_of_one_iteration_are_one_iteration() {
    let program = with_loop(4, 50, |p, _| {
        p.compute(|t| 10 + t as u64);
        p.barrier(20);
        p.compute(|_| 5);
        p.collective(Operation::Exchange, 30, SyncMode::Mine);
        p.compute(|_| 7);
        p.collective(Operation::Reduce, 33, SyncMode::All);
    });
    let found = only(&program);
    assert_eq!((found.iterations, found.line), (50, 20));
    assert_eq!(found.boundary, Boundary::Begins);
    assert_eq!(found.mean_seconds, 13.0 + 5.0 + 7.0);
    assert_eq!((found.min_seconds, found.max_seconds), (25.0, 25.0));
    assert_eq!(found.begin_seconds, 79.0);
    assert_eq!(found.end_seconds, 79.0 + 50.0 * 25.0);
}

fn nested(outer: u64, inner: u64) -> Program {
    with_loop(2, outer, move |p, _| {
        p.function("solve", |p| {
            for _ in 0..inner {
                p.compute(|_| 10);
                p.barrier(20);
            }
        });
        p.compute(|_| 4);
        p.barrier(30);
    })
}

#[test]
fn of_nested_loops_the_outer_one_is_reported_with_the_inner_one_if_that_says_more() {
    let found = loops(&nested(15, 25));
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].line, found[0].iterations), (30, 15));
    assert_eq!(found[0].boundary, Boundary::Ends);
    assert_eq!((found[0].min_seconds, found[0].max_seconds), (254.0, 254.0));
    assert_eq!((found[1].line, found[1].iterations), (20, 375));
    assert_eq!((found[1].min_seconds, found[1].max_seconds), (10.0, 14.0));
    assert_eq!(
        (&*found[0].function, &*found[1].function),
        ("main", "solve")
    );
    let found = only(&nested(40, 3));
    assert_eq!((found.line, found.iterations), (30, 40));
    // Too few to tell anything.
    let found = only(&nested(3, 50));
    assert_eq!((found.line, found.iterations), (20, 150));
}

#[test]
fn what_is_done_every_tenth_time_is_no_loop_of_its_own() {
    let program = with_loop(2, 300, |p, k| {
        p.function("sweep", |p| p.compute(|_| 10));
        if k % 10 == 0 {
            p.function("norm", |p| {
                p.compute(|_| 5);
                p.collective(Operation::Reduce, 20, SyncMode::All);
            });
        }
        p.barrier(30);
    });
    let found = loops(&program);
    assert_eq!((found[0].line, found[0].iterations), (30, 300));
    let recurring = found[0].recurring.as_ref().unwrap();
    assert_eq!((recurring.every, recurring.first), (10, 0));
    assert_eq!((recurring.seconds, recurring.others_seconds), (15.0, 10.0));
    // Ten at a time are iterations just as well.
    assert_eq!((found[1].line, found[1].iterations), (20, 30));
    assert_eq!((found[1].min_seconds, found[1].max_seconds), (105.0, 105.0));
}

#[test]
fn a_body_that_begins_with_what_happens_once_is_whole_too() {
    let program = with_loop(2, 12, |p, _| {
        p.compute(|_| 6);
        p.barrier(20);
        for _ in 0..4 {
            p.compute(|_| 10);
            p.barrier(30);
        }
    });
    let found = &loops(&program)[1];
    assert_eq!((found.line, found.iterations), (20, 12));
    assert_eq!((found.min_seconds, found.max_seconds), (46.0, 46.0));
    assert_eq!(found.boundary, Boundary::Begins);
}

#[test]
fn growing_imbalance_is_told_from_imbalance_throughout() {
    let growing = with_loop(4, 40, |p, k| {
        p.function("sort", |p| p.compute(|_| 100));
        p.function("merge", |p| {
            p.compute(|t| if t == 3 { 20 + 5 * k } else { 20 })
        });
        p.barrier(42);
    });
    let found = only(&growing);
    assert_eq!(shape(&found, "duration"), Shape::Growing);
    assert_eq!(shape(&found, "imbalance"), Shape::Growing);
    assert_eq!(shape(&found, "wait_at_barrier"), Shape::Growing);
    let imbalance = found.metric("imbalance").unwrap();
    // A quarter of the work beyond 120 is the mean of the four threads.
    assert_eq!(imbalance.values[10], 50.0 * 0.75);
    assert!((imbalance.slope - 5.0 * 0.75).abs() < 1e-9);
    assert_eq!(imbalance.first_quarter, 4.5 * 5.0 * 0.75);
    assert_eq!(imbalance.last_quarter, 34.5 * 5.0 * 0.75);
    let change = imbalance.change_percent.unwrap();
    assert!((change - 100.0 * (34.5 / 4.5 - 1.0)).abs() < 1e-9);
    assert!(imbalance.probability < 1e-6);
    let slowest = found.slowest.as_ref().unwrap();
    assert_eq!((slowest.thread, slowest.region.as_str()), (3, "merge"));

    let throughout = with_loop(4, 40, |p, _| {
        p.function("sort", |p| p.compute(|t| 100 + 40 * (t as u64 % 2)));
        p.barrier(42);
    });
    let found = only(&throughout);
    assert!(found.series.iter().all(|s| s.shape == Shape::Steady));
    assert_eq!(found.metric("imbalance").unwrap().values, [20.0; 40]);
}

#[test]
fn findings_say_that_waiting_grows() {
    let cause = |analysis: &Analysis| {
        let findings = &analysis.summary.findings;
        let wait = findings.iter().find(|f| f.metric == "wait_at_barrier");
        wait.unwrap().cause.clone()
    };
    let growing = with_loop(2, 100, |p, k| {
        p.compute(|t| 100 + t as u64 * k);
        p.barrier(42);
    });
    let text = cause(&analyse(&growing.streams()));
    assert!(text.contains("It grows over the 100 iterations"), "{text}");
    let steady = with_loop(2, 100, |p, _| {
        p.compute(|t| 100 + 50 * t as u64);
        p.barrier(42);
    });
    let text = cause(&analyse(&steady.streams()));
    assert!(!text.contains("iterations"), "{text}");
}

#[test]
fn long_iterations_at_regular_distances_outliers_and_a_slow_start() {
    let iterations = |count: u64, length: fn(u64) -> u64| {
        only(&with_loop(1, count, move |p, k| {
            p.compute(|_| length(k));
            p.barrier(42);
        }))
    };
    let tenth = iterations(1300, |k| if k % 10 == 9 { 300 } else { 100 + k % 3 });
    let recurring = tenth.recurring.as_ref().unwrap();
    assert_eq!((recurring.every, recurring.first), (10, 9));
    assert_eq!(
        (recurring.seconds, recurring.others_seconds),
        (300.0, 101.0)
    );
    assert_eq!(shape(&tenth, "duration"), Shape::Alternating);
    assert!(tenth.outliers.is_empty() && tenth.warm_up.is_none());

    let slow = iterations(100, |k| if k < 3 { 500 } else { 100 + k % 3 });
    let warm_up = slow.warm_up.as_ref().unwrap();
    assert_eq!((warm_up.iterations, warm_up.seconds), (3, 500.0));
    assert_eq!(shape(&slow, "duration"), Shape::WarmUp);
    assert!(slow.outliers.is_empty() && slow.recurring.is_none());

    let odd = iterations(1700, |k| match k {
        1234 => 900,
        1500 => 700,
        _ => 100 + k % 5,
    });
    let found: Vec<(u64, f64)> = odd
        .outliers
        .iter()
        .map(|o| (o.iteration, o.seconds))
        .collect();
    assert_eq!(found, [(1234, 900.0), (1500, 700.0)]);
    let begin: u64 = 70 + (0..1234).map(|k| 100 + k % 5).sum::<u64>();
    assert_eq!(odd.outliers[0].at_seconds, begin as f64);
    assert_eq!(shape(&odd, "duration"), Shape::Outliers);
    assert!(odd.warm_up.is_none() && odd.recurring.is_none());
}

#[test]
fn very_many_iterations_have_512_values_and_lose_nothing() {
    let program = with_loop(2, 20_000, |p, k| {
        p.compute(|t| 10 + t as u64 * (k / 4000));
        p.barrier(42);
    });
    let found = analyse(&program.streams()).summary.phases.remove(0);
    assert_eq!(found.iterations, 20_000);
    assert_eq!(found.iterations_per_value, 64);
    let duration = found.metric("duration").unwrap();
    assert_eq!(duration.values.len(), 313);
    assert_eq!(duration.shape, Shape::Growing);
    assert_eq!((found.min_seconds, found.max_seconds), (10.0, 14.0));
    let last = 20_000 - 312 * 64;
    let sum: f64 =
        duration.values[..312].iter().sum::<f64>() * 64.0 + duration.values[312] * f64::from(last);
    assert_eq!(sum, 240_000.0);
    assert!((found.median_seconds - 12.0).abs() < 0.2);
}

#[test]
fn iterations_may_differ_a_little() {
    // Every eighth time, there is output; the inner loop runs as often as it needs to.
    let program = with_loop(2, 64, |p, k| {
        for _ in 0..=(k % 5) {
            p.compute(|_| 10);
            p.barrier(20);
        }
        if k % 8 == 7 {
            p.compute(|_| 3);
            p.barrier(25);
        }
        p.compute(|_| 20);
        p.barrier(30);
    });
    let found = &loops(&program)[0];
    // Each eight iterations are a larger one just as well.
    assert!([8, 64].contains(&found.iterations), "{found:#?}");
    assert!(found.coverage > 0.8);
}

#[test]
fn loops_one_after_the_other_are_all_there() {
    let mut program = Program::new(2);
    program.barrier(5);
    for (line, iterations, length) in [(10, 30, 20), (20, 100, 9), (30, 8, 70)] {
        for _ in 0..iterations {
            program.compute(|_| length);
            program.barrier(line);
        }
    }
    let found: Vec<_> = loops(&program)
        .iter()
        .map(|l| (l.line, l.iterations))
        .collect();
    assert_eq!(found, [(20, 100), (10, 30), (30, 8)]);
}

#[test]
fn no_loop_no_phases() {
    let mut once = Program::new(3);
    for line in 10..60 {
        once.compute(|t| 10 + t as u64);
        once.barrier(line);
    }
    assert!(loops(&once).is_empty());
    // A loop that takes little of the run.
    let little = with_loop(2, 10, |p, _| {
        p.compute(|_| 2);
        p.barrier(42);
    });
    assert!(loops(&little).is_empty());
    let few = with_loop(2, 3, |p, _| {
        p.compute(|_| 1000);
        p.barrier(42);
    });
    assert!(loops(&few).is_empty());
    assert!(loops(&Program::new(2)).is_empty());
}

#[test]
fn a_sequence_at_random_is_no_loop() {
    for seed in 1..60 {
        let mut numbers = Numbers(seed);
        let mut program = Program::new(2);
        let lines = 3 + numbers.below(4);
        for _ in 0..60 + numbers.below(200) {
            let length = 1 + numbers.below(30);
            program.compute(|t| length + t as u64);
            program.barrier(10 + numbers.below(lines) as u32);
        }
        let found = analyse(&program.streams()).summary.phases;
        assert!(found.is_empty(), "{seed}: {found:#?}");
    }
}

#[test]
fn what_was_not_recorded_is_no_iteration() {
    let program = with_loop(2, 30, |p, k| {
        if k == 10 {
            // Five iterations are missing.
            p.without_recording(500, 5, 0);
        }
        p.compute(|_| 100);
        p.barrier(42);
    });
    let found = only(&program);
    // The one in which recording came back is not whole.
    assert_eq!(found.iterations, 29);
    assert_eq!((found.min_seconds, found.max_seconds), (100.0, 100.0));
}

#[test]
fn a_thread_that_ends_early_ends_the_iterations() {
    let program = with_loop(3, 40, |p, _| {
        p.compute(|_| 100);
        p.barrier(42);
    });
    let mut streams = program.streams();
    let mut short = Program::new(3);
    short.compute(|t| 70 + 3 * t as u64);
    short.barrier(5);
    for _ in 0..30 {
        short.compute(|_| 100);
        short.barrier(42);
    }
    streams[1] = short.streams().remove(1);
    let found = analyse(&streams).summary.phases;
    assert_eq!(found[0].iterations, 30);
}

#[test]
fn waiting_for_locks_belongs_to_its_iteration() {
    let program = with_loop(3, 25, |p, k| {
        p.compute(|_| 40);
        p.critical(7, 10 + k);
        p.barrier(42);
    });
    let found = only(&program);
    let waits = &found.metric("lock_contention").unwrap().values;
    let truth: Vec<f64> = (0..25).map(|k| f64::from(10 + k) * 3.0 / 3.0).collect();
    assert_eq!(waits, &truth);
    assert_eq!(shape(&found, "lock_contention"), Shape::Growing);
}

/// A loop of barriers, plain or split, locks and collective operations, with random work between.
fn mixed_loop(threads: usize, iterations: u64, seed: u64) -> Vec<StreamBuilder> {
    let mut program = Program::new(threads);
    program.barrier(5);
    let mut numbers = Numbers(seed);
    let splits = numbers.chance(2);
    for _ in 0..iterations {
        let lengths: Vec<u64> = (0..threads).map(|_| 1 + numbers.below(40)).collect();
        program.compute(|t| lengths[t]);
        if splits {
            program.split_barrier(20, |t| lengths[t] / 2);
        } else {
            program.barrier(20);
        }
        program.critical(3, numbers.below(4));
        program.collective(Operation::Reduce, 30, SyncMode::Mine);
        program.compute(|t| lengths[threads - 1 - t]);
        program.collective(Operation::Broadcast, 31, SyncMode::All);
    }
    program.streams()
}

/// Threads take a lock at the same tick: who took it first must not depend on how the trace is
/// read.
#[test]
fn simultaneous_owners_of_a_lock_have_one_order() {
    let streams = mixed_loop(3, 36, 6950346039875613709);
    let stretch = Stretch {
        events: 1,
        per_thread: 1,
    };
    assert_eq!(
        analyse_in(&streams, stretch).summary,
        analyse(&streams).summary
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// A loop of any repeated activity is found independently of how the trace is read, and is
    /// part of the whole.
    #[test]
    fn a_loop_of_anything_is_part_of_the_run(
        threads in 1usize..5,
        steps in prop::collection::vec((0u8..6, any::<u64>()), 1..6),
        stretch in 1u64..100,
    ) {
        let repeated: Vec<_> = steps.iter().copied().cycle().take(12 * steps.len()).collect();
        let streams = Simulation::run(threads, &repeated).streams;
        let analysis = analyse_in(&streams, Stretch { events: stretch, per_thread: stretch });
        prop_assert_eq!(&analysis.summary, &analyse(&streams).summary);
        for found in &analysis.summary.phases {
            for series in found.series.iter().filter(|s| analysis.cube.metric(&s.metric).is_some()) {
                let whole = crate::common::total(&analysis, &series.metric);
                let sum = series.mean * found.iterations as f64 * threads as f64;
                let is_sum = series.metric != "imbalance";
                prop_assert!(!is_sum || sum <= whole * (1.0 + 1e-9), "{}: {} of {}", series.metric, sum, whole);
            }
        }
    }

    /// Time in the loop and time around it add up to the whole run, class by class.
    #[test]
    fn bins_add_up(threads in 1usize..6, iterations in 4u64..60, seed in any::<u64>(), stretch in 1u64..300) {
        let streams = mixed_loop(threads, iterations, seed);
        let analysis = analyse_in(&streams, Stretch { events: stretch, per_thread: stretch });
        prop_assert_eq!(&analysis.summary, &analyse(&streams).summary);
        let found = &analysis.summary.phases[0];
        prop_assert_eq!(found.iterations, iterations);
        for metric in ["computation", "collective", "barrier", "lock", "lock_contention", "wait_at_barrier",
            "split_phase_wait", "collective_sync_in", "collective_sync_out", "early_gather_receiver"]
        {
            let whole = crate::common::total(&analysis, metric);
            let Some(series) = found.metric(metric) else {
                prop_assert_eq!(whole, 0.0, "{}", metric);
                continue;
            };
            let each = found.iterations_per_value;
            let sum: f64 = series.values.iter().enumerate().map(|(bin, value)| {
                let count = each.min(iterations - bin as u64 * each);
                value * count as f64 * threads as f64
            }).sum();
            prop_assert!((sum - whole).abs() < 1e-6 * whole.max(1.0), "{}: {} of {}", metric, sum, whole);
            prop_assert!((series.mean * iterations as f64 * threads as f64 - whole).abs() < 1e-6 * whole.max(1.0));
        }
    }
}
