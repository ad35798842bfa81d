//! Cases of an operation: as it is, and with each value of each of its arguments.

use super::{Listed, case};
use pgas_timing::job::Case;

/// `number` gives a number for an argument that takes one. `needs` gives other arguments that a
/// value needs; `None` leaves the value out.
pub fn variants(
    list: &[Listed],
    always: impl Fn(&Listed) -> String,
    number: impl Fn(&str) -> String,
    needs: impl Fn(&Listed, &str, &str) -> Option<&'static str>,
) -> Vec<Case> {
    let mut cases = Vec::new();
    for operation in list {
        let always = always(operation);
        cases.push(case(operation, &always));
        let declared = operation.arguments.split_whitespace();
        for (name, values) in declared.filter_map(|words| words.split_once('=')) {
            for value in values.split('|') {
                let value = match value {
                    "N" | "TEXT" => number(name),
                    word => word.to_string(),
                };
                if let Some(more) = needs(operation, name, &value) {
                    cases.push(case(operation, &format!("{always} {more} {name}={value}")));
                }
            }
        }
    }
    cases
}

/// Replaces texts of sources, given as file, text, and what takes its place.
pub fn broken(bench: &super::Bench, changes: &[(&str, &str, &str)]) {
    for (file, right, wrong) in changes {
        let text = std::fs::read_to_string(bench.path(file)).unwrap();
        assert!(text.contains(right), "{file} has no {right}");
        std::fs::write(bench.path(file), text.replace(right, wrong)).unwrap();
    }
}

/// A driver in C, compiled without a warning if that is asked for.
pub fn compiled_by(compiler: &str, bench: &super::Bench, options: &[&str]) {
    let mut compile = std::process::Command::new(compiler);
    compile
        .args(["-O1", "-Wall", "-Wextra"])
        .args(options)
        .args(bench.words())
        .arg("-o")
        .arg(bench.path("driver"));
    let output = compile.output().unwrap();
    assert!(output.status.success(), "{}", super::messages(&output));
    if options.is_empty() {
        assert_eq!(super::messages(&output), "");
    }
}
