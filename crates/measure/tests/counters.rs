//! Counters at the boundaries of regions: a program that touches a known number of fresh pages has
//! as many page faults, and they are found where it did so.
//!
//! Where the system does not allow counters at all (many containers), the same runs must say so and
//! be complete without them.

#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;
mod support;

use std::collections::BTreeMap;
use std::process::Output;
use std::time::{Duration, Instant};

use not_tested::not_tested;
use pgas_measure::counters::check;
use pgas_trace::model::{CallSums, ProfileScope};
use pgas_trace::{Experiment, Stream};
use support::{Numbering, Program, compile, expect_quiet, property, recorded_paths, sums};

fn program() -> Program {
    compile("counters.c", Numbering::Embedded)
}

fn run(arguments: &[&str], settings: &[(&str, &str)]) -> (Output, Experiment) {
    let program = program();
    let mut command = program.default_command(1);
    command
        .args(arguments)
        .env("PGAS_COUNTERS", "page-faults")
        .envs(settings.iter().copied());
    let output = command.output().unwrap();
    expect_quiet(&output);
    (output, program.open())
}

/// Whether page faults can be counted here. If not, the stream must say why, and have no counters.
fn can_count(stream: &Stream) -> bool {
    let available = check(["page-faults"]);
    if available.refused.is_empty() {
        let counters = property(stream, "counters");
        assert_eq!(counters.as_deref(), Some(available.usable[0].as_str()));
        return true;
    }
    let refused = property(stream, "counters_refused").expect("the stream says what was refused");
    assert!(refused.contains("page-faults"), "{refused}");
    assert_eq!(property(stream, "counters"), None);
    for profile in stream.profiles() {
        assert_eq!(profile.unwrap().counters, [""; 0]);
    }
    not_tested("what counters count: this system allows none");
    false
}

/// The recorder itself touches some pages for the first time.
const OF_RECORDER: u64 = 24;

#[track_caller]
fn expect_faults(sums: &BTreeMap<String, CallSums>, expected: &[(&str, u64)]) {
    for (path, faults) in expected {
        let sums = sums.get(*path).unwrap_or_else(|| panic!("no {path}"));
        let found = sums.counters[0];
        assert!(
            (*faults..=faults + OF_RECORDER).contains(&found),
            "{path}: {found} page faults, not {faults}"
        );
    }
}

const TOUCHED: [(&str, u64); 4] = [
    ("main", 5500),
    ("main/outer", 5500),
    ("main/outer/inner", 2000),
    ("main/outer/Barrier", 500),
];

#[test]
fn page_faults_are_found_where_they_happened() {
    let (_, experiment) = run(&["touch", "10"], &[]);
    let stream = &experiment.streams()[0];
    // The trace is what it is without counters.
    let paths = recorded_paths(stream);
    assert_eq!((paths["main/outer"], paths["main/outer/inner"]), (10, 20));
    if can_count(stream) {
        let counted = sums(stream, ProfileScope::Counters);
        expect_faults(&counted, &TOUCHED);
        // Calls and times are those of the trace.
        assert!(
            counted
                .values()
                .all(|sums| (sums.calls, sums.ticks) == (0, 0))
        );
    }
}

#[test]
fn a_profile_has_counters_beside_its_calls() {
    let (_, experiment) = run(&["touch", "10"], &[("PGAS_MODE", "profile")]);
    let stream = &experiment.streams()[0];
    let all = sums(stream, ProfileScope::Beyond);
    assert_eq!(
        (all["main/outer"].calls, all["main/outer/inner"].calls),
        (10, 20)
    );
    if can_count(stream) {
        expect_faults(&all, &TOUCHED);
    }
    assert!(sums(stream, ProfileScope::Counters).is_empty());
}

