//! Times a list of cases with a driver, and returns what was measured. Nothing here knows where the
//! list comes from or what becomes of the results.

use super::following::Growing;
use super::starting::{self, Prepared, StartOptions};
use crate::commands::run::reach;
use crate::failure::Failure;
use crate::process::{Ended, interrupt, signal_name};
use crate::terminal::Ui;
use pgas_cache::Trust;
use pgas_timing::job::{Case, Job, Settings};
use pgas_timing::record::{Record, Start, TimerCheck, Timing};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Time between two looks at what the driver has written.
const BETWEEN: Duration = Duration::from_millis(20);
/// Lines of a driver's messages that are part of the reason why it failed.
const MESSAGES: usize = 6;

/// The cases to time, and how.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The program.
    pub driver: &'a Path,
    /// Each number is one start.
    pub threads: &'a [u32],
    /// In the order in which they are timed.
    pub cases: &'a [Case],
    /// How each is timed.
    pub settings: &'a Settings,
    /// How the driver is started.
    pub options: &'a StartOptions,
}

/// Measurements with one number of threads.
#[derive(Debug)]
pub struct Run {
    /// Number of threads that was asked for.
    pub threads: u32,
    /// Nodes that were asked for or that the batch job has; `None` if nobody has said.
    pub nodes: Option<u32>,
    /// The launcher as it is called; `None` if the driver was started directly.
    pub launcher: Option<String>,
    /// All that the driver reported, with the indices of the plan's cases; if it was started again
    /// after a case that ended it, the records of all starts.
    pub records: Vec<Record>,
    /// Why it ended before all was done, each with the case that it was at, if any.
    pub failures: Vec<(Option<usize>, String)>,
    /// The signal that ended it.
    pub interrupted: Option<i32>,
}

impl Run {
    fn new(threads: u32, start: &Prepared) -> Self {
        Run {
            threads,
            nodes: start.nodes,
            launcher: start.launcher.clone(),
            records: Vec::new(),
            failures: Vec::new(),
            interrupted: None,
        }
    }
}

/// Gets to know what happens while it happens.
pub trait Watcher: Send {
    /// A start with this number of threads begins.
    fn begins(&mut self, _: u32) {}
    /// Who takes part.
    fn starts(&mut self, _: &Start) {}
    /// How the timer passed its check.
    fn checked(&mut self, _: &TimerCheck) {}
    /// A case was timed.
    fn timed(&mut self, _: &Timing) {}
    /// A case could not be timed, or the whole run.
    fn failed(&mut self, case: Option<usize>, reason: &str);
    /// Launches of a case so far.
    fn launched(&mut self, _: usize, _: u32) {}
    /// A line that the driver printed.
    fn printed(&mut self, line: &str);
}

/// Measures all of a plan. Stops after a signal, with what was measured until then.
///
/// # Errors
/// If nothing can be started.
pub fn measure(plan: &Plan, watcher: &mut dyn Watcher, ui: &Ui) -> Result<Vec<Run>, Failure> {
    let wish = interrupt::watch()?;
    let mut runs = Vec::new();
    for &threads in plan.threads {
        watcher.begins(threads);
        let run = measure_with(plan, threads, watcher, ui)?;
        runs.push(run);
        if wish.is_requested() {
            break;
        }
    }
    Ok(runs)
}

fn measure_with(
    plan: &Plan,
    threads: u32,
    watcher: &mut dyn Watcher,
    ui: &Ui,
) -> Result<Run, Failure> {
    let work = work_directory()?;
    let files = Files::below(work.path());
    let arguments = [&files.job, &files.records].map(OsString::from);
    let start = starting::prepare(plan.driver, &arguments, threads, plan.options, ui)?;
    warn_of_local(&start, work.path(), ui);
    let mut run = Run::new(threads, &start);
    // A case that ends the driver costs itself alone: the others are timed by a new start.
    let mut left: Vec<usize> = (0..plan.cases.len()).collect();
    loop {
        write_job(&files.job, plan, &left)?;
        let mut attempt = Attempt::new(&left, watcher);
        let ended = attempt.run(&start, &files, ui)?;
        let end = attempt.end(ended);
        let done = attempt.done(plan.settings.repetitions);
        run.records.append(&mut attempt.records);
        let (at, reason) = match end {
            End::Complete => return Ok(run),
            End::Interrupted(signal) => {
                run.interrupted = Some(signal);
                return Ok(run);
            }
            End::Early { at, reason } => (at, reason),
        };
        watcher.failed(at, &reason);
        run.failures.push((at, reason));
        left.retain(|case| Some(*case) != at && !done.contains(case));
        if at.is_none() || left.is_empty() {
            return Ok(run);
        }
    }
}

