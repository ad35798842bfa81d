//! Shell completions and man pages, made from the definition of the command line.

use crate::cli::Cli;
use crate::failure::{Failure, Outcome};
use crate::output;
use clap::CommandFactory;
use std::path::Path;

pub fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "pgastool", &mut text);
    output::deliver(&String::from_utf8_lossy(&text), None)?;
    Ok(0)
}

/// One page for the tool and one for each command, as `git` does it.
pub fn man_pages(directory: &Path) -> Outcome {
    std::fs::create_dir_all(directory)
        .map_err(|error| Failure::new(format!("cannot create {}: {error}", directory.display())))?;
    let mut root = Cli::command();
    root.build();
    page(&root, "pgastool", directory)?;
    for command in root
        .get_subcommands()
        .filter(|c| !c.is_hide_set() && c.get_name() != "help")
    {
        let name = format!("pgastool-{}", command.get_name());
        page(&command.clone().name(name.clone()), &name, directory)?;
    }
    Ok(0)
}

fn page(command: &clap::Command, name: &str, directory: &Path) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    output::deliver(
        &String::from_utf8_lossy(&text),
        Some(&directory.join(format!("{name}.1"))),
    )
}
