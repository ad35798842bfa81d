//! `pgastool view`: the result to walk through, in the terminal, in Cube's viewer, or in a browser.

pub mod browser;
mod cube;
mod serve;
mod web;

use crate::experiment;
use crate::experiment::sources;
use crate::failure::{Failure, Outcome};
use crate::process::interrupt;
use crate::terminal::{self, Ui, screens};
use clap::Args;
use std::path::{Path, PathBuf};

/// Walk through the result of an analysis, in the terminal
///
/// Findings, the three trees, the source with what its lines cost, threads, iterations, and who
/// accesses whose data. `?` shows the keys, `q` ends.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The experiment [default: the newest one in the current directory]
    pub experiment: Option<PathBuf>,
    /// Open the profile in Cube's viewer: `$PGAS_CUBE_VIEWER`, or else `cube`
    #[arg(long, conflicts_with_all = ["web", "serve"])]
    pub cube: bool,
    /// Open the report as a page in a browser; without a display, serve it
    #[arg(long, conflicts_with = "serve")]
    pub web: bool,
    /// Serve the page to browsers that reach this machine's own address, as through `ssh -L`,
    /// until Ctrl-C
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub serve: Option<u16>,
}

pub fn view(arguments: &Arguments, ui: &Ui) -> Outcome {
    let directory = experiment::named_or_newest(arguments.experiment.as_deref(), ui)?;
    match arguments.serve {
        Some(port) => web::serve(&directory, port, ui),
        None if arguments.web => web::open(&directory, ui),
        None if arguments.cube => cube::open(&directory, ui),
        None => walk_through(&directory, ui),
    }
}

/// Whether windows can be opened.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "macos") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

fn walk_through(directory: &Path, ui: &Ui) -> Outcome {
    if let Some(problem) = terminal::not_interactive() {
        return Err(
            Failure::new(format!("cannot show the result to walk through: {problem}")).help(
                format!(
                    "`pgastool report {}` prints it, also into a file or a pipe",
                    directory.display()
                ),
            ),
        );
    }
    interrupt::watch()?;
    pgas_view::view(&pgas_view::Options {
        experiment: directory,
        theme: screens::theme(ui),
        sources: sources::kept_or_found,
        stop: screens::is_to_stop,
        abandon: screens::abandon,
        suspend: &screens::suspend,
    })?;
    match interrupt::received() {
        Some(_) => Err(Failure::new("ended by a signal")),
        None => Ok(0),
    }
}
