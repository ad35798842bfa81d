//! Shell completions.

use super::Cli;
use crate::failure::Outcome;
use crate::output;
use clap::CommandFactory;

pub fn write(shell: clap_complete::Shell) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut visible(), "pgastool", &mut text);
    output::deliver(&String::from_utf8_lossy(&text), None)?;
    Ok(0)
}

/// The command line without the commands that only the installation uses.
pub fn visible() -> clap::Command {
    let all = Cli::command();
    let shown = all.get_subcommands().filter(|c| !c.is_hide_set());
    clap::Command::new("pgastool")
        .version(env!("CARGO_PKG_VERSION"))
        .about(all.get_about().cloned().unwrap_or_default())
        .after_help(all.get_after_help().cloned().unwrap_or_default())
        .subcommand_required(true)
        .args(all.get_arguments().cloned())
        .subcommands(shown.cloned())
}
