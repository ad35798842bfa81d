//! Calls that are too many to be recorded one by one are all counted, where they were made, and
//! what is recorded beside them stays what it was.

mod support;

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

use pgas_trace::model::{CallSums, ProfileScope};
use pgas_trace::{Experiment, Stream};
use support::{
    Numbering, Program, calls_of, compile, expect_quiet, open_at_end, property, recorded_paths,
    stalls, sums,
};

fn program() -> Program {
    compile("throttle.c", Numbering::Embedded)
}

/// Runs `what` with these settings. The experiment has one complete stream.
fn run(arguments: &[&str], settings: &[(&str, &str)]) -> (Output, Experiment) {
    let program = program();
    let mut command = program.default_command(3);
    command.args(arguments).envs(settings.iter().copied());
    let output = command.output().unwrap();
    expect_quiet(&output);
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    assert!(stream.complete());
    assert_eq!(stream.lost_events(), 0);
    (output, experiment)
}

/// Calls on each path, recorded or counted.
fn all_calls(stream: &Stream) -> BTreeMap<String, u64> {
    let mut calls = recorded_paths(stream);
    for (path, sums) in sums(stream, ProfileScope::Within) {
        if sums.calls > 0 {
            *calls.entry(path).or_default() += sums.calls;
        }
    }
    calls
}

fn expect_calls(stream: &Stream, expected: &[(&str, u64)]) {
    let found = all_calls(stream);
    let expected = expected
        .iter()
        .map(|(path, calls)| (path.to_string(), *calls));
    assert_eq!(found, expected.collect());
}

fn recorded(stream: &Stream, path: &str) -> u64 {
    recorded_paths(stream).get(path).copied().unwrap_or(0)
}

/// Runs `what`, after which the program kills itself.
fn run_killed(arguments: &[&str], settings: &[(&str, &str)]) -> Experiment {
    let program = program();
    let mut command = program.default_command(3);
    command.args(arguments).arg("kill");
    let output = command.envs(settings.iter().copied()).output().unwrap();
    assert_eq!(output.status.signal(), Some(libc::SIGKILL), "{output:?}");
    program.open()
}

/// Sums, too, outlive the process.
#[test]
fn a_kill_takes_no_calls() {
    for settings in [
        &[][..],
        &[SOON],
        &[SOON, ("PGAS_SYNC_IO", "1")],
        &[SOON, ("PGAS_FILES", "node"), ("PGAS_COMPRESS", "none")],
    ] {
        let experiment = run_killed(&["tiny", "1000007"], settings);
        let stream = &experiment.streams()[0];
        assert!(recorded(stream, "main/tiny") < 1_000_000, "it is throttled");
        expect_calls(stream, &[("main", 1), ("main/tiny", 1_000_007)]);
        let experiment = run_killed(&["fibonacci", "20"], settings);
        let calls: u64 = all_calls(&experiment.streams()[0]).values().sum();
        assert_eq!(calls, 1 + 21_891, "{settings:?}");
    }
    // Every 1000th call of the caller is in the trace, since it has a barrier inside.
    let experiment = run_killed(&["nested", "50001"], &[SOON]);
    expect_calls(
        &experiment.streams()[0],
        &[
            ("main", 1),
            ("main/caller", 50_001),
            ("main/caller/tiny", 50_001),
            ("main/caller/Barrier", 50),
        ],
    );
    let experiment = run_killed(&["transfers", "20001"], &[SOON]);
    let stream = &experiment.streams()[0];
    let sums = sums(stream, ProfileScope::Within);
    let [near, far] = [1, 2].map(|partner| &sums[&format!("main/Memput with {partner}")]);
    assert_eq!((near.bytes, far.bytes), (10 * near.calls, 20 * far.calls));
    let calls = near.calls + far.calls + recorded(stream, "main/Memput");
    assert_eq!(calls, 20_001);
}

