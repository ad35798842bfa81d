//! Limits and signals of the system at a bad moment: each is an error that is reported, and nothing
//! half made is left.

use crate::bench::{Bench, UNEVEN, contains};
use crate::not_tested::not_tested;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Threads whose start takes a while differ in when they handle signals.
const SLOW_TO_START: &str = r#"#define _GNU_SOURCE
#include <upc.h>
#include <dlfcn.h>
#include <unistd.h>

int on_exit(void (*call)(int, void *), void *argument) {
    int (*real)(void (*)(int, void *), void *) =
        (int (*)(void (*)(int, void *), void *))dlsym(RTLD_NEXT, "on_exit");
    int result;
    if (MYTHREAD == 0) {
        close(creat("starting", 0600));
        usleep(600 * 1000);
    }
    result = real(call, argument);
    if (MYTHREAD == 1) close(creat("started", 0600));
    return result;
}

int main(void) {
    for (;;) usleep(1000);
}
"#;

#[test]
fn a_signal_while_the_program_starts_acts_at_once() {
    let bench = Bench::new();
    bench.compile(SLOW_TO_START, &[]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_pgastool"))
        .args(["run", "-n", "2", "-o", "exp", "./prog"])
        .current_dir(bench.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while !(bench.path("starting").exists() && bench.path("started").exists()) {
        assert!(child.try_wait().unwrap().is_none());
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "it does not start"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    let begin = Instant::now();
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(143));
    // Fifteen seconds are what threads have that write their last events; these have none.
    assert!(
        begin.elapsed() < Duration::from_secs(10),
        "{:?}",
        begin.elapsed()
    );
}

/// The tool with no more than this many bytes in a file.
fn limited(bench: &Bench, kilobytes: u32, arguments: &str) -> Output {
    let tool = env!("CARGO_BIN_EXE_pgastool");
    let script = format!("ulimit -f {kilobytes}; exec '{tool}' {arguments}");
    // In bash, unlike other shells, a block of this limit has 1024 bytes.
    Command::new("bash")
        .args(["-c", &script])
        .current_dir(bench.path(""))
        .output()
        .unwrap()
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_result_that_is_larger_than_files_may_be_is_an_error() {
    let bench = Bench::with_program();
    bench.ok(&["run", "-n", "2", "-o", "exp", "./prog"]);
    bench.ok(&["analyze", "exp"]);
    let before = names(&bench.path("exp/analysis"));
    for (arguments, place) in [
        ("report exp --format html -o page.html", "."),
        ("analyze exp", "exp/analysis"),
    ] {
        let old = names(&bench.path(place));
        let output = limited(&bench, 1, arguments);
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {err}");
        contains(&err, &["error: ", "File too large"]);
        let left: Vec<String> = names(&bench.path(place));
        assert!(left.iter().all(|name| old.contains(name)), "{left:?}");
    }
    bench.ok(&["analyze", "exp"]);
    assert_eq!(names(&bench.path("exp/analysis")), before);
}

#[test]
fn a_program_is_recorded_as_far_as_files_may_grow_and_goes_on() {
    let bench = Bench::new();
    bench.compile(
        &UNEVEN.replace(
            "usleep(2000 * (MYTHREAD + 1));",
            "for (int i = 0; i < 20000; i++) done[MYTHREAD] += i;",
        ),
        &["--inst-local"],
    );
    for files in ["thread", "node"] {
        let output = limited(
            &bench,
            16,
            &format!("run -n 2 --files {files} -o {files} ./prog"),
        );
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert_eq!(output.status.code(), Some(0), "{out}{err}");
        contains(&out, &["sum "]);
        contains(&err, &["File too large"]);
    }
}

/// Output and errors of shell commands in a directory `full`, which has as little room as `options`
/// say; `None` if this user cannot mount that.
fn on_a_small_disk(bench: &Bench, options: &str, commands: &str) -> Option<(String, String)> {
    const MOUNTED: &str = "mounted\n";
    let script = format!(
        "mkdir full && mount -t tmpfs -o {options} none full && echo mounted && cd full && \
         {commands}"
    );
    let output = Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", &script])
        .env("PGAS_BUFFER", "4096")
        .env("PGAS_COMPRESS", "none")
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    if let Some(out) = out.strip_prefix(MOUNTED) {
        return Some((out.to_owned(), err));
    }
    not_tested(&format!(
        "a full disk: this user cannot mount a small one: {}",
        err.trim()
    ));
    None
}

/// The disk that the recording has filled has room for how the run ended.
#[test]
fn a_full_disk_is_told_and_not_taken_for_a_kill() {
    let bench = Bench::with_program();
    let tool = env!("CARGO_BIN_EXE_pgastool");
    let commands = format!(
        "'{tool}' run -n 2 -o exp ../prog; head -c 100000 /dev/zero >fill; '{tool}' events \
         --limit 1 exp >/dev/null; cat exp/experiment.json"
    );
    let Some((out, err)) = on_a_small_disk(&bench, "size=24k", &commands) else {
        return;
    };
    contains(&err, &["No space left"]);
    contains(&out, &["\"state\": \"finished\"", "\"exit_status\": 0"]);
    assert!(!out.contains("was killed"), "{out}");
}

#[test]
fn no_half_directory_is_left_where_the_disk_is_full() {
    let bench = Bench::with_program();
    let tool = env!("CARGO_BIN_EXE_pgastool");
    // Room for a directory or two, and none for a description.
    let commands = format!(
        "head -c 8192 /dev/zero >fill; '{tool}' run -n 2 -o exp ../prog; echo \"status $?\"; \
         '{tool}' run -n 2 --repeat 2 -o series ../prog; ls"
    );
    let Some((out, err)) = on_a_small_disk(&bench, "size=4k,nr_inodes=16", &commands) else {
        return;
    };
    assert_eq!(out, "status 2\nfill\n", "{err}");
    contains(&err, &["experiment.json", "No space left"]);
}
