//! `cube` and `report --format cubex`: what a user sees of them, with a real run.

use crate::bench::{Bench, UNEVEN, contains, keeps_schema};
use pgas_cube::{FileFormat, read_any};
use pgas_result::AnalysisResult;
use serde_json::Value;
use std::fs;

fn analysed() -> Bench {
    let bench = Bench::with_program();
    bench.ok(&["run", "-n", "2", "-o", "run", "./prog"]);
    bench.ok(&["analyze", "run"]);
    bench
}

fn total(bench: &Bench, result: &str, metric: &str) -> f64 {
    let info: Value =
        serde_json::from_str(&bench.ok(&["cube", "info", result, "--format", "json"])).unwrap();
    keeps_schema(&info, "cube-info-1");
    let metrics = info["metrics"].as_array().unwrap();
    let metric = metrics.iter().find(|m| m["id"] == metric).unwrap();
    metric["total"].as_f64().unwrap()
}

#[test]
fn results_are_computed_with_and_looked_into() {
    let bench = analysed();
    bench.ok(&["report", "run", "--format", "cubex", "-o", "run.cubex"]);
    let profile = read_any(AnalysisResult::profile_path(bench.path("run")))
        .unwrap()
        .cube;
    let cubex = read_any(bench.path("run.cubex")).unwrap();
    assert_eq!(cubex.left_out, [""; 0]);
    assert_eq!(cubex.cube, profile, "both formats hold the same");
    assert!(
        profile
            .metrics
            .iter()
            .any(|m| m.url == "@mirror@patterns.html#wait_at_barrier")
    );
    assert_eq!(profile.topologies[0].coordinates.len(), 2);

    let time = total(&bench, "run", "time");
    assert!(time > 0.0);
    assert_eq!(
        bench.ok(&["cube", "diff", "run", "run.cubex", "-o", "zero.cube"]),
        "zero.cube\n"
    );
    assert_eq!(total(&bench, "zero.cube", "time"), 0.0);
    bench.ok(&[
        "cube",
        "mean",
        "run",
        "run.cubex",
        "run",
        "-o",
        "mean.cubex",
    ]);
    let mean = total(&bench, "mean.cubex", "time");
    assert!((mean - time).abs() <= time * 1e-12, "{mean} {time}");
    bench.ok(&["cube", "merge", "run", "mean.cubex", "-o", "merged.cubex"]);
    assert_eq!(total(&bench, "merged.cubex", "time"), time);
    bench.ok(&["cube", "cut", "run", "--prune", "upc_*", "-o", "cut.cubex"]);
    let cut = total(&bench, "cut.cubex", "time");
    assert!((cut - time).abs() <= time * 1e-12, "{cut} {time}");
    let cut = read_any(bench.path("cut.cubex")).unwrap().cube;
    assert!(
        cut.regions
            .iter()
            .all(|region| !region.name.starts_with("upc_"))
    );
    bench.ok(&["cube", "cut", "run", "--root", "main", "-o", "main.cube"]);
    let written = [
        "run",
        "run.cubex",
        "zero.cube",
        "mean.cubex",
        "merged.cubex",
        "cut.cubex",
        "main.cube",
    ];
    let mut check = vec!["cube", "check"];
    check.extend(written);
    assert_eq!(
        bench.ok(&check),
        written
            .map(|file| format!("{file}: well-formed\n"))
            .concat()
    );
    contains(
        &bench.ok(&["cube", "info", "cut.cubex"]),
        &["operation: cut run", "2 threads", "computation"],
    );

    let csv = bench.ok(&[
        "cube", "dump", "run", "--metric", "time", "--thread", "0-1", "--format", "csv",
    ]);
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("metric,unit,call_path,path,file,line,thread,value")
    );
    let sum: f64 = lines
        .map(|line| line.rsplit(',').next().unwrap().parse::<f64>().unwrap())
        .sum();
    assert!((sum - time).abs() <= time * 1e-9, "{sum} {time}");
    let json = bench.ok(&[
        "cube",
        "dump",
        "run",
        "--metric=time",
        "--call-path=#0",
        "--inclusive",
        "--format=json",
    ]);
    let json: Value = serde_json::from_str(&json).unwrap();
    keeps_schema(&json, "cube-dump-1");
    let whole = json["values"][0]["value"].as_f64().unwrap();
    assert!((whole - time).abs() <= time * 1e-9, "{json}");
    let of_threads = bench.ok(&["cube", "dump", "run", "--thread=1", "--format=json"]);
    let of_threads: Value = serde_json::from_str(&of_threads).unwrap();
    keeps_schema(&of_threads, "cube-dump-1");
    assert_eq!(of_threads["values"][0]["thread"], 1);
    contains(
        &bench.ok(&["cube", "dump", "run", "--metric", "visits"]),
        &["visits", "upc_barrier", "#"],
    );
}

