//! The page in a real browser: what one sees is compared with the JSON report, and it is used with
//! mouse and keys. These tests need Chromium and its driver, so they run only when asked for:
//! `cargo test -p pgas-report --test browser -- --ignored`, as `scripts/test` does; with
//! PGAS_BROWSER=firefox in the environment they need Firefox alone.

#[path = "../../build/bundle.rs"]
mod bundle;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/browser.rs"]
mod driver;
mod paper;
mod quantities;
mod repeated;
mod tasks;
mod trees;
mod width;

use std::path::PathBuf;

use common::page::{Parts, hostile_sources};
use common::{inflated, searched, searched_only};
use driver::{Browser, key};
use pgas_report::html::Page;
use pgas_result::AnalysisResult;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A page in a file, which is gone with the value.
struct Written {
    _directory: TempDir,
    file: PathBuf,
}

fn written(page: &Page) -> Written {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("report.html");
    std::fs::write(&file, pgas_report::html(page)).expect("a file");
    Written {
        file,
        _directory: directory,
    }
}

/// The page of the integer sort with everything, opened.
fn integer_sort(fragment: &str) -> (Browser, Parts, Written) {
    let parts = Parts::of_integer_sort();
    let written = written(&parts.page());
    let browser = Browser::open();
    browser.show(&written.file, fragment);
    (browser, parts, written)
}

