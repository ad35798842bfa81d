//! The reference of the command line is made from its definition; here it is seen when somebody
//! forgot to do so.

use crate::book;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn printed() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_pgastool"))
        .arg("markdown")
        .output()
        .unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_reference_is_that_of_the_command_line() {
    let page = &book::pages()[Path::new("docs/options.md")];
    assert!(
        *page == printed(),
        "docs/options.md is not what the command line is now; `cargo run -p pgastool -- markdown \
         >docs/options.md` brings it up to date"
    );
}

/// Words such as `--quiet` in a text.
fn options(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| word.len() > 3 && word.starts_with("--") && !word.starts_with("---"))
        .collect()
}

#[test]
fn the_page_about_the_command_line_names_every_command_and_option() {
    let pages = book::pages();
    let reference = &pages[Path::new("docs/options.md")];
    let page = &pages[Path::new("docs/command-line.md")];
    let sections = |text: &str| -> Vec<(String, String)> {
        text.split("\n## ")
            .skip(1)
            .map(|section| {
                let (title, rest) = section.split_once('\n').unwrap();
                (title.to_string(), rest.to_string())
            })
            .collect()
    };
    let ours = sections(page);
    for (title, text) in sections(reference) {
        let Some((_, explained)) = ours.iter().find(|(other, _)| *other == title) else {
            panic!("docs/command-line.md has no section `## {title}`");
        };
        let mut known = options(explained);
        // Options that `run` has as well are explained there, where a section says so.
        if explained.contains("`run`") || explained.contains("`pgastool run`") {
            if let Some((_, run)) = ours.iter().find(|(other, _)| other == "pgastool run") {
                known.extend(options(run));
            }
        }
        // Of the reference, what stands in the column of options; their explanations may speak of
        // others.
        for line in text.lines().filter(|line| line.starts_with("| `")) {
            for option in options(line.split('|').nth(1).unwrap_or("")) {
                assert!(
                    known.contains(option),
                    "docs/command-line.md says nothing of {option} in `## {title}`"
                );
            }
        }
    }
}
