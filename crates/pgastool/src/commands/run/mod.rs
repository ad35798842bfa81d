//! `pgastool run`: starts a program, records what its threads do, and passes its exit status on.

mod baseline;
pub mod reach;
mod repeat;
mod tasks;

use self::baseline::CpuClock;
use crate::arguments::{Seconds, heap_size, sampling_period, thread_count};
use crate::experiment;
use crate::failure::{Failure, Outcome};
use crate::installation::{self, machine};
use crate::job::{Job, started_several_times};
use crate::launch::target::Target;
use crate::launch::{Launching, Start, environment, threads};
use crate::observing::{Observing, Sampled, agents};
use crate::output;
use crate::process::{Ended, Program, signal_name};
use crate::recording::filters::Filters;
use crate::recording::metrics::MetricDefinitions;
use crate::recording::{self, Recording};
use crate::terminal::Ui;
use clap::Args;
use pgas_base::shell::shown;
use pgas_live::place::{self, PLACE};
use pgas_machine::Machine;
use pgas_measure::settings::{EXPERIMENT, RUN_ID};
use pgas_monitor::runs::Runs;
use pgas_trace::Experiment;
use pgas_trace::buffers::Identity;
use pgas_trace::experiment::{create, create_default};
use pgas_trace::metadata::Metadata;
use rustix::process::Signal;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Run a compiled program and record what it does
///
/// Events go into a new directory, the experiment, whose name is printed as the last line. The exit
/// status is the program's own.
#[derive(Debug, Args)]
#[command(after_help = "Example: pgastool run -n 4 ./is")]
pub struct Arguments {
    /// Number of threads [default: that which the program was compiled for, or that of the batch
    /// job]
    #[arg(short = 'n', value_name = "N", value_parser = thread_count, allow_negative_numbers = true)]
    pub threads: Option<u32>,
    #[command(flatten)]
    pub launching: Launching,
    /// Print the command instead of running it
    #[arg(long)]
    pub show: bool,
    /// Directory of the experiment; it must not exist. Without it:
    /// `pgas_<program>_<N>_<date>-<time>`
    #[arg(short = 'o', value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Run it K times, into K experiments in one directory, so that comparisons know how much
    /// times scatter
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: Option<u32>,
    /// Time between two samples of a program with --live for `watch` and other programs, at least
    /// 50ms; more where sampling takes more than a tenth of it
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = sampling_period)]
    pub live_period: Seconds,
    /// Run without recording
    #[arg(long, conflicts_with_all = ["output", "Recording", "repeat"])]
    pub no_measure: bool,
    /// Build of the same program with --no-instrument, which is run, too, so that the report says
    /// what recording cost
    #[arg(long, value_name = "PLAIN_PROGRAM", conflicts_with = "no_measure")]
    pub baseline: Option<PathBuf>,
    /// Run the baseline K times; the median counts, and their spread bounds its error
    #[arg(long, value_name = "K", default_value_t = 3, requires = "baseline", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub baseline_runs: u32,
    /// Shared memory that each thread may allocate, such as 512MB; without a unit, in megabytes
    #[arg(long, value_name = "SIZE", value_parser = heap_size)]
    pub shared_heap: Option<String>,
    /// File that says which processor runs which task, for programs of tasks (docs/tasks.md)
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// File with this machine's costs (`pgastool time --machine`), which the analysis compares with,
    /// or `none` [default: $PGAS_MACHINE, else what was last measured on this host]
    #[arg(long, value_name = "FILE", conflicts_with = "no_measure")]
    pub machine: Option<PathBuf>,
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

