//! `pgastool report --format html`: gathers what goes into the page from the experiment, and from
//! the one that it is compared with.

use crate::experiment::runs;
use crate::experiment::sources;
use crate::failure::Failure;
use crate::terminal::Ui;
use pgas_cube::model::Cube;
use pgas_report::html::{Comparison, Page};
use pgas_result::AnalysisResult;
use pgas_result::comparison::{self, By, Question, Run};
use pgas_result::matching::{Side, matched};
use pgas_result::recording::WaitStates;
use pgas_result::summary::Summary;
use pgas_result::timeline::Timeline;
use std::path::Path;

/// Both sides of a comparison, named as for `pgastool diff`.
pub struct Compare<'a> {
    pub before: &'a Path,
    /// The experiment of the page, or the repeated runs that it is one of.
    pub after: &'a Path,
}

/// The page of an experiment's result, with whatever is kept beside it.
///
/// # Errors
/// If what it is compared with has no result that can be read.
pub fn page(
    directory: &Path,
    result: &AnalysisResult,
    compare: Option<Compare>,
    ui: &Ui,
) -> Result<String, Failure> {
    let sources = sources::kept(directory, ui);
    let experiment = directory.display().to_string();
    let timelines = timelines(directory, result, ui);
    let mut page = Page {
        experiment: Some(&experiment),
        sources: Some(&sources),
        timelines: &timelines,
        ..Page::of(result)
    };
    let Some(Compare {
        before: other,
        after: named,
    }) = compare
    else {
        return Ok(pgas_report::html(&page));
    };
    let mut remarks = Vec::new();
    let before = runs::read(other.as_os_str(), "before", &mut remarks)?;
    let mut after = runs::read(named.as_os_str(), "after", &mut remarks)?;
    // The run of the page comes first, so that its call paths keep their numbers in what is
    // compared.
    after.sort_by_key(|run| run.name != experiment);
    for remark in &remarks {
        ui.warning(remark);
    }
    let judged = match before.len() > 1 && after.len() > 1 {
        true => Some(judged(&before, &after)?),
        false => None,
    };
    let typical = typical(&before).ok_or_else(|| {
        let other = other.display();
        Failure::new(format!(
            "the page cannot be compared with {other}: it has severities alone"
        ))
        .help("name experiments that were analysed; `pgastool diff` takes CUBE files as well")
    })?;
    let mean;
    let cube = match before.as_slice() {
        [only] => &only.cube,
        several => {
            let cubes: Vec<&Cube> = several.iter().map(|run| &run.cube).collect();
            mean = pgas_cube::algebra::mean(&cubes).map_err(Failure::new)?;
            &mean
        }
    };
    let matched = matched(
        Side {
            cube,
            sources: before.iter().find_map(|run| run.sources.as_ref()),
        },
        Side {
            cube: &result.cube,
            sources: Some(&sources),
        },
    );
    let name = other.display().to_string();
    page.comparison = Some(Comparison {
        matched: &matched,
        before: typical,
        name: &name,
        runs: judged.as_ref(),
    });
    Ok(pgas_report::html(&page))
}

/// The comparison of `pgastool diff` by call path.
fn judged(before: &[Run], after: &[Run]) -> Result<comparison::Comparison, Failure> {
    let question = Question {
        metric: "time".to_owned(),
        by: By::CallPath,
        limits: Vec::new(),
    };
    comparison::compare(before, after, &question).map_err(Failure::new)
}

/// Of the run whose time is the median of those that tell more than severities.
fn typical(runs: &[Run]) -> Option<&Summary> {
    let mut told: Vec<&Summary> = runs.iter().filter_map(|run| run.summary.as_ref()).collect();
    told.sort_by(|a, b| a.wall_seconds.total_cmp(&b.wall_seconds));
    told.get(told.len().saturating_sub(1) / 2).copied()
}

/// Activity of the threads around the worst instances. A page is complete without it, too: for a
/// trace that is gone or damaged, there is none.
fn timelines(directory: &Path, result: &AnalysisResult, ui: &Ui) -> Vec<Timeline> {
    if result.summary.recording.wait_states == WaitStates::None {
        return Vec::new();
    }
    let instances = &result.summary.instances;
    if result.summary.worst_instances.is_empty() && instances.iter().any(|i| i.worst.is_some()) {
        ui.warning(format_args!(
            "the page has no timelines: an earlier version analysed {0}; `pgastool analyze {0}` \
             adds them",
            directory.display()
        ));
        return Vec::new();
    }
    let progress = ui.progress("looking at the worst instances", None);
    let told = |fraction| progress.set(fraction);
    pgas_timeline::load_or_make(directory, result, &told).unwrap_or_else(|error| {
        ui.warning(format_args!("the page has no timelines: {error}"));
        Vec::new()
    })
}
