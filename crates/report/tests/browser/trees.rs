//! The three coupled trees: their values, their keys, and how they cope with many nodes.

use serde_json::{Value, json};

use crate::common;
use crate::driver::{Browser, key};
use crate::{contains, integer_sort, json_report, quiet, written};
use pgas_report::html::Page;

/// Opens every node of the tree with this label.
pub fn open_all(browser: &Browser, tree: &str) {
    let closed = format!(
        "const row = document.querySelector('[aria-label=\"{tree}\"] [aria-expanded=false] \
         .twisty'); row?.click(); return row === null"
    );
    browser.wait(&closed);
    browser.settle();
}

/// Exact values of all rows of a tree, by label: "name, hint: value" gives "12.5 s".
fn rows(browser: &Browser, tree: &str) -> Vec<(String, f64)> {
    let script = format!(
        "return [...document.querySelectorAll('[aria-label=\"{tree}\"] \
         [role=treeitem]')].map((row) => [row.querySelector('.label').textContent, row.title])"
    );
    let rows = browser.run(&script, &[]);
    let rows = rows.as_array().expect("rows").iter();
    rows.map(|row| {
        let exact = row[1].as_str().expect("a title").split(' ').next();
        let exact = exact.and_then(|text| text.parse().ok());
        (
            row[0].as_str().expect("a label").to_owned(),
            exact.unwrap_or(0.0),
        )
    })
    .collect()
}

pub fn select_row(browser: &Browser, tree: &str, label: &str) {
    let script = format!(
        "const rows = [...document.querySelectorAll('[aria-label=\"{tree}\"] [role=treeitem]')]; \
         const row = rows.find((r) => r.querySelector('.label').textContent === {}); \
         row?.click(); return !!row",
        json!(label)
    );
    assert_eq!(
        browser.run(&script, &[]),
        json!(true),
        "no {label} in {tree}"
    );
    browser.settle();
}

fn sum(values: &Value) -> f64 {
    let values = values
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_f64));
    values.map_or(0.0, Iterator::sum)
}

