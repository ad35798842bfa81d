//! The command line of pgastool. Each command is a module that makes calls to the library crates; [`cli`] defines what
//! can be typed, [`failure`] how a command ends, [`ui`] how the user is spoken to.

mod analyze;
mod bundled;
mod child;
mod cli;
mod compile;
mod convert;
mod demo;
mod doctor;
mod events;
mod experiment;
mod failure;
mod filters;
mod generate;
mod output;
mod recording;
mod report;
mod run;
mod score;
mod tool;
mod ui;

use clap::Parser;
use cli::{Cli, Command};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = cli::sort_compile_arguments(std::env::args_os().collect());
    let cli = Cli::parse_from(arguments);
    let ui = ui::Ui::new(&cli.global);
    let outcome = match &cli.command {
        Command::Compile(arguments) => compile::compile(arguments, &ui),
        Command::Run(arguments) => run::run(arguments, &ui),
        Command::Analyze(arguments) => analyze::analyze(arguments, &ui),
        Command::Report(arguments) => report::report(arguments, &ui),
        Command::Events(arguments) => events::events(arguments, &ui),
        Command::Score(arguments) => score::score(arguments, &ui),
        Command::Convert(arguments) => convert::convert(arguments, &ui),
        Command::Demo(arguments) => demo::demo(arguments, &ui),
        Command::Doctor(arguments) => doctor::doctor(arguments, &ui),
        Command::Completions { shell } => generate::completions(*shell),
        Command::Man { directory } => generate::man_pages(directory),
    };
    ExitCode::from(outcome.unwrap_or_else(|failure| {
        ui.failure(&failure);
        failure.status
    }))
}
