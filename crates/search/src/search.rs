//! The search: which hypotheses are tested, and what is certain. All are tested from the beginning,
//! so that what is special is known as soon as what it is a part of; but it counts only below
//! another one that holds.

use std::collections::BTreeMap;

use pgas_monitor::{Picture, Place};

use crate::claim::{Claim, Finding};
use crate::culprit::Culprit;
use crate::hypothesis::{Hypothesis, part_of};

/// Probability that a level of the search says something wrong, over a whole run.
const ERROR: f64 = 0.05;
/// Share of time outside of computing above which a program is inefficient: E < 0.8.
const IDLE: f64 = 0.2;
/// Share of time above which a kind of operation, or a place, is a cause of that.
const NOTABLE: f64 = 0.05;
/// Places of one kind that are tested.
const PLACES: usize = 64;

/// What a period has changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// This has become certain.
    Found(Finding),
    /// This was certain, and does not hold any more.
    Gone(Finding),
}

/// Activity and kind of an operation.
type KindKey = (&'static str, &'static str);

/// A search that goes on for as long as the program runs.
#[derive(Debug)]
pub struct Search {
    program: Hypothesis,
    kinds: BTreeMap<KindKey, Kind>,
    /// Those of the last period.
    findings: Vec<Finding>,
}

#[derive(Debug)]
struct Kind {
    hypothesis: Hypothesis,
    places: BTreeMap<Place, AtPlace>,
}

#[derive(Debug)]
struct AtPlace {
    hypothesis: Hypothesis,
    /// Once the place is certain.
    culprit: Option<Culprit>,
}

impl Default for Search {
    fn default() -> Self {
        Search {
            program: Hypothesis::new(IDLE, ERROR),
            kinds: BTreeMap::new(),
            findings: Vec::new(),
        }
    }
}

impl Search {
    /// Takes the picture of a period; returns what has become certain, and what is not any more.
    pub fn look(&mut self, picture: &Picture) -> Vec<Change> {
        let Some(efficiency) = picture.efficiency.filter(|_| picture.period > 0.0) else {
            return Vec::new();
        };
        self.program.add(1.0 - efficiency);
        self.look_at_kinds(picture);
        let mut now = self.certain();
        for finding in &mut now {
            let before = self.findings.iter().find(|one| one.claim == finding.claim);
            finding.known_after = before.map_or(picture.elapsed, |before| before.known_after);
        }
        let before = std::mem::replace(&mut self.findings, now);
        let has = |all: &[Finding], one: &Finding| all.iter().any(|other| other.claim == one.claim);
        let gone = before.iter().filter(|one| !has(&self.findings, one));
        let found = self.findings.iter().filter(|one| !has(&before, one));
        let gone = gone.cloned().map(Change::Gone);
        gone.chain(found.cloned().map(Change::Found)).collect()
    }

    /// What is certain now, what is special after what it is a part of.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn certain(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.program.holds() {
            findings.push(finding(Claim::Program, &self.program));
            for (key, kind) in &self.kinds {
                kind.certain(*key, &mut findings);
            }
        }
        findings
    }

    fn look_at_kinds(&mut self, picture: &Picture) {
        let times = &picture.times;
        let waiting = times.waiting.iter();
        let waiting = waiting.map(|(kind, seconds)| (("waiting", *kind), *seconds));
        let communicating = times.communicating.iter();
        let communicating =
            communicating.map(|(kind, seconds)| (("communicating", *kind), *seconds));
        // Those that took no time in this period are tested, too.
        let mut seconds: BTreeMap<KindKey, f64> =
            self.kinds.keys().map(|key| (*key, 0.0)).collect();
        seconds.extend(waiting.chain(communicating));
        let all = times.computing + seconds.values().sum::<f64>();
        for (key, seconds) in seconds {
            let number = self.kinds.len();
            let kind = self.kinds.entry(key).or_insert_with(|| Kind {
                hypothesis: Hypothesis::new(NOTABLE, part_of(ERROR, number)),
                places: BTreeMap::new(),
            });
            let share = seconds / all.max(f64::MIN_POSITIVE);
            kind.hypothesis.add(share);
            kind.look_at_places(picture, key, all.max(f64::MIN_POSITIVE));
        }
    }
}

impl Kind {
    fn certain(&self, (activity, kind): KindKey, into: &mut Vec<Finding>) {
        if self.hypothesis.holds() {
            into.push(finding(Claim::Kind { activity, kind }, &self.hypothesis));
            for (place, at) in &self.places {
                at.certain((activity, kind), place, into);
            }
        }
    }

    fn look_at_places(&mut self, picture: &Picture, key: KindKey, all: f64) {
        let known = self.places.keys();
        let mut seconds: BTreeMap<Place, f64> = known.map(|place| (place.clone(), 0.0)).collect();
        let here = picture.operations.iter();
        for one in here.filter(|one| (one.activity, one.kind) == key) {
            *seconds.entry(one.place.clone()).or_default() += one.seconds;
        }
        for (place, seconds) in seconds {
            let number = self.places.len();
            if !self.places.contains_key(&place) && number >= PLACES {
                continue;
            }
            let at = self.places.entry(place.clone()).or_insert_with(|| AtPlace {
                hypothesis: Hypothesis::new(NOTABLE, part_of(ERROR, number)),
                culprit: None,
            });
            at.look(picture, key.1, &place, seconds / all);
        }
    }
}

impl AtPlace {
    fn certain(&self, (activity, kind): KindKey, place: &Place, into: &mut Vec<Finding>) {
        if !self.hypothesis.holds() {
            return;
        }
        let place = place.clone();
        let claim = Claim::Place {
            activity,
            kind,
            place: place.clone(),
        };
        into.push(finding(claim, &self.hypothesis));
        let suspects = self.culprit.iter().flat_map(Culprit::suspects);
        for (thread, suspect) in suspects.filter(|(_, suspect)| suspect.hypothesis.holds()) {
            let place = place.clone();
            let claim = Claim::Thread {
                kind,
                place,
                thread,
            };
            into.push(Finding {
                meanwhile: suspect.meanwhile(),
                ..finding(claim, &suspect.hypothesis)
            });
        }
    }

    fn look(&mut self, picture: &Picture, kind: &str, place: &Place, share: f64) {
        self.hypothesis.add(share);
        if !self.hypothesis.holds() {
            self.culprit = None;
            return;
        }
        if self.culprit.is_none() {
            let threads: Vec<u32> = picture.now.iter().map(|now| now.thread).collect();
            self.culprit = Culprit::of(kind, &threads, ERROR);
        }
        if let Some(culprit) = &mut self.culprit {
            culprit.look(picture, place);
        }
    }
}

fn finding(claim: Claim, hypothesis: &Hypothesis) -> Finding {
    Finding {
        claim,
        share: hypothesis.mean,
        // Set where it counts: what it is a part of may hold only later.
        known_after: 0.0,
        meanwhile: None,
    }
}
