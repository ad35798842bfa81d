//! One thread between two looks at its page.

use std::path::Path;

use pgas_live::{Activity, LivePage, Problem, Snapshot, State, page};
use pgas_trace::metadata::Metadata;
use pgas_trace::model::Site;
use pgas_trace::places;
use serde::{Deserialize, Serialize};

use crate::class::Class;
use crate::metrics;
use crate::picture::{Bytes, Now, OperationTime, Place, Times};
use crate::task_part::{Looks, TaskPart, memory_of};
use crate::wait_states::{self, WaitStates};

/// A thread that is watched.
#[derive(Debug)]
pub(crate) struct Thread {
    pub(crate) number: u32,
    page: LivePage,
    /// Places with their names.
    sites: Vec<Site>,
    last: Option<Snapshot>,
    /// The page does not change any more.
    pub(crate) has_ended: bool,
}

/// What a thread did between two looks.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Period {
    pub(crate) seconds: f64,
    pub(crate) times: Times,
    pub(crate) calls: f64,
    pub(crate) bytes: Bytes,
    /// By row of the page, those without time and calls left out.
    pub(crate) operations: Vec<OperationTime>,
    /// Of each of them, what [`OperationTime`] does not have as JSON.
    #[serde(default)]
    pub(crate) wait_states: Vec<Option<WaitStates>>,
}

/// A thread as it is now, which other processes can be sent.
#[derive(Debug, Serialize, Deserialize)]
pub struct Seen {
    pub(crate) now: Now,
    pub(crate) class: Option<Class>,
    /// Mean seconds of earlier calls of the operation that it is in, if there were any.
    pub(crate) usual: Option<f64>,
    /// [`Now::arrivals`].
    #[serde(default)]
    pub(crate) arrivals: u64,
    /// Begin of the activity, in ticks: equal if it is the same.
    pub(crate) since: u64,
    pub(crate) period: Option<Period>,
    pub(crate) tasks: Option<TaskPart>,
    pub(crate) elapsed: f64,
}

impl Seen {
    /// What the thread does now.
    pub fn now(&self) -> &Now {
        &self.now
    }

    /// Puts what [`Now`] does not have as JSON back into it.
    pub(crate) fn complete(mut self) -> Self {
        if let Some(period) = &self.period {
            self.now.operations.clone_from(&period.operations);
            let operations = self.now.operations.iter_mut();
            for (operation, states) in operations.zip(&period.wait_states) {
                operation.wait_states = *states;
            }
            (self.now.calls, self.now.bytes) = (period.calls, period.bytes);
        }
        self.now.arrivals = self.arrivals;
        self.now.tasks.clone_from(&self.tasks);
        self
    }
}

impl Thread {
    pub(crate) fn new(page: LivePage) -> Self {
        Thread {
            number: page.header().thread,
            page,
            sites: Vec::new(),
            last: None,
            has_ended: false,
        }
    }

    pub(crate) fn page(&self) -> &LivePage {
        &self.page
    }

    /// What it does now, and did since the last look.
    pub(crate) fn look(
        &mut self,
        description: Option<(&Path, &Metadata)>,
    ) -> Result<Seen, Problem> {
        let (seen, snapshot) = self.see(description)?;
        self.last = Some(snapshot);
        Ok(seen)
    }

    /// The same, but the next look does not begin here.
    pub(crate) fn peek(
        &mut self,
        description: Option<(&Path, &Metadata)>,
    ) -> Result<Seen, Problem> {
        let (seen, _) = self.see(description)?;
        Ok(seen)
    }

    fn see(
        &mut self,
        description: Option<(&Path, &Metadata)>,
    ) -> Result<(Seen, Snapshot), Problem> {
        let snapshot = self.page.snapshot()?;
        if snapshot.state == State::Running {
            self.page.check_process()?;
        }
        if snapshot.definitions > self.sites.len() as u64 {
            let sites = self.page.places(snapshot.definitions)?;
            self.sites = match description {
                Some((directory, metadata)) => places::named(directory, metadata, sites),
                None => sites,
            };
        }
        self.has_ended = snapshot.state == State::Ended;
        let seconds = self.seconds_per_tick(&snapshot);
        let period = self
            .last
            .as_ref()
            .map(|last| self.period(last, &snapshot, seconds));
        let (class, usual, since) = current(&snapshot, seconds);
        let seen = Seen {
            now: self.now(&snapshot, seconds, &period),
            class,
            usual,
            arrivals: wait_states::arrivals(&snapshot.operations),
            since,
            tasks: self.tasks(&snapshot, seconds),
            period,
            elapsed: (snapshot.time.nanoseconds - self.page.header().start_nanoseconds) as f64
                * 1e-9,
        };
        Ok((seen, snapshot))
    }

