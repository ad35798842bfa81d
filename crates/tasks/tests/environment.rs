//! Settings of the environment: what they change, and what they do not.

use std::path::PathBuf;
use std::process::{Command, Output};

/// An example of this crate, as the tests' build has it.
fn example(name: &str) -> Command {
    let tests = std::env::current_exe().unwrap();
    let directory: PathBuf = tests.parent().unwrap().with_file_name("examples");
    let mut command = Command::new(directory.join(name));
    command
        .env_remove("PGAS_TASK_PROCESSORS")
        .env_remove("PGAS_TASK_PROCESSES")
        .env_remove("PGAS_TASK_MAP");
    command
}

fn output(command: &mut Command) -> (bool, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.success(), text(stdout), text(stderr))
}

#[test]
fn examples_print_the_same_under_all_mappings() {
    let directory = tempfile::tempdir().unwrap();
    let map = directory.path().join("tasks.map");
    std::fs::write(&map, "filter[0] 1\nworker 0-1\npoint 2\nsmoother 1\n").unwrap();
    for (name, argument, expected) in [
        (
            "sieve",
            "2000",
            "303 primes below 2000, the last is Some(1999)\n",
        ),
        ("farm", "3", "3 workers, 240 rows, 7961855 steps\n"),
        ("fft", "6", "64 points, errors [true, true, true]\n"),
        ("pipeline", "5", "5 images, mean brightness 0.919166\n"),
    ] {
        for (processes, processors) in [("1", "1"), ("1", "2"), ("1", "5"), ("2", "5"), ("3", "3")]
        {
            let mut command = example(name);
            command
                .arg(argument)
                .env("PGAS_TASK_PROCESSES", processes)
                .env("PGAS_TASK_PROCESSORS", processors);
            assert_eq!(output(&mut command).1, expected, "{processors} processors");
            command.env("PGAS_TASK_MAP", &map);
            assert_eq!(
                output(&mut command).1,
                expected,
                "{processors} processors, by the map"
            );
        }
    }
}

#[test]
fn settings_that_cannot_be_used_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let map = directory.path().join("tasks.map");
    std::fs::write(&map, "* 0\nworker one\n").unwrap();
    let map = map.display().to_string();
    for (variable, value, message) in [
        (
            "PGAS_TASK_PROCESSORS",
            "none",
            "PGAS_TASK_PROCESSORS is 'none', and must be a number",
        ),
        (
            "PGAS_TASK_PROCESSORS",
            "0",
            "PGAS_TASK_PROCESSORS is '0', and must be a number",
        ),
        (
            "PGAS_TASK_PROCESSES",
            "100",
            "PGAS_TASK_PROCESSES is '100', and must be a number from 1 to 64",
        ),
        (
            "PGAS_TASK_MAP",
            "/no/such.map",
            "cannot read the map of tasks /no/such.map: No such",
        ),
        (
            "PGAS_TASK_MAP",
            &map,
            &format!("{map}:2: found 'one', expected a processor"),
        ),
    ] {
        let (success, _, error) = output(example("sieve").env(variable, value));
        assert!(!success && error.contains(message), "{error}");
    }
}
