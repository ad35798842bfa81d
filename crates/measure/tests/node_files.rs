//! All threads of a node in one file, whatever processes they are in: the same is recorded as in a
//! file for each thread, and a process that is killed in the midst of a write takes nothing of the
//! others with it.

mod support;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use pgas_trace::Experiment;
use support::{Numbering, Program, calls_of, compile, expect_quiet, open_at_end};

fn files(program: &Program) -> BTreeSet<PathBuf> {
    let listing = std::fs::read_dir(program.experiment().join("streams")).unwrap();
    listing.map(|entry| entry.unwrap().path()).collect()
}

/// A process for each thread, all with this environment.
fn start(program: &Program, threads: u32, arguments: &[&str], buffer: &str) -> Vec<Child> {
    start_each(program, threads, |_| arguments, buffer)
}

/// The same with arguments of its own for each thread. Their output can be read.
fn start_each<'a>(
    program: &Program,
    threads: u32,
    arguments: impl Fn(u32) -> &'a [&'a str],
    buffer: &str,
) -> Vec<Child> {
    let common = program.command(threads);
    let environment: Vec<_> = common
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect();
    let process = |thread: u32| {
        let mut command = Command::new(&program.executable);
        command
            .args(arguments(thread))
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .env("TEST_THREAD", thread.to_string())
            .env("PGAS_FILES", "node")
            .env("PGAS_BUFFER", buffer)
            .stdout(Stdio::piped());
        command.spawn().unwrap()
    };
    (0..threads).map(process).collect()
}

#[test]
fn threads_of_one_process_share_a_file() {
    for synchronous in ["0", "1"] {
        let program = compile("threads.c", Numbering::Berkeley);
        let mut command = program.command(4);
        command
            .env("PGAS_FILES", "node")
            .env("PGAS_SYNC_IO", synchronous)
            .env("PGAS_BUFFER", "8K");
        let output = command.output().unwrap();
        expect_quiet(&output);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "result 42\n");
        let experiment = program.open();
        assert_eq!(experiment.streams().len(), 4);
        for stream in experiment.streams() {
            assert!(calls_of(stream, "small") >= 10_000);
            assert!(stream.complete());
        }
        assert_eq!(files(&program).len(), 1);
    }
}

#[test]
fn processes_share_a_file() {
    let program = compile("calls.c", Numbering::Berkeley);
    for mut child in start(&program, 8, &["50000"], "4096") {
        assert!(child.wait().unwrap().success());
    }
    let experiment = program.open();
    assert_eq!(experiment.all_remarks(), Vec::<String>::new());
    assert_eq!(experiment.streams().len(), 8);
    for stream in experiment.streams() {
        assert_eq!(calls_of(stream, "small"), 50_000);
        assert!(stream.complete() && stream.blocks().len() > 20);
        assert_eq!(open_at_end(stream), Vec::<String>::new());
    }
    assert_eq!(files(&program).len(), 1);
}

/// Two of the processes have said that all their calls are made, and wait with the last of them in
/// buffers that are not written; two write to the file without end. Both are killed while the
/// others write to the same file.
#[test]
fn killed_processes_take_nothing_of_the_others_with_them() {
    const CALLS: usize = 300_000;
    // Of it, a call takes four bytes or more.
    const BUFFER: usize = 16 << 10;
    let program = compile("calls.c", Numbering::Berkeley);
    let arguments = |thread: u32| match thread {
        1 | 3 => &["300000", "pause"][..],
        4 | 5 => &["300000", "on_and_on"],
        _ => &["300000"],
    };
    let mut children = start_each(&program, 6, arguments, "16K");
    for thread in [1, 3, 4, 5] {
        let child = &mut children[thread];
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        out.read_line(&mut line).expect("a line");
        assert_eq!(line, "ready\n");
        assert_eq!(
            child.try_wait().expect("its state"),
            None,
            "it is still there"
        );
        child.kill().expect("it can be killed");
        let status = child.wait().expect("its end");
        assert_eq!(status.signal(), Some(libc::SIGKILL), "thread {thread}");
    }
    for thread in [0, 2] {
        let status = children[thread].wait().expect("its end");
        assert!(status.success(), "thread {thread}: {status:?}");
    }
    let written = Experiment::open(&program.experiment()).expect("what was written");
    let in_the_file = |thread: usize| {
        let mut streams = written.streams().iter();
        let stream = streams.find(|stream| stream.thread() as usize == thread);
        stream.map_or(0, |stream| calls_of(stream, "small"))
    };
    let unwritten = [1, 3].map(|thread| CALLS - in_the_file(thread));
    assert!(
        unwritten
            .iter()
            .all(|&calls| calls > 0 && calls <= 2 * BUFFER / 4),
        "{unwritten:?} calls were in buffers"
    );
    let experiment = program.open();
    assert_eq!(experiment.streams().len(), 6);
    for stream in experiment.streams() {
        let calls = calls_of(stream, "small");
        match stream.thread() {
            0 | 2 => assert!(stream.complete() && calls == CALLS, "{calls}"),
            1 | 3 => assert!(!stream.complete() && calls == CALLS, "{calls}"),
            _ => assert!(!stream.complete() && calls >= CALLS, "{calls}"),
        }
    }
}

