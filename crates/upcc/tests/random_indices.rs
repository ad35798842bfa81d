//! Numbers loops over shared arrays against the same loops over private copies. A generator writes
//! programs of many small functions; each runs loops of random kind, steps and nesting that read
//! and write shared arrays of random layouts at random sums of products, directly and through
//! pointers. Addresses that follow from the one before, or from parts of the sum, must be those of
//! the language.

mod common;

use common::numbers::Numbers;
use common::random_programs::print_ok;
use std::fmt::Write as _;

/// Functions in one program.
const FUNCTIONS: usize = 100;
/// Rows of THREADS blocks of 8 elements, in every array.
const ROWS: usize = 6;

/// Block sizes, as qualifiers. All arrays have ROWS * 64 * THREADS elements, whole blocks of each
/// size.
const LAYOUTS: [&str; 6] = ["", "[3]", "[16]", "[64]", "[32]", "[1]"];
const ELEMENTS: &str = "(ROWS * 64 * THREADS)";

fn name(random: &mut Numbers) -> (usize, &'static str) {
    let layout = random.index(LAYOUTS.len());
    (layout, random.of(&["int", "char", "double"]))
}

/// A sum of products over loop variables `i` and `j`, kept inside the array by a remainder where it
/// might leave it.
fn index(random: &mut Numbers) -> String {
    let inside = |text: String| format!("(({text}) % (long){ELEMENTS} + {ELEMENTS}) % {ELEMENTS}");
    match random.below(12) {
        0 | 1 => "i".to_string(),
        2 => "i + 1".to_string(),
        3 => "i - 1".to_string(),
        4 => "i * THREADS % (ROWS * 64 * THREADS) + t".to_string(),
        5 => "16 * (long)(i % (ROWS * 4 * THREADS)) + j % 16".to_string(),
        6 => "(i % (ROWS * 64)) * THREADS + MYTHREAD".to_string(),
        7 => inside(format!(
            "{}(i + {}) * {} + {} * j - {}",
            random.of(&["", "(long)", "-"]),
            random.below(5),
            random.of(&[
                "THREADS",
                "3",
                "16 * THREADS",
                "64",
                "1",
                "2 * THREADS",
                "n"
            ]),
            random.of(&["1", "2", "THREADS", "16", "64 * THREADS", "3 * THREADS"]),
            random.below(70)
        )),
        8 => inside(format!(
            "i {} j {} {}",
            random.of(&["+", "-", "+ 64 *", "+ THREADS *", "- 3 *"]),
            random.of(&["+", "-"]),
            random.of(&[
                "t",
                "MYTHREAD",
                "(n - t) * THREADS",
                "t * 64",
                "16 * (t - 5)"
            ])
        )),
        9 => inside("places[j % 7] + i".to_string()),
        10 => inside("places[i % 7] * 3 + (unsigned)j".to_string()),
        _ => inside("i + (j + (t - 2)) * 64 - 64 * j".to_string()),
    }
}

/// A loop head over `variable`; also what must stand at the end of its body.
fn head(variable: char, depth: usize, random: &mut Numbers) -> (String, String) {
    let v = variable;
    let (most, steps): (&str, &[&str]) = match depth {
        0 => (
            "ROWS * 64 * THREADS - 1",
            &["1", "1", "1", "2", "3", "THREADS", "2 * THREADS", "16", "n"],
        ),
        _ => ("21", &["1", "1", "2", "3", "THREADS"]),
    };
    let least = random.of(&["1", "1", "MYTHREAD + 1", "t + 1"]);
    let step = random.of(steps);
    match random.below(5) {
        0 => (
            format!("for ({v} = {most} - 1; {v} >= {least}; {v} -= {step})"),
            String::new(),
        ),
        1 => (
            format!("{v} = {least}; while ({v} < {most})"),
            format!("{v} = {v} + {step};"),
        ),
        2 => (
            format!("for ({v} = {least}; {v} < {most};)"),
            format!("{v} += {step}; if ({v} == 17) {v}++;"),
        ),
        _ => (
            format!("for ({v} = {least}; {v} < {most}; {v} += {step})"),
            String::new(),
        ),
    }
}

/// Reads (as a sum) and writes of one iteration, with `read` and `write` naming elements.
fn body(accesses: &[(bool, String, String, String)], private: bool) -> String {
    let mut text = String::new();
    for (is_write, shared, copy, extra) in accesses {
        let element = if private { copy } else { shared };
        let sum = if private { "expected" } else { "found" };
        let _ = match is_write {
            true => write!(text, "{element} = (i + 3 * j + {extra}) % 100; "),
            false => write!(text, "{sum} = {sum} * 3 + (long){element} + {extra}; "),
        };
    }
    text
}