/// After the limit of the trace, sums of calls and counters go on together.
#[test]
fn nothing_is_lost_at_the_trace_limit() {
    let limit = [("PGAS_TRACE_LIMIT", "1"), ("PGAS_BUFFER", "4096")];
    let (_, experiment) = run(&["touch", "1000"], &limit);
    let stream = &experiment.streams()[0];
    assert!(stream.limit_reached());
    let (traced, beyond) = (
        sums(stream, ProfileScope::Counters),
        sums(stream, ProfileScope::Beyond),
    );
    let calls = recorded_paths(stream)["main/outer/inner"] + beyond["main/outer/inner"].calls;
    assert_eq!(calls, 2000);
    if can_count(stream) {
        let path = "main/outer/inner";
        let faults = traced[path].counters[0] + beyond[path].counters[0];
        assert!(
            (200_000..200_000 + OF_RECORDER).contains(&faults),
            "{faults}"
        );
    }
}

#[test]
fn while_recording_is_off_nothing_is_counted() {
    for mode in ["trace", "profile"] {
        let (_, experiment) = run(&["off"], &[("PGAS_MODE", mode)]);
        let stream = &experiment.streams()[0];
        if can_count(stream) {
            let scope = match mode {
                "trace" => ProfileScope::Counters,
                _ => ProfileScope::Beyond,
            };
            expect_faults(&sums(stream, scope), &[("main", 200), ("main/inner", 200)]);
        }
    }
}

#[test]
fn regions_that_are_left_without_notice_keep_what_they_counted() {
    let (_, experiment) = run(&["jump", "10"], &[]);
    let stream = &experiment.streams()[0];
    if can_count(stream) {
        let counted = sums(stream, ProfileScope::Counters);
        let expected = [("main/catcher", 1000), ("main/catcher/thrower", 1000)];
        expect_faults(&counted, &expected);
    }
}

/// Throttled calls are not read at, and what is counted in them stays with the caller.
#[test]
fn throttled_calls_disturb_nothing() {
    let settings = [("PGAS_THROTTLE", "1000,10000")];
    let (_, experiment) = run(&["tiny", "100000"], &settings);
    let stream = &experiment.streams()[0];
    assert!(sums(stream, ProfileScope::Within)["main/tiny"].calls >= 90_000);
    if can_count(stream) {
        let counted = sums(stream, ProfileScope::Counters);
        expect_faults(&counted, &[("main", 550), ("main/outer/inner", 200)]);
    }
}

/// Files that the program opens under the numbers of the counters' descriptors are not touched.
#[test]
fn a_program_may_close_what_it_does_not_know() {
    let program = program();
    let mut command = program.default_command(1);
    command.arg("close").env("PGAS_COUNTERS", "page-faults");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n");
}

#[test]
fn unknown_counters_are_named_and_the_others_counted() {
    let names = [("PGAS_COUNTERS", "nonsense,page-faults")];
    let (_, experiment) = run(&["touch"], &names);
    let stream = &experiment.streams()[0];
    let refused = property(stream, "counters_refused").unwrap();
    assert!(
        refused.contains("nonsense: there is no counter"),
        "{refused}"
    );
    if can_count_beside_nonsense(stream) {
        let counted = sums(stream, ProfileScope::Counters);
        expect_faults(&counted, &[("main/outer/inner", 200)]);
    }
}

fn can_count_beside_nonsense(stream: &Stream) -> bool {
    let can = check(["page-faults"]).refused.is_empty();
    assert_eq!(can, property(stream, "counters").is_some());
    can
}

#[test]
fn a_killed_program_leaves_its_counters() {
    let program = program();
    let mut command = program.default_command(1);
    let mut child = command
        .arg("kill")
        .env("PGAS_COUNTERS", "page-faults")
        .spawn()
        .unwrap();
    // Blocks come once a second.
    let begin = Instant::now();
    let is_ready = || {
        let Ok(experiment) = Experiment::open(&program.experiment()) else {
            return false;
        };
        let stream = &experiment.streams()[0];
        stream.profile_range().is_some() || property(stream, "counters_refused").is_some()
    };
    while !is_ready() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    assert!(!stream.complete());
    if can_count(stream) {
        let counted = sums(stream, ProfileScope::Counters);
        let faults = counted["main/outer/inner"].counters[0];
        assert!(faults >= 200, "{faults}");
    }
}