    /// Of the thread's clock, at its mean rate since it began.
    fn seconds_per_tick(&self, snapshot: &Snapshot) -> f64 {
        let start = self.page.header().start();
        let ticks = snapshot.time.ticks.saturating_sub(start.ticks).max(1);
        let nanoseconds = snapshot.time.nanoseconds.saturating_sub(start.nanoseconds);
        nanoseconds as f64 * 1e-9 / ticks as f64
    }

    fn now(&self, snapshot: &Snapshot, seconds: f64, period: &Option<Period>) -> Now {
        let path: Vec<Place> = snapshot
            .path
            .iter()
            .filter_map(|region| self.place(region.place?))
            .collect();
        let (class, _, since) = current(snapshot, seconds);
        let (activity, kind) = match class {
            _ if snapshot.state == State::Ended => ("ended", None),
            _ if snapshot.is_paused => ("paused", None),
            None => ("computing", None),
            Some(Class::Waiting(kind)) => ("waiting", Some(kind)),
            Some(Class::Communicating(kind)) => ("communicating", Some(kind)),
        };
        let place = match snapshot.activity {
            Activity::In { operation, .. } => {
                let operation = &snapshot.operations[operation];
                let known = operation.place.and_then(|place| self.place(place));
                // Of an operation with many places, the page has the one on the path.
                let name = operation.operation.name();
                let on_path = || {
                    path.iter()
                        .rev()
                        .find(|place| place.region == name)
                        .cloned()
                };
                Some(known.or_else(on_path).unwrap_or_else(|| Place {
                    region: name.to_owned(),
                    ..Place::default()
                }))
            }
            Activity::Computing { .. } => path.last().cloned(),
        };
        Now {
            thread: self.number,
            process: self.page.header().process,
            node: page::text(&self.page.header().host),
            activity,
            kind,
            seconds: snapshot.time.ticks.saturating_sub(since) as f64 * seconds,
            place,
            path,
            deeper: snapshot.deeper,
            held: snapshot.held.clone(),
            wanted: snapshot.wanted,
            efficiency: period.as_ref().and_then(|period| period.times.efficiency()),
            times: period.as_ref().map(|period| period.times.clone()),
            metrics: metrics::of(snapshot, self.last.as_ref(), seconds),
            operations: period
                .as_ref()
                .map_or_else(Vec::new, |period| period.operations.clone()),
            arrivals: wait_states::arrivals(&snapshot.operations),
            calls: period.as_ref().map_or(0.0, |period| period.calls),
            bytes: period
                .as_ref()
                .map_or_else(Bytes::default, |period| period.bytes),
            tasks: None,
        }
    }

    /// What it contributes to the picture of tasks and channels.
    fn tasks(&self, snapshot: &Snapshot, tick: f64) -> Option<TaskPart> {
        let looks = Looks {
            thread: self.number,
            now: snapshot,
            last: self.last.as_ref(),
            tick,
            place: &|number| self.place(number),
        };
        // The number is of this machine only while the process is there.
        let process = self.page.process();
        let memory = || process.is_alive().then(|| memory_of(process.process))?;
        looks.part(memory)
    }

    fn place(&self, number: u32) -> Option<Place> {
        let site = self.sites.get(number as usize)?;
        Some(Place {
            region: site.region_name().to_owned(),
            file: site.source_file().to_owned(),
            line: site.line,
        })
    }
}

/// Class of what a thread does, seconds that this took on average before, and since when in ticks.
fn current(snapshot: &Snapshot, seconds: f64) -> (Option<Class>, Option<f64>, u64) {
    match snapshot.activity {
        Activity::Computing { since } => (None, None, since),
        Activity::In { operation, since } => {
            let row = &snapshot.operations[operation];
            let now = snapshot.time.ticks.saturating_sub(since);
            let timed = row.calls.saturating_sub(row.untimed).saturating_sub(1);
            let before = row.ticks.saturating_sub(now) as f64 * seconds;
            let usual = (timed > 0).then(|| before / timed as f64);
            (Class::of(row.operation), usual, since)
        }
    }
}

