//! Messages about wrong programs. In the programs under `constraints` and `syntax` of the
//! conformance suite, a comment `/* error: text */` or `/* warning: text */` says that this
//! message, and no other, belongs to its line;
//! `/* dynamic error: text */` and `/* static error: text */` hold for one of the modes that their
//! first line names.

mod common;

use pgas_upc::{Options, Severity, compile};
use std::path::Path;

fn expected(text: &str, threads: Option<u32>) -> Vec<(u32, Severity, String)> {
    let in_mode = match threads {
        Some(_) => "/* static error: ",
        None => "/* dynamic error: ",
    };
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for (mark, severity) in [
            ("/* error: ", Severity::Error),
            (in_mode, Severity::Error),
            ("/* warning: ", Severity::Warning),
        ] {
            for rest in line.split(mark).skip(1) {
                let message = rest.split(" */").next().unwrap_or(rest);
                found.push((number as u32 + 1, severity, message.to_owned()));
            }
        }
    }
    found
}

fn check(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    common::modes(&text)
        .into_iter()
        .try_for_each(|threads| check_mode(path, &text, threads))
}

fn check_mode(path: &Path, text: &str, threads: Option<u32>) -> Result<(), String> {
    let source = common::preprocess(path, threads, false);
    let options = Options {
        threads,
        name: path.display().to_string(),
        ..Default::default()
    };
    let messages = match compile(&source, &options) {
        Ok(output) => output.warnings,
        Err(messages) => messages,
    };
    let expected = expected(text, threads);
    let mut wrong = Vec::new();
    for (line, severity, message) in &expected {
        if !messages
            .iter()
            .any(|m| m.line == *line && m.severity == *severity && m.message.contains(message))
        {
            wrong.push(format!("missing: line {line}: {message}"));
        }
    }
    for m in &messages {
        if !expected.iter().any(|(line, severity, text)| {
            m.line == *line && m.severity == *severity && m.message.contains(text)
        }) {
            wrong.push(format!("not expected: {m}"));
        }
        if m.source_line.is_none() || m.file != path.display().to_string() {
            wrong.push(format!("no source line: {m}"));
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "{} ({threads:?}):\n{}",
            path.display(),
            wrong.join("\n")
        )),
    }
}

fn check_folder(folder: &str) {
    let wrong: Vec<String> = common::programs(&common::suite(folder))
        .iter()
        .filter_map(|p| check(p).err())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn constraints_are_diagnosed() {
    check_folder("constraints");
}

#[test]
fn syntax_errors_say_what_was_expected() {
    check_folder("syntax");
}

#[test]
fn a_message_shows_the_line_and_marks_the_place() {
    let path = common::suite("constraints/6.5.1_layout_qualifiers.upc");
    let source = common::preprocess(&path, None, false);
    let options = Options {
        name: path.display().to_string(),
        ..Default::default()
    };
    let messages = compile(&source, &options).expect_err("the program is wrong");
    let rendered = messages[0].render(false);
    let lines: Vec<&str> = rendered.lines().collect();
    assert!(
        lines[0].ends_with("6.5.1_layout_qualifiers.upc:5:9: error: the block size -3 is negative"),
        "{rendered}"
    );
    assert!(
        lines[1].starts_with("    5 | shared [-3] int x1[THREADS];"),
        "{rendered}"
    );
    assert_eq!(lines[2], "      |         ^~");
    assert_eq!(lines[3], "      = rule: UPC 1.3, 6.5.1.1");
    assert!(messages[0].render(true).contains("\x1b[1;31merror:"));
}
