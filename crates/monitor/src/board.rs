//! The threads of a run on this machine, looked at again and again.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use pgas_live::{LivePage, Problem, page, place};
use pgas_trace::metadata::Metadata;

use crate::class::Class;
use crate::picture::{Bytes, Deadlock, OperationTime, Picture, Place, Times, Wait};
use crate::stuck::{Step, circles, stuck};
use crate::thread::{Seen, Thread};

/// The pages of a run.
#[derive(Debug)]
pub struct Board {
    place: PathBuf,
    key: String,
    experiment: PathBuf,
    metadata: Option<Metadata>,
    threads: BTreeMap<u32, Thread>,
    /// Circles of locks that the last look found.
    circles: Vec<Vec<Step>>,
}

/// Result of a look.
#[derive(Debug)]
pub enum Look {
    /// What the run does.
    Going(Box<Picture>),
    /// All threads that were seen have ended, in good order.
    Ended,
    /// Number of threads that were killed and left their pages behind.
    Killed(usize),
    /// There is no page yet.
    Nothing,
}

impl Board {
    /// Of the run whose files in the directory `place` are named by `key`.
    pub fn new(place: &Path, key: &str, experiment: &Path) -> Self {
        Board {
            place: place.to_owned(),
            key: key.to_owned(),
            experiment: experiment.to_owned(),
            metadata: Metadata::load(experiment).ok(),
            threads: BTreeMap::new(),
            circles: Vec::new(),
        }
    }

    /// What the threads do now, and did since the last look.
    ///
    /// # Errors
    /// If the directory of the pages cannot be read.
    pub fn look(&mut self) -> io::Result<Look> {
        let mut problems = self.add_new()?;
        if self.threads.is_empty() && problems.is_empty() {
            return Ok(Look::Nothing);
        }
        let description = self
            .metadata
            .as_ref()
            .map(|metadata| (&*self.experiment, metadata));
        let (mut all, mut killed) = (Vec::new(), 0);
        for thread in self.threads.values_mut() {
            match thread.look(description) {
                Ok(seen) => all.push(seen),
                Err(Problem::Stale { .. }) => killed += 1,
                Err(problem) => problems.push(problem.to_string()),
            }
        }
        let is_going = all.iter().any(|seen| seen.now.activity != "ended");
        Ok(match (is_going, killed) {
            (true, _) => Look::Going(Box::new(self.picture(&all, problems))),
            (false, 0) if !all.is_empty() => Look::Ended,
            (false, 0) => Look::Going(Box::new(self.picture(&all, problems))),
            (false, killed) => Look::Killed(killed),
        })
    }

    /// Opens pages that are new. Returns why some cannot be read.
    fn add_new(&mut self) -> io::Result<Vec<String>> {
        let mut problems = Vec::new();
        for found in place::all(&self.place)? {
            if found.key != self.key || self.threads.contains_key(&found.thread) {
                continue;
            }
            match LivePage::open(&found.path) {
                Ok(page) => {
                    self.threads.insert(found.thread, Thread::new(page));
                }
                Err(Problem::Beginning { .. }) => {}
                Err(Problem::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {}
                Err(problem) => problems.push(problem.to_string()),
            }
        }
        Ok(problems)
    }

    fn picture(&mut self, all: &[Seen], problems: Vec<String>) -> Picture {
        let mut times = Times::default();
        let (mut calls, mut bytes, mut period) = (0.0, Bytes::default(), 0.0_f64);
        for of_thread in all.iter().filter_map(|seen| seen.period.as_ref()) {
            times.add(&of_thread.times);
            period = period.max(of_thread.seconds);
            let per_second = 1.0 / of_thread.seconds.max(1e-9);
            calls += of_thread.calls * per_second;
            bytes.own += of_thread.bytes.own * per_second;
            bytes.near += of_thread.bytes.near * per_second;
            bytes.far += of_thread.bytes.far * per_second;
            bytes.unknown += of_thread.bytes.unknown * per_second;
        }
        let waits = waits(all);
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let header = self
            .threads
            .values()
            .next()
            .map(|thread| thread.page().header());
        Picture {
            schema: 1,
            experiment: self.experiment.display().to_string(),
            run: header.map_or_else(String::new, |header| page::text(&header.run)),
            time_unix_ns: u64::try_from(now.as_nanos()).unwrap_or(u64::MAX),
            elapsed: all.iter().fold(0.0, |most, seen| seen.elapsed.max(most)),
            period,
            threads: header.map_or(0, |header| header.threads),
            seen: all.len() as u32,
            efficiency: times.efficiency(),
            times,
            calls_per_second: calls,
            bytes_per_second: bytes,
            operations: operations(all),
            waiting: waits.iter().map(|wait| wait.threads.len() as u32).sum(),
            waits,
            now: all.iter().map(|seen| seen.now.clone()).collect(),
            stuck: stuck(all),
            deadlocks: self.deadlocks(all),
            problems,
        }
    }

    /// Circles that two looks in succession have found, with the same waits.
    fn deadlocks(&mut self, all: &[Seen]) -> Vec<Deadlock> {
        let circles = circles(all);
        let before = std::mem::take(&mut self.circles);
        self.circles = circles.iter().map(|(steps, _)| steps.clone()).collect();
        let again = circles
            .into_iter()
            .filter(|(steps, _)| before.contains(steps));
        again.map(|(_, deadlock)| deadlock).collect()
    }
}

/// What operations took in the period, summed over threads, that of the most seconds first.
fn operations(all: &[Seen]) -> Vec<OperationTime> {
    let mut by_place: BTreeMap<(Place, &'static str), OperationTime> = BTreeMap::new();
    let periods = all.iter().filter_map(|seen| seen.period.as_ref());
    for one in periods.flat_map(|period| &period.operations) {
        match by_place.entry((one.place.clone(), one.kind)) {
            Entry::Vacant(entry) => drop(entry.insert(one.clone())),
            Entry::Occupied(mut entry) => {
                let sum = entry.get_mut();
                sum.seconds += one.seconds;
                sum.calls += one.calls;
                sum.bytes += one.bytes;
                sum.threads += 1;
            }
        }
    }
    let mut operations: Vec<OperationTime> = by_place.into_values().collect();
    operations.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    operations
}

/// Where threads wait now, that of the most threads first.
fn waits(all: &[Seen]) -> Vec<Wait> {
    let mut by_place: BTreeMap<(Place, &'static str), Wait> = BTreeMap::new();
    for seen in all {
        let Some(Class::Waiting(kind)) = seen.class.filter(|_| seen.now.activity == "waiting")
        else {
            continue;
        };
        let place = seen.now.place.clone().unwrap_or_default();
        let wait = by_place.entry((place.clone(), kind)).or_insert(Wait {
            place,
            kind,
            threads: Vec::new(),
            longest: -1.0,
            longest_thread: 0,
        });
        wait.threads.push(seen.now.thread);
        if seen.now.seconds > wait.longest {
            (wait.longest, wait.longest_thread) = (seen.now.seconds, seen.now.thread);
        }
    }
    let mut waits: Vec<Wait> = by_place.into_values().collect();
    waits.sort_by(|a, b| {
        let by_threads = b.threads.len().cmp(&a.threads.len());
        by_threads.then(b.longest.total_cmp(&a.longest))
    });
    waits
}
