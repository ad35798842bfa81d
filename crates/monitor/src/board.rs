//! What all threads of a run do, from what each node sees of them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cells::Cells;
use crate::class::Class;
use crate::node::{NodeBoard, NodePart};
use crate::picture::{Bytes, Deadlock, OperationTime, Picture, Place, ThreadWords, Times, Wait};
use crate::stuck::{Step, circles, stuck};
use crate::task_board::tasks_now;
use crate::text;
use crate::thread::Seen;
use crate::wanted::Wanted;

/// A run whose threads are all on this machine.
#[derive(Debug)]
pub struct Board {
    node: NodeBoard,
    assembler: Assembler,
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
            node: NodeBoard::new(place, key, experiment),
            assembler: Assembler::new(experiment),
        }
    }

    /// What the threads do now, and did since the last look.
    ///
    /// # Errors
    /// If the directory of the pages cannot be read.
    pub fn look(&mut self) -> io::Result<Look> {
        let part = self.node.look()?;
        Ok(self.assembler.look(vec![part]))
    }

    /// Values that are wanted, as they are now. The next look does not begin here.
    ///
    /// # Errors
    /// As [`Board::look`].
    pub fn cells(&mut self, wanted: &Wanted) -> io::Result<Cells> {
        let mut cells = Cells::default();
        cells.add(self.node.peek()?.seen, wanted);
        Ok(cells)
    }
}

/// Makes pictures of a run from what its nodes see.
#[derive(Debug)]
pub struct Assembler {
    experiment: String,
    /// Circles of locks that the last look found.
    circles: Vec<Vec<Step>>,
}

impl Assembler {
    /// Of the run that is recorded into this directory.
    pub fn new(experiment: &Path) -> Self {
        Assembler {
            experiment: experiment.display().to_string(),
            circles: Vec::new(),
        }
    }

    /// The run as a whole, from what each node sees now.
    pub fn look(&mut self, parts: Vec<NodePart>) -> Look {
        let (mut all, mut problems, mut killed) = (Vec::new(), Vec::new(), 0);
        let (mut run, mut threads, mut runtime) = (String::new(), 0, String::new());
        for part in parts {
            all.extend(part.seen.into_iter().map(Seen::complete));
            problems.extend(part.problems);
            killed += part.killed;
            if part.threads > 0 {
                (run, threads, runtime) = (part.run, part.threads, part.runtime);
            }
        }
        all.sort_by_key(|seen| seen.now.thread);
        let is_going = all.iter().any(|seen| seen.now.activity != "ended");
        let is_unknown = all.is_empty() && killed == 0;
        match (is_going, killed) {
            _ if is_unknown && problems.is_empty() => Look::Nothing,
            (false, 0) if !is_unknown => Look::Ended,
            (false, killed) if killed > 0 => Look::Killed(killed),
            _ => {
                let words = text::thread_words(&runtime);
                let tasks = tasks_now(&all, all.len() as u64 == u64::from(threads));
                let picture = Picture {
                    run,
                    threads,
                    runtime,
                    tasks,
                    ..self.picture(&all, words, problems)
                };
                Look::Going(Box::new(picture))
            }
        }
    }

    /// All but what pages say of the run.
    fn picture(&mut self, all: &[Seen], words: ThreadWords, problems: Vec<String>) -> Picture {
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
        Picture {
            schema: 1,
            experiment: self.experiment.clone(),
            run: String::new(),
            runtime: String::new(),
            time_unix_ns: u64::try_from(now.as_nanos()).unwrap_or(u64::MAX),
            elapsed: all.iter().fold(0.0, |most, seen| seen.elapsed.max(most)),
            period,
            threads: 0,
            seen: all.len() as u32,
            efficiency: times.efficiency(),
            times,
            calls_per_second: calls,
            bytes_per_second: bytes,
            operations: operations(all),
            waiting: waits.iter().map(|wait| wait.threads.len() as u32).sum(),
            waits,
            now: all.iter().map(|seen| seen.now.clone()).collect(),
            stuck: stuck(all, words.first),
            words,
            deadlocks: self.deadlocks(all),
            problems,
            ring: None,
            tasks: None,
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
            Entry::Vacant(entry) => drop(entry.insert(OperationTime {
                wait_states: None,
                ..one.clone()
            })),
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

/// Where threads wait now, that of the most threads first. Processors without tasks wait nowhere.
fn waits(all: &[Seen]) -> Vec<Wait> {
    let mut by_place: BTreeMap<(Place, &'static str), Wait> = BTreeMap::new();
    for seen in all {
        let Some(Class::Waiting(kind)) = seen.class.filter(|_| seen.now.activity == "waiting")
        else {
            continue;
        };
        if kind == "idle" {
            continue;
        }
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
