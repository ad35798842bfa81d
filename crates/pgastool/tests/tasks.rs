//! Programs of tasks, recorded through the tool. The programs are tests of this file that run only
//! when `pgastool run` starts this file again.

mod measured;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use measured::{pgastool, succeed};
use pgas_tasks::{Closed, Input, bounded, channel, create, run};
use serde_json::Value;

/// `pgastool run` of a program of this file, on two processors.
fn recording(folder: &Path, program: &str, options: &[&str]) -> Command {
    let mut command = pgastool(folder);
    command
        .args(["run", "-n", "2", "-o", "e"])
        .args(options)
        .arg("--")
        .arg(std::env::current_exe().expect("this file"))
        .args(["--ignored", "--exact", "--nocapture", "--test-threads=1"])
        .arg(program);
    command
}

fn record(folder: &Path, program: &str, options: &[&str]) -> Output {
    recording(folder, program, options)
        .output()
        .expect("pgastool")
}

/// All events of the experiment.
fn events(folder: &Path) -> Vec<Value> {
    let lines = succeed(pgastool(folder).args(["events", "--format", "jsonl", "e"])).stdout;
    let lines = String::from_utf8(lines).expect("UTF-8");
    let parsed = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    parsed.collect()
}

/// Events that have a field.
fn with<'a>(events: &'a [Value], field: &str) -> Vec<&'a Value> {
    events
        .iter()
        .filter(|event| event.get(field).is_some())
        .collect()
}

#[test]
#[ignore = "a program that another test records"]
fn sums() {
    assert_eq!(run(sum, ()).ok(), Some(Ok(10)));
}

async fn sum() -> Result<u64, Closed> {
    let (output, numbers) = bounded::<u64>(2);
    let (done, mut result) = channel();
    create(add, (numbers, done));
    for number in 0..5 {
        output.send(number).await?;
    }
    drop(output);
    result.receive().await.ok_or(Closed)
}

async fn add(mut numbers: Input<u64>, done: pgas_tasks::Output<u64>) -> Result<(), Closed> {
    let mut sum = 0;
    while let Some(number) = numbers.receive().await {
        sum += number;
    }
    done.send(sum).await
}

#[test]
fn each_message_is_sent_and_received_under_its_number() {
    let folder = tempfile::tempdir().expect("a folder");
    succeed(&mut recording(folder.path(), "sums", &[]));
    let events = events(folder.path());
    for region in ["send to channel", "receive from channel"] {
        let mut messages: Vec<_> = with(&events, "message")
            .into_iter()
            .filter(|event| event["region"] == region)
            .map(|event| (event["channel"].as_u64(), event["message"].as_u64()))
            .collect();
        messages.sort();
        let numbers = (0..5).map(|number| (Some(1), Some(number)));
        let expected: Vec<_> = numbers.chain([(Some(2), Some(0))]).collect();
        assert_eq!(messages, expected, "{region}");
    }
    let bytes = with(&events, "message");
    assert!(bytes.iter().all(|event| event["bytes"] == 8));
    let ended = with(&events, "reason");
    let ended = ended.iter().filter(|event| event["reason"] == "ends");
    assert_eq!(ended.count(), 2, "both tasks end");
}

#[test]
fn tasks_have_the_name_of_their_function_and_the_line_of_their_creation() {
    let folder = tempfile::tempdir().expect("a folder");
    succeed(&mut recording(folder.path(), "sums", &[]));
    let events = events(folder.path());
    let added: Vec<_> = with(&events, "task")
        .into_iter()
        .filter(|event| event["region"] == "add")
        .collect();
    assert!(!added.is_empty());
    let source = include_str!("tasks.rs");
    let at = source.lines().position(|line| line.contains("create(add,"));
    let line = at.map(|at| at as u64 + 1);
    assert!(
        added.iter().all(|event| event["line"].as_u64() == line),
        "{added:?}"
    );
    assert!(added.iter().all(|event| event["task"] == 1));
}

#[test]
fn a_map_puts_tasks_on_their_processors() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("map"), "sum 1\nadd 1\n").expect("a map");
    succeed(&mut recording(folder.path(), "sums", &["--map", "map"]));
    let events = events(folder.path());
    let created = with(&events, "processor");
    assert_eq!(created.len(), 2);
    assert!(created.iter().all(|event| event["processor"] == 1));
}

#[test]
fn a_map_that_is_none_is_refused_before_the_program_starts() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("map"), "add on one\n").expect("a map");
    let output = record(folder.path(), "sums", &["--map", "map"]);
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("map:1: found 'add on one', expected"),
        "{said}"
    );
    assert!(!folder.path().join("e").exists());
}

