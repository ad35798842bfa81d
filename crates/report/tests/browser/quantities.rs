//! Numbers for people: the page writes them as the terminal does.

use super::driver::Browser;
use serde_json::{json, Value};

const PROGRAM: &str = include_str!("../../web/js/format.js");
/// Functions, values, and how they are written; `pgas_base::quantity` is tested with the same.
const CASES: &str = include_str!("../../../base/src/quantities.tsv");

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn numbers_are_written_as_the_table_says() {
    let (mut calls, mut expected) = (Vec::new(), Vec::new());
    for line in CASES.lines() {
        let [function, value, written] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}");
        };
        let value: f64 = value.parse().expect("a number");
        calls.push(json!([function, value]));
        expected.push(json!([function, value, written]));
    }
    let script = format!(
        "{PROGRAM}\nconst functions = {{ seconds, percent, bytes, count }};\n\
         return arguments[0].map(([name, value]) => [name, value, functions[name](value)]);"
    );
    let written = Browser::open().run(&script, &[Value::Array(calls)]);
    assert_eq!(written, Value::Array(expected));
}
