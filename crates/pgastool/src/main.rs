//! The command line of pgastool.
//!
//! [`cli`] assembles it from the [`commands`], each of which owns its arguments and makes calls to
//! the library crates. Commands share [`arguments`] (types of option values), [`terminal`]
//! (messages to the user), [`output`] (destination of results), [`failure`] (how a command ends),
//! [`experiment`] (the experiment that a command is about), [`recording`] (options
//! for the recorder), [`launch`] and [`job`] (starting programs, batch systems), [`process`]
//! (children and signals) and [`installation`] (the parts of the tool).

mod arguments;
mod cli;
mod commands;
mod experiment;
mod failure;
mod installation;
mod job;
mod launch;
mod observing;
mod output;
mod process;
mod recording;
mod terminal;

use cli::{Command, completions, manual, markdown};
use commands::{
    agent, analyze, compile, convert, cube, demo, diff, doctor, events, explain, include, report,
    run, score, script, time, view, watch,
};
use process::interrupt;
use std::process::ExitCode;

fn main() -> ExitCode {
    interrupt::survive_file_limit();
    let cli = cli::parse(std::env::args_os().collect());
    let ui = terminal::Ui::new(&cli.global);
    let outcome = match &cli.command {
        Command::Compile(arguments) => compile::compile(arguments, &ui),
        Command::Run(arguments) => run::run(arguments, &ui),
        Command::Watch(arguments) => watch::watch(arguments, &ui),
        Command::Script(arguments) => script::script(arguments, &ui),
        Command::Analyze(arguments) => analyze::analyze(arguments, &ui),
        Command::Report(arguments) => report::report(arguments, &ui),
        Command::View(arguments) => view::view(arguments, &ui),
        Command::Explain(arguments) => explain::explain(arguments, &ui),
        Command::Agent(arguments) => agent::agent(arguments),
        Command::Include(arguments) => include::include(arguments),
        Command::Score(arguments) => score::score(arguments, &ui),
        Command::Cube(arguments) => cube::cube(arguments, &ui),
        Command::Convert(arguments) => convert::convert(arguments, &ui),
        Command::Diff(arguments) => diff::diff(arguments, &ui),
        Command::Events(arguments) => events::events(arguments, &ui),
        Command::Time(arguments) => time::time(arguments, &ui),
        Command::Demo(arguments) => demo::demo(arguments, &ui),
        Command::Doctor(arguments) => doctor::doctor(arguments, &ui),
        Command::Completions { shell } => completions::write(*shell),
        Command::Man { directory } => manual::write(directory),
        Command::Markdown => markdown::write(),
    };
    if let (Err(_), Some(signal)) = (&outcome, interrupt::received()) {
        ui.failure(&failure::Failure::new(
            "interrupted; no part of a result was left",
        ));
        return interrupt::end(signal);
    }
    ExitCode::from(outcome.unwrap_or_else(|failure| {
        ui.failure(&failure);
        failure.status
    }))
}
