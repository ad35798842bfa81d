//! Code that does not touch UPC passes through: token by token where a program has no UPC in it
//! (`// unchanged: yes`), and so that the C compiler accepts the result in every mode.

mod common;

use pgas_upc::{Options, compile};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const MODES: [(Option<u32>, bool); 4] = [
    (None, false),
    (Some(4), false),
    (None, true),
    (Some(3), true),
];

fn compile_program(path: &Path, source: &str, threads: Option<u32>, instrument: bool) -> String {
    let options = Options {
        threads,
        instrument,
        instrument_functions: instrument,
        name: path.display().to_string(),
        ..Default::default()
    };
    compile(source, &options)
        .unwrap_or_else(|m| {
            panic!(
                "{}",
                m.iter()
                    .map(|m| m.render(false))
                    .collect::<Vec<_>>()
                    .join("\n")
            )
        })
        .c
}

fn accepted_by_c(path: &Path, text: &str) {
    let mut cc = Command::new("cc")
        .args([
            "-std=gnu11",
            "-fsyntax-only",
            "-w",
            "-Werror=incompatible-pointer-types",
            "-x",
            "cpp-output",
            "-",
        ])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a C compiler");
    cc.stdin
        .take()
        .expect("its input")
        .write_all(text.as_bytes())
        .expect("it reads all of it");
    let output = cc.wait_with_output().expect("it ends");
    assert!(
        output.status.success(),
        "{}:\n{}",
        path.display(),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The text without white space and line markers.
fn tokens(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|l| !l.starts_with("# "))
        .flat_map(str::split_whitespace)
        .collect()
}

#[test]
fn plain_c_is_not_changed() {
    for path in common::programs(&common::own("accepted")) {
        let text = std::fs::read_to_string(&path).expect("a readable program");
        if common::directive(&text, "unchanged").is_none() {
            continue;
        }
        let source = common::preprocess(&path, None, false);
        let c = compile_program(&path, &source, None, false);
        let (before, after) = (tokens(&source), tokens(&c));
        for (a, b) in before.iter().zip(&after) {
            assert_eq!(a, b, "{}", path.display());
        }
        assert_eq!(before.len(), after.len(), "{}", path.display());
    }
}

#[test]
fn the_c_compiler_accepts_what_is_accepted() {
    for path in common::programs(&common::own("accepted")) {
        let text = std::fs::read_to_string(&path).expect("a readable program");
        let only_static = common::directive(&text, "modes") == Some("static");
        for (threads, instrument) in MODES {
            if only_static && threads.is_none() {
                continue;
            }
            let source = common::preprocess(&path, threads, instrument);
            accepted_by_c(&path, &compile_program(&path, &source, threads, instrument));
        }
    }
}

/// Declarations for a function come before its pragmas.
#[test]
fn pragmas_about_a_function_stand_before_it() {
    let source = "#pragma omp declare simd\nstatic int f(int x) { return x + 1; }\n\
                  int main(void) { return f(-1); }\n";
    let c = compile_program(Path::new("a.upc"), source, None, true);
    let mut after = c
        .lines()
        .skip_while(|line| !line.starts_with("#pragma omp"));
    assert!(c.contains("upcr_function_site"), "{c}");
    assert!(after.nth(1).unwrap().starts_with("static int f("), "{c}");
}
