//! Prints the reports of the test suite's sample results, for looking at them:
//! `cargo run -p pgas-report --example sample_reports -- NAME [color] [ascii] [json|html]`.

#[path = "../tests/common/mod.rs"]
mod common;

use pgas_report::html::Page;
use pgas_report::{TextOptions, html, json, text};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = |word: &str| arguments.iter().any(|a| a == word);
    let result = match arguments.first().map(String::as_str) {
        Some("integer_sort") => common::integer_sort(),
        Some("balanced") => common::balanced(4),
        Some("killed") => common::killed(),
        Some("single") => common::balanced(1),
        Some("many") => common::many(),
        Some("hostile") => common::hostile(),
        Some("tasks") => common::of_tasks(6),
        Some("many_tasks") => common::of_tasks(1000),
        _ => {
            eprintln!(
                "name one of: integer_sort balanced killed single many hostile tasks many_tasks"
            );
            std::process::exit(2);
        }
    };
    if given("html") {
        match arguments.first().map(String::as_str) {
            // The one that has everything.
            Some("integer_sort") => {
                print!("{}", html(&common::page::Parts::of_integer_sort().page()));
            }
            _ => print!("{}", html(&Page::of(&result))),
        }
    } else if given("json") {
        print!("{}", json(&result));
    } else {
        let options = TextOptions {
            experiment: None,
            color: given("color"),
            unicode: !given("ascii"),
            width: 100,
        };
        print!("{}", text(&result, &options));
    }
}
