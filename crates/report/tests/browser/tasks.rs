//! The graph of tasks and channels, and the tables that say the same.

use pgas_report::html::Page;

use super::common::of_tasks;
use super::driver::{Browser, key};
use super::{Written, contains, quiet, written};

fn shown(tasks: usize) -> (Browser, Written) {
    let file = written(&Page::of(&of_tasks(tasks)));
    let browser = Browser::open();
    browser.show(&file.file, "#tasks");
    (browser, file)
}

fn boxes(browser: &Browser) -> f64 {
    browser.number("return document.querySelectorAll('.graph .node').length")
}

fn said(browser: &Browser) -> String {
    browser.text("return document.querySelector('.task-graph [aria-live]').textContent")
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn few_tasks_have_a_box_each_and_keys_follow_the_messages() {
    let (browser, _file) = shown(5);
    assert_eq!(boxes(&browser), 5.0);
    // To each worker, from the workers to the collector, and back.
    assert_eq!(
        browser.number("return document.querySelectorAll('.graph .edge').length"),
        7.0
    );
    browser.run("document.querySelector('.graph').focus()", &[]);
    browser.press(key::RIGHT);
    browser.press(key::LEFT);
    browser.press(key::LEFT);
    contains(&said(&browser), "read, task 0 on processor 0");
    contains(&said(&browser), "Blocked in send: 3.00 s");
    browser.press(key::RIGHT);
    contains(&said(&browser), "worker, task");
    contains(&said(&browser), "queue filled to 75 % on average");
    browser.press(key::RIGHT);
    contains(&said(&browser), "collect, task 4 on processor 0");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn many_tasks_are_folded_by_function_and_place() {
    let (browser, _file) = shown(64);
    assert_eq!(boxes(&browser), 3.0);
    let page = browser.shown();
    contains(&page, "A box stands for the tasks of one function");
    contains(&page, "64 tasks");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn tasks_that_are_not_listed_are_counted() {
    let (browser, _file) = shown(1000);
    let page = browser.shown();
    contains(&page, "500 more tasks with less time and 500 more channels");
    contains(&page, "1,000 tasks");
    quiet(&browser);
}

#[test]
#[ignore = "needs a browser; scripts/test runs it"]
fn the_tables_have_every_task_and_channel() {
    let (browser, _file) = shown(5);
    browser.run(
        "document.querySelectorAll('.task-graph details').forEach((d) => { d.open = true; })",
        &[],
    );
    let rows = "[...document.querySelectorAll('.task-graph details')].map((d) => \
                d.querySelectorAll('tbody tr').length).join()";
    // The tables are made when their element says that it is open.
    browser.wait(&format!("return {rows} === '5,5'"));
    quiet(&browser);
}
