//! All threads of a node in one file, whatever processes they are in: the same is recorded as in a
//! file for each thread, and a process that is killed in the midst of a write takes nothing of the
//! others with it.

mod support;

use std::collections::BTreeSet;
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
    let common = program.command(threads);
    let environment: Vec<_> = common
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect();
    let process = |thread: u32| {
        let mut command = Command::new(&program.executable);
        command
            .args(arguments)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .env("TEST_THREAD", thread.to_string())
            .env("PGAS_FILES", "node")
            .env("PGAS_BUFFER", buffer)
            .stdout(Stdio::null());
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

/// Half of the processes are killed at any time while all write.
#[test]
fn killed_processes_take_nothing_of_the_others_with_them() {
    let program = compile("calls.c", Numbering::Berkeley);
    let mut children = start(&program, 6, &["300000"], "16K");
    let mut killed = Vec::new();
    for (thread, child) in children.iter_mut().enumerate() {
        if thread % 2 == 1 {
            std::thread::sleep(std::time::Duration::from_millis(3));
            child.kill().unwrap();
        }
        let status = child.wait().unwrap();
        killed.push(status.signal().is_some());
        assert!(status.success() || killed[thread], "{status:?}");
    }
    let experiment = program.open();
    for stream in experiment.streams() {
        let read = calls_of(stream, "small");
        if killed[stream.thread() as usize] {
            assert!(read <= 300_000);
        } else {
            assert!(stream.complete());
            assert_eq!(read, 300_000);
        }
    }
    let complete = experiment.streams().iter().filter(|s| s.complete()).count();
    assert!(complete >= 3);
}

/// What was not in the file yet is in memory that outlives the program.
#[test]
fn a_killed_program_loses_nothing() {
    let (calls, block) = (100_000, 4096);
    for end in ["_exit", "abort"] {
        let program = compile("calls.c", Numbering::Berkeley);
        let mut command = program.command(1);
        command
            .args([&calls.to_string(), end])
            .env("PGAS_FILES", "node")
            .env("PGAS_BUFFER", block.to_string());
        command.output().unwrap();
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
