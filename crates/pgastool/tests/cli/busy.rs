//! Four threads on one core: what each of them computes is what it had of the core, and the rest of
//! its time is no work of its own.

use std::path::Path;

use serde_json::Value;

use crate::bench::Bench;
use crate::not_tested::not_tested;

/// Each thread uses the core for 60 ms, in three rounds.
const PROGRAM: &str = r#"#include <upc.h>
#include <time.h>

static long used(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

void work(void) {
    long begin = used();
    while (used() - begin < 20000000L) { }
}

int main(void) {
    for (int round = 0; round < 3; round++) {
        work();
        upc_barrier;
    }
    return 0;
}
"#;

const WORK: f64 = 0.060;

/// The report of a run on one core, recorded with this.
fn report(options: &[&str]) -> Value {
    let bench = Bench::new();
    bench.compile(PROGRAM, &["-O1"]);
    let core = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = core
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let first = allowed.unwrap().trim().split([',', '-']).next().unwrap();
    let mut command = std::process::Command::new("taskset");
    command
        .args(["-c", first])
        .arg(env!("CARGO_BIN_EXE_pgastool"))
        .args(["run", "-n", "4", "-o", "run"])
        .args(options)
        .args(["--", "./prog"])
        .current_dir(bench.path(""));
    crate::bench::clean(|name| {
        command.env_remove(name);
    });
    let output = command.output().expect("taskset");
    assert!(output.status.success(), "{output:?}");
    bench.ok(&["analyze", "run"]);
    let report = bench.ok(&["report", "--format", "json", "run"]);
    serde_json::from_str(&report).unwrap()
}

fn per_thread(report: &Value, metric: &str) -> Vec<f64> {
    let values = report["metrics"][metric]["per_thread"].as_array();
    let values = values.unwrap_or_else(|| panic!("{metric}"));
    values.iter().map(|value| value.as_f64().unwrap()).collect()
}

fn is_counted_by_the_kernel() -> bool {
    let is_counted = Path::new("/proc/self/schedstat").exists();
    if !is_counted {
        not_tested("time without a core, as reported: the kernel does not count it");
    }
    is_counted
}

#[test]
fn computation_is_what_threads_had_of_a_core() {
    let report = report(&[]);
    let of = |metric: &str| per_thread(&report, metric);
    if !is_counted_by_the_kernel() {
        return assert_eq!(of("no_core"), [0.0; 4]);
    }
    let (computation, no_core, waiting) = (of("computation"), of("no_core"), of("wait_at_barrier"));
    let time = of("time");
    for thread in 0..4 {
        assert!(
            (0.95 * WORK..1.3 * WORK + 0.005).contains(&computation[thread]),
            "thread {thread} computed for {WORK} s: {computation:?}"
        );
        // All the rest of its time it had no core, or waited for threads that had it.
        let rest = time[thread] - computation[thread];
        let told = no_core[thread] + waiting[thread];
        assert!(
            told >= 0.85 * rest - 0.005,
            "thread {thread}: {told} of {rest}"
        );
    }
    let lost: f64 = no_core.iter().sum();
    assert!(lost > 2.0 * WORK, "{no_core:?}");
    let remarks = report["remarks"].as_array().unwrap();
    let told = |remark: &Value| {
        remark
            .as_str()
            .unwrap()
            .starts_with("threads had a core for ")
    };
    assert_eq!(remarks.iter().filter(|r| told(r)).count(), 1, "{remarks:?}");
}

/// Sums by call path have it, too.
#[test]
fn a_profile_tells_it_apart_as_well() {
    let report = report(&["--profile"]);
    if !is_counted_by_the_kernel() {
        return assert_eq!(per_thread(&report, "no_core"), [0.0; 4]);
    }
    let computation = per_thread(&report, "computation");
    for seconds in &computation {
        let expected = 0.95 * WORK..1.3 * WORK + 0.005;
        assert!(expected.contains(seconds), "{computation:?}");
    }
    let lost: f64 = per_thread(&report, "no_core").iter().sum();
    assert!(lost > 2.0 * WORK, "{lost}");
}