/// More call paths than the first piece of memory holds.
#[test]
fn a_kill_takes_no_calls_of_any_path() {
    let settings = [("PGAS_MODE", "profile")];
    let experiment = run_killed(&["deep", "5000"], &settings);
    let sums = sums(&experiment.streams()[0], ProfileScope::Beyond);
    assert_eq!(sums.len(), 5001);
    assert!(sums.values().all(|sums| sums.calls == 1));
}

/// Without a trace, and after its end, the sums up to the kill are whole, and regions that are open
/// have their time.
#[test]
fn a_kill_takes_no_profile() {
    for settings in [
        &[("PGAS_MODE", "profile")][..],
        &[("PGAS_TRACE_LIMIT", "20000"), ("PGAS_THROTTLE", "off")],
    ] {
        let experiment = run_killed(&["nested", "300007"], settings);
        let stream = &experiment.streams()[0];
        let mut calls = recorded_paths(stream);
        let sums = sums(stream, ProfileScope::Beyond);
        for (path, sums) in &sums {
            *calls.entry(path.clone()).or_default() += sums.calls;
        }
        let main = calls["main"];
        // A region that is open where the trace ends is in both.
        assert!((1..=2).contains(&main), "{calls:?}");
        for (path, expected) in [("main/caller", 300_007), ("main/caller/tiny", 300_007)] {
            assert!(
                (expected..=expected + 1).contains(&calls[path]),
                "{calls:?}"
            );
        }
        let ticks = |path: &str| sums[path].ticks;
        assert!(ticks("main") >= ticks("main/caller"), "{sums:?}");
        assert!(ticks("main/caller") >= ticks("main/caller/tiny"));
        let profiles = stream.profiles().map(Result::unwrap);
        let span: u64 = profiles.map(|p| p.last_time - p.first_time).sum();
        assert!(ticks("main") <= span, "{} of {span}", ticks("main"));
        assert!(
            10 * ticks("main") >= 9 * span,
            "{} of {span}",
            ticks("main")
        );
    }
}

const SOON: (&str, &str) = ("PGAS_THROTTLE", "1000,10000");

#[test]
fn a_million_tiny_calls_make_a_small_trace() {
    let (_, experiment) = run(&["tiny", "3000000"], &[]);
    let stream = &experiment.streams()[0];
    expect_calls(stream, &[("main", 1), ("main/tiny", 3_000_000)]);
    let recorded = recorded(stream, "main/tiny");
    // A very slow machine may need more than one look.
    assert!(
        recorded % 100_000 == 0 && recorded < 3_000_000,
        "{recorded}"
    );
    let sums = &sums(stream, ProfileScope::Within)["main/tiny"];
    // One in 32.5 on average.
    let between = sums.calls as f64 / sums.timed_calls as f64;
    assert!((31.0..34.0).contains(&between), "{between}");
    assert_eq!(property(stream, "throttle").as_deref(), Some("100000,10"));
    assert_eq!(property(stream, "mode").as_deref(), Some("trace"));
    for cost in ["event_cost", "clock_cost", "throttled_cost"] {
        let picoseconds: u64 = property(stream, cost).unwrap().parse().unwrap();
        assert!(
            (1..1_000_000_000).contains(&picoseconds),
            "{cost} {picoseconds}"
        );
    }
}

#[test]
fn throttling_can_be_switched_off() {
    let (_, experiment) = run(&["tiny", "200000"], &[("PGAS_THROTTLE", "off")]);
    let stream = &experiment.streams()[0];
    assert_eq!(recorded(stream, "main/tiny"), 200_000);
    assert_eq!(stream.profiles().len(), 0);
    assert_eq!(property(stream, "throttle").as_deref(), Some("off"));
}

/// Calls that are long enough are not throttled, however many.
#[test]
fn only_short_calls_are_throttled() {
    let (_, experiment) = run(&["spin", "5000"], &[("PGAS_THROTTLE", "1000,1")]);
    assert_eq!(recorded(&experiment.streams()[0], "main/spin"), 5000);
}

/// Neither are operations that wait for other threads, however short.
#[test]
fn what_wait_states_are_found_from_is_not_throttled() {
    let (_, experiment) = run(&["barriers", "5000"], &[SOON]);
    assert_eq!(recorded(&experiment.streams()[0], "main/Barrier"), 5000);
}

