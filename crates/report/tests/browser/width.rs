//! No view is wider than the window, so that nothing has to be scrolled sideways but what scrolls
//! by itself.

use pgas_report::html::Page;
use pgas_result::AnalysisResult;
use serde_json::json;

use super::common::{self, page::Parts};
use super::{Browser, quiet, written};

/// Of the page: what sticks out of the window, as `element: its right end`; empty if nothing does.
const STICKS_OUT: &str = "
    const limit = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= limit) return '';
    const wide = [...document.querySelectorAll('body *')].filter((e) => \
                          e.getBoundingClientRect().right > limit + 0.5);
    return `${document.documentElement.scrollWidth} of ${limit} pixels: ` + wide.slice(0, 6)
      .map((e) => `${e.tagName}.${e.className}: ${e.getBoundingClientRect().right}`).join('; ')";

fn fits(browser: &Browser, name: &str) {
    let views = "return JSON.stringify([...document.querySelectorAll('#views a')].map((a) => \
                 a.getAttribute('href').slice(1)))";
    let views: Vec<String> = serde_json::from_str(&browser.text(views)).expect("names of views");
    let findings = ["findings/2".to_owned(), "findings/all".to_owned()];
    for view in views.iter().chain(&findings) {
        browser.run("location.hash = arguments[0]", &[json!(format!("#{view}"))]);
        browser.settle();
        // What is closed is as wide as what is open.
        browser.run(
            "document.querySelectorAll('details').forEach((d) => (d.open = true))",
            &[],
        );
        browser.settle();
        for width in [600, 900, 1400] {
            browser.resize(width, 900);
            browser.settle();
            let wide = browser.text(STICKS_OUT);
            assert_eq!(wide, "", "{name}, {view} at {width} pixels");
        }
    }
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn every_view_fits_into_the_window() {
    let parts = Parts::of_integer_sort();
    let file = written(&parts.page());
    let browser = Browser::open();
    browser.show(&file.file, "");
    fits(&browser, "integer sort");
    let results: [(&str, AnalysisResult); 6] = [
        ("a throttled loop", common::throttled_loop()),
        ("1024 threads", common::many()),
        ("hostile", common::hostile()),
        ("tiny functions", common::tiny_functions()),
        (
            "too much synchronisation",
            common::too_much_synchronization(),
        ),
        ("several nodes", common::several_nodes()),
    ];
    for (name, result) in &results {
        let file = written(&Page::of(result));
        browser.show(&file.file, "");
        fits(&browser, name);
    }
    quiet(&browser);
}

/// Axes of whole numbers have whole numbers, and iterations count from 1.
#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn whole_numbers_have_whole_ticks() {
    let result = common::throttled_loop();
    let file = written(&Page::of(&result));
    let browser = Browser::open();
    browser.show(&file.file, "#iterations");
    let ticks = browser.text(
        "return [...document.querySelectorAll('.series svg')].map((chart) => \
         [...chart.querySelectorAll('text')] .filter((t) => t.getAttribute('text-anchor') === \
         'middle').map((t) => t.textContent).join(' ')).join('|')",
    );
    for axis in ticks.split('|') {
        assert!(axis.starts_with("1 "), "{ticks}");
        let numbers = axis.split(' ').map(|n| n.replace(',', "").parse::<u64>());
        let numbers: Vec<u64> = numbers.map(|n| n.expect("a whole number")).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{ticks}");
    }
    // What was not recorded is neither drawn nor zero.
    assert!(browser.number("return document.querySelectorAll('.series .mark').length") >= 3.0);
    let shown = browser.shown();
    super::contains(
        &shown,
        "Throttled: calls of upc_get (is.c:77) are missing from 500 ms",
    );
    // How often a thread was the last one: 1 and 10 of 11 times.
    let parts = Parts::of_integer_sort();
    let file = written(&parts.page());
    browser.show(&file.file, "#findings/1");
    let axis = browser.text(
        "const chart = [...document.querySelectorAll('svg.chart')].find((c) => \
         c.getAttribute('aria-label').startsWith('Instances in which')); return \
         [...chart.querySelectorAll('text')].filter((t) => t.getAttribute('text-anchor') === \
         'end').map((t) => t.textContent).join(' ')",
    );
    let numbers = axis
        .split(' ')
        .map(|n| n.parse::<u64>().expect("a whole number"));
    let numbers: Vec<u64> = numbers.collect();
    assert!(numbers.len() > 2, "{axis}");
    assert!(numbers.is_sorted_by(|a, b| a < b), "{axis}");
    quiet(&browser);
}
