//! Hypotheses about the thread that causes the waiting at one place, one for each thread and
//! kind of evidence.

use std::collections::{BTreeMap, BTreeSet};

use pgas_monitor::{Now, Picture, Place};

use crate::evidence::{Scene, Sign};
use crate::hypothesis::Hypothesis;

#[derive(Debug)]
pub(crate) struct Culprit {
    kind: &'static str,
    threads: BTreeMap<u32, Suspect>,
    /// Threads that have been at the place.
    users: BTreeSet<u32>,
}

/// A culprit that is confirmed, and by what.
pub(crate) struct Named<'a> {
    pub(crate) thread: u32,
    pub(crate) suspect: &'a Suspect,
    pub(crate) sign: Sign,
    pub(crate) hypothesis: &'a Hypothesis,
}

#[derive(Debug)]
pub(crate) struct Suspect {
    hypotheses: Vec<(Sign, Hypothesis)>,
    /// Number of looks at which it was in each activity while others waited.
    seen: BTreeMap<String, u32>,
}

impl Suspect {
    fn new(signs: &[Sign], error: f64) -> Self {
        let hypothesis = |&sign: &Sign| (sign, Hypothesis::new(sign.limit(), error));
        Suspect {
            hypotheses: signs.iter().map(hypothesis).collect(),
            seen: BTreeMap::new(),
        }
    }

    /// The first of its hypotheses, by direct or by indirect evidence, that is confirmed.
    fn confirmed(&self, kind: &str, is_indirect: bool) -> Option<&(Sign, Hypothesis)> {
        let all = self.hypotheses.iter();
        let mut all = all.filter(|(sign, _)| sign.is_indirect(kind) == is_indirect);
        all.find(|(_, hypothesis)| hypothesis.is_confirmed())
    }

    /// Its most frequent activity.
    pub(crate) fn meanwhile(&self) -> Option<String> {
        let most = self.seen.iter().max_by_key(|(_, count)| **count);
        most.map(|(what, _)| what.clone())
    }
}

impl Culprit {
    /// For waits of a kind among these threads; `None` for kinds in which nobody waits for another
    /// thread.
    pub(crate) fn new(kind: &'static str, threads: &[u32], error: f64) -> Option<Self> {
        let signs = Sign::of(kind);
        if signs.is_empty() {
            return None;
        }
        let error = error / (threads.len().max(1) * signs.len()) as f64;
        let suspect = |&thread: &u32| (thread, Suspect::new(signs, error));
        Some(Culprit {
            kind,
            threads: threads.iter().map(suspect).collect(),
            users: BTreeSet::new(),
        })
    }

    /// The culprit, if exactly one thread is confirmed.
    pub(crate) fn named(&self) -> Option<Named<'_>> {
        let by = |is_indirect: bool| {
            let all = self.threads.iter();
            all.filter_map(move |(&thread, suspect)| {
                let (sign, hypothesis) = suspect.confirmed(self.kind, is_indirect)?;
                Some(Named {
                    thread,
                    suspect,
                    sign: *sign,
                    hypothesis,
                })
            })
        };
        let mut direct = by(false);
        match direct.next() {
            // Kinds of evidence that contradict each other prove nothing.
            Some(first) => Some(first).filter(|_| direct.next().is_none()),
            None => by(true).next(),
        }
    }

    /// Adds the picture of a period.
    pub(crate) fn add(&mut self, picture: &Picture, place: &Place) {
        let is_here = |now: &&Now| now.operations.iter().any(|one| one.place == *place);
        let users = picture.now.iter().filter(is_here).map(|now| now.thread);
        self.users.extend(users);
        let scene = Scene {
            picture,
            kind: self.kind,
            place,
            users: &self.users,
        };
        let is_waited = picture.now.iter().any(|now| scene.waits(now));
        for now in picture
            .now
            .iter()
            .filter(|now| is_waited && !scene.waits(now))
        {
            if let Some(suspect) = self.threads.get_mut(&now.thread) {
                *suspect.seen.entry(activity(now)).or_default() += 1;
            }
        }
        for &sign in Sign::of(self.kind) {
            for (thread, value) in sign.values(&scene) {
                let suspect = self.threads.get_mut(&thread);
                let hypotheses = suspect.into_iter().flat_map(|one| &mut one.hypotheses);
                for (_, hypothesis) in hypotheses.filter(|(own, _)| *own == sign) {
                    hypothesis.add(value);
                }
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
