//! Control of recording by the program (pupc.h), as its user finds it in the report.

use crate::bench::Bench;
use serde_json::Value;
use std::collections::BTreeMap;

/// Visits of each call path, such as `main/meet/upc_barrier`, over all threads. Where it is called
/// from more than one line, of all together.
pub fn visits(report: &Value) -> BTreeMap<String, u64> {
    let mut names: BTreeMap<u64, String> = BTreeMap::new();
    let mut visits = BTreeMap::new();
    for path in report["call_paths"].as_array().unwrap() {
        let region = path["region"].as_str().unwrap();
        let name = match path["parent"]
            .as_u64()
            .and_then(|parent| names.get(&parent))
        {
            Some(parent) if !parent.is_empty() => format!("{parent}/{region}"),
            Some(_) => region.to_string(),
            // The program itself.
            None => String::new(),
        };
        let row = path["metrics"]["visits"].as_array();
        let sum: f64 = row.map_or(0.0, |row| row.iter().filter_map(Value::as_f64).sum());
        *visits.entry(name.clone()).or_insert(0) += sum as u64;
        names.insert(path["id"].as_u64().unwrap(), name);
    }
    visits.retain(|_, &mut n| n > 0);
    visits
}

fn measured(source: &str, threads: &str) -> BTreeMap<String, u64> {
    let bench = Bench::new();
    bench.compile(source, &["-O1"]);
    bench.measure(threads);
    bench.ok(&["analyze"]);
    visits(&bench.json())
}

fn expect(found: &BTreeMap<String, u64>, expected: &[(&str, u64)]) {
    let expected: BTreeMap<String, u64> = expected
        .iter()
        .map(|&(path, n)| (path.to_string(), n))
        .collect();
    let interesting: BTreeMap<String, u64> = found
        .iter()
        // Where recording goes on, the trace says what is missing.
        .filter(|(path, _)| path.starts_with("main") && !path.ends_with("measurement stall"))
        .map(|(path, &n)| (path.clone(), n))
        .collect();
    assert_eq!(interesting, expected);
}

#[test]
fn user_regions_nest_with_functions_and_operations() {
    let found = measured(
        r#"
#include <upc.h>
#include <pupc.h>
unsigned outer, inner, mark;
void step(void) {
    pupc_event_start(inner);
    upc_barrier;
    pupc_event_end(inner);
}
int main(void) {
    outer = pupc_create_event("outer phase", "the phase around all");
    inner = pupc_create_event("inner phase", NULL);
    mark = pupc_create_event("mark", "");
    pupc_event_start(outer);
    for (int i = 0; i < 3; i++) step();
    pupc_event_start(outer);
    pupc_event_end(outer);
    pupc_event_end(outer);
    pupc_event_atomic(mark);
    return 0;
}
"#,
        "2",
    );
    expect(
        &found,
        &[
            ("main", 2),
            ("main/outer phase", 2),
            ("main/outer phase/step", 6),
            ("main/outer phase/step/inner phase", 6),
            ("main/outer phase/step/inner phase/upc_barrier", 6),
            ("main/outer phase/outer phase", 2),
            ("main/mark", 2),
        ],
    );
}

#[test]
fn arguments_tell_the_regions_of_an_event_apart() {
    let found = measured(
        r#"
#include <upc.h>
#include <pupc.h>
#include <stdio.h>
#include <errno.h>
int main(void) {
    unsigned level = pupc_create_event("level", "%d");
    unsigned sweep = pupc_create_event("sweep", "sweep %-5s over %5.2f%% of %lu x %lld");
    unsigned load = pupc_create_event("load", "%g at %p");
    unsigned many = pupc_create_event("many", "number %d");
    for (int i = 0; i < 4; i++) {
        pupc_event_start(level, i / 2);
        pupc_event_start(level, 7);
        pupc_event_end(level); /* as most programs do, without the arguments */
        pupc_event_end(level, i / 2);
    }
    pupc_event_start(sweep, "red", 12.5, 10ul, 1ll << 40);
    pupc_event_end(sweep);
    pupc_event_atomic(load, 0.1, &level);
    pupc_event_atomic(load, 0.2, &sweep);
    for (int i = 0; i < 200; i++) {
        pupc_event_start(many, i % 100);
        pupc_event_end(many);
    }
    return 0;
}
"#,
        "1",
    );
    let mut expected: Vec<(String, u64)> = [
        ("main", 1),
        ("main/level (0)", 2),
        ("main/level (0)/level (7)", 2),
        ("main/level (1)", 2),
        ("main/level (1)/level (7)", 2),
        ("main/sweep red   over ..% of 10 x 1099511627776", 1),
        ("main/load", 2),
        ("main/many (others)", 72),
    ]
    .map(|(path, n)| (path.to_string(), n))
    .into();
    expected.extend((0..64).map(|i| (format!("main/many (number {i})"), 2)));
    let expected: Vec<(&str, u64)> = expected.iter().map(|(p, n)| (p.as_str(), *n)).collect();
    expect(&found, &expected);
}

