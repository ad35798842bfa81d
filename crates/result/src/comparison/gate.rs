//! Limits on how much worse a metric may become, for automatic checks of changes.

use serde::Serialize;

use pgas_cube::model::Unit;

use pgas_statistics::difference::Difference;
use pgas_statistics::trimmed::mean;

use super::CONFIDENCE;

/// Name of the run time among metrics.
pub const WALL_TIME: &str = "wall_time";

/// A metric and by how many percent it may grow.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Limit {
    /// Unique name of a metric, or [`WALL_TIME`].
    pub metric: String,
    /// Of the value before, 0 or more.
    pub percent: f64,
}

impl std::str::FromStr for Limit {
    type Err = String;

    /// `METRIC+PERCENT`, such as `wait_at_barrier+10`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected METRIC+PERCENT, such as wait_at_barrier+10";
        let (metric, percent) = text.rsplit_once('+').ok_or(expected)?;
        let percent = percent.strip_suffix('%').unwrap_or(percent);
        let percent: f64 = percent.trim().parse().map_err(|_| expected)?;
        if metric.is_empty() || !percent.is_finite() || percent < 0.0 {
            return Err(expected.to_owned());
        }
        Ok(Limit {
            metric: metric.to_owned(),
            percent,
        })
    }
}

/// How a metric fared against its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GateResult {
    /// Not above the limit.
    Kept,
    /// Above it in the mean, but noise explains that as well; needs more runs.
    Unclear,
    /// Above it, but what recording cost the two sides could explain that.
    NotJudged,
    /// Above the limit.
    Exceeded,
}

/// A limit, what it comes to, and what was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gate {
    /// The metric and its largest growth, as the user chose them.
    #[serde(flatten)]
    pub limit: Limit,
    /// Unit of `before`, `after` and `allowed`.
    #[serde(skip)]
    pub unit: Unit,
    /// Mean over runs of the sum over threads, or of the mean over threads if both sides have
    /// different numbers of them.
    pub before: f64,
    /// As `before`.
    pub after: f64,
    /// Largest `after` that keeps to the limit.
    pub allowed: f64,
    /// Whether `after` keeps to the limit, given noise and the cost of recording.
    pub result: GateResult,
}

/// Checks a limit. With repeated runs on both sides it counts as exceeded only if that is so with a
/// confidence of 95 % (one-sided Welch test of the later values against the earlier ones times what
/// is allowed); otherwise the means decide. In any case the growth must be above `floor`, so that
/// next to nothing, or nothing, may have grown by any percentage.
pub(super) fn check(limit: &Limit, unit: Unit, before: &[f64], after: &[f64], floor: f64) -> Gate {
    let factor = 1.0 + limit.percent / 100.0;
    let scaled: Vec<f64> = before.iter().map(|value| value * factor).collect();
    let allowed = mean(&scaled).max(mean(before) + floor);
    let exceeds = mean(after) > allowed;
    let certain = match Difference::of(&scaled, after) {
        Some(difference) => difference.lower_bound(CONFIDENCE) > 0.0,
        None => true,
    };
    Gate {
        limit: limit.clone(),
        unit,
        before: mean(before),
        after: mean(after),
        allowed,
        result: match (exceeds, certain) {
            (false, _) => GateResult::Kept,
            (true, false) => GateResult::Unclear,
            (true, true) => GateResult::Exceeded,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(percent: f64, before: &[f64], after: &[f64]) -> GateResult {
        let limit = Limit {
            metric: "time".into(),
            percent,
        };
        check(&limit, Unit::Seconds, before, after, 0.01).result
    }

    #[test]
    fn single_runs_are_taken_at_their_word() {
        assert_eq!(result(10.0, &[1.0], &[1.09]), GateResult::Kept);
        assert_eq!(result(10.0, &[1.0], &[1.11]), GateResult::Exceeded);
        assert_eq!(result(0.0, &[1.0], &[0.5]), GateResult::Kept);
    }

    #[test]
    fn repeated_runs_must_be_sure() {
        let before = [1.0, 1.02, 0.98];
        assert_eq!(
            result(10.0, &before, &[1.5, 1.52, 1.48]),
            GateResult::Exceeded
        );
        assert_eq!(result(10.0, &before, &[1.0, 1.6, 1.0]), GateResult::Unclear);
        assert_eq!(result(10.0, &before, &[1.05, 1.06, 1.04]), GateResult::Kept);
    }

    #[test]
    fn nothing_may_become_next_to_nothing() {
        assert_eq!(result(10.0, &[0.0], &[0.009]), GateResult::Kept);
        assert_eq!(result(10.0, &[0.0], &[0.02]), GateResult::Exceeded);
        assert_eq!(
            result(10.0, &[0.0, 0.0], &[0.02, 0.021]),
            GateResult::Exceeded
        );
    }

    #[test]
    fn limits_are_read_as_written() {
        let limit: Limit = "wait_at_barrier+10".parse().unwrap();
        assert_eq!(
            (limit.metric.as_str(), limit.percent),
            ("wait_at_barrier", 10.0)
        );
        let limit: Limit = "a+b+2.5%".parse().unwrap();
        assert_eq!((limit.metric.as_str(), limit.percent), ("a+b", 2.5));
        for wrong in ["time", "+3", "time+", "time+x", "time+-3", "time+inf"] {
            assert!(wrong.parse::<Limit>().is_err(), "{wrong}");
        }
    }
}
