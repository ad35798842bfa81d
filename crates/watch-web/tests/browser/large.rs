//! Many threads, narrow windows, dark colours.

use serde_json::{Value, json};

use super::{Browser, contains, opened, pictures, quiet, shot, text, wait_for};

/// Of the page: what sticks out of the window; empty if nothing does.
const STICKS_OUT: &str = "
    const limit = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= limit) return '';
    return [...document.querySelectorAll('body *')]
      .filter((e) => e.getBoundingClientRect().right > limit + 0.5)
      .slice(0, 6).map((e) => `${e.tagName}.${e.className}#${e.id}`).join('; ')";

/// Notes the milliseconds of each drawing.
const MEASURED: &str = "
    window.took = [];
    const native = requestAnimationFrame;
    window.requestAnimationFrame = (f) => native((t) => {
      const begin = performance.now();
      f(t);
      window.took.push(performance.now() - begin);
    })";

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn of_many_threads_the_list_shows_some_and_finds_each() {
    let (server, browser) = opened(&pictures::heat(1024, 61.0));
    let rows = "return document.querySelectorAll('#rows li').length";
    assert_eq!(browser.number(rows), 100.0);
    contains(&browser, "#more", "924 more");
    contains(
        &browser,
        "#waits",
        "1,023 of 1,024 wait in upc_barrier at heat.upc:12 threads 0–1, 3–1023",
    );
    contains(&browser, "#rows li:first-child", "on n01");
    shot(&browser, "1024");
    browser.run("document.querySelector('#threads').scrollIntoView()", &[]);
    shot(&browser, "1024-threads");
    browser.click("#more button");
    assert_eq!(browser.number(rows), 300.0);
    browser.type_into("#filter", "thread 777");
    assert_eq!(browser.number(rows), 1.0);
    contains(&browser, "#rows", "thread 777");
    browser.run("document.querySelector('#filter').value = ''", &[]);
    browser.type_into("#filter", "n02");
    contains(&browser, "#more", "212 more");
    contains(&browser, "#rows li:first-child", "thread 512");
    // A click on the strip selects the thread at that place, here the middle.
    browser.click("#strip svg");
    contains(&browser, "#detail h3", "thread 51");
    server.show(&pictures::heat(1024, 62.0));
    wait_for(&browser, "#about", "62.0 s");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn a_picture_of_many_threads_is_drawn_in_less_than_a_period() {
    for threads in [4, 1024, 4096] {
        let (server, browser) = opened(&pictures::heat(threads, 61.0));
        browser.run(MEASURED, &[]);
        for second in 62..82 {
            server.show(&pictures::heat(threads, f64::from(second)));
            wait_for(&browser, "#about", &format!("{second}.0 s"));
        }
        let median = browser.number("return window.took.sort((a, b) => a - b)[10]");
        println!("a picture of {threads} threads takes {median:.1} ms (median of 20)");
        // Far more than on any machine: only a quadratic loop takes as long.
        assert!(median < 1000.0, "{median} ms");
        quiet(&browser);
    }
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn the_curve_of_many_hours_is_drawn_in_few_steps() {
    let (server, browser) = opened(&pictures::heat(4, 36_000.0));
    server.break_connections();
    wait_for(&browser, "#status", "lost");
    server.have(&pictures::heat(4, 36_001.0), pictures::history(36_000));
    server.come_back();
    wait_for(&browser, "#about", "10.0 h since the start");
    let steps = "return document.querySelector('#curve .edge').getAttribute('d').split('H').length";
    browser.wait(&format!("{steps} > 100"));
    assert!(browser.number(steps) <= 402.0);
    contains(&browser, "#curve .ticks", "2.00 h 4.00 h");
    quiet_but_lost(&browser);
}

/// The browser itself complains of the broken connection.
fn quiet_but_lost(browser: &Browser) {
    let complaints = browser.complaints();
    let other = complaints.iter().filter(|text| !text.contains("net::ERR"));
    assert_eq!(other.collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn nothing_sticks_out_of_a_narrow_window() {
    let mut picture = pictures::deadlock(70.0);
    let long = "a_function_with_a_name_that_is_as_long_as_names_in_generated_code_sometimes_are";
    picture["now"][1]["path"][1]["region"] = json!(long);
    picture["operations"][0]["place"]["region"] = json!(long);
    let (server, browser) = opened(&picture);
    browser.click("#rows li[data-thread='1'] button");
    for width in [400, 600, 900, 1400] {
        browser.resize(width, 900);
        let wide = browser.run(STICKS_OUT, &[]);
        assert_eq!(wide, json!(""), "at {width} pixels");
        browser.run("scrollTo(0, 0)", &[]);
        shot(&browser, &format!("width-{width}"));
    }
    browser.resize(400, 900);
    browser.run("document.querySelector('#threads').scrollIntoView()", &[]);
    shot(&browser, "width-400-threads");
    server.show(&pictures::heat(1024, 71.0));
    wait_for(&browser, "#about", "71.0 s");
    assert_eq!(browser.run(STICKS_OUT, &[]), json!(""));
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn dark_colours_follow_the_system_and_text_stays_readable() {
    let (_server, browser) = opened(&pictures::heat(4, 61.0));
    browser.prefer("dark");
    let theme = "return document.documentElement.dataset.theme";
    browser.wait("return document.documentElement.dataset.theme === 'dark'");
    assert_eq!(browser.text(theme), "dark");
    browser.click("#rows li[data-thread='2'] button");
    browser.run("scrollTo(0, 0)", &[]);
    shot(&browser, "dark");
    browser.run("scrollTo(0, 900)", &[]);
    shot(&browser, "dark-below");
    assert_ne!(text(&browser, "#detail"), "");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn everything_that_can_be_used_has_a_name() {
    let (_server, browser) = opened(&pictures::deadlock(70.0));
    let nameless = "return JSON.stringify([...document.querySelectorAll(
          'button, a, input, select, [role=img], aside')]
        .filter((e) => !e.closest('[hidden]'))
        .filter((e) => !(e.innerText || e.getAttribute('aria-label') || e.labels?.length))
        .map((e) => e.outerHTML))";
    let nameless: Value = serde_json::from_str(&browser.text(nameless)).expect("JSON");
    assert_eq!(nameless, json!([]));
    let levels = browser.text(
        "return [...document.querySelectorAll('h1, h2, h3')].map((e) => e.tagName).join(' ')",
    );
    assert!(levels.starts_with("H2"), "{levels}");
}
