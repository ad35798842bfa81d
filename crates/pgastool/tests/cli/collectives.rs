//! Collective operations of compilers whose runtimes do not report them, GNU's and Clang's: the
//! tool's header leads calls through the tool. Stand-ins play these compilers; what the runtime
//! below them reports of collectives is taken away.

use crate::bench::{Bench, Told, contains};
use crate::sites::stand_in;
use assert_cmd::Command;
use std::collections::BTreeSet;

/// Every operation, reductions of several types, and a header that includes the operations' header
/// once more.
const OPERATIONS: &str = r#"#include <stdio.h>
#include <upc.h>
#include "own.h"
#include <upc_collective.h>
#include <upc_collective.h>
shared int one[THREADS], to[THREADS];
shared int order[THREADS];
shared [] int at_root[4];
shared [2] int wide[THREADS][2], other[THREADS][2];
shared [2] int pairs[2 * THREADS];
shared double values[THREADS];
shared double sum;
shared long counts[THREADS], prefix[THREADS];
shared unsigned char flags[THREADS];
shared unsigned char any;
int in_library(void);
int main(void) {
    int me = MYTHREAD, good;
    upc_flag_t all = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
    one[me] = me + 1;
    order[me] = (me + 1) % THREADS;
    values[me] = 0.5 * (me + 1);
    counts[me] = me + 1;
    flags[me] = 1 << me;
    wide[me][0] = 10 * me;
    wide[me][1] = 10 * me + 1;
    upc_all_broadcast(to, one, sizeof(int), all); /* broadcast */
    good = to[me] == 1;
    upc_all_gather(at_root, one, sizeof(int), all); /* gather */
    good &= at_root[1] == 2;
    upc_all_scatter(to, at_root, sizeof(int), all); /* scatter */
    good &= to[me] == me + 1;
    upc_all_gather_all(pairs, one, sizeof(int), all); /* gather_all */
    good &= pairs[2 * me] == 1 && pairs[2 * me + 1] == 2;
    upc_all_exchange(other, wide, sizeof(int), all); /* exchange */
    good &= other[me][0] == me && other[me][1] == 10 + me;
    upc_all_permute(to, one, order, sizeof(int), all); /* permute */
    good &= to[me] == (me + 1) % 2 + 1;
    upc_all_reduceD(&sum, values, UPC_ADD, THREADS, 1, NULL, all); /* reduceD */
    good &= sum == 1.5;
    upc_all_reduceUC(&any, flags, UPC_OR, THREADS, 1, NULL, all); /* reduceUC */
    good &= any == 3;
    upc_all_prefix_reduceL(prefix, counts, UPC_ADD, THREADS, 1, NULL, all); /* prefix_reduceL */
    good &= prefix[me] == (me == 0 ? 1 : 3);
    good &= in_own() & in_library();
    printf("thread %d %s\n", me, good ? "right" : "WRONG");
    return 0;
}
"#;

const OWN: &str = r#"#include <upc_collective.h>
shared int of_own;
shared int all_of_own[THREADS];
static int in_own(void) {
    all_of_own[MYTHREAD] = 1;
    upc_all_reduceI(&of_own, all_of_own, UPC_ADD, THREADS, 1, NULL, 0); /* reduceI */
    return of_own == THREADS;
}
"#;

const LIBRARY: &str = r#"#include <upc.h>
#include <upc_collective.h>
shared float of_library, all_of_library[THREADS];
int in_library(void) {
    all_of_library[MYTHREAD] = 2;
    upc_all_reduceF(&of_library, all_of_library, UPC_MULT, THREADS, 1, NULL, 0); /* reduceF */
    return of_library == 4;
}
"#;

/// The line of a call, which a comment after it names.
fn line(text: &str, call: &str) -> u64 {
    let wanted = format!("/* {call} */");
    let found = text.lines().position(|line| line.ends_with(&wanted));
    found.expect("the call") as u64 + 1
}

/// Operations that a report has: region, file and line.
fn operations(bench: &Bench) -> BTreeSet<(String, String, u64)> {
    let report = bench.json();
    let paths = report["call_paths"].as_array().unwrap().iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let found = paths.filter(|path| text(&path["region"]).starts_with("upc_all_"));
    let place = |path: &serde_json::Value| {
        let visits = path["metrics"]["visits"].as_array().unwrap();
        assert!(visits.iter().all(|visits| visits == 1.0), "{path}");
        let file = text(&path["file"]);
        let name = file.rsplit('/').next().unwrap().to_owned();
        (text(&path["region"]), name, path["line"].as_u64().unwrap())
    };
    found.map(place).collect()
}

fn succeed(command: &mut Command) {
    let told = Told::of(command);
    assert_eq!(told.status, Some(0), "{told:?}");
}