/// The files of a start.
struct Files {
    job: PathBuf,
    records: PathBuf,
    messages: PathBuf,
}

impl Files {
    fn below(directory: &Path) -> Self {
        let [job, records, messages] =
            ["job.json", "records", "messages"].map(|name| directory.join(name));
        Files {
            job,
            records,
            messages,
        }
    }
}

/// Files that the driver reads and writes: where other nodes see them, too, if they see the driver.
fn work_directory() -> Result<TempDir, Failure> {
    let shelves = crate::installation::workplace()?.1;
    let place = Trust::own().make_directory(&shelves.own)?;
    pgas_cache::aside(&place).map_err(|error| {
        Failure::new(format!("cannot write {}: {error}", place.display()))
            .help("another directory can be named in PGAS_CACHE_DIR")
    })
}

fn warn_of_local(start: &Prepared, work: &Path, ui: &Ui) {
    let several = start.nodes.is_some_and(|nodes| nodes > 1);
    if let (true, Some(kind)) = (several, reach::node_local(work)) {
        ui.warning(format_args!(
            "{} is on this node's own file system ({kind}), but the driver on other nodes is \
             started from there: name a directory that all nodes share in PGAS_CACHE_DIR",
            work.display()
        ));
    }
}

fn write_job(path: &Path, plan: &Plan, left: &[usize]) -> Result<(), Failure> {
    let job = Job {
        cases: left.iter().map(|&case| plan.cases[case].clone()).collect(),
        settings: plan.settings.clone(),
    };
    let text = serde_json::to_string(&job)?;
    std::fs::write(path, text)
        .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
}

/// How a start ended.
enum End {
    /// All was done.
    Complete,
    /// By a signal that somebody sent to this tool.
    Interrupted(i32),
    /// Otherwise, at a case of the plan if it was at one.
    Early { at: Option<usize>, reason: String },
}

/// One start of the driver.
struct Attempt<'a, 'w> {
    /// Cases of the job, as indices of the plan.
    cases: &'a [usize],
    watcher: &'w mut dyn Watcher,
    records: Vec<Record>,
    messages: Vec<String>,
    /// The driver has reported who takes part.
    is_started: bool,
    /// It has reported that all is done.
    is_complete: bool,
    /// Reasons why the timer must not be used.
    refused: Vec<String>,
    /// The case that launches were last reported of, until its result comes.
    at: Option<usize>,
    /// A record that cannot be read.
    unreadable: Option<String>,
}

impl<'a, 'w> Attempt<'a, 'w> {
    fn new(cases: &'a [usize], watcher: &'w mut dyn Watcher) -> Self {
        Attempt {
            cases,
            watcher,
            records: Vec::new(),
            messages: Vec::new(),
            is_started: false,
            is_complete: false,
            refused: Vec::new(),
            at: None,
            unreadable: None,
        }
    }

    /// Runs the driver to its end while its records and messages are read.
    fn run(
        &mut self,
        start: &Prepared,
        files: &Files,
        ui: &Ui,
    ) -> Result<(Ended, Option<i32>), Failure> {
        let output = File::create(&files.messages)?;
        // Of an earlier start.
        let _ = std::fs::remove_file(&files.records);
        ui.command(start.shown());
        let program = start.program().output_to(output);
        let has_ended = AtomicBool::new(false);
        let mut files = (Growing::new(&files.records), Growing::new(&files.messages));
        let (ended, read) = thread::scope(|scope| {
            let reader = scope.spawn(|| {
                // What was written before the end is there when the end is known.
                loop {
                    let is_last = has_ended.load(Ordering::Acquire);
                    self.read(&mut files)?;
                    if is_last {
                        return io::Result::Ok(());
                    }
                    thread::sleep(BETWEEN);
                }
            });
            let ended = program.watched();
            has_ended.store(true, Ordering::Release);
            let read = reader.join().unwrap_or(Ok(()));
            (ended, read)
        });
        if let Some(line) = files.1.unfinished() {
            self.message(&line);
        }
        read?;
        ended.map_err(|error| {
            Failure::new(format!(
                "cannot start the driver: {}: {error}",
                start.shown()
            ))
            .help("is the launcher of this compiler on PATH?")
        })
    }

