//! Accesses that the program counts by itself: the numbers must be those of a recording of each
//! access, to the last one, however a program is written.

use crate::bench::Bench;
use serde_json::Value;
use std::collections::BTreeMap;

/// Place of an access, what of it, and the thread.
type Counts = BTreeMap<(String, u64, String, usize), u64>;

const METRICS: &[&str] = &[
    "visits",
    "bytes_put_local",
    "bytes_put_remote",
    "bytes_got_local",
    "bytes_got_remote",
];

/// Accesses and bytes by operation, line and thread, in all call paths together.
fn counts(report: &Value) -> Counts {
    let mut counts = Counts::new();
    for path in report["call_paths"].as_array().unwrap() {
        let region = path["region"].as_str().unwrap();
        if !["upc_get", "upc_put"].contains(&region) {
            continue;
        }
        let line = path["line"].as_u64().unwrap();
        for metric in METRICS {
            let row = path["metrics"][metric].as_array();
            for (thread, value) in row.into_iter().flatten().enumerate() {
                let key = (region.to_owned(), line, (*metric).to_owned(), thread);
                *counts.entry(key).or_insert(0) += value.as_f64().unwrap() as u64;
            }
        }
    }
    counts.retain(|_, n| *n > 0);
    counts
}

fn measured(bench: &Bench, name: &str) -> Value {
    bench.ok(&["run", "-n", "3", "--throttle", "off", "-o", name, "./prog"]);
    bench.ok(&["analyze", name]);
    let text = bench.ok(&["report", name, "--format", "json"]);
    serde_json::from_str(&text).unwrap()
}

/// Numbers of the program as it counts by itself, which must be those of all its accesses.
fn exact(source: &str) -> Counts {
    let bench = Bench::new();
    bench.compile_all(source, &["-O2", "--inst-local"]);
    let all = counts(&measured(&bench, "all"));
    let forms = [
        ("default", &["-O2"][..]),
        (
            "unoptimised",
            &["-O0", "--accesses", "counted", "--functions", "all"],
        ),
    ];
    for (name, options) in forms {
        bench.compile(source, options);
        assert_eq!(counts(&measured(&bench, name)), all, "{options:?}");
    }
    assert!(!all.is_empty());
    all
}

fn total(counts: &Counts, region: &str, line: u64) -> u64 {
    let of =
        |key: &(String, u64, String, usize)| key.0 == region && key.1 == line && key.2 == "visits";
    counts
        .iter()
        .filter(|(key, _)| of(key))
        .map(|(_, n)| n)
        .sum()
}

#[test]
fn loops_of_all_kinds_count_what_they_access() {
    let counts = exact(
        r#"
#include <upc_relaxed.h>
#include <stdlib.h>
#define N 40
typedef struct { double x, y; int n; unsigned bits : 5; } body;
shared int a[N * THREADS];
shared [4] double b[N * THREADS];
shared [] int c[N];
shared body d[N * THREADS];
shared [2] int m[2 * THREADS][2];
static int first(int i) { return a[i]; }
int main(void) {
    int i, sum = 0;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) a[i] = i;
    upc_forall (i = 0; i < N * THREADS; i++; &b[i]) { b[i] = i; b[i] += a[i]; }
    upc_barrier;
    for (i = 1; i < N * THREADS - 1; i++) sum += a[i - 1] + a[i + 1];
    i = 0;
    while (i < N) { if (i % 3 == 0) { i++; continue; } sum += c[i]; if (i > 30) break; i++; }
    do { c[--i]++; } while (i > 2);
    for (i = 0; i < N; i++) sum += first(i) + (i & 1 ? a[i] : (int)b[i]) + (a[i] > 7 && c[i]);
    for (i = 0; i < N; i++) { d[i].x = i; d[i].y = d[i].x; d[i].bits = 3; d[i].n++; }
    body one = d[MYTHREAD];
    d[(MYTHREAD + 1) % THREADS] = one;
    for (i = 0; i < 2 * THREADS; i++) for (int j = 0; j < 2; j++) m[i][j] = i + j;
    upc_forall (i = 0; i < N; i++; i) for (int j = 0; j < 5; j++) sum += a[(i * 7 + j) % N];
    shared int *p = &a[3];
    for (i = 0; i < 20; i++) sum += *p++ + p[2];
    for (i = 0; i < 8; i++) switch (a[i] % 3) { case 0: sum += b[i]; case 1: c[i] = 1; break; default: ; }
    upc_barrier;
    return sum == -1;
}
"#,
    );
    // a[i - 1] and a[i + 1] of 118 indices, on each of three threads.
    assert_eq!(total(&counts, "upc_get", 17), 2 * 118 * 3);
    assert_eq!(total(&counts, "upc_put", 14), 40 * 3);
}

