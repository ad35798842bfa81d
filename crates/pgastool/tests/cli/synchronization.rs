//! Advice on synchronisation that a program does not need, on real programs: what is superfluous is found, what is needed
//! stays.

use crate::bench::{contains, Bench};

/// "kind line flag" of each piece of advice, in the order of lines.
fn advice(bench: &Bench) -> Vec<String> {
    let report = bench.json();
    let paths = &report["call_paths"];
    let mut all: Vec<(u64, String)> = report["synchronization"]["advice"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|advice| {
            let line = paths[advice["call_path"].as_u64().unwrap() as usize]["line"].as_u64();
            let enough = advice["enough"].as_str().unwrap_or("");
            let text = format!(
                "{} {} {enough}",
                advice["kind"].as_str().unwrap(),
                line.unwrap()
            );
            (line.unwrap(), text.trim_end().to_owned())
        })
        .collect();
    all.sort();
    all.into_iter().map(|(_, text)| text).collect()
}

fn measured(source: &str, options: &[&str]) -> (Bench, Vec<String>) {
    let bench = Bench::new();
    bench.compile(source, options);
    bench.measure("3");
    bench.ok(&["analyze"]);
    let advice = advice(&bench);
    (bench, advice)
}

const PROGRAM: &str = r#"#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>
#include <unistd.h>
shared int source[THREADS], sum, halo[THREADS];
static volatile int work[100];
static void compute(void) { for (int i = 0; i < 100; i++) work[i] += i; usleep(500 * (1 + MYTHREAD)); }
int main(void) {
    int total = 0;
    for (int round = 0; round < 10; round++) {
        compute();
        upc_barrier; /* 12 */
        compute();
        source[MYTHREAD] = work[1];
        upc_all_reduceI(&sum, source, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC); /* 15 */
        upc_barrier; /* 16 */
        halo[MYTHREAD] = round;
        upc_barrier; /* 18 */
        total += halo[(MYTHREAD + 1) % THREADS];
        upc_barrier; /* 20 */
        upc_all_reduceI(&sum, source, UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_MYSYNC); /* 21 */
        upc_barrier; /* 22 */
        total += halo[(MYTHREAD + 1) % THREADS];
        upc_barrier; /* 24 */
        upc_barrier; /* 25 */
    }
    if (total < 0) printf("%d\n", total);
    return 0;
}
"#;

#[test]
fn what_is_superfluous_is_found_and_what_is_needed_stays() {
    let (bench, found) = measured(PROGRAM, &["-O1"]);
    assert_eq!(
        found,
        [
            "own_data_barrier 12",
            "weaker_entry 15 UPC_IN_MYSYNC",
            "weaker_exit 15 UPC_OUT_MYSYNC",
            "own_data_barrier 16",
            "weaker_entry 21 UPC_IN_NOSYNC",
            "weaker_exit 21 UPC_OUT_NOSYNC",
            "own_data_barrier 25",
        ]
    );
    let text = bench.ok(&["report"]);
    contains(
        &text,
        &[
            "SYNCHRONIZATION NOT NEEDED",
            "prog.upc:12  upc_barrier: separates work on own data alone",
            "prog.upc:15  upc_all_reduce: UPC_IN_MYSYNC is enough",
        ],
    );
}

