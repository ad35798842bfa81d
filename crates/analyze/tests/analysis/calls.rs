//! Loops whose iterations are calls of a function or a region, since the threads do not synchronise
//! in each of them. One tick is one second.

use crate::common::looping::Program;
use crate::common::numbers::Numbers;
use crate::common::{analyse, analyse_in};
use pgas_analyze::search::Stretch;
use pgas_earl::StreamBuilder;
use pgas_result::phases::{Boundary, Loop, Shape};
use proptest::prelude::*;

fn loops_of(streams: &[StreamBuilder]) -> Vec<Loop> {
    let analysis = analyse(streams);
    let stretch = Stretch {
        events: 100,
        per_thread: 7,
    };
    let other = analyse_in(streams, stretch);
    assert_eq!(other.summary.phases, analysis.summary.phases);
    analysis.summary.phases
}

fn only(streams: &[StreamBuilder]) -> Loop {
    let mut loops = loops_of(streams);
    assert_eq!(loops.len(), 1, "{loops:#?}");
    loops.remove(0)
}

/// Set-up, the loop, output. There is no barrier.
fn with_loop(threads: usize, iterations: u64, body: impl Fn(&mut Program, u64)) -> Program {
    let mut program = Program::new(threads);
    program.function("setup", |p| p.compute(|t| 70 + 3 * t as u64));
    for k in 0..iterations {
        body(&mut program, k);
    }
    program.function("output", |p| p.compute(|_| 50));
    program
}

fn values<'a>(found: &'a Loop, metric: &str) -> &'a [f64] {
    let series = found.metric(metric);
    &series.unwrap_or_else(|| panic!("no {metric}")).values
}

fn shape(found: &Loop, metric: &str) -> Shape {
    found.metric(metric).expect("the metric").shape
}

#[test]
fn steps_that_only_take_locks_are_iterations_to_the_tick() {
    let (threads, iterations) = (4, 30);
    let compute = |t: usize, k: u64| 50 + if t == 3 { 20 + 5 * k } else { 20 };
    let mut program = Program::new(threads);
    program.function("setup", |p| p.compute(|t| 70 + 3 * t as u64));
    let (mut waiting, mut durations) = (Vec::new(), Vec::new());
    for k in 0..iterations {
        let before = program.clocks().to_vec();
        program.function("step", |p| {
            p.compute(|_| 50);
            p.function("merge", |p| p.compute(|t| compute(t, k) - 50));
            p.critical(7, 4);
        });
        let spent: Vec<u64> = program
            .clocks()
            .iter()
            .zip(before)
            .map(|(a, b)| a - b)
            .collect();
        let sum: u64 = spent.iter().sum();
        durations.push(sum as f64 / 4.0);
        let computed: u64 = (0..threads).map(|t| compute(t, k) + 4).sum();
        waiting.push((sum - computed) as f64 / 4.0);
    }
    let found = only(&program.streams());
    assert_eq!(found.boundary, Boundary::Call);
    assert_eq!(
        (found.iterations, found.region.as_str()),
        (iterations, "step")
    );
    assert_eq!(
        (found.function.as_str(), found.body.as_str()),
        ("main", "step")
    );
    assert_eq!(values(&found, "duration"), durations);
    assert_eq!(values(&found, "lock"), waiting);
    assert_eq!(values(&found, "lock_contention"), waiting);
    assert!(waiting.iter().sum::<f64>() > 0.0);
    let imbalance: Vec<f64> = (0..iterations).map(|k| 5.0 * k as f64 * 0.75).collect();
    assert_eq!(values(&found, "imbalance"), imbalance);
    assert_eq!(shape(&found, "imbalance"), Shape::Growing);
    assert_eq!(shape(&found, "computation"), Shape::Growing);
    let slowest = found.slowest.as_ref().unwrap();
    assert_eq!((slowest.thread, slowest.region.as_str()), (3, "merge"));
    assert_eq!((slowest.first_share, slowest.last_share), (1.0, 1.0));
    assert_eq!(found.begin_seconds, 70.0);
    let last = program.clocks().iter().max().unwrap();
    assert_eq!(found.end_seconds, *last as f64);
    assert!((found.mean_seconds - durations.iter().sum::<f64>() / 30.0).abs() < 1e-9);
    // Of any thread.
    assert!(found.min_seconds <= durations[0] && found.max_seconds >= 74.0 + 5.0 * 29.0);
}