#[test]
fn accesses_that_share_a_number_are_each_counted() {
    let counts = exact(
        r#"
#include <upc_relaxed.h>
typedef struct { double x, y, z; } vector;
shared [8] vector place[8 * THREADS];
shared [8] double mass[8 * THREADS];
shared [4] double other[8 * THREADS];
int main(void) {
    double sum = 0;
    for (long i = 0; i < 8 * THREADS; i++) {
        double x = place[i].x, y = place[i].y;
        double z = place[i].z * mass[i] * other[i];
        if (i % 2) sum += place[i].x;
        sum += place[i].y;
        long k = i;
        sum += place[k].x; k = (k + 8) % (8 * THREADS); sum += place[k].x + x + y + z;
        sum += i % 3 ? place[k].z : mass[k];
        if (sum < 0) return 1;
        sum += mass[k];
    }
    upc_barrier;
    return 0;
}
"#,
    );
    assert_eq!(total(&counts, "upc_get", 10), 2 * 24 * 3);
    assert_eq!(total(&counts, "upc_get", 11), 3 * 24 * 3);
    assert_eq!(total(&counts, "upc_get", 12), 12 * 3);
    assert_eq!(total(&counts, "upc_get", 15), 2 * 24 * 3);
}

#[test]
fn returns_jumps_and_recursions_lose_no_count() {
    let counts = exact(
        r#"
#include <upc_relaxed.h>
#include <setjmp.h>
#include <stdlib.h>
shared int a[30 * THREADS];
static jmp_buf back;
static int find(int value) {
    int i;
    upc_forall (i = 0; i < 30 * THREADS; i++; &a[i]) a[i] = i;
    upc_barrier;
    for (i = 0; i < 30 * THREADS; i++) if (a[i] == value) return i;
    return -1;
}
static int deep(int n) { return n == 0 ? a[0] : a[n] + deep(n - 1); }
static void leap(int n) { for (int i = 0; i < n; i++) if (a[i] == 5) longjmp(back, 1); }
static int compare(const void *x, const void *y) {
    return a[*(const int *)x % 30] - a[*(const int *)y % 30];
}
int main(void) {
    int keys[9] = {8, 7, 6, 5, 4, 3, 2, 1, 0}, sum = find(17);
    upc_barrier;
    sum += deep(12);
    if (setjmp(back) == 0) leap(20);
    qsort(keys, 9, sizeof keys[0], compare);
    upc_barrier;
    if (sum == -1) exit(1);
    for (int i = 0; i < 10; i++) { sum += a[i]; if (i == 6) exit(0); }
    return 0;
}
"#,
    );
    assert_eq!(total(&counts, "upc_get", 11), 18 * 3);
    assert_eq!(total(&counts, "upc_get", 14), 13 * 3);
    assert_eq!(total(&counts, "upc_get", 15), 6 * 3);
    assert_eq!(total(&counts, "upc_get", 27), 7 * 3);
}

