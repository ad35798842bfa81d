//! Gives the threads of a running program metrics to keep.

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use pgas_live::{LivePage, MetricValue, place};
use pgas_trace::metadata::Metadata;

use super::choosing::Chosen;
use crate::failure::Failure;
use crate::observing::agents;
use crate::recording::metrics::MetricDefinitions;
use crate::terminal::Ui;

/// How long a thread that is at work may take: the recorder looks several times a second, and a
/// thread takes a metric over at its next event.
const PATIENCE: Duration = Duration::from_secs(3);

/// Hands the definitions over, and waits until a thread has them.
///
/// # Errors
/// If they cannot be written.
pub fn add(
    place: &Path,
    chosen: &Chosen,
    metrics: &MetricDefinitions,
    ui: &Ui,
) -> Result<(), Failure> {
    if metrics.is_empty() {
        return Ok(());
    }
    let is_on_nodes = agents::is_on_nodes(&chosen.experiment);
    let program = match pages(place, &chosen.key).next() {
        Some(page) => {
            let link = PathBuf::from(format!("/proc/{}/exe", page.header().process));
            std::fs::read_link(&link).unwrap_or(link)
        }
        None => program_of(&chosen.experiment),
    };
    metrics.add_to(&place::metrics_file(place, &chosen.key), &program, ui)?;
    if is_on_nodes {
        // The manager of the run passes them on.
        return Ok(());
    }
    let names = metrics.names();
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        if pages(place, &chosen.key).any(|page| has_all(&page, &names)) {
            return Ok(());
        }
        sleep(Duration::from_millis(50));
    }
    ui.warning(format_args!(
        "no thread keeps {} yet: threads take metrics over at their next event, and have at most {} \
         (the program's standard error says what was refused)",
        names.join(", "),
        pgas_live::metric::METRICS,
    ));
    Ok(())
}

/// The program as the run was given it, from the directory in which it was started.
fn program_of(experiment: &Path) -> PathBuf {
    let Ok(metadata) = Metadata::load(experiment) else {
        return PathBuf::new();
    };
    let directory = metadata.directory.unwrap_or_default();
    Path::new(&directory).join(metadata.program)
}

fn pages<'a>(place: &Path, key: &'a str) -> impl Iterator<Item = LivePage> + 'a {
    let all = place::all(place).unwrap_or_default();
    let of_run = all.into_iter().filter(move |found| found.key == key);
    of_run.filter_map(|found| LivePage::open(&found.path).ok())
}

fn has_all(page: &LivePage, names: &[String]) -> bool {
    let Ok(snapshot) = page.snapshot() else {
        return false;
    };
    let is_there = |name: &String| {
        snapshot.metrics.iter().any(|metric| match metric {
            MetricValue::Counter { name: known, .. } | MetricValue::Timer { name: known, .. } => {
                known == name
            }
        })
    };
    names.iter().all(is_there)
}
