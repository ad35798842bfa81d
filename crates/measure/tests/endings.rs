//! However a program ends, and whatever goes wrong with the recording: the program's own result is
//! what it would have been, and what was written can be read.

#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;
mod support;

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use not_tested::not_tested;
use pgas_trace::Experiment;
use pgas_trace::buffers::{self, Collected};
use support::{Numbering, Program, calls_of, compile, expect_quiet, open_at_end, stalls};

fn calls() -> Program {
    compile("calls.c", Numbering::Embedded)
}

/// The program printed its result, and complained in one line with these words.
fn expect_one_complaint(output: &Output, status: i32, words: &[&str]) {
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "result 42\n");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    for word in words {
        assert!(complaint.contains(word), "{complaint}");
    }
}

#[test]
fn without_an_experiment_nothing_happens() {
    let program = calls();
    let output = program
        .plain_command()
        .args(["1000", "42"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(42));
    assert_eq!(output.stderr, b"");
    assert_eq!(
        std::fs::read_dir(program.directory.path()).unwrap().count(),
        1
    );
}

/// Under seccomp's strict mode the recording ends. A system call, or the only end that is allowed,
/// ends the calling thread and not its process, as a filter may do: the recorder's helper must not
/// keep that alive.
#[test]
fn a_program_under_seccomp_ends_as_ever() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    if !status.lines().any(|line| line == "Seccomp:\t0") {
        not_tested("strict seccomp: no thread in this container can enter it");
        return;
    }
    for (end, code, signal, calls_before) in [
        // In strict mode not even a clock can be read.
        ("strict", Some(3), None, 1000),
        ("strict forbidden", None, Some(9), 1000),
        ("filtered", None, Some(31), 2000),
    ] {
        let program = calls();
        let mut child = program
            .command(1)
            .args(["1000", end])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if begin.elapsed() > Duration::from_secs(20) {
                child.kill().unwrap();
                panic!("{end}: it hangs");
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        assert_eq!((status.code(), status.signal()), (code, signal), "{end}");
        let mut said = String::new();
        let mut err = BufReader::new(child.stderr.take().unwrap());
        err.read_line(&mut said).unwrap();
        assert!(said.contains("seccomp"), "{end}: {said}");
        let collected = buffers::collect(&program.experiment());
        assert_eq!(collected.problems, Vec::<String>::new());
        let experiment = program.open();
        let recorded = calls_of(&experiment.streams()[0], "small");
        assert_eq!(recorded, calls_before, "{end}");
    }
}

#[test]
fn orderly_ends_are_complete() {
    for (end, status) in [
        ("return", 0),
        ("exit", 8),
        ("handler", 9),
        ("global", 6),
        ("42", 42),
    ] {
        let program = calls();
        let output = program.command(1).args(["1000", end]).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{end}");
        assert_eq!(output.stderr, b"");
        let experiment = program.open();
        let stream = &experiment.streams()[0];
        assert!(stream.complete(), "{end}");
        let used = stream.core_use().expect("what the thread had of the cores");
        assert!(0 < used.cpu && used.cpu <= used.wall, "{end}: {used:?}");
        assert_eq!(calls_of(stream, "small"), 1000, "{end}");
        assert_eq!(open_at_end(stream), Vec::<String>::new(), "{end}");
    }
}

/// A launcher may kill a process that is just ending: its last events are in memory until they are
/// in the file.
#[test]
fn a_kill_while_the_end_is_written_takes_no_events() {
    for (point, is_collected) in [("sealed", true), ("written", false)] {
        let program = calls();
        let mut command = program.command(1);
        command.env("PGAS_TEST_KILL", format!("end: {point}:1"));
        let status = command.args(["1000", "return"]).status().unwrap();
        assert_eq!(status.signal(), Some(libc::SIGKILL), "{point}");
        let collected = buffers::collect(&program.experiment());
        assert_eq!(collected.problems, Vec::<String>::new(), "{point}");
        assert_eq!(collected.events > 0, is_collected, "{point}");
        let experiment = program.open();
        let stream = &experiment.streams()[0];
        assert_eq!(calls_of(stream, "small"), 1000, "{point}");
        assert_eq!(open_at_end(stream), Vec::<String>::new(), "{point}");
    }
}

/// Buffers of a process outlive any kind of end.
#[test]
fn sudden_ends_lose_nothing() {
    for end in ["_exit", "abort", "crash", "exec", "kill"] {
        for (buffer, files, more) in [
            ("4096", "thread", ("PGAS_SYNC_IO", "0")),
            ("4096", "node", ("PGAS_SYNC_IO", "0")),
            ("64K", "node", ("PGAS_COMPRESS", "none")),
            ("4M", "thread", ("PGAS_SYNC_IO", "1")),
        ] {
            let context = format!("{end}, {buffer}, {files}, {more:?}");
            let program = calls();
            let mut command = program.command(1);
            command
                .args(["100000", if end == "kill" { "pause" } else { end }])
                .env("PGAS_BUFFER", buffer)
                .env("PGAS_FILES", files)
                .env(more.0, more.1);
            match end {
                "kill" => kill_when_ready(&mut command),
                _ => {
                    command.output().unwrap();
                }
            }
            let collected = buffers::collect(&program.experiment());
            assert_eq!((collected.threads, collected.alive), (1, 0), "{context}");
            assert_eq!(collected.problems, [""; 0], "{context}");
            let again = buffers::collect(&program.experiment());
            assert_eq!(again, Collected::default(), "{context}");
            let experiment = program.open();
            let stream = &experiment.streams()[0];
            assert_eq!(calls_of(stream, "small"), 100_000, "{context}");
            assert_eq!(open_at_end(stream), ["main"], "{context}");
            assert_eq!(experiment.all_remarks(), [""; 0], "{context}");
            assert!(!stream.complete(), "{context}: it did not end in order");
            assert!(experiment.clock().is_calibrated(), "{context}");
        }
    }
}

fn kill_when_ready(command: &mut Command) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert_eq!(line, "ready\n");
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
}

