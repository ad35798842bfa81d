//! Functions whose calls stop being events while the program runs: every call is still counted, for
//! the call path that it is made in, and what operations need of call paths stays.

use crate::bench::Bench;
use serde_json::Value;

/// `leaf` is too large to be left out when it is compiled, and far shorter than a microsecond;
/// `outer` calls nothing but it; `joined` does the same, and is needed for the path of a barrier.
const SOURCE: &str = r#"
#include <upc_relaxed.h>
shared int a[8 * THREADS];
static int leaf(int i) {
    int s = 0, k;
    for (k = 0; k < 2; k++) s += a[i % (8 * THREADS)] + k;
    for (k = 0; k < 2; k++) s -= a[(i + 1) % (8 * THREADS)] - k;
    for (k = 0; k < 2; k++) s ^= a[(i + 2) % (8 * THREADS)] + k;
    return s;
}
static int outer(int i) {
    int s = 0, k;
    for (k = 0; k < 2; k++) s += leaf(i + k);
    for (k = 0; k < 1; k++) s -= leaf(i - k);
    return s;
}
static int joined(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += leaf(i);
    upc_barrier;
    return s;
}
int main(void) {
    int s = 0;
    for (int i = 0; i < 400000; i++) s += outer(i);
    for (int round = 0; round < 3; round++) s += joined(1000);
    return s == 1;
}
"#;

fn report(bench: &Bench, name: &str, options: &[&str]) -> Value {
    bench.compile(SOURCE, options);
    bench.ok(&[
        "run",
        "-n",
        "2",
        "--throttle",
        "2000,10",
        "-o",
        name,
        "./prog",
    ]);
    bench.ok(&["analyze", name]);
    serde_json::from_str(&bench.ok(&["report", name, "--format", "json"])).unwrap()
}

/// Calls of a function from another one, of both threads.
fn calls(report: &Value, caller: &str, function: &str) -> u64 {
    let paths = report["call_paths"].as_array().unwrap();
    let of = |path: &&Value| {
        let parent = path["parent"].as_u64().map(|index| &paths[index as usize]);
        path["region"] == function && parent.is_some_and(|parent| parent["region"] == caller)
    };
    let visits = paths.iter().filter(of).map(|path| {
        let row = path["metrics"]["visits"].as_array().unwrap();
        row.iter().map(|n| n.as_f64().unwrap() as u64).sum::<u64>()
    });
    visits.sum()
}

fn events(report: &Value) -> u64 {
    report["recording"]["cost"]["events"].as_u64().unwrap()
}

#[test]
fn calls_that_are_no_events_any_more_are_all_counted() {
    let bench = Bench::new();
    let counted = ["-O2", "--accesses", "counted", "--functions", "auto"];
    let resting = report(&bench, "resting", &counted);
    let everything = ["-O2", "--accesses", "counted", "--functions", "all"];
    let all = report(&bench, "all", &everything);
    for report in [&resting, &all] {
        let main = calls(report, "main", "outer");
        // While `outer` was an event, `leaf` was called from it; later it is called from `main`.
        let leaf = calls(report, "outer", "leaf") + calls(report, "main", "leaf");
        assert_eq!((main, leaf), (800_000, 2_400_000));
        assert_eq!(calls(report, "main", "joined"), 6);
        assert_eq!(calls(report, "joined", "leaf"), 6_000);
        assert_eq!(calls(report, "joined", "upc_barrier"), 6);
    }
    assert_eq!(calls(&all, "main", "leaf"), 0);
    assert!(calls(&resting, "main", "leaf") > 1_000_000, "{resting}");
    // What has come to rest has an event neither for itself nor for what it calls.
    assert!(events(&resting) < 50_000, "{}", events(&resting));
}

#[test]
fn short_functions_rest_in_a_profile_too() {
    let bench = Bench::new();
    let counted = ["-O2", "--accesses", "counted", "--functions", "auto"];
    bench.compile(SOURCE, &counted);
    bench.ok(&["run", "-n", "2", "--profile", "-o", "profile", "./prog"]);
    bench.ok(&["analyze", "profile"]);
    let report = bench.ok(&["report", "profile", "--format", "json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(calls(&report, "main", "outer"), 800_000);
    let leaf = calls(&report, "outer", "leaf") + calls(&report, "main", "leaf");
    assert_eq!(leaf, 2_400_000);
    assert!(calls(&report, "main", "leaf") > 1_000_000, "{report}");
}
