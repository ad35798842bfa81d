//! The cost of recording a whole run: estimated from all threads' calls and recorders, or measured
//! against a plain build.

use pgas_trace::metadata::Baseline;

use crate::recorder::OfThread;

/// Between these multiples of what a call cost when the recorder measured it, it costs in a
/// program. Less, where the two threads of a core rehearsed side by side and the program's do not
/// run so; more, where the program's work takes caches and branch predictors away from it, or where
/// threads queue for a lock that recording makes others hold for longer. Judgement, from the
/// programs of `bench/cost`, where 0.64 and 1.34 were the extremes, and 1.6 with other jobs on both
/// cores.
pub const CALLS_MODEL: (f64, f64) = (0.6, 1.65);

/// Likewise the recorder's own work. More than was measured, since loading a larger program and
/// ending a process with the recorder in it take time before and after anything can be measured.
pub const FIXED_MODEL: (f64, f64) = (0.95, 1.2);

/// Of all threads, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Total {
    calls: f64,
    calls_highest: f64,
    counted: f64,
    counted_most: f64,
    fixed: f64,
    needed: f64,
    cpu: Option<f64>,
    is_whole: bool,
}

/// Cost of recording a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// Seconds of all threads together.
    pub seconds: f64,
    /// Of these, the recorder's own work at the beginning and at the end of the run and in its
    /// helper thread.
    pub fixed_seconds: f64,
    /// Share of the CPU time, in percent; where that is not known, of the total time of all
    /// threads.
    pub percent: f64,
    /// Between which percentages it should be; absent where it was measured against a single run
    /// of a plain build, and where the recorder measured less than whole calls.
    pub interval: Option<(f64, f64)>,
    /// Of the measured run; absent if it is not known.
    pub cpu_seconds: Option<f64>,
    /// The plain build's runs; absent if there were none.
    pub baseline: Option<PlainRuns>,
    /// Factor from the estimate of each call to its part of `seconds`.
    pub scale: f64,
}

/// Runs of a plain build, as far as they say what recording cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlainRuns {
    /// Median of their CPU times, in seconds.
    pub cpu_seconds: f64,
    /// Number of these runs.
    pub runs: u32,
    /// They differ by more than recording costs, so the cost is the estimate, which lies within
    /// what they allow.
    pub differ_too_much: bool,
}

/// A cost in seconds, and its bounds in percent.
#[derive(Debug, Clone, Copy)]
struct Figure {
    seconds: f64,
    interval: Option<(f64, f64)>,
}

impl Figure {
    /// Whether `other` is more precise, and agrees.
    fn is_refined_by(&self, other: &Figure) -> bool {
        let bounds = self.interval.zip(other.interval);
        bounds.is_some_and(|(wide, narrow)| wide.0 <= narrow.0 && narrow.1 <= wide.1)
    }
}

impl Default for Total {
    fn default() -> Self {
        Total {
            calls: 0.0,
            calls_highest: 0.0,
            counted: 0.0,
            counted_most: 0.0,
            fixed: 0.0,
            needed: 0.0,
            cpu: Some(0.0),
            is_whole: true,
        }
    }
}

impl Total {
    /// Adds the cost of one thread's recording.
    pub fn add(&mut self, thread: &OfThread) {
        self.calls += thread.lowest;
        self.calls_highest += thread.highest;
        self.counted += thread.counted;
        self.counted_most += thread.counted_most;
        self.fixed += thread.fixed;
        self.needed += thread.needed;
        self.cpu = self.cpu.zip(thread.cpu).map(|(sum, cpu)| sum + cpu);
        self.is_whole &= thread.is_whole;
    }

