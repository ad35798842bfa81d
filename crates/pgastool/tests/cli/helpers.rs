//! The commands around the cycle: `doctor`, help, completions, man pages.

use crate::bench::{Bench, Told, contains, tools};
use serde_json::Value;
use std::fs;

#[test]
fn the_doctor_finds_everything_here() {
    let bench = Bench::new();
    let text = bench.ok(&["doctor"]);
    contains(
        &text,
        &[
            "C compiler",
            "embedded UPC compiler",
            "recorder",
            "cores",
            "clock",
            "counters",
            "memory",
            "ok ",
        ],
    );
    let examination: Value =
        serde_json::from_str(&bench.ok(&["doctor", "--format", "json"])).unwrap();
    assert_eq!(examination["schema"], 1);
    assert_eq!(examination["ok"], true);
    for check in examination["checks"].as_array().unwrap() {
        assert!(
            check["essential"] == false || check["status"] == "ok",
            "{check}"
        );
    }
}

#[test]
fn the_doctor_names_what_is_missing_and_the_remedy() {
    let bench = Bench::new();
    fs::create_dir(bench.path("nothing")).unwrap();
    let told = Told::of(
        bench
            .command(&["doctor"])
            .env("PATH", bench.path("nothing")),
    );
    assert_eq!(told.status, Some(1), "{told:?}");
    contains(&told.out, &["missing  C compiler", "apt install gcc"]);

    let told = Told::of(
        bench
            .command(&["doctor", "--format=json"])
            .env("PGAS_LIB_DIR", bench.path("nothing")),
    );
    assert_eq!(told.status, Some(1), "{told:?}");
    let examination: Value = serde_json::from_str(&told.out).unwrap();
    let checks = examination["checks"].as_array().unwrap();
    let recorder = checks.iter().find(|c| c["name"] == "recorder").unwrap();
    assert_eq!(recorder["status"], "missing");
    contains(
        recorder["remedy"].as_str().unwrap(),
        &["PGAS_LIB_DIR", "nothing"],
    );
}

#[test]
fn every_command_has_help_and_a_man_page() {
    let bench = Bench::new();
    let help = bench.ok(&["--help"]);
    bench.ok(&["man", "pages"]);
    for command in [
        "compile", "run", "analyze", "report", "cube", "view", "diff", "score", "convert",
        "events", "time", "demo", "doctor",
    ] {
        contains(&help, &[command]);
        contains(
            &bench.ok(&[command, "--help"]),
            &[&format!("pgastool {command}")],
        );
        let page = fs::read_to_string(bench.path(format!("pages/pgastool-{command}.1"))).unwrap();
        contains(&page, &[".TH", ".SH SYNOPSIS"]);
    }
    for line in help.lines() {
        assert!(line.len() <= 100, "{line}");
    }
}

/// Pages that one names under SEE ALSO or among its commands are there, and options list the values
/// that they take.
#[test]
fn man_pages_name_only_pages_that_are_there() {
    let bench = Bench::new();
    bench.ok(&["man", "pages"]);
    let mut names: Vec<String> = fs::read_dir(bench.path("pages"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.push("pgas-upcc.1".to_string());
    let upcc = std::process::Command::new(tools().join("pgas-upcc"))
        .arg("--man")
        .output()
        .unwrap();
    fs::write(bench.path("pages/pgas-upcc.1"), upcc.stdout).unwrap();
    for name in &names {
        let page = fs::read_to_string(bench.path(format!("pages/{name}"))).unwrap();
        contains(&page, &[".SH NAME", ".SH SEE ALSO"]);
        let plain = page.replace("\\-", "-").replace(" (1)", "(1)");
        for (at, _) in plain.match_indices("(1)") {
            let before = plain[..at].rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            let other = format!("{}.1", before.into_iter().next().unwrap());
            assert!(names.contains(&other), "{name} names {other}");
            assert_ne!(*name, other);
        }
        for hidden in ["completions", "markdown", "pgastool-help"] {
            assert!(!plain.contains(hidden), "{name}: {hidden}");
        }
    }
    let page = |name: &str| fs::read_to_string(bench.path(format!("pages/{name}.1"))).unwrap();
    contains(
        &page("pgastool-report"),
        &["cubex: CUBE 4", "html: One page"],
    );
    contains(
        &page("pgastool-run"),
        &["node: All threads of a node", "thread: Each thread"],
    );
    contains(&page("pgastool-cube-dump"), &["csv: ", "CUBE"]);
}

#[test]
fn completions_know_the_commands() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish"] {
        contains(
            &bench.ok(&["completions", shell]),
            &["analyze", "no-measure", "since"],
        );
        let text = bench.ok(&["completions", shell]);
        for hidden in ["markdown", "completions"] {
            assert!(!text.contains(hidden), "{shell}: {hidden}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let bench = Bench::with_program();
    bench.measure("2");
    bench.ok(&["analyze"]);
    let script = "\"$0\" report --format cube | head -c 1 >/dev/null";
    let output = std::process::Command::new("bash")
        .args([
            "-o",
            "pipefail",
            "-c",
            script,
            env!("CARGO_BIN_EXE_pgastool"),
        ])
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stderr)
            .lines()
            .filter(|l| l.contains("error"))
            .count(),
        0
    );
    assert!(output.status.success(), "{output:?}");
}
