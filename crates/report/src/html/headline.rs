//! The result in two sentences: how well the processors were used, and what to fix first.

use pgas_result::AnalysisResult;
use pgas_result::summary::Finding;

use crate::figures::{Activity, GOOD, activities, place};
use crate::inflated;
use crate::quantity::{percent, seconds};

/// The first sentence says how efficient the run is, after one about times that recording has
/// inflated; the others what decides it.
pub(super) fn sentences(result: &AnalysisResult) -> Vec<String> {
    let words = result.summary.words();
    let warning = inflated::warning(result).map(|text| words.say(&text));
    let mut sentences: Vec<String> = warning.into_iter().collect();
    sentences.push(efficiency(result));
    let first = result.summary.findings.first();
    sentences.extend(first.map(|finding| worth_most(result, finding)));
    sentences
}

/// Whether computation can be distinguished from recording.
pub(super) fn is_efficiency_judged(result: &AnalysisResult) -> bool {
    let cost = result.summary.recording.cost.as_ref();
    !cost.is_some_and(|cost| cost.is_inflating())
}

fn efficiency(result: &AnalysisResult) -> String {
    let share = result.summary.efficiency.parallel_efficiency;
    let computing = percent(share * 100.0);
    let is_judged = is_efficiency_judged(result);
    if !share.is_finite() {
        return "How efficient the run is, is not known.".to_owned();
    }
    let threads = activities(&result.cube);
    let sum = |part: fn(&Activity) -> f64| threads.iter().map(part).sum::<f64>();
    let total = sum(Activity::total);
    let (waiting, communication) = (sum(|a| a.waiting), sum(|a| a.communication));
    let rest = match total > 0.0 {
        true if waiting >= communication && waiting > 0.0 => {
            format!("; {} is waiting", percent(waiting / total * 100.0))
        }
        true if communication > 0.0 => format!(
            "; {} is communication",
            percent(communication / total * 100.0)
        ),
        _ => String::new(),
    };
    match share {
        _ if !is_judged => {
            format!("{computing} of the processors' time is computation or recording{rest}.")
        }
        s if s >= GOOD => {
            format!(
                "The run is efficient: {computing} of the processors' time is computation{rest}."
            )
        }
        _ => format!("Only {computing} of the processors' time is computation{rest}."),
    }
}

fn worth_most(result: &AnalysisResult, finding: &Finding) -> String {
    let title = finding.name(&result.cube);
    let at = match place(&finding.file, finding.line) {
        place if place.is_empty() => String::new(),
        place => format!(" at {place}"),
    };
    let wall = result.summary.wall_seconds;
    match finding.saves_seconds {
        Some(saves) if saves > 0.0 && wall > 0.0 => format!(
            "Fix first: {title}{at}. Without it, the run would take up to {} less of {} ({}).",
            seconds(saves, false),
            seconds(wall, false),
            percent(saves / wall * 100.0)
        ),
        _ => format!(
            "Largest loss: {title}{at}, {} of all {}' time.",
            percent(finding.percent),
            result.summary.words().many
        ),
    }
}
