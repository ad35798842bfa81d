//! The programs under `npb-fixtures/` verify themselves, on any number of threads, static and
//! dynamic, measured or not.

mod measured;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use measured::{check_sums, measure, per_thread, pgastool, succeed};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../npb-fixtures")
        .join(name)
}

/// A fixture: what to compile and how to run it.
struct Program {
    sources: Vec<PathBuf>,
    flags: &'static [&'static str],
    arguments: &'static [&'static str],
    /// A line that shows that all of its checks were made.
    complete: &'static str,
}

fn integer_sort() -> Program {
    Program {
        sources: vec![fixture("is/is.c"), fixture("is/randdp.c")],
        flags: &["-DCLASS=S"],
        arguments: &[],
        complete: "Checks passed = 51 of 51",
    }
}

fn jacobi() -> Program {
    Program {
        sources: vec![fixture("jacobi/jacobi.upc")],
        flags: &["-lm"],
        arguments: &["20", "41"],
        complete: "Iteration   40: residual",
    }
}

fn compile(dir: &Path, program: &Program, options: &[&str]) -> PathBuf {
    let executable = dir.join("program");
    succeed(
        pgastool(dir)
            .arg("compile")
            .args(options)
            .args(["-O2", "-o"])
            .arg(&executable)
            .args(&program.sources)
            .args(program.flags),
    );
    executable
}

fn run_unmeasured(dir: &Path, executable: &Path, threads: u32, arguments: &[&str]) -> Output {
    pgastool(dir)
        .args(["run", "--no-measure", "-n", &threads.to_string(), "--"])
        .arg(executable)
        .args(arguments)
        .output()
        .expect("pgastool starts")
}

fn check_output(printed: &str, program: &Program, what: &str) {
    for line in ["Verification = SUCCESSFUL", program.complete] {
        assert!(printed.contains(line), "{what}: no '{line}' in\n{printed}");
    }
}

/// Not instrumented and not measured.
fn verifies_plain(program: &Program) {
    let dir = tempfile::tempdir().expect("a folder");
    let check = |executable: &Path, threads: u32, what: &str| {
        let output = run_unmeasured(dir.path(), executable, threads, program.arguments);
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        let what = format!("{what}, {threads} threads");
        assert!(output.status.success(), "{what}: {printed}{errors}");
        check_output(&printed, program, &what);
    };
    let executable = compile(dir.path(), program, &["--no-instrument"]);
    for threads in [1, 2, 3, 4, 7] {
        check(&executable, threads, "dynamic");
    }
    for threads in 1..=4 {
        let number = threads.to_string();
        let executable = compile(
            dir.path(),
            program,
            &["--no-instrument", "--threads", &number],
        );
        check(&executable, threads, "static");
    }
}

/// Instrumented and measured; `check_report` gets the report and the number of threads.
fn verifies_measured(program: &Program, check_report: impl Fn(&serde_json::Value, u32)) {
    let dir = tempfile::tempdir().expect("a folder");
    let check = |executable: &Path, threads: u32, kind: &str| {
        let experiment = format!("{kind}_{threads}");
        let run = measure(
            dir.path(),
            executable,
            program.arguments,
            threads,
            &experiment,
        );
        check_output(&run.printed, program, &experiment);
        check_sums(&run.report);
        assert_eq!(run.report["threads"], threads, "{experiment}");
        check_report(&run.report, threads);
    };
    let executable = compile(dir.path(), program, &[]);
    for threads in 1..=4 {
        check(&executable, threads, "dynamic");
    }
    for threads in 1..=4 {
        let executable = compile(dir.path(), program, &["--threads", &threads.to_string()]);
        check(&executable, threads, "static");
    }
}

#[test]
fn integer_sort_verifies() {
    verifies_plain(&integer_sort());
}

/// Every ranking fetches all keys once and the bucket sizes of all threads on each thread; there
/// are eleven rankings.
#[test]
fn integer_sort_verifies_measured() {
    verifies_measured(&integer_sort(), |report, threads| {
        let threads = f64::from(threads);
        let (keys, buckets, int) = (65536.0, 512.0, 4.0);
        let expected = 11.0 * (keys * int + threads * threads * buckets * int);
        let found: f64 = per_thread(report, "bytes_get")
            .expect("bytes_get")
            .iter()
            .sum();
        // Beyond that there are single values, test keys and results, of a few bytes each.
        assert!(
            found >= expected && found <= expected + 16384.0,
            "bytes_get is {found}, expected is {expected} and a little more"
        );
    });
}

#[test]
fn jacobi_verifies() {
    verifies_plain(&jacobi());
}

/// Every iteration fetches two planes at each of the borders between slabs.
#[test]
fn jacobi_verifies_measured() {
    verifies_measured(&jacobi(), |report, threads| {
        let planes = 41.0 * 2.0 * f64::from(threads - 1);
        let expected = planes * 22.0 * 22.0 * 8.0;
        let found: f64 = per_thread(report, "bytes_get")
            .expect("bytes_get")
            .iter()
            .sum();
        assert!(
            found >= expected && found <= 1.05 * expected + 16384.0,
            "bytes_get is {found}, expected is {expected} and a little more"
        );
    });
}

/// The verification can fail: keys from another generator have other ranks.
#[test]
fn integer_sort_notices_wrong_ranks() {
    let dir = tempfile::tempdir().expect("a folder");
    for name in ["is.c", "is_class.h", "randdp.c", "randdp.h"] {
        let text = fs::read_to_string(fixture("is").join(name)).expect("a source of IS");
        fs::write(
            dir.path().join(name),
            text.replace("UINT64_C(1220703125)", "UINT64_C(1220703133)"),
        )
        .expect("to write it");
    }
    let program = Program {
        sources: vec![dir.path().join("is.c"), dir.path().join("randdp.c")],
        ..integer_sort()
    };
    let executable = compile(dir.path(), &program, &["--no-instrument"]);
    let output = run_unmeasured(dir.path(), &executable, 2, &[]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("Verification = UNSUCCESSFUL"), "{printed}");
}

#[test]
fn jacobi_refuses_what_makes_no_sense() {
    let dir = tempfile::tempdir().expect("a folder");
    let executable = compile(dir.path(), &jacobi(), &["--no-instrument"]);
    for (threads, arguments, message) in [
        (4, &["ten"][..], "the number of points is 'ten'"),
        (2, &["8", "0"][..], "the number of iterations is '0'"),
        (7, &["5"][..], "5 planes are too few for 7 threads"),
    ] {
        let output = run_unmeasured(dir.path(), &executable, threads, arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(message), "{arguments:?}: {errors}");
    }
}
