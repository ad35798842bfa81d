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
    /// Print results and errors alone
    #[arg(long, global = true, conflicts_with = "verbose", help_heading = GLOBAL)]
    pub quiet: bool,
    /// Also print the commands that are run and what is chosen
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub verbose: bool,
    /// When to use colour; `auto` means on a terminal and without NO_COLOR
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
    Auto,
    Always,
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
    /// What the compiler gets: sources, objects, options
    #[arg(
        required = true,
        trailing_var_arg = true,
        value_name = "COMPILER ARGUMENTS"
    )]
    pub arguments: Vec<OsString>,
}

/// Run a compiled program and record what it does
///
/// What happens goes into a new directory, the experiment, whose name is printed as the last line. The exit
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
    /// How much shared memory each thread may allocate, such as 512MB; without a unit, in megabytes
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
    /// For a terminal, for a browser, for scripts, or for CUBE's viewers
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
    Text,
    Html,
    Json,
    Cube,
    /// CUBE 4
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
    /// The largest overhead of any thread that the proposed filter may leave
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent, allow_negative_numbers = true)]
    pub max_overhead: f64,
    /// Tell what this filter would give; what is proposed comes on top of it
    #[arg(long, value_name = "FILE")]
    pub filter: Option<PathBuf>,
    /// Also propose to leave out operations of the runtime that no wait state is found by, such as one-sided copies
    #[arg(long)]
    pub operations: bool,
    /// For people or for scripts
    #[arg(long, value_enum, default_value_t = ScoreFormat::Text)]
    pub format: ScoreFormat,
    /// Write the proposed filter into a file
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScoreFormat {
    Text,
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
    /// For people or for scripts
    #[arg(long, value_enum, default_value_t = DoctorFormat::Text)]
    pub format: DoctorFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DoctorFormat {
    Text,
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

/// Sorts the arguments of `compile` so that its own options come first, wherever they were written, and all else goes
/// to the compiler: a user need not know whose option is whose. What follows a `--` is left alone.
pub fn sort_compile_arguments(arguments: Vec<OsString>) -> Vec<OsString> {
    let root = <Cli as clap::CommandFactory>::command();
    let takes_value = |command: &clap::Command, name: &str| {
        let known = command.get_arguments().find(|a| a.get_long() == Some(name));
        known.is_some_and(|a| a.get_action().takes_values())
    };
    // The command is the first argument that is neither an option nor the value of one.
    let mut at = 1;
    while let Some(option) = arguments
        .get(at)
        .and_then(|a| a.to_str()?.strip_prefix("--"))
    {
        at += if takes_value(&root, option) { 2 } else { 1 };
    }
    if arguments.get(at).is_none_or(|command| command != "compile") {
        return arguments;
    }
    let Some(compile) = root.find_subcommand("compile") else {
        return arguments;
    };
    // Long options of ours by name, and whether a value follows.
    let ours: Vec<(String, bool)> = root
        .get_arguments()
        .chain(compile.get_arguments())
        .filter_map(|argument| {
            let long = argument.get_long()?;
            Some((format!("--{long}"), argument.get_action().takes_values()))
        })
        .chain([("--help".to_string(), false)])
        .collect();
    // Cray's compiler has an -h with a value.
    if arguments[at + 1..] == ["-h"] {
        return arguments;
    }

    let mut own = arguments[..=at].to_vec();
    let mut compilers = Vec::new();
    let mut rest = arguments.into_iter().skip(at + 1);
    while let Some(argument) = rest.next() {
        if argument == "--" {
            compilers.extend(rest);
            break;
        }
        let text = argument.to_string_lossy();
        let name = text.split_once('=').map_or(&*text, |(name, _)| name);
        // `--version` asks the compiler: build systems do that.
        match ours
            .iter()
            .find(|(long, _)| long == name && long != "--version")
        {
            Some((long, takes_value)) => {
                let value = (*takes_value && *text == **long).then(|| rest.next());
                own.push(argument);
                own.extend(value.flatten());
            }
            None => compilers.push(argument),
        }
    }
    if !compilers.is_empty() {
        own.push("--".into());
        own.extend(compilers);
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    fn sorted(line: &str) -> String {
        sort_compile_arguments(line.split(' ').map(OsString::from).collect())
            .into_iter()
            .map(|a| a.into_string().unwrap())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn own_options_of_compile_may_stand_anywhere() {
        assert_eq!(
            sorted("pgastool compile -O2 --threads 4 -o is is.c --no-functions"),
            "pgastool compile --threads 4 --no-functions -- -O2 -o is is.c"
        );
        assert_eq!(
            sorted("pgastool --quiet compile --threads=4 -v a.c"),
            "pgastool --quiet compile --threads=4 -- -v a.c"
        );
    }

    #[test]
    fn the_command_is_found_behind_options_with_values() {
        assert_eq!(
            sorted("pgastool --color always compile -O2 --show"),
            "pgastool --color always compile --show -- -O2"
        );
    }

    #[test]
    fn the_rest_belongs_to_the_compiler() {
        assert_eq!(
            sorted("pgastool compile -- --threads 4"),
            "pgastool compile -- --threads 4"
        );
        assert_eq!(
            sorted("pgastool compile --version"),
            "pgastool compile -- --version"
        );
        assert_eq!(
            sorted("pgastool compile -h upc a.c --quiet"),
            "pgastool compile --quiet -- -h upc a.c"
        );
        assert_eq!(sorted("pgastool compile -h"), "pgastool compile -h");
        assert_eq!(
            sorted("pgastool run -n 4 ./a --quiet"),
            "pgastool run -n 4 ./a --quiet"
        );
        assert_eq!(sorted("pgastool compile"), "pgastool compile");
    }

    #[test]
    fn everything_reaches_its_place() {
        let arguments = sorted("pgastool compile -O2 --inst-local -c a.upc --upcc embedded");
        let cli = Cli::try_parse_from(arguments.split(' ')).unwrap();
        let Command::Compile(compile) = cli.command else {
            panic!("another command")
        };
        assert!(compile.inst_local);
        assert_eq!(compile.upcc, "embedded");
        assert_eq!(compile.arguments, ["-O2", "-c", "a.upc"]);
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
