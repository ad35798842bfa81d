//! The definition of the command line: help, man page and completions come from it, and nothing else parses arguments.

use crate::convert::Convert;
use crate::recording::Recording;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// The most threads that a program can be started with, on any number of nodes. Beyond it, a number is a slip of the hand.
const MOST_THREADS: u32 = 1 << 20;

/// Finds out why a PGAS program is slow, and says it in terms of the program's own source lines.
#[derive(Debug, Parser)]
#[command(
    name = "pgastool",
    version,
    max_term_width = 100,
    after_help = "The whole cycle:\n  \
        pgastool compile -O2 -o prog prog.upc\n  \
        pgastool run -n 4 ./prog\n  \
        pgastool analyze\n  \
        pgastool report\n\n\
        `pgastool demo` shows it on a bundled program, `pgastool doctor` checks this machine."
)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

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

#[derive(Debug, Subcommand)]
pub enum Command {
    Compile(Compile),
    Run(Run),
    Script(crate::script::ScriptCommand),
    Analyze(Analyze),
    Report(Report),
    View(crate::view::View),
    Explain(crate::explain::Explain),
    Score(Score),
    Cube(crate::cube::CubeCommand),
    Convert(Convert),
    Diff(crate::diff::Diff),
    Events(crate::events::Events),
    Demo(Demo),
    Doctor(Doctor),
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

/// Compile a UPC program so that it can be measured
///
/// Put it in front of the compiler's arguments, also in a Makefile: CC="pgastool compile".
#[derive(Debug, Args)]
#[command(
    override_usage = "pgastool compile [OPTIONS] [--] <COMPILER ARGUMENTS>...",
    after_help = "Example: pgastool compile -O2 -o is is.c randdp.c"
)]
pub struct Compile {
    /// UPC compiler: `auto` ($PGAS_UPCC, else the site's, else the embedded one), `embedded`, or a path
    #[arg(long, value_name = "auto|embedded|PATH", default_value = "auto")]
    pub upcc: OsString,
    /// Compile for a fixed number of threads; without it the number is given at the start
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    pub threads: Option<u32>,
    /// Also record accesses to shared data of the own thread
    #[arg(long)]
    pub inst_local: bool,
    /// Record operations of the PGAS runtime alone, not the program's functions
    #[arg(long)]
    pub no_functions: bool,
    /// Compile as the compiler would without this tool
    #[arg(long)]
    pub no_instrument: bool,
    /// Functions and operations to leave out, in Score-P's filter format
    #[arg(long, value_name = "FILE")]
    pub filter: Option<PathBuf>,
    /// Print the command instead of running it, as a shell takes it
    #[arg(long)]
    pub show: bool,
    /// Keep what the tool generates in this directory: decoder, UPC files, translated sources, commands
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Arguments of the compiler: sources, objects, options
    #[arg(
        required = true,
        trailing_var_arg = true,
        value_name = "COMPILER ARGUMENTS"
    )]
    pub arguments: Vec<OsString>,
}

/// Run a compiled program and record what it does
///
/// Events go into a new directory, the experiment, whose name is printed as the last line. The exit
/// status is the program's own.
#[derive(Debug, Args)]
#[command(after_help = "Example: pgastool run -n 4 ./is")]
pub struct Run {
    /// Number of threads [default: that which the program was compiled for, or that of the batch job]
    #[arg(short = 'n', value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    pub threads: Option<u32>,
    #[command(flatten)]
    pub launching: crate::launch::Launching,
    /// Print the command instead of running it
    #[arg(long)]
    pub show: bool,
    /// Directory of the experiment; it must not exist. Without it: `pgas_<program>_<N>_<date>-<time>`
    #[arg(short = 'o', value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Run it K times, into K experiments in one directory, so that comparisons know how much times scatter
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: Option<u32>,
    /// Run without recording
    #[arg(long, conflicts_with_all = ["output", "Recording", "repeat"])]
    pub no_measure: bool,
    /// Build of the same program with --no-instrument, which is run, too, so that the report says what recording cost
    #[arg(long, value_name = "PLAIN_PROGRAM", conflicts_with = "no_measure")]
    pub baseline: Option<PathBuf>,
    /// Run the baseline K times; the median counts, and their spread bounds its error
    #[arg(long, value_name = "K", default_value_t = 3, requires = "baseline", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub baseline_runs: u32,
    /// Shared memory that each thread may allocate, such as 512MB; without a unit, in megabytes
    #[arg(long, value_name = "SIZE", value_parser = heap_size)]
    pub shared_heap: Option<String>,
    #[command(flatten)]
    pub recording: Recording,
    /// The program and its arguments
    #[arg(
        required = true,
        trailing_var_arg = true,
        value_name = "PROGRAM [ARGUMENTS]"
    )]
    pub command: Vec<OsString>,
}

/// Search an experiment for wait states and other causes of lost time
#[derive(Debug, Args)]
pub struct Analyze {
    /// The experiment [default: the newest one in the current directory]
    pub experiment: Option<PathBuf>,
    /// Cores to use; the result does not depend on it [default: all]
    #[arg(long, short = 'j', value_name = "N", env = "PGAS_JOBS", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Look for the program's source text below this directory first; may be given several times
    #[arg(long, value_name = "DIR")]
    pub source_dir: Vec<PathBuf>,
}

