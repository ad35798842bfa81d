//! The command line: [`Cli`] assembles what the commands define beside their code; help, man pages,
//! completions and `docs/options.md` come from it.

mod compile_line;
pub mod completions;
pub mod manual;
pub mod markdown;
mod usage;

use crate::commands::{
    agent, analyze, compile, convert, cube, demo, diff, doctor, events, explain, include, report,
    run, score, script, time, view, watch,
};
use crate::terminal::Global;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// Finds out why a PGAS program is slow, and says it in terms of the program's own source lines.
#[derive(Debug, Parser)]
#[command(
    name = "pgastool",
    version,
    max_term_width = 100,
    after_help = "The whole cycle:\n  pgastool compile -O2 -o prog prog.upc\n  pgastool run -n 4 \
                  ./prog\n  pgastool analyze\n  pgastool report\n\n`pgastool demo` shows it on a \
                  bundled program, `pgastool doctor` checks this machine."
)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Compile(compile::Arguments),
    Run(run::Arguments),
    Watch(watch::Arguments),
    Script(script::Arguments),
    Analyze(analyze::Arguments),
    Report(report::Arguments),
    View(view::Arguments),
    Explain(explain::Arguments),
    Score(score::Arguments),
    Cube(cube::Arguments),
    Convert(convert::Arguments),
    Diff(diff::Arguments),
    Events(events::Arguments),
    Time(time::Arguments),
    Demo(demo::Arguments),
    Doctor(doctor::Arguments),
    Include(include::Arguments),
    #[command(hide = true)]
    Agent(agent::Arguments),
    /// Print the completions for a shell
    #[command(hide = true)]
    Completions {
        shell: clap_complete::Shell,
    },
    /// Write the man pages into a directory
    #[command(hide = true)]
    Man {
        directory: PathBuf,
    },
    /// Print all commands and options as a page of the documentation
    #[command(hide = true)]
    Markdown,
}

/// The command line, or the end of this process with a message about what is wrong with it.
pub fn parse(arguments: Vec<OsString>) -> Cli {
    let arguments = compile_line::sort(arguments);
    Cli::try_parse_from(&arguments)
        .unwrap_or_else(|error| usage::explained(error, &arguments).exit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    /// Man pages, help and the list of options say what each value means.
    #[test]
    fn values_of_options_have_a_meaning() {
        fn check(command: &clap::Command) {
            for argument in command.get_arguments().filter(|a| !a.is_hide_set()) {
                if !argument.get_action().takes_values() {
                    continue;
                }
                for value in argument.get_possible_values() {
                    let what = format!("{}: {argument}: {}", command.get_name(), value.get_name());
                    assert!(value.get_help().is_some(), "{what}");
                }
            }
            command
                .get_subcommands()
                .filter(|c| !c.is_hide_set())
                .for_each(check);
        }
        let mut command = Cli::command();
        command.build();
        check(&command);
    }
}
