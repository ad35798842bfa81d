//! Differences of times that what recording cost can explain: of those a comparison gives no
//! verdict.

use std::collections::BTreeMap;

use pgas_cube::model::{CallPathId, Cube, MetricId, Unit};

use super::Comparison;
use super::change::{Change, Verdict};
use super::gate::GateResult;
use super::grouping::{self, By, EarlierLines, Place};
use super::runs::{Placed, Run};
use crate::inflation::Inflation;
use crate::model::recording::{INFLATED, RecordingCost};

/// Shares of the time that recording took on one side, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Share {
    lowest: f64,
    highest: f64,
    mean: f64,
}

/// Shares by place, before and after; places of which nothing better is known than of the whole run
/// are not in it.
pub(super) type OfPlaces = BTreeMap<Place, (Share, Share)>;

impl Share {
    /// Of sums over runs, in seconds: the time, and what recording took of it.
    fn of_sums(time: f64, lowest: f64, mean: f64, highest: f64) -> Self {
        let share = |cost: f64| match time > 0.0 {
            true => (cost / time).clamp(0.0, 1.0),
            false => 0.0,
        };
        Share {
            lowest: share(lowest),
            highest: share(highest),
            mean: share(mean),
        }
    }

    /// Over all runs; 0 for those that do not say it.
    fn of(runs: &[Run]) -> Self {
        let costs: Vec<(f64, f64, f64)> = runs
            .iter()
            .map(|run| {
                let cost = run.summary.as_ref().and_then(|s| s.recording.cost.as_ref());
                cost.map_or((0.0, 0.0, 0.0), |cost| {
                    let (low, high) = cost.interval.unwrap_or((cost.percent, cost.percent));
                    (low / 100.0, high / 100.0, cost.percent / 100.0)
                })
            })
            .collect();
        let count = costs.len().max(1) as f64;
        Share {
            lowest: costs
                .iter()
                .map(|c| c.0)
                .fold(f64::INFINITY, f64::min)
                .min(1.0),
            highest: costs.iter().map(|c| c.1).fold(0.0, f64::max).min(1.0),
            mean: costs.iter().map(|c| c.2).sum::<f64>() / count,
        }
    }
}

/// Cost of recording in the chosen metric, place by place, from the cost in each call path's
/// exclusive time. Empty if some run does not have it by call path.
pub(super) fn of_places(
    before: (&[Run], &[Placed]),
    after: (&[Run], &[Placed]),
    lines: &EarlierLines,
    metric: MetricId,
    by: By,
) -> OfPlaces {
    let all = || before.0.iter().chain(after.0);
    let costs = all().map(cost_of);
    // A run with no calls to speak of has no call paths with costs.
    let is_known = costs
        .flatten()
        .all(|c| !c.call_paths.is_empty() || c.percent < INFLATED);
    if !is_known || all().all(|run| cost_of(run).is_none()) {
        return OfPlaces::new();
    }
    // The regions that a line lists are those with a value there, and differ between a time and its
    // parts.
    let key = |mut place: Place| {
        if by == By::Line && place.line > 0 {
            place.region.clear();
        }
        place
    };
    let sums = |bound: Bound| -> BTreeMap<Place, (f64, f64)> {
        let scaled = |(runs, placed): (&[Run], &[Placed])| -> Vec<Placed> {
            let both = runs.iter().zip(placed);
            both.map(|(run, placed)| taken(run, placed, metric, bound))
                .collect()
        };
        let rows = grouping::rows(&scaled(before), &scaled(after), lines, metric, by);
        let sum = |values: &[f64]| values.iter().sum::<f64>();
        let rows = rows.into_iter();
        rows.map(|row| (key(row.place), (sum(&row.before), sum(&row.after))))
            .collect()
    };
    let [lowest, mean, highest] = [Bound::Lowest, Bound::Mean, Bound::Highest].map(sums);
    let rows = grouping::rows(before.1, after.1, lines, metric, by).into_iter();
    rows.map(|row| {
        let place = key(row.place.clone());
        let of = |sums: &BTreeMap<Place, (f64, f64)>| sums.get(&place).copied().unwrap_or_default();
        let (low, middle, high) = (of(&lowest), of(&mean), of(&highest));
        let time = |values: &[f64]| values.iter().sum::<f64>();
        let shares = (
            Share::of_sums(time(&row.before), low.0, middle.0, high.0),
            Share::of_sums(time(&row.after), low.1, middle.1, high.1),
        );
        (row.place, shares)
    })
    .collect()
}