    /// From the calls and the recorder's own work; `whole` is what percentages are of, in seconds.
    fn estimate(&self, cpu: Option<f64>, whole: f64) -> Figure {
        // The plain program needs some time, too.
        let most = cpu.map_or(f64::INFINITY, |cpu| (cpu - self.needed).max(0.0));
        let lowest = CALLS_MODEL.0 * self.calls + FIXED_MODEL.0 * self.fixed;
        let highest =
            CALLS_MODEL.1 * self.calls_highest + FIXED_MODEL.1 * self.fixed + self.counted_most;
        // Calls that would fill the whole run have cost less than was measured.
        let lowest = match lowest < most {
            true => lowest,
            false => CALLS_MODEL.0 * most,
        };
        let bounds = [lowest, highest].map(|bound| percent(bound.min(most), whole));
        Figure {
            seconds: (self.calls + self.counted + self.fixed).min(most),
            interval: self.is_whole.then_some((bounds[0], bounds[1])),
        }
    }

    /// `time` is the wall-clock time summed over all threads, `cpu` the CPU time of the whole
    /// process as its parent measured it; both in seconds.
    pub fn conclude(&self, time: f64, cpu: Option<f64>, baseline: Option<&Baseline>) -> Cost {
        let plain = baseline.zip(cpu).and_then(|(plain, cpu)| {
            let median = plain.median()?;
            Some((
                against_plain_runs(&plain.cpu_seconds, median, cpu),
                median,
                plain,
            ))
        });
        let cpu = cpu.or(self.cpu).filter(|&cpu| cpu > 0.0);
        let whole = cpu.unwrap_or(time);
        let estimate = self.estimate(cpu, whole);
        let (figure, baseline) = match plain {
            Some((measured, cpu_seconds, plain)) => {
                let differ_too_much = measured.is_refined_by(&estimate);
                let figure = match differ_too_much {
                    true => estimate,
                    false => measured,
                };
                let runs = PlainRuns {
                    cpu_seconds,
                    runs: plain.cpu_seconds.len() as u32,
                    differ_too_much,
                };
                (figure, Some(runs))
            }
            None => (estimate, None),
        };
        let seconds = figure.seconds;
        let fixed_seconds = self.fixed.min(seconds);
        Cost {
            seconds,
            fixed_seconds,
            percent: percent(seconds, whole),
            interval: figure
                .interval
                .map(|(low, high)| (low.max(0.0), high.max(0.0))),
            cpu_seconds: cpu,
            baseline,
            scale: match self.calls + self.counted > 0.0 {
                true => (seconds - fixed_seconds) / (self.calls + self.counted),
                false => 0.0,
            },
        }
    }
}

/// The difference to the median of the plain runs. It lies between bounds within which the measured
/// run, of which there is but one, differs from what it takes on average by as much of its length
/// as the plain runs differ from each other.
fn against_plain_runs(plain: &[f64], median: f64, cpu: f64) -> Figure {
    let least = plain.iter().copied().fold(f64::INFINITY, f64::min);
    let most = plain.iter().copied().fold(0.0, f64::max);
    let spread = match median > 0.0 {
        true => (most - least) / median,
        false => 0.0,
    };
    let share = |measured: f64, plain: f64| match measured > 0.0 {
        true => 100.0 * (measured - plain) / measured,
        false => 0.0,
    };
    let bounds = (
        share(cpu * (1.0 - spread), most),
        share(cpu * (1.0 + spread), least),
    );
    Figure {
        seconds: (cpu - median).max(0.0),
        interval: (plain.len() > 1).then_some(bounds),
    }
}