#[test]
fn what_is_not_recorded_is_not_counted() {
    let source = r#"
#include <upc_relaxed.h>
#include <pupc.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
shared int a[10 * THREADS];
static void *other(void *unused) { for (int i = 0; i < 10; i++) a[i]++; return unused; }
static void walk(void) { for (int i = 0; i < 10; i++) a[i]++; }
int main(void) {
    pthread_t thread;
    for (int i = 0; i < 10; i++) a[i] = i;
    upc_barrier;
    pupc_control(0);
    walk();
    for (int i = 0; i < 10; i++) a[i] = i;
    pupc_control(1);
    walk();
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    if (fork() == 0) { walk(); _exit(0); }
    wait(NULL);
    upc_barrier;
#pragma pupc off
    walk();
    for (int i = 0; i < 10; i++) a[i] = i;
#pragma pupc on
    return 0;
}
"#;
    let bench = Bench::new();
    bench.compile(source, &["-O2", "--accesses", "counted", "-pthread"]);
    let found = counts(&measured(&bench, "counted"));
    let expected = [
        ("upc_put", 12, 30),
        ("upc_put", 9, 60),
        ("upc_put", 8, 0),
        ("upc_put", 16, 0),
        ("upc_put", 26, 0),
    ];
    for (region, line, visits) in expected {
        assert_eq!(
            total(&found, region, line),
            visits,
            "line {line}: {found:?}"
        );
    }
}

/// Calls of each of the functions, in all call paths and threads together.
fn calls(report: &Value, names: &[&str]) -> BTreeMap<String, u64> {
    let mut calls = BTreeMap::new();
    for path in report["call_paths"].as_array().unwrap() {
        let region = path["region"].as_str().unwrap();
        if names.contains(&region) {
            let visits = path["metrics"]["visits"].as_array().unwrap();
            let visits = visits.iter().map(|v| v.as_f64().unwrap() as u64);
            *calls.entry(region.to_owned()).or_insert(0) += visits.sum::<u64>();
        }
    }
    calls
}

#[test]
fn calls_of_small_functions_are_as_many_as_a_recording_of_each_shows() {
    let source = r#"
#include <stdlib.h>
#include <upc_relaxed.h>
static int square(int x) { return x * x; }
static int cube(int x) { return x * square(x); }
static int some(int x) { return x > 3 ? cube(x) : square(x) + square(1); }
int external(int x) { return x + 1; }
static int compare(const void *p, const void *q) { return *(int *)p - *(int *)q; }
static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static int later(int);
static int early(int x) { return later(x) + 1; }
static int later(int x) { return x - 1; }
static void check(int x) { if (x < 0) exit(3); }
int main(void) {
    int b[20];
    long s = 0;
    for (int i = 0; i < 20; i++) { b[i] = 20 - i; s += cube(i) + square(i); check(i); }
    qsort(b, 20, sizeof(int), compare);
    for (int i = 0; i < 10; i++) if (i % 3) s += external(i); else s += factorial(i) + some(i);
    s += square(1) + square(2) + (s > 0 ? square(3) : cube(4));
    upc_barrier;
    for (int i = 0; i < 5; i++) { if (square(i) > 8) break; s += cube(i); }
    switch (square(2)) { case 4: s += square(1); s += cube(1); default: s += external(1); }
    s += early(3);
    upc_barrier;
    return s == 0;
}
"#;
    let names = [
        "square",
        "cube",
        "some",
        "external",
        "compare",
        "factorial",
        "early",
        "later",
        "check",
    ];
    let bench = Bench::new();
    bench.compile(source, &["-O2"]);
    let all = calls(&measured(&bench, "all"), &names);
    assert_eq!(all.len(), names.len());
    for level in ["-O2", "-O0"] {
        bench.compile(
            source,
            &[level, "--accesses", "counted", "--functions", "auto"],
        );
        let counted = calls(&measured(&bench, level.trim_start_matches('-')), &names);
        assert_eq!(counted, all, "{level}");
    }
}

