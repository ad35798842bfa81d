//! `pgastool watch` beside programs that wait, hang and are killed: who waits where is seen while it
//! lasts.

mod measured;
mod pseudo_terminal;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use measured::live::{self, Running, watch};
use measured::{pgastool, succeed};
use pgas_watch_client::{Client, Event, Query};
use pseudo_terminal::{Terminal, end};
use serde_json::Value;

/// Thread 0 comes to the second barrier 4 s late.
const LATE: &str = "#include <upc.h>
#include <unistd.h>
int main(void) {
  upc_barrier;
  if (MYTHREAD == 0) sleep(4);
  upc_barrier;
  return 0;
}
";

/// Two of the threads take two locks in opposite order.
const LOCKS: &str = "#include <upc.h>
upc_lock_t *shared locks[2 * THREADS];
int main(void) {
  int own = MYTHREAD % 2;
  if (MYTHREAD < 2) locks[own] = upc_global_lock_alloc();
  upc_barrier;
  if (MYTHREAD < 2) upc_lock(locks[own]);
  upc_barrier;
  if (MYTHREAD < 2) upc_lock(locks[1 - own]);
  return 0;
}
";

/// A program with this source, which keeps live pages as the option `live` says.
fn start(dir: &Path, source: &str, threads: &str, live: &str) -> Running {
    std::fs::write(dir.join("p.upc"), source).unwrap();
    succeed(pgastool(dir).args(["compile", "-g", "-o", "p", "p.upc"]));
    live::start(dir, threads, &[live])
}