/// Files may not become as large as that of the buffers would be: then these are the process's own.
#[test]
fn without_a_place_for_buffers_two_of_them_are_lost_at_most() {
    let block = 4096;
    let program = calls();
    let command = program.command(1);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "ulimit -f 40000; exec \"$0\" 100000 _exit"])
        .arg(&program.executable)
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .env("PGAS_BUFFER", block.to_string());
    let output = limited.output().unwrap();
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    let said = stream.property("buffers").unwrap_or_default();
    assert!(said.starts_with("private: "), "{said}");
    expect_all_but_two_buffers(&experiment, 100_000, block);
}

/// Buffers of a process that still runs are left to it.
#[test]
fn buffers_of_a_process_that_runs_are_left_alone() {
    let program = calls();
    let mut command = program.command(1);
    command.args(["1000", "pause"]).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let collected = buffers::collect(&program.experiment());
    assert_eq!((collected.threads, collected.alive), (0, 1));
    child.kill().unwrap();
    // Not waited for: it has ended all the same.
    let begin = Instant::now();
    let mut collected = Collected::default();
    while collected == Collected::default() || collected.alive > 0 {
        assert!(begin.elapsed() < Duration::from_secs(60), "it does not end");
        collected = buffers::collect(&program.experiment());
    }
    child.wait().unwrap();
    assert_eq!(collected.threads, 1);
    assert_eq!(calls_of(&program.open().streams()[0], "small"), 1000);
}

/// Buffers that fill slowly are written before they are full.
#[test]
fn a_killed_program_that_records_little_loses_little() {
    let program = calls();
    let mut child = program.command(1).args(["10", "slowly"]).spawn().unwrap();
    let begin = Instant::now();
    let recorded = || {
        let experiment = Experiment::open(&program.experiment()).ok()?;
        Some(experiment.streams()[0].blocks().len())
    };
    while recorded().unwrap_or(0) < 2 && begin.elapsed() < Duration::from_secs(40) {
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    assert!(stream.blocks().len() >= 2);
    assert!(calls_of(stream, "small") > 10);
    // A call that the block ends in, perhaps, and `main`.
    assert!(open_at_end(stream).starts_with(&["main".to_owned()]));
}

/// A kill takes buffers that are the process's own, so they are written as often as with a file for
/// each thread.
#[test]
fn without_a_place_for_buffers_a_file_of_the_node_is_no_worse() {
    let program = calls();
    let command = program.command(1);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "ulimit -f 40000; exec \"$0\" 10 slowly"])
        .arg(&program.executable)
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .env("PGAS_FILES", "node")
        .env("PGAS_BUFFER", (16 << 20).to_string());
    let mut child = limited.spawn().unwrap();
    let begin = Instant::now();
    let recorded = || {
        let experiment = Experiment::open(&program.experiment()).ok()?;
        Some(experiment.streams().first()?.blocks().len())
    };
    while recorded().unwrap_or(0) < 2 && begin.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    let said = stream.property("buffers").unwrap_or_default();
    assert!(said.starts_with("private: "), "{said}");
    assert!(stream.blocks().len() >= 2);
    assert!(calls_of(stream, "small") > 10);
}

fn expect_all_but_two_buffers(experiment: &Experiment, calls: usize, block: usize) {
    let stream = &experiment.streams()[0];
    assert!(!stream.complete());
    let remarks = stream.remarks().join("\n");
    assert!(
        remarks.contains("thread-0000.pgt") && remarks.contains("ends early"),
        "{remarks}"
    );
    // An Enter or Exit takes two bytes or more.
    let read = calls_of(stream, "small");
    assert!(read <= calls && read + 2 * block / 4 >= calls, "{read}");
}