/// Calls that are events take the counts, and those of the caller go on behind them.
#[test]
fn counts_go_on_after_calls_that_are_events() {
    let source = r#"
#include <stdlib.h>
#include <upc_relaxed.h>
shared [20] int a[20 * THREADS];
static void swap(int i, int j) { int t = a[i]; a[i] = a[j]; a[j] = t; }
static void sort(int lo, int hi) {
    int i = lo, j = hi, p;
    if (lo >= hi) return;
    p = a[(lo + hi) / 2];
    while (i <= j) {
        while (a[i] < p) i++;
        while (a[j] > p) j--;
        if (i <= j) swap(i++, j--);
    }
    sort(lo, j);
    sort(i, hi);
    a[lo] = a[lo];
}
static int total(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
    for (int i = 0; i < n; i++) if (a[i] > 3) swap(i, i);
    return sum;
}
static int twice(int n) {
    int sum = total(n);
    for (int i = 0; i < n; i++) sum += a[i];
    sum += total(n);
    for (int i = 0; i < n; i++) swap(i, i);
    return sum;
}
static int compare(const void *x, const void *y) {
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += a[i];
    for (int i = 0; i < 3; i++) sum += a[i];
    return *(const int *)x - *(const int *)y + 0 * sum;
}
int main(void) {
    int keys[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, s = 0;
    for (int i = 0; i < 20; i++) a[20 * MYTHREAD + i] = i * 7 % 20;
    upc_barrier;
    if (MYTHREAD == 1) sort(0, 20 * THREADS - 1);
    upc_barrier;
    s += twice(9);
    for (int i = 0; i < 9; i++) {
        s += bsearch(&i, keys, 9, sizeof keys[0], compare) != NULL;
        swap(i, i);
        s += a[i];
    }
    return s == 0;
}
"#;
    let counts = exact(source);
    assert_eq!(total(&counts, "upc_get", 27), 9 * 3);
    let names = ["swap", "sort", "total", "twice", "compare"];
    let bench = Bench::new();
    bench.compile(source, &["-O2"]);
    let all = calls(&measured(&bench, "all"), &names);
    assert_eq!(all.len(), names.len());
    bench.compile(
        source,
        &["-O2", "--accesses", "counted", "--functions", "auto"],
    );
    assert_eq!(calls(&measured(&bench, "counted"), &names), all);
}

/// A function to which control comes back is compiled, and what it counts stays exact.
#[test]
fn counts_survive_jumps_back() {
    let source = r#"
#include <setjmp.h>
#include <upc_relaxed.h>
shared int a[8 * THREADS];
static int total(int n) {
    jmp_buf back;
    volatile int rounds = 0, sum = 0;
    if (setjmp(back) == 3) return sum;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        if (i == 5 && rounds < 3) longjmp(back, ++rounds);
    }
    return sum;
}
int main(void) {
    upc_barrier;
    int sum = total(8);
    upc_barrier;
    return sum;
}
"#;
    let counts = exact(source);
    assert_eq!(total(&counts, "upc_get", 10), 3 * 3 * 6);
}

/// A signal that a thread sends itself runs its handler at once, and that need not come back.
#[test]
fn counts_survive_handlers_that_do_not_return() {
    let counts = exact(
        r#"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <unistd.h>
shared int a[20 * THREADS];
static sigjmp_buf back;
static int small(int i) { return i + 1; }
static void leave(int number) { siglongjmp(back, number); }
static void finish(int number) { exit(0); }
static void own(void) {
    upc_forall (int i = 0; i < 20 * THREADS; i++; &a[i]) {
        a[i] += 1;
        if (i / THREADS == 4) raise(SIGUSR1);
    }
}
int main(void) {
    int sum = 0;
    signal(SIGUSR1, leave);
    signal(SIGUSR2, finish);
    if (sigsetjmp(back, 1) == 0) own();
    for (int i = 0; i < 20; i++) {
        sum += a[i];
        if (small(i) == 7) kill(getpid(), SIGUSR2);
    }
    return sum;
}
"#,
    );
    assert_eq!(total(&counts, "upc_put", 14), 5 * 3);
    assert_eq!(total(&counts, "upc_get", 24), 7 * 3);
}

