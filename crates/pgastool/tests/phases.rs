//! Iterations of real programs: a loop is found where it is, with as many iterations as it has, and
//! imbalance that grows is told from imbalance throughout.

mod measured;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use measured::{measure, pgastool, succeed};
use serde_json::Value;

fn compile(dir: &Path, source: &str, options: &[&str]) -> PathBuf {
    let executable = dir.join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    succeed(
        pgastool(dir)
            .args(["compile", "-O2", "-o"])
            .arg(&executable)
            .arg(source)
            .args(options),
    );
    executable
}

/// One test at a time: each needs the cores for its threads.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs of a program at most until one is as it should be: another program may take the cores away
/// for longer than an iteration lasts.
const ATTEMPTS: usize = 6;

/// Measures until `check` of the report says nothing; what it says of the last run is the failure.
fn undisturbed(measure: impl Fn(usize) -> Value, check: impl Fn(&Value) -> Vec<&'static str>) {
    for attempt in 1..=ATTEMPTS {
        let found = measure(attempt)["phases"][0].take();
        let wrong = check(&found);
        if wrong.is_empty() {
            return;
        }
        assert!(attempt < ATTEMPTS, "{wrong:?}: {found}");
    }
}

/// The texts of what does not hold.
fn failures(claims: &[(bool, &'static str)]) -> Vec<&'static str> {
    let wrong = claims.iter().filter(|(holds, _)| !holds);
    wrong.map(|(_, text)| *text).collect()
}

fn series<'a>(found: &'a Value, metric: &str) -> &'a Value {
    let series = found["series"].as_array().expect("series");
    let is_it = |s: &&Value| s["metric"] == metric;
    series
        .iter()
        .find(is_it)
        .unwrap_or_else(|| panic!("no {metric}: {found}"))
}

#[test]
fn growing_imbalance_is_told_from_imbalance_throughout() {
    let _alone = alone();
    let dir = tempfile::tempdir().expect("a folder");
    let program = compile(dir.path(), "tests/phases/balance.upc", &[]);
    for argument in ["growing", "constant"] {
        let measured = |attempt| {
            let name = format!("{argument}-{attempt}");
            let report = measure(dir.path(), &program, &[argument], 3, &name).report;
            let found = &report["phases"][0];
            assert_eq!(found["iterations"], 30, "{found}");
            assert_eq!(found["function"], "main");
            report
        };
        // The sleep of the last thread less the mean of the three: two thirds of what it sleeps
        // longer.
        let (first, last) = match argument {
            "growing" => (200e-6 * 3.0, 200e-6 * 26.0),
            _ => (200e-6 * 15.0, 200e-6 * 15.0),
        };
        let grows = argument == "growing";
        undisturbed(measured, |found| {
            let imbalance = series(found, "imbalance");
            let value = |name: &str| imbalance[name].as_f64().unwrap();
            failures(&[
                (found["coverage"].as_f64() > Some(0.8), "coverage"),
                (found["slowest"]["thread"] == 2, "slowest thread"),
                (found["slowest"]["region"] == "merge", "slowest region"),
                (value("first_quarter") > 0.6 * first, "first quarter"),
                (value("last_quarter") > 0.6 * last, "last quarter"),
                ((imbalance["shape"] == "growing") == grows, "shape"),
            ])
        });
    }
}

#[test]
fn conjugate_gradients_have_an_outer_and_an_inner_loop() {
    let _alone = alone();
    let dir = tempfile::tempdir().expect("a folder");
    let program = compile(
        dir.path(),
        "../../npb-fixtures/cg/cg.c",
        &["-DCLASS=S", "-lm"],
    );
    let measured = |attempt| {
        let name = format!("cg-{attempt}");
        measure(dir.path(), &program, &[], 2, &name).report
    };
    // A run is not told by its loops if something else took most of its time.
    let loops = (1..=ATTEMPTS)
        .map(|attempt| measured(attempt)["phases"].take())
        .find(|loops| loops != &Value::Array(Vec::new()))
        .expect("loops");
    let loops = loops.as_array().expect("loops");
    let named = |body: &str, function: &str| {
        let is_it = |l: &&Value| l["body"] == body && l["function"] == function;
        loops
            .iter()
            .find(is_it)
            .unwrap_or_else(|| panic!("{loops:#?}"))
    };
    // One iteration is not timed, 15 are; each solves in 25.
    assert_eq!(named("power_step", "main")["iterations"], 16);
    assert_eq!(named("", "solve")["iterations"], 16 * 25);
}

#[test]
fn where_no_barrier_tells_iterations_apart_calls_do() {
    let _alone = alone();
    let dir = tempfile::tempdir().expect("a folder");
    let program = compile(dir.path(), "tests/phases/free_running.upc", &[]);
    let run = |argument: &str, attempt: usize| {
        let name = format!("{argument}-{attempt}");
        measure(dir.path(), &program, &[argument], 3, &name).report
    };
    let of_calls = |argument: &'static str, region: &'static str, body: &'static str| {
        let run = &run;
        move |attempt| {
            let report = run(argument, attempt);
            let found = &report["phases"][0];
            assert_eq!(found["boundary"], "call", "{found}");
            assert_eq!(
                (&found["region"], &found["body"], &found["iterations"]),
                (&region.into(), &body.into(), &40.into()),
                "{found}"
            );
            report
        }
    };

    undisturbed(of_calls("locks", "step", "step"), |found| {
        // In the last ten steps, the last thread sleeps 3.45 ms longer on average: two thirds of it
        // are above the mean.
        let imbalance = series(found, "imbalance")["last_quarter"].as_f64();
        failures(&[
            (found["slowest"]["thread"] == 2, "slowest thread"),
            (imbalance > Some(0.6 * 3.45e-3 * 2.0 / 3.0), "last quarter"),
        ])
    });

    undisturbed(of_calls("region", "time step", ""), |found| {
        let duration = series(found, "duration")["values"].as_array().unwrap();
        // 10 ms on one of three threads, 1 ms on the others.
        let is_long = |k: usize| duration[k].as_f64() > Some(3.9e-3);
        let long = [9, 19, 29, 39].into_iter().all(is_long);
        failures(&[(long, "every tenth step")])
    });

    let loops = &run("tasks", 1)["phases"];
    assert_eq!(loops, &Value::Array(Vec::new()));
}