#[test]
fn a_child_of_a_fork_leaves_the_stream_alone() {
    for (buffer, arguments) in [
        ("4096", &[][..]),
        ("4M", &[]),
        ("4096", &["raw"]),
        ("4M", &["raw"]),
    ] {
        let program = compile("fork.c", Numbering::Embedded);
        expect_quiet(
            &program
                .command(1)
                .args(arguments)
                .env("PGAS_BUFFER", buffer)
                .output()
                .unwrap(),
        );
        let experiment = program.open();
        let stream = &experiment.streams()[0];
        assert!(stream.complete());
        assert_eq!(calls_of(stream, "small"), 51_000);
        assert_eq!(calls_of(stream, "child"), 0);
        assert_eq!(open_at_end(stream), Vec::<String>::new());
    }
}

#[test]
fn descriptors_of_the_program_are_never_written_to() {
    let program = compile("descriptors.c", Numbering::Embedded);
    let own = program.directory.path().join("own");
    let mut command = program.command(1);
    let output = command
        .arg(&own)
        .env("PGAS_BUFFER", "64K")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "result 42\n");
    // The file is opened once more, and nothing is lost.
    let experiment = program.open();
    assert!(experiment.streams()[0].complete());
    assert_eq!(calls_of(&experiment.streams()[0], "small"), 200_000);
}

#[test]
fn a_limit_of_file_sizes_stops_the_recording_only() {
    let program = calls();
    let command = program.command(1);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "ulimit -f 1024; exec \"$0\" 2000000 42"])
        .arg(&program.executable)
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .env("PGAS_BUFFER", "64K")
        .env("PGAS_COMPRESS", "none");
    expect_one_complaint(
        &limited.output().unwrap(),
        42,
        &["thread-0000.pgt", "cannot write", "goes on"],
    );
    expect_a_beginning(&program.open(), 2_000_000);
}

#[test]
fn a_full_disk_stops_the_recording_only() {
    let program = calls();
    let mut command = program.command(1);
    let streams = program.experiment().join("streams");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=128k", "pgas-test"])
        .arg(&streams)
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    // Without the right to mount, the limit of file sizes (the test above) stands for it.
    if !mounted {
        not_tested("a full disk: mounting a small one needs more rights than this user has");
        return;
    }
    command
        .args(["2000000", "42"])
        .env("PGAS_BUFFER", "32K")
        .env("PGAS_COMPRESS", "none");
    let output = command.output();
    let opened = Experiment::open(&program.experiment());
    let unmounted = Command::new("umount")
        .arg("-l")
        .arg(&streams)
        .status()
        .unwrap();
    assert!(unmounted.success());
    expect_one_complaint(
        &output.unwrap(),
        42,
        &["No space left on device", "goes on"],
    );
    expect_a_beginning(&opened.unwrap(), 2_000_000);
}

/// There is a beginning of the run, whose end is known to be missing.
fn expect_a_beginning(experiment: &Experiment, calls: usize) {
    let stream = &experiment.streams()[0];
    let read = calls_of(stream, "small");
    assert!(read > 1000 && read < calls, "{read}");
    let remarks = stream.remarks().join("\n");
    assert!(
        remarks.contains("recording stopped before the program ended"),
        "{remarks}"
    );
    assert!(remarks.contains("events were not recorded"), "{remarks}");
    // Every call is an Enter and an Exit; and `main` was entered, and left by nobody. Stalls come
    // on top of it; those in the blocks that were lost are not known one by one, but a block
    // has at most one.
    let counted = stream.event_count() + stream.lost_events();
    let certain = 2 * calls as u64 + 1 + 2 * stalls(stream) as u64;
    assert!(
        (certain..=certain + 6).contains(&counted),
        "{counted}, at least {certain}"
    );
}

#[test]
fn a_place_that_cannot_be_written_costs_the_recording_only() {
    let program = calls();
    let elsewhere = program.directory.path().join("nowhere");
    let mut command = program.plain_command();
    command
        .args(["1000", "42"])
        .env("PGAS_EXPERIMENT", &elsewhere);
    expect_one_complaint(
        &command.output().unwrap(),
        42,
        &["nowhere", "cannot create", "goes on"],
    );

    // A stream that exists is left alone.
    let mut command = program.command(1);
    command.args(["1000", "42"]);
    assert_eq!(command.output().unwrap().status.code(), Some(42));
    let stream = program.experiment().join("streams/thread-0000.pgt");
    let before = std::fs::read(&stream).unwrap();
    expect_one_complaint(
        &command.output().unwrap(),
        42,
        &["thread-0000.pgt", "exists"],
    );
    assert_eq!(std::fs::read(&stream).unwrap(), before);
}
