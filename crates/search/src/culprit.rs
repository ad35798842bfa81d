//! The thread that others wait for at one place.

use std::collections::BTreeMap;

use pgas_monitor::{Now, Picture, Place};

use crate::hypothesis::Hypothesis;

/// By how much the share of a thread's time in a wait is below that of the others if it is the one
/// that they wait for.
const LESS: f64 = 0.05;
/// Share of waits for a lock in which its holder is one and the same.
const HOLDS: f64 = 0.5;

/// How a kind of wait shows who is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// Who comes late waits least.
    WaitsLess,
    /// Who holds the lock.
    HoldsLock,
}

/// One hypothesis for each thread.
#[derive(Debug)]
pub(crate) struct Culprit {
    sign: Sign,
    threads: BTreeMap<u32, Suspect>,
}

#[derive(Debug)]
pub(crate) struct Suspect {
    pub(crate) hypothesis: Hypothesis,
    /// How often it was seen in each activity while others waited.
    seen: BTreeMap<String, u32>,
}

impl Suspect {
    /// What it was mostly seen in.
    pub(crate) fn meanwhile(&self) -> Option<String> {
        let most = self.seen.iter().max_by_key(|(_, count)| **count);
        most.map(|(what, _)| what.clone())
    }
}

impl Culprit {
    /// For waits of a kind, in a program of so many threads; `None` if pages do not show whom they
    /// are for.
    pub(crate) fn of(kind: &str, threads: &[u32], error: f64) -> Option<Self> {
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
            sign,
            threads: threads.iter().map(suspect).collect(),
        })
    }

    pub(crate) fn suspects(&self) -> impl Iterator<Item = (u32, &Suspect)> {
        self.threads
            .iter()
            .map(|(thread, suspect)| (*thread, suspect))
    }

    /// Takes a period.
    pub(crate) fn look(&mut self, picture: &Picture, place: &Place) {
        let waits_now = |now: &&Now| now.activity == "waiting" && now.place.as_ref() == Some(place);
        let waiting: Vec<&Now> = picture.now.iter().filter(waits_now).collect();
        let values = match self.sign {
            Sign::WaitsLess => less_than_others(picture, place),
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

/// By how much each thread's share of time at the place is below the mean of the others.
fn less_than_others(picture: &Picture, place: &Place) -> BTreeMap<u32, f64> {
    let period = picture.period.max(f64::MIN_POSITIVE);
    let share = |now: &Now| {
        let here = now.operations.iter().filter(|one| one.place == *place);
        here.map(|one| one.seconds).sum::<f64>() / period
    };
    let known = picture.now.iter().filter(|now| now.times.is_some());
    let shares: Vec<(u32, f64)> = known.map(|now| (now.thread, share(now))).collect();
    if shares.len() < 2 {
        return BTreeMap::new();
    }
    let all: f64 = shares.iter().map(|(_, share)| share).sum();
    let others = (shares.len() - 1) as f64;
    let less = |(thread, share): &(u32, f64)| (*thread, (all - share) / others - share);
    shares.iter().map(less).collect()
}

/// The share of those waiting that each thread holds the lock of; empty if nobody waits.
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
