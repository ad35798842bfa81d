//! Numbers for people: the page writes them as the terminal does.

use std::path::Path;

use super::bundle::bundle;
use super::driver::Browser;
use serde_json::{Value, json};

/// Functions, values, and how they are written; `pgas_base::quantity` is tested with the same.
const CASES: &str = include_str!("../../../base/src/quantities.tsv");

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn numbers_are_written_as_the_table_says() {
    let (mut calls, mut expected) = (Vec::new(), Vec::new());
    let mut lines = Vec::new();
    for line in CASES.lines() {
        lines.push(json!(line));
        let [function, value, written] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}");
        };
        let value: f64 = value.parse().expect("a number");
        calls.push(json!([function, value]));
        // With the line of the table to be recognised by: numbers come back as other types of JSON.
        expected.push(json!([line, written]));
    }
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/js");
    let read = &mut |name: &str| std::fs::read_to_string(directory.join(name));
    let program = bundle("format.js", read).expect("modules that can be bundled");
    let script = format!(
        "{program}\nconst functions = {{ seconds, percent, bytes, count }};\nreturn \
         arguments[0].map(([name, value], i) => [arguments[1][i], functions[name](value)]);"
    );
    let written = Browser::open().run(&script, &[Value::Array(calls), Value::Array(lines)]);
    assert_eq!(written, Value::Array(expected));
}
