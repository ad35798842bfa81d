//! The NAS kernels EP, CG, FT and MG under `npb-fixtures/` give the published results at class S,
//! on any number of threads, static and dynamic, measured or not. Their transfers are known from
//! the algorithm, byte by byte, and the report must state the same.

mod measured;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use measured::{check_sums, measure, per_thread, pgastool, succeed};
use serde_json::Value;

const DOUBLE: u64 = 8;
const POINTER_TO_SHARED: u64 = 16;

const KERNELS: [&str; 4] = ["ep", "cg", "ft", "mg"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../npb-fixtures")
}

/// Compiles `<folder>/<kernel>/<kernel>.c` for class S.
fn compile(folder: &Path, dir: &Path, kernel: &str, options: &[&str]) -> PathBuf {
    let executable = dir.join(format!("{kernel}{}", options.concat()));
    succeed(
        pgastool(dir)
            .arg("compile")
            .args(options)
            .args(["-O2", "-DCLASS=S", "-o"])
            .arg(&executable)
            .arg(folder.join(kernel).join(kernel).with_extension("c"))
            .arg("-lm"),
    );
    executable
}

fn run_unmeasured(dir: &Path, executable: &Path, threads: u32) -> Output {
    pgastool(dir)
        .args(["run", "--no-measure", "-n", &threads.to_string(), "--"])
        .arg(executable)
        .output()
        .expect("pgastool starts")
}

fn check_printed(printed: &str, threads: u32, what: &str) {
    for line in [
        "Class = S".to_string(),
        format!("Threads = {threads}"),
        "Verification = SUCCESSFUL".to_string(),
    ] {
        assert!(printed.contains(&line), "{what}: no '{line}' in\n{printed}");
    }
}

/// Neither instrumented nor measured.
fn verifies_plain(kernel: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    let check = |executable: &Path, threads: u32, kind: &str| {
        let output = run_unmeasured(dir.path(), executable, threads);
        let printed = String::from_utf8_lossy(&output.stdout);
        let what = format!("{kernel}, {kind}, {threads} threads");
        assert!(
            output.status.success(),
            "{what}: {printed}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        check_printed(&printed, threads, &what);
    };
    let executable = compile(&fixtures(), dir.path(), kernel, &["--no-instrument"]);
    for threads in [1, 2, 3, 4, 7] {
        check(&executable, threads, "dynamic");
    }
    for threads in 1..=4 {
        let number = threads.to_string();
        let options = ["--no-instrument", "--threads", &number];
        let executable = compile(&fixtures(), dir.path(), kernel, &options);
        check(&executable, threads, "static");
    }
}

/// Bytes that all threads together must have transferred, by metric.
type Traffic = &'static [(&'static str, fn(threads: u64) -> u64)];

fn check_traffic(report: &Value, threads: u32, traffic: Traffic, what: &str) {
    for (metric, expected) in traffic {
        let found: f64 = per_thread(report, metric)
            .unwrap_or_else(|| panic!("{what}: no {metric} in\n{report:#}"))
            .iter()
            .sum();
        let expected = expected(u64::from(threads)) as f64;
        assert!(
            found == expected,
            "{what}: {metric} is {found}, expected is {expected}"
        );
    }
}

/// Instrumented and measured.
fn verifies_measured(kernel: &str, traffic: Traffic) {
    let dir = tempfile::tempdir().expect("a folder");
    let check = |executable: &Path, threads: u32, kind: &str, traffic: Traffic| {
        let experiment = format!("{kernel}_{kind}_{threads}");
        let run = measure(dir.path(), executable, &[], threads, &experiment);
        check_printed(&run.printed, threads, &experiment);
        assert_eq!(run.report["threads"], threads, "{experiment}");
        check_sums(&run.report);
        check_traffic(&run.report, threads, traffic, &experiment);
    };
    let executable = compile(&fixtures(), dir.path(), kernel, &[]);
    for threads in 1..=4 {
        check(&executable, threads, "dynamic", &[]);
    }
    // Bytes that are counted have those of own data among them.
    let all = ["--accesses", "all", "--functions", "all"];
    for threads in 1..=4 {
        let number = threads.to_string();
        let options = [&all[..], &["--threads", &number]].concat();
        let executable = compile(&fixtures(), dir.path(), kernel, &options);
        check(&executable, threads, "static", traffic);
    }
}