/// Also where threads touch their own part through pointers to private, which nobody sees.
#[test]
fn a_halo_exchange_needs_all_its_barriers() {
    let source = r#"#include <upc.h>
#include <stdio.h>
shared [8] double u[8 * THREADS];
int main(void) {
    double *mine = (double *)&u[8 * MYTHREAD], left = 0, right = 0;
    for (int i = 0; i < 8; i++) mine[i] = MYTHREAD;
    upc_barrier;
    for (int round = 0; round < 20; round++) {
        if (MYTHREAD > 0) left = u[8 * MYTHREAD - 1];
        if (MYTHREAD < THREADS - 1) right = u[8 * MYTHREAD + 8];
        upc_barrier;
        mine[0] = (mine[0] + left) / 2;
        mine[7] = (mine[7] + right) / 2;
        upc_barrier;
    }
    if (MYTHREAD == 0) printf("%g\n", mine[7]);
    return 0;
}
"#;
    for options in [&["-O1"][..], &["-O1", "--inst-local"]] {
        let (bench, found) = measured(source, options);
        assert_eq!(found, [""; 0], "{options:?}");
        assert!(!bench.ok(&["report"]).contains("SYNCHRONIZATION NOT NEEDED"));
    }
}

#[test]
fn what_is_not_in_the_trace_is_not_taken_for_nothing() {
    // Each of the threads reads others' data, but not where it can be seen.
    let source = |before: &str, after: &str| {
        format!(
            r#"#include <upc.h>
#include <pupc.h>
shared int a[THREADS];
static int sum;
int main(void) {{
    for (int round = 0; round < 10; round++) {{
        a[MYTHREAD] = round;
        upc_barrier;
        {before}
        for (int i = 0; i < 20; i++) sum += a[(MYTHREAD + 1) % THREADS];
        {after}
        upc_barrier;
    }}
    return sum < 0;
}}
"#
        )
    };
    let (_, off) = measured(&source("pupc_control(0);", "pupc_control(1);"), &["-O1"]);
    assert_eq!(off, [""; 0]);

    let bench = Bench::new();
    bench.compile(&source("", ""), &["-O1"]);
    bench.ok(&["run", "-n", "3", "--throttle", "100,1000000", "./prog"]);
    bench.ok(&["analyze"]);
    let note = &bench.json()["synchronization"];
    assert_eq!(note["advice"].as_array().map(Vec::len), Some(0), "{note}");
    let note = note["note"].as_str().unwrap();
    assert!(note.contains("calls of upc_get were throttled"), "{note}");
}

/// A program of which all accesses are recorded, with their addresses.
fn with_addresses(source: &str) -> Vec<String> {
    let bench = Bench::new();
    bench.compile(source, &["-O1", "--inst-local"]);
    bench.ok(&["run", "-n", "3", "--addresses", "./prog"]);
    bench.ok(&["analyze"]);
    advice(&bench)
}

/// `body` is done in ten rounds; `others` reads or writes an element of the next thread.
fn rounds(body: &str) -> String {
    format!(
        r#"#include <upc.h>
shared int a[THREADS], b[THREADS];
static volatile int sum;
#define NEXT ((MYTHREAD + 1) % THREADS)
int main(void) {{
    for (int round = 0; round < 10; round++) {{
{body}
    }}
    return 0;
}}
"#
    )
}

#[test]
fn addresses_show_which_barriers_stand_between_unrelated_accesses() {
    // The barrier between the two reads separates nothing; the others stand between writing and reading.
    let halo = rounds(
        "a[MYTHREAD] = round; b[MYTHREAD] = round;
        upc_barrier;
        sum += a[NEXT];
        upc_barrier;
        sum += b[NEXT];
        upc_barrier;",
    );
    assert_eq!(with_addresses(&halo), ["unrelated_barrier 10"]);
    let needed = rounds(
        "a[MYTHREAD] = round;
        upc_barrier;
        sum += a[NEXT];
        upc_barrier;",
    );
    assert_eq!(with_addresses(&needed), [""; 0]);
    let private = rounds(
        "*(int *)&a[MYTHREAD] = round;
        upc_barrier;
        sum += a[NEXT];
        upc_barrier;",
    );
    assert_eq!(with_addresses(&private), [""; 0]);
    let put = rounds(
        "a[NEXT] = round;
        upc_barrier;
        sum += *(int *)&a[MYTHREAD];
        upc_barrier;",
    );
    assert_eq!(with_addresses(&put), [""; 0]);
}
