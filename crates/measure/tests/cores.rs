//! A thread that loses its core: what the recorder says of that is what the kernel says, in the
//! function in which it happened, and the rest of the time is what the thread had.

#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;
mod support;

use std::collections::BTreeMap;

use not_tested::not_tested;
use pgas_trace::model::{EventKind, Operation, ProfileScope};
use pgas_trace::{Experiment, Stream};
use support::{Numbering, compile, expect_quiet, sums};

/// Of one function, in nanoseconds.
#[derive(Debug, Clone, Copy)]
struct Truth {
    wall: u64,
    cpu: u64,
    /// `None` where the kernel does not count it.
    without: Option<u64>,
}

/// Runs the program beside `others` that want the same core.
fn run(others: u32, settings: &[(&str, &str)]) -> (Experiment, BTreeMap<String, Truth>) {
    let program = compile("busy.c", Numbering::Embedded);
    let mut command = program.default_command(1);
    command
        .arg(others.to_string())
        .env("PGAS_NO_CORE", "1")
        .envs(settings.iter().copied());
    let output = command.output().unwrap();
    expect_quiet(&output);
    let text = String::from_utf8(output.stdout).unwrap();
    let truth = text.lines().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |index: usize| words[index].parse::<i64>().unwrap();
        let truth = Truth {
            wall: number(1) as u64,
            cpu: number(2) as u64,
            without: u64::try_from(number(3)).ok(),
        };
        (words[0].to_owned(), truth)
    });
    (program.open(), truth.collect())
}

/// Nanoseconds of a tick.
fn rate(experiment: &Experiment) -> f64 {
    experiment.clock().seconds_per_tick() * 1e9
}

/// By function: ticks without a core in it, and the longest such time.
fn found(stream: &Stream) -> BTreeMap<String, u64> {
    let mut open: Vec<(String, u64)> = Vec::new();
    let mut without = BTreeMap::new();
    for event in stream.events() {
        let event = event.unwrap();
        match event.kind {
            EventKind::Enter { site, .. } => {
                let site = stream.site(site);
                let name = match site.operation {
                    Operation::NoCore => "no core".to_owned(),
                    _ => site.name.clone(),
                };
                open.push((name, event.time));
            }
            EventKind::Exit { .. } => {
                let (name, begin) = open.pop().unwrap();
                if name == "no core" {
                    let function = open.last().map_or("none", |(name, _)| name);
                    *without.entry(function.to_owned()).or_insert(0) += event.time - begin;
                }
            }
        }
    }
    without
}

/// `found` is what was lost in all, up to what is lost in gaps that are too short.
fn assert_close(found: f64, truth: &Truth, what: &str) {
    let Some(without) = truth.without else {
        assert_eq!(found, 0.0, "{what}: the kernel counts nothing");
        not_tested("time without a core, as recorded: the kernel does not count it");
        return;
    };
    let without = without as f64;
    // Readings are not of quite the same moment.
    assert!(found <= without + 2e6, "{what}: {found} of {truth:?}");
    assert!(found >= 0.9 * without - 2e6, "{what}: {found} of {truth:?}");
    // The remaining time is that in which the thread had a core.
    let had = truth.wall as f64 - found;
    assert!(had <= 1.1 * truth.cpu as f64 + 0.1 * without + 2e6 || what == "rest");
}

#[test]
fn a_lost_core_is_seen_where_it_was_lost() {
    let (experiment, truth) = run(3, &[("PGAS_THROTTLE", "off")]);
    let stream = &experiment.streams()[0];
    let rate = rate(&experiment);
    let found = found(stream);
    let of = |name: &str| found.get(name).copied().unwrap_or(0) as f64 * rate;
    assert_close(of("compute"), &truth["compute"], "compute");
    assert_close(of("rest"), &truth["rest"], "rest");
    // The core is lost in the small functions or between them.
    assert_close(of("many") + of("tiny"), &truth["many"], "many");
    let truth = &truth["compute"];
    if truth.without.is_some() {
        assert!(
            of("compute") > 0.5 * truth.wall as f64,
            "{truth:?}: three others want the core"
        );
    }
    let used = stream.core_use().unwrap();
    let all: f64 = found.values().sum::<u64>() as f64 * rate;
    if let Some(wait) = used.run_queue_wait {
        assert!(
            all <= wait as f64 + 2e6 && all >= 0.85 * wait as f64 - 2e6,
            "{all} of {used:?}"
        );
        assert!(used.share_with_core().unwrap() < 0.5, "{used:?}");
    }
}

/// Sums have it, too.
#[test]
fn a_lost_core_is_not_the_time_of_a_function_in_a_profile() {
    let (experiment, truth) = run(3, &[("PGAS_MODE", "profile")]);
    let stream = &experiment.streams()[0];
    let sums = sums(stream, ProfileScope::Beyond);
    let ticks = |path: &str| sums.get(path).map_or(0, |sums| sums.ticks) as f64 * rate(&experiment);
    assert_close(ticks("main/compute/NoCore"), &truth["compute"], "compute");
    assert_close(ticks("main/rest/NoCore"), &truth["rest"], "rest");
    let many = ticks("main/many/NoCore") + ticks("main/many/tiny/NoCore");
    assert_close(many, &truth["many"], "many");
}

/// Of throttled calls a sample is timed. One that lost its core must not stand for sixty others
/// that did not.
#[test]
fn a_sample_that_lost_its_core_is_not_scaled_up() {
    let (experiment, truth) = run(3, &[("PGAS_THROTTLE", "1000,100000")]);
    let stream = &experiment.streams()[0];
    let sums = sums(stream, ProfileScope::Within);
    let tiny = &sums["main/many/tiny"];
    assert!(tiny.calls > 50_000, "{tiny:?}");
    let each = tiny.ticks as f64 / tiny.timed_calls as f64;
    let all = each * tiny.calls as f64 * rate(&experiment);
    let truth = &truth["many"];
    if truth.without.is_some() {
        assert!(all <= 1.1 * truth.cpu as f64 + 2e6, "{all} of {truth:?}");
    }
}

#[test]
fn nothing_is_noted_if_nobody_wants_it() {
    let (experiment, _) = run(1, &[("PGAS_NO_CORE", "0")]);
    assert_eq!(found(&experiment.streams()[0]), BTreeMap::new());
}