#[test]
fn what_does_not_fit_together_harms_nothing() {
    let found = measured(
        r#"
#include <upc.h>
#include <pupc.h>
#include <stdio.h>
#include <string.h>
#include <errno.h>
#include <stdlib.h>
static unsigned early;
static void leaves_early(int yes) {
    pupc_event_start(early);
    if (yes) return;
    pupc_event_end(early);
}
int main(void) {
    unsigned text = pupc_create_event("text", "%s");
    unsigned odd = pupc_create_event("odd", "%n %d %*d %");
    unsigned twice = pupc_create_event("twice", "a"), again = pupc_create_event("twice", "a");
    early = pupc_create_event("early", "");
    errno = 77;
    pupc_event_end(text, "never begun");
    pupc_event_start(text, (char *)1);
    pupc_event_end(text);
    pupc_event_start(text, NULL);
    pupc_event_end(text);
    pupc_event_start(odd, 1, 2, 3);
    pupc_event_end(odd);
    pupc_event_start(0u, "no number of an event", 1);
    pupc_event_end(0u);
    pupc_event_atomic(1030u);        /* upc_memget to the runtime */
    pupc_event_atomic(4000000000u);
    pupc_event_atomic(777u);         /* one that was not created */
    leaves_early(1);
    leaves_early(0);
    pupc_event_start(twice);
    pupc_event_end(again);
    void (*function)(unsigned, ...) = pupc_event_atomic;
    function(twice);
    char name[20];
    unsigned last = 0, before = 0;
    for (int i = 0; i < 1000; i++) {
        sprintf(name, "event %d", i);
        before = last;
        last = pupc_create_event(name, "");
    }
    pupc_event_atomic(before);
    pupc_event_atomic(last);
    if (errno != 77) { printf("errno is %d\n", errno); return 1; }
    return 0;
}
"#,
        "1",
    );
    expect(
        &found,
        &[
            ("main", 1),
            ("main/text (..)", 2),
            ("main/odd", 1),
            ("main/(unknown user event)", 4),
            ("main/leaves_early", 2),
            ("main/leaves_early/early", 2),
            ("main/twice", 2),
            ("main/(further user events)", 2),
        ],
    );
}

#[test]
fn recording_can_be_switched_off_and_on() {
    let found = measured(
        r#"
#include <upc.h>
#include <pupc.h>
static void seen(void) { upc_barrier; }
static void unseen(void) { upc_barrier; }
static void on_meanwhile(void) { pupc_control(1); upc_barrier; }
static void off_meanwhile(void) { upc_barrier; pupc_control(0); }
static void around(void) {
    int before = pupc_control(0);
    unseen();
    int nested = pupc_control(0);
    unseen();
    pupc_control(nested);
    unseen();
    pupc_control(before);
    seen();
}
int main(void) {
    unsigned region = pupc_create_event("region", ""), unseen_region = pupc_create_event("unseen region", "");
    if (pupc_control(1) != 1) return 1;
    pupc_event_start(region);
    around();
    if (pupc_control(0) != 1) return 2;
    pupc_event_end(region);          /* ended while off */
    pupc_event_start(unseen_region);
    unseen();
    if (pupc_control(0) != 0) return 3;
    pupc_event_end(unseen_region);
    pupc_event_start(region);        /* begun while off */
    if (pupc_control(1) != 0) return 4;
    seen();
    pupc_event_end(region);
    pupc_control(0);
    on_meanwhile();
    off_meanwhile();
    pupc_control(1);
    seen();
    return 0;
}
"#,
        "2",
    );
    expect(
        &found,
        &[
            ("main", 2),
            ("main/region", 4),
            ("main/region/around", 2),
            ("main/region/around/seen", 2),
            ("main/region/around/seen/upc_barrier", 2),
            ("main/region/seen", 2),
            ("main/region/seen/upc_barrier", 2),
            ("main/on_meanwhile", 2),
            ("main/on_meanwhile/upc_barrier", 2),
            ("main/off_meanwhile", 2),
            ("main/off_meanwhile/upc_barrier", 2),
            ("main/seen", 2),
            ("main/seen/upc_barrier", 2),
        ],
    );
}

