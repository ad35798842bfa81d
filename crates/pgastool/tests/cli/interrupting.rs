//! Ctrl-C while an experiment is analysed or converted: the command ends by the signal, and the
//! directory is as it was. And what else long work says and takes: progress, and a number of cores.

use crate::bench::{Bench, Told, contains};
use pgas_trace::ExperimentBuilder;
use pgas_trace::model::{Attributes, Operation, Site};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// An experiment `long` of N rounds, twelve events each.
fn long(bench: &Bench, rounds: u64) {
    let mut builder = ExperimentBuilder::new("long", 2);
    let main = Site::function("main", "a.upc", 1);
    let get = Site::operation(Operation::Get, "a.upc", 3);
    let barrier = Site::operation(Operation::Barrier, "a.upc", 4);
    for thread in 0..2u32 {
        let stream = builder.thread(thread);
        stream.enter(0, &main, Attributes::None);
        for round in 0..rounds {
            let begin = 100 * round;
            for get_number in 0..2 {
                let time = begin + 10 * get_number;
                stream.enter(time, &get, Attributes::transfer(1 - thread, 8));
                stream.exit(time + 5, Attributes::None);
            }
            let arrival = begin + 30 + u64::from(thread);
            stream.enter(arrival, &barrier, Attributes::Barrier { value: None });
            stream.exit(begin + 50, Attributes::None);
        }
        stream.exit(100 * rounds, Attributes::None);
    }
    builder.write(&bench.path("long")).unwrap();
}

/// All files below a directory, with what they hold.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.display().to_string();
            if path.is_dir() {
                all.insert(name, Vec::new());
                directories.push(path);
            } else {
                all.insert(name, fs::read(path).unwrap());
            }
        }
    }
    all
}

/// Starts the tool, sends SIGINT as soon as it would handle it, and returns how it ended and what
/// it said.
fn interrupted(bench: &Bench, arguments: &[&str]) -> (Option<i32>, String, String) {
    let command = bench.command(arguments);
    let mut child = std::process::Command::new(command.get_program())
        .args(arguments)
        .current_dir(bench.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = Pid::from_child(&child);
    let status = format!("/proc/{}/status", child.id());
    let handles_it = || {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find_map(|l| l.strip_prefix("SigCgt:"));
        let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask & 1 << (Signal::INT.as_raw() - 1) != 0)
    };
    while !handles_it() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "{arguments:?} ended before"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    kill_process(id, Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.signal(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn an_interrupted_command_changes_nothing() {
    let bench = Bench::new();
    // Long enough to be interrupted.
    long(&bench, 300_000);
    fs::create_dir(bench.path("long/analysis")).unwrap();
    bench.write("long/analysis/summary.json", "former");
    bench.write("long/analysis/profile.cube", "former");
    // Something to convert from.
    bench.ok(&["convert", "long", "--to", "epilog", "-o", "long.elg"]);
    let before = files(&bench.path("."));
    for arguments in [
        &["analyze", "long"][..],
        &["convert", "long", "--to", "epilog", "-o", "other.elg"],
        &["convert", "long", "--to", "epilog", "-o", "other.elg.gz"],
        &["convert", "long.elg", "--from", "epilog", "-o", "other"],
    ] {
        let (signal, out, err) = interrupted(&bench, arguments);
        assert_eq!(signal, Some(Signal::INT.as_raw()), "{arguments:?}: {err}");
        assert_eq!(out, "", "{arguments:?}");
        contains(&err, &["error: ", "interrupted"]);
        assert!(files(&bench.path(".")) == before, "{arguments:?}");
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_cores() {
    let bench = Bench::new();
    long(&bench, 20_000);
    let mut results = Vec::new();
    for jobs in [&["--jobs", "1"][..], &["-j3"], &[]] {
        let told = bench.told(&[&["analyze", "long"][..], jobs].concat());
        assert_eq!(told.status, Some(0), "{told:?}");
        // No progress where nobody looks at it.
        assert!(
            !told.err.contains('\r') && !told.err.contains("left"),
            "{told:?}"
        );
        results.push(files(&bench.path("long/analysis")));
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    let from_environment = Told::of(bench.command(&["analyze", "long"]).env("PGAS_JOBS", "none"));
    assert_eq!(from_environment.status, Some(2), "{from_environment:?}");
    contains(&from_environment.err, &["--jobs"]);
    contains(
        &bench.refused(&["analyze", "long", "--jobs", "0"]),
        &["--jobs"],
    );
}
