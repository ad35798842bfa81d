//! `pgastool run`: exit status, signals, arguments, and experiments that are never overwritten.

use crate::bench::{Bench, UNEVEN, contains, last_line};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Barriers without end, with a line on standard output once some thousand are done.
const ENDLESS: &str = r#"#include <upc.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    long round;
    for (round = 0;; round++) {
        upc_barrier;
        if (round == 5000 && MYTHREAD == 0) {
            puts("ready");
            fflush(stdout);
        }
        if (round > 5000) usleep(1000);
    }
}
"#;

#[test]
fn the_exit_status_is_the_programs() {
    let bench = Bench::with_program();
    for (options, status) in [
        (&["run", "-n", "2", "./prog", "42"][..], 42),
        (&["run", "--no-measure", "-n", "2", "./prog", "3"], 3),
    ] {
        let told = bench.told(options);
        assert_eq!(told.status, Some(status), "{}", told.err);
    }
    bench.ok(&["analyze"]);
    assert_eq!(
        description(&bench, &bench.experiments()[0])["exit_status"],
        42
    );
}

#[test]
fn arguments_reach_the_program_as_they_are() {
    let bench = Bench::with_program();
    let out = bench.ok(&[
        "run", "-n", "2", "./prog", "0", "-n", "7", "--quiet", "--", "a b",
    ]);
    contains(&out, &["[0][-n][7][--quiet][--][a b]"]);
    let out = bench.ok(&["run", "-n2", "--", "./prog", "0", "-o"]);
    contains(&out, &["[0][-o]"]);
    // Without a directory, the current one counts if the search path has none.
    contains(&bench.ok(&["run", "-n", "2", "prog"]), &["sum 10"]);
}

/// The size reaches the program in one form, for whatever runtime it has.
#[test]
fn the_size_of_the_shared_heap() {
    let bench = Bench::with_program();
    fs::write(
        bench.path("env.sh"),
        "#!/bin/sh\necho \"$PGAS_SHARED_HEAP $UPC_SHARED_HEAP_SIZE\"\n",
    )
    .unwrap();
    for (given, passed) in [("64", "64MB"), ("2G", "2GB"), ("512kb", "512KB")] {
        let out = bench.ok(&[
            "run",
            "--no-measure",
            "-n",
            "1",
            "--shared-heap",
            given,
            "/bin/sh",
            "env.sh",
        ]);
        assert_eq!(out, format!("{passed} {passed}\n"));
    }
    let err = bench.refused(&["run", "-n", "2", "--shared-heap", "lots", "./prog"]);
    contains(&err, &["lots", "512MB"]);
}

#[test]
fn a_run_without_measurement_leaves_nothing() {
    let bench = Bench::with_program();
    let out = bench.ok(&["run", "-n", "2", "--no-measure", "./prog"]);
    assert_eq!(out, "sum 10\n");
    assert_eq!(bench.experiments(), [""; 0]);
    // An experiment that the caller's environment names is not written to either.
    let mut command = bench.command(&["run", "-n", "2", "--no-measure", "./prog"]);
    fs::create_dir(bench.path("elsewhere")).unwrap();
    command.env("PGAS_EXPERIMENT", bench.path("elsewhere"));
    command.assert().success();
    assert_eq!(fs::read_dir(bench.path("elsewhere")).unwrap().count(), 0);
}

#[test]
fn an_existing_directory_is_never_written_to() {
    let bench = Bench::with_program();
    bench.ok(&["run", "-n", "2", "-o", "mine", "./prog"]);
    let before = snapshot(&bench.path("mine"));
    let err = bench.refused(&["run", "-n", "2", "-o", "mine", "./prog"]);
    contains(&err, &["mine", "exists"]);
    assert_eq!(snapshot(&bench.path("mine")), before);
    fs::create_dir(bench.path("empty")).unwrap();
    bench.refused(&["run", "-n", "2", "-o", "empty", "./prog"]);
    assert_eq!(fs::read_dir(bench.path("empty")).unwrap().count(), 0);
}

#[test]
fn runs_at_the_same_time_get_different_experiments() {
    let bench = Bench::with_program();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| bench.measure("2"));
        }
    });
    assert_eq!(bench.experiments().len(), 4);
    for experiment in bench.experiments() {
        bench.ok(&["analyze", &experiment]);
    }
}

