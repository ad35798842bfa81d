//! `pgastool convert`: the trace or the result of an experiment as a file of another format, and traces back.

use crate::duration::Seconds;
use crate::experiment;
use crate::exports;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output;
use crate::ui::Ui;
use clap::{ArgGroup, Args, ValueEnum};
use pgas_epilog::{ByteOrder, Names, Options};
use pgas_trace::Experiment;
use std::path::{Path, PathBuf};

/// Write the trace or the result of an experiment in another format, or read a trace
///
/// With --to the argument is an experiment, and the result a file; with --from the argument is a file, and the result
/// an experiment. Its name is printed.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("direction").required(true),
    after_help = "Examples:\n  pgastool convert pgas_is_4 --to epilog -o is.elg.gz\n  pgastool convert is.elg.gz --from epilog\n  \
                  pgastool convert --to perfetto --since 1.5s --until 1.6s\n  \
                  pgastool convert --to folded --metric wait_at_barrier"
)]
pub struct Convert {
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
    /// File or directory to make; a file *.gz is compressed [default: the input's name with another ending, in the current
    /// directory]
    #[arg(short = 'o', value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Names of operations in an EPILOG file: UPC's, or SHMEM's where it has the same, for which EXPERT has patterns
    #[arg(long, value_enum, default_value_t = RegionNames::Upc, conflicts_with = "from")]
    pub names: RegionNames,
    /// Byte order of an EPILOG file
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = Order::Little, conflicts_with = "from")]
    pub byte_order: Order,
    /// Metric of a flame graph, by its id [default: time]
    #[arg(long, value_name = "ID", conflicts_with = "from")]
    pub metric: Option<String>,
    /// Start of the window that is written to a Perfetto trace, as for `pgastool events` [default: the first event]
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

pub fn convert(arguments: &Convert, ui: &Ui) -> Outcome {
    let result = match (arguments.from, arguments.input.as_deref(), arguments.to) {
        (Some(Source::Epilog), Some(file), _) => from_epilog(file, arguments, ui)?,
        (_, _, Some(target @ (Target::Epilog | Target::Otf2))) => {
            exports::reject_options(arguments)?;
            match target {
                Target::Otf2 => to_otf2(arguments, ui)?,
                _ => to_epilog(arguments, ui)?,
            }
        }
        (_, _, Some(target)) => {
            reject_epilog_options(arguments)?;
            exports::export(arguments, target, ui)?
        }
        (None, _, None) | (Some(Source::Epilog), None, None) => {
            return Err(Failure::new("neither --to nor --from says what to do"))
        }
    };
    output::deliver(&result.display().to_string(), None)?;
    Ok(0)
}

/// The experiment, whose conversion can be interrupted.
fn open(directory: &Path, ui: &Ui) -> Result<Experiment, Failure> {
    let mut experiment = experiment::open(directory, ui)?;
    experiment.stop_on(&interrupt::watch()?);
    Ok(experiment)
}

fn reject_epilog_options(arguments: &Convert) -> Result<(), Failure> {
    if arguments.names != RegionNames::Upc || arguments.byte_order != Order::Little {
        return Err(Failure::new(
            "--names and --byte-order are for EPILOG files",
        ));
    }
    Ok(())
}

fn to_epilog(arguments: &Convert, ui: &Ui) -> Result<PathBuf, Failure> {
    let directory = experiment::named_or_newest(arguments.input.as_deref(), ui)?;
    let experiment = open(&directory, ui)?;
    let file = match &arguments.output {
        Some(file) => file.clone(),
        None => PathBuf::from(format!("{}.elg", name_of(&directory)?)),
    };
    if file.is_dir() {
        return Err(Failure::new(format!("{} is a directory", file.display()))
            .help("name the file to write: -o trace.elg"));
    }
    let options = Options {
        names: match arguments.names {
            RegionNames::Upc => Names::Upc,
            RegionNames::Shmem => Names::Shmem,
        },
        byte_order: match arguments.byte_order {
            Order::Little => ByteOrder::Little,
            Order::Big => ByteOrder::Big,
        },
    };
    let written = {
        let progress = ui.progress("converting", experiment.event_count());
        pgas_epilog::write_file(&experiment, &file, options, &|share| progress.set(share))?
    };
    for remark in experiment.all_remarks().iter().chain(&written.losses) {
        ui.warning(remark);
    }
    ui.note(format_args!("wrote {} events as EPILOG", written.events));
    Ok(file)
}

#[cfg(feature = "otf2")]
fn to_otf2(arguments: &Convert, ui: &Ui) -> Result<PathBuf, Failure> {
    reject_epilog_options(arguments)?;
    let directory = experiment::named_or_newest(arguments.input.as_deref(), ui)?;
    let experiment = open(&directory, ui)?;
    let archive = match &arguments.output {
        Some(archive) => archive.clone(),
        None => PathBuf::from(format!("{}.otf2", name_of(&directory)?)),
    };
    let written = {
        let progress = ui.progress("converting", experiment.event_count());
        pgas_otf2::write(&experiment, &archive, &|share| progress.set(share))?
    };
    for remark in experiment.all_remarks().iter().chain(&written.losses) {
        ui.warning(remark);
    }
    ui.note(format_args!("wrote {} events as OTF2", written.events));
    Ok(archive.join("traces.otf2"))
}

#[cfg(not(feature = "otf2"))]
fn to_otf2(_: &Convert, _: &Ui) -> Result<PathBuf, Failure> {
    Err(Failure::new("this pgastool was built without OTF2").help(
        "install OTF2 (Debian, Ubuntu: sudo apt install libopen-trace-format2-dev pkg-config) and build with \
         `cargo build --release --workspace --features pgastool/otf2`",
    ))
}

fn from_epilog(file: &Path, arguments: &Convert, ui: &Ui) -> Result<PathBuf, Failure> {
    let directory = match &arguments.output {
        Some(directory) => directory.clone(),
        None => PathBuf::from(experiment_name(&name_of(file)?)),
    };
    let imported = {
        let interruption = interrupt::watch()?;
        let progress = ui.progress("converting", None);
        let told = |share| progress.set(share);
        pgas_epilog::read_file_until(file, &directory, &interruption, &told)?
    };
    for remark in &imported.remarks {
        ui.warning(remark);
    }
    ui.note(format_args!(
        "read {} events; see `pgastool analyze {}`",
        imported.contents.events,
        directory.display()
    ));
    Ok(directory)
}

/// The last part of a path, also of `.`.
pub(crate) fn name_of(path: &Path) -> Result<String, Failure> {
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

/// The name of an experiment that is made of a file: without the endings, but never the file's own name.
fn experiment_name(file: &str) -> String {
    let name = file.strip_suffix(".gz").unwrap_or(file);
    let name = name.strip_suffix(".elg").unwrap_or(name);
    match name {
        "" => "experiment".to_string(),
        name if name == file => format!("{name}-experiment"),
        name => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experiments_are_named_after_their_files() {
        for (file, expected) in [
            ("is.elg", "is"),
            ("is.elg.gz", "is"),
            ("is", "is-experiment"),
            (".elg", "experiment"),
        ] {
            assert_eq!(experiment_name(file), expected);
        }
    }
}