fn quiet(browser: &Browser) {
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn json_report(result: &AnalysisResult) -> Value {
    serde_json::from_str(&pgas_report::json(result)).expect("a report in JSON")
}

fn contains(shown: &str, expected: &str) {
    // Lines are broken as the window wants.
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat(shown).contains(&flat(expected)),
        "no '{expected}' in\n{shown}"
    );
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn the_first_screen_says_what_is_wrong_and_what_to_do() {
    let (browser, parts, _file) = integer_sort("");
    let shown = browser.shown();
    contains(&shown, "Only 58 % of the processors' time is computation");
    contains(
        &shown,
        "is.c:441. Without it, the run would take up to 386 ms less of 1.21 s (32 %)",
    );
    for finding in &parts.result.summary.findings[..3] {
        contains(&shown, &finding.advice);
        contains(&shown, &format!("{}:{}", finding.file, finding.line));
    }
    contains(&shown, "/* every thread must have counted its keys */");
    contains(&shown, "386 ms (32 %) less of 1.21 s");
    // All of it without scrolling on a usual screen: the third finding's number is in sight.
    browser.resize(1440, 1000);
    let bottom = browser.number(
        "return document.querySelectorAll('.worst .number')[2].getBoundingClientRect().bottom - \
         innerHeight",
    );
    assert!(bottom < 0.0, "{bottom} pixels below the window");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn what_recording_inflates_is_marked_and_not_judged() {
    let mut parts = Parts::of_integer_sort();
    let browser = Browser::open();
    let grades = "return [...document.querySelectorAll('.factor')].map(f => f.innerText).join('|')";
    let marks =
        "return [...document.querySelectorAll('[role=treeitem]')].map(r => r.innerText).join('|')";
    let judged = written(&parts.page());
    browser.show(&judged.file, "");
    assert!(!browser.text(grades).contains("not judged"));

    parts.result = inflated();
    let page = written(&parts.page());
    browser.show(&page.file, "");
    contains(
        &browser.shown(),
        "Recording took about 40 % (25 % to 55 %) of the CPU time, an estimate",
    );
    let shown = browser.text(grades);
    assert_eq!(shown.matches("not judged").count(), 3, "{shown}");
    for verdict in ["good", "fair", "poor"] {
        assert!(!shown.contains(verdict), "{shown}");
    }
    browser.show(&page.file, "#explore");
    trees::open_all(&browser, "calls");
    let shown = browser.text(marks);
    assert!(shown.contains("75 % recording"), "{shown}");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn the_findings_of_the_online_search_are_listed_and_marked_in_those_of_the_trace() {
    let mut parts = Parts::of_integer_sort();
    let browser = Browser::open();
    let without = written(&parts.page());
    browser.show(&without.file, "#findings/live");
    assert!(!browser.shown().contains("while it ran"));

    parts.result = searched();
    let page = written(&parts.page());
    browser.show(&page.file, "");
    contains(&browser.shown(), "Confirmed while it ran");
    browser.show(&page.file, "#findings/1");
    let known = "Known while it ran, after 410 ms; thread 3 after 620 ms";
    contains(&browser.shown(), known);
    browser.click(".side a[href='#findings/live']");
    let detail = "return document.querySelector('.side').nextElementSibling.innerText";
    let shown = browser.text(detail);
    contains(&shown, "after 410 ms, until 1.10 s");
    for finding in &parts.result.summary.live_findings {
        contains(&shown, &finding.text);
    }
    contains(&shown, "the others wait there for 31 % of the time more");
    let focused = browser.text("return document.activeElement.getAttribute('href')");
    assert_eq!(focused, "#findings/live");
    browser.click(".figures tr:nth-child(2) a[href^='#source']");
    contains(
        &browser.shown(),
        "/* every thread must have counted its keys */",
    );
    browser.show(&page.file, "#findings/live");
    browser.click(".figures tr:nth-child(3) a[href='#findings/1']");
    contains(&browser.shown(), known);
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn the_online_search_alone_may_have_found_something() {
    let mut parts = Parts::of_integer_sort();
    parts.result = searched_only();
    let page = written(&parts.page());
    let browser = Browser::open();
    browser.show(&page.file, "#findings");
    contains(&browser.shown(), "Nothing was found that costs more");
    contains(&browser.shown(), "after 2.50 s");
    contains(&browser.shown(), "23 % of the time is not computing");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn findings_tell_cause_advice_source_and_instances() {
    let (browser, parts, _file) = integer_sort("");
    browser.click(".worst h3 a");
    for (index, finding) in parts.result.summary.findings.iter().enumerate() {
        assert_eq!(
            browser.text("return location.hash"),
            format!("#findings/{}", index + 1)
        );
        let shown = browser.text("return document.querySelector('.finding').innerText");
        contains(&shown, &finding.cause);
        contains(&shown, &finding.advice);
        let marked =
            browser.text("return document.querySelector('.excerpt .here .at').textContent");
        assert_eq!(marked, finding.line.to_string());
        browser.press("n");
    }
    browser.go("#findings/1");
    let shown = browser.shown();
    contains(&shown, "11 instances with waiting");
    contains(
        &shown,
        "number 9, 913 ms into the run: 142 ms lost to thread 3",
    );
    let figures =
        browser.text("return document.querySelector('.spread + .figures tbody').innerText");
    contains(
        &figures,
        "71.0 ms 95.0 ms 104 ms 119 ms 142 ms 142 ms 105 ms",
    );
    // Who was waited for, as a table.
    browser.click("#main section:nth-of-type(3) details.table summary");
    browser.wait(
        "return !!document.querySelector('#main section:nth-of-type(3) details[open] tbody')",
    );
    let last = browser.text(
        "return document.querySelector('#main section:nth-of-type(3) details tbody').innerText",
    );
    contains(&last, "thread 1 1 thread 2 0 thread 3 10");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn the_timeline_says_who_waited_for_whom() {
    let (browser, _parts, _file) = integer_sort("#findings/1");
    let canvas = "#main .timeline canvas";
    browser.run(
        "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })",
        &[json!(canvas)],
    );
    // Something is drawn, in more than a few colours.
    let colours = browser.number(
        "const canvas = document.querySelector('#main .timeline canvas'); const { data } = \
         canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height); const seen = \
         new Set(); for (let i = 0; i < data.length; i += 4) seen.add(data[i] << 16 | data[i + 1] \
         << 8 | data[i + 2]); return seen.size",
    );
    assert!(colours > 20.0, "{colours} colours");
    // The middle of the window in time is within the waiting of the second row from the top.
    browser.point_at(canvas, 60, 0);
    let hover = browser.text("return document.querySelector('#hover').innerText");
    contains(&hover, "thread 1: Waiting, 47.0 ms");
    contains(&hover, "for thread 3");
    contains(&hover, "in upc_barrier (is.c:441)");
    // The same by keys.
    browser.run(
        "document.querySelector(arguments[0]).focus()",
        &[json!(canvas)],
    );
    browser.press(key::DOWN);
    let said = "return document.querySelector('#main .timeline .said').textContent";
    contains(&browser.text(said), "thread 1: 5 bars");
    browser.press("+++");
    browser.press("0");
    // And in the table.
    browser.click("#main .timeline details.table summary");
    browser.wait("return !!document.querySelector('#main .timeline details tbody')");
    let table = browser.text("return document.querySelector('#main .timeline details').innerText");
    contains(&table, "thread 0 89.0 ms 21.5 ms 500 µs 49.0 ms");
    contains(&table, "thread 0 thread 3 +123 ms Wait at barrier");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn a_comparison_says_what_became_better() {
    let (browser, _parts, _file) = integer_sort("#comparison");
    let shown = browser.shown();
    contains(
        &shown,
        "takes 20 % less time than the other: 1.21 s instead of 1.52 s",
    );
    // rank's computation was half as much again: 2.417 s now.
    contains(&shown, "rank is.c:398 3.63 s 2.42 s -1.21 s -33 %");
    browser.go("#explore/computation/2");
    browser.run(
        "const mode = document.querySelector('#mode'); mode.value = 'change'; \
         mode.dispatchEvent(new Event('change'))",
        &[],
    );
    browser.settle();
    let value = browser.text(
        "return document.querySelector('[aria-label=\"Call paths\"] [aria-selected=true] \
         .value').textContent",
    );
    assert_eq!(value, "-1.21 s");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn source_lines_have_their_cost_and_their_findings() {
    let (browser, _parts, _file) = integer_sort("#source/is.c/441");
    let line = |number: usize| {
        browser.text(&format!(
            "return document.querySelector('#line-{number}').innerText"
        ))
    };
    contains(&line(441), "1 1.16 s 1.16 s 441 upc_barrier;");
    // Calls of rank: its own 2.417 s, and with what it calls.
    contains(
        &line(398),
        "3 2.42 s 4.28 s 398 count_keys(key_array, key_buff, iteration);",
    );
    let tabs = browser.text("return document.querySelector('#line-458 .text').textContent");
    assert!(tabs.starts_with("\tupc_memget("), "{tabs}");
    browser.click("#line-441 .flag a");
    assert_eq!(browser.text("return location.hash"), "#findings/1");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn every_view_is_there_and_has_words_for_its_pictures() {
    let communication = common::neighbours(4);
    let of_tasks = common::of_tasks(70);
    let growing = common::growing();
    let clocks = common::several_nodes();
    let parts = Parts::of_integer_sort();
    let browser = Browser::open();
    let pages = [
        ("integer sort", parts.page()),
        ("neighbours", Page::of(&communication)),
        ("tasks", Page::of(&of_tasks)),
        ("growing", Page::of(&growing)),
        ("several nodes", Page::of(&clocks)),
    ];
    for (name, page) in pages {
        let written = written(&page);
        browser.show(&written.file, "");
        let views = browser.run(
            "return [...document.querySelectorAll('#views a')].map((a) => a.getAttribute('href'))",
            &[],
        );
        for view in views.as_array().expect("views") {
            let view = view.as_str().expect("an address");
            browser.go(view);
            let nameless = browser.run(
                "const named = (e) => e.getAttribute('aria-label') || e.innerText?.trim() || \
                 e.labels?.length > 0; return [...document.querySelectorAll('svg[role=img], \
                 canvas, button, select, input, a, [role=tree], [role=region]')].filter((e) => \
                 !e.closest('[aria-hidden=true], .reference') && e.offsetParent !== null && \
                 !named(e)).map((e) => e.outerHTML.slice(0, 100))",
                &[],
            );
            assert_eq!(nameless, json!([]), "{name} {view}");
            let shown = browser.shown();
            assert!(!shown.contains("cannot be shown"), "{name} {view}: {shown}");
            assert!(
                !shown.contains("NaN") && !shown.contains("undefined"),
                "{name} {view}: {shown}"
            );
            // Nothing is wider than the window.
            let over = browser.number("return document.documentElement.scrollWidth - innerWidth");
            assert!(over <= 0.0, "{name} {view} is {over} pixels too wide");
        }
    }
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn who_accesses_whose_data() {
    let result = common::neighbours(4);
    let written = written(&Page::of(&result));
    let browser = Browser::open();
    browser.show(&written.file, "#communication");
    browser.run("document.querySelector('.matrix').focus()", &[]);
    browser.press(key::RIGHT);
    let pairs = &result
        .summary
        .communication
        .as_ref()
        .expect("communication")
        .pairs;
    let pair = pairs
        .iter()
        .find(|p| (p.thread, p.owner) == (0, 1))
        .expect("a pair");
    let said = browser
        .text("return document.querySelector('.matrix-layout .soft[aria-live]').textContent");
    contains(&said, "thread 0 with data of thread 1");
    let shown = pgas_report::quantity::bytes(pair.flow.bytes());
    contains(&said, &format!("Bytes: {shown}"));
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn light_and_dark_have_enough_contrast() {
    let (browser, _parts, _file) = integer_sort("");
    let contrast = "const luminance = (name) => { const probe = document.createElement('i'); \
                    probe.style.color = `var(${name})`; document.body.append(probe); const [r, g, \
                    b] = getComputedStyle(probe).color.match(/[\\d.]+/g).map((v) => v / \
                    255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); \
                    probe.remove(); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }; const [a, b] \
                    = [luminance(arguments[0]), luminance(arguments[1])].sort((x, y) => y - x); \
                    return (a + 0.05) / (b + 0.05)";
    let paper = "return getComputedStyle(document.body).backgroundColor";
    let first = browser.text(paper);
    for _ in 0..2 {
        for ink in [
            "--ink", "--ink-2", "--ink-3", "--accent", "--good", "--fair", "--bad",
        ] {
            for paper in ["--paper", "--card"] {
                let ratio = browser
                    .run(contrast, &[json!(ink), json!(paper)])
                    .as_f64()
                    .unwrap();
                assert!(ratio >= 4.5, "{ink} on {paper}: {ratio}");
            }
        }
        browser.press("t");
    }
    assert_eq!(browser.text(paper), first);
    browser.click("#theme");
    assert_ne!(browser.text(paper), first);
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn keys_reach_everything() {
    let (browser, _parts, _file) = integer_sort("");
    let focused = "const e = document.activeElement; return e.id || e.innerText || e.tagName";
    browser.press(key::TAB);
    assert_eq!(browser.text(focused), "skip");
    browser.press(key::TAB);
    contains(&browser.text(focused), "Overview");
    browser.press("3");
    browser.wait("return location.hash === '#explore'");
    browser.press("?");
    assert_eq!(
        browser.run("return document.querySelector('#help').open", &[]),
        json!(true)
    );
    browser.press(key::ESCAPE);
    assert_eq!(
        browser.run("return document.querySelector('#help').open", &[]),
        json!(false)
    );
    browser.press("2");
    browser.wait("return location.hash === '#findings'");
    browser.press("n");
    browser.wait("return location.hash === '#findings/2'");
    browser.press("p");
    browser.wait("return location.hash === '#findings/1'");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn nothing_is_loaded_and_nothing_could_be() {
    let (browser, _parts, _file) = integer_sort("");
    let loads = "return performance.getEntriesByType('resource').map((entry) => entry.name)";
    assert_eq!(browser.run(loads, &[]), json!([]));
    quiet(&browser);
    // Even if something got in, it could neither load nor run.

    let answer = browser.run(
        "window.refused = []; document.addEventListener('securitypolicyviolation', (e) => window.refused.push(e.effectiveDirective)); \
         const script = document.createElement('script'); script.textContent = 'window.broken = true'; document.body.append(script); \
         const image = document.createElement('img'); image.src = 'http://127.0.0.1:9/'; document.body.append(image); \
         document.body.setAttribute('onclick', 'window.broken = true'); document.body.click(); \
         fetch('http://127.0.0.1:9/').catch(() => {}); return window.broken === undefined",
        &[],
    );
    assert_eq!(answer, json!(true));
    browser.wait(
        "return window.refused.includes('script-src-elem') && window.refused.includes('img-src')",
    );
    browser.wait(
        "return window.refused.includes('connect-src') && \
         window.refused.includes('script-src-attr')",
    );
    // What was refused is in the browser's log: where other tests find it empty, there was nothing.
    assert_ne!(browser.complaints(), Vec::<String>::new());
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn a_hostile_program_is_shown_as_text() {
    let result = common::hostile();
    let sources = hostile_sources();
    let page = Page {
        sources: Some(&sources),
        experiment: Some("</title><script>window.broken = 'experiment'</script>"),
        ..Page::of(&result)
    };
    let written = written(&page);
    let browser = Browser::open();
    browser.show(&written.file, "");
    let own = browser.number("return document.scripts.length");
    let mut all = String::new();
    let name = "#source/%3Cscript%3E.c/7";
    for view in [
        "#overview",
        "#findings/1",
        "#explore/time/13",
        name,
        "#balance",
        "#recording",
        "#patterns",
        "#<img src=x onerror=alert(1)>",
    ] {
        browser.run("location.hash = arguments[0]", &[json!(view)]);
        browser.settle();
        if view.starts_with("#explore") {
            trees::open_all(&browser, "Call paths");
        }
        all.push_str(&browser.text("return document.body.innerText + document.title"));
        assert_eq!(
            browser.run("return window.broken ?? null", &[]),
            Value::Null,
            "{view}"
        );
        assert_eq!(
            browser.number("return document.scripts.length"),
            own,
            "{view}"
        );
        assert_eq!(
            browser.number("return document.images.length"),
            0.0,
            "{view}"
        );
    }
    contains(&all, "<script>window.broken = 'source';</script>");
    contains(&all, "evil\u{fffd}cnuf\u{fffd}\u{240d}\u{240a}<b>&\"'");
    contains(
        &all,
        "if (access != \"user\u{fffd} \u{fffd}// check\u{fffd} \u{fffd}\") {",
    );
    let treacherous = all.chars().find(|c| {
        (c.is_control() && !"\n\t".contains(*c))
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    });
    assert_eq!(treacherous, None);
    quiet(&browser);
}