/// Events that were not in the file yet are in memory that outlives the program.
#[test]
fn a_killed_program_loses_nothing() {
    let (calls, block) = (100_000, 4096);
    for (end, code, signal) in [
        ("_exit", Some(7), None),
        ("abort", None, Some(libc::SIGABRT)),
    ] {
        let program = compile("calls.c", Numbering::Berkeley);
        let mut command = program.command(1);
        command
            .args([&calls.to_string(), end])
            .env("PGAS_FILES", "node")
            .env("PGAS_BUFFER", block.to_string());
        let status = command.output().unwrap().status;
        assert_eq!((status.code(), status.signal()), (code, signal), "{end}");
        let experiment = program.open();
        let stream = &experiment.streams()[0];
        assert!(!stream.complete());
        assert_eq!(calls_of(stream, "small"), calls, "{end}");
    }
}

#[test]
fn every_node_has_a_file() {
    let program = compile("threads.c", Numbering::Berkeley);
    let mut command = program.command(4);
    command
        .env("PGAS_FILES", "node")
        .env("PGAS_TEST_CLOCKS", "2:5000:0:far,3:5000:0:far");
    expect_quiet(&command.output().unwrap());
    let experiment = program.open();
    let paths: Vec<_> = experiment.streams().iter().map(|s| s.path()).collect();
    assert_eq!(files(&program).len(), 2);
    assert!(paths[0] == paths[1] && paths[2] == paths[3] && paths[1] != paths[2]);
    assert!(paths[2].to_string_lossy().contains("node-far-"));
}

/// The file's limit holds for all threads together; none of them has anything of another's.
#[test]
fn a_limit_of_file_sizes_stops_the_recording_only() {
    let program = compile("calls.c", Numbering::Berkeley);
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
        .env("PGAS_FILES", "node")
        .env("PGAS_BUFFER", "64K")
        .env("PGAS_COMPRESS", "none");
    let output = limited.output().unwrap();
    assert_eq!(output.status.code(), Some(42), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "result 42\n");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    assert!(complaint.contains("cannot write") && complaint.contains("goes on"));
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    let read = calls_of(stream, "small");
    assert!(read > 1000 && read < 2_000_000 && !stream.complete());
    let remarks = experiment.all_remarks().join("\n");
    assert!(
        remarks.contains("was cut off") && remarks.contains("ends early"),
        "{remarks}"
    );
}

#[test]
fn descriptors_of_the_program_are_never_written_to() {
    let program = compile("descriptors.c", Numbering::Berkeley);
    let own = program.directory.path().join("own");
    let mut command = program.command(1);
    command
        .arg(&own)
        .env("PGAS_FILES", "node")
        .env("PGAS_BUFFER", "64K");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "result 42\n");
    assert!(calls_of(&program.open().streams()[0], "small") > 50_000);
}

#[test]
fn a_child_of_a_fork_writes_nothing() {
    for arguments in [&[][..], &["raw"]] {
        let program = compile("fork.c", Numbering::Berkeley);
        let mut command = program.command(1);
        command
            .args(arguments)
            .env("PGAS_FILES", "node")
            .env("PGAS_BUFFER", "4096");
        expect_quiet(&command.output().unwrap());
        let experiment: Experiment = program.open();
        assert_eq!(experiment.all_remarks(), Vec::<String>::new());
        let stream = &experiment.streams()[0];
        assert!(stream.complete());
        assert_eq!(calls_of(stream, "small"), 51_000);
        assert_eq!(calls_of(stream, "child"), 0);
    }
}
