//! Whatever the text is, the compiler answers: it never panics, hangs, or exhausts its stack.
//! Programs are mutated with a fixed seed: tokens deleted, repeated, exchanged, and bytes
//! overwritten.

mod common;
#[path = "../../trace/tests/support/numbers.rs"]
mod numbers;

use numbers::Numbers;
use pgas_upc::{Options, compile};

/// Splits text into words and single other characters, white space kept with what follows.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut in_word = false;
    for (i, c) in text.char_indices() {
        let word = c.is_alphanumeric() || c == '_';
        if i > start && !(word && in_word) {
            found.push(&text[start..i]);
            start = i;
        }
        in_word = word;
    }
    found.push(&text[start..]);
    found
}

fn mutate(text: &str, random: &mut Numbers) -> String {
    const WORDS: [&str; 24] = [
        " shared ",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "*",
        ";",
        ",",
        " upc_forall ",
        " THREADS ",
        " struct ",
        " = ",
        " typedef ",
        " sizeof ",
        " [*] ",
        " 0x ",
        "'",
        "\"",
        " upc_barrier ",
        "->",
        "...",
        "\u{e9}",
    ];
    let mut parts: Vec<String> = pieces(text).into_iter().map(str::to_owned).collect();
    for _ in 0..1 + random.index(4) {
        let (a, b) = (random.index(parts.len()), random.index(parts.len()));
        match random.index(6) {
            0 => drop(parts.remove(a)),
            1 => parts.insert(b, parts[a].clone()),
            2 => parts.swap(a, b),
            3 => parts[a] = WORDS[random.index(WORDS.len())].to_owned(),
            4 => parts.truncate(a + 1),
            _ => parts.insert(a, WORDS[random.index(WORDS.len())].to_owned()),
        }
        if parts.is_empty() {
            parts.push(String::new());
        }
    }
    parts.concat()
}

fn options(random: &mut Numbers) -> Options {
    Options {
        threads: [None, Some(1), Some(4)][random.index(3)],
        instrument: random.index(2) == 0,
        instrument_functions: true,
        check: random.index(2) == 0,
        name: "mutated.upc".to_owned(),
        ..Default::default()
    }
}

#[test]
fn mutated_programs_are_answered() {
    let mut random = Numbers(0x5eed);
    let texts: Vec<String> = [
        common::own("accepted"),
        common::suite("constraints"),
        common::suite("syntax"),
    ]
    .iter()
    .flat_map(|folder| common::programs(folder))
    .map(|path| std::fs::read_to_string(path).expect("a readable program"))
    .map(|t| {
        t.lines()
            .filter(|l| !l.starts_with("#include"))
            .collect::<Vec<_>>()
            .join("\n")
    })
    .collect();
    for _ in 0..4000 {
        let text = mutate(&texts[random.index(texts.len())], &mut random);
        // The answer does not matter here, only that there is one.
        let _ = compile(&text, &options(&mut random));
    }
}

#[test]
fn random_bytes_are_answered() {
    let mut random = Numbers(77);
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..random.index(200))
            .map(|_| random.below(256) as u8)
            .collect();
        let _ = compile(&String::from_utf8_lossy(&bytes), &options(&mut random));
    }
}

#[test]
fn deep_nesting_ends_with_a_message_or_a_result() {
    let n = 100_000;
    let texts = [
        format!("int x = {}1{};", "(".repeat(n), ")".repeat(n)),
        format!("int f(void) {{ {} {} }}", "{".repeat(n), "}".repeat(n)),
        format!("int x = {}1;", "-".repeat(n)),
        format!("int x = {}1;", "1 + ".repeat(n)),
        format!("int {}x{};", "(".repeat(n), ")".repeat(n)),
        format!("int {}x;", "*".repeat(n)),
        format!("int f(int a) {{ {} ; }}", "if (a) ; else ".repeat(n)),
        format!("int x{};", "[1]".repeat(n)),
        format!(
            "shared int a[4]; int f(int i) {{ return {}0{}; }}",
            "a[".repeat(n),
            "]".repeat(n)
        ),
        format!(
            "shared int a; int f(int i) {{ return {}1; }}",
            "a + ".repeat(n)
        ),
        format!(
            "int f(int i) {{ {} }}",
            "for (;;) upc_forall (;;;i) ".repeat(n)
        ),
        format!("int x = {}1{};", "{".repeat(n), "}".repeat(n)),
        format!(
            "struct {} int x; {};",
            "s { struct ".repeat(n),
            "}".repeat(n)
        ),
        format!(
            "int f(int (*g)({} void {};",
            "int (*)(".repeat(n),
            ")".repeat(n)
        ),
        format!("int f(int i) {{ return {} 1; }}", "i ? 1 : ".repeat(n)),
        format!("int f(int i) {{ return {}; }}", "({ ".repeat(n)),
        format!("int f(int i) {{ i{}; }}", " = i".repeat(n)),
        format!("int f(int i) {{ f{}; }}", "(i)".repeat(n)),
        "struct s { struct s x; } v; int f(void) { return v.y; } shared struct s w;".to_owned(),
        "struct s { int a; union { struct s y[3]; }; } v; shared struct s w[4];".to_owned(),
        "_Alignas }".to_owned(),
        "(".repeat(n),
        "[".repeat(n),
    ];
    for text in &texts {
        let _ = compile(
            text,
            &Options {
                threads: Some(2),
                ..Default::default()
            },
        );
    }
}

#[test]
fn large_programs_are_compiled() {
    // Sizes at which anything quadratic would take minutes: functions with shared accesses, a long
    // initialiser on one line, a long expression, many variables in one scope.
    let function = |i: usize| {
        format!(
            "int f{i}(int n) {{ int s = 0; for (int k = 0; k < n; k++) s += a[k] + p[k].x; return \
             s; }}\n"
        )
    };
    let head = "struct s { int x; }; shared int a[100]; shared struct s *p;\n";
    let texts = [
        format!("{head}{}", (0..30_000).map(function).collect::<String>()),
        format!(
            "{head} shared int *t[] = {{ {} }};",
            "&a[1], ".repeat(100_000)
        ),
        format!(
            "{head} int f(int i) {{ return {} 0; }}",
            "a[i] + ".repeat(50_000)
        ),
        format!(
            "int f(void) {{ {} }}",
            (0..100_000)
                .map(|i| format!("int v{i} = {i}; "))
                .collect::<String>()
        ),
    ];
    for text in &texts {
        let output = compile(
            text,
            &Options {
                threads: Some(4),
                ..Default::default()
            },
        )
        .expect("a correct program");
        assert!(output.c.len() > text.len() / 2);
    }
}
