//! Comparisons of repeated runs: means, intervals, and what is called noise, checked against what
//! `pgastool diff` says.

use serde_json::{Value, json};

use crate::common::page::Parts;
use crate::driver::Browser;
use crate::{contains, quiet, written};

/// The page, and the comparison as `pgastool diff --format json` has it.
fn opened(scatter: f64) -> (Browser, Value, crate::Written) {
    let parts = Parts::of_repeated_runs(scatter);
    let runs = parts.runs.as_ref().expect("repeated runs");
    let diff = serde_json::from_str(&pgas_report::comparison_json(runs, None)).expect("JSON");
    let written = written(&parts.page());
    let browser = Browser::open();
    browser.show(&written.file, "#comparison");
    (browser, diff, written)
}

/// Cells of the row of a table that begins with a text.
fn row(browser: &Browser, table: &str, name: &str) -> Vec<String> {
    let script = "const tables = [...document.querySelectorAll('#main table')]; const table = \
                  tables.find((t) => t.caption?.textContent.startsWith(arguments[0])); const row \
                  = [...table.tBodies[0].rows].find((r) => r.cells[0].textContent === \
                  arguments[1]); return [...row.cells].map((cell) => cell.textContent)";
    let cells = browser.run(script, &[json!(table), json!(name)]);
    let cells = cells.as_array().expect("a row").iter();
    cells
        .map(|cell| cell.as_str().expect("text").to_owned())
        .collect()
}

fn verdict_of<'d>(list: &'d Value, key: &str, name: &str) -> &'d str {
    let mut entries = list.as_array().expect("a list").iter();
    let entry = entries
        .find(|entry| entry[key] == json!(name))
        .expect("an entry");
    entry["change"]["verdict"].as_str().expect("a verdict")
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn what_is_no_accident_is_called_better() {
    let (browser, diff, _file) = opened(0.02);
    let shown = browser.shown();
    assert_eq!(diff["wall_seconds"]["verdict"], json!("better"));
    contains(&shown, "The program became faster, by 20 % ±");
    contains(&shown, "1.21 s instead of 1.52 s on average");
    contains(
        &shown,
        "3 runs before (pgas_is_4_20261120-090000), 3 runs now",
    );
    assert_eq!(
        verdict_of(&diff["metrics"], "metric", "computation"),
        "better"
    );
    let computation = row(&browser, "Metrics", "Computation");
    assert_eq!(computation[6], "better", "{computation:?}");
    let rank = row(&browser, "Time without callees", "rank");
    assert_eq!(rank[2..5], ["3.63 s", "2.42 s", "-1.21 s"], "{rank:?}");
    assert_eq!(rank[7], "better");
    // Shares differ by points.
    let balance = row(&browser, "Efficiency", "Load balance");
    assert!(balance[3].ends_with(" points"), "{balance:?}");
    // What is the same in all runs is said to be so.
    let lock = row(&browser, "Metrics", "Lock");
    assert_eq!(lock[6], "no change", "{lock:?}");
    browser.click("#main a[href^='#explore/time/']");
    browser.wait("return location.hash.startsWith('#explore/time/')");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn noise_is_not_called_a_change() {
    let (browser, diff, _file) = opened(0.5);
    assert_eq!(diff["wall_seconds"]["verdict"], json!("too_noisy"));
    contains(
        &browser.shown(),
        "Whether the program became faster or slower cannot be told, since its runs scatter too \
         much",
    );
    assert_eq!(
        verdict_of(&diff["metrics"], "metric", "computation"),
        "too_noisy"
    );
    assert_eq!(row(&browser, "Metrics", "Computation")[6], "too noisy");
    // Bars of what may be noise are grey.
    let bars = "return document.querySelectorAll('#main .change-bar .noise').length > 0";
    assert_eq!(browser.run(bars, &[]), json!(true));
    let coloured =
        "return [...document.querySelectorAll('#main td .better, #main td .worse')].length";
    assert_eq!(browser.number(coloured), 0.0);
    quiet(&browser);
}