#[test]
fn every_collective_is_seen_with_its_place_also_in_headers_and_libraries() {
    for which in ["gupc", "clang-upc"] {
        let bench = Bench::new();
        stand_in(&bench, which, "compiler");
        bench.write("prog.upc", OPERATIONS);
        bench.write("own.h", OWN);
        bench.write("part.upc", LIBRARY);
        let compile = |arguments: &[&str]| {
            let mut words = vec!["compile", "--upcc", "site/compiler", "-O1"];
            words.extend(arguments);
            bench.ok(&words);
        };
        compile(&["-c", "part.upc"]);
        let mut archive = Command::new("ar");
        succeed(
            archive
                .args(["rcs", "libpart.a", "part.o"])
                .current_dir(bench.path("")),
        );
        compile(&["-o", "prog", "prog.upc", "-L.", "-lpart"]);
        let out = bench.ok(&["run", "-n", "2", "./prog"]);
        contains(&out, &["thread 0 right", "thread 1 right"]);
        bench.ok(&["analyze"]);
        let expected = [
            ("broadcast", "prog.upc", OPERATIONS),
            ("gather", "prog.upc", OPERATIONS),
            ("scatter", "prog.upc", OPERATIONS),
            ("gather_all", "prog.upc", OPERATIONS),
            ("exchange", "prog.upc", OPERATIONS),
            ("permute", "prog.upc", OPERATIONS),
            ("reduceD", "prog.upc", OPERATIONS),
            ("reduceUC", "prog.upc", OPERATIONS),
            ("prefix_reduceL", "prog.upc", OPERATIONS),
            ("reduceI", "own.h", OWN),
            ("reduceF", "part.upc", LIBRARY),
        ]
        .map(|(call, file, text)| {
            let operation = call.trim_end_matches(|c: char| c.is_ascii_uppercase());
            let region = format!("upc_all_{operation}");
            (region, file.to_owned(), line(text, call))
        });
        assert_eq!(operations(&bench), expected.into(), "{which}");
    }
}

/// Calls that are not seen, as documented. It also shows that nothing but the tool's header reports
/// in these tests.
#[test]
fn calls_through_pointers_are_made_and_not_seen() {
    let bench = Bench::new();
    stand_in(&bench, "gupc", "gupc");
    bench.write(
        "prog.upc",
        r#"#include <stdio.h>
#include <upc.h>
#include <upc_collective.h>
shared int from[THREADS], to[THREADS];
int main(void) {
    void (*pointer)(shared void *, shared const void *, size_t, upc_flag_t) = upc_all_broadcast;
    if (MYTHREAD == 0) from[0] = 7;
    pointer(to, from, sizeof(int), 0);
    printf("%d\n", to[MYTHREAD]);
    upc_all_broadcast(to, from, sizeof(int), 0); /* broadcast */
    return 0;
}
"#,
    );
    bench.ok(&["compile", "--upcc", "site/gupc", "-o", "prog", "prog.upc"]);
    let out = bench.ok(&["run", "-n", "2", "./prog"]);
    assert_eq!(out.lines().filter(|&line| line == "7").count(), 2, "{out}");
    bench.ok(&["analyze"]);
    let seen = ("upc_all_broadcast".to_owned(), "prog.upc".to_owned(), 10);
    assert_eq!(operations(&bench), [seen].into());
}

/// Objects whose calls go through the tool's header, linked without the tool: the operations are
/// called as they are.
#[test]
fn an_object_links_without_the_tool_if_its_compiler_can() {
    let bench = Bench::new();
    stand_in(&bench, "gupc", "gupc");
    bench.write("prog.upc", OPERATIONS);
    bench.write("own.h", OWN);
    bench.write("part.upc", LIBRARY);
    let shown = bench.ok(&["compile", "--upcc", "site/gupc", "--show", "-c", "prog.upc"]);
    let mut words = shown.split_whitespace();
    let headers = words.find(|word| word.ends_with("/headers"));
    let headers = headers.unwrap_or_else(|| panic!("no headers in {shown}"));
    let gupc = || {
        let mut command = Command::new(bench.path("site/gupc"));
        command.current_dir(bench.path(""));
        command
    };
    let sources = ["prog.upc", "part.upc"];
    succeed(gupc().args(["-I", headers, "-c"]).args(sources));
    succeed(gupc().args(["-o", "prog", "prog.o", "part.o"]));
    let told = Told::of(
        Command::new(bench.path("prog"))
            .args(["-n", "2"])
            .current_dir(bench.path("")),
    );
    assert_eq!(told.status, Some(0), "{told:?}");
    contains(&told.out, &["thread 0 right", "thread 1 right"]);

    // Instrumented objects need a tool, with this compiler; it says so.
    bench.ok(&["compile", "--upcc", "site/gupc", "-c", "prog.upc"]);
    let told = Told::of(gupc().args(["-o", "bare", "prog.o", "part.o"]));
    assert_ne!(told.status, Some(0), "{told:?}");
    contains(&told.err, &["is instrumented", "pgastool compile"]);
}
