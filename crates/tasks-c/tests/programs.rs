//! Programs in C and C++: what they print, and what they say when they fail.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

fn directory() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The static library, built where this test was.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let profile = test.parent().and_then(Path::parent).unwrap();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([
            "build",
            "--quiet",
            "--offline",
            "--package",
            "pgas-tasks-c",
            "--lib",
        ]);
        cargo
            .arg("--target-dir")
            .arg(profile.parent().unwrap())
            .current_dir(directory());
        if profile.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().unwrap().success());
        profile.join("libpgas_tasks_c.a")
    })
}

struct Program {
    directory: TempDir,
}

impl Program {
    fn compile(compiler: &str, source: &str) -> Self {
        let target = tempfile::tempdir().unwrap();
        let mut cc = Command::new(compiler);
        cc.args([
            "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", "include",
        ]);
        cc.args(["-Wno-deprecated", source])
            .arg(library())
            .args(["-lm", "-ldl", "-o"]);
        cc.arg(target.path().join("program"))
            .current_dir(directory());
        assert!(cc.status().unwrap().success(), "{source}");
        Self { directory: target }
    }

    /// Exit status, standard output, standard error.
    fn run(&self, arguments: &[&str], processors: u32) -> (Option<i32>, String, String) {
        let mut command = Command::new(self.directory.path().join("program"));
        command.args(arguments).env_remove("PGAS_TASK_MAP");
        command.env("PGAS_TASK_PROCESSORS", processors.to_string());
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    }
}

/// The line of a source with a comment.
fn line_of(source: &str, comment: &str) -> usize {
    let text = std::fs::read_to_string(directory().join(source)).unwrap();
    let comment = format!("/* {comment} */");
    text.lines()
        .position(|line| line.ends_with(&comment))
        .unwrap()
        + 1
}

#[test]
fn examples_print_the_same_on_any_number_of_processors() {
    for (name, argument, expected) in [
        ("sieve", "2000", "303 primes below 2000, the last is 1999\n"),
        ("farm", "3", "3 workers, 240 rows, 7961855 steps\n"),
        ("fft", "6", "64 points, right\n"),
        ("pipeline", "5", "5 images, mean brightness 0.919166\n"),
    ] {
        let program = Program::compile("cc", &format!("examples/{name}.c"));
        for processors in [1, 2, 5] {
            let (status, output, error) = program.run(&[argument], processors);
            assert_eq!(
                (status, &*output, &*error),
                (Some(0), expected, ""),
                "{name}"
            );
        }
    }
}

#[test]
fn several_processes_are_refused() {
    let program = Program::compile("cc", "examples/sieve.c");
    let mut command = Command::new(program.directory.path().join("program"));
    command
        .env("PGAS_TASK_PROCESSES", "2")
        .env("PGAS_TASK_PROCESSORS", "2");
    let output = command.output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let expected = "programs of tasks in C and C++ run on one process only";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_deadlock_names_functions_and_lines() {
    let source = "tests/programs/deadlock.c";
    let (channel, create) = (line_of(source, "channel"), line_of(source, "create"));
    let (status, _, error) = Program::compile("cc", source).run(&[], 2);
    assert_eq!(status, Some(1));
    for part in [
        "pgas_tasks: deadlock: the 2 tasks left all wait".to_owned(),
        format!("\n  task 1 (cautious, created at {source}:{create})\n"),
        format!(
            "\n  task 2 (cautious, created at {source}:{})\n",
            create + 1
        ),
        format!(
            "waits at {source}:{} in receive from channel",
            line_of(source, "receive")
        ),
        format!("(created at {source}:{channel}, 0 queued, 1 output)"),
    ] {
        assert!(error.contains(&part), "{part:?} in\n{error}");
    }
}

#[test]
fn a_full_channel_and_a_select_are_waits() {
    let source = "tests/programs/full.c";
    let (status, _, error) = Program::compile("cc", source).run(&[], 1);
    assert_eq!(status, Some(1));
    for part in [
        format!(
            "waits at {source}:{} in select over channel 2",
            line_of(source, "select")
        ),
        format!(
            "waits at {source}:{} in send to channel 1",
            line_of(source, "send")
        ),
        "3 queued, capacity 2, 1 output".to_owned(),
    ] {
        assert!(error.contains(&part), "{part:?} in\n{error}");
    }
}

#[test]
fn selects_take_turns_and_closed_channels_end() {
    let (status, output, _) = Program::compile("cc", "tests/programs/select.c").run(&[], 1);
    let expected = "send: 1\nsend to a closed channel: 0\n\
                    receive: 1, a message of more than sixteen letters\nreceive at the end: 0\n\
                    select: 0, 0\nselect: 1, 0\nselect: 2, 0\nselect: 0, 1\nselect: 1, 1\n\
                    select: 2, 1\nselect: 0, -1\nselect: 1, -1\nselect: 2, -1\n";
    assert_eq!((status, &*output), (Some(0), expected));
}

/// More stacks than Linux allows mappings would need guards that do not split mappings.
#[test]
fn there_may_be_many_tasks() {
    let program = Program::compile("cc", "tests/programs/ring.c");
    let (status, output, error) = program.run(&["20000"], 2);
    assert_eq!((status, &*output), (Some(0), "20000\n"), "{error}");
}

#[test]
fn stacks_of_very_many_tasks_take_less_than_a_page_each() {
    let program = Program::compile("cc", "tests/programs/many.c");
    let (status, output, error) = program.run(&["300000"], 1);
    if error.contains("no memory for the stack") {
        eprintln!("skipped: guards of stacks split mappings before Linux 6.13");
        return;
    }
    assert_eq!(
        (status, &*output),
        (Some(0), "less than a page each\n"),
        "{error}"
    );
}

#[test]
fn the_header_is_for_cxx_too() {
    let (status, output, error) = Program::compile("c++", "tests/programs/closing.cc").run(&[], 2);
    assert_eq!((status, &*output), (Some(0), "3\n"), "{error}");
}
