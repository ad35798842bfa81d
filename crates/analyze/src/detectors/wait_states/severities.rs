//! Severities: how much time each thread lost to each pattern at each call path, and for each
//! pattern and call path how often, when it was worst, and who and what was the cause. Its size
//! depends on threads and call paths, not on the number of instances.

use pgas_earl::{PathId, Span};
use pgas_trace::Clocks;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

pub use super::root_causes::{Blame, RootCauses};
use crate::detectors::wait_states::attribution::{Attribution, Charge};
use crate::detectors::wait_states::patterns::PATTERNS;
use crate::model::histogram::Histograms;
use crate::model::union::Union;

/// The instance that cost most.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Worst {
    /// Ticks; when the first thread began to wait.
    pub begin: u64,
    /// Ticks, summed over threads.
    pub ticks: u64,
    /// The thread that was waited for.
    pub culprit: Option<ThreadId>,
    /// Which of the instances at its call path it was, from 1.
    pub number: u64,
    /// The thread that waited longest, and for how many ticks.
    pub longest: (ThreadId, u64),
    /// The time of each thread in the operation.
    pub members: Vec<(ThreadId, Span)>,
    /// The wait of each thread that lost time.
    pub waits: Vec<Wait>,
}

/// A wait of one thread in an instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// The thread that waited.
    pub thread: ThreadId,
    /// The thread by whose clock it ended.
    pub against: Option<ThreadId>,
    /// From the begin of the wait to its end, in ticks.
    pub span: Span,
    /// The time that was lost, in order; what lies between was not.
    pub parts: Vec<Span>,
}

/// Severity of one pattern at one call path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// By thread: ticks lost.
    pub ticks: Vec<u64>,
    /// Instances in which somebody lost time.
    pub instances: u64,
    /// The instance in which all threads together lost most.
    pub worst: Option<Worst>,
    /// Distribution of the ticks lost, by instance and by thread.
    pub histograms: Histograms,
    /// By thread: how often it was the one waited for.
    pub culprits: Vec<u64>,
    /// By thread: ticks that others lost to it.
    pub caused: Vec<u64>,
    /// Sum over instances of the longest wait of one thread, in ticks.
    longest: u64,
    /// When at least one thread waited.
    waiting: Union,
    /// Root causes: by what a thread did at a call path, the ticks of waiting that it accounts
    /// for.
    pub causes: RootCauses,
    /// Ticks of waiting that each time was shorter than the uncertainty of the two clocks
    /// concerned.
    pub below_uncertainty: u64,
    /// The largest of these uncertainties, in ticks; the largest number if one is not known.
    pub uncertainty: u64,
}

impl Wait {
    fn of(charge: &Charge, attribution: &Attribution) -> Self {
        Wait {
            thread: charge.thread,
            against: charge.against,
            span: Span::new(charge.begin, charge.end),
            parts: attribution.parts(charge).to_vec(),
        }
    }
}

impl Entry {
    fn new(threads: usize) -> Self {
        Entry {
            ticks: vec![0; threads],
            instances: 0,
            worst: None,
            histograms: Histograms::default(),
            culprits: vec![0; threads],
            caused: vec![0; threads],
            longest: 0,
            waiting: Union::default(),
            causes: RootCauses::default(),
            below_uncertainty: 0,
            uncertainty: 0,
        }
    }

    /// Ticks lost by all threads.
    pub fn total(&self) -> u64 {
        self.ticks.iter().sum()
    }

    /// Upper bound of the wall-clock ticks that the run loses here: the longest wait of each
    /// instance, and no more than the time in which at least one thread waits, since simultaneous
    /// waits can be saved only once.
    pub fn wall_ticks(&self) -> u64 {
        self.longest.min(self.waiting.length())
    }
}

/// All entries. The first index is the pattern's place in [`PATTERNS`].
#[derive(Debug)]
pub struct Severities {
    threads: usize,
    clocks: Clocks,
    entries: Vec<FxHashMap<PathId, Entry>>,
    /// Paths of one instance and the time lost there: several threads mostly share one path.
    sums: Vec<Share>,
}

/// Time lost in one instance at one call path.
#[derive(Debug, Clone, Copy)]
struct Share {
    path: PathId,
    ticks: u64,
    /// When the first thread began to wait, in ticks.
    begin: u64,
    /// The thread that waited longest, and for how many ticks.
    longest: (ThreadId, u64),
}

impl Severities {
    /// No severities yet, for a run of that number of threads.
    pub fn new(threads: usize, clocks: Clocks) -> Self {
        Severities {
            threads,
            clocks,
            entries: PATTERNS.iter().map(|_| FxHashMap::default()).collect(),
            sums: Vec::new(),
        }
    }