#[test]
fn what_is_recorded_inside_of_a_counted_call_keeps_its_path() {
    let (_, experiment) = run(&["nested", "50000"], &[SOON]);
    let stream = &experiment.streams()[0];
    expect_calls(
        stream,
        &[
            ("main", 1),
            ("main/caller", 50_000),
            ("main/caller/Barrier", 50),
            ("main/caller/tiny", 50_000),
        ],
    );
    // The first thousand, and one around each barrier after them.
    assert!((1049..=1051).contains(&recorded(stream, "main/caller")));
    assert_eq!(recorded(stream, "main/caller/tiny"), 1000);
    assert_eq!(open_at_end(stream), Vec::<String>::new());
}

#[test]
fn recursion_is_counted_at_every_depth() {
    let (output, experiment) = run(&["fibonacci", "20"], &[SOON]);
    let calls: u64 = String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .unwrap();
    let stream = &experiment.streams()[0];
    let found = all_calls(stream);
    let total: u64 = found
        .iter()
        .filter(|(path, _)| path.ends_with("fibonacci"))
        .map(|(_, calls)| calls)
        .sum();
    assert_eq!(total, calls);
    // At the second level there are two calls, at the third four.
    let path = |depth: usize| format!("main{}", "/fibonacci".repeat(depth));
    assert_eq!([1, 2, 3].map(|depth| found[&path(depth)]), [1, 2, 4]);
    assert!(recorded_paths(stream).values().sum::<u64>() < 5000);
    assert_eq!(open_at_end(stream), Vec::<String>::new());
}

/// A site is throttled while hundreds of its calls are open.
#[test]
fn calls_in_progress_end_as_they_began() {
    let (_, experiment) = run(&["deep", "1500"], &[SOON]);
    let stream = &experiment.streams()[0];
    assert_eq!(calls_of(stream, "deep"), 1500);
    assert_eq!(open_at_end(stream), Vec::<String>::new());
}

/// More regions are open than the recorder can keep: the calls that are not in the trace are
/// counted.
#[test]
fn calls_beyond_the_largest_depth_are_counted() {
    let (_, experiment) = run(&["deep", "1048600"], &[("PGAS_THROTTLE", "off")]);
    let stream = &experiment.streams()[0];
    let profiles = stream.profiles().map(|profile| profile.expect("sums"));
    let unplaced: u64 = profiles.map(|profile| profile.unplaced_calls).sum();
    // With `main`, and one is kept free for a stall of the recorder.
    assert_eq!(unplaced, 1_048_600 + 1 - ((1 << 20) - 1));
    assert_eq!(open_at_end(stream), Vec::<String>::new());
}

#[test]
fn calls_that_are_left_by_longjmp_are_counted() {
    let (_, experiment) = run(&["jumps", "30000"], &[SOON]);
    expect_calls(
        &experiment.streams()[0],
        &[
            ("main", 1),
            ("main/catcher", 30_000),
            ("main/catcher/jumper", 30_000),
            ("main/catcher/jumper/thrower", 30_000),
        ],
    );
}

#[test]
fn bytes_of_counted_transfers_are_exact_for_each_partner() {
    let (_, experiment) = run(&["transfers", "20000"], &[SOON]);
    let stream = &experiment.streams()[0];
    let sums = sums(stream, ProfileScope::Within);
    assert_eq!(recorded(stream, "main/Memput"), 1000);
    for (partner, bytes) in [(1, 10), (2, 20)] {
        let with = &sums[&format!("main/Memput with {partner}")];
        assert_eq!((with.calls, with.bytes), (9500, 9500 * bytes));
        assert!(with.timed_calls > 0);
    }
}