/// The compiler's information on functions reaches the files of both formats.
#[test]
fn functions_have_their_first_and_last_lines() {
    let bench = analysed();
    let lines: Vec<&str> = UNEVEN.lines().collect();
    let line = |text: &str| {
        1 + lines
            .iter()
            .position(|line| line.starts_with(text))
            .unwrap()
    };
    let end = |from: usize| from + 1 + lines[from..].iter().position(|line| *line == "}").unwrap();
    for format in ["cube", "cubex"] {
        let file = format!("run.{format}");
        bench.ok(&["report", "run", "--format", format, "-o", &file]);
        let cube = read_any(bench.path(&file)).unwrap().cube;
        for (name, begin) in [("work", line("void work")), ("main", line("int main"))] {
            let region = cube
                .regions
                .iter()
                .find(|region| region.name == name)
                .unwrap();
            let found = (region.begin_line as usize, region.end_line as usize);
            assert_eq!(found, (begin, end(begin)), "{name} in {file}");
        }
        bench.ok(&["cube", "check", &file]);
    }
}

#[test]
fn wrong_usage_says_what_would_be_right() {
    let bench = analysed();
    for (arguments, words) in [
        (
            &["cube", "diff", "run", "run", "-o", "change.xml"][..],
            "names no format",
        ),
        (
            &["cube", "mean", "run", "nowhere.cubex", "-o", "x.cubex"],
            "nowhere.cubex",
        ),
        (
            &["cube", "cut", "run", "--prune", "no_such", "-o", "x.cubex"],
            "no_such",
        ),
        (
            &["cube", "cut", "run", "--prune", "#999999", "-o", "x.cubex"],
            "#999999",
        ),
        (
            &["cube", "cut", "run", "--prune", "#0", "-o", "x.cubex"],
            "root of the call tree",
        ),
        (
            &["cube", "dump", "run", "--metric", "no_such"],
            "no such metric",
        ),
        (&["cube", "dump", "run", "--thread", "7"], "no thread 7"),
    ] {
        let told = bench.told(arguments);
        assert_eq!(told.status, Some(2), "{told:?}");
        contains(&told.err, &["error:", words]);
        assert!(!bench.path("x.cubex").exists());
    }
    fs::write(bench.path("broken.cubex"), "hello").unwrap();
    let told = bench.told(&["cube", "info", "broken.cubex"]);
    assert_eq!(told.status, Some(2));
    contains(&told.err, &["broken.cubex", "expected"]);
    fs::create_dir(bench.path("empty")).unwrap();
    let told = bench.told(&["cube", "info", "empty"]);
    contains(&told.err, &["pgastool analyze"]);
}

/// Names that a program under test can choose do not reach the terminal as they are.
#[test]
fn hostile_names_are_shown_as_text() {
    let bench = analysed();
    let mut cube = read_any(AnalysisResult::profile_path(bench.path("run")))
        .unwrap()
        .cube;
    for region in &mut cube.regions {
        region.name = "=cmd|'\" \u{202e}, </x>".into();
    }
    cube.attributes.insert("note".into(), "\u{9b}31m".into());
    FileFormat::Cube4
        .write(&cube, &bench.path("hostile.cubex"))
        .unwrap();
    for arguments in [
        &["cube", "info", "hostile.cubex"][..],
        &["cube", "dump", "hostile.cubex"],
    ] {
        let text = bench.ok(arguments);
        assert!(!text.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{text:?}");
    }
    let csv = bench.ok(&[
        "cube",
        "dump",
        "hostile.cubex",
        "--metric",
        "time",
        "--format",
        "csv",
    ]);
    assert!(csv.contains("\"=cmd|'\"\" "), "{csv}");
}