    /// Adds what a pattern has attributed in one instance.
    pub fn add(&mut self, pattern: usize, attribution: &Attribution) {
        let threads = self.threads;
        self.sums.clear();
        for charge in attribution.charges() {
            let entry = self.entries[pattern]
                .entry(charge.path)
                .or_insert_with(|| Entry::new(threads));
            entry.ticks[charge.thread as usize] += charge.ticks;
            let uncertainty = uncertainty(&self.clocks, charge);
            if charge.ticks < uncertainty {
                entry.below_uncertainty += charge.ticks;
                entry.uncertainty = entry.uncertainty.max(uncertainty);
            }
            for &part in attribution.parts(charge) {
                entry.waiting.add(part);
            }
        }
        for waits in attribution.charges().chunk_by(|a, b| a.thread == b.thread) {
            let (path, thread) = (waits[0].path, waits[0].thread);
            let ticks = waits.iter().map(|charge| charge.ticks).sum();
            let begin = waits.iter().map(|charge| charge.begin).min().unwrap_or(0);
            if let Some(entry) = self.entries[pattern].get_mut(&path) {
                entry.histograms.threads.record(ticks);
            }
            match self.sums.iter_mut().find(|share| share.path == path) {
                Some(share) => {
                    share.ticks += ticks;
                    share.begin = begin.min(share.begin);
                    if ticks > share.longest.1 {
                        share.longest = (thread, ticks);
                    }
                }
                None => self.sums.push(Share {
                    path,
                    ticks,
                    begin,
                    longest: (thread, ticks),
                }),
            }
        }
        for &Share {
            path,
            ticks,
            begin,
            longest,
        } in &self.sums
        {
            let Some(entry) = self.entries[pattern].get_mut(&path) else {
                continue;
            };
            entry.instances += 1;
            let culprit = attribution.culprit();
            entry
                .histograms
                .instance(ticks, attribution.until_last_exit());
            if entry.worst.as_ref().is_none_or(|worst| ticks > worst.ticks) {
                let charges = attribution.charges().iter();
                let waits = charges.filter(|charge| charge.path == path);
                entry.worst = Some(Worst {
                    begin,
                    ticks,
                    culprit,
                    number: entry.instances,
                    longest,
                    members: attribution.members().collect(),
                    waits: waits.map(|charge| Wait::of(charge, attribution)).collect(),
                });
            }
            if let Some(culprit) = culprit {
                entry.culprits[culprit as usize] += 1;
                entry.caused[culprit as usize] += ticks;
            }
            entry.longest += longest.1;
        }
    }

    /// Takes the root causes of what a pattern has attributed at a call path.
    pub fn blame(&mut self, pattern: usize, path: PathId, causes: RootCauses) {
        if let Some(entry) = self.entries[pattern].get_mut(&path) {
            entry.causes = causes;
        }
    }

    /// Entries of a pattern, by its place in [`PATTERNS`], in no particular order.
    pub fn entries(&self, pattern: usize) -> impl Iterator<Item = (PathId, &Entry)> {
        self.entries[pattern]
            .iter()
            .map(|(&path, entry)| (path, entry))
    }

    /// Call paths and threads whose activity is a root cause, and the waiting at one place that it
    /// accounts for; in no particular order.
    pub fn blames(&self) -> impl Iterator<Item = ((PathId, ThreadId), Blame)> + '_ {
        let entries = self.entries.iter().flat_map(FxHashMap::values);
        entries.flat_map(|entry| entry.causes.iter().map(|(&root, &blame)| (root, blame)))
    }

    /// Severity of a pattern (its place in [`PATTERNS`]) at a call path; `None` if there is none.
    pub fn entry(&self, pattern: usize, path: PathId) -> Option<&Entry> {
        self.entries[pattern].get(&path)
    }
}

/// Ticks by which the length of a wait may be wrong because it was measured by two clocks.
fn uncertainty(clocks: &Clocks, charge: &Charge) -> u64 {
    match charge.against {
        Some(other) if !clocks.are_one() => {
            let time = charge.begin.saturating_add(charge.ticks);
            let between = clocks.uncertainty_between(charge.thread, other, time);
            // Saturates.
            between.ceil() as u64
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_at_the_same_time_are_saved_once() {
        let mut severities = Severities::new(4, Clocks::one());
        for thread in 1..4 {
            let mut attribution = Attribution::default();
            attribution.clear_for_some_threads();
            attribution.member(thread, PathId(5), Span::new(0, 250), &[], &[]);
            attribution.wait(0, 5 * u64::from(thread), 200);
            severities.add(0, &attribution);
        }
        let entry = severities.entry(0, PathId(5)).unwrap();
        assert_eq!((entry.instances, entry.total()), (3, 195 + 190 + 185));
        assert_eq!(entry.wall_ticks(), 195);
    }

    #[test]
    fn an_instance_on_two_paths_is_an_instance_of_each() {
        let mut attribution = Attribution::default();
        attribution.clear();
        for (thread, path) in [(0, 5), (1, 6), (2, 5)] {
            attribution.member(thread, PathId(path), Span::new(0, 100), &[], &[]);
        }
        attribution.waited_for(1);
        attribution.wait(0, 10, 30);
        attribution.wait(1, 0, 7);
        attribution.wait(2, 5, 30);
        let mut severities = Severities::new(3, Clocks::one());
        severities.add(0, &attribution);
        let entry = severities.entry(0, PathId(5)).unwrap();
        assert_eq!(
            (entry.instances, entry.total(), entry.wall_ticks()),
            (1, 45, 25)
        );
        assert_eq!(entry.ticks, [20, 0, 25]);
        let worst = entry.worst.as_ref().unwrap();
        assert_eq!((worst.begin, worst.ticks), (5, 45));
        assert_eq!((worst.number, worst.longest), (1, (2, 25)));
        assert_eq!(worst.members.len(), 3);
        let waits = worst
            .waits
            .iter()
            .map(|w| (w.thread, w.against, &w.parts[..]));
        let expected = [
            (0, Some(1), &[Span::new(10, 30)][..]),
            (2, Some(1), &[Span::new(5, 30)][..]),
        ];
        assert!(waits.eq(expected));
        let histograms = &entry.histograms;
        assert_eq!(histograms.threads.quantiles([50, 95]), [20, 25]);
        assert_eq!(histograms.instances.quantiles([50]), [45]);
        assert_eq!(
            (&entry.culprits[..], &entry.caused[..]),
            (&[0, 1, 0][..], &[0, 45, 0][..])
        );
        assert_eq!(severities.entry(0, PathId(6)).unwrap().total(), 7);
    }
}