fn percent(part: f64, whole: f64) -> f64 {
    match whole > 0.0 {
        true => 100.0 * part / whole,
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(calls: (f64, f64), fixed: f64) -> Total {
        let mut total = Total::default();
        total.add(&OfThread {
            lowest: calls.0,
            highest: calls.1,
            fixed,
            cpu: Some(10.0),
            is_whole: true,
            ..OfThread::default()
        });
        total
    }

    /// A tiny program has next to no calls: what the recorder itself takes is no more certain for
    /// that.
    #[test]
    fn an_interval_is_never_a_point() {
        let cost = total((0.0, 0.0), 5.0).conclude(10.0, None, None);
        let (low, high) = cost.interval.expect("an interval");
        assert!(
            (low - 47.5).abs() < 1e-9 && (high - 60.0).abs() < 1e-9,
            "{cost:?}"
        );
        assert_eq!(
            (cost.percent, cost.fixed_seconds, cost.scale),
            (50.0, 5.0, 0.0)
        );
    }

    #[test]
    fn threads_that_measured_other_costs_widen_the_interval() {
        let interval = |highest| {
            total((2.0, highest), 0.0)
                .conclude(10.0, None, None)
                .interval
        };
        let close = |(low, high): (f64, f64), expected: (f64, f64)| {
            (low - expected.0).abs() < 1e-9 && (high - expected.1).abs() < 1e-9
        };
        assert!(close(interval(2.0).unwrap(), (12.0, 33.0)));
        assert!(close(interval(4.0).unwrap(), (12.0, 66.0)));
    }

    #[test]
    fn something_is_left_for_the_program() {
        let mut total = total((20.0, 30.0), 1.0);
        total.needed = 0.5;
        let cost = total.conclude(10.0, None, None);
        assert_eq!((cost.percent, cost.seconds), (95.0, 9.5));
        let (low, high) = cost.interval.expect("an interval");
        assert!((low - 57.0).abs() < 1e-9 && high == 95.0, "{cost:?}");
        assert!((cost.scale - 8.5 / 20.0).abs() < 1e-12);
    }

    #[test]
    fn a_plain_build_overrules_the_estimate() {
        let plain = |cpu_seconds| Baseline {
            program: "plain".into(),
            cpu_seconds,
        };
        let once = total((2.0, 2.0), 1.0).conclude(10.0, Some(8.0), Some(&plain(vec![2.0])));
        assert_eq!(
            (once.seconds, once.percent, once.interval),
            (6.0, 75.0, None)
        );
        assert_eq!((once.fixed_seconds, once.scale), (1.0, 2.5));
        let thrice = plain(vec![1.9, 2.1, 2.0]);
        let thrice = total((2.0, 2.0), 1.0).conclude(10.0, Some(8.0), Some(&thrice));
        let (low, high) = thrice.interval.expect("an interval");
        assert_eq!(thrice.percent, 75.0);
        // The measured run may have taken from 7.2 to 8.8 s.
        assert!((low - 100.0 * 5.1 / 7.2).abs() < 1e-9, "{low}");
        assert!((high - 100.0 * 6.9 / 8.8).abs() < 1e-9, "{high}");
        // A plain build that took longer does not make recording negative.
        let longer = total((2.0, 2.0), 1.0).conclude(10.0, Some(8.0), Some(&plain(vec![9.0])));
        assert_eq!(
            (longer.seconds, longer.fixed_seconds, longer.scale),
            (0.0, 0.0, 0.0)
        );
    }

    #[test]
    fn plain_runs_that_differ_by_more_than_recording_costs_leave_the_estimate() {
        let plain = |cpu_seconds| Baseline {
            program: "plain".into(),
            cpu_seconds,
        };
        let conclude = |runs| total((0.2, 0.2), 0.1).conclude(10.0, Some(10.0), Some(&plain(runs)));
        let cost = conclude(vec![9.5, 9.9, 9.8]);
        assert!((cost.percent - 3.0).abs() < 1e-9, "{cost:?}");
        let (low, high) = cost.interval.expect("an interval");
        assert!(
            (low - 2.15).abs() < 1e-9 && (high - 4.5).abs() < 1e-9,
            "{cost:?}"
        );
        let baseline = cost.baseline.expect("plain runs");
        assert!(baseline.differ_too_much);
        assert_eq!((baseline.cpu_seconds, baseline.runs), (9.8, 3));
        // Where the estimate contradicts them, it is wrong.
        let cost = conclude(vec![5.0, 5.4, 5.2]);
        assert!((cost.percent - 48.0).abs() < 1e-9, "{cost:?}");
        assert!(!cost.baseline.expect("plain runs").differ_too_much);
        // One run does not say how much runs differ.
        let cost = conclude(vec![9.8]);
        assert!((cost.percent - 2.0).abs() < 1e-9, "{cost:?}");
        assert!(cost.interval.is_none() && !cost.baseline.expect("plain runs").differ_too_much);
    }
}