    fn read(&mut self, (records, messages): &mut (Growing, Growing)) -> io::Result<()> {
        for line in messages.lines()? {
            self.message(&line);
        }
        for line in records.lines()? {
            match serde_json::from_str(&line) {
                Ok(record) => self.record(record),
                Err(error) => {
                    let first =
                        || format!("a record of the driver cannot be read: {error}: {line}");
                    self.unreadable.get_or_insert_with(first);
                }
            }
        }
        Ok(())
    }

    fn message(&mut self, line: &str) {
        self.watcher.printed(line);
        self.messages.push(line.to_string());
    }

    /// Takes a record, with the case's index in the job replaced by that in the plan.
    fn record(&mut self, mut record: Record) {
        let of_plan = |case: usize| self.cases.get(case).copied().unwrap_or(case);
        match &mut record {
            Record::Start(start) => {
                self.is_started = true;
                self.watcher.starts(start);
            }
            Record::Timer(check) => {
                self.refused.clone_from(&check.refused);
                self.watcher.checked(check);
            }
            Record::Clocks(_) => {}
            Record::Progress { case, launches } => {
                *case = of_plan(*case);
                self.at = Some(*case);
                self.watcher.launched(*case, *launches);
                return;
            }
            Record::Timing(timing) => {
                timing.case = of_plan(timing.case);
                self.at = None;
                self.watcher.timed(timing);
            }
            Record::Failed { case, reason } => {
                *case = of_plan(*case);
                self.at = None;
                self.watcher.failed(Some(*case), reason);
            }
            Record::End => {
                self.is_complete = true;
                return;
            }
        }
        self.records.push(record);
    }

    /// Cases of which nothing is left to do.
    fn done(&self, repetitions: u32) -> BTreeSet<usize> {
        let case = |record: &Record| match record {
            Record::Timing(timing) if timing.repetition + 1 == repetitions => Some(timing.case),
            Record::Failed { case, .. } => Some(*case),
            _ => None,
        };
        self.records.iter().filter_map(case).collect()
    }

    fn end(&self, (ended, received): (Ended, Option<i32>)) -> End {
        if let (Some(signal), false) = (received, self.is_complete) {
            return End::Interrupted(signal);
        }
        if let Some(reason) = &self.unreadable {
            return End::Early {
                at: None,
                reason: reason.clone(),
            };
        }
        if !self.refused.is_empty() {
            return End::Early {
                at: None,
                reason: format!(
                    "the timer is refused: {}; if the machine is busy, measure again when it is not; \
                     else try another --timer, or --no-timer-check",
                    self.refused.join("; ")
                ),
            };
        }
        if self.is_complete {
            return End::Complete;
        }
        let done = self.done(1);
        let next = self.cases.iter().copied().find(|case| !done.contains(case));
        End::Early {
            at: self.at.or(next).filter(|_| self.is_started),
            reason: self.reason(ended),
        }
    }

    /// How the driver ended, with the last that it printed.
    fn reason(&self, ended: Ended) -> String {
        let how = match ended {
            Ended::Exited(0) => {
                "the driver ended before all was timed, with exit status 0: an operation must not \
                 end the program"
                    .to_string()
            }
            Ended::Exited(status) => format!("the driver ended with exit status {status}"),
            Ended::Killed(signal) => format!("the driver was ended by {}", signal_name(signal)),
        };
        let said = self.messages.iter().filter(|line| !line.trim().is_empty());
        let said: Vec<&str> = said.map(|line| line.trim()).collect();
        match said.len() {
            0 => how,
            lines => format!(
                "{how}: {}",
                said[lines.saturating_sub(MESSAGES)..].join(" / ")
            ),
        }
    }
}
