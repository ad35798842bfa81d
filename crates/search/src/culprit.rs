//! Hypotheses about the thread that causes the waiting at one place, one for each thread.

use std::collections::BTreeMap;

use pgas_monitor::{Now, Picture, Place};

use crate::hypothesis::Hypothesis;

/// Min difference between the others' share of time in a wait and the share of a late thread.
const LESS: f64 = 0.05;
/// Min share of waits for locks that a culprit holds.
const HOLDS: f64 = 0.5;

/// Evidence of the culprit, which depends on the kind of wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// A late thread waits less than the others.
    WaitsLess,
    /// The culprit holds the lock.
    HoldsLock,
}

#[derive(Debug)]
pub(crate) struct Culprit {
    kind: &'static str,
    sign: Sign,
    threads: BTreeMap<u32, Suspect>,
}

#[derive(Debug)]
pub(crate) struct Suspect {
    pub(crate) hypothesis: Hypothesis,
    /// Number of looks at which it was in each activity while others waited.
    seen: BTreeMap<String, u32>,
}

impl Suspect {
    /// Its most frequent activity.
    pub(crate) fn meanwhile(&self) -> Option<String> {
        let most = self.seen.iter().max_by_key(|(_, count)| **count);
        most.map(|(what, _)| what.clone())
    }
}

impl Culprit {
    /// For waits of a kind among these threads; `None` if live pages have no evidence of the culprit
    /// for this kind, as for flags and messages.
    pub(crate) fn new(kind: &'static str, threads: &[u32], error: f64) -> Option<Self> {
        let sign = match kind {
            "barrier" | "collective" => Sign::WaitsLess,
            "lock" => Sign::HoldsLock,
            _ => return None,
        };
        let limit = match sign {
            Sign::WaitsLess => LESS,
            Sign::HoldsLock => HOLDS,
        };
        let error = error / threads.len().max(1) as f64;
        let suspect = |&thread| {
            let hypothesis = Hypothesis::new(limit, error);
            let seen = BTreeMap::new();
            (thread, Suspect { hypothesis, seen })
        };
        Some(Culprit {
            kind,
            sign,
            threads: threads.iter().map(suspect).collect(),
        })
    }

    pub(crate) fn suspects(&self) -> impl Iterator<Item = (u32, &Suspect)> {
        self.threads
            .iter()
            .map(|(thread, suspect)| (*thread, suspect))
    }

    /// Adds the picture of a period.
    pub(crate) fn add(&mut self, picture: &Picture, place: &Place) {
        let waits_now = |now: &&Now| now.activity == "waiting" && now.place.as_ref() == Some(place);
        let waiting: Vec<&Now> = picture.now.iter().filter(waits_now).collect();
        let values = match self.sign {
            Sign::WaitsLess => less_than_others(picture, self.kind, place),
            Sign::HoldsLock => holders(picture, &waiting),
        };
        for now in &picture.now {
            let Some(suspect) = self.threads.get_mut(&now.thread) else {
                continue;
            };
            if !waiting.is_empty() && !waits_now(&now) {
                *suspect.seen.entry(activity(now)).or_default() += 1;
            }
            if let Some(value) = values.get(&now.thread) {
                suspect.hypothesis.add(*value);
            }
        }
    }
}

/// "computing in exchange at heat.upc:30".
fn activity(now: &Now) -> String {
    match &now.place {
        Some(place) => format!("{} in {}", now.activity, place.shown()),
        None => now.activity.to_owned(),
    }
}

/// For each thread: the others' mean share of time in the wait at this place, less the thread's own
/// share of time in all waits of this kind. A thread that waits at another call site of the same
/// barrier is not late.
fn less_than_others(picture: &Picture, kind: &str, place: &Place) -> BTreeMap<u32, f64> {
    let period = picture.period.max(f64::MIN_POSITIVE);
    let here = |now: &Now| {
        let here = now.operations.iter().filter(|one| one.place == *place);
        here.map(|one| one.seconds).sum::<f64>() / period
    };
    let known = picture.now.iter().filter_map(|now| {
        let anywhere = now.times.as_ref()?.waiting.get(kind);
        Some((now.thread, here(now), anywhere.unwrap_or(&0.0) / period))
    });
    let known: Vec<(u32, f64, f64)> = known.collect();
    if known.len() < 2 {
        return BTreeMap::new();
    }
    let all: f64 = known.iter().map(|(_, here, _)| here).sum();
    let others = (known.len() - 1) as f64;
    let less = known
        .iter()
        .map(|(thread, here, anywhere)| (*thread, (all - here) / others - anywhere));
    less.collect()
}

/// For each thread: share of the waiting threads whose lock it holds; empty if none waits.
fn holders(picture: &Picture, waiting: &[&Now]) -> BTreeMap<u32, f64> {
    let wanted: Vec<u64> = waiting.iter().filter_map(|now| now.wanted).collect();
    if wanted.is_empty() {
        return BTreeMap::new();
    }
    let share = |now: &Now| {
        let held = wanted.iter().filter(|lock| now.held.contains(lock)).count();
        (now.thread, held as f64 / wanted.len() as f64)
    };
    picture.now.iter().map(share).collect()
}
