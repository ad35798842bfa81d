//! The formats of `pgastool convert` that are no traces for other measurement systems: events for
//! Perfetto, the result as flame graphs and tables.

use std::path::{Path, PathBuf};

use pgas_base::quantity;
use pgas_cube::model::MetricId;
use pgas_earl::access::EventTrace;
use pgas_result::AnalysisResult;
use pgas_timeline::export::perfetto::{self, Stretch};
use pgas_timeline::export::{flames, tables};

use super::{Arguments, Target, name_of};
use crate::experiment;
use crate::experiment::times::Times;
use crate::failure::Failure;
use crate::process::interrupt;
use crate::terminal::Ui;

/// Slices and bytes that trace viewers in a browser handle without trouble.
const MOST_SLICES: u64 = 5_000_000;
const MOST_BYTES: u64 = 500_000_000;
/// The metric of flame graphs unless another one is asked for.
const METRIC: &str = "time";

/// Writes the experiment that is named in one of these formats; returns the file or directory.
pub fn export(arguments: &Arguments, target: Target, ui: &Ui) -> Result<PathBuf, Failure> {
    reject_other_options(arguments, target)?;
    let directory = experiment::named_or_newest(arguments.input.as_deref(), ui)?;
    let ending = match target {
        Target::Perfetto => ".pftrace",
        Target::Folded => ".folded",
        Target::Speedscope => ".speedscope.json",
        Target::Csv => ".tables",
        _ => ".jsonl",
    };
    let path = match &arguments.output {
        Some(path) => path.clone(),
        None => PathBuf::from(format!("{}{ending}", name_of(&directory)?)),
    };
    if path.is_dir() && target != Target::Csv {
        return Err(Failure::new(format!("{} is a directory", path.display()))
            .help(format!("name the file to write: -o trace{ending}")));
    }
    match target {
        Target::Perfetto => to_perfetto(&directory, &path, arguments, ui)?,
        Target::Folded | Target::Speedscope => {
            let result = AnalysisResult::load(&directory)?;
            let metric = metric(&result, arguments.metric.as_deref().unwrap_or(METRIC))?;
            let count = {
                let progress = ui.progress("converting", None);
                let told = |share| progress.set(share);
                match target {
                    Target::Folded => flames::write_folded(&result, metric, &path, &told)?,
                    _ => flames::write_speedscope(&result, metric, &path, &told)?,
                }
            };
            let what = if target == Target::Folded {
                "call paths"
            } else {
                "profiles"
            };
            ui.note(format_args!("wrote {count} {what}"));
        }
        _ => {
            let result = AnalysisResult::load(&directory)?;
            let rows = {
                let progress = ui.progress("converting", None);
                let told = |share| progress.set(share);
                match target {
                    Target::Csv => tables::write_csv(&result, &path, &told)?,
                    _ => tables::write_json_lines(&result, &path, &told)?,
                }
            };
            ui.note(format_args!("wrote {rows} rows"));
        }
    }
    Ok(path)
}

/// Options that say nothing about a format are not passed over in silence.
fn reject_other_options(arguments: &Arguments, target: Target) -> Result<(), Failure> {
    if target != Target::Perfetto {
        reject_options_of_perfetto(arguments)?;
    }
    match target {
        Target::Folded | Target::Speedscope => Ok(()),
        _ => reject_metric(arguments),
    }
}

/// For formats that these options say nothing about.
pub fn reject_options(arguments: &Arguments) -> Result<(), Failure> {
    reject_options_of_perfetto(arguments)?;
    reject_metric(arguments)
}

fn reject_options_of_perfetto(arguments: &Arguments) -> Result<(), Failure> {
    let given = [
        ("--since", arguments.since.is_some()),
        ("--until", arguments.until.is_some()),
        ("--force", arguments.force),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Failure::new(format!("{option} is for --to perfetto"))),
        None => Ok(()),
    }
}

fn reject_metric(arguments: &Arguments) -> Result<(), Failure> {
    match arguments.metric {
        Some(_) => Err(Failure::new(
            "--metric is for --to folded and --to speedscope",
        )),
        None => Ok(()),
    }
}

fn metric(result: &AnalysisResult, id: &str) -> Result<MetricId, Failure> {
    let cube = &result.cube;
    cube.metric(id).ok_or_else(|| {
        let known: Vec<_> = cube
            .metrics
            .iter()
            .map(|m| m.unique_name.as_str())
            .collect();
        let shown = pgas_report::printable(id, true);
        Failure::new(format!("this result has no metric {shown}"))
            .help(format!("its metrics are {}", known.join(", ")))
    })
}

fn to_perfetto(
    directory: &Path,
    path: &Path,
    arguments: &Arguments,
    ui: &Ui,
) -> Result<(), Failure> {
    let mut experiment = experiment::open(directory, ui)?;
    experiment.stop_on(&interrupt::watch()?);
    for remark in experiment.all_remarks() {
        ui.warning(remark);
    }
    let trace = EventTrace::new(&experiment)?;
    let Some(range) = trace.time_range() else {
        return Err(
            Failure::new(format!("{}: there are no events", directory.display()))
                .help("record the program without --profile"),
        );
    };
    let times = Times::new(*experiment.clock(), range);
    let stretch = Stretch {
        begin: arguments.since.map_or(0, |since| times.first_at(since.0)),
        end: arguments
            .until
            .map_or(u64::MAX, |until| times.first_at(until.0)),
    };
    if stretch.begin >= stretch.end {
        return Err(Failure::new("--since is not before --until"));
    }
    let estimate = perfetto::estimate(&trace, stretch)?;
    if estimate.events == 0 {
        let (first, last) = times.range();
        return Err(Failure::new("there are no events in that time")
            .help(format!("the trace is from {first} to {last} s")));
    }
    let is_large = estimate.slices() > MOST_SLICES || estimate.bytes > MOST_BYTES;
    if is_large && !arguments.force {
        let share = (MOST_SLICES as f64 / estimate.slices() as f64)
            .min(MOST_BYTES as f64 / estimate.bytes as f64);
        let begin = times.seconds(stretch.begin.max(range.0));
        let end = times.seconds(stretch.end.min(range.1));
        return Err(Failure::new(format!(
            "that would be {} slices, about {}, more than viewers take",
            quantity::count(estimate.slices() as f64),
            quantity::bytes(estimate.bytes as f64)
        ))
        .help(format!(
            "choose a stretch of time, such as --since {:.3}s --until {:.3}s, or add --force",
            begin,
            begin + (end - begin) * share * 0.9
        )));
    }
    let symbols = pgas_analyze::symbols_of(&experiment)?;
    let written = {
        let progress = ui.progress("converting", estimate.events);
        perfetto::write(&trace, stretch, path, &symbols, &|share| {
            progress.set(share)
        })?
    };
    if written.interrupted > 0 {
        ui.warning(format!(
            "{} operations have no end: their threads were ended in the midst of them",
            written.interrupted
        ));
    }
    ui.note(format_args!(
        "wrote {} slices, {} arrows and {} samples; open the file in https://ui.perfetto.dev",
        written.slices, written.arrows, written.samples
    ));
    Ok(())
}
