//! `pgastool convert`: the trace or the result of an experiment as a file of another format, and
//! traces back.

mod exports;
mod traces;

use crate::arguments::Seconds;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::terminal::Ui;
use clap::{ArgGroup, Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Write the trace or the result of an experiment in another format, or read a trace
///
/// With --to the argument is an experiment, and the result a file; with --from the argument is a
/// file, and the result an experiment. Its name is printed.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("direction").required(true),
    after_help = "Examples:\n  pgastool convert pgas_is_4 --to epilog -o is.elg.gz\n  pgastool convert is.elg.gz --from epilog\n  \
                  pgastool convert --to perfetto --since 1.5s --until 1.6s\n  \
                  pgastool convert --to folded --metric wait_at_barrier"
)]
pub struct Arguments {
    /// The experiment [default: the newest one in the current directory], or the file to read
    pub input: Option<PathBuf>,
    /// Format to write
    #[arg(long, value_enum, value_name = "FORMAT", group = "direction")]
    pub to: Option<Target>,
    /// Format to read
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        group = "direction",
        requires = "input"
    )]
    pub from: Option<Source>,
    /// File or directory to make; a file *.gz is compressed [default: the input's name with
    /// another ending, in the current directory]
    #[arg(short = 'o', value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Names of operations in an EPILOG file: UPC's, or SHMEM's where it has the same, for which
    /// EXPERT has patterns
    #[arg(long, value_enum, default_value_t = RegionNames::Upc, conflicts_with = "from")]
    pub names: RegionNames,
    /// Byte order of an EPILOG file
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = Order::Little, conflicts_with = "from")]
    pub byte_order: Order,
    /// Metric of a flame graph, by its id [default: time]
    #[arg(long, value_name = "ID", conflicts_with = "from")]
    pub metric: Option<String>,
    /// Start of the window that is written to a Perfetto trace, as for `pgastool events` [default:
    /// the first event]
    #[arg(
        long,
        value_name = "TIME",
        conflicts_with = "from",
        allow_negative_numbers = true
    )]
    pub since: Option<Seconds>,
    /// End of the window, exclusive [default: the last event]
    #[arg(
        long,
        value_name = "TIME",
        conflicts_with = "from",
        allow_negative_numbers = true
    )]
    pub until: Option<Seconds>,
    /// Write a Perfetto trace that is larger than viewers take
    #[arg(long, conflicts_with = "from")]
    pub force: bool,
}

/// A format that traces are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// EPILOG 1.9, of KOJAK and Scalasca 1
    Epilog,
    /// OTF2, of Score-P, Scalasca 2 and Vampir
    #[cfg_attr(not(feature = "otf2"), value(hide = true))]
    Otf2,
    /// Events for the trace viewers of Perfetto and Chrome
    Perfetto,
    /// A metric as folded stacks, for flame graphs
    Folded,
    /// A metric as flame graphs of all threads, for speedscope
    Speedscope,
    /// The result as tables: a directory with a CSV file for each
    Csv,
    /// The result as tables: one file with a JSON object for each row
    Jsonl,
}

/// A format that traces are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Source {
    /// EPILOG 1.9, of KOJAK and Scalasca 1
    Epilog,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RegionNames {
    /// As in the program, such as upc_memget
    Upc,
    /// Such as shmem_get, for EXPERT's patterns
    Shmem,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// As on x86
    Little,
    /// As on most machines of KOJAK's time
    Big,
}

pub fn convert(arguments: &Arguments, ui: &Ui) -> Outcome {
    let result = match (arguments.from, arguments.input.as_deref(), arguments.to) {
        (Some(Source::Epilog), Some(file), _) => traces::from_epilog(file, arguments, ui)?,
        (_, _, Some(target @ (Target::Epilog | Target::Otf2))) => {
            exports::reject_options(arguments)?;
            match target {
                Target::Otf2 => traces::to_otf2(arguments, ui)?,
                _ => traces::to_epilog(arguments, ui)?,
            }
        }
        (_, _, Some(target)) => {
            traces::reject_options(arguments)?;
            exports::export(arguments, target, ui)?
        }
        (None, _, None) | (Some(Source::Epilog), None, None) => {
            return Err(Failure::new("neither --to nor --from says what to do"));
        }
    };
    output::deliver(&result.display().to_string(), None)?;
    Ok(0)
}

/// The last part of a path, also of `.`.
fn name_of(path: &Path) -> Result<String, Failure> {
    let canonical = path.canonicalize();
    let canonical = canonical.as_deref().unwrap_or(path);
    match canonical.file_name() {
        Some(name) => Ok(name.to_string_lossy().into_owned()),
        None => {
            Err(Failure::new(format!("{} has no name", path.display()))
                .help("name the result with -o"))
        }
    }
}