#[test]
fn nothing_is_counted_while_recording_is_off() {
    for mode in ["trace", "profile"] {
        let (_, experiment) = run(&["off", "5000"], &[SOON, ("PGAS_MODE", mode)]);
        let stream = &experiment.streams()[0];
        let scope = match mode {
            "trace" => ProfileScope::Within,
            _ => ProfileScope::Beyond,
        };
        let mut calls = recorded_paths(stream);
        for (path, sums) in sums(stream, scope) {
            *calls.entry(path).or_default() += sums.calls;
        }
        let expected = [
            ("main", 1),
            ("main/during", 1),
            ("main/during/tiny", 5000),
            ("main/tiny", 5000),
        ];
        let expected = expected.map(|(path, calls)| (path.to_owned(), calls));
        assert_eq!(calls, BTreeMap::from(expected), "{mode}");
    }
}

/// Each call takes 2 microseconds at least, and none longer than the longest that the program saw.
#[test]
fn sampled_times_are_those_of_the_calls() {
    for mode in ["trace", "profile"] {
        let (output, experiment) = run(&["spin", "6000"], &[SOON, ("PGAS_MODE", mode)]);
        let longest: f64 = String::from_utf8_lossy(&output.stdout)
            .trim()
            .parse()
            .unwrap();
        let stream = &experiment.streams()[0];
        let (scope, timed) = match mode {
            "trace" => (ProfileScope::Within, 100..250),
            _ => (ProfileScope::Beyond, 6000..6001),
        };
        let sums = &sums(stream, scope)["main/spin"];
        assert!(timed.contains(&sums.timed_calls), "{sums:?}");
        let seconds = experiment.clock().duration(sums.ticks) / sums.timed_calls as f64;
        let bounds = 1950e-9..1.01e-9 * longest + 50e-9;
        assert!(bounds.contains(&seconds), "{mode}: {seconds} {longest}");
    }
}

#[test]
fn a_profile_has_all_calls_times_and_bytes_and_no_events() {
    let (_, experiment) = run(&["transfers", "20000"], &[("PGAS_MODE", "profile")]);
    let stream = &experiment.streams()[0];
    assert_eq!(stream.event_count(), 0);
    assert_eq!(property(stream, "mode").as_deref(), Some("profile"));
    let sums_ = sums(stream, ProfileScope::Beyond);
    let of = |path: &str| {
        let sums = &sums_[path];
        (sums.calls, sums.timed_calls, sums.bytes)
    };
    assert_eq!(of("main"), (1, 1, 0));
    assert_eq!(of("main/Memput with 1"), (10_000, 10_000, 100_000));
    assert_eq!(of("main/Memput with 2"), (10_000, 10_000, 200_000));

    let (_, experiment) = run(&["nested", "20000"], &[("PGAS_MODE", "profile")]);
    let stream = &experiment.streams()[0];
    let sums = sums(stream, ProfileScope::Beyond);
    expect_inclusive(&sums);
    assert_eq!(sums["main/caller/tiny"].calls, 20_000);
    assert_eq!(sums["main/caller/Barrier"].calls, 20);
    let (first, last) = stream.profile_range().unwrap();
    assert!(sums["main"].ticks <= last - first);
}

/// A handler that is instrumented interrupts calls that are only counted, or the counting itself.
#[test]
fn signal_handlers_harm_no_sums() {
    let program = compile("signals.c", Numbering::Embedded);
    for (mode, scope) in [
        ("trace", ProfileScope::Within),
        ("profile", ProfileScope::Beyond),
    ] {
        std::fs::remove_dir_all(program.experiment()).ok();
        let mut command = program.default_command(1);
        let output = command.envs([SOON, ("PGAS_MODE", mode)]).output().unwrap();
        expect_quiet(&output);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let experiment = program.open();
        let stream = &experiment.streams()[0];
        assert!(stream.complete());
        let mut calls = recorded_paths(stream);
        for (path, sums) in sums(stream, scope) {
            *calls.entry(path).or_default() += sums.calls;
        }
        let of = |name: &str| -> u64 {
            let own = calls.iter().filter(|(path, _)| path.ends_with(name));
            own.map(|(_, calls)| calls).sum()
        };
        assert_eq!(of("/small").to_string(), text.trim(), "{mode}");
        assert!(of("/handle") > 0);
        assert_eq!(open_at_end(stream), Vec::<String>::new());
    }
}

