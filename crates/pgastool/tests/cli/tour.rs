//! The tour of the README, as a reader would do it: its program, its commands, and what it says
//! about the result.

use crate::bench::{Bench, contains};
use std::path::Path;

fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_tour_of_the_readme_finds_what_it_says() {
    let readme = readme();
    let bench = Bench::new();
    let program = readme
        .split("```c\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    bench.write("abundant.upc", program);
    let commands: Vec<Vec<&str>> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("$ pgastool "))
        .map(|line| line.split(' ').collect())
        .collect();
    assert_eq!(commands.len(), 4, "{commands:?}");
    let outputs: Vec<String> = commands.iter().map(|command| bench.ok(command)).collect();
    contains(&outputs[1], &["9912 abundant numbers below 40000"]);
    contains(
        &outputs[3],
        &[
            "Wait at barrier",
            "abundant.upc:29",
            "thread 1",
            "computing in count",
        ],
    );

    let report = bench.json();
    let finding = &report["findings"][0];
    assert_eq!(finding["metric"], "wait_at_barrier");
    assert_eq!(finding["line"], 29);
    assert_eq!(finding["culprit_thread"], 1);
    contains(&readme, &["the barrier in line 29"]);

    // Step 5.
    let first = program.find("void count(").unwrap();
    let last = program[first..].find("            upc_lock").unwrap() + first;
    let change = readme
        .split("```c\n")
        .nth(2)
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    let changed = format!("{}{change}{}", &program[..first], &program[last..]).replace(
        "count(MYTHREAD * share, (MYTHREAD + 1) * share);",
        "count();",
    );
    bench.write("abundant.upc", &changed);
    for command in &commands {
        bench.ok(command);
    }
    let balance =
        |report: &serde_json::Value| report["efficiency"]["load_balance"].as_f64().unwrap();
    assert!(balance(&bench.json()) > balance(&report), "{changed}");
}
