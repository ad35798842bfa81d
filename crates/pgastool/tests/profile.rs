//! The call-path profile against a program that counts its own operations: visits of every function
//! and operation and bytes of every kind, exactly, for each thread.

mod measured;

use std::collections::BTreeMap;
use std::path::Path;

use measured::{EACH_AN_EVENT, check_sums, measure, per_thread, pgastool, succeed};
use serde_json::Value;

const THREADS: u32 = 4;

/// Lines `<key> <name> <thread> <number>` as numbers per thread by name.
fn counts(printed: &str, key: &str) -> BTreeMap<String, Vec<f64>> {
    let mut counts: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for line in printed.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [first, name, thread, number] = words[..] {
            if first == key {
                let thread: usize = thread.parse().expect("a thread");
                counts
                    .entry(name.to_string())
                    .or_insert_with(|| vec![0.0; THREADS as usize])[thread] =
                    number.parse().expect("a number");
            }
        }
    }
    assert!(!counts.is_empty(), "no line '{key} ...' in\n{printed}");
    counts
}

/// Visits of a region over all call paths.
fn visits(report: &Value, region: &str) -> Vec<f64> {
    let mut sums = vec![0.0; THREADS as usize];
    for path in report["call_paths"].as_array().expect("call paths") {
        if path["region"] == region {
            if let Some(row) = path["metrics"].get("visits").and_then(Value::as_array) {
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += value.as_f64().expect("a number");
                }
            }
        }
    }
    sums
}

/// Call paths below the program as "/main/outer/middle" with the visits of each thread, without
/// time that lacked a core.
fn paths(report: &Value) -> BTreeMap<String, Value> {
    let mut names: Vec<String> = Vec::new();
    let mut found = BTreeMap::new();
    for path in report["call_paths"].as_array().expect("call paths") {
        let region = path["region"].as_str().unwrap_or_default();
        let name = match path["parent"].as_u64() {
            Some(parent) => format!("{}/{region}", names[parent as usize]),
            None => String::new(),
        };
        if region != "no core" {
            found.insert(name.clone(), path["metrics"]["visits"].clone());
        }
        names.push(name);
    }
    found
}

#[test]
fn functions_that_are_left_by_longjmp_are_closed() {
    let dir = tempfile::tempdir().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profile/jumps.upc");
    let mut of = Vec::new();
    for how in ["RETURN", "LONGJMP", "SIGLONGJMP"] {
        let program = dir.path().join(how);
        succeed(
            pgastool(dir.path())
                .args(["compile", "--upcc", "embedded"])
                .args(EACH_AN_EVENT)
                .args(["-O2", "-o"])
                .arg(&program)
                .arg(format!("-DHOW={how}"))
                .arg(&source),
        );
        let run = measure(dir.path(), &program, &[], 2, &format!("e-{how}"));
        assert_eq!(run.printed.matches("100000 rounds").count(), 2);
        check_sums(&run.report);
        of.push(paths(&run.report));
    }
    let barrier = of[0].keys().any(|path| path == "/main/upc_barrier");
    assert!(barrier && of[0].len() < 20, "{:#?}", of[0]);
    assert_eq!(of[1], of[0]);
    assert_eq!(of[2], of[0]);
}

#[test]
fn operations_that_are_left_by_longjmp_are_closed() {
    let dir = tempfile::tempdir().expect("a folder");
    let program = dir.path().join("left");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profile/left.upc");
    succeed(
        pgastool(dir.path())
            .args(["compile", "--upcc", "embedded"])
            .args(EACH_AN_EVENT)
            .args(["-O1", "-o"])
            .arg(&program)
            .arg(source),
    );
    let run = measure(dir.path(), &program, &[], 2, "e");
    assert!(run.printed.contains("left 1000\n") && run.printed.contains("left 1001\n"));
    check_sums(&run.report);
    let visits: BTreeMap<String, Value> = paths(&run.report);
    // Only the handler runs inside of a copy or a barrier.
    let expected = [
        ("/main", [1, 1]),
        ("/main/after", [1002, 1002]),
        ("/main/after/upc_fence", [1002, 1002]),
        ("/main/upc_memget", [1000, 1000]),
        ("/main/upc_fence", [1, 1]),
    ];
    for (path, of_threads) in expected {
        let found = visits.iter().filter(|(name, _)| *name == path);
        let found: Vec<_> = found.map(|(_, visits)| visits.to_string()).collect();
        let of_threads = of_threads.map(f64::from);
        assert_eq!(
            found,
            [serde_json::json!(of_threads).to_string()],
            "{path}: {visits:#?}"
        );
    }
    let inside = |name: &&String| {
        let is_inside = name.contains("upc_memget/") || name.contains("upc_barrier/");
        is_inside && !name.ends_with("/leave")
    };
    assert_eq!(visits.keys().find(inside), None, "{visits:#?}");
}

#[test]
fn visits_and_bytes_are_exact() {
    let dir = tempfile::tempdir().expect("a folder");
    let program = dir.path().join("counts");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profile/counts.upc");
    succeed(
        pgastool(dir.path())
            .arg("compile")
            .args(EACH_AN_EVENT)
            .args(["-O2", "-o"])
            .arg(&program)
            .arg(source),
    );
    let run = measure(dir.path(), &program, &[], THREADS, "experiment");
    check_sums(&run.report);

    let mut wrong = Vec::new();
    for (region, mut expected) in counts(&run.printed, "VISITS") {
        if region == "upc_barrier" {
            // The end of the program is one more barrier, of the runtime's own.
            expected.iter_mut().for_each(|n| *n += 1.0);
        }
        let found = visits(&run.report, &region);
        if found != expected {
            wrong.push(format!(
                "visits of {region}: {found:?}, expected {expected:?}"
            ));
        }
    }
    for (metric, expected) in counts(&run.printed, "BYTES") {
        let found = per_thread(&run.report, &metric).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{metric}: {found:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{:#}", wrong.join("\n"), run.report);
}
