//! Gives the threads of a running program metrics to keep.

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use pgas_live::{LivePage, MetricValue, place};

use super::choosing::Chosen;
use crate::failure::Failure;
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
    let Some(page) = pages(place, &chosen.key).next() else {
        return Ok(());
    };
    let program = PathBuf::from(format!("/proc/{}/exe", page.header().process));
    let program = std::fs::read_link(&program).unwrap_or(program);
    metrics.add_to(&place::metrics_file(place, &chosen.key), &program, ui)?;
    let begin = Instant::now();
    let names = metrics.names();
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
