//! `pgastool time`: times operations of a programming model with synchronised starts.

mod cache;
mod cases;
mod catalogue;
mod comparing;
mod costs;
mod display;
mod driver;
mod files;
mod following;
mod listing;
mod machine;
mod measuring;
mod method;
mod outcome;
mod places;
mod series;
mod starting;
mod timers;

use crate::failure::{Failure, Outcome};
use crate::job::Job;
use crate::launch::target::Target;
use crate::launch::threads;
use crate::output;
use crate::terminal::Ui;
use cases::CaseOptions;
use clap::{Args, ValueEnum};
use display::Display;
use driver::{Driver, DriverOptions};
use files::FileOptions;
use measuring::{Plan, measure};
use method::MethodOptions;
use series::Threads;
use starting::StartOptions;
use std::ffi::OsString;
use std::path::PathBuf;

/// Time operations of UPC, MPI or OpenSHMEM with synchronised starts
///
/// A small program is compiled by the compiler that is asked for, and started as `run` starts
/// programs. Each operation is launched at scheduled times of a common clock on all threads; the
/// time of a launch is the maximum over threads, and the mean of the launches comes with its
/// interval of confidence. Exit status 1 if an operation failed, or a limit that --fail-on sets was
/// exceeded.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: pgastool time upc_barrier 'upc_all_*' -n 2,4 --size 8,64Ki
          pgastool time MPI_Bcast MPI_Allreduce --with mpicc -n 4..16 -o before.json
          pgastool time timers
          pgastool time --machine -n 2,4
          pgastool time --compare before.json after.json --fail-on 10"
)]
pub struct Arguments {
    /// Operations by name, also with wildcards such as 'upc_all_*'; or `timers`: how all timers
    /// pass their check
    #[arg(value_name = "OPERATION")]
    pub operations: Vec<String>,
    /// Numbers of threads, such as 2,4,8..32 (doubled up to 32) or 8..32+8 [default: that of the
    /// batch job, else the number of cores]
    #[arg(short = 'n', value_name = "LIST", allow_hyphen_values = true)]
    pub threads: Option<Threads>,
    #[command(flatten)]
    pub driver: DriverOptions,
    #[command(flatten)]
    pub start: StartOptions,
    /// List the operations that the compiler's driver knows
    #[arg(long)]
    pub list: bool,
    /// Time what analyses compare with, and keep it for later runs on this host; -o names a file for
    /// others
    #[arg(long, conflicts_with_all = ["operations", "list", "compare", "from", "csv", "html", "svg", "size", "arguments", "repeat"])]
    pub machine: bool,
    /// Show an earlier result instead of measuring
    #[arg(long, value_name = "FILE", conflicts_with_all = ["operations", "list", "compare"])]
    pub from: Option<PathBuf>,
    /// Compare two results; several files of a side, with commas between, count as repetitions
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["operations", "list"])]
    pub compare: Option<Vec<OsString>>,
    /// Fail if an operation certainly became slower by more than this percentage
    #[arg(long, value_name = "PERCENT", value_parser = slower)]
    pub fail_on: Option<f64>,
    /// Format of --list and --compare
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub cases: CaseOptions,
    /// Record and show times by thread, too
    #[arg(long, help_heading = "Results")]
    pub per_thread: bool,
    #[command(flatten)]
    pub files: FileOptions,
    #[command(flatten)]
    pub method: MethodOptions,
}

