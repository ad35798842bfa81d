//! What recording cost a whole run: what all threads' calls and recorders took, or what a plain build shows that they did.

use pgas_trace::experiment::Baseline;

use crate::recorder::OfThread;

/// Between these multiples of what a call cost when the recorder measured it, it costs in a program. Less, where the two threads
/// of a core rehearsed side by side and the program's do not run so; more, where the program's work takes caches and branch
/// predictors away from it. Judgement, from the programs of `bench/cost`, where 0.64 and 1.25 were the extremes.
pub const CALLS_MODEL: (f64, f64) = (0.6, 1.25);

/// Likewise the recorder's own work. More than was measured, since loading a larger program and ending a process with the
/// recorder in it take time before and after anything can be measured.
pub const FIXED_MODEL: (f64, f64) = (0.95, 1.2);

/// Of all threads, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Total {
    calls: f64,
    calls_highest: f64,
    fixed: f64,
    needed: f64,
    cpu: Option<f64>,
    is_whole: bool,
}

/// What recording cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// Seconds of all threads together.
    pub seconds: f64,
    /// Of these, the recorder's own work at the beginning and at the end of the run and in its helper thread.
    pub fixed_seconds: f64,
    /// Share of the CPU time, in percent; where that is not known, of the total time of all threads.
    pub percent: f64,
    /// Between which percentages it should be; absent where a plain build ran once, and where the recorder measured less than
    /// whole calls.
    pub interval: Option<(f64, f64)>,
    /// Of the measured run; absent if it is not known.
    pub cpu_seconds: Option<f64>,
    /// Median of the plain build's CPU time, in seconds, and the number of its runs; absent for an estimate.
    pub baseline: Option<(f64, u32)>,
    /// Factor from the estimate of each call to its part of `seconds`.
    pub scale: f64,
}

impl Default for Total {
    fn default() -> Self {
        Total {
            calls: 0.0,
            calls_highest: 0.0,
            fixed: 0.0,
            needed: 0.0,
            cpu: Some(0.0),
            is_whole: true,
        }
    }
}

impl Total {
    pub fn add(&mut self, thread: &OfThread) {
        self.calls += thread.lowest;
        self.calls_highest += thread.highest;
        self.fixed += thread.fixed;
        self.needed += thread.needed;
        self.cpu = self.cpu.zip(thread.cpu).map(|(sum, cpu)| sum + cpu);
        self.is_whole &= thread.is_whole;
    }

    /// `time` is the wall-clock time summed over all threads, `cpu` the CPU time of the whole process as its parent measured
    /// it; both in seconds.
    pub fn conclude(&self, time: f64, cpu: Option<f64>, baseline: Option<&Baseline>) -> Cost {
        let measured = baseline.zip(cpu).and_then(|(plain, cpu)| {
            let median = plain.median()?;
            let shares = plain.cpu_seconds.iter();
            let shares = shares.map(|plain| percent((cpu - plain).max(0.0), cpu));
            let bounds = shares.fold(None, |bounds: Option<(f64, f64)>, share| {
                let (low, high) = bounds.unwrap_or((share, share));
                Some((low.min(share), high.max(share)))
            });
            Some((
                (cpu - median).max(0.0),
                bounds,
                (median, plain.cpu_seconds.len() as u32),
            ))
        });
        let cpu = cpu.or(self.cpu).filter(|&cpu| cpu > 0.0);
        let whole = cpu.unwrap_or(time);
        let (seconds, interval, baseline) = match measured {
            Some((seconds, bounds, baseline)) => {
                (seconds, bounds.filter(|_| baseline.1 > 1), Some(baseline))
            }
            None => {
                // The plain program needs some time, too.
                let most = cpu.map_or(f64::INFINITY, |cpu| (cpu - self.needed).max(0.0));
                let lowest = CALLS_MODEL.0 * self.calls + FIXED_MODEL.0 * self.fixed;
                let highest = CALLS_MODEL.1 * self.calls_highest + FIXED_MODEL.1 * self.fixed;
                // Calls that would fill the whole run have cost less than was measured.
                let lowest = match lowest < most {
                    true => lowest,
                    false => CALLS_MODEL.0 * most,
                };
                let bounds = [lowest, highest].map(|bound| percent(bound.min(most), whole));
                let bounds = self.is_whole.then_some((bounds[0], bounds[1]));
                ((self.calls + self.fixed).min(most), bounds, None)
            }
        };
        let fixed_seconds = self.fixed.min(seconds);
        Cost {
            seconds,
            fixed_seconds,
            percent: percent(seconds, whole),
            interval,
            cpu_seconds: cpu,
            baseline,
            scale: match self.calls > 0.0 {
                true => (seconds - fixed_seconds) / self.calls,
                false => 0.0,
            },
        }
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

    /// A tiny program has next to no calls: what the recorder itself takes is no more certain for that.
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
        assert!(close(interval(2.0).unwrap(), (12.0, 25.0)));
        assert!(close(interval(4.0).unwrap(), (12.0, 50.0)));
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
        let thrice = plain(vec![1.0, 4.0, 2.0]);
        let thrice = total((2.0, 2.0), 1.0).conclude(10.0, Some(8.0), Some(&thrice));
        assert_eq!(
            (thrice.percent, thrice.interval),
            (75.0, Some((50.0, 87.5)))
        );
        // A plain build that took longer does not make recording negative.
        let longer = total((2.0, 2.0), 1.0).conclude(10.0, Some(8.0), Some(&plain(vec![9.0])));
        assert_eq!(
            (longer.seconds, longer.fixed_seconds, longer.scale),
            (0.0, 0.0, 0.0)
        );
    }
}