fn same(shown: f64, expected: f64, what: &str) {
    let near = (shown - expected).abs() <= 1e-6 * expected.abs().max(1e-9);
    assert!(near, "{what}: {shown} is shown, {expected} is right");
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn the_trees_show_the_values_of_the_json_report() {
    let (browser, parts, _file) = integer_sort("#explore");
    let report = json_report(&parts.result);
    let call_paths = report["call_paths"].as_array().expect("call paths");

    // Closed, a tree shows everything in one node.
    select_row(&browser, "Metrics", "Visits");
    browser.run(
        "document.querySelectorAll('[aria-label=\"Call paths\"] [aria-level=\"1\"] \
         .twisty')[0].click()",
        &[],
    );
    same(
        rows(&browser, "Call paths")[0].1,
        sum(&report["metrics"]["visits"]["per_thread"]),
        "all visits",
    );

    // Open, each node shows its own.
    open_all(&browser, "Call paths");
    open_all(&browser, "Metrics");
    for metric in [
        "computation",
        "wait_at_barrier",
        "one_sided",
        "visits",
        "bytes_get_remote",
        "lock_contention",
    ] {
        let name = report["metrics"][metric]["name"].as_str().expect("a name");
        select_row(&browser, "Metrics", name);
        let shown = rows(&browser, "Call paths");
        assert_eq!(shown.len(), call_paths.len());
        let total: f64 = shown.iter().map(|row| row.1).sum();
        same(
            total,
            report["metrics"][metric]["total"].as_f64().unwrap(),
            metric,
        );
        for (label, value) in &shown {
            let of_name = call_paths.iter().filter(|c| c["region"] == json!(label));
            let right: Vec<f64> = of_name.map(|c| sum(&c["metrics"][metric])).collect();
            let found = right
                .iter()
                .any(|right| (right - value).abs() <= 1e-6 * right.abs());
            assert!(
                found,
                "{metric} of {label}: {value} is shown, {right:?} are right"
            );
        }
    }

    // The system shows the threads of what is selected.
    select_row(&browser, "Metrics", "Computation");
    select_row(&browser, "Call paths", "rank");
    let shown = rows(&browser, "System");
    let right = &call_paths[2]["metrics"]["computation"];
    for (thread, (label, value)) in shown[2..].iter().enumerate() {
        assert_eq!(label, &format!("thread {thread}"));
        same(*value, right[thread].as_f64().unwrap(), label);
    }
    // And so does the table below the columns.
    browser.click("[aria-label=\"Values by thread\"] summary");
    browser.wait("return !!document.querySelector('[aria-label=\"Values by thread\"] tbody')");
    let table = browser
        .text("return document.querySelector('[aria-label=\"Values by thread\"] tbody').innerText");
    contains(
        &table,
        "thread 0 512 ms thread 1 498 ms thread 2 505 ms thread 3 902 ms",
    );
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn values_can_be_shares() {
    let (browser, parts, _file) = integer_sort("#explore/wait_at_barrier/4");
    let value = |browser: &Browser| {
        browser.text(
            "return document.querySelector('[aria-label=\"Call paths\"] [aria-selected=true] \
             .value').textContent",
        )
    };
    assert_eq!(value(&browser), "1.16 s");
    let choose = |mode: &str| {
        browser.run(
            "const mode = document.querySelector('#mode'); mode.value = arguments[0]; \
             mode.dispatchEvent(new Event('change'))",
            &[json!(mode)],
        );
        browser.settle();
    };
    let report = json_report(&parts.result);
    let of_root = 1.1573 / report["metrics"]["time"]["total"].as_f64().unwrap() * 100.0;
    choose("root");
    assert_eq!(value(&browser), format!("{of_root:.0} %"));
    choose("selection");
    assert_eq!(value(&browser), "97 %");
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn trees_obey_the_keys_of_trees() {
    let (browser, _parts, _file) = integer_sort("#explore/time/0");
    let selected = |browser: &Browser| {
        browser.text(
            "return document.querySelector('[aria-label=\"Call paths\"] [aria-selected=true] \
             .label').textContent",
        )
    };
    browser.run(
        "document.querySelector('[aria-label=\"Call paths\"]').focus()",
        &[],
    );
    browser.press(key::HOME);
    assert_eq!(selected(&browser), "is");
    browser.press(key::DOWN);
    assert_eq!(selected(&browser), "main");
    let expanded = "return document.querySelector('[aria-label=\"Call paths\"] \
                    [aria-selected=true]').ariaExpanded";
    if browser.text(expanded) == "false" {
        browser.press(key::RIGHT);
    }
    assert_eq!(browser.text(expanded), "true");
    browser.press(key::RIGHT);
    assert_eq!(selected(&browser), "rank");
    browser.press("f");
    assert_eq!(selected(&browser), "full_verify");
    browser.press(key::LEFT);
    assert_eq!(selected(&browser), "main");
    browser.press(key::LEFT);
    assert_eq!(browser.text(expanded), "false");
    // What is announced is the row that is marked.
    let announced = browser.text(
        "const tree = document.querySelector('[aria-label=\"Call paths\"]'); return \
         document.getElementById(tree.getAttribute('aria-activedescendant')).ariaLabel",
    );
    assert!(announced.starts_with("main, is.c:612: "), "{announced}");
    browser.type_into("#find", "memget\u{e007}");
    assert_eq!(selected(&browser), "upc_memget");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn a_thousand_threads_and_thousands_of_call_paths() {
    let result = common::wide(1500, 1024);
    let written = written(&Page::of(&result));
    let size = written.file.metadata().expect("a file").len();
    assert!(size < 16 << 20, "{size} bytes");
    let browser = Browser::open();
    browser.show(&written.file, "#explore/computation/0");
    let time = result.cube.metric("computation").expect("computation");
    // However large, only what is seen is there. All phases open at once.
    browser.run(
        "document.querySelector('[aria-label=\"Call paths\"]').focus()",
        &[],
    );
    select_row(&browser, "Call paths", "phase_0");
    browser.press("*");
    let height =
        browser.number("return document.querySelector('[aria-label=\"Call paths\"]').scrollHeight");
    assert!(height > 1500.0 * 20.0, "{height}");
    assert!(browser.number("return document.querySelectorAll('[role=treeitem]').length") < 300.0);
    browser.run(
        "document.querySelector('[aria-label=\"Call paths\"] [aria-level=\"1\"] .twisty').click()",
        &[],
    );
    browser.settle();
    same(
        rows(&browser, "Call paths")[0].1,
        result.cube.total(time),
        "the whole",
    );
    // The threads' sums are exact though most call paths have no thread's value.
    let shown = browser
        .text("return document.querySelector('[aria-label=\"Values by thread\"] svg').ariaLabel");
    let sums = result.cube.per_thread(time);
    let most = sums.iter().copied().fold(0.0, f64::max);
    contains(
        &shown,
        &format!(
            "largest {} on thread 1023",
            pgas_report::quantity::seconds(most, false)
        ),
    );
    browser.type_into("#find", "leaf_1499\u{e007}");
    let about = browser
        .text("return document.querySelector('[aria-label=\"Values by thread\"]').innerText");
    contains(&about, "leaves out its values by thread");
    browser.go("#overview");
    browser.go("#balance");
    quiet(&browser);
}
