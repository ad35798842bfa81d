//! Man pages: one for the tool and one for each command, also for those of `pgastool cube`. They
//! name no page that is not among them, but that of `pgas-upcc`, which is installed with them.

use std::io::Write;
use std::path::Path;

use clap_mangen::Man;

use super::completions::visible;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Commands that belong to one another, besides those that follow from their names.
const RELATED: [(&str, &[&str]); 14] = [
    ("pgastool", &["pgas-upcc"]),
    ("compile", &["run", "score", "pgas-upcc"]),
    ("run", &["compile", "script", "analyze"]),
    ("script", &["run"]),
    ("analyze", &["run", "report", "view"]),
    ("report", &["analyze", "view", "diff", "explain"]),
    ("view", &["analyze", "report"]),
    ("explain", &["report"]),
    ("score", &["run", "compile"]),
    ("convert", &["events", "cube"]),
    ("diff", &["report", "run"]),
    ("events", &["run", "convert"]),
    ("time", &["compile", "run", "diff"]),
    ("doctor", &["compile"]),
];

/// Writes all pages into a directory.
pub fn write(directory: &Path) -> Outcome {
    std::fs::create_dir_all(directory)
        .map_err(|error| Failure::new(format!("cannot create {}: {error}", directory.display())))?;
    let mut root = visible().disable_help_subcommand(true);
    root.build();
    pages(&root, None, directory)?;
    Ok(0)
}

fn pages(command: &clap::Command, parent: Option<&str>, directory: &Path) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let text = page(command, name, parent)?;
    output::deliver(
        &String::from_utf8_lossy(&text),
        Some(&directory.join(format!("{name}.1"))),
    )?;
    for below in command.get_subcommands().filter(|c| !c.is_hide_set()) {
        pages(below, Some(name), directory)?;
    }
    Ok(())
}

fn page(command: &clap::Command, name: &str, parent: Option<&str>) -> std::io::Result<Vec<u8>> {
    let version = concat!("pgastool ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone())
        .title(name)
        .source(version)
        .manual("pgastool");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.get_subcommands().any(|c| !c.is_hide_set()) {
        man.render_subcommands_section(&mut text)?;
    }
    if let Some(examples) = command.get_after_help() {
        write!(
            text,
            ".SH EXAMPLES\n.nf\n{}.fi\n",
            lines(&examples.to_string())
        )?;
    }
    let mut others: Vec<String> = parent.iter().map(|parent| (*parent).to_owned()).collect();
    let related = RELATED.iter().find(|(of, _)| *of == command.get_name());
    for other in related.map_or(&[][..], |(_, others)| others) {
        others.push(match *other {
            "pgas-upcc" => (*other).to_owned(),
            command => format!("pgastool-{command}"),
        });
    }
    if !others.is_empty() {
        let named = others
            .iter()
            .map(|other| format!(".BR {} (1)", other.replace('-', "\\-")));
        let named: Vec<String> = named.collect();
        write!(text, ".SH SEE ALSO\n{}\n", named.join(",\n"))?;
    }
    Ok(text)
}

/// Lines of a text without the word that introduces them, as `man` prints them unchanged.
fn lines(text: &str) -> String {
    let text = ["Examples:", "Example:"]
        .iter()
        .find_map(|heading| text.strip_prefix(heading))
        .unwrap_or(text);
    let mut out = String::new();
    for line in text.trim_matches('\n').lines() {
        let line = line.trim().replace('\\', "\\e").replace('-', "\\-");
        // A line that begins so is a request.
        let guard = if line.starts_with(['.', '\'']) {
            "\\&"
        } else {
            ""
        };
        out.push_str(&format!("{guard}{line}\n"));
    }
    out
}
