//! Consistency of the summary beyond findings: instances, causes, accesses, recording, iterations.

use super::Check;
use crate::model::phases::MetricSeries;

/// Relative width of the bins of a histogram of durations.
const BINNED: f64 = 0.02;

impl Check<'_> {
    pub(super) fn instances(&self) {
        let summary = self.summary;
        for statistics in &summary.instances {
            let metric = &statistics.metric;
            let what = |figure: &str| {
                let place = self.name(statistics.call_path);
                format!("{figure} of {metric} at {place}")
            };
            let all = statistics.spread.map(|spread| spread.instances);
            let sum = all.map(|all| all.mean * all.count as f64);
            let (largest, count) = (what("worst instance"), what("number of instances"));
            let longest = what("longest wait of the worst instance");
            if let Some(worst) = &statistics.worst {
                self.at_most(worst.seconds, sum.unwrap_or(f64::MAX), || largest);
                if let Some(seconds) = worst.longest_seconds {
                    self.at_most(seconds, worst.seconds, || longest);
                }
            }
            let counted: u64 = statistics.last_counts.iter().sum();
            let agrees = all.is_none_or(|all| all.count == statistics.instances);
            self.must(agrees && counted <= statistics.instances, || {
                format!("{count}: {} and {counted}", statistics.instances)
            });
        }
    }

    /// The waits that a timeline shows add up to the statistics of the same instance.
    pub(super) fn worst_instances(&self) {
        for times in &self.summary.worst_instances {
            let (metric, call_path) = (&times.metric, times.call_path);
            let mut all = self.summary.instances.iter();
            let own = all.find(|s| s.metric == *metric && s.call_path == call_path);
            let Some(worst) = own.and_then(|own| own.worst.as_ref()) else {
                continue;
            };
            let parts = times.waits.iter().flat_map(|wait| &wait.parts);
            let waited = parts.map(|(begin, end)| end - begin).sum();
            self.equal(waited, worst.seconds, || {
                let place = self.name(call_path);
                format!("waits in the worst instance of {metric} at {place}, and their sum")
            });
        }
    }

    pub(super) fn causes(&self) {
        let Some(causes) = &self.summary.causes else {
            return;
        };
        let path = &causes.critical_path;
        let by_thread = path.by_thread.iter().sum();
        self.equal(by_thread, path.seconds, || {
            "critical path by thread, and its length".into()
        });
        // Where clocks contradict each other it may be longer than the run, but each thread's part
        // is its own time.
        let time = self
            .cube
            .metric("time")
            .map(|time| self.cube.per_thread(time));
        let threads = path.by_thread.iter().zip(time.unwrap_or_default());
        for (thread, (&seconds, time)) in threads.enumerate() {
            self.at_most(seconds, time, || {
                format!("critical path on thread {thread}")
            });
        }
        let metric = self.cube.metric("critical_path");
        let whole = metric.map_or(0.0, |metric| self.cube.total(metric));
        self.equal(path.seconds, whole, || {
            "critical path, and the metric".into()
        });
        for part in &path.call_paths {
            let at = self.at_id("critical_path", part.call_path);
            let imbalance = self.at_id("critical_path_imbalance", part.call_path);
            let place = self.name(part.call_path);
            self.equal(part.seconds, at, || {
                format!("critical path at {place}, and the metric")
            });
            // Shares of threads are rounded to ticks.
            self.at_most(part.imbalance_seconds, part.seconds, || {
                format!("imbalance on the critical path at {place}")
            });
            self.at_most(imbalance, part.seconds, || {
                format!("metric of imbalance on the critical path at {place}")
            });
        }
        for cause in &causes.root_causes {
            let place = self.name(cause.call_path);
            for (metric, seconds) in [
                ("delay_short_term", cause.short_term_seconds),
                ("delay_long_term", cause.long_term_seconds),
            ] {
                let at = self.of_thread(metric, cause.call_path, cause.thread);
                self.equal(seconds, at, || {
                    format!(
                        "root cause at {place} on thread {}, and {metric}",
                        cause.thread
                    )
                });
            }
            let all = cause.short_term_seconds + cause.long_term_seconds;
            let effects = cause.effects.iter().map(|effect| effect.seconds).sum();
            self.at_most(effects, all, || {
                format!("effects of the root cause at {place}")
            });
        }
    }

    pub(super) fn accesses(&self) {
        let accesses = &self.summary.accesses;
        let runs = accesses.fine_grained.iter().flat_map(|runs| {
            let threads = runs.threads.iter();
            threads.map(|t| ("runs", runs.call_path, t.thread, t.seconds, t.saves_seconds))
        });
        let own = accesses.own_affinity.iter().flat_map(|own| {
            let threads = own.threads.iter();
            threads.map(|t| {
                (
                    "own data",
                    own.call_path,
                    t.thread,
                    t.seconds,
                    t.saves_seconds,
                )
            })
        });
        let layout = accesses.layout.iter().flat_map(|layout| {
            let threads = layout.threads.iter();
            threads.map(|t| ("layout", layout.call_path, t.thread, t.seconds, 0.0))
        });
        for (kind, call_path, thread, seconds, saved) in runs.chain(own).chain(layout) {
            let whole = self.of_thread("one_sided", call_path, thread);
            let place = self.name(call_path);
            let what = || format!("accesses ({kind}) of thread {thread} at {place}");
            self.at_most(seconds, whole, what);
            self.at_most(saved, seconds, || format!("saving: {}", what()));
        }
        for side in &accesses.wrong_side {
            let seconds = side.data.iter().map(|data| data.seconds).sum();
            let whole = self.at_id("one_sided", side.call_path);
            let place = self.name(side.call_path);
            self.at_most(seconds, whole, || {
                format!("accesses to misplaced data at {place}")
            });
        }
    }

    pub(super) fn synchronization(&self) {
        let advice = self.summary.synchronization.iter().flat_map(|s| &s.advice);
        for advice in advice {
            let whole = self.at_id("time", advice.call_path);
            let place = self.name(advice.call_path);
            self.at_most(advice.seconds, whole, || {
                format!("synchronization that was not needed at {place}")
            });
            self.at_most(advice.saves_seconds, self.summary.wall_seconds, || {
                format!("saving of synchronization that was not needed at {place}")
            });
        }
    }

    pub(super) fn recording(&self) {
        let recording = &self.summary.recording;
        let throttled = recording.throttled.iter();
        for throttled in throttled.clone() {
            let what = || format!("throttled calls of {}", throttled.region);
            let percent = self.percent(throttled.seconds);
            self.equal(throttled.percent, percent, what);
            self.must(throttled.timed_calls <= throttled.calls, what);
        }
        let all = throttled.map(|throttled| throttled.seconds).sum();
        self.at_most(all, self.time, || "throttled calls in all time".into());
        if let Some(end) = recording.trace_ends_seconds {
            self.at_most(end, self.summary.wall_seconds, || "end of the trace".into());
        }
        if let Some(cost) = &recording.cost {
            // A share of CPU time, of which there is less than time on a busy machine.
            let whole = cost.cpu_seconds.unwrap_or(self.time);
            self.equal(cost.percent * whole, 100.0 * cost.seconds, || {
                "share and seconds of what recording cost".into()
            });
            for path in &cost.call_paths {
                let whole = self.at_id("time", path.call_path);
                let place = self.name(path.call_path);
                self.at_most(path.seconds, whole, || {
                    format!("what recording cost at {place}")
                });
            }
        }
    }

    pub(super) fn phases(&self) {
        for each in &self.summary.phases {
            let what = |figure: &str| format!("{figure} of the iterations at {}", each.region);
            // A median is that of a histogram.
            let above = each.max_seconds * (1.0 + BINNED);
            let below = each.min_seconds * (1.0 - BINNED);
            self.at_most(each.min_seconds, each.mean_seconds, || what("minimum"));
            self.at_most(each.mean_seconds, each.max_seconds, || what("mean"));
            self.at_most(below, each.median_seconds, || what("median"));
            self.at_most(each.median_seconds, above, || what("median"));
            self.at_most(each.end_seconds, self.summary.wall_seconds, || what("end"));
            self.at_most(each.begin_seconds, each.end_seconds, || what("begin"));
            self.at_most(each.coverage, 1.0, || what("coverage"));
            // An iteration's imbalance is between its own threads; over iterations it may level
            // out.
            let own = ["duration", "imbalance"];
            // Times of throttled calls are moved between call paths as a whole, iterations have
            // them as they were recorded.
            let is_throttled = !self.summary.recording.throttled.is_empty();
            let comparable =
                |series: &&MetricSeries| !own.contains(&series.metric.as_str()) && !is_throttled;
            for series in each.series.iter().filter(comparable) {
                let metric = self.cube.metric(&series.metric);
                let Some(metric) = metric else {
                    self.note(what(&series.metric));
                    continue;
                };
                let whole = self.cube.total(metric);
                // Where a value is of several iterations, the last few may be in none.
                let covered =
                    (series.values.len() as u64).saturating_mul(each.iterations_per_value);
                let calls = covered.min(each.iterations) as f64 * self.cube.threads.len() as f64;
                self.at_most(series.mean * calls, whole, || what(&series.metric));
            }
        }
    }
}
