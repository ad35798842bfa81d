//! The command line of pgastool. Each command is a module that makes calls to the library crates; [`cli`] defines what
//! can be typed, [`failure`] how a command ends, [`ui`] how the user is spoken to, [`usage`] what is said of a
//! command line that is wrong.

mod analyze;
mod bundled;
mod child;
mod cli;
mod compile;
mod convert;
mod cube;
mod demo;
mod diff;
mod doctor;
mod duration;
mod events;
mod experiment;
mod explain;
mod exports;
mod failure;
mod filters;
mod generate;
mod interrupt;
mod job;
mod launch;
mod manual;
mod output;
mod page;
mod processes;
mod recording;
mod report;
mod run;
mod score;
mod script;
mod sources;
mod target;
mod tool;
mod ui;
mod usage;
mod view;

use cli::Command;
use std::process::ExitCode;

fn main() -> ExitCode {
    interrupt::survive_file_limit();
    let arguments = compile::own_options::sort(std::env::args_os().collect());
    let cli = usage::parse(&arguments);
    let ui = ui::Ui::new(&cli.global);
    let outcome = match &cli.command {
        Command::Compile(arguments) => compile::compile(arguments, &ui),
        Command::Run(arguments) => run::run(arguments, &ui),
        Command::Script(arguments) => script::script(arguments, &ui),
        Command::Analyze(arguments) => analyze::analyze(arguments, &ui),
        Command::Report(arguments) => report::report(arguments, &ui),
        Command::Explain(arguments) => explain::explain(arguments, &ui),
        Command::Diff(arguments) => diff::diff(arguments, &ui),
        Command::Events(arguments) => events::events(arguments, &ui),
        Command::View(arguments) => view::view(arguments, &ui),
        Command::Score(arguments) => score::score(arguments, &ui),
        Command::Cube(arguments) => cube::cube(arguments, &ui),
        Command::Convert(arguments) => convert::convert(arguments, &ui),
        Command::Demo(arguments) => demo::demo(arguments, &ui),
        Command::Doctor(arguments) => doctor::doctor(arguments, &ui),
        Command::Completions { shell } => generate::completions(*shell),
        Command::Man { directory } => manual::write(directory),
        Command::Markdown => generate::markdown(),
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
