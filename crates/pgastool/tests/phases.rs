//! Iterations of real programs: a loop is found where it is, with the right number of iterations,
//! and growing imbalance is distinguished from constant imbalance.

#[path = "measured/machine.rs"]
mod machine;
mod measured;
#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use machine::{Attempt, Watch, judge};
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

/// Runs of a program at most, if the machine takes the cores away in each.
const ATTEMPTS: usize = 6;
/// Seconds without a core, of all threads, above which a run is disturbed: the programs sleep 0.2 ms
/// longer from iteration to iteration.
const DISTURBED: f64 = 0.2e-3;

/// Measures a program and looks what `check` finds wrong with the loops of its report; repeats that
/// only if the machine has disturbed the run. `None` if it did so in all runs.
fn judged(
    dir: &Path,
    program: &Path,
    arguments: &[&str],
    threads: u32,
    check: impl Fn(&Value) -> Vec<&'static str>,
) -> Option<Value> {
    let name = program.file_name().expect("a name").to_string_lossy();
    let title = format!("{name} {}", arguments.join(" "));
    let (loops, wrong) = judge(&title, ATTEMPTS, |attempt| {
        let name = format!("{}-{attempt}", arguments.join("-"));
        let watch = Watch::start();
        let loops = measure(dir, program, arguments, threads, &name).report["phases"].take();
        let taken = watch.end(&dir.join(&name));
        let wrong = check(&loops);
        Attempt {
            is_right: wrong.is_empty(),
            is_disturbed: taken.seconds() > DISTURBED,
            result: (loops, wrong),
        }
    })?;
    assert!(wrong.is_empty(), "{wrong:?}: {loops}");
    Some(loops)
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
        // The sleep of the last thread less the mean of the three: two thirds of what it sleeps
        // longer.
        let (first, last) = match argument {
            "growing" => (200e-6 * 3.0, 200e-6 * 26.0),
            _ => (200e-6 * 15.0, 200e-6 * 15.0),
        };
        let grows = argument == "growing";
        judged(dir.path(), &program, &[argument], 3, |loops| {
            let found = &loops[0];
            assert_eq!(found["iterations"], 30, "{found}");
            assert_eq!(found["function"], "main");
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
    // If something else took most of the time of a run, its loops are not the program's.
    let found = judged(dir.path(), &program, &[], 2, |loops| {
        failures(&[(loops != &Value::Array(Vec::new()), "loops")])
    });
    let Some(loops) = found else { return };
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
    let of_calls = |loops: &Value, region: &str, body: &str| {
        let found = &loops[0];
        assert_eq!(found["boundary"], "call", "{found}");
        assert_eq!(
            (&found["region"], &found["body"], &found["iterations"]),
            (&region.into(), &body.into(), &40.into()),
            "{found}"
        );
    };

    judged(dir.path(), &program, &["locks"], 3, |loops| {
        of_calls(loops, "step", "step");
        let found = &loops[0];
        // In the last ten steps, the last thread sleeps 3.45 ms longer on average: two thirds of it
        // are above the mean.
        let imbalance = series(found, "imbalance")["last_quarter"].as_f64();
        failures(&[
            (found["slowest"]["thread"] == 2, "slowest thread"),
            (imbalance > Some(0.6 * 3.45e-3 * 2.0 / 3.0), "last quarter"),
        ])
    });

    judged(dir.path(), &program, &["region"], 3, |loops| {
        of_calls(loops, "time step", "");
        let found = &loops[0];
        let duration = series(found, "duration")["values"].as_array().unwrap();
        // 10 ms on one of three threads, 1 ms on the others.
        let is_long = |k: usize| duration[k].as_f64() > Some(3.9e-3);
        let long = [9, 19, 29, 39].into_iter().all(is_long);
        failures(&[(long, "every tenth step")])
    });

    let loops = &measure(dir.path(), &program, &["tasks"], 3, "tasks").report["phases"];
    assert_eq!(loops, &Value::Array(Vec::new()));
}
