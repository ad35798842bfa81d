//! Whether the analysis has seen all accesses to shared data, and which advice it withholds if not.
//!
//! Advice on what a program does not need is dangerous if something was not seen: a barrier that
//! orders accesses left out by a filter looks like one that orders none. So each detector hands
//! what it has found to the [`Gate`], which knows the run's *blind spots* ([`run`]: from how the
//! program was compiled and recorded; [`trace`]: from the events) and a table of which kind of
//! advice tolerates which ([`needs`]). The gate drops what cannot be stated and remembers why, for
//! the summary. No detector looks for blind spots by itself.
//!
//! `docs/withheld.md` has the table for users.

pub mod needs;
pub mod run;
pub mod trace;

use std::collections::BTreeMap;

use pgas_result::accesses::Accesses;
use pgas_result::withheld::{AdviceKind, BlindSpot, Withheld};
use pgas_trace::model::SyncMode;

use crate::conclude::repetition::Again;
use crate::conclude::unneeded::{Advice, Claim};
use crate::pipeline::search::Found;

/// See the module.
#[derive(Debug)]
pub struct Gate<'a> {
    spots: Vec<BlindSpot>,
    again: Option<&'a Again>,
    /// Kinds of which something was dropped, or would have been looked for.
    dropped: BTreeMap<AdviceKind, ()>,
}

impl<'a> Gate<'a> {
    /// For a run with these blind spots by the way in which it was compiled and recorded; `again`
    /// is how to repeat it.
    pub fn new(found: &Found, of_run: &[BlindSpot], again: Option<&'a Again>) -> Self {
        let mut spots: Vec<BlindSpot> = of_run.to_vec();
        spots.extend(trace::blind_spots(found));
        spots.sort();
        spots.dedup();
        let mut gate = Gate {
            spots,
            again,
            dropped: BTreeMap::new(),
        };
        // A blind spot that hides accesses may leave no advice that could be dropped.
        if found.threads.len() > 1 {
            let evident = |kind: AdviceKind| {
                let spots = gate.in_the_way(kind);
                spots
                    .filter(|spot| needs::is_evident(kind, spot.kind))
                    .count()
                    > 0
            };
            let kinds = needs::KINDS.into_iter().filter(|&kind| {
                evident(kind) && (!needs::is_of_synchronization(kind) || trace::synchronizes(found))
            });
            let kinds: Vec<AdviceKind> = kinds.collect();
            gate.dropped
                .extend(kinds.into_iter().map(|kind| (kind, ())));
        }
        gate
    }

    /// Whether advice of a kind can be stated.
    pub fn admits(&self, kind: AdviceKind) -> bool {
        self.in_the_way(kind).next().is_none()
    }

    fn in_the_way(&self, kind: AdviceKind) -> impl Iterator<Item = &BlindSpot> {
        let spots = self.spots.iter();
        spots.filter(move |spot| needs::is_in_the_way(kind, spot.kind))
    }

    /// Keeps what can be stated of advice, each piece of which is of a kind.
    pub fn keep<T>(&mut self, all: &mut Vec<T>, kind: impl Fn(&T) -> AdviceKind) {
        all.retain(|advice| {
            let kind = kind(advice);
            let admitted = self.admits(kind);
            if !admitted {
                self.dropped.insert(kind, ());
            }
            admitted
        });
    }

    /// Keeps what can be stated of claims about synchronisation. One that rests on a barrier goes
    /// with that barrier's own claim, so both are decided here.
    pub fn keep_claims(&mut self, claims: &mut Vec<Advice>) {
        self.keep(claims, |advice| kind_of(advice.claim));
    }

    /// Keeps what can be stated of advice on accesses.
    pub fn keep_accesses(&mut self, accesses: &mut Accesses) {
        self.keep(&mut accesses.layout, |_| AdviceKind::Layout);
        self.keep(&mut accesses.distributions, |_| AdviceKind::Layout);
        self.keep(&mut accesses.wrong_side, |_| AdviceKind::WrongSide);
        self.keep(&mut accesses.own_affinity, |_| AdviceKind::OwnAffinity);
        self.keep(&mut accesses.fine_grained, |_| AdviceKind::FineGrained);
        self.keep(&mut accesses.placement, |_| AdviceKind::Placement);
    }

    /// Kinds of advice that were withheld, with the reasons; kinds with the same reasons together.
    pub fn withheld(self) -> Vec<Withheld> {
        let mut all: Vec<Withheld> = Vec::new();
        for &kind in self.dropped.keys() {
            let reasons: Vec<BlindSpot> = self.in_the_way(kind).cloned().collect();
            match all.iter_mut().find(|withheld| withheld.reasons == reasons) {
                Some(withheld) => withheld.advice.push(kind),
                None => all.push(Withheld {
                    advice: vec![kind],
                    command: self.again.and_then(|again| again.without(&reasons, kind)),
                    reasons,
                }),
            }
        }
        all
    }
}

/// The kind of advice that a claim is.
fn kind_of(claim: Claim) -> AdviceKind {
    match claim {
        Claim::Entry(_, SyncMode::None) | Claim::Exit(_, SyncMode::None) => {
            AdviceKind::ModeBesideBarrier
        }
        Claim::Entry(..) | Claim::Exit(..) => AdviceKind::WeakerMode,
        Claim::Repeated => AdviceKind::RepeatedBarrier,
        Claim::OwnData => AdviceKind::OwnDataBarrier,
        Claim::Unrelated => AdviceKind::UnrelatedBarrier,
    }
}