pub fn run(arguments: &Arguments, ui: &Ui) -> Outcome {
    let launching = &arguments.launching;
    let target = Target::of(
        &arguments.command,
        launching.program.as_deref(),
        !arguments.no_measure,
    )?;
    if let (Some((launcher, times)), false) = (started_several_times(), arguments.no_measure) {
        return Err(Failure::new(format!(
            "{launcher} has started pgastool {times} times, and each would measure a program of \
             its own"
        ))
        .help(format!(
            "start pgastool once and let it call the launcher: `pgastool run -n {times} \
             --launcher {launcher} ./program`"
        )));
    }
    let map = tasks::map(arguments.map.as_deref(), &target)?;
    let job = Job::here();
    let given = threads::given(&target, arguments.threads, job.as_ref(), ui)?;
    let threads = threads::decide(&target, given, job.as_ref(), ui)?;
    let start = Start::decide(
        &target,
        threads,
        launching.starter.nodes,
        launching.starter.launcher.as_deref(),
        job.as_ref(),
    )?;
    let compiled = target.info.as_ref().map_or(&[][..], |info| &info.filters);
    let filters = match arguments.no_measure {
        true => Filters::default(),
        false => Filters::of(arguments.recording.filter.as_deref(), compiled)?,
    };
    let metrics = metrics(arguments)?;
    let machine = match arguments.no_measure {
        true => None,
        false => machine::find(arguments.machine.as_deref())?,
    };
    let measurement = Measurement {
        machine: machine.as_ref().map(|known| &known.machine),
        arguments,
        target: &target,
        map: map.as_deref(),
        threads,
        start: &start,
        filters: &filters,
        metrics: &metrics,
        ui,
    };
    if arguments.show {
        return measurement.show();
    }
    if arguments.no_measure {
        return measurement
            .start(None, Vec::new(), false)
            .map(|(ended, _)| ended.status());
    }
    for loss in filters.losses() {
        ui.warning(loss);
    }
    let mut metadata = measurement.describe();
    if let Some(plain) = &arguments.baseline {
        let plain = baseline::target(plain, &target, &start, threads)?;
        let of_plain = Measurement {
            target: &plain,
            ..measurement
        };
        let measured = baseline::measure(&of_plain, arguments.baseline_runs, ui)?;
        metadata.baseline = Some(measured);
    }
    let counters = metadata.recording.get(recording::COUNTERS);
    for refusal in counters.map_or_else(Vec::new, |names| recording::refused_counters(names)) {
        ui.warning(refusal);
    }
    if let Some(repeats) = arguments.repeat {
        return repeat::run(&measurement, &metadata, repeats);
    }
    let directory = new_directory(
        arguments.output.as_deref(),
        |path| create(path, &metadata),
        |parent| create_default(parent, &metadata),
    )?;
    measurement.warn_of_local(&directory);
    let ended = measurement.record(&directory, &mut metadata, true)?.0;
    if let Err(failure) = output::deliver(&directory.display().to_string(), None) {
        ui.failure(&failure);
    }
    Ok(ended.status())
}

/// The metrics that live pages are to have.
fn metrics(arguments: &Arguments) -> Result<MetricDefinitions, Failure> {
    let recording = &arguments.recording;
    let metrics = MetricDefinitions::of(recording.metrics.as_deref(), &recording.metric)?;
    match &recording.live {
        None if !metrics.is_empty() => Err(Failure::new(
            "metrics are on live pages, and this run has none",
        )
        .help("add --live, and look at them by `pgastool watch` while the program runs")),
        _ => Ok(metrics),
    }
}

/// All that is decided before a program runs, once for all its runs.
#[derive(Clone, Copy)]
struct Measurement<'a> {
    /// Costs of operations here, for the analysis.
    machine: Option<&'a Machine>,
    arguments: &'a Arguments,
    target: &'a Target,
    /// Mapping of tasks to processors, as an absolute path.
    map: Option<&'a Path>,
    threads: u32,
    start: &'a Start,
    filters: &'a Filters,
    metrics: &'a MetricDefinitions,
    ui: &'a Ui,
}

