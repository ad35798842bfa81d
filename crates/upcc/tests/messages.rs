//! Messages as the user of `pgas-upcc` sees them: those of the C compiler behind it are about the
//! UPC source, and options about messages hold for both compilers.

use std::fs;
use std::process::{Command, Output};

/// Declarations that the statements below are about; nine lines.
const HEAD: &str = "\
#include <upc.h>
shared int a[10 * THREADS];
shared struct pt { int x; double y; } s[THREADS];
shared struct qt { int z; } q;
shared int *p;
int take(int a, shared int *b);
#define SET(to, from) to = from
int main(void)
{
";

fn compile(source: &str, options: &str) -> Output {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("t.upc"), source).expect("a source");
    Command::new(env!("CARGO_BIN_EXE_pgas-upcc"))
        .args(options.split_whitespace())
        .args(["-c", "t.upc"])
        .current_dir(dir.path())
        .env_remove("PGAS_CC")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("the compiler runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Messages about one statement in line 11, without the lines around it.
fn about(statement: &str, options: &str) -> String {
    let source = format!("{HEAD}    int i = 0;\n{statement}\n    return i;\n}}\n");
    let text = stderr(&compile(&source, options));
    // Our headers may be named, as places of declarations.
    let own = text.replace("/include/upcr_", "/include/");
    assert!(
        !own.contains("upcr_") && !own.contains("user_main"),
        "{statement}: {text}"
    );
    text
}

#[test]
fn messages_of_the_c_compiler_are_about_the_upc_source() {
    // The statement, what is said about it, and the text that is marked, if it is always the same.
    let cases = [
        ("    a[i] = take(3);", "too few arguments", "take"),
        ("    a[i] = take(3, p, 5);", "too many arguments", "take"),
        (
            "    s[0] = q;",
            "cannot assign 'struct qt' as 'struct pt'",
            "q",
        ),
        (
            "    a[i] = s[0];",
            "cannot assign 'struct pt' as 'int'",
            "s[0]",
        ),
        ("    a[i] = \"text\";", "makes integer from pointer", ""),
        ("    a[i]++ = 3;", "lvalue required", "="),
        ("    if (s[0]) i = 1;", "struct type value", "s[0]"),
        ("    return s[0];", "incompatible types", "s[0]"),
        ("    i = a[i] % 2.0;", "invalid operands", "%"),
        ("    s[0].x[2] = 3;", "subscripted value", "["),
        ("    upc_memget(&i, a);", "too few arguments", "upc_memget"),
        ("    a[0] = 1; take(i);", "too few arguments", "take"),
    ];
    for (statement, message, marked) in cases {
        for options in ["", "-T 4", "-inst -inst-functions"] {
            let text = about(statement, options);
            let lines: Vec<&str> = text.lines().collect();
            let at = lines
                .iter()
                .position(|l| l.starts_with("t.upc:11:") && l.contains(message))
                .unwrap_or_else(|| panic!("{statement} ({options}): {text}"));
            assert_eq!(lines[at + 1], format!("   11 | {statement}"), "{text}");
            let mark = lines[at + 2].split_once("| ").expect("a mark").1;
            let begin = mark.find('^').expect("a caret");
            let begin = mark[..begin].find('~').unwrap_or(begin);
            assert!(
                statement[begin..].starts_with(marked),
                "{statement} ({options}): {text}"
            );
        }
    }
}

#[test]
fn messages_of_the_c_compiler_point_into_macros() {
    let text = about("    SET(i, (s[0] ? 1 : 2));", "");
    assert!(
        text.contains("t.upc:11:") && text.contains("struct type value"),
        "{text}"
    );
    assert!(
        text.contains("   11 |     SET(i, (s[0] ? 1 : 2));"),
        "{text}"
    );
}

#[test]
fn functions_have_the_names_of_the_source() {
    let text = about("    a[i] = \"text\";", "");
    assert!(
        text.starts_with("t.upc: In function \u{2018}main\u{2019}:\n"),
        "{text}"
    );
}

#[test]
fn a_loop_that_is_generated_twice_says_it_once() {
    let text = about(
        "    upc_forall (i = 0; i < 10; i++; &a[i]) a[i] = \"text\";",
        "-T 4",
    );
    assert_eq!(
        text.matches("makes integer from pointer").count(),
        1,
        "{text}"
    );
}

#[test]
fn options_about_warnings_hold() {
    let warned = format!("{HEAD}    int i;\n    i = p;\n    return i;\n}}\n");
    let output = compile(&warned, "");
    assert!(output.status.success());
    assert!(stderr(&output).contains("warning: a pointer-to-shared becomes a number"));
    let output = compile(&warned, "-w");
    assert!(output.status.success() && output.stderr.is_empty());
    let output = compile(&warned, "-Werror");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("error: a pointer-to-shared becomes a number"));
    assert!(compile(&warned, "-Werror -Wno-error").status.success());
    assert!(compile(&warned, "-Werror -w").status.success());
}

#[test]
fn the_number_of_errors_is_limited() {
    let many: String = (0..30).map(|i| format!("    x{i} = 1;\n")).collect();
    let source = format!("{HEAD}{many}    return 0;\n}}\n");
    let shown = |options: &str| {
        let text = stderr(&compile(&source, options));
        (text.matches("is not declared").count(), text)
    };
    let (count, text) = shown("");
    assert_eq!(count, 20);
    assert!(
        text.ends_with("10 more errors are not shown (-fmax-errors=20)\n"),
        "{text}"
    );
    assert_eq!(shown("-fmax-errors=3").0, 3);
    assert_eq!(shown("-fmax-errors=0").0, 30);
    assert_eq!(shown("-Wfatal-errors").0, 1);
}

#[test]
fn colours_are_for_terminals() {
    let statement = "    a[i] = s[0];";
    assert!(!about(statement, "").contains('\x1b'));
    let colored = about(statement, "-fdiagnostics-color=always");
    assert!(colored.contains("\x1b[1;31merror:"), "{colored}");
    let colored = about("    i = undeclared;", "-fdiagnostics-color");
    assert!(colored.contains("\x1b[1;31merror:"), "{colored}");
    let plain = about(
        statement,
        "-fdiagnostics-color=always -fno-diagnostics-color",
    );
    assert!(!plain.contains('\x1b'));
}