#[test]
fn one_sided_steps_of_which_one_thread_has_a_long_one_every_tenth_time() {
    let program = with_loop(4, 200, |p, k| {
        p.function("advance", |p| {
            p.put(12, |t| 10 + 2 * t as u64);
            p.compute(|t| if t == 2 && k % 10 == 9 { 350 } else { 50 });
        });
    });
    let found = only(&program.streams());
    assert_eq!((found.region.as_str(), found.iterations), ("advance", 200));
    let recurring = found.recurring.as_ref().unwrap();
    assert_eq!((recurring.every, recurring.first), (10, 9));
    assert_eq!((recurring.seconds, recurring.others_seconds), (138.0, 63.0));
    assert_eq!(values(&found, "one_sided"), [13.0; 200]);
    assert_eq!((found.min_seconds, found.max_seconds), (60.0, 364.0));
    assert_eq!(found.median_seconds, 63.0);
    assert_eq!(found.slowest.as_ref().unwrap().thread, 2);
}

#[test]
fn regions_of_the_program_are_iterations_as_functions_are() {
    let program = with_loop(3, 40, |p, k| {
        p.region("time step", |p| {
            p.compute(|t| 20 + t as u64 * k);
            p.put(9, |_| 5);
        });
        p.compute(|_| 2);
    });
    let found = only(&program.streams());
    assert_eq!((found.region.as_str(), found.line), ("time step", 77));
    assert_eq!((found.iterations, found.body.as_str()), (40, ""));
    // The time between two of them belongs to the later one.
    let truth: Vec<f64> = (0..40)
        .map(|k| 25.0 + k as f64 + if k > 0 { 2.0 } else { 0.0 })
        .collect();
    assert_eq!(values(&found, "duration"), truth);
}

#[test]
fn random_calls_are_no_loop() {
    for seed in 1..60 {
        let mut numbers = Numbers(seed);
        let mut program = Program::new(3);
        let kinds = 3 + numbers.below(4);
        for _ in 0..40 + numbers.below(200) {
            let name = format!("f{}", numbers.below(kinds));
            let length = 1 + numbers.below(30);
            program.function(&name, |p| {
                p.compute(|t| length + t as u64);
                p.put(3, |_| 2);
            });
        }
        let found = loops_of(&program.streams());
        assert!(found.is_empty(), "{seed}: {found:#?}");
    }
}

#[test]
fn recursion_is_no_loop() {
    fn sort(program: &mut Program, depth: u64) {
        program.function("sort", |p| {
            p.compute(|_| 10);
            if depth > 0 {
                sort(p, depth - 1);
                sort(p, depth - 1);
            }
        });
    }
    let mut program = Program::new(2);
    sort(&mut program, 6);
    assert!(loops_of(&program.streams()).is_empty());
}

fn nested(outer: u64, inner: u64) -> Program {
    with_loop(2, outer, move |p, _| {
        p.function("solve", |p| {
            for _ in 0..inner {
                p.function("sweep", |p| p.compute(|t| 10 + t as u64));
                p.put(30, |_| 1);
            }
        });
        p.function("exchange", |p| p.put(40, |_| 4));
    })
}

#[test]
fn of_nested_calls_the_outer_ones_are_reported_with_the_inner_ones_if_that_says_more() {
    let found = loops_of(&nested(12, 25).streams());
    let named: Vec<_> = found
        .iter()
        .map(|l| (&*l.region, &*l.function, l.iterations))
        .collect();
    assert_eq!(named, [("solve", "main", 12), ("sweep", "solve", 300)]);
    let found = only(&nested(40, 60).streams());
    assert_eq!((found.region.as_str(), found.iterations), ("solve", 40));
}

#[test]
fn calls_that_threads_make_unequally_often_are_no_loop() {
    let mut program = with_loop(3, 30, |p, _| {
        p.function("task", |p| p.compute(|_| 10));
    });
    assert_eq!(only(&program.streams()).iterations, 30);
    program.on(1, |p| p.function("task", |p| p.compute(|_| 10)));
    assert!(loops_of(&program.streams()).is_empty());
}

