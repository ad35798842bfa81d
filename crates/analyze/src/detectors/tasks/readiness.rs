//! Idle processors beside tasks that could run but wait for theirs: at each moment as many of the
//! idle ones could run others' tasks as there are such tasks, those first that were idle first.

use std::collections::BTreeSet;

use pgas_earl::Span;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

/// Activity of a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Activity {
    Idle,
    /// Between tasks, or before the first one.
    Between,
    Busy,
}

/// A task that can run: since when (ticks), its number, its processor.
type Ready = (u64, u64, ThreadId);

/// Processors and tasks that are able to run, at one moment.
#[derive(Debug)]
pub(super) struct Readiness {
    now: u64,
    processors: Vec<Activity>,
    /// Those that are idle, in the order in which they became so.
    idle: Vec<ThreadId>,
    /// On processors that run other tasks, in the order in which they became able to run.
    ready: BTreeSet<Ready>,
    since: FxHashMap<u64, Ready>,
    /// By processor that runs no task: those of its tasks that can run.
    own: Vec<Vec<Ready>>,
    /// By processor: parts of its idle period in which it could have run tasks of others.
    parts: Vec<Vec<Span>>,
    /// By task: ticks for which an idle processor could have run it.
    stuck: FxHashMap<u64, u64>,
}

impl Readiness {
    pub fn new(processors: usize) -> Self {
        Readiness {
            now: 0,
            processors: vec![Activity::Between; processors],
            idle: Vec::new(),
            ready: BTreeSet::new(),
            since: FxHashMap::default(),
            own: vec![Vec::new(); processors],
            parts: vec![Vec::new(); processors],
            stuck: FxHashMap::default(),
        }
    }

    /// Goes on to `time` (ticks).
    fn settle(&mut self, time: u64) {
        if time <= self.now {
            return;
        }
        let span = Span::new(self.now, time);
        self.now = time;
        for (&thread, &(_, task, _)) in self.idle.iter().zip(&self.ready) {
            let parts = &mut self.parts[thread as usize];
            match parts.last_mut().filter(|last| last.end == span.begin) {
                Some(last) => last.end = span.end,
                None => parts.push(span),
            }
            *self.stuck.entry(task).or_default() += span.length();
        }
    }

    /// A task can run from `time` on.
    pub fn becomes_ready(&mut self, time: u64, task: u64, processor: ThreadId) {
        self.settle(time);
        let ready = (time, task, processor);
        if self.processors[processor as usize] != Activity::Busy {
            // It runs at once, unless the processor chooses another one.
            self.own[processor as usize].push(ready);
            return;
        }
        self.since.insert(task, ready);
        self.ready.insert(ready);
    }

    /// The processor goes on with a task.
    pub fn runs(&mut self, time: u64, task: u64, processor: ThreadId) {
        self.settle(time);
        if let Some(ready) = self.since.remove(&task) {
            self.ready.remove(&ready);
        }
        self.processors[processor as usize] = Activity::Busy;
        for ready in self.own[processor as usize].drain(..) {
            if ready.1 != task {
                self.since.insert(ready.1, ready);
                self.ready.insert(ready);
            }
        }
    }

    /// The processor has no task that can run.
    pub fn idles(&mut self, time: u64, processor: ThreadId) {
        self.settle(time);
        self.processors[processor as usize] = Activity::Idle;
        self.idle.push(processor);
        // It would have run any of its tasks that had been ready.
        let since = &mut self.since;
        self.ready.retain(|&(_, task, own)| {
            if own == processor {
                since.remove(&task);
            }
            own != processor
        });
    }

    /// The processor is no longer idle. Returns the parts of the period in which it could have run
    /// tasks of others.
    pub fn has_idled(&mut self, time: u64, processor: ThreadId) -> Vec<Span> {
        self.settle(time);
        self.processors[processor as usize] = Activity::Between;
        self.idle.retain(|&idle| idle != processor);
        std::mem::take(&mut self.parts[processor as usize])
    }

    /// A task has ended. Returns the ticks for which an idle processor could have run it.
    pub fn ended(&mut self, task: u64) -> u64 {
        if let Some(ready) = self.since.remove(&task) {
            self.ready.remove(&ready);
        }
        self.stuck.remove(&task).unwrap_or(0)
    }
}
