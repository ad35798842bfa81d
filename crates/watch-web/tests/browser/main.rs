//! The page in a real browser, beside a fake server that sends periods of a program, breaks its
//! connections, and reports the end. These tests need Chromium and its driver, so they run only if
//! asked for: `cargo test -p pgas-watch-web --test browser -- --ignored`, as `scripts/test` does;
//! with PGAS_BROWSER=firefox in the environment they need Firefox alone. With a directory in
//! PGAS_SCREENSHOTS, they write there what the window shows.

#[path = "../../../report/tests/common/browser.rs"]
mod driver;
mod large;
mod pictures;
mod server;

use driver::{Browser, key};
use serde_json::{Value, json};
use server::{Server, TOKEN};

/// Schema of the pictures of `pgastool watch`, which is what the fake ones stand for.
const SCHEMA: &str = include_str!("../../../../docs/schema/watch-1.json");

const READY: &str = "return document.documentElement.dataset.ready === 'true'";

/// A page that shows this period after a history of 60 s, and gets events.
fn opened(picture: &Value) -> (Server, Browser) {
    let server = Server::start();
    server.have(picture, pictures::history(60));
    let browser = Browser::open();
    browser.visit(&server.address(TOKEN));
    browser.wait(READY);
    wait_for_listener(&server);
    (server, browser)
}

