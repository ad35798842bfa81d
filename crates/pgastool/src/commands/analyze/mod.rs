//! `pgastool analyze`: searches the trace of an experiment and leaves the result in it.

mod processes;

use crate::experiment::{self, sources};
use crate::failure::{Failure, Outcome};
use crate::installation;
use crate::output;
use crate::process::interrupt;
use crate::recording;
use crate::terminal::{Ui, unicode_locale};
use clap::Args;
use pgas_analyze::distributed::Team;
use pgas_base::quantity;
use pgas_cube::model::Cube;
use pgas_cube::topology::Topology;
use pgas_result::AnalysisResult;
use pgas_result::summary::Summary;
use pgas_result::watched;
use pgas_trace::Interruption;
use rayon::ThreadPool;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Search an experiment for wait states and other causes of lost time
#[derive(Debug, Args)]
pub struct Arguments {
    /// The experiment [default: the newest one in the current directory]
    pub experiment: Option<PathBuf>,
    /// Cores to use; the result does not depend on it [default: all]
    #[arg(long, short = 'j', value_name = "N", env = "PGAS_JOBS", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Look for the program's source text below this directory first; may be given several times
    #[arg(long, value_name = "DIR")]
    pub source_dir: Vec<PathBuf>,
    /// For programs of tasks: analysed run of the same program on one processor, to which
    /// efficiency and speedup are relative
    #[arg(long, value_name = "EXPERIMENT")]
    pub one_processor: Option<PathBuf>,
}

/// `cube` with the place of the installed pattern reference, which its metrics link to.
fn with_help(mut cube: Cube) -> Cube {
    let page = installation::reference();
    let directory = page.as_deref().and_then(Path::parent);
    cube.mirrors.extend(directory.map(file_url));
    cube
}

/// `cube` with its threads in a row, and on the grid that they communicate along, if they do.
fn with_topologies(mut cube: Cube, summary: &Summary) -> Cube {
    let threads = cube.threads.len();
    let grid = summary.communication.as_ref();
    let grid = grid.and_then(|c| pgas_result::grid::communication_grid(c, threads));
    let mut line = Topology::line(threads);
    let words = summary.words();
    line.name = words.say(&line.name);
    for dimension in &mut line.dimensions {
        dimension.name = words.say(&dimension.name);
    }
    cube.topologies = vec![line];
    cube.topologies.extend(grid);
    cube
}

/// A directory as an address, in which every byte that could mean something else is written as its
/// number.
fn file_url(directory: &Path) -> String {
    let mut url = String::from("file://");
    for &byte in directory.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' => url.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => url.push(byte.into()),
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url.push('/');
    url
}

/// Alone, or together with other processes.
pub fn analyze(arguments: &Arguments, ui: &Ui) -> Outcome {
    let interruption = interrupt::watch()?;
    let cores = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.unwrap_or(0).into());
    let cores = cores.build()?;
    processes::run(&cores, &interruption, ui, |team| {
        let workers = match team {
            Some(team) => Workers::Team(team),
            None => Workers::Cores(&cores),
        };
        analyze_all(arguments, workers, &interruption, ui)
    })
}

