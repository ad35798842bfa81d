//! Numbers `upc_forall` loops against plain loops. A generator writes programs of many small
//! functions; each runs one upc_forall over arrays of random layouts with random bounds, step,
//! variable and affinity, and compares what all threads together left in shared memory, and the
//! variable's last value, with what a plain loop over private memory gives. Loops of the shapes
//! that the compiler makes fast are as frequent as those that it may not.

mod common;

use common::numbers::Numbers;
use common::random_programs::print_ok;
use std::fmt::Write as _;

/// Loops in one program.
const LOOPS: usize = 120;
/// Elements per thread of the arrays that are spread over threads.
const PER_THREAD: i64 = 40;
/// Elements of indefinite arrays.
const INDEFINITE: i64 = 40;

/// Layout qualifiers; the array of each element type exists once with every layout.
const LAYOUTS: [&str; 7] = ["", "[1]", "[3]", "[8]", "[*]", "[]", "[64]"];
const TYPES: [&str; 5] = ["int", "double", "char", "long", "struct pair"];

fn array(prefix: &str, kind: usize, layout: usize) -> String {
    format!("{prefix}_{kind}_{layout}")
}

fn declarations() -> String {
    let mut text = String::from(
        "#include <upc_relaxed.h>\n#include <stdio.h>\nstruct pair { short a; double b; \
         };\nstatic int failed;\nint counter;\nshared int failed_of[THREADS];\n",
    );
    for (kind, name) in TYPES.iter().enumerate() {
        for (layout, qualifier) in LAYOUTS.iter().enumerate() {
            let size = if *qualifier == "[]" {
                INDEFINITE.to_string()
            } else {
                format!("{PER_THREAD} * THREADS")
            };
            for prefix in ["x", "r"] {
                let _ = writeln!(
                    text,
                    "shared {qualifier} {name} {}[{size}];",
                    array(prefix, kind, layout)
                );
            }
        }
    }
    text
}

/// The text with `counter` in place of the variable `i`.
fn with_counter(text: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut out = String::new();
    let letters: Vec<char> = text.chars().collect();
    for (at, &c) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|k| letters[k]);
        if c == 'i' && !is_word(before) && !is_word(letters.get(at + 1).copied()) {
            out.push_str("counter");
        } else {
            out.push(c);
        }
    }
    out
}

