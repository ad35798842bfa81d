//! Evidence of the thread that others wait for, in the picture of a period: one value for each
//! thread, whose mean tells the culprit.

use std::collections::{BTreeMap, BTreeSet};

use pgas_monitor::{Now, Picture, Place};

/// Kind of evidence. Of each, at most one thread's mean can be above the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// A late thread waits less than each of the others.
    WaitsLeast,
    /// While others wait, a late thread does not, more often than each of the others.
    Busiest,
    /// While others wait, no other thread does anything else. All others then wait for this one,
    /// directly or in turn, whatever they wait for.
    OnlyOneBusy,
    /// The culprit holds the lock.
    HoldsLock,
}

impl Sign {
    /// Evidence for a kind of wait: none for kinds in which nobody waits for another thread.
    pub(crate) fn of(kind: &str) -> &'static [Sign] {
        match kind {
            "barrier" | "allocation" => &[Sign::WaitsLeast, Sign::OnlyOneBusy],
            // All wait for the root, or the root for all, or some for some.
            "collective" => &[Sign::WaitsLeast, Sign::Busiest, Sign::OnlyOneBusy],
            "point_to_point" | "message" => &[Sign::OnlyOneBusy],
            "lock" => &[Sign::HoldsLock],
            _ => &[],
        }
    }

    /// Whether it proves something only where other evidence names nobody: it may be of the thread
    /// that those wait for elsewhere who come late here.
    pub(crate) fn is_indirect(self, kind: &str) -> bool {
        self == Sign::OnlyOneBusy && !matches!(kind, "point_to_point" | "message")
    }

    /// Name of the evidence in findings.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Sign::WaitsLeast => "waits_least",
            Sign::Busiest => "busiest",
            Sign::OnlyOneBusy => "only_one_busy",
            Sign::HoldsLock => "holds_lock",
        }
    }

    /// Min mean of the culprit's values.
    pub(crate) fn limit(self) -> f64 {
        match self {
            Sign::WaitsLeast => 0.05,
            Sign::Busiest => 0.1,
            Sign::OnlyOneBusy | Sign::HoldsLock => 0.5,
        }
    }

    /// Values of a period; empty if it has none.
    pub(crate) fn values(self, scene: &Scene) -> BTreeMap<u32, f64> {
        match self {
            Sign::WaitsLeast => less_than_others(scene),
            Sign::Busiest => busier_than_others(scene),
            Sign::OnlyOneBusy => only_one_busy(scene),
            Sign::HoldsLock => holders(scene),
        }
    }
}

/// A period, as one place sees it.
pub(crate) struct Scene<'a> {
    pub(crate) picture: &'a Picture,
    pub(crate) kind: &'static str,
    pub(crate) place: &'a Place,
    /// Threads that have been at the place, in this period or before.
    pub(crate) users: &'a BTreeSet<u32>,
}

impl Scene<'_> {
    pub(crate) fn waits(&self, now: &Now) -> bool {
        now.activity == "waiting" && now.place.as_ref() == Some(self.place)
    }

    /// Whether all threads are seen, and some wait here now.
    fn is_telling(&self) -> bool {
        let picture = self.picture;
        picture.seen == picture.threads && picture.now.iter().any(|now| self.waits(now))
    }

    /// Share of the period in which a thread was in the wait. One that waits at another call site
    /// of the same barrier is not late.
    fn share(&self, now: &Now) -> Option<f64> {
        let seconds = if self.users.contains(&now.thread) {
            let here = now.operations.iter().filter(|one| one.place == *self.place);
            here.map(|one| one.seconds).sum()
        } else if self.kind == "barrier" {
            let waiting = &now.times.as_ref()?.waiting;
            waiting.get(self.kind).copied().unwrap_or(0.0)
        } else {
            // Of another group.
            return None;
        };
        Some(seconds / self.picture.period.max(f64::MIN_POSITIVE))
    }
}

/// For each thread, by how much its value is below the smallest of the others.
fn below_others(values: &[(u32, f64)]) -> BTreeMap<u32, f64> {
    if values.len() < 2 {
        return BTreeMap::new();
    }
    let mut sorted: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let (least, next) = (sorted[0], sorted[1]);
    let of_others = |own: f64| if own > least { least } else { next };
    let below = values
        .iter()
        .map(|(thread, own)| (*thread, of_others(*own) - own));
    below.collect()
}

fn less_than_others(scene: &Scene) -> BTreeMap<u32, f64> {
    let all = scene.picture.now.iter().filter(|now| now.times.is_some());
    let shares = all.filter_map(|now| Some((now.thread, scene.share(now)?)));
    below_others(&shares.collect::<Vec<_>>())
}

/// Whether a thread may be what others wait for.
fn is_busy(now: &Now) -> bool {
    !matches!(now.activity, "waiting" | "ended")
}

fn busier_than_others(scene: &Scene) -> BTreeMap<u32, f64> {
    if !scene.is_telling() {
        return BTreeMap::new();
    }
    let idle = |now: &Now| (now.thread, if is_busy(now) { 0.0 } else { 1.0 });
    below_others(&scene.picture.now.iter().map(idle).collect::<Vec<_>>())
}

fn only_one_busy(scene: &Scene) -> BTreeMap<u32, f64> {
    if !scene.is_telling() {
        return BTreeMap::new();
    }
    let threads = &scene.picture.now;
    let is_one = threads.iter().filter(|now| is_busy(now)).count() == 1;
    let value = |now: &Now| if is_one && is_busy(now) { 1.0 } else { 0.0 };
    threads.iter().map(|now| (now.thread, value(now))).collect()
}

/// For each thread: share of the waiting threads whose lock it holds; empty if none waits.
fn holders(scene: &Scene) -> BTreeMap<u32, f64> {
    let threads = &scene.picture.now;
    let waiting = threads.iter().filter(|now| scene.waits(now));
    let wanted: Vec<u64> = waiting.filter_map(|now| now.wanted).collect();
    if wanted.is_empty() {
        return BTreeMap::new();
    }
    let share = |now: &Now| {
        let held = wanted.iter().filter(|lock| now.held.contains(lock)).count();
        (now.thread, held as f64 / wanted.len() as f64)
    };
    threads.iter().map(share).collect()
}