/// Processes that carry out the analysis.
enum Workers<'a, 'b> {
    /// This process alone.
    Cores(&'a ThreadPool),
    /// This process and others.
    Team(&'a mut Team<'b>),
}

/// Of a series, all runs; one that cannot be analysed does not keep the others from it.
fn analyze_all(
    arguments: &Arguments,
    mut workers: Workers,
    interruption: &Interruption,
    ui: &Ui,
) -> Outcome {
    let (directory, runs) = experiment::all_named_or_newest(arguments.experiment.as_deref(), ui)?;
    let mut failures: Vec<PathBuf> = Vec::new();
    for run in &runs {
        let Err(failure) = analyze_one(run, arguments, &mut workers, interruption, ui) else {
            continue;
        };
        if runs.len() == 1 || interruption.check().is_err() {
            return Err(failure);
        }
        ui.failure(&failure);
        failures.push(run.clone());
    }
    output::deliver(&directory.display().to_string(), None)?;
    match failures.as_slice() {
        [] => Ok(0),
        failures => {
            let names: Vec<String> = failures
                .iter()
                .map(|run| run.display().to_string())
                .collect();
            Err(Failure::new(format!(
                "{} of {} runs could not be analysed: {}",
                failures.len(),
                runs.len(),
                names.join(", ")
            )))
        }
    }
}

fn analyze_one(
    directory: &Path,
    arguments: &Arguments,
    workers: &mut Workers,
    interruption: &Interruption,
    ui: &Ui,
) -> Result<(), Failure> {
    let started = Instant::now();
    let mut experiment = experiment::open(directory, ui)?;
    let live = experiment.metadata().recording.get(recording::LIVE);
    if live.is_some_and(|live| live == recording::ONLY) {
        return Err(Failure::new(format!(
            "{}: nothing was recorded, as the run had --live=only",
            directory.display()
        ))
        .help("run the program with --live, or without it, to have something to analyse"));
    }
    experiment.stop_on(interruption);
    let mut result = {
        let progress = ui.progress("analysing", experiment.event_count());
        let told = |fraction| progress.set(fraction);
        let analysis = match workers {
            Workers::Cores(cores) => cores.install(|| pgas_analyze::analyze(&experiment, &told))?,
            Workers::Team(team) => pgas_analyze::analyze_shared(&experiment, team, &told)?,
        };
        // The last moment at which nothing has been written.
        interruption.check()?;
        AnalysisResult {
            cube: with_topologies(with_help(analysis.cube), &analysis.summary),
            summary: analysis.summary,
        }
    };
    if let Some(alone) = &arguments.one_processor {
        relate(&mut result, directory, alone)?;
    }
    let metadata = experiment.metadata();
    let sources = sources::gather(directory, metadata, &result.cube, &arguments.source_dir);
    result.summary.remarks.extend(sources::left_out(&sources));
    match watched::load_for(directory, result.summary.threads) {
        Ok(findings) => result.summary.live_findings = findings,
        Err(error) => ui.warning(error),
    }
    result.save(directory)?;
    sources.save(directory)?;

    for remark in &result.summary.remarks {
        ui.warning(remark);
    }
    sources::tell_missing(&sources, ui);
    let findings = match result.summary.findings.len() {
        0 => "nothing found that costs much".to_string(),
        1 => "1 finding".to_string(),
        n => format!("{n} findings"),
    };
    ui.note(format_args!(
        "analysed {} in {}: {findings}; see `pgastool report {}`",
        result
            .summary
            .words()
            .count(result.summary.threads as usize),
        quantity::seconds(started.elapsed().as_secs_f64(), !unicode_locale()),
        directory.display()
    ));
    Ok(())
}

/// Makes efficiency and speedup of a program of tasks those relative to its run on one processor.
fn relate(result: &mut AnalysisResult, directory: &Path, alone: &Path) -> Result<(), Failure> {
    let run_time = result.summary.wall_seconds;
    let Some(tasks) = &mut result.summary.tasks else {
        return Err(Failure::new(format!(
            "{}: --one-processor is for programs of tasks, and this is none",
            directory.display()
        ))
        .help("leave --one-processor out"));
    };
    let other = AnalysisResult::load(alone)?.summary;
    let processors = other.tasks.map(|tasks| tasks.processors.len());
    if processors != Some(1) {
        let found = processors.map_or_else(
            || "a program that has no tasks".to_owned(),
            |processors| format!("{processors} processors"),
        );
        return Err(Failure::new(format!(
            "{}: --one-processor needs a run on 1 processor, and this is one of {found}",
            alone.display()
        ))
        .help("record the program with `pgastool run -n 1`, and analyse that first"));
    }
    tasks.relate_to(other.wall_seconds, run_time);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_no_signs_with_a_meaning() {
        let url = file_url(Path::new("/opt/my tools/share#1/ä"));
        assert_eq!(url, "file:///opt/my%20tools/share%231/%C3%A4/");
    }
}