#[test]
fn ep_verifies() {
    verifies_plain("ep");
}

/// All but thread 0, where they lie, add twelve values to the shared ones, and read two of them and
/// the time.
#[test]
fn ep_verifies_measured() {
    verifies_measured(
        "ep",
        &[
            ("bytes_put", |threads| (threads - 1) * 12 * DOUBLE),
            ("bytes_get", |threads| (threads - 1) * (12 + 3) * DOUBLE),
        ],
    );
}

#[test]
fn cg_verifies() {
    verifies_plain("cg");
}

/// There are 16 steps of the power method. Each has 26 products with the matrix, for which each
/// thread fetches the whole vector by a pointer to each part, and 1 + 2 * 25 + 1 + 2 sums, for
/// which it reads the others' partial sums.
#[test]
fn cg_verifies_measured() {
    verifies_measured(
        "cg",
        &[("bytes_get", |threads| {
            let others = threads - 1;
            let products = threads * 16 * 26 * (1400 * DOUBLE + others * POINTER_TO_SHARED);
            let sums = threads * 16 * 54 * others * DOUBLE;
            products + sums + others * DOUBLE
        })],
    );
}

#[test]
fn ft_verifies() {
    verifies_plain("ft");
}

/// There are 7 transpositions of the whole field, each with a pointer read for each plane and
/// thread; those that are read from other threads count. After the last 6 a checksum follows, which
/// lies on thread 0, as the time does.
#[test]
fn ft_verifies_measured() {
    verifies_measured(
        "ft",
        &[("bytes_get", |threads| {
            let others = threads - 1;
            let field = 64 * 64 * 64 * 2 * DOUBLE;
            7 * (field + others * 64 * POINTER_TO_SHARED) + others * (6 * 2 + 1) * DOUBLE
        })],
    );
}

#[test]
fn mg_verifies() {
    verifies_plain("mg");
}

/// An exchange on a level puts two planes into each thread's slab. Each of the 5 V-cycles has one
/// for the residual on all levels but the finest, for the solution on all, for the residual again
/// on all but the coarsest; and there are 6 residuals besides.
#[test]
fn mg_verifies_measured() {
    verifies_measured(
        "mg",
        &[("bytes_put", |threads| {
            let exchange = |level: u32| threads * 2 * (2u64.pow(level) + 2).pow(2) * DOUBLE;
            let cycle = |level: u32| match level {
                1 | 5 => 2 * exchange(level),
                _ => 3 * exchange(level),
            };
            5 * (1..=5).map(cycle).sum::<u64>() + 6 * exchange(5)
        })],
    );
}

/// A verification that cannot fail is none: with another generator of random numbers the results
/// are others.
#[test]
fn kernels_notice_wrong_results() {
    let dir = tempfile::tempdir().expect("a folder");
    for folder in ["common", "ep", "cg", "ft", "mg"] {
        fs::create_dir(dir.path().join(folder)).expect("to create a folder");
        for entry in fs::read_dir(fixtures().join(folder)).expect("a folder of the fixtures") {
            let entry = entry.expect("a file");
            if entry.path().is_dir() {
                continue; // for the serial build only
            }
            let text = fs::read_to_string(entry.path()).expect("a source");
            fs::write(
                dir.path().join(folder).join(entry.file_name()),
                text.replace("UINT64_C(1220703125)", "UINT64_C(1220703133)"),
            )
            .expect("to write it");
        }
    }
    for kernel in KERNELS {
        let executable = compile(dir.path(), dir.path(), kernel, &["--no-instrument"]);
        let output = run_unmeasured(dir.path(), &executable, 2);
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{kernel}: {printed}");
        assert!(
            printed.contains("Verification = UNSUCCESSFUL") && printed.contains("expected is"),
            "{kernel}: {printed}"
        );
    }
}

#[test]
fn unknown_classes_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    for kernel in KERNELS {
        let output = pgastool(dir.path())
            .args(["compile", "-DCLASS=X", "-o", "program"])
            .arg(fixtures().join(kernel).join(kernel).with_extension("c"))
            .arg("-lm")
            .output()
            .expect("pgastool starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{kernel}: {errors}");
        assert!(
            errors.contains("unknown class: compile with -DCLASS=S, W, A or B"),
            "{kernel}: {errors}"
        );
    }
}