impl Measurement<'_> {
    /// The description of a run that starts now.
    fn describe(&self) -> Metadata {
        let target = self.target;
        let words: Vec<String> = target
            .arguments
            .iter()
            .map(|a| a.to_string_lossy().into_owned())
            .collect();
        let mut metadata = Metadata::new(&target.named.to_string_lossy(), &words, self.threads);
        let directory = std::env::current_dir().ok();
        metadata.directory =
            directory.and_then(|directory| directory.into_os_string().into_string().ok());
        metadata.run = Identity::of_this_process();
        metadata.launcher = self.start.launched_by();
        metadata.nodes = self.start.nodes;
        metadata.filters = self.filters.described();
        let compiled = target.info.as_ref().map(|info| info.sources.clone());
        metadata.sources = compiled.unwrap_or_default();
        metadata.remarks = self.filters.remarks();
        metadata.recording = self
            .arguments
            .recording
            .in_effect(|name| std::env::var_os(name));
        metadata
    }

    /// Runs the program and records it in a directory that was made for this, with `metadata` as
    /// its description. `alone`: it is not one of several, so that messages name the next step.
    /// Returns how it ended, and a signal that came meanwhile.
    fn record(
        &self,
        directory: &Path,
        metadata: &mut Metadata,
        alone: bool,
    ) -> Result<(Ended, Option<i32>), Failure> {
        let ui = self.ui;
        let absolute = std::path::absolute(directory)?;
        ui.note(format_args!("recording into {}", directory.display()));
        // Of runs that nobody could complete.
        for problem in pgas_trace::buffers::collect_everything().problems {
            ui.warning(problem);
        }
        let started = Instant::now();
        let clock = CpuClock::start();
        let observing = self.observe(&absolute, metadata);
        let ended = self
            .filters
            .hand_over(&absolute, self.target, ui)
            .and_then(|filter| {
                let metrics = self.metrics.hand_over(&absolute, &self.target.file, ui)?;
                let files = filter.into_iter().chain(metrics).collect();
                self.start(Some(absolute.into()), files, false)
            });
        // The end of the observation is none of the program's time.
        let wall_seconds = started.elapsed().as_secs_f64();
        drop(observing);
        metadata.cpu_seconds = clock.seconds().filter(|_| self.start.is_direct());
        let (ended, received) = match ended {
            Ok(ended) => ended,
            Err(failure) => {
                // Nothing ran, so there is nothing to keep.
                let _ = std::fs::remove_dir_all(directory);
                return Err(failure);
            }
        };
        let outcome = match ended {
            Ended::Exited(status) => Ok(i32::from(status)),
            Ended::Killed(signal) => Err(signal),
        };
        metadata.end(outcome, wall_seconds);

        match ended {
            Ended::Exited(0) => {}
            Ended::Exited(status) => {
                let launcher = self.start.launcher();
                let meaning = launcher.and_then(|launcher| (launcher.status)(status));
                let meaning = meaning.map_or_else(String::new, |text| format!(": {text}"));
                ui.warning(format_args!(
                    "the program ended with exit status {status}{meaning}"
                ))
            }
            Ended::Killed(signal) => {
                ui.warning(format_args!(
                    "the program was ended by {}",
                    signal_name(signal)
                ));
            }
        }
        if let Some(machine) = self.machine {
            if let Err(error) = machine.write(&directory.join(pgas_machine::FILE)) {
                ui.warning(error);
            }
        }
        // The program's result counts, whatever became of its recording.
        if let Err(error) = metadata.save_the_end(directory) {
            ui.warning(format_args!(
                "the description of the experiment is incomplete: {error}"
            ));
        }
        // Processes of a program whose first one was killed may take a moment.
        experiment::collect(directory, Duration::from_secs(2), ui);
        remove_pages(&experiment::live_key(metadata, directory)?, ui);
        if metadata
            .recording
            .get(recording::LIVE)
            .is_some_and(|live| live == recording::ONLY)
        {
            ui.note("nothing was recorded, as --live=only asks for");
            return Ok((ended, received));
        }
        let experiment = Experiment::open(directory);
        let recorded = experiment
            .as_ref()
            .map_or(0, |experiment| experiment.streams().len());
        if recorded < self.threads as usize && !self.start.is_direct() {
            ui.warning(format_args!(
                "{recorded} of {} have recorded anything: does the launcher pass {EXPERIMENT} on, \
                 and do all nodes see {}?",
                self.target.words().count(self.threads as usize),
                directory.display()
            ));
        }
        match experiment {
            Ok(experiment) => {
                self.keep_symbols(&experiment);
                let known = &metadata.remarks;
                let news = experiment.all_remarks().into_iter();
                for remark in news.filter(|remark| !known.contains(remark)) {
                    ui.warning(remark);
                }
                let mut streams = experiment.streams().iter();
                let what = match experiment.event_count() {
                    0 if streams.any(|stream| stream.profile_range().is_some()) => {
                        "a profile".to_owned()
                    }
                    count => format!("{count} events"),
                };
                match alone {
                    true => ui.note(format_args!(
                        "recorded {what}; next: pgastool analyze {}",
                        directory.display()
                    )),
                    false => ui.note(format_args!("recorded {what}")),
                }
            }
            Err(error) => ui.warning(format_args!("the recording cannot be used: {error}")),
        }
        Ok((ended, received))
    }

    /// Whether threads with live pages may run on several nodes, or elsewhere than here. A program
    /// that the launcher has to look for is started as the launcher does it.
    fn may_be_on_nodes(&self) -> bool {
        let program = self.target.program.as_os_str().as_encoded_bytes();
        self.is_live()
            && !self.start.is_direct()
            && self.start.nodes != Some(1)
            && program.contains(&b'/')
    }

    fn is_live(&self) -> bool {
        self.arguments
            .recording
            .live
            .as_deref()
            .is_some_and(|live| live != "off")
    }

    /// Samples the program for those who watch it, while it runs.
    fn observe(&self, experiment: &Path, metadata: &Metadata) -> Option<Observing> {
        if !self.is_live() {
            return None;
        }
        let run = Sampled {
            key: experiment::live_key(metadata, experiment).ok()?,
            experiment: experiment.to_owned(),
            period: Duration::from_secs_f64(self.arguments.live_period.0),
            is_on_nodes: self.may_be_on_nodes(),
        };
        let ui = *self.ui;
        let observing = Observing::begin(run, move |problem| ui.warning(problem));
        // The program runs all the same.
        observing.map_err(|failure| self.ui.failure(&failure)).ok()
    }

    /// Keeps the names of functions and lines that samples found, while the program is what it was
    /// when it ran.
    fn keep_symbols(&self, experiment: &Experiment) {
        match pgas_analyze::resolve_symbols(experiment) {
            Ok(symbols) if symbols.is_empty() => {}
            Ok(symbols) => {
                if let Err(error) = symbols.save(experiment.directory()) {
                    self.ui.warning(error);
                }
            }
            // Every command that reads the stream says the same.
            Err(error) => self
                .ui
                .warning(format_args!("samples cannot be read: {error}")),
        }
    }

    /// Runs the program to its end; `experiment` is where it is recorded, `None` if it is not.
    /// `silent`: it neither reads standard input nor writes to standard output. Returns how it
    /// ended, and a signal that came meanwhile.
    fn start(
        &self,
        experiment: Option<OsString>,
        files: Vec<(&str, OsString)>,
        silent: bool,
    ) -> Result<(Ended, Option<i32>), Failure> {
        let is_measured = experiment.is_some();
        let wrapper = match &experiment {
            Some(directory) if self.may_be_on_nodes() => {
                agents::starter(&installation::executable()?, Path::new(directory))
            }
            _ => Vec::new(),
        };
        let set = self.variables(experiment, files);
        let (command, own) =
            self.start
                .command(self.target, &environment::for_all(&set), &wrapper)?;
        // A launcher must get the chance to end what it has started elsewhere.
        let last_signal = match self.start.is_direct() {
            true => Signal::KILL,
            false => Signal::TERM,
        };
        let mut program = Program::new(&command).not_outliving(last_signal);
        for (name, value) in &set {
            program = program.variable(name, Some(value.clone()));
        }
        for (name, value) in own {
            program = program.variable(name, Some(value));
        }
        if silent {
            program = program.silent();
        }
        if !is_measured {
            program = program.variable(EXPERIMENT, None);
        }
        self.ui.command(shown(&command));
        program.watched().map_err(|error| {
            let program = command
                .first()
                .map(|p| Path::new(p).display().to_string())
                .unwrap_or_default();
            match error.kind() {
                io::ErrorKind::NotFound => Failure::new(format!(
                    "cannot start `{program}`: it was not found"
                ))
                .help("is the launcher of this compiler on PATH? is the program for this machine?"),
                _ => Failure::new(format!("cannot start `{program}`: {error}")),
            }
        })
    }

    /// The environment variables that this run sets.
    fn variables(
        &self,
        experiment: Option<OsString>,
        files: Vec<(&str, OsString)>,
    ) -> Vec<(String, OsString)> {
        let mut set = vec![("PGAS_THREADS", self.threads.to_string().into())];
        if let Some(size) = &self.arguments.shared_heap {
            set.extend(["PGAS_SHARED_HEAP", "UPC_SHARED_HEAP_SIZE"].map(|n| (n, size.into())));
        }
        if self.target.is_of_tasks {
            set.extend(tasks::variables(self.threads, self.map));
        }
        let recording = &self.arguments.recording;
        set.extend(recording.variables());
        set.extend(experiment.as_ref().and_then(|directory| {
            let environment = |name: &str| std::env::var_os(name);
            recording.files_in(directory.as_ref(), self.threads, environment)
        }));
        set.extend(files);
        let metadata = experiment
            .as_deref()
            .and_then(|path| Metadata::load(Path::new(path)).ok());
        let id = metadata.and_then(|metadata| metadata.id);
        set.extend(id.map(|id| (RUN_ID, id.into())));
        set.extend(experiment.map(|path| (EXPERIMENT, path)));
        // The last value of a variable takes effect.
        let mut variables: Vec<(String, OsString)> = Vec::new();
        for (name, value) in set {
            variables.retain(|(known, _)| known != name);
            variables.push((name.to_string(), value));
        }
        variables
    }

    /// Prints the command that would be run, with its environment.
    fn show(&self) -> Outcome {
        let experiment = match (self.arguments.no_measure, &self.arguments.output) {
            (true, _) => None,
            (false, Some(directory)) => Some(std::path::absolute(directory)?),
            (false, None) => {
                let program = Path::new(&self.target.named)
                    .file_stem()
                    .unwrap_or_default();
                let name = format!(
                    "pgas_{}_{}_DATE-TIME",
                    program.to_string_lossy(),
                    self.threads
                );
                Some(std::path::absolute(name)?)
            }
        };
        let set = self.variables(experiment.map(Into::into), Vec::new());
        let (command, own) = self
            .start
            .command(self.target, &environment::for_all(&set), &[])?;
        let own = own
            .into_iter()
            .map(|(name, value)| (name.to_string(), value));
        let mut words: Vec<OsString> = vec!["env".into()];
        for (name, value) in set.into_iter().chain(own) {
            let mut word = OsString::from(name);
            word.push("=");
            word.push(value);
            words.push(word);
        }
        words.extend(command);
        output::deliver(&shown(&words), None)?;
        Ok(0)
    }

    /// Warns if other nodes will not see the experiment.
    fn warn_of_local(&self, directory: &Path) {
        let Some(nodes) = self.start.nodes.filter(|&nodes| nodes > 1) else {
            return;
        };
        if let Some(kind) = reach::node_local(directory) {
            self.ui.warning(format_args!(
                "{} is on this node's own file system ({kind}), which the other {} do not see: \
                 what their threads record is lost; give -o a directory that all nodes share",
                directory.display(),
                match nodes {
                    2 => "node".to_string(),
                    nodes => format!("{} nodes", nodes - 1),
                }
            ));
        }
    }
}

/// Removes the pages of those threads of the run that were killed.
fn remove_pages(key: &str, ui: &Ui) {
    match Runs::find(Path::new(PLACE)) {
        Ok(mut runs) => {
            runs.remove_stale_of(key);
            place::remove_metrics(Path::new(PLACE), key);
        }
        // Without that directory there are no pages.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => ui.warning(format_args!("{PLACE}: cannot read: {error}")),
    }
}

/// The directory that the user named, or one of the usual name in the current directory.
fn new_directory(
    named: Option<&Path>,
    create: impl FnOnce(&Path) -> Result<(), pgas_trace::Error>,
    create_default: impl FnOnce(&Path) -> Result<PathBuf, pgas_trace::Error>,
) -> Result<PathBuf, Failure> {
    if let Some(directory) = named {
        create(directory)?;
        return Ok(directory.to_path_buf());
    }
    let here = Path::new(".");
    let directory = create_default(here)?;
    Ok(directory
        .strip_prefix(here)
        .map(Path::to_path_buf)
        .unwrap_or(directory))
}