fn cost_of(run: &Run) -> Option<&RecordingCost> {
    run.summary.as_ref()?.recording.cost.as_ref()
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Bound {
    Lowest,
    Mean,
    Highest,
}

/// A run with what recording took of a metric in place of the metric. Waiting at a call path may be
/// for threads that recording slowed down elsewhere: at most, recording took the run's share of
/// that, too.
fn taken(run: &Run, placed: &Placed, metric: MetricId, bound: Bound) -> Placed {
    let cost = cost_of(run);
    let inflation = cost.and_then(|cost| Inflation::by_path(&run.cube, cost));
    let (lowest, mean, highest) = cost.map_or((0.0, 0.0, 0.0), |cost| {
        let (low, high) = cost.interval.unwrap_or((cost.percent, cost.percent));
        (low, cost.percent, high)
    });
    let factor = match bound {
        _ if mean <= 0.0 => 0.0,
        Bound::Lowest => lowest / mean,
        Bound::Mean => 1.0,
        Bound::Highest => highest / mean,
    };
    let mut shares = vec![0.0; placed.cube.call_paths.len()];
    for (own, &place) in placed.call_paths.iter().enumerate() {
        let own = CallPathId(own);
        let of_path = inflation.as_ref().map_or(0.0, |i| i.own(own));
        let waiting = match bound {
            Bound::Highest => waiting(&run.cube, own) * highest / 100.0,
            _ => 0.0,
        };
        shares[place.0] = (of_path * factor + waiting).min(1.0);
    }
    let mut taken = placed.clone();
    for (path, share) in shares.into_iter().enumerate() {
        for value in taken.cube.row_mut(metric, CallPathId(path)) {
            *value *= share;
        }
    }
    taken
}

/// Share of a call path's own time in which its thread may have waited for others: in operations
/// that more than one thread takes part in.
fn waiting(cube: &Cube, path: CallPathId) -> f64 {
    let seconds = |name: &str| -> f64 {
        let row = cube.metric(name).and_then(|metric| cube.row(metric, path));
        row.map_or(0.0, |row| row.iter().sum())
    };
    let time = seconds("time");
    match time > 0.0 {
        true => ((seconds("synchronization") + seconds("collective")) / time).clamp(0.0, 1.0),
        false => 0.0,
    }
}

/// Takes back what was said about times that recording may have changed by as much.
pub(super) fn withhold(
    comparison: &mut Comparison,
    before: &[Run],
    after: &[Run],
    of_places: &OfPlaces,
) {
    let (of_before, of_after) = (Share::of(before), Share::of(after));
    if 100.0 * of_before.mean.max(of_after.mean) <= INFLATED {
        return;
    }
    let whole = (of_before, of_after);
    let explains_with = |(of_before, of_after): (Share, Share), before: f64, after: f64| {
        let change = after - before;
        let most = of_after.highest * after - of_before.lowest * before;
        let least = of_after.lowest * after - of_before.highest * before;
        match change >= 0.0 {
            true => change <= most,
            false => change >= least,
        }
    };
    let explains = |before: f64, after: f64| explains_with(whole, before, after);
    let mut withheld = 0;
    let mut judge_with = |change: &mut Change, shares: (Share, Share)| {
        let is_judged = change.verdict.is_change() || change.verdict == Verdict::Unknown;
        let is_explained = explains_with(shares, change.before, change.after);
        if is_judged && change.change != 0.0 && is_explained {
            change.verdict = Verdict::NotJudged;
            withheld += 1;
        }
    };
    if comparison.unit == Unit::Seconds {
        for place in &mut comparison.places {
            let shares = of_places.get(&place.place).copied();
            judge_with(&mut place.change, shares.unwrap_or(whole));
        }
    }
    let mut judge = |change: &mut Change| judge_with(change, whole);
    judge(&mut comparison.wall);
    let metrics = comparison.metrics.iter_mut();
    for metric in metrics.filter(|metric| metric.unit == Unit::Seconds) {
        judge(&mut metric.change);
    }
    for finding in &mut comparison.findings {
        judge(&mut finding.change);
    }
    if let Some(efficiency) = &mut comparison.efficiency {
        for change in [
            &mut efficiency.parallel_efficiency,
            &mut efficiency.load_balance,
            &mut efficiency.communication_efficiency,
        ] {
            // The recording's own time counts as computation.
            if change.change != 0.0 {
                change.verdict = Verdict::NotJudged;
            }
        }
    }
    for gate in &mut comparison.gates {
        let is_time = gate.unit == Unit::Seconds;
        if is_time && gate.result != GateResult::Kept && explains(gate.before, gate.after) {
            gate.result = GateResult::NotJudged;
            withheld += 1;
        }
    }
    let percent = |share: Share| format!("{:.0} %", 100.0 * share.mean);
    comparison.notes.insert(
        0,
        format!(
            "recording took {} of the time before and {} after: {withheld} differences that this \
             could explain are not judged; record less (`pgastool score` proposes a filter), or \
             compare plain builds (--no-instrument)",
            percent(of_before),
            percent(of_after)
        ),
    );
}