/// The process ends while three of its threads go on: what they did until then is there.
#[test]
fn threads_of_one_process_have_a_profile_each() {
    let program = compile("threads.c", Numbering::Embedded);
    let mut command = program.default_command(4);
    expect_quiet(&command.env("PGAS_MODE", "profile").output().unwrap());
    let experiment = program.open();
    assert_eq!(experiment.streams().len(), 4);
    for stream in experiment.streams() {
        assert!(stream.complete());
        let sums = sums(stream, ProfileScope::Beyond);
        expect_inclusive(&sums);
        assert_eq!(sums["thread"].calls, 1);
        let calls = sums["thread/small"].calls;
        assert!(
            calls == 10_000 || stream.thread() > 0 && calls > 10_000,
            "{calls}"
        );
    }
}

/// A region takes no less than what is inside of it.
fn expect_inclusive(sums: &BTreeMap<String, CallSums>) {
    for (path, own) in sums {
        let inside: u64 = sums
            .iter()
            .filter(|(inner, _)| {
                let rest = inner.strip_prefix(path.as_str());
                rest.and_then(|rest| rest.strip_prefix('/'))
                    .is_some_and(|rest| !rest.contains('/'))
            })
            .map(|(_, sums)| sums.ticks)
            .sum();
        assert!(own.ticks >= inside, "{path}: {} < {inside}", own.ticks);
    }
}