#[test]
fn a_program_killed_from_outside_leaves_what_it_recorded() {
    let (bench, pgastool) = endless();
    let program = child_of(pgastool.id());
    signal("KILL", program);
    let (status, out) = end(pgastool);
    assert_eq!(status, Some(137));
    let experiment = last_line(&out).to_string();
    assert_eq!(description(&bench, &experiment)["state"], "killed");

    let told = bench.told(&["analyze", &experiment]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    contains(&told.err, &["warning: "]);
    let report = bench.json();
    assert!(report["metrics"]["visits"]["total"].as_f64().unwrap() >= 100.0);
    let remarks = report["remarks"].as_array().unwrap();
    assert!(!remarks.is_empty());
    let text = bench.ok(&["report"]);
    let first_words: String = remarks[0]
        .as_str()
        .unwrap()
        .split(' ')
        .take(3)
        .collect::<Vec<_>>()
        .join(" ");
    contains(&text, &[&first_words]);
}

#[test]
fn a_killed_tool_takes_the_program_with_it_and_leaves_an_experiment() {
    for signal_of in ["KILL", "ABRT"] {
        let (bench, pgastool) = endless();
        signal(signal_of, pgastool.id());
        // Until nobody has the pipe any more that is their standard output.
        end(pgastool);
        let experiment = bench.experiments().remove(0);
        assert_eq!(description(&bench, &experiment)["state"], "running");
        let told = bench.told(&["analyze", &experiment]);
        assert_eq!(told.status, Some(0), "{}", told.err);
        assert!(bench.json()["metrics"]["visits"]["total"].as_f64().unwrap() >= 100.0);
        assert_eq!(description(&bench, &experiment)["state"], "killed");
        contains(
            &bench.json()["remarks"].to_string(),
            &["pgastool run was killed before the program ended"],
        );
    }
}

/// Regions in which threads were when the signal came, not those that they enter while they end.
#[test]
fn the_state_of_a_program_that_hangs_is_that_at_the_signal() {
    let bench = Bench::new();
    bench.compile(
        "#include <upc.h>
         #include <stdio.h>
         #include <unistd.h>
         strict shared int arrives;
         void done(void) { }
         void stuck(void) { for (;;) { done(); usleep(1000); } }
         int main(void) {
             if (MYTHREAD == 1) {
                 while (!arrives) usleep(1000);
                 puts(\"ready\"); fflush(stdout); stuck();
             }
             arrives = 1;
             upc_barrier;
             return 0;
         }",
        &[],
    );
    // Not SIGINT: whoever runs the tests in the background may have made them ignore it.
    let name = "TERM";
    let (bench, pgastool) = start_and_wait(&bench, &["run", "-n", "2", "./prog"]);
    // Nothing but the barrier makes thread 0 sleep, and nothing but `stuck` thread 1.
    let begin = Instant::now();
    while !all_sleep(&bench.path("prog")) {
        assert!(begin.elapsed() < Duration::from_secs(60), "threads run on");
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(name, pgastool.id());
    let (_, out) = end(pgastool);
    let state = bench.ok(&["events", "--state", last_line(&out)]);
    contains(
        &state,
        &[
            &format!("when SIG{name}"),
            "thread 0",
            "upc_barrier",
            "thread 1",
            "stuck",
        ],
    );
    contains(&state, &["barrier 0: inside: 0; not yet there: 1"]);
}

#[test]
fn signals_go_on_to_the_program() {
    let (bench, pgastool) = endless();
    signal("TERM", pgastool.id());
    let (status, out) = end(pgastool);
    assert_eq!(status, Some(143));
    // The recorder could write what it had in its buffers.
    let told = bench.told(&["analyze", last_line(&out)]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    assert!(!told.err.contains("ends early"), "{}", told.err);
}

#[test]
fn a_crash_is_reported_and_analysable() {
    let bench = Bench::new();
    bench.compile(
        &UNEVEN.replace(
            "return argc > 1 ? atoi(argv[1]) : 0;",
            "if (MYTHREAD == 1) *(volatile int *)0 = 1; upc_barrier;",
        ),
        &[],
    );
    let told = bench.told(&["run", "-n", "2", "./prog"]);
    assert_eq!(told.status, Some(139), "{}", told.err);
    contains(&told.err, &["thread 1"]);
    bench.ok(&["analyze", last_line(&told.out)]);
}

/// Wait states before a bad end are found as if the program had ended well.
#[test]
fn waiting_before_a_bad_end_is_found() {
    let bench = Bench::new();
    bench.compile(
        "#include <upc.h>
         #include <signal.h>
         #include <stdlib.h>
         #include <string.h>
         #include <unistd.h>
         int main(int argc, char **argv) {
             for (int i = 0; i < 3; i++) {
                 if (MYTHREAD == 1) usleep(50000);
                 upc_barrier;
             }
             if (MYTHREAD == 1) {
                 /* Time for the other thread to leave the barrier. */
                 usleep(50000);
                 if (!strcmp(argv[1], \"null\")) *(volatile int *)0 = 1;
                 if (!strcmp(argv[1], \"kill\")) raise(SIGKILL);
                 if (!strcmp(argv[1], \"abort\")) abort();
                 if (!strcmp(argv[1], \"_exit\")) _exit(3);
                 if (!strcmp(argv[1], \"global\")) upc_global_exit(4);
             }
             upc_barrier;
             return 0;
         }",
        &[],
    );
    for (end, status) in [
        ("well", 0),
        ("null", 139),
        ("kill", 137),
        ("abort", 134),
        ("_exit", 3),
        ("global", 4),
    ] {
        let told = bench.told(&["run", "-n", "2", "-o", end, "./prog", end]);
        assert_eq!(told.status, Some(status), "{end}: {}", told.err);
        bench.ok(&["analyze", end]);
        let text = bench.ok(&["report", "--format", "json", end]);
        let report: Value = serde_json::from_str(&text).unwrap();
        let total = |metric: &str| report["metrics"][metric]["total"].as_f64().unwrap();
        // Three times 50 ms, less what a busy machine makes the waiting thread late; and both
        // threads are in `main` and four barriers, one of them perhaps not in the last.
        assert!(total("wait_at_barrier") > 0.125, "{end}: {text}");
        let least = if end == "well" { 10.0 } else { 8.0 };
        assert!(total("visits") >= least, "{end}: {text}");
    }
}

/// A run of [`ENDLESS`] whose recorder has written blocks already.
fn endless() -> (Bench, Child) {
    let bench = Bench::new();
    bench.compile(ENDLESS, &[]);
    let pgastool = start_and_wait(&bench, &["run", "-n", "2", "./prog"]).1;
    (bench, pgastool)
}

/// Starts the tool, and waits until the program says that it is ready.
fn start_and_wait<'a>(bench: &'a Bench, arguments: &[&str]) -> (&'a Bench, Child) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgastool"));
    crate::bench::clean(|name| {
        command.env_remove(name);
    });
    let mut pgastool = command
        .args(arguments)
        .env("PGAS_BUFFER", "4096")
        .current_dir(bench.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = Vec::new();
    let out = pgastool.stdout.as_mut().unwrap();
    // Byte by byte, so that what comes later stays in the pipe.
    while !line.ends_with(b"\n") {
        let mut byte = [0];
        std::io::Read::read_exact(out, &mut byte).unwrap();
        line.extend(byte);
    }
    assert_eq!(line, b"ready\n");
    (bench, pgastool)
}

fn end(mut child: Child) -> (Option<i32>, String) {
    let out = BufReader::new(child.stdout.take().unwrap());
    let text: Vec<String> = out.lines().map(Result::unwrap).collect();
    (child.wait().unwrap().code(), text.join("\n"))
}

/// Whether no process that runs a program has a core, or is ready to.
fn all_sleep(program: &Path) -> bool {
    let program = fs::canonicalize(program).unwrap();
    let processes = fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let own = processes.filter(|p| fs::read_link(p.join("exe")).is_ok_and(|exe| exe == program));
    let mut states = own.map(|process| fs::read_to_string(process.join("status")));
    states.all(|status| status.is_ok_and(|status| status.contains("State:\tS")))
}

fn child_of(process: u32) -> u32 {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap();
    children.split_whitespace().next().unwrap().parse().unwrap()
}

fn signal(name: &str, process: u32) {
    let arguments = [format!("-{name}"), process.to_string()];
    assert!(
        Command::new("kill")
            .args(arguments)
            .status()
            .unwrap()
            .success()
    );
}

fn description(bench: &Bench, experiment: &str) -> Value {
    let text = fs::read_to_string(bench.path(experiment).join("experiment.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// All files below a directory with their contents.
fn snapshot(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(snapshot(&path));
        } else {
            files.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    files.sort();
    files
}