/// Functions that start and stop regions end them when they return, unless they are left out.
#[test]
fn regions_that_functions_start_are_told_of() {
    let bench = Bench::new();
    let source = |pragma: &str| {
        format!(
            r#"
#include <upc.h>
#include <pupc.h>
static unsigned timers[2];
{pragma}
static void timer_start(int n) {{ pupc_event_start(timers[n]); }}
static void timer_stop(int n) {{ pupc_event_end(timers[n]); }}
#pragma pupc on
static void meet(void) {{ upc_barrier; }}
int main(void) {{
    timers[0] = pupc_create_event("all", "");
    timers[1] = pupc_create_event("work only", "");
    timer_start(0);
    for (int i = 0; i < 5; i++) {{
        timer_start(1);
        meet();
        timer_stop(1);
    }}
    timer_stop(0);
    return 0;
}}
"#
        )
    };
    let report = |pragma: &str| {
        bench.compile(&source(pragma), &["-O1"]);
        bench.measure("2");
        bench.ok(&["analyze"]);
        let report = bench.json();
        (visits(&report), report["remarks"].to_string())
    };
    let (_, remarks) = report("");
    let expected = "12 times a region of the program was ended (pupc_event_end) that was not open";
    assert!(remarks.contains(expected), "{remarks}");

    let (found, remarks) = report("#pragma pupc off");
    assert!(!remarks.contains("pupc_event_end"), "{remarks}");
    expect(
        &found,
        &[
            ("main", 2),
            ("main/all", 2),
            ("main/all/work only", 10),
            ("main/all/work only/meet", 10),
            ("main/all/work only/meet/upc_barrier", 10),
        ],
    );
}

/// A thread that records nothing for a while goes on with the right numbers: later barriers of the
/// threads are compared with each other, and those that one thread has no record of with none.
#[test]
fn threads_may_switch_off_at_different_times() {
    let bench = Bench::new();
    bench.compile(
        r#"
#include <upc.h>
#include <upc_collective.h>
#include <pupc.h>
#include <unistd.h>
#define SYNC UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC
shared int a[THREADS], b[THREADS];
static void unequal(void) {
    for (int i = 0; i < 3; i++) {
        if (MYTHREAD == 0) usleep(20000);
        upc_barrier; /* line 11 */
    }
}
static void equal(void) {
    for (int i = 0; i < 20; i++) {
        upc_barrier;
        upc_notify;
        upc_wait;
        upc_all_broadcast(b, a, sizeof(int), SYNC);
    }
}
int main(void) {
    equal();
    /* thread 0 leaves 2 barriers and a collective operation out, the others 1 barrier, split in two */
    if (MYTHREAD == 0) pupc_control(0);
    upc_barrier;
    upc_all_reduceI(b, a, UPC_ADD, THREADS, 1, NULL, SYNC);
    upc_notify;
    if (MYTHREAD != 0) pupc_control(0);
    upc_wait;
    if (MYTHREAD == 0) pupc_control(1);
    equal();
    pupc_control(1);
    unequal();
    equal();
    if (MYTHREAD == 1) pupc_control(0);
    return 0;
}
"#,
        &["-O1"],
    );
    bench.measure("3");
    bench.ok(&["analyze"]);
    let report = bench.json();
    let text = bench.ok(&["report"]).replace('\n', " ");
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    // One barrier before, 40 of equal() that thread 0 alone has, and the end.
    for remark in [
        "recording was switched off by some threads during 42 barriers that others \
         recorded, first upc_barrier",
        "during 22 collective operations that others recorded, first upc_all_reduce",
    ] {
        assert!(text.contains(remark), "{remark}\n{text}");
    }
    for wrong in [
        "in this trace not by",
        "threads disagree",
        "without a upc_wait",
    ] {
        assert!(!text.contains(wrong), "{text}");
    }
    // Two threads wait for one that sleeps, at the place where it does.
    let paths = report["call_paths"].as_array().unwrap();
    let unequal = paths
        .iter()
        .find(|path| path["region"] == "upc_barrier" && path["line"] == 11)
        .unwrap();
    for thread in [1, 2] {
        let seconds = unequal["metrics"]["wait_at_barrier"][thread].as_f64();
        assert!(seconds > Some(0.02), "thread {thread}: {unequal:#}");
    }
}