#[test]
fn where_the_trace_of_a_thread_ends_the_iterations_end() {
    let step = |p: &mut Program, _: u64| {
        p.function("step", |p| {
            p.compute(|t| 100 + t as u64);
            p.put(5, |_| 1);
        });
    };
    let whole = with_loop(3, 40, step);
    let mut early = Program::new(3);
    early.function("setup", |p| p.compute(|t| 70 + 3 * t as u64));
    (0..30).for_each(|k| step(&mut early, k));
    let mut streams = whole.streams();
    // Thread 1 was ended in main, after 30 of 40.
    streams[1] = early.unfinished().remove(1);
    let found = only(&streams);
    assert_eq!(found.iterations, 30);
    assert_eq!(values(&found, "duration"), [102.0; 30]);
    // It left main of its own accord: no loop that all threads run together.
    streams[1] = early.streams().remove(1);
    assert!(loops_of(&streams).is_empty());
    // All were ended at once, while they were in different calls.
    let cut: Vec<StreamBuilder> = whole
        .unfinished()
        .iter()
        .enumerate()
        .map(|(thread, stream)| {
            // Two events into a call.
            let last = 3 + 4 * (35 - 2 * thread) + 2;
            let mut cut = StreamBuilder::new();
            for site in stream.sites() {
                cut.enter(0, site.clone(), pgas_trace::model::Attributes::None);
            }
            cut.take_events();
            for event in &stream.events()[..last] {
                cut.push(event.time, event.kind);
            }
            cut
        })
        .collect();
    assert_eq!(only(&cut).iterations, 31);
}

#[test]
fn where_recording_is_off_the_iterations_end() {
    let program = with_loop(2, 30, |p, k| {
        if k == 20 {
            p.without_recording(500, 0, 0);
        }
        p.function("step", |p| p.compute(|_| 100));
    });
    let found = only(&program.streams());
    assert_eq!(found.iterations, 20);
    assert_eq!((found.min_seconds, found.max_seconds), (100.0, 100.0));
    // Calls that begin later are counted.
    let mut program = Program::new(2);
    program.without_recording(100, 0, 0);
    for _ in 0..12 {
        program.function("step", |p| p.compute(|_| 100));
    }
    assert_eq!(only(&program.streams()).iterations, 12);
}

#[test]
fn a_barrier_in_each_iteration_tells_more_than_the_call() {
    let program = with_loop(3, 40, |p, _| {
        p.function("step", |p| {
            p.compute(|t| 10 + t as u64);
            p.barrier(20);
        });
    });
    let found = only(&program.streams());
    // Nothing synchronises the threads before the first one.
    assert_eq!((found.line, found.iterations), (20, 39));
    assert_eq!(found.body, "step");
}

#[test]
fn a_barrier_now_and_then_does_not_hide_the_calls() {
    let program = with_loop(3, 60, |p, k| {
        p.function("step", |p| p.compute(|t| 10 + t as u64));
        if k % 6 == 5 {
            p.function("check", |p| p.barrier(20));
        }
    });
    let found = loops_of(&program.streams());
    let named: Vec<_> = found.iter().map(|l| (&*l.region, l.iterations)).collect();
    assert_eq!(named, [("step", 60), ("upc_barrier", 9)]);
    assert_eq!(found[0].boundary, Boundary::Call);
    // Waiting at the barrier belongs to the step after it.
    let waits = values(&found[0], "wait_at_barrier");
    let waiting: Vec<usize> = (0..60).filter(|&k| waits[k] > 0.0).collect();
    assert_eq!(waiting, [6, 12, 18, 24, 30, 36, 42, 48, 54]);
    // At the first one, for what the set-up takes longer on some threads, too.
    assert_eq!(waits[6], 9.0);
    assert!(waiting[1..].iter().all(|&k| waits[k] == 6.0), "{waits:?}");
}

#[test]
fn what_is_called_twice_in_each_iteration_has_a_period_of_two() {
    // Another function tells the iterations.
    let program = with_loop(2, 30, |p, _| {
        p.function("exchange", |p| p.put(3, |_| 5));
        p.function("inner", |p| p.compute(|_| 40));
        p.function("exchange", |p| p.put(3, |_| 5));
        p.function("border", |p| p.compute(|_| 10));
    });
    let found = only(&program.streams());
    assert_eq!((found.region.as_str(), found.iterations), ("inner", 30));
    // Nothing but the lengths tells them.
    let program = with_loop(2, 30, |p, _| {
        for length in [10, 30] {
            p.function("half", |p| p.compute(|_| length));
        }
    });
    let found = only(&program.streams());
    assert_eq!((found.region.as_str(), found.iterations), ("half", 60));
    let recurring = found.recurring.as_ref().unwrap();
    assert_eq!((recurring.every, recurring.first), (2, 1));
}