/// The first picture that an answer is found in, before the program ends.
fn seen(dir: &Path, wanted: impl Fn(&Value) -> bool) -> Value {
    let mut watching = watch(dir, &["--json", "--period", "100ms"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(watching.stdout.take().unwrap()).lines();
    let pictures = lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap());
    let mut last = Value::Null;
    let mut pictures = pictures.inspect(|picture: &Value| last = picture.clone());
    let found = pictures.find(|picture| wanted(picture));
    let _ = watching.kill();
    let _ = watching.wait();
    found.unwrap_or_else(|| {
        panic!("the program ended before that was seen; the last picture was {last:#}")
    })
}

#[test]
fn a_wait_is_seen_while_it_lasts() {
    for live in ["--live", "--live=only"] {
        let dir = tempfile::tempdir().unwrap();
        let _running = start(dir.path(), LATE, "3", live);
        let picture = seen(dir.path(), |picture| {
            let longest = picture["waits"][0]["longest"].as_f64();
            longest.is_some_and(|seconds| seconds >= 1.5) && picture["seen"] == 3
        });
        let wait = &picture["waits"][0];
        assert_eq!(wait["threads"], serde_json::json!([1, 2]), "{picture:#}");
        assert_eq!(wait["place"]["region"], "upc_barrier", "{picture:#}");
        assert_eq!(wait["place"]["line"], 6, "{picture:#}");
        assert!(wait["longest"].as_f64().unwrap() < 4.5, "{picture:#}");
        assert_eq!(picture["now"][0]["activity"], "computing", "{picture:#}");
        let efficiency = picture["efficiency"].as_f64().unwrap();
        assert!((0.25..0.45).contains(&efficiency), "{picture:#}");
        let schema = include_str!("../../../docs/schema/watch-1.json");
        let schema = serde_json::from_str(schema).unwrap();
        jsonschema::validate(&schema, &picture).unwrap();
    }
}

/// Thread 0 works for 4 s more than the other.
const LEAVES_EARLY: &str = "#include <upc.h>
#include <unistd.h>
int main(void) { if (MYTHREAD == 0) sleep(4); return 0; }
";

#[test]
fn the_end_of_the_program_is_a_place_as_in_reports() {
    let dir = tempfile::tempdir().unwrap();
    let _running = start(dir.path(), LEAVES_EARLY, "2", "--live");
    let picture = seen(dir.path(), |picture| {
        picture["waits"][0]["threads"] == serde_json::json!([1]) && picture["seen"] == 2
    });
    let end = serde_json::json!({ "region": "program end", "file": "", "line": 0 });
    assert_eq!(picture["waits"][0]["place"], end, "{picture:#}");
    let path = picture["now"][1]["path"].as_array().unwrap();
    let files: Vec<_> = path.iter().map(|place| &place["file"]).collect();
    assert!(
        files.iter().all(|file| *file != "_FINAL_BARRIER"),
        "{files:?}"
    );
}

/// Thread 1 comes late to each of many barriers.
const ALWAYS_LATE: &str = "#include <upc.h>
#include <unistd.h>
static void exchange(void) { if (MYTHREAD == 1) usleep(20000); }
int main(void) {
  for (int step = 0; step < 3000; step++) {
    exchange();
    upc_barrier;
  }
  return 0;
}
";

/// `run` offers the program to others and searches for its bottleneck, whether or not anybody watches.
#[test]
fn a_run_offers_what_it_sees_until_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let source = ALWAYS_LATE.replace("3000", "600");
    let mut running = start(dir.path(), &source, "2", "--live");
    let experiment = dir.path().join("e");
    let begin = std::time::Instant::now();
    let client = loop {
        match Client::of_experiment(&experiment) {
            Ok(client) => break client,
            Err(error) => assert!(begin.elapsed().as_secs() < 30, "{error}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let found = client
        .changes()
        .unwrap()
        .find_map(|event| match event.unwrap() {
            Event::Found(found) => Some(found.text),
            _ => None,
        });
    assert!(found.unwrap().ends_with("of the time is not computing"));
    let picture: Value = client.picture_as().unwrap().unwrap();
    let schema = include_str!("../../../docs/schema/watch-1.json");
    jsonschema::validate(&serde_json::from_str(schema).unwrap(), &picture).unwrap();
    assert_eq!(picture["words"]["many"], "threads");
    assert!(
        picture["ring"].is_null() && picture["seen"] == 2,
        "{picture:#}"
    );
    let query = Query {
        level: Some("thread"),
        metric: Some("computing"),
        ..Query::default()
    };
    let fresh = client.now(&query).unwrap();
    let threads: Vec<&str> = fresh.cells.iter().map(|cell| &*cell.object).collect();
    assert_eq!(threads, ["0", "1"]);
    let address = pgastool(dir.path())
        .args(["watch", "e", "--web"])
        .env("BROWSER", "true")
        .output()
        .unwrap();
    let address = String::from_utf8(address.stdout).unwrap();
    assert!(
        address.starts_with("http://127.0.0.1:") && address.contains("/?token="),
        "{address}"
    );

    assert!(running.0.wait().unwrap().success());
    assert!(client.picture().is_err());
    assert!(!experiment.join("live").exists());
}

#[test]
fn the_bottleneck_is_named_while_the_program_runs() {
    let dir = tempfile::tempdir().unwrap();
    let program = start(dir.path(), ALWAYS_LATE, "3", "--live");
    let is_thread = |finding: &&Value| finding["level"] == "thread";
    let named = |picture: &Value| {
        let findings = picture["findings"].as_array().unwrap();
        findings.iter().find(is_thread).cloned()
    };
    let finding = named(&seen(dir.path(), |picture| named(picture).is_some())).unwrap();
    assert_eq!(finding["thread"], 1);
    assert_eq!(finding["place"]["region"], "upc_barrier");
    assert_eq!(finding["place"]["line"], 7);
    let meanwhile = finding["meanwhile"].as_str().unwrap();
    assert_eq!(meanwhile, "computing in exchange at p.upc:3");

    // The report has it beside the findings of the trace.
    drop(program);
    succeed(pgastool(dir.path()).args(["analyze", "e"]));
    let report = pgastool(dir.path()).args(["report", "e"]).output().unwrap();
    let report = String::from_utf8(report.stdout).unwrap();
    let (_, certain) = report.split_once("CONFIRMED WHILE IT RAN").expect(&report);
    assert!(
        certain.contains("thread 1 comes late in upc_barrier"),
        "{certain}"
    );
}

/// On a terminal, `watch` fills the screen; the program goes on when it is left.
#[test]
fn a_screen_shows_who_waits_for_whom() {
    let dir = tempfile::tempdir().unwrap();
    let late = LATE.replace("sleep(4)", "sleep(30)");
    let mut program = start(dir.path(), &late, "3", "--live");
    let mut command = watch(dir.path(), &["--period", "100ms"]);
    command
        .env("TERM", "xterm-256color")
        .env("LC_ALL", "C.UTF-8");
    let mut terminal = Terminal::start(command.env_remove("NO_COLOR"));
    terminal.shows("2 of 3 wait: in upc_barrier at p.upc:6");
    terminal.types("2");
    terminal.shows("missing: thread 0, which computes");
    terminal.types("3");
    terminal.shows("upc_barrier at p.upc:6 (barrier)");
    terminal.types("?");
    terminal.shows("who waits for whom");
    terminal.types("q");
    assert_eq!(end(&mut terminal.child).code(), Some(0));
    assert_eq!(program.0.try_wait().unwrap(), None);
}

#[test]
fn a_deadlock_is_named_with_both_places() {
    let dir = tempfile::tempdir().unwrap();
    let _running = start(dir.path(), LOCKS, "3", "--live");
    let picture = seen(dir.path(), |picture| {
        !picture["deadlocks"].as_array().unwrap().is_empty()
    });
    let waits = picture["deadlocks"][0]["waits"].as_array().unwrap();
    let threads: Vec<_> = waits.iter().map(|w| (&w["thread"], &w["holder"])).collect();
    assert_eq!(threads, [(&0.into(), &1.into()), (&1.into(), &0.into())]);
    assert!(waits.iter().all(|w| w["place"]["line"] == 9), "{picture:#}");
}

#[test]
fn a_thread_that_waits_for_long_is_reported_with_what_the_others_do() {
    let dir = tempfile::tempdir().unwrap();
    let _running = start(
        dir.path(),
        &LATE.replace("sleep(4)", "sleep(9)"),
        "2",
        "--live",
    );
    let picture = seen(dir.path(), |picture| {
        !picture["stuck"].as_array().unwrap().is_empty()
    });
    let stuck = &picture["stuck"][0];
    assert_eq!(stuck["place"]["region"], "upc_barrier", "{stuck:#}");
    assert!(stuck["seconds"].as_f64().unwrap() > 5.0, "{stuck:#}");
    let others = stuck["others"][0].as_str().unwrap();
    assert!(
        others.starts_with("0 computing in main at p.upc:3"),
        "{stuck:#}"
    );
    let text = succeed(&mut watch(dir.path(), &["--once", "--period", "100ms"]));
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(
        text.contains("stuck: thread 1 in upc_barrier at p.upc:6"),
        "{text}"
    );
}

/// Stands for ssh: notes how it is called, and runs the command here. There is no host `gone`.
const SSH: &str = r#"#!/bin/sh
printf '%s\n' "$1 $2" >called
[ "$2" = node17 ] || exit 255
exec sh -c "$3"
"#;

#[test]
fn a_program_on_another_machine_is_watched_by_ssh() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let _running = start(dir, LATE, "2", "--live");
    std::fs::write(dir.join("connect"), SSH).unwrap();
    let watch = |host: &str| {
        let mut command = pgastool(dir);
        command.args(["watch", host, "--once", "--json", "--period", "200ms"]);
        command.env("PGAS_SSH", "sh ./connect -x").output().unwrap()
    };
    let output = watch("node17:e");
    let picture: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(picture["threads"], 2, "{picture:#}");
    let called = std::fs::read_to_string(dir.join("called")).unwrap();
    assert_eq!(called, "-x node17\n");
    let output = watch("gone");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot connect to a host gone"), "{said}");
}

#[test]
fn a_killed_program_leaves_pages_that_are_known_as_such() {
    let dir = tempfile::tempdir().unwrap();
    let running = start(dir.path(), LATE, "2", "--live");
    seen(dir.path(), |picture| picture["seen"] == 2);
    // With the process that would remove the pages; the program goes with it.
    drop(running);
    std::thread::sleep(Duration::from_millis(500));
    let output = watch(dir.path(), &["--once"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the program was killed"), "{said}");
    let output = pgastool(dir.path()).args(["watch", "--once"]).output();
    let said = String::from_utf8_lossy(&output.unwrap().stderr).into_owned();
    assert!(said.contains("of processes that were killed"), "{said}");
    let output = watch(dir.path(), &["--once"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
}

#[test]
fn a_run_without_pages_says_how_to_get_some() {
    let dir = tempfile::tempdir().unwrap();
    let mut running = start(
        dir.path(),
        "int main(void) { return 0; }",
        "1",
        "--live=only",
    );
    running.0.wait().unwrap();
    let output = watch(dir.path(), &[]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("has ended"), "{said}");
    let output = pgastool(dir.path())
        .args(["analyze", "e"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("nothing was recorded"), "{said}");
}
