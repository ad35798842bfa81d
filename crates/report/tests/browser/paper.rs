//! The system's setting of colours, and the page on paper.

use serde_json::{Value, json};

use crate::common;
use crate::driver::Browser;
use crate::trees::select_row;
use crate::{contains, integer_sort, quiet, written};
use pgas_report::html::Page;

const THEME: &str = "return document.documentElement.dataset.theme";
const PAPER: &str = "return getComputedStyle(document.body).backgroundColor";

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn the_page_follows_the_system_until_one_chooses() {
    let (browser, _parts, file) = integer_sort("");
    for scheme in ["dark", "light", "dark"] {
        browser.prefer(scheme);
        browser.wait(&format!("{THEME} === '{scheme}'"));
    }
    let dark = browser.text(PAPER);
    // A page that is opened in the dark is dark from the beginning.
    browser.show(&file.file, "#findings/1");
    assert_eq!(browser.text(PAPER), dark);
    browser.press("t");
    assert_eq!(browser.text(THEME), "light");
    assert_ne!(browser.text(PAPER), dark);
    // From now on it is as one wants it.
    browser.prefer("light");
    browser.prefer("dark");
    assert_eq!(browser.text(THEME), "light");
    quiet(&browser);
}

/// Visible elements of the page that match a selector.
fn visible(browser: &Browser, selector: &str) -> Value {
    let script = "return [...document.querySelectorAll(arguments[0])].filter((e) => \
                  e.getClientRects().length > 0).map((e) => e.outerHTML.slice(0, 80))";
    browser.run(script, &[json!(selector)])
}

/// Notes in `window.printed` what a script gives while the page is printed.
fn when_printed(browser: &Browser, script: &str) {
    let watch = format!(
        "addEventListener('beforeprint', () => {{ window.printed = (() => {{ {script} }})() }})"
    );
    browser.run(&watch, &[]);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn all_findings_go_on_paper_in_light_colours_without_controls() {
    let (browser, parts, _file) = integer_sort("");
    browser.prefer("dark");
    browser.wait(&format!("{THEME} === 'dark'"));
    browser.go("#findings/1");
    browser.click(".side .all");
    browser.wait("return location.hash === '#findings/all'");
    let shown = browser.shown();
    for finding in &parts.result.summary.findings {
        contains(&shown, &finding.advice);
    }
    // Light: the page, and what is painted into the timeline, whose names are dark on light.
    when_printed(
        &browser,
        "const canvas = document.querySelector('.timeline canvas'); const { data } = \
         canvas.getContext('2d').getImageData(0, 0, 60, canvas.height); let darkest = 255; for \
         (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) darkest = Math.min(darkest, \
         data[i]); return [document.documentElement.dataset.theme, darkest]",
    );
    let pdf = browser.print();
    assert!(pdf.starts_with(b"%PDF"), "{} bytes", pdf.len());
    let printed = browser.run("return window.printed", &[]);
    assert_eq!(printed[0], json!("light"));
    let darkest = printed[1].as_f64().expect("a colour");
    assert!(darkest < 140.0, "names of threads are too pale: {darkest}");
    browser.wait(&format!("{THEME} === 'dark'"));

    browser.on_paper(true);
    let controls = "#views, .tools, button, input, select, kbd, .side, .links, .skip";
    for view in [
        "#overview",
        "#findings/all",
        "#explore",
        "#source",
        "#comparison",
    ] {
        browser.go(view);
        assert_eq!(visible(&browser, controls), json!([]), "{view}");
        // Nothing is cut off: what could be scrolled is as large as what is in it.
        let cut = browser.run(
            "return [...document.querySelectorAll('.tree, .source, .scroll, .excerpt, \
             .card')].filter((e) => e.scrollHeight > e.clientHeight + 1 && \
             getComputedStyle(e).overflowY !== 'visible').map((e) => e.className)",
            &[],
        );
        assert_eq!(cut, json!([]), "{view}");
    }
    // Of the source the lines that cost something are there, and what is far from them is not.
    browser.go("#source/is.c/441");
    assert_ne!(visible(&browser, "#line-441"), json!([]));
    assert_ne!(visible(&browser, "#line-446"), json!([]));
    assert_eq!(visible(&browser, "#line-10"), json!([]));
    browser.on_paper(false);
    assert_ne!(visible(&browser, "#line-10"), json!([]));
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn a_large_tree_prints_the_rows_that_were_in_sight() {
    let result = common::wide(1500, 4);
    let written = written(&Page::of(&result));
    let browser = Browser::open();
    browser.show(&written.file, "#explore/computation/0");
    browser.run(
        "document.querySelector('[aria-label=\"Call paths\"]').focus()",
        &[],
    );
    select_row(&browser, "Call paths", "phase_0");
    browser.press("*");
    browser.type_into("#find", "leaf_1499\u{e007}");
    let rows = "const rows = [...document.querySelectorAll('[aria-label=\"Call paths\"] \
                [role=treeitem] .label')] .map((e) => e.textContent); const tree = \
                document.querySelector('[aria-label=\"Call paths\"] .rows'); return [rows.length, \
                rows.includes('leaf_1499'), parseFloat(tree.style.height)]";
    let on_screen = browser.run(rows, &[]);
    when_printed(&browser, rows);
    browser.print();
    let printed = browser.run("return window.printed", &[]);
    assert_eq!(printed[1], json!(true), "the selected row");
    let (count, height) = (printed[0].as_f64().unwrap(), printed[2].as_f64().unwrap());
    assert_eq!(count, 200.0, "rows");
    // No blank pages behind the rows.
    assert!(
        height <= (count + 1.0) * 24.0,
        "{height} pixels for {count} rows"
    );
    browser.settle();
    browser.settle();
    assert_eq!(browser.run(rows, &[]), on_screen);
    quiet(&browser);
}
