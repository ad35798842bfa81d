//! Numbers of a result that were changed, and files of another run, are noticed; results of earlier
//! versions are read.

use crate::bench::{Bench, contains};
use std::fs;
use std::path::PathBuf;

/// Two runs of one program, both analysed.
fn two_runs() -> Bench {
    let bench = Bench::with_program();
    for name in ["one", "other"] {
        bench.ok(&["run", "-n", "2", "-o", name, "./prog"]);
        bench.ok(&["analyze", name]);
    }
    bench
}

fn result(bench: &Bench, run: &str, file: &str) -> PathBuf {
    bench.path(run).join("analysis").join(file)
}

/// The text with its last digit, which is part of a number, changed.
fn with_another_digit(text: &str) -> String {
    let at = text.rfind(|c: char| c.is_ascii_digit()).unwrap();
    let other = if text.as_bytes()[at] == b'7' {
        "3"
    } else {
        "7"
    };
    format!("{}{other}{}", &text[..at], &text[at + 1..])
}

#[test]
fn changed_numbers_are_noticed() {
    let bench = two_runs();
    for file in ["profile.cube", "summary.json"] {
        let path = result(&bench, "one", file);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, with_another_digit(&text)).unwrap();
        let err = bench.refused(&["report", "one"]);
        contains(&err, &[file, "checksum", "run `pgastool analyze` again"]);
        contains(&bench.refused(&["cube", "check", "one"]), &[file]);
        fs::write(&path, text).unwrap();
        bench.ok(&["report", "one"]);
    }
    let path = result(&bench, "one", "sources.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("round < 5", "round < 6")).unwrap();
    let told = bench.told(&["report", "one"]);
    assert_eq!(told.status, Some(0));
    contains(&told.err, &["sources.json", "checksum"]);
    assert!(!told.out.contains("round < 6"));
    bench.refused(&["cube", "check", "one"]);
}

#[test]
fn files_of_another_run_are_noticed() {
    let bench = two_runs();
    for (file, expected) in [
        ("profile.cube", "checksum"),
        ("summary.json", "of run"),
        ("sources.json", "of run"),
    ] {
        let (path, other) = (result(&bench, "one", file), result(&bench, "other", file));
        let own = fs::read(&path).unwrap();
        fs::copy(other, &path).unwrap();
        let told = bench.told(&["report", "one"]);
        contains(&told.err, &[file, expected]);
        fs::write(&path, own).unwrap();
    }
    // All of them together are a result, but not of this run.
    for file in ["profile.cube", "summary.json", "sources.json"] {
        fs::copy(result(&bench, "other", file), result(&bench, "one", file)).unwrap();
    }
    contains(&bench.refused(&["report", "one"]), &["of run"]);

    bench.ok(&["analyze", "one"]);
    let stream = fs::read_dir(bench.path("one/streams")).unwrap().next();
    let stream = stream.unwrap().unwrap().file_name();
    fs::copy(
        bench.path("other/streams").join(&stream),
        bench.path("one/streams").join(&stream),
    )
    .unwrap();
    let err = bench.refused(&["analyze", "one"]);
    contains(&err, &[stream.to_str().unwrap(), "a stream of another run"]);
}

/// Without the lines that earlier versions do not write.
#[test]
fn results_of_earlier_versions_are_read_and_said_to_have_no_checksums() {
    let bench = two_runs();
    let told = bench.told(&["cube", "check", "one"]);
    assert_eq!((told.status, &*told.err), (Some(0), ""));
    for (file, names) in [
        (
            "analysis/summary.json",
            ["\"checksum\"", "\"run\"", "\"profile\""],
        ),
        ("analysis/sources.json", ["\"checksum\"", "\"run\"", "-"]),
        ("experiment.json", ["\"id\"", "-", "-"]),
    ] {
        let path = bench.path("one").join(file);
        let text = fs::read_to_string(&path).unwrap();
        let is_new = |line: &&str| names.iter().any(|name| line.trim().starts_with(name));
        let old: Vec<&str> = text.lines().filter(|line| !is_new(line)).collect();
        assert!(old.len() < text.lines().count(), "{file}");
        fs::write(&path, old.join("\n")).unwrap();
    }
    let told = bench.told(&["report", "one"]);
    assert_eq!((told.status, &*told.err), (Some(0), ""));
    let told = bench.told(&["cube", "check", "one"]);
    assert_eq!(told.status, Some(0));
    contains(&told.err, &["without checksums"]);
    bench.ok(&["analyze", "one"]);
}