/// One function `loop_<number>` that runs and checks a random loop.
fn function(number: usize, random: &mut Numbers) -> String {
    let kind = random.index(TYPES.len());
    let layout = random.index(LAYOUTS.len());
    // The array that is only read: often of the same layout and type, as in real programs.
    let (other_kind, other_layout) = if random.percent(50) {
        (kind, layout)
    } else {
        (random.index(TYPES.len()), random.index(LAYOUTS.len()))
    };
    let size = |layout: usize| {
        if LAYOUTS[layout] == "[]" {
            INDEFINITE.to_string()
        } else {
            format!("({PER_THREAD} * THREADS)")
        }
    };
    let n = size(layout);
    let member = |kind: usize| {
        if TYPES[kind] == "struct pair" {
            ".b"
        } else {
            ""
        }
    };
    let x = array("x", kind, layout);
    let r = array("r", other_kind, other_layout);
    let offset = random.of(&[0, 0, 0, 1, 2, 5, -1, -3]);
    let factor = random.of(&[1, 1, 1, 1, 2, 3]);
    let index = match (factor, offset) {
        (1, 0) => "i".to_string(),
        (1, c) if c > 0 && random.percent(30) => format!("{c} + i"),
        (1, c) => format!("i {} {}", if c < 0 { '-' } else { '+' }, i64::abs(c)),
        (f, c) => format!("{f} * i + {c}"),
    };
    // The smallest i and the end of i for which the index stays inside.
    let least = if offset < 0 {
        (-offset + factor - 1) / factor
    } else {
        0
    };
    let low = format!("{}", least + random.below(4) as i64);
    let end = format!(
        "(({n} - {} + {factor} - 1) / {factor} - {})",
        offset.max(0),
        random.of(&[0, 0, 1, 6])
    );
    let (end, guard) = if random.percent(10) {
        ("3".to_string(), "few ")
    } else {
        (end, "")
    };
    let end = if offset < 0 && end != "3" {
        format!("({end} + {})", 0)
    } else {
        end
    };
    let variable = random.of(&["int", "int", "int", "long", "short", "signed char"]);
    let variable = if variable == "signed char" && !guard.contains("few") {
        "int"
    } else {
        variable
    };
    let step = random.of(&[
        "1",
        "1",
        "1",
        "1",
        "2",
        "3",
        "7",
        "THREADS",
        "stride",
        "2 * THREADS",
    ]);
    let unsigned = random.percent(15) && least == 0;
    let variable = if unsigned {
        random.of(&["unsigned", "unsigned long"])
    } else {
        variable
    };
    let header = if !unsigned && random.percent(25) {
        let decrement = match step {
            "1" => random.of(&["i--", "--i", "i -= 1"]).to_string(),
            s if random.percent(30) => format!("i = i - {s}"),
            s => format!("i -= {s}"),
        };
        let condition = random.of(&["i >= low", "i > low - 1", "low <= i"]);
        let condition = if step == "1" && guard.is_empty() && random.percent(30) {
            "i != low - 1"
        } else {
            condition
        };
        format!("i = end - 1; {condition}; {decrement}")
    } else {
        let increment = match step {
            "1" => random
                .of(&["i++", "++i", "i += 1", "i = i + 1"])
                .to_string(),
            s if random.percent(30) => format!("i = {s} + i"),
            s => format!("i += {s}"),
        };
        let condition = if step == "1" && random.percent(10) && guard.is_empty() {
            "i != (__typeof__(i))end"
        } else {
            random.of(&["i < end", "i <= end - 1", "end > i"])
        };
        format!("i = low; {condition}; {increment}")
    };
    let affinity = match random.below(12) {
        10 => random
            .of(&[
                "i % THREADS",
                "(i + 2) % THREADS",
                "i / 3 % THREADS",
                "(i - 4) % THREADS",
            ])
            .to_string(),
        11 => random
            .of(&[
                "i / 8",
                "(i / 64) % THREADS",
                "(i - 3) / 3",
                "(i + 1) / 8 % THREADS",
            ])
            .to_string(),
        0..=4 => format!("&{x}[{index}]"),
        5 => format!("{x} + ({index})"),
        6 => "i".to_string(),
        7 => random
            .of(&[
                "i + 1",
                "i * 2",
                "i / 3",
                "-(long)i",
                "i - 5L",
                "MYTHREAD + i",
            ])
            .replace("MYTHREAD + i", "i + THREADS"),
        8 if !member(kind).is_empty() => format!("&{x}[{index}].b"),
        8 => format!("&{x}[({index}) / 2]"),
        _ => format!("&{r}[0]"),
    };
    let read_index = format!(
        "(i * {} + {}) % {}",
        random.of(&[1, 1, 3]),
        random.below(4),
        size(other_layout)
    );
    let read_index = if random.percent(50) && factor == 1 && size(other_layout) == n {
        index.clone()
    } else {
        read_index
    };
    let update = random.of(&["=", "=", "+=", "-="]);
    let value = match random.below(4) {
        0 => "i % 50".to_string(),
        1 => format!("{r}[{read_index}]{}", member(other_kind)),
        2 => format!("2 * {r}[{read_index}]{} + i % 7", member(other_kind)),
        _ => "scale".to_string(),
    };
    let before = random.of(&[
        "",
        "",
        "if (i % 5 == 4) continue;",
        "int inner = 0; while (inner < 3) { if (inner == 2) break; inner++; }",
    ]);
    let target = format!("{x}[{index}]{}", member(kind));
    // The plain loop works on private copies with the same text.
    let element = if member(kind).is_empty() {
        TYPES[kind]
    } else {
        "double"
    };
    let expected = format!("e[{index}]");
    let plain_value = value
        .replace(&format!("{r}["), "s[")
        .replace(&format!("]{} + i", member(other_kind)), "] + i");
    let plain_value = plain_value.trim_end_matches(".b").to_string();
    let other_element = if member(other_kind).is_empty() {
        TYPES[other_kind]
    } else {
        "double"
    };
    let (m, rm) = (member(kind), member(other_kind));
    let other_n = size(other_layout);
    let of_file = random.percent(15) && variable == "int";
    let (in_header, declaration) = if of_file {
        (false, "    int *const address = &counter;\n".to_string())
    } else if random.percent(30) {
        (true, String::new())
    } else {
        (false, format!("    {variable} i;\n"))
    };
    let head = if in_header {
        header.replacen("i =", &format!("{variable} i ="), 1)
    } else {
        header.clone()
    };
    let last = if in_header {
        String::new()
    } else {
        "    long last = (long)i;\n".to_string()
    };
    let check_last = if in_header {
        ""
    } else {
        "    good = good && last == (long)i;\n"
    };
    let (head, index, target, affinity, before, value, last) = if of_file {
        let of_file = |text: &str| with_counter(text);
        (
            of_file(&head),
            of_file(&index),
            of_file(&target),
            of_file(&affinity),
            of_file(before),
            of_file(&value),
            "    long last = (long)*address;\n".to_string(),
        )
    } else {
        (
            head,
            index,
            target,
            affinity,
            before.to_string(),
            value,
            last,
        )
    };
    let _ = index;
    let plain_before = before.replace("counter", "i");
    let plain_declaration = format!("    {variable} i;\n");
    format!(
        "static void loop_{number}(void)\n{{\n\
         \x20   int k, good = 1, scale = {number} % 11, stride = {number} % 5 + 1;\n\
         \x20   long low = {low}, end = {end};\n\
         \x20   {element} e[{n}];\n    {other_element} s[{other_n}];\n\
         \x20   upc_forall (k = 0; k < {n}; k++; k) {x}[k]{m} = k % 90;\n\
         \x20   upc_forall (k = 0; k < {other_n}; k++; k) {r}[k]{rm} = k * 7 % 60;\n\
         \x20   for (k = 0; k < {n}; k++) e[k] = k % 90;\n\
         \x20   for (k = 0; k < {other_n}; k++) s[k] = k * 7 % 60;\n\
         \x20   upc_barrier;\n    {{\n{declaration}\
         \x20   upc_forall ({head}; {affinity}) {{\n        {before}\n        {target} {update} {value};\n    }}\n{last}\
         \x20   {{\n{plain_declaration}\
         \x20   for ({header}) {{\n        {plain_before}\n        {expected} {update} {plain_value};\n    }}\n{check_last}    }}\n    }}\n\
         \x20   upc_barrier;\n\
         \x20   for (k = 0; k < {n}; k++) good = good && {x}[k]{m} == e[k];\n\
         \x20   if (!good && failed++ < 5) printf(\"thread %d of %d: loop_{number} is wrong\\n\", MYTHREAD, THREADS);\n\
         \x20   upc_barrier;\n}}\n"
    )
}

fn program(seed: u64) -> String {
    let mut random = Numbers(seed);
    let mut text = declarations();
    for number in 0..LOOPS {
        text.push_str(&function(number, &mut random));
    }
    text.push_str("int main(void)\n{\n    int i, sum = 0;\n");
    for number in 0..LOOPS {
        let _ = writeln!(text, "    loop_{number}();");
    }
    text.push_str(
        "    failed_of[MYTHREAD] = failed;\n    upc_barrier;\n\x20   for (i = 0; i < THREADS; \
         i++) sum += failed_of[i];\n\x20   if (MYTHREAD == 0 && sum == 0) printf(\"OK\\n\");\n    \
         return sum != 0;\n}\n",
    );
    text
}

#[test]
fn loops_give_what_plain_loops_give() {
    print_ok(
        program,
        &[
            (&["-O2"], &[1, 2, 3, 4, 7]),
            (&["-O2", "-T=3"], &[3]),
            (&["-O2", "-T=4"], &[4]),
        ],
    );
}
