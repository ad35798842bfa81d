//! The reference in the documentation, made from the definition of the command line.

use super::Cli;
use crate::failure::Outcome;
use crate::output;
use clap::CommandFactory;
use std::fmt::Write;

/// The page `docs/options.md`: a section for each command, in the order of the help.
pub fn write() -> Outcome {
    let mut root = Cli::command();
    root.build();
    let mut text = String::from(
        "# Options of all commands\n\nThis page is made from the definition of the command line \
         (`pgastool markdown`), as are `--help`, man pages and\ncompletions, so it is complete; \
         [command-line.md](command-line.md) explains more, and gives examples.\n\n",
    );
    let global: Vec<_> = root
        .get_arguments()
        .filter(|a| a.is_global_set())
        .map(clap::Arg::get_id)
        .cloned()
        .collect();
    text.push_str("Every command takes:\n\n");
    arguments(
        &mut text,
        root.get_arguments().filter(|a| a.is_global_set()),
    );
    for command in root.get_subcommands() {
        if !command.is_hide_set() && command.get_name() != "help" {
            section(&mut text, command, 2, &global);
        }
    }
    output::deliver(&text, None)?;
    Ok(0)
}

fn section(text: &mut String, command: &clap::Command, depth: usize, global: &[clap::Id]) {
    let heading = "#".repeat(depth);
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let _ = write!(text, "\n{heading} {name}\n\n```text\n");
    for line in usage.lines() {
        let _ = writeln!(text, "{}", line.trim());
    }
    let _ = write!(text, "```\n\n{}\n\n", sentence(&about));
    let own = command
        .get_arguments()
        .filter(|a| !global.contains(a.get_id()));
    arguments(text, own);
    for command in command.get_subcommands() {
        if !command.is_hide_set() && command.get_name() != "help" {
            section(text, command, depth + 1, global);
        }
    }
}

/// Help ends without a full stop where it is one line.
fn sentence(help: &str) -> String {
    match help.trim_end() {
        text if text.ends_with(['.', ':']) => text.to_string(),
        text => format!("{text}."),
    }
}

fn arguments<'a>(text: &mut String, arguments: impl Iterator<Item = &'a clap::Arg>) {
    let rows: Vec<String> = arguments
        .filter(|a| !a.is_hide_set() && !["help", "version"].contains(&a.get_id().as_str()))
        .map(row)
        .collect();
    if !rows.is_empty() {
        text.push_str("| option | meaning |\n|---|---|\n");
        text.push_str(&rows.concat());
    }
}

fn row(argument: &clap::Arg) -> String {
    let mut names = Vec::new();
    names.extend(argument.get_short().map(|short| format!("-{short}")));
    names.extend(argument.get_long().map(|long| format!("--{long}")));
    let mut name = names.join(", ");
    if argument.get_action().takes_values() {
        let values = argument.get_value_names().unwrap_or_default();
        let value = values.first().map_or("VALUE", |value| value.as_str());
        let optional = argument.get_num_args().is_some_and(|n| n.min_values() == 0);
        name = match (name.is_empty(), optional) {
            (true, _) => value.to_string(),
            (false, true) => format!("{name}[={value}]"),
            (false, false) => format!("{name} {value}"),
        };
    }
    let help = argument.get_long_help().or(argument.get_help());
    let mut meaning = help.map(ToString::to_string).unwrap_or_default();
    let possible: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| match value.get_help() {
            Some(help) => format!("`{}` ({help})", value.get_name()),
            None => format!("`{}`", value.get_name()),
        })
        .collect();
    if argument.get_action().takes_values() && !possible.is_empty() {
        let _ = write!(meaning, "; one of {}", possible.join(", "));
    }
    let defaults: Vec<_> = argument
        .get_default_values()
        .iter()
        .map(|value| format!("`{}`", value.to_string_lossy()))
        .collect();
    if argument.get_action().takes_values() && !defaults.is_empty() {
        let _ = write!(meaning, "; {} unless said otherwise", defaults.join(", "));
    }
    if let Some(variable) = argument.get_env() {
        let _ = write!(
            meaning,
            "; also `{}` in the environment",
            variable.to_string_lossy()
        );
    }
    let line = |text: &str| {
        text.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace('|', "\\|")
    };
    format!("| `{}` | {} |\n", line(&name), sentence(&line(&meaning)))
}
