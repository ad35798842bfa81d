//! The whole cycle as a user runs it, for tests: compile, run, analyze, report as JSON.

#![allow(dead_code)] // each test file uses its own part

pub mod live;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Options of `compile` with which each access and each call of a function is an event.
pub const EACH_AN_EVENT: [&str; 4] = ["--accesses", "all", "--functions", "all"];

/// `pgastool` in a folder, without anything from the caller's environment that would change what it
/// does.
pub fn pgastool(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgastool"));
    command.current_dir(dir);
    for variable in [
        "PGAS_UPCC",
        "PGAS_THREADS",
        "PGAS_EXPERIMENT",
        "PGAS_BUFFER",
        "PGAS_CLOCKS",
        "PGAS_SAMPLE",
        "PGAS_TEST_CLOCKS",
    ] {
        command.env_remove(variable);
    }
    command
}

/// Runs a command to its end. Panics if it fails, with all that it wrote.
pub fn succeed(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("cannot start {command:?}: {e}"));
    assert!(
        output.status.success(),
        "{command:?} ended with {}\n{}{}\n(pgas-upcc and the recorder must lie beside pgastool: \
         cargo build --workspace, with the same profile)",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Results of a measured run.
pub struct Measured {
    /// Output of the program.
    pub printed: String,
    /// The report, as `pgastool report --format json` prints it.
    pub report: Value,
}

/// `pgastool run` into the new folder `experiment` in `dir`, then analyze and report.
pub fn measure(
    dir: &Path,
    program: &Path,
    arguments: &[&str],
    threads: u32,
    experiment: &str,
) -> Measured {
    measure_with(&[], dir, program, arguments, threads, experiment)
}

/// The same with variables in the environment of the run.
pub fn measure_with(
    environment: &[(&str, &str)],
    dir: &Path,
    program: &Path,
    arguments: &[&str],
    threads: u32,
    experiment: &str,
) -> Measured {
    let directory = dir.join(experiment);
    let printed = run_with(environment, dir, program, arguments, threads, &directory);
    Measured {
        printed,
        report: analysed(dir, &directory),
    }
}

/// `pgastool run` into the new folder `experiment`; returns what the program printed.
pub fn run_with(
    environment: &[(&str, &str)],
    dir: &Path,
    program: &Path,
    arguments: &[&str],
    threads: u32,
    experiment: &Path,
) -> String {
    let run = succeed(
        pgastool(dir)
            .envs(environment.iter().copied())
            .args(["run", "-n", &threads.to_string(), "-o"])
            .arg(experiment)
            .arg("--")
            .arg(program)
            .args(arguments),
    );
    String::from_utf8_lossy(&run.stdout).into_owned()
}

/// `pgastool analyze` and the report, as `pgastool report --format json` prints it.
pub fn analysed(dir: &Path, experiment: &Path) -> Value {
    succeed(pgastool(dir).arg("analyze").arg(experiment));
    let report = succeed(
        pgastool(dir)
            .args(["report", "--format", "json"])
            .arg(experiment),
    );
    let report: Value = serde_json::from_slice(&report.stdout).unwrap_or_else(|e| {
        panic!(
            "the report is no JSON: {e}\n{}",
            String::from_utf8_lossy(&report.stdout)
        )
    });
    let remarks = report["remarks"].as_array().into_iter().flatten();
    let mut remarks = remarks.filter_map(Value::as_str);
    // The analysis compares all figures with each other.
    let internal = remarks.find(|remark| remark.contains("internal error"));
    assert_eq!(internal, None, "{}", experiment.display());
    report
}

/// One value per thread of a metric, in its unit; `None` if the report does not have the metric.
pub fn per_thread(report: &Value, metric: &str) -> Option<Vec<f64>> {
    report["metrics"]
        .get(metric)?
        .get("per_thread")?
        .as_array()?
        .iter()
        .map(Value::as_f64)
        .collect()
}

/// Conditions of every report: threads' times are the sums of their parts, and nothing is negative.
pub fn check_sums(report: &Value) {
    let of = |metric: &str| {
        per_thread(report, metric)
            .unwrap_or_else(|| panic!("no metric '{metric}' in the report:\n{report:#}"))
    };
    let (time, computation, pgas, measurement) =
        (of("time"), of("computation"), of("pgas"), of("measurement"));
    let no_core = of("no_core");
    for thread in 0..time.len() {
        let sum = computation[thread] + pgas[thread] + no_core[thread] + measurement[thread];
        assert!(
            (sum - time[thread]).abs() <= 1e-9,
            "thread {thread}: computation {} + pgas {} + no core {} + measurement {} = {sum}, but \
             time is {}",
            computation[thread],
            pgas[thread],
            no_core[thread],
            measurement[thread],
            time[thread]
        );
    }
    for name in report["metrics"].as_object().expect("metrics").keys() {
        let values = of(name);
        assert!(
            values.iter().all(|v| *v >= 0.0),
            "negative severity: {name} is {values:?}"
        );
    }
}
