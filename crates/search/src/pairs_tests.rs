//! Findings about tasks that are joined by channels, on simulated series. Prints its figures.

use pgas_base::models::Words;
use pgas_monitor::{ChannelNow, Picture, Place, TaskNow, TasksNow};

use crate::pair::{Bottleneck, Slow, Values};
use crate::simulation::{NOISES, Noise, Series};
use crate::tests::picture;
use crate::{Change, Search, shown};

const PERIODS: usize = 2000;
const SCATTER: f64 = 0.04;
/// Load of the slow task, share of time in which the other one does not run, queue, time in send:
/// all well beyond their limits, and close to them on the wrong side.
const HOLDS: [f64; 4] = [0.96, 0.7, 0.8, 0.9];
const FAILS: [f64; 4] = [0.88, 0.48, 0.48, 0.48];

/// Number of periods until a slow consumer is confirmed; `None` if it is not.
fn confirmed(noise: Noise, means: [f64; 4], seed: u64) -> Option<usize> {
    let mut number = 4 * seed;
    let mut series = means.map(|mean| {
        number += 1;
        Series::new(noise, mean, SCATTER, number)
    });
    let mut hypothesis = Bottleneck::new(Slow::Consumer, 0.05);
    (1..=PERIODS).find(|_| {
        let [load, rest, queue, send] = series.each_mut().map(Series::next);
        hypothesis.add(&Values {
            producer: 1.0 - rest,
            consumer: load,
            queue,
            send: Some(send),
            is_bounded: true,
        });
        hypothesis.is_confirmed()
    })
}

#[test]
fn false_alarms_about_tasks_are_rare() {
    for noise in NOISES {
        let runs = 200;
        let wrong = (0..runs).filter(|&seed| {
            let mut means = HOLDS;
            let fails = seed as usize % means.len();
            means[fails] = FAILS[fails];
            confirmed(noise, means, seed).is_some()
        });
        let share = wrong.count() as f64 / runs as f64;
        println!(
            "{noise:?}: {:.1} % of runs with a false alarm",
            100.0 * share
        );
        assert!(share <= 0.05, "{noise:?}: {share}");
    }
}

#[test]
fn slow_tasks_are_found_soon() {
    for noise in NOISES {
        let mut after: Vec<usize> = (0..100)
            .filter_map(|seed| confirmed(noise, HOLDS, seed))
            .collect();
        after.sort_unstable();
        println!(
            "{noise:?}: {} %, median {} periods",
            after.len(),
            after[after.len() / 2]
        );
        assert!(after.len() >= 90 && after[after.len() / 2] < 800);
    }
}

fn place(region: &str, line: u32) -> Place {
    Place {
        region: region.to_owned(),
        file: "src/pipeline.rs".to_owned(),
        line,
    }
}

fn task(task: u64, function: &str, load: f64) -> TaskNow {
    TaskNow {
        task,
        place: place(function, 30),
        thread: task as u32,
        state: "running",
        seconds: 0.1,
        channel: None,
        usual: None,
        computing: load,
        communicating: 0.0,
        load: Some(load),
    }
}

/// A second of a reader that sends through a channel to a smoother with these loads, and waits for
/// this share of the time.
fn second(number: usize, loads: [f64; 2], queued: u64, send: f64) -> Picture {
    let channel = ChannelNow {
        channel: 1,
        place: place("create channel", 28),
        capacity: Some(4),
        senders: vec![1],
        receiver: Some(2),
        sends: 10.0,
        receives: 10.0,
        send_seconds: send,
        receive_seconds: 1.0 - send,
        produced: 10 * number as u64,
        consumed: 10 * number as u64 - queued,
        queued,
        ..ChannelNow::default()
    };
    let tasks = TasksNow {
        tasks: vec![task(1, "reader", loads[0]), task(2, "smoother", loads[1])],
        channels: vec![channel],
        ..TasksNow::default()
    };
    Picture {
        tasks: Some(tasks),
        ..picture(number, "idle", &[0.6, 0.1])
    }
}

fn sentences(changes: &[Change], is_found: bool) -> Vec<String> {
    let all = changes.iter().filter_map(|change| match change {
        Change::Found(finding) if is_found => Some(finding),
        Change::Gone(finding) if !is_found => Some(finding),
        _ => None,
    });
    let all = all.map(|finding| shown(finding, &Words::of(&[])));
    all.filter(|text| text.contains("queue")).collect()
}

#[test]
fn a_consumer_that_cannot_keep_up_is_named_and_dropped_when_it_can() {
    let mut search = Search::default();
    let slow = (1..60).flat_map(|at| search.look(&second(at, [0.1, 0.98], 4, 0.9)));
    let slow: Vec<Change> = slow.collect();
    let expected = "task 2 (smoother) cannot keep up with task 1 (reader): the queue of channel 1 \
                    (pipeline.rs:28) is long, and task 1 (reader) does not run for 90 % of the \
                    time";
    assert_eq!(sentences(&slow, true), [expected]);
    let quick = (60..200).flat_map(|at| search.look(&second(at, [0.6, 0.6], 1, 0.5)));
    assert_eq!(sentences(&quick.collect::<Vec<_>>(), false).len(), 1);
}

#[test]
fn a_producer_that_is_too_slow_is_named() {
    let mut search = Search::default();
    let slow = (1..60).flat_map(|at| search.look(&second(at, [0.98, 0.2], 0, 0.05)));
    let expected = "task 1 (reader) is too slow for task 2 (smoother): the queue of channel 1 \
                    (pipeline.rs:28) is short, and task 2 (smoother) does not run for 80 % of the \
                    time";
    assert_eq!(sentences(&slow.collect::<Vec<_>>(), true), [expected]);
}

#[test]
fn tasks_that_wait_in_turn_are_no_finding() {
    let mut search = Search::default();
    let all = (1..500).flat_map(|at| search.look(&second(at, [0.5, 0.5], at as u64 % 4, 0.5)));
    assert!(sentences(&all.collect::<Vec<_>>(), true).is_empty());
}

#[test]
fn a_finding_goes_with_its_tasks() {
    let mut search = Search::default();
    for at in 1..60 {
        search.look(&second(at, [0.1, 0.98], 4, 0.9));
    }
    let mut ended = second(60, [0.1, 0.98], 4, 0.9);
    if let Some(tasks) = &mut ended.tasks {
        tasks.tasks.remove(0);
    }
    assert_eq!(sentences(&search.look(&ended), false).len(), 1);
}

#[test]
fn idle_processors_are_no_place_in_the_source() {
    let mut search = Search::default();
    let all = (1..60).flat_map(|at| search.look(&second(at, [0.5, 0.5], 2, 0.5)));
    let all: Vec<Change> = all.collect();
    let texts: Vec<String> = all
        .iter()
        .map(|change| match change {
            Change::Found(finding) | Change::Gone(finding) => shown(finding, &Words::of(&[])),
        })
        .collect();
    let idle = "processors have no task that can run for 35 % of the time";
    assert_eq!(texts, ["35 % of the time is not computing", idle]);
}

#[test]
fn senders_that_never_wait_need_no_times() {
    let mut search = Search::default();
    let all = (1..60).flat_map(|at| {
        let mut picture = second(at, [0.1, 0.98], 0, 0.1);
        for channel in picture
            .tasks
            .iter_mut()
            .flat_map(|tasks| &mut tasks.channels)
        {
            (channel.capacity, channel.queued) = (None, 5 * at as u64);
        }
        search.look(&picture)
    });
    let found = sentences(&all.collect::<Vec<_>>(), true);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("cannot keep up"), "{found:?}");
}