fn wait_for_listener(server: &Server) {
    let begin = std::time::Instant::now();
    while server.listeners() == 0 {
        assert!(begin.elapsed().as_secs() < 60, "the page does not connect");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Waits until the text of an element contains another.
fn wait_for(browser: &Browser, selector: &str, text: &str) {
    let (selector, text) = (json!(selector), json!(text));
    browser.wait(&format!(
        "return (document.querySelector({selector})?.innerText ?? '').replace(/\\s+/g, ' ')\
         .includes({text})"
    ));
}

fn text(browser: &Browser, selector: &str) -> String {
    let shown = browser.text(&format!(
        "return document.querySelector({}).innerText",
        json!(selector)
    ));
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn contains(browser: &Browser, selector: &str, expected: &str) {
    let shown = text(browser, selector);
    assert!(
        shown.contains(expected),
        "no '{expected}' in {selector}: {shown}"
    );
}

fn quiet(browser: &Browser) {
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Writes what the window shows, if somebody wants to look at it.
fn shot(browser: &Browser, name: &str) {
    if let Some(directory) = std::env::var_os("PGAS_SCREENSHOTS") {
        // Bars glide to their width.
        std::thread::sleep(std::time::Duration::from_millis(400));
        let file = std::path::Path::new(&directory).join(format!("{name}.png"));
        std::fs::write(file, browser.screenshot()).expect("a screenshot");
    }
}

#[test]
fn pictures_of_the_fake_server_are_like_those_of_the_tool() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for mut picture in [
        pictures::heat(4, 61.0),
        pictures::deadlock(70.0),
        pictures::pipeline(80.0),
    ] {
        // Additions of the server of the page.
        keep_known(&mut picture, &schema["properties"]);
        for now in picture["now"].as_array_mut().expect("threads") {
            keep_known(now, &schema["properties"]["now"]["items"]["properties"]);
        }
        let errors: Vec<String> = validator
            .iter_errors(&picture)
            .map(|error| format!("{}: {error}", error.instance_path))
            .collect();
        assert_eq!(errors, Vec::<String>::new());
    }
}

/// Removes the fields that a schema does not have.
fn keep_known(value: &mut Value, properties: &Value) {
    let fields = value.as_object_mut().expect("an object");
    fields.retain(|name, _| properties.get(name).is_some());
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn a_running_program_is_shown_and_kept_up_to_date() {
    let (server, browser) = opened(&pictures::heat(4, 61.0));
    contains(&browser, ".summary", "35 % efficiency");
    contains(&browser, ".summary", "4 threads · 61.0 s since the start");
    contains(
        &browser,
        ".summary",
        "3 of 4 wait: in upc_barrier at heat.upc:12, thread 3 for 22.0 ms",
    );
    contains(&browser, ".summary", "24,401 calls/s, 23.6 MiB/s");
    contains(
        &browser,
        "#legend",
        "waiting 65 % (barrier 56 %, lock 8.9 %)",
    );
    contains(
        &browser,
        "#rows",
        "thread 2 98 % computes 20.0 ms in step at heat.upc:9",
    );
    contains(
        &browser,
        "#waits",
        "3 of 4 wait in upc_barrier at heat.upc:12",
    );
    contains(
        &browser,
        "#waits",
        "missing: thread 2, which computes 20.0 ms in step",
    );
    contains(
        &browser,
        "#operations",
        "56 % 400 upc_barrier at heat.upc:12 (barrier)",
    );
    contains(
        &browser,
        "#operations",
        "23,001 23.6 MiB upc_memput at heat.upc:30 (one sided)",
    );
    contains(
        &browser,
        "#bottlenecks",
        "64 % of the time is not computing known after 5.50 s",
    );
    contains(
        &browser,
        "#bottlenecks",
        "thread 2 comes late in upc_barrier at heat.upc:12, mostly computing in step at heat.upc:9",
    );
    contains(
        &browser,
        "#metrics",
        "cells sum 10,000, mean 2,500, 1,000/s 1,000 on thread 0 to 4,000 on thread 3",
    );
    contains(
        &browser,
        "#metrics",
        "solve sum 14.0 s, mean 3.50 s, 50 % of the time; running on 1 thread",
    );
    assert_eq!(text(&browser, "#status"), "live");
    shot(&browser, "light");
    browser.run("scrollTo(0, 900)", &[]);
    shot(&browser, "light-below");
    server.show(&pictures::heat(4, 62.0));
    wait_for(&browser, "#about", "62.0 s since the start");
    let label = "return document.querySelector('#curve svg').getAttribute('aria-label')";
    assert_eq!(
        browser.text(label),
        "Efficiency over the run: between 25 % and 85 %"
    );
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn what_has_not_changed_is_not_drawn_again() {
    let (server, browser) = opened(&pictures::heat(4, 61.0));
    browser.run(
        "window.changed = [];
         const observer = new MutationObserver((records) => records.forEach((record) =>
           window.changed.push(`${record.type} of ${record.target.nodeName}`)));
         for (const id of ['rows', 'waits', 'operations', 'metrics', 'bottlenecks', 'shares'])
           observer.observe(document.getElementById(id),
             { subtree: true, childList: true, attributes: true, characterData: true })",
        &[],
    );
    server.show(&pictures::heat(4, 62.0));
    wait_for(&browser, "#about", "62.0 s since the start");
    let changed = browser.text("return window.changed.join(' ')");
    assert_eq!(changed, "");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn elements_stay_where_they_are_while_figures_change() {
    let (server, browser) = opened(&pictures::heat(4, 61.0));
    // Text that is selected elsewhere does not keep a key from its work.
    let select = "getSelection().selectAllChildren(document.querySelector('#waits-title'));
                  document.querySelector(\"#rows li[data-thread='2'] button\").focus()";
    browser.run(select, &[]);
    browser.press(key::ENTER);
    contains(&browser, "#detail", "main at heat.upc:40");
    browser.run(
        "window.before = document.querySelector(\"#rows li[data-thread='2']\");
         scrollTo(0, 300);
         getSelection().selectAllChildren(document.querySelector('#waits-title'))",
        &[],
    );
    let mut picture = pictures::heat(4, 62.0);
    picture["now"][2]["seconds"] = json!(1.02);
    picture["now"][2]["efficiency"] = json!(0.11);
    server.show(&picture);
    wait_for(&browser, "#rows li[data-thread='2']", "computes 1.02 s");
    contains(&browser, "#detail", "computes 1.02 s");
    let same = "return window.before === document.querySelector(\"#rows li[data-thread='2']\") \
                && scrollY === 300 && getSelection().toString() === 'Who waits for whom' \
                && document.activeElement.innerText === 'thread 2'";
    assert_eq!(browser.run(same, &[]), json!(true));
    // It moves to the front, and keeps the focus.
    browser.type_into("#order", "least");
    wait_for(&browser, "#rows li:first-child", "thread 2");
    browser.run(
        "document.querySelector(\"#rows li[data-thread='2'] button\").focus()",
        &[],
    );
    picture["time_unix_ns"] = json!(1_790_000_064_000_000_000_u64);
    picture["elapsed"] = json!(64.0);
    picture["now"][2]["efficiency"] = json!(0.99);
    server.show(&picture);
    wait_for(&browser, "#rows li:last-child", "thread 2");
    let focused = browser.text("return document.activeElement.innerText");
    assert_eq!(focused, "thread 2");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn a_deadlock_is_an_alarm_and_its_holders_are_named() {
    let (server, browser) = opened(&pictures::heat(4, 61.0));
    let hidden = "return document.querySelector('#alarms').hidden";
    assert_eq!(browser.run(hidden, &[]), json!(true));
    server.show(&pictures::deadlock(70.0));
    wait_for(
        &browser,
        "#alarms",
        "deadlock: thread 0 waits 8.20 s in upc_lock at heat.upc:12 for lock 0x2, which thread 1 \
         holds; thread 1 waits 8.20 s in upc_lock at heat.upc:19 for lock 0x1, which thread 0 \
         holds",
    );
    contains(
        &browser,
        "#alarms",
        "stuck: thread 3 in upc_barrier at heat.upc:41 for 8.20 s (usually 3.10 ms); others: 2 \
         waiting in upc_lock at heat.upc:19, 8.2 s",
    );
    contains(
        &browser,
        "#alarms",
        "problem: the page of thread 9 is damaged",
    );
    contains(
        &browser,
        "#rows",
        "waits 8.20 s for lock 0x2 of thread 1 in upc_lock at heat.upc:12",
    );
    contains(
        &browser,
        "#waits",
        "2 of 4 wait in upc_lock at heat.upc:19 threads 1–2",
    );
    contains(
        &browser,
        "#waits",
        "held by thread 0, which waits 8.20 s for lock 0x2 of thread 1",
    );
    contains(
        &browser,
        "#waits",
        "1 of 4 waits in upc_barrier at heat.upc:41",
    );
    contains(&browser, "#said", "deadlock: thread 0 waits");
    browser.click("#waits .waits button");
    contains(&browser, "#detail", "holds lock 0x1");
    browser.run("scrollTo(0, 0)", &[]);
    shot(&browser, "deadlock");
    server.show(&pictures::heat(4, 71.0));
    wait_for(&browser, "#about", "71.0 s");
    assert_eq!(browser.run(hidden, &[]), json!(true));
    quiet(&browser);
    let mut together = pictures::deadlock(80.0);
    let mut shorter = together["stuck"][0].clone();
    (shorter["thread"], shorter["seconds"]) = (json!(2), json!(7.0));
    together["stuck"].as_array_mut().unwrap().insert(0, shorter);
    server.show(&together);
    wait_for(
        &browser,
        "#alarms",
        "stuck: 2 threads in upc_barrier at heat.upc:41, thread 3 for 8.20 s (usually 3.10 ms)",
    );
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn findings_come_and_go() {
    let mut picture = pictures::heat(4, 61.0);
    picture["findings"] = json!([]);
    let (server, browser) = opened(&picture);
    contains(&browser, "#bottlenecks", "none yet");
    let mut found = pictures::program_finding();
    found["text"] = json!("64 % of the time is not computing");
    server.send("found", &found);
    wait_for(
        &browser,
        "#said",
        "found: 64 % of the time is not computing",
    );
    let mut picture = pictures::heat(4, 62.0);
    picture["findings"] = json!([pictures::program_finding()]);
    server.show(&picture);
    wait_for(&browser, "#bottlenecks", "not computing known after 5.50 s");
    server.send("gone", &found);
    let mut picture = pictures::heat(4, 63.0);
    picture["findings"] = json!([]);
    server.show(&picture);
    wait_for(
        &browser,
        "#bottlenecks",
        "confirmed after 5.50 s, gone at 62.0 s",
    );
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn a_lost_connection_is_reported_and_found_again() {
    let (server, browser) = opened(&pictures::heat(4, 61.0));
    server.break_connections();
    wait_for(&browser, "#status", "lost");
    wait_for(
        &browser,
        "#banner",
        "The connection to pgastool watch has been lost for",
    );
    contains(
        &browser,
        "#banner",
        "Shown is the program 61.0 s after its start.",
    );
    contains(&browser, "#rows", "thread 2 98 %");
    let is_old = "return document.querySelector('#content').dataset.old === 'true'";
    assert_eq!(browser.run(is_old, &[]), json!(true));
    shot(&browser, "lost");
    // What the page has missed: a picture, and a point of the curve.
    server.have(&pictures::heat(4, 95.0), pictures::history(94));
    server.come_back();
    wait_for(&browser, "#status", "live");
    wait_for(&browser, "#about", "95.0 s since the start");
    let hidden = "return document.querySelector('#banner').hidden";
    assert_eq!(browser.run(hidden, &[]), json!(true));
    assert_eq!(browser.run(is_old, &[]), json!(false));
    wait_for_listener(&server);
    server.show(&pictures::heat(4, 96.0));
    wait_for(&browser, "#about", "96.0 s since the start");
}

/// The server sends a slow page the newest picture only.
#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn the_curve_gets_periods_that_the_events_have_left_out() {
    let (server, browser) = opened(&pictures::heat(4, 61.0));
    let pieces = "return document.querySelector('#curve path.edge').getAttribute('d')\
                  .split('M').length - 1";
    server.have(&pictures::heat(4, 66.0), pictures::history(61));
    server.show(&pictures::heat(4, 66.0));
    wait_for(&browser, "#about", "66.0 s since the start");
    assert_eq!(browser.run(pieces, &[]), json!(2));
    server.have(&pictures::heat(4, 67.0), pictures::history(67));
    server.show(&pictures::heat(4, 67.0));
    browser.wait(&format!("{pieces} === 1"));
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn a_server_that_sends_nothing_is_noticed() {
    let mut picture = pictures::heat(4, 61.0);
    picture["period"] = json!(0.1);
    let (server, browser) = opened(&picture);
    wait_for(&browser, "#banner", "No picture has come for");
    assert_eq!(text(&browser, "#status"), "silent");
    server.show(&pictures::heat(4, 62.0));
    wait_for(&browser, "#status", "live");
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn another_run_at_the_same_address_begins_anew() {
    let (server, browser) = opened(&pictures::heat(4, 61.0));
    server.break_connections();
    wait_for(&browser, "#status", "lost");
    let mut picture = pictures::heat(4, 20.0);
    picture["run"] = json!("r2");
    picture["time_unix_ns"] = json!(1_790_000_900_000_000_000_u64);
    picture["efficiency"] = json!(0.95);
    picture["times"] = json!({ "computing": 3.8, "waiting": { "barrier": 0.2 },
        "communicating": {}, "estimated": 0.0, "recording": 0.0, "paused": 0.0 });
    let point = json!({ "elapsed": 1.0, "period": 1.0, "efficiency": 0.95, "computing": 3.8,
        "waiting": 0.2, "communicating": 0.0, "calls_per_second": 0.0 });
    server.have(&picture, vec![point]);
    server.come_back();
    wait_for(&browser, "#about", "20.0 s since the start");
    browser.wait(
        "return document.querySelector('#curve svg').getAttribute('aria-label') === \
         'Efficiency over the run: between 95 % and 95 %'",
    );
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn the_end_stays_on_the_screen() {
    let (server, browser) = opened(&pictures::heat(4, 61.0));
    server.send("end", &json!({ "why": "heat has ended after 61.4 s." }));
    wait_for(
        &browser,
        "#banner",
        "heat has ended after 61.4 s. Shown is its last period.",
    );
    server.break_connections();
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(text(&browser, "#status"), "ended");
    contains(&browser, "#rows", "thread 2 98 %");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn a_held_picture_stays_until_it_is_let_go() {
    let (server, browser) = opened(&pictures::heat(4, 61.0));
    browser.press(" ");
    wait_for(&browser, "#status", "held");
    server.show(&pictures::heat(4, 62.0));
    // The event has come when another one that is shown at once has.
    server.send("found", &pictures::thread_finding());
    wait_for(&browser, "#said", "found: thread 2 comes late");
    contains(&browser, "#about", "61.0 s since the start");
    contains(&browser, "#banner", "Held; the program goes on.");
    // An alarm is reported all the same.
    server.show(&pictures::deadlock(63.0));
    wait_for(
        &browser,
        "#banner",
        "Meanwhile, deadlock: thread 0 waits 8.20 s",
    );
    contains(&browser, "#about", "61.0 s since the start");
    browser.click("#hold");
    wait_for(&browser, "#about", "63.0 s since the start");
    assert_eq!(text(&browser, "#status"), "live");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn before_the_first_period_and_with_a_wrong_token_the_page_says_so() {
    let server = Server::start();
    let browser = Browser::open();
    browser.visit(&server.address(TOKEN));
    wait_for(
        &browser,
        "#opening",
        "The first period of the program is not over yet.",
    );
    wait_for_listener(&server);
    server.show(&pictures::heat(4, 1.0));
    wait_for(&browser, "#about", "1.00 s since the start");
    quiet(&browser);
    browser.visit(&server.address("other"));
    wait_for(
        &browser,
        "#banner",
        "pgastool watch refuses the token of this address",
    );
    assert!(server.refused() > 0);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn keys_do_what_the_help_says() {
    let (_server, browser) = opened(&pictures::heat(4, 61.0));
    browser.press("?");
    contains(&browser, "#help", "hold the picture, and go on");
    browser.press(key::ESCAPE);
    browser.press("o");
    wait_for(&browser, "#rows li:last-child", "thread 2");
    browser.press("o");
    wait_for(&browser, "#rows li:first-child", "thread 3");
    browser.press("oo");
    wait_for(&browser, "#rows li:last-child", "thread 2");
    browser.run("document.querySelector('#rows button').focus()", &[]);
    browser.press(key::DOWN);
    browser.press(key::ENTER);
    contains(&browser, "#detail h3", "thread 1");
    browser.press("/lock");
    let none = "No thread matches the filter.";
    // The slash itself is not typed; the letters after it are.
    wait_for(&browser, "#none", none);
    let typed = browser.text("return document.querySelector('#filter').value");
    assert_eq!(typed, "lock");
    browser.run("document.querySelector('#filter').blur()", &[]);
    browser.press("3");
    let focused = browser.text("return document.activeElement.id");
    assert_eq!(focused, "operations");
    let theme = "return document.documentElement.dataset.theme";
    assert_eq!(browser.text(theme), "light");
    browser.press("t");
    assert_eq!(browser.text(theme), "dark");
    browser.press("t");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn threads_have_the_programs_word_for_them() {
    let mut picture = pictures::heat(4, 61.0);
    picture["words"] = json!({ "one": "PE", "many": "PEs" });
    // A server without metrics, nodes, findings.
    picture["findings"] = Value::Null;
    for now in picture["now"].as_array_mut().expect("threads") {
        let now = now.as_object_mut().expect("an object");
        now.remove("metrics");
        now.remove("node");
    }
    let (_server, browser) = opened(&picture);
    contains(&browser, "#rows", "PE 2 98 %");
    contains(&browser, "#about", "4 PEs");
    contains(&browser, "#threads-title", "What each PE does");
    let hidden = "return document.querySelector('#metrics').hidden";
    assert_eq!(browser.run(hidden, &[]), json!(true));
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn names_of_the_program_are_text() {
    let mut picture = pictures::heat(4, 61.0);
    picture["program"] = json!("<img src=x onerror=\"window.broken = 1\">");
    picture["now"][2]["place"]["region"] = json!("</script><b>step</b>\u{202e}");
    let (_server, browser) = opened(&picture);
    contains(&browser, "#rows", "</script><b>step</b>\u{fffd}");
    assert_eq!(
        browser.run("return window.broken ?? null", &[]),
        Value::Null
    );
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn tasks_and_channels_have_tables_and_findings() {
    let (_server, browser) = opened(&pictures::pipeline(80.0));
    contains(
        &browser,
        "#task-rows",
        "task 2 (smoother) 98 % runs for 200 ms thread 2",
    );
    let waits = "waits to send to channel 1 (heat.upc:28) for 200 ms";
    contains(&browser, "#task-rows", waits);
    contains(
        &browser,
        "#channel-rows",
        "channel 1 (heat.upc:28) 4 of 4 50",
    );
    contains(&browser, "#more-tasks", "3 more");
    contains(
        &browser,
        "#rates",
        "5 tasks: 1 runs, 1 waits to send; 0 of 4 threads idle",
    );
    let slow = "task 2 (smoother) cannot keep up with task 1 (reader): the queue of channel 1 \
                (heat.upc:28) is long, and task 1 (reader) does not run for 90 % of the time";
    contains(&browser, "#bottlenecks", slow);
    let stuck = "deadlock: task 7 (collector) waits to receive from channel 5 (heat.upc:29) for";
    contains(&browser, "#alarms", stuck);
    shot(&browser, "tasks");
    quiet(&browser);
}