/// Data that each own iteration accesses exactly once is counted by their number: in every layout,
/// with values that are chosen, with other accesses beside it, in a loop that goes through all
/// iterations because it is within another one, and with nothing to do.
#[test]
fn own_iterations_stand_for_their_accesses() {
    let counts = exact(
        r#"
#include <upc.h>
typedef struct { double x; int n; char c; } part;
shared double a[40 * THREADS], b[40 * THREADS];
shared [5] part p[40 * THREADS];
shared [5] double w[40 * THREADS];
shared [*] int all[40 * THREADS];
int factor(int i) { return i % 3; }
int main(int argc, char **argv) {
    int i, k, n = 40 * THREADS;
    upc_forall (i = 0; i < n; i++; &a[i])
        a[i] = b[i] = i == 0 ? 100 : 0;
    upc_forall (i = 0; i < n; i++; &p[i]) { p[i].x = i; p[i].n += 2; p[i].c++; w[i] += p[i].x; }
    upc_forall (i = n - 1; i >= 0; i--; &all[i])
        all[i] = i;
    upc_barrier;
    upc_forall (i = 1; i < n - 1; i += 2; &a[i])
        b[i] = a[i - 1] + a[i] + a[i + 1];
    upc_barrier;
    upc_forall (i = 0; i < n; i++; &a[i])
        a[i] = argc > 5 ? b[i] : b[i] + factor(i);
    upc_forall (i = 0; i < n; i++; &a[i])
        a[i] += argc > 0 && a[i] > 0;
    upc_forall (k = 0; k < THREADS; k++; k)
        upc_forall (i = 0; i < 3; i++; &a[i])
            all[k * 40 + i] += 1;
    upc_forall (i = 5; i < argc; i++; &w[i])
        w[i] = 0;
    for (k = 0; k < 3; k++) {
        upc_forall (i = 0; i < n; i++; &w[i])
            w[i] = p[i].x;
        all[MYTHREAD * 40] = k;
    }
    return 0;
}
"#,
    );
    assert_eq!(total(&counts, "upc_put", 12), 2 * 120);
    assert_eq!(total(&counts, "upc_put", 13), 4 * 120);
    assert_eq!(total(&counts, "upc_put", 15), 120);
    assert_eq!(total(&counts, "upc_get", 18), 3 * 59);
    assert_eq!(total(&counts, "upc_put", 23), 120);
    assert_eq!(total(&counts, "upc_put", 26), 9);
    assert_eq!(total(&counts, "upc_put", 28), 0);
    assert_eq!(total(&counts, "upc_put", 31), 3 * 120);
}

/// Own elements in a loop over them are accessed through a pointer to private already, and counted
/// when the loop ends: nothing to advise, and next to no cost. Through a pointer-to-shared they are
/// not. Separators in the file's name are part of it.
#[test]
fn own_elements_in_loops_over_them_are_no_finding() {
    let bench = Bench::new();
    const NAME: &str = "my,prog;a:b=50%.upc";
    let program = |statement: &str| {
        format!(
            "#include <upc_relaxed.h>\n#define N 20000\nshared [N] double a[N * THREADS], b[N * \
             THREADS];\nint main(void) {{\n    long n = (long)N * THREADS;\n    for (int k = 0; k \
             < 4000; k++) {{\n        {statement}\n        upc_barrier;\n    }}\n    return 0;\n}}\n"
        )
    };
    let report = |name: &str, statement: &str| -> Value {
        bench.write(NAME, program(statement));
        bench.ok(&["compile", "-O2", "-o", "prog", NAME]);
        bench.ok(&["run", "-n", "2", "--sample", "1000", "-o", name, "./prog"]);
        bench.ok(&["analyze", name]);
        serde_json::from_str(&bench.ok(&["report", name, "--format", "json"])).unwrap()
    };
    let own = |report: &Value| {
        let findings = report["findings"].as_array().unwrap().iter();
        findings.filter(|f| f["kind"] == "own_affinity").count()
    };
    let direct = report(
        "direct",
        "upc_forall (long i = 0; i < n; i++; &a[i]) a[i] = b[i] + 1;",
    );
    assert_eq!(own(&direct), 0, "{}", direct["findings"]);
    assert_eq!(total(&counts(&direct), "upc_put", 7), 4000 * 2 * 20_000);
    let cost = &direct["recording"]["cost"];
    let (all, fixed) = (&cost["seconds"], &cost["fixed_seconds"]);
    let of_events = all.as_f64().unwrap() - fixed.as_f64().unwrap();
    // 160 million reads and as many writes would be 35 ms at 0.11 ns each.
    assert!(of_events < 0.005, "{cost}");

    let shared = report(
        "shared",
        "shared [] double *p = (shared [] double *)&a[MYTHREAD * N]; for (long i = 0; i < N; i++) \
         p[i] += 1;",
    );
    assert_eq!(own(&shared), 1, "{}", shared["findings"]);
}
