//! Options of all commands: how much is printed, and when in colour.

use clap::{Args, ValueEnum};

const GLOBAL: &str = "Options of all commands";

/// Options that every command takes.
#[derive(Debug, Args)]
pub struct Global {
    /// Print only results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = GLOBAL)]
    pub quiet: bool,
    /// Also print the commands that are run and what is chosen
    #[arg(short, long, global = true, help_heading = GLOBAL)]
    pub verbose: bool,
    /// When to use colour
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t = Color::Auto,
        help_heading = GLOBAL
    )]
    pub color: Color,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Also into files and pipes
    Always,
    /// No colour
    Never,
}