/// Show where the time of an analysed experiment went
#[derive(Debug, Args)]
pub struct Report {
    /// The experiment [default: the newest one in the current directory]
    pub experiment: Option<PathBuf>,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
    /// Also show what became better and worse since this run or these repeated runs, named as for `diff`; only of `html`
    #[arg(long, value_name = "RUNS")]
    pub compare: Option<PathBuf>,
    /// Write into a file
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For reading in a terminal, at most 100 columns wide
    Text,
    /// One page for a browser, which needs no network
    Html,
    /// For scripts: every figure by call path and thread
    Json,
    /// CUBE 3, for Cube and other viewers
    Cube,
    /// CUBE 4, for Cube and other viewers
    Cubex,
}

/// Tell what recording a run cost, function by function, and propose a filter that makes it cost less
///
/// Events, bytes and overhead with that filter are predicted. Exit status 1 if the overhead cannot be kept as low as
/// asked for.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pgastool score -o my.filter; pgastool compile --filter my.filter -o prog prog.upc"
)]
pub struct Score {
    /// The experiment [default: the newest one in the current directory]
    pub experiment: Option<PathBuf>,
    /// The largest overhead of any thread, of calls and full buffers, that the proposed filter may leave
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent, allow_negative_numbers = true)]
    pub max_overhead: f64,
    /// Tell what this filter would give; what is proposed comes on top of it
    #[arg(long, value_name = "FILE")]
    pub filter: Option<PathBuf>,
    /// Also propose to leave out operations of the runtime that no wait state is found by, such as one-sided copies
    #[arg(long)]
    pub operations: bool,
    /// Format of the output
    #[arg(long, value_enum, default_value_t = ScoreFormat::Text)]
    pub format: ScoreFormat,
    /// Write the proposed filter into a file
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScoreFormat {
    /// For reading in a terminal
    Text,
    /// For scripts: all regions
    Json,
}

/// Compile, run, analyse and report a bundled program
///
/// It works in ./pgastool-demo-NAME, which stays, and shows each command as it goes.
#[derive(Debug, Args)]
pub struct Demo {
    /// Which program [default: is]
    pub name: Option<String>,
    /// List the bundled programs
    #[arg(long, action = ArgAction::SetTrue, conflicts_with = "name")]
    pub list: bool,
}

/// Check this machine: compilers, cores, clock, memory
#[derive(Debug, Args)]
pub struct Doctor {
    /// Also try this UPC compiler, and make now what its programs are linked with
    #[arg(long, value_name = "PATH")]
    pub upcc: Option<OsString>,
    /// With --upcc: make it for everybody who uses this installation, in its directory
    #[arg(long, requires = "upcc")]
    pub for_all: bool,
    /// Format of the output
    #[arg(long, value_enum, default_value_t = DoctorFormat::Text)]
    pub format: DoctorFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DoctorFormat {
    /// For reading in a terminal
    Text,
    /// For scripts: all checks
    Json,
}

pub fn threads(text: &str) -> Result<u32, String> {
    match text.parse::<i128>() {
        Ok(n) if n < 1 => Err("a UPC program has at least 1 thread".to_string()),
        Ok(n) if n > MOST_THREADS.into() => {
            Err(format!("at most {MOST_THREADS} threads are possible"))
        }
        Ok(n) => Ok(n as u32),
        Err(_) => Err("expected a whole number of threads, such as 4".to_string()),
    }
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    match number.parse::<f64>() {
        Ok(percent) if percent > 0.0 && percent.is_finite() => Ok(percent),
        Ok(_) => {
            Err("nothing can be recorded at no cost: give more than 0, such as 0.5".to_string())
        }
        Err(_) => Err("expected a number of percent, such as 2 or 0.5".to_string()),
    }
}

/// A size as the runtimes of the UPC compilers take it from the environment.
pub fn heap_size(text: &str) -> Result<String, String> {
    let unit = text.find(|c: char| !c.is_ascii_digit());
    let (number, unit) = text.split_at(unit.unwrap_or(text.len()));
    let known = ["", "KB", "MB", "GB", "TB", "K", "M", "G", "T"];
    let positive = number.parse::<u64>().is_ok_and(|n| n > 0);
    match positive && known.contains(&unit.to_ascii_uppercase().as_str()) {
        // One form for all runtimes.
        true if unit.is_empty() => Ok(format!("{number}MB")),
        true => Ok(format!("{number}{}B", &unit[..1].to_ascii_uppercase())),
        false => Err("expected a size, such as 512MB or 4GB".to_string()),
    }
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

    #[test]
    fn impossible_numbers_of_threads_are_refused() {
        for (text, expected) in [
            ("0", "at least 1"),
            ("-3", "at least 1"),
            ("1048577", "at most 1048576"),
            ("99999999999", "at most 1048576"),
            ("four", "whole number"),
            ("4.0", "whole number"),
        ] {
            assert!(threads(text).unwrap_err().contains(expected), "{text}");
        }
        assert_eq!(threads("4096"), Ok(4096));
    }
}