impl Arguments {
    /// Refuses options that what is asked for does not take.
    fn check(&self) -> Result<(), Failure> {
        let is_listing = self.list || self.compare.is_some();
        let is_showing = self.compare.is_some() || self.from.is_some();
        let refused = [
            (
                self.format == Format::Json && !is_listing,
                "--format is for --list and --compare",
                "-o FILE writes a measurement as JSON",
            ),
            (
                is_showing && (self.threads.is_some() || self.cases.are_given()),
                "--from and --compare show results as they are",
                "-n, --size and arguments of operations are for measurements; leave them out",
            ),
            (
                self.compare.is_some() && self.files.want_any(),
                "--compare writes no files",
                "`--compare A B --format json >FILE` keeps a comparison",
            ),
            (
                self.fail_on.is_some() && self.compare.is_none(),
                "--fail-on is a limit for --compare",
                "`pgastool time --compare BEFORE AFTER --fail-on 10` compares two results",
            ),
            (
                self.operations == ["timers"] && self.method.no_timer_check,
                "--no-timer-check leaves nothing to show of timers",
                "leave it out; `time timers` times no operation",
            ),
        ];
        match refused.into_iter().find(|(is_wrong, ..)| *is_wrong) {
            None => Ok(()),
            Some((_, message, help)) => Err(Failure::new(message).help(help)),
        }
    }
}

/// Format of lists and comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For reading in a terminal
    Text,
    /// For scripts
    Json,
}

fn slower(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').parse().ok();
    let percent = percent.filter(|percent: &f64| percent.is_finite() && *percent >= 0.0);
    percent.ok_or_else(|| "expected a percentage, such as 10".to_string())
}

pub fn time(arguments: &Arguments, ui: &Ui) -> Outcome {
    arguments.files.check()?;
    arguments.check()?;
    if let Some(sides) = &arguments.compare {
        return comparing::compare(&sides[0], &sides[1], arguments, ui);
    }
    if let Some(file) = &arguments.from {
        return outcome::show(file, arguments, ui);
    }
    let names_none = arguments.operations.is_empty() && arguments.driver.own.is_none();
    if names_none && !arguments.list && !arguments.machine {
        return Err(Failure::new("name operations to be timed").help(
            "as in `pgastool time upc_barrier 'upc_all_*'`; `pgastool time --list` names all",
        ));
    }
    let driver = arguments.driver.prepare(&arguments.start, ui)?;
    if arguments.list {
        return list(arguments, &driver);
    }
    if arguments.machine {
        return machine::time(arguments, &driver, ui);
    }
    if arguments.operations == ["timers"] {
        return timers::time(arguments, &driver, ui);
    }
    time_operations(arguments, &driver, ui)
}

fn list(arguments: &Arguments, driver: &Driver) -> Outcome {
    let all = ["*".to_string()];
    let words = match arguments.operations.is_empty() {
        true => &all[..],
        false => &arguments.operations,
    };
    let selected = catalogue::select(&driver.operations, words)?;
    output::deliver(&listing::in_format(&selected, arguments.format)?, None)?;
    Ok(0)
}

fn time_operations(arguments: &Arguments, driver: &Driver, ui: &Ui) -> Outcome {
    let selected = match arguments.operations.is_empty() {
        // That of --own, which is listed after those of the library.
        true => driver.operations.last().into_iter().collect(),
        false => catalogue::select(&driver.operations, &arguments.operations)?,
    };
    let cases = arguments.cases.cases(&selected)?;
    let pictures = arguments.files.want_pictures();
    let settings = arguments.method.settings(arguments.per_thread, pictures)?;
    let threads = numbers_of_threads(arguments, driver, ui)?;
    let plan = Plan {
        driver: &driver.program,
        threads: &threads,
        cases: &cases,
        settings: &settings,
        options: &arguments.start,
    };
    let mut display = Display::new(&plan, outcome::table(arguments.per_thread), ui);
    let runs = measure(&plan, &mut display, ui);
    let shown = display.finish();
    outcome::deliver(&plan, driver, runs?, arguments, ui, shown)
}

/// The numbers that were asked for, else that of the batch job, else the number of cores.
fn numbers_of_threads(
    arguments: &Arguments,
    driver: &Driver,
    ui: &Ui,
) -> Result<Vec<u32>, Failure> {
    if let Some(Threads(threads)) = &arguments.threads {
        return Ok(threads.clone());
    }
    if let Some(job) = Job::here() {
        let target = Target::of(&[driver.program.clone().into()], None, false)?;
        return Ok(vec![threads::decide(&target, None, Some(&job), ui)?]);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(vec![u32::try_from(cores)?.max(2)])
}
