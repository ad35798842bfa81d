//! Choice of the run to watch.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pgas_live::{LivePage, page, place};
use pgas_monitor::runs::{Run, Runs};
use pgas_trace::metadata::{Metadata, State};

use crate::experiment::live_key;
use crate::failure::Failure;
use crate::observing::agents;
use crate::terminal::Ui;

/// How long the first page of an experiment that has just begun may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The run that is watched.
pub struct Chosen {
    /// What its files are named by.
    pub key: String,
    pub experiment: PathBuf,
    /// What its runtime calls itself.
    pub runtime: String,
}

impl Chosen {
    /// The run that the user named by its experiment or a process, or the newest of this user.
    ///
    /// # Errors
    /// If there is none.
    pub fn of(place: &Path, named: Option<&str>, ui: &Ui) -> Result<Self, Failure> {
        let mut runs = Runs::find(place)?;
        let Some(named) = named else {
            return newest(place, &mut runs, ui);
        };
        if Path::new(named).is_dir() {
            return of_experiment(place, Path::new(named));
        }
        match named.parse::<u32>() {
            Ok(process) => of_process(place, &runs, process),
            Err(_) => {
                Err(Failure::new(format!("there is no experiment {named}"))
                    .help(of_runs(&runs.runs)))
            }
        }
    }

    fn new(place: &Path, key: &str, experiment: &Path) -> Self {
        let all = place::all(place).unwrap_or_default();
        let mut pages = all.iter().filter(|found| found.key == key);
        let runtime = pages.find_map(|found| {
            let page = LivePage::open(&found.path).ok()?;
            Some(page::text(&page.header().runtime))
        });
        Chosen {
            key: key.to_owned(),
            experiment: experiment.to_owned(),
            runtime: runtime.unwrap_or_default(),
        }
    }
}

fn newest(place: &Path, runs: &mut Runs, ui: &Ui) -> Result<Chosen, Failure> {
    let removed = runs.remove_stale();
    if removed > 0 {
        ui.note(format_args!(
            "removed {removed} pages of processes that were killed"
        ));
    }
    for problem in &runs.problems {
        ui.warning(problem);
    }
    let Some(run) = runs.runs.last() else {
        let others = match runs.of_others {
            0 => String::new(),
            number => format!("; {number} pages belong to other users, who can watch them"),
        };
        return Err(Failure::new(format!(
            "no program of this user that can be watched runs on this machine{others}"
        ))
        .help("start one with `pgastool run --live -n 4 ./program`"));
    };
    ui.note(format_args!("watching {}", run.experiment.display()));
    if runs.runs.len() > 1 {
        ui.note(of_runs(&runs.runs));
    }
    Ok(Chosen::new(place, &run.key, &run.experiment))
}

fn of_process(place: &Path, runs: &Runs, process: u32) -> Result<Chosen, Failure> {
    let mut all = runs.runs.iter();
    match all.find(|run| run.processes.contains(&process)) {
        Some(run) => Ok(Chosen::new(place, &run.key, &run.experiment)),
        None => Err(
            Failure::new(format!("process {process} has no page that can be watched"))
                .help(of_runs(&runs.runs)),
        ),
    }
}

/// A run that has just begun gets some time for its first page.
fn of_experiment(place: &Path, experiment: &Path) -> Result<Chosen, Failure> {
    let metadata = Metadata::load(experiment)?;
    let key = live_key(&metadata, experiment)?;
    let begin = Instant::now();
    loop {
        let all = place::all(place)?;
        if all.iter().any(|found| found.key == key) {
            return Ok(Chosen::new(place, &key, experiment));
        }
        if agents::is_on_nodes(experiment) {
            return Ok(Chosen::new(place, &key, experiment));
        }
        let metadata = Metadata::load(experiment)?;
        let is_running = matches!(metadata.state, State::Running) && !is_gone(&metadata);
        let may_come = is_running && is_live(&metadata);
        if !may_come || begin.elapsed() > PATIENCE {
            return Err(no_page(experiment));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn is_live(metadata: &Metadata) -> bool {
    let live = metadata.recording.get("live");
    live.is_some_and(|live| live != "off")
}

/// Whether the process that started the program is there no more.
fn is_gone(metadata: &Metadata) -> bool {
    metadata.run.as_ref().is_some_and(|run| !run.is_alive())
}

/// Why there is nothing to watch.
pub fn no_page(experiment: &Path) -> Failure {
    let failure = Failure::new(format!(
        "no thread of {} has a page on this machine",
        experiment.display()
    ));
    let Ok(metadata) = Metadata::load(experiment) else {
        return failure;
    };
    match metadata.state {
        State::Running if is_gone(&metadata) => {
            failure.help("it was killed: `pgastool report` shows what was recorded until then")
        }
        State::Running if is_live(&metadata) => failure.help(
            "its threads may be on other machines: call `pgastool watch` there; or the program was \
             linked with an earlier pgastool",
        ),
        State::Running => failure.help("it was not started with `pgastool run --live`"),
        _ => failure.help("it has ended: `pgastool report` shows what was recorded"),
    }
}

fn of_runs(runs: &[Run]) -> String {
    if runs.is_empty() {
        return "no program of this user that was started with `pgastool run --live` runs on this \
                machine"
            .to_owned();
    }
    let shown = runs.iter().map(|run| run.experiment.display().to_string());
    let shown: Vec<String> = shown.collect();
    format!("runs that can be watched: {}", shown.join(", "))
}