/// Runs until a block of sums was written, and then ends the program by SIGKILL.
fn kill_after_a_block(mut command: Command, program: &Program, scope: ProfileScope) -> Experiment {
    let mut child = command.args(["waits"]).spawn().unwrap();
    let begin = Instant::now();
    let is_written = || {
        let experiment = Experiment::open(&program.experiment()).ok()?;
        let mut profiles = experiment.streams().first()?.profiles().flatten();
        let is_there = profiles.any(|profile| profile.scope == scope);
        Some(is_there)
    };
    while !is_written().unwrap_or(false) && begin.elapsed() < Duration::from_secs(40) {
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    program.open()
}

#[test]
fn a_killed_run_keeps_its_profile() {
    let program = program();
    let mut command = program.default_command(3);
    command.env("PGAS_MODE", "profile");
    let experiment = kill_after_a_block(command, &program, ProfileScope::Beyond);
    let stream = &experiment.streams()[0];
    assert!(!stream.complete());
    let sums_ = sums(stream, ProfileScope::Beyond);
    expect_inclusive(&sums_);
    assert_eq!((sums_["main"].calls, sums_["main/outer"].calls), (1, 1));
    assert!(sums_["main/outer/caller/tiny"].calls > 0);
    // Open calls have their time until the block was written.
    let (first, last) = stream.profile_range().unwrap();
    assert!(sums_["main"].ticks as f64 > 0.9 * (last - first) as f64);
}

#[test]
fn a_killed_run_keeps_what_was_throttled() {
    let program = program();
    let mut command = program.default_command(3);
    command.env("PGAS_THROTTLE", "10,10000");
    let experiment = kill_after_a_block(command, &program, ProfileScope::Within);
    let sums_ = sums(&experiment.streams()[0], ProfileScope::Within);
    assert!(sums_["main/outer/caller"].calls > 0);
    assert!(sums_["main/outer/Memput with 1"].bytes > 0);
}

/// Points of the recorder at which `PGAS_TEST_KILL` ends the process while sums are taken: the nodes
/// of the call tree become a block that a collector can read, and are set to zero.
const POINTS: [&str; 12] = [
    "begun",
    "open region",
    "written",
    "withdrawn",
    "stored",
    "described",
    "numbered",
    "counting",
    "clearing",
    "cleared",
    "dated",
    "over",
];

/// Ends when a test fails, too.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Ends programs at each point, of the first block of sums and of the second, and gives for each
/// what was recorded, and the range that the number of calls is in.
fn killed_at_each_point(
    settings: &[(&str, &str)],
    points: &[&str],
) -> Vec<(String, Experiment, std::ops::RangeInclusive<u64>)> {
    let compiled = program();
    let start = |point: &str, time: u32| {
        let program = Program {
            directory: tempfile::tempdir().expect("a folder"),
            executable: compiled.executable.clone(),
        };
        let noted = program.directory.path().join("noted");
        std::fs::write(&noted, [0; 16]).expect("a file");
        let mut command = program.default_command(3);
        command.arg("noted").arg(&noted);
        command.envs(settings.iter().copied());
        let when = format!("{point}:{time}");
        command.env("PGAS_TEST_KILL", format!("sums: {when}"));
        let child = Running(command.spawn().expect("the program"));
        (when, child, program, noted)
    };
    let times = points.iter().flat_map(|point| [(point, 1), (point, 2)]);
    // They sleep most of the time.
    let all: Vec<_> = times.map(|(point, time)| start(point, time)).collect();
    let begin = Instant::now();
    let ended = |(when, mut child, program, noted): (String, Running, Program, PathBuf)| {
        let status = loop {
            if let Some(status) = child.0.try_wait().expect("its state") {
                break status;
            }
            let waited = begin.elapsed();
            assert!(
                waited < Duration::from_secs(60),
                "{when}: it never comes there"
            );
            std::thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(status.signal(), Some(libc::SIGKILL), "{when}");
        let noted = std::fs::read(noted).expect("the numbers");
        let number = |at: usize| u64::from_ne_bytes(noted[at..at + 8].try_into().expect("8 bytes"));
        let (begun, over) = (number(0), number(8));
        assert!(over > 0, "{when}");
        (when, program.open(), over..=begun)
    };
    all.into_iter().map(ended).collect()
}

/// Each call is in the sums that were taken, or in those that were not yet: never in both, never in
/// none.
#[test]
fn a_kill_while_sums_are_taken_takes_no_calls() {
    // No time of open regions is summed beside a trace.
    let mut points = POINTS.to_vec();
    points.retain(|&point| point != "open region");
    let settings = [("PGAS_THROTTLE", "10,10000")];
    for (when, experiment, expected) in killed_at_each_point(&settings, &points) {
        let stream = &experiment.streams()[0];
        let calls = all_calls(stream);
        for path in ["main/caller", "main/caller/tiny"] {
            assert!(
                expected.contains(&calls[path]),
                "{when}, {expected:?}: {calls:?}"
            );
            assert!(
                recorded(stream, path) < *expected.start(),
                "it is throttled"
            );
        }
        let transfers = &sums(stream, ProfileScope::Within)["main/Memput with 1"];
        assert_eq!(transfers.bytes, 10 * transfers.calls, "{when}");
        let all = transfers.calls + recorded(stream, "main/Memput");
        assert!(expected.contains(&all), "{when}, {expected:?}: {all}");
    }
}

/// Times, too: that of `main` is as long as the program ran.
#[test]
fn a_kill_while_a_profile_is_taken_takes_nothing_of_it() {
    let settings = [("PGAS_MODE", "profile")];
    for (when, experiment, expected) in killed_at_each_point(&settings, &POINTS) {
        let stream = &experiment.streams()[0];
        let sums = sums(stream, ProfileScope::Beyond);
        assert_eq!(sums["main"].calls, 1, "{when}");
        for path in ["main/caller", "main/caller/tiny"] {
            let calls = sums[path].calls;
            assert!(expected.contains(&calls), "{when}, {expected:?}: {calls}");
        }
        let transfers = &sums["main/Memput with 1"];
        assert!(expected.contains(&transfers.calls), "{when}: {transfers:?}");
        let (first, last) = stream.profile_range().expect("sums");
        let (ticks, span) = (sums["main"].ticks, last - first);
        assert!(ticks <= span, "{when}: {ticks} of {span}");
        // Between two stores, the time of a region that is open is neither summed nor since its
        // begin: a kill at that moment takes it.
        if !when.starts_with("open region") {
            assert!(10 * ticks >= 9 * span, "{when}: {ticks} of {span}");
            expect_inclusive(&sums);
        }
    }
}

#[test]
fn a_limited_trace_ends_cleanly_and_the_rest_is_summed() {
    let settings = [
        ("PGAS_THROTTLE", "off"),
        ("PGAS_TRACE_LIMIT", "96K"),
        ("PGAS_BUFFER", "8K"),
        ("PGAS_COMPRESS", "none"),
    ];
    let (_, experiment) = run(&["nested", "50000"], &settings);
    let stream = &experiment.streams()[0];
    assert!(stream.limit_reached());
    assert!(
        stream
            .remarks()
            .iter()
            .all(|remark| !remark.contains("error"))
    );
    // The limit is for all three threads, and was looked at when the buffers were full.
    let stored: u64 = stream
        .blocks()
        .iter()
        .map(|block| block.stored_bytes())
        .sum();
    assert!((24 << 10..56 << 10).contains(&stored), "{stored}");
    let traced = recorded_paths(stream);
    let after = sums(stream, ProfileScope::Beyond);
    for (path, calls) in [
        ("main", 1),
        ("main/caller", 50_000),
        ("main/caller/tiny", 50_000),
        ("main/caller/Barrier", 50),
    ] {
        assert_eq!(
            traced.get(path).copied().unwrap_or(0) + after[path].calls,
            calls,
            "{path}"
        );
    }
    assert_eq!(after["main"].calls, 0);
    expect_inclusive(&after);
    // The sums begin where the events end.
    let (_, last_event) = stream.time_range().unwrap();
    let (first, last) = stream.profile_range().unwrap();
    assert_eq!(first, last_event);
    assert!(after["main"].ticks <= last - first);
    assert_eq!(open_at_end(stream)[0], "main");
}

/// However large the buffers are, in which a short run would end before anything was written.
#[test]
fn large_buffers_do_not_go_beyond_the_limit() {
    let settings = [("PGAS_THROTTLE", "off"), ("PGAS_TRACE_LIMIT", "96K")];
    let (_, experiment) = run(&["nested", "500000"], &settings);
    let stream = &experiment.streams()[0];
    assert!(stream.limit_reached());
    let stored: u64 = stream
        .blocks()
        .iter()
        .map(|block| block.stored_bytes())
        .sum();
    assert!(stored < 48 << 10, "{stored}");
    let traced = recorded_paths(stream)["main/caller/tiny"];
    let after = sums(stream, ProfileScope::Beyond)["main/caller/tiny"].calls;
    assert_eq!(traced + after, 500_000);
    assert!(traced > 1000, "{traced}");
}

/// Throttled calls before the limit, and all calls after it, are summed apart.
#[test]
fn a_limited_trace_may_be_throttled() {
    let settings = [
        SOON,
        ("PGAS_TRACE_LIMIT", "3K"),
        ("PGAS_BUFFER", "4K"),
        ("PGAS_COMPRESS", "none"),
    ];
    let (_, experiment) = run(&["nested", "2000000"], &settings);
    let stream = &experiment.streams()[0];
    assert!(stream.limit_reached());
    let mut calls = all_calls(stream);
    for (path, sums) in sums(stream, ProfileScope::Beyond) {
        *calls.entry(path).or_default() += sums.calls;
    }
    assert_eq!(calls["main/caller"], 2_000_000);
    assert_eq!(calls["main/caller/tiny"], 2_000_000);
    assert_eq!(calls["main/caller/Barrier"], 2_000);
}

#[test]
fn without_a_helper_the_thread_writes_by_itself() {
    let settings = [
        ("PGAS_THROTTLE", "off"),
        ("PGAS_SYNC_IO", "1"),
        ("PGAS_BUFFER", "64K"),
    ];
    let (output, experiment) = run(&["threads", "100000"], &settings);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1\n");
    let stream = &experiment.streams()[0];
    expect_calls(stream, &[("main", 1), ("main/tiny", 100_000)]);
    // Every buffer that was filled while the program ran cost it time, and that is recorded.
    assert_eq!(stalls(stream), stream.blocks().len() - 1);
    let (output, _) = run(&["threads", "100"], &[]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2\n");
}
