//! Tree of hypotheses: program; kind of operation, place, thread; pair of tasks. Programs, kinds and places are
//! tested from the start, so that all levels are confirmed at about the same time; a hypothesis is
//! reported only if its parent is confirmed.

use std::collections::BTreeMap;

use pgas_monitor::{Picture, Place};

use crate::claim::{Claim, Finding};
use crate::culprit::Culprit;
use crate::hypothesis::{Hypothesis, part_of};
use crate::pairs::Pairs;
use crate::pattern::PatternVotes;

/// Max probability of a false alarm at each level, over the whole run.
const ERROR: f64 = 0.05;
/// Share of non-computing time above which a program is inefficient (E < 0.8).
const IDLE: f64 = 0.2;
/// Share of time above which a kind of operation or a place is reported.
const NOTABLE: f64 = 0.05;
/// Max number of places per kind.
const PLACES: usize = 64;

/// Change of the findings from one picture to the next.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Newly confirmed, or now with the wait state that most of it is.
    Found(Finding),
    /// No longer confirmed.
    Gone(Finding),
}

/// Activity and kind of an operation.
type KindKey = (&'static str, &'static str);

/// Search for the bottleneck of a running program.
#[derive(Debug)]
pub struct Search {
    program: Hypothesis,
    kinds: BTreeMap<KindKey, Kind>,
    pairs: Pairs,
    /// As of the last picture.
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
    pattern: PatternVotes,
    /// `Some` while the place is confirmed, for kinds in which threads wait for each other.
    culprit: Option<Culprit>,
}

impl Default for Search {
    fn default() -> Self {
        Search {
            program: Hypothesis::new(IDLE, ERROR),
            kinds: BTreeMap::new(),
            pairs: Pairs::default(),
            findings: Vec::new(),
        }
    }
}

impl Search {
    /// Adds the picture of a period; returns the changes of the findings.
    pub fn look(&mut self, picture: &Picture) -> Vec<Change> {
        let Some(efficiency) = picture.efficiency.filter(|_| picture.period > 0.0) else {
            return Vec::new();
        };
        self.program.add(1.0 - efficiency);
        self.add_kinds(picture);
        self.pairs.add(picture.tasks.as_ref(), ERROR);
        let mut now = self.confirmed();
        for finding in &mut now {
            let before = self.findings.iter().find(|one| one.claim == finding.claim);
            finding.known_after = before.map_or(picture.elapsed, |before| before.known_after);
        }
        let before = std::mem::replace(&mut self.findings, now);
        let has = |all: &[Finding], one: &Finding| all.iter().any(|other| other.claim == one.claim);
        let gone = before.iter().filter(|one| !has(&self.findings, one));
        let is_known = |one: &Finding| {
            let mut same = before.iter().filter(|other| other.claim == one.claim);
            same.any(|other| one.pattern.is_none() || other.pattern == one.pattern)
        };
        let found = self.findings.iter().filter(|one| !is_known(one));
        let gone = gone.cloned().map(Change::Gone);
        gone.chain(found.cloned().map(Change::Found)).collect()
    }

    /// Confirmed hypotheses, each after its parent.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn confirmed(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.program.is_confirmed() {
            findings.push(finding(Claim::Program, &self.program));
            for (key, kind) in &self.kinds {
                kind.confirmed(*key, &mut findings);
            }
            self.pairs.confirmed(&mut findings);
        }
        findings
    }

    fn add_kinds(&mut self, picture: &Picture) {
        let times = &picture.times;
        let waiting = times.waiting.iter();
        let waiting = waiting.map(|(kind, seconds)| (("waiting", *kind), *seconds));
        let communicating = times.communicating.iter();
        let communicating =
            communicating.map(|(kind, seconds)| (("communicating", *kind), *seconds));
        // Kinds without time in this period get a 0.
        let mut seconds: BTreeMap<KindKey, f64> =
            self.kinds.keys().map(|key| (*key, 0.0)).collect();
        seconds.extend(waiting.chain(communicating));
        let all = times.program().max(f64::MIN_POSITIVE);
        for (key, seconds) in seconds {
            let number = self.kinds.len();
            let kind = self.kinds.entry(key).or_insert_with(|| Kind {
                hypothesis: Hypothesis::new(NOTABLE, part_of(ERROR, number)),
                places: BTreeMap::new(),
            });
            kind.hypothesis.add(seconds / all);
            kind.add_places(picture, key, all);
        }
    }
}

impl Kind {
    fn confirmed(&self, (activity, kind): KindKey, into: &mut Vec<Finding>) {
        if self.hypothesis.is_confirmed() {
            into.push(finding(Claim::Kind { activity, kind }, &self.hypothesis));
            for (place, at) in &self.places {
                at.confirmed((activity, kind), place, into);
            }
        }
    }

    fn add_places(&mut self, picture: &Picture, key: KindKey, all: f64) {
        if key.1 == "idle" {
            // A processor without tasks is nowhere in the source.
            return;
        }
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
                pattern: PatternVotes::default(),
                culprit: None,
            });
            at.add(picture, key.1, &place, seconds / all);
        }
    }
}

impl AtPlace {
    fn confirmed(&self, (activity, kind): KindKey, place: &Place, into: &mut Vec<Finding>) {
        if !self.hypothesis.is_confirmed() {
            return;
        }
        let place = place.clone();
        let claim = Claim::Place {
            activity,
            kind,
            place: place.clone(),
        };
        into.push(Finding {
            pattern: self.pattern.named().map(str::to_owned),
            ..finding(claim, &self.hypothesis)
        });
        let named = self.culprit.as_ref().and_then(Culprit::named);
        if let Some(named) = named {
            let claim = Claim::Thread {
                kind,
                place,
                thread: named.thread,
            };
            into.push(Finding {
                evidence: Some(named.sign.name().to_owned()),
                meanwhile: named.suspect.meanwhile(),
                ..finding(claim, named.hypothesis)
            });
        }
    }

    fn add(&mut self, picture: &Picture, kind: &'static str, place: &Place, share: f64) {
        self.hypothesis.add(share);
        self.pattern.add(picture, kind, place);
        if !self.hypothesis.is_confirmed() {
            self.culprit = None;
            return;
        }
        if self.culprit.is_none() {
            let threads: Vec<u32> = picture.now.iter().map(|now| now.thread).collect();
            self.culprit = Culprit::new(kind, &threads, ERROR);
        }
        if let Some(culprit) = &mut self.culprit {
            culprit.add(picture, place);
        }
    }
}

fn finding(claim: Claim, hypothesis: &Hypothesis) -> Finding {
    Finding {
        claim,
        share: hypothesis.mean(),
        // Set by the search: the parent may be confirmed later.
        known_after: 0.0,
        pattern: None,
        evidence: None,
        meanwhile: None,
    }
}