#[test]
fn very_many_calls_lose_nothing_but_what_is_less_than_a_value() {
    let iterations = 20_001u64;
    let program = with_loop(2, iterations, |p, k| {
        p.function("step", |p| p.compute(|t| 10 + t as u64 * (k / 4000)));
    });
    let found = analyse(&program.streams()).summary.phases.remove(0);
    assert_eq!(
        (found.iterations, found.iterations_per_value),
        (iterations, 128)
    );
    let duration = values(&found, "duration");
    assert_eq!(duration.len(), 20_001 / 128);
    assert_eq!(shape(&found, "duration"), Shape::Growing);
    for (bin, value) in duration.iter().enumerate() {
        let bin = bin as u64 * 128;
        let truth: u64 = (bin..bin + 128).map(|k| 20 + k / 4000).sum();
        assert_eq!(*value, truth as f64 / 256.0, "{bin}");
    }
    let imbalance = values(&found, "imbalance");
    assert_eq!((imbalance[10], imbalance[155]), (0.0, 2.0));
    assert_eq!((found.min_seconds, found.max_seconds), (10.0, 15.0));
    let all: u64 = (0..iterations).map(|k| 20 + k / 4000).sum();
    let mean = all as f64 / 2.0 / iterations as f64;
    assert!((found.mean_seconds - mean).abs() < 1e-9);
}

#[test]
fn calls_of_which_there_are_no_single_ones_any_more_take_little() {
    // Many functions are called before the one that matters.
    let mut program = Program::new(2);
    for number in 0..200 {
        program.function(&format!("init{number}"), |p| p.compute(|_| 1));
    }
    for _ in 0..50 {
        program.function("step", |p| p.compute(|t| 20 + t as u64));
    }
    assert_eq!(only(&program.streams()).region, "step");
    // A function that takes little of the time between its calls.
    let rare = with_loop(2, 6, |p, _| {
        p.function("progress", |p| p.compute(|_| 1));
        p.compute(|_| 100);
    });
    assert!(loops_of(&rare.streams()).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// The figures of the steps add up to the activity of the threads, for any activity in the
    /// steps and any way of reading the trace.
    #[test]
    fn steps_add_up(threads in 1usize..6, iterations in 4u64..60, seed in any::<u64>(), stretch in 1u64..300) {
        let mut numbers = Numbers(seed);
        let mut program = Program::new(threads);
        program.function("setup", |p| p.compute(|t| 1 + t as u64));
        for k in 0..iterations {
            let lengths: Vec<u64> = (0..threads).map(|_| 1 + numbers.below(40)).collect();
            let (held, sent) = (1 + numbers.below(4), numbers.below(9));
            program.function("step", |p| {
                p.compute(|t| lengths[t]);
                p.critical(3, held);
                p.put(4, |_| sent);
                if k % 7 == 3 {
                    p.barrier(5);
                }
            });
        }
        let streams = program.streams();
        let analysis = analyse_in(&streams, Stretch { events: stretch, per_thread: stretch });
        prop_assert_eq!(&analysis.summary.phases, &analyse(&streams).summary.phases);
        let Some(found) = analysis.summary.phases.iter().find(|l| l.boundary == Boundary::Call) else {
            // Few barriers tell less than calls, but many tell more.
            prop_assert!(analysis.summary.phases[0].iterations >= 20, "{:#?}", analysis.summary.phases);
            return Ok(());
        };
        prop_assert_eq!(found.iterations, iterations);
        for metric in ["one_sided", "barrier", "lock", "lock_contention", "wait_at_barrier"] {
            let whole = crate::common::total(&analysis, metric);
            let sum = found.metric(metric).map_or(0.0, |s| s.values.iter().sum::<f64>() * threads as f64);
            prop_assert!((sum - whole).abs() < 1e-6 * whole.max(1.0), "{}: {} of {}", metric, sum, whole);
        }
    }
}