/// One function that reads and writes with one thread at a time, so that the private copies tell
/// what must be there.
fn function(number: usize, random: &mut Numbers) -> String {
    let mut accesses = Vec::new();
    let mut arrays = Vec::new();
    for _ in 0..1 + random.below(4) {
        let array = name(random);
        arrays.push(array);
        // Neighbours are what programs read, and what shares what is remembered.
        let index = index(random);
        let (layout, kind) = array;
        for offset in match random.below(4) {
            0 => &["", " + 1", " - 1"][..],
            _ => &[""][..],
        } {
            let place = match offset.is_empty() || index.contains('%') {
                true => index.clone(),
                false => format!("(({index}){offset} + {ELEMENTS}) % {ELEMENTS}"),
            };
            let shared = match random.below(6) {
                0 => format!("*(p_{kind}_{layout} + ({place}))"),
                1 => format!("p_{kind}_{layout}[{place}]"),
                2 => format!("s_{kind}_{layout}[{place}].x"),
                _ => format!("a_{kind}_{layout}[{place}]"),
            };
            let copy = match shared.starts_with("s_") {
                true => format!("d_{kind}_{layout}[{place}]"),
                false => format!("c_{kind}_{layout}[{place}]"),
            };
            let is_write = random.percent(30);
            accesses.push((is_write, shared, copy, random.below(9).to_string()));
        }
    }
    let loops: Vec<_> = match random.percent(50) {
        true => vec![head('i', 0, random)],
        false => vec![head('j', 1, random), head('i', 0, random)],
    };
    let between = random.of(&[
        "",
        "if (i % 7 == 3) { i++; }",
        "if (i > 1000000) break;",
        "t = (t + 1) % 3;",
    ]);
    let goes_down = loops.iter().any(|(head, _)| head.contains("-="));
    let between = match goes_down && between.contains("i++") {
        true => "",
        false => between,
    };
    let program = |private: bool| {
        let mut text = String::from("i = 2; j = 1; t = 1; ");
        let mut end = String::new();
        for (head, tail) in &loops {
            let _ = write!(text, "{head} {{ ");
            end = format!("{tail} }} {end}");
        }
        format!("{text}{} {between} {end}", body(&accesses, private))
    };
    format!(
        "static void walk_{number}(void)\n{{\n    long found = 0, expected = 0;\n    int i, j, t, \
         n = {number} % 4 + 1;\n\x20   {}\n    {}\n\x20   if (found != expected) {{ bad++; \
         printf(\"thread %d of %d: walk_{number} reads %ld, not %ld\\n\", MYTHREAD, THREADS, \
         found, expected); }}\n}}\n",
        program(false),
        program(true)
    )
}

fn program(seed: u64) -> String {
    let mut random = Numbers(seed);
    let mut text = format!(
        "#include <upc_relaxed.h>\n#include <stdio.h>\n#include <stdlib.h>\n#define ROWS \
         {ROWS}\nint bad;\nshared int turn;\nstatic const int places[7] = {{3, 1, 17, 64, 5, 40, \
         2}};\n"
    );
    let mut fill = String::new();
    let mut compare = String::new();
    for kind in ["int", "char", "double"] {
        let _ = writeln!(text, "struct {kind}_pair {{ short y; {kind} x; }};");
        for (layout, qualifier) in LAYOUTS.iter().enumerate() {
            let id = format!("{kind}_{layout}");
            let _ = write!(
                text,
                "shared {qualifier} {kind} a_{id}[ROWS * 192 * THREADS];\nshared {qualifier} \
                 struct {kind}_pair s_{id}[ROWS * 192 * THREADS];\nshared {qualifier} {kind} \
                 *p_{id};\n{kind} *c_{id}, *d_{id};\n"
            );
            let _ = writeln!(
                fill,
                "    p_{id} = a_{id};\n    c_{id} = calloc({ELEMENTS} + 8, sizeof({kind}));\n    \
                 d_{id} = calloc({ELEMENTS} + 8, sizeof({kind}));\n\x20   for (k = 0; k < \
                 {ELEMENTS}; k++) {{ c_{id}[k] = (k * 7 + {layout}) % 90; d_{id}[k] = (k * 5 + \
                 {layout}) % 80; }}\n\x20   if (MYTHREAD == turn) for (k = 0; k < {ELEMENTS}; \
                 k++) {{ a_{id}[k] = c_{id}[k]; s_{id}[k].x = d_{id}[k]; }}"
            );
            let _ = writeln!(
                compare,
                "    for (k = 0; k < {ELEMENTS}; k++) if (a_{id}[k] != c_{id}[k] || s_{id}[k].x \
                 != d_{id}[k]) {{ bad++; printf(\"thread %d of %d: {id} is wrong at %ld\\n\", \
                 MYTHREAD, THREADS, k); break; }}"
            );
        }
    }
    let mut calls = String::new();
    for number in 0..FUNCTIONS {
        text.push_str(&function(number, &mut random));
        let _ = writeln!(calls, "        walk_{number}();");
    }
    let _ = write!(
        text,
        "int main(void)\n{{\n    long k;\n    if (MYTHREAD == 0) turn = THREADS - 1;\n    \
             upc_barrier;\n{fill}    upc_barrier;\n\x20   if (MYTHREAD == turn) \
             {{\n{calls}{compare}        if (bad == 0) printf(\"OK\\n\");\n    }}\n\x20   \
             upc_barrier;\n    return bad != 0;\n}}\n"
    );
    text
}

#[test]
fn walks_read_and_write_what_plain_loops_do() {
    print_ok(
        program,
        &[
            (&["-O2"], &[1, 2, 3, 7]),
            (&["-O1", "-T=3"], &[3]),
            (&["-O2", "-T=4"], &[4]),
        ],
    );
}
