//! Advice on synchronisation that a program does not need, on real programs: what is superfluous is
//! found, what is needed stays.

use serde_json::Value;

use crate::bench::{Bench, EACH_AN_EVENT, contains};

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
    bench.compile_all(source, options);
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
    let (bench, found) = measured(PROGRAM, &["-O1", "--inst-local"]);
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
    // The text has a line for what saves a thousandth of the run or more, at most five.
    let report = bench.json();
    let least = report["wall_seconds"].as_f64().unwrap() / 1000.0;
    let all = report["synchronization"]["advice"].as_array().unwrap();
    let saves = |advice: &&Value| advice["saves_seconds"].as_f64().unwrap() >= least;
    let expected = all.iter().filter(saves).count();
    let text = bench.ok(&["report"]);
    let lines = text
        .lines()
        .filter(|line| {
            line.starts_with("  prog.upc:")
                && (line.contains(" is enough ")
                    || line.contains("separates work on own data alone"))
        })
        .count();
    assert_eq!(lines, expected.min(5), "{text}");
    assert_eq!(text.contains("SYNCHRONIZATION NOT NEEDED"), expected > 0);
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
    bench.compile_all(&source("", ""), &["-O1"]);
    bench.ok(&["run", "-n", "3", "--throttle", "100,1000000", "./prog"]);
    bench.ok(&["analyze"]);
    let report = bench.json();
    assert_eq!(report["synchronization"], Value::Null, "{report}");
    let withheld = report["withheld"].to_string();
    assert!(
        withheld.contains("calls of upc_get were throttled"),
        "{withheld}"
    );
    assert!(
        withheld.contains("pgastool run -n 3 --throttle off ./prog"),
        "{withheld}"
    );
}

/// To leave out a barrier of this program would be a data race.
#[test]
fn a_filter_of_accesses_withholds_advice_and_says_so() {
    let source = rounds(
        "a[(MYTHREAD + 1) % THREADS] = round;
        upc_barrier;
        sum += a[(MYTHREAD + 2) % THREADS];
        upc_barrier;",
    );
    let rules = "SCOREP_REGION_NAMES_BEGIN EXCLUDE upc_get upc_put SCOREP_REGION_NAMES_END";
    for (compile, run, how) in [
        (
            &["-O1"][..],
            &["--filter", "x.filter"][..],
            "run --filter x.filter",
        ),
        (
            &["-O1", "--filter", "x.filter"][..],
            &[][..],
            "compile --filter x.filter",
        ),
    ] {
        let bench = Bench::new();
        bench.write("x.filter", rules);
        bench.compile_all(&source, compile);
        let mut arguments = vec!["run", "-n", "3"];
        arguments.extend(run);
        arguments.push("./prog");
        bench.ok(&arguments);
        bench.ok(&["analyze"]);
        assert_eq!(advice(&bench), [""; 0], "{how}");
        let text = bench.ok(&["report"]);
        assert!(!text.contains("may not be needed"), "{text}");
        contains(
            &text,
            &[
                "NOT JUDGED",
                "which barriers are needed",
                &format!("upc_get and upc_put were left out by a filter ({how})"),
                "would show it: pgastool run -n 3 ./prog",
            ],
        );
    }
}

/// Both threads' accesses lie where nobody records them; without them no barrier seems to be
/// needed.
#[test]
fn what_the_compiler_hides_is_known_with_its_line() {
    let hidden = "#include <upc.h>\nextern shared int a[THREADS];\nvoid put(int value) { \
                  a[(MYTHREAD + 1) % THREADS] = value; }\n";
    let program = |before: &str, access: &str| {
        format!(
            "#include <upc.h>\n#include <upc_castable.h>\nshared int a[THREADS];\nvoid put(int \
             value);\n{before}\nint main(void) {{\n for (int i = 0; i < 20; i++) {{\n{access}\n \
             upc_barrier;\n }}\n return 0;\n}}\n"
        )
    };
    let cases = [
        (
            "",
            "put(i);",
            &["--no-instrument"][..],
            "accessed at b.upc:3 in code that was compiled without",
        ),
        (
            "",
            "*(int *)&a[MYTHREAD] = i;",
            &[][..],
            "pointer to private at prog.upc:8",
        ),
        (
            "",
            "*(int *)upc_cast(&a[(MYTHREAD + 1) % THREADS]) = i;",
            &[][..],
            "pointer to private at prog.upc:8",
        ),
        (
            "#pragma pupc off",
            "a[(MYTHREAD + 1) % THREADS] = i;\n#pragma pupc on",
            &[][..],
            "accessed at prog.upc:8 where `#pragma pupc off`",
        ),
    ];
    for (before, access, options, reason) in cases {
        let bench = Bench::new();
        bench.write("b.upc", hidden);
        let mut compile = vec!["compile"];
        compile.extend(EACH_AN_EVENT);
        compile.extend(options);
        compile.extend(["-c", "-o", "b.o", "b.upc"]);
        bench.ok(&compile);
        bench.write("prog.upc", program(before, access));
        let mut link = vec!["compile"];
        link.extend(EACH_AN_EVENT);
        link.extend(["-o", "prog", "prog.upc", "b.o"]);
        bench.ok(&link);
        bench.measure("2");
        bench.ok(&["analyze"]);
        assert_eq!(advice(&bench), [""; 0], "{reason}");
        let withheld = bench.json()["withheld"].to_string();
        assert!(withheld.contains(reason), "{reason}: {withheld}");
    }
}

/// A program of which all accesses are recorded, with their addresses.
fn with_addresses(source: &str) -> Vec<String> {
    let bench = Bench::new();
    bench.compile_all(source, &["-O1", "--inst-local"]);
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
    // The barrier between the two reads separates nothing; the others stand between writing and
    // reading.
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