#[test]
#[ignore = "a program that another test records"]
fn waits_for_ever() {
    assert!(run(deadlock, ()).is_err());
}

async fn deadlock() {
    let (_output, mut input) = channel::<u64>();
    input.receive().await;
}

#[test]
fn a_deadlock_ends_in_the_wait_that_nobody_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    succeed(&mut recording(folder.path(), "waits_for_ever", &[]));
    let events = events(folder.path());
    let reasons: Vec<_> = with(&events, "reason")
        .iter()
        .map(|event| event["reason"].as_str())
        .collect();
    assert_eq!(reasons, [Some("waits to receive")]);
    succeed(pgastool(folder.path()).args(["analyze", "e"]));
}

#[test]
#[ignore = "a program that another test records"]
fn panics() {
    assert!(run(panicking, ()).is_err());
}

async fn panicking() {
    let (output, mut input) = channel::<u64>();
    let _ = output.send(1).await;
    let number = input.receive().await.unwrap_or(1);
    assert_eq!(number, 2, "the task panics");
}

#[test]
fn a_task_that_panics_has_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    succeed(&mut recording(folder.path(), "panics", &[]));
    let events = events(folder.path());
    let left = with(&events, "reason");
    assert_eq!(
        left.last().map(|event| &event["reason"]),
        Some(&"ends".into())
    );
    assert_eq!(with(&events, "message").len(), 2);
    succeed(pgastool(folder.path()).args(["analyze", "e"]));
}

#[test]
#[ignore = "a program that another test records"]
fn is_killed() {
    let _ = run(killed, ());
}

async fn killed() {
    let (output, mut input) = channel::<u64>();
    for number in 0..1000 {
        let _ = output.send(number).await;
        input.receive().await;
    }
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)
        .expect("a signal to itself");
}

#[test]
fn what_a_killed_program_did_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = record(folder.path(), "is_killed", &[]);
    assert!(!output.status.success());
    assert_eq!(with(&events(folder.path()), "message").len(), 2000);
    succeed(pgastool(folder.path()).args(["analyze", "e"]));
}

/// The library for C with the recorder. It lies apart from the one without.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("this file");
    let target = test.ancestors().nth(3).expect("the target directory");
    let target = target.join("tasks-record");
    succeed(
        Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--offline", "--package", "pgas-tasks-c"])
            .args(["--lib", "--features", "record", "--target-dir"])
            .arg(&target)
            .current_dir(env!("CARGO_MANIFEST_DIR")),
    );
    target.join("debug/libpgas_tasks_c.a")
}

/// `pgastool run` of the program in C, compiled so that its functions are recorded.
fn record_game(folder: &Path) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    succeed(
        Command::new("cc")
            .args(["-g", "-O1", "-finstrument-functions", "-pthread", "-I"])
            .arg(tests.join("../../tasks-c/include"))
            .arg(tests.join("programs/game.c"))
            .arg(library())
            .args(["-lm", "-ldl", "-o", "game"])
            .current_dir(folder),
    );
    let options = ["run", "-n", "1", "-o", "e", "--throttle", "off", "./game"];
    succeed(pgastool(folder).args(options));
}

#[test]
fn functions_of_c_nest_in_their_task_though_tasks_take_turns() {
    let folder = tempfile::tempdir().expect("a folder");
    record_game(folder.path());
    let mut open: Vec<String> = Vec::new();
    let (mut takes, mut tasks) = (0, 0);
    for event in events(folder.path()) {
        let (region, kind) = (&event["region"], &event["kind"]);
        let region = region.as_str().expect("a name").to_owned();
        if event["event"] != "enter" {
            assert_eq!(open.pop(), Some(region));
            continue;
        }
        if region == "take" {
            assert_eq!(open, ["player", "player", "turn"], "task and functions");
            takes += 1;
        }
        if kind == "task" {
            assert!(open.is_empty(), "{open:?}");
            tasks += 1;
        }
        open.push(region);
    }
    assert!(
        takes > 6,
        "a function that waited is entered again: {takes}"
    );
    assert!(tasks > 3, "{tasks}");
}

#[test]
#[ignore = "a program that another test records"]
fn sums_somewhere() {
    if let Err(failure) = run(sum, ()) {
        eprintln!("{failure}");
        std::process::exit(1);
    }
}

#[test]
fn several_processes_are_refused_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = recording(folder.path(), "sums_somewhere", &[]);
    let output = command.env("PGAS_TASK_PROCESSES", "2").output();
    let output = output.expect("pgastool");
    assert!(!output.status.success());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("recorded on one process only"), "{error}");
    assert!(error.contains("without pgastool"), "{error}");
}