impl Thread {
    fn period(&self, last: &Snapshot, now: &Snapshot, seconds: f64) -> Period {
        let ticks = now.time.ticks.saturating_sub(last.time.ticks);
        let mut period = Period {
            seconds: ticks as f64 * seconds,
            ..Period::default()
        };
        let since = |now: u64, last: u64| now.saturating_sub(last) as f64 * seconds;
        let times = &mut period.times;
        times.recording = since(now.stalled, last.stalled);
        times.paused = since(now.paused, last.paused);
        let mut rest = period.seconds - times.recording - times.paused;
        for row in &now.operations {
            let key = |other: &&pgas_live::Operation| {
                (other.place, other.operation) == (row.place, row.operation)
            };
            let before = last.operations.iter().find(key);
            let (ticks, calls, untimed, bytes) = match before {
                Some(row) => (row.ticks, row.calls, row.untimed, row.bytes),
                None => Default::default(),
            };
            let mut took = since(row.ticks, ticks);
            let timed = row.calls.saturating_sub(row.untimed);
            if timed > 0 && row.untimed > untimed {
                let mean = row.ticks as f64 * seconds / timed as f64;
                let estimated = mean * (row.untimed - untimed) as f64;
                let estimated = estimated.min((rest - took).max(0.0));
                times.estimated += estimated;
                took += estimated;
            }
            rest -= took;
            match Class::of(row.operation) {
                Some(Class::Waiting(kind)) => *times.waiting.entry(kind).or_default() += took,
                Some(Class::Communicating(kind)) => {
                    *times.communicating.entry(kind).or_default() += took;
                }
                None => rest += took,
            }
            let calls = row.calls.saturating_sub(calls) as f64;
            period.calls += calls;
            let moved: Vec<f64> = row
                .bytes
                .iter()
                .zip(bytes)
                .map(|(now, before)| now.saturating_sub(before) as f64)
                .collect();
            period.bytes.own += moved[0];
            period.bytes.near += moved[1];
            period.bytes.far += moved[2];
            period.bytes.unknown += moved[3];
            if took > 0.0 || calls > 0.0 {
                let bytes = moved.iter().sum();
                period
                    .operations
                    .extend(self.operation(row, took, calls, bytes));
            }
        }
        times.computing = rest.max(0.0);
        let states = period.operations.iter().map(|one| one.wait_states);
        period.wait_states = states.collect();
        period
    }

    /// `None` if the program computes in it.
    fn operation(
        &self,
        row: &pgas_live::Operation,
        seconds: f64,
        calls: f64,
        bytes: f64,
    ) -> Option<OperationTime> {
        let class = Class::of(row.operation)?;
        let place = row.place.and_then(|place| self.place(place));
        let place = place.unwrap_or_else(|| Place {
            region: row.operation.name().to_owned(),
            ..Place::default()
        });
        Some(OperationTime {
            place,
            activity: class.activity(),
            kind: class.kind(),
            seconds,
            calls,
            bytes,
            threads: 1,
            wait_states: matches!(class, Class::Waiting(_))
                .then(|| WaitStates::of(row.operation, row.collective)),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn wait_states_that_another_process_has_sent_come_back_to_their_operations() {
        let place = json!({ "region": "upc_all_broadcast", "file": "heat.upc", "line": 12 });
        let times = json!({
            "computing": 0.5, "waiting": { "collective": 0.5 }, "communicating": {},
            "estimated": 0.0, "recording": 0.0, "paused": 0.0
        });
        let operation = json!({
            "place": place, "activity": "waiting", "kind": "collective", "seconds": 0.5,
            "calls": 3.0, "bytes": 0.0, "threads": 1
        });
        let now = json!({
            "thread": 1, "process": 7, "node": "a", "activity": "waiting", "kind": "collective",
            "seconds": 0.1, "place": place, "path": [place], "deeper": 0, "held": [],
            "wanted": null, "efficiency": 0.5, "times": times, "metrics": []
        });
        let states = json!({
            "root": 0, "of_root": null, "of_others": "late_broadcast", "completion": null
        });
        let period = json!({
            "seconds": 1.0, "times": times, "calls": 3.0,
            "bytes": { "own": 0.0, "near": 0.0, "far": 0.0, "unknown": 0.0 },
            "operations": [operation], "wait_states": [states]
        });
        let seen = json!({
            "now": now, "class": { "Waiting": "collective" }, "usual": null, "since": 1,
            "period": period, "elapsed": 5.0, "arrivals": 4
        });
        let seen: Seen = serde_json::from_value(seen).unwrap();
        let now = seen.complete().now;
        let states = now.operations[0].wait_states.unwrap();
        assert_eq!(states.of_thread(1, false), Some("late_broadcast"));
        assert_eq!(now.arrivals, 4);
    }
}
