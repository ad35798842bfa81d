//! Comparisons so far, as thread 0 keeps them.

use super::apart::{self, Apart, Errors};
use super::global::{RATE, line, uncertainty};
use super::link::Link;
use super::loops;
use super::seconds;
use super::{LINE_WORDS, Sharing};
use crate::job::{Order, Settings};
use crate::record::Clocks;
use crate::ticks;
use pgas_clocks::{Anchor, Compared, Correction, Prediction, Share, adjust, predict};
use pgas_statistics::student;
use std::collections::VecDeque;

/// Rates are taken to be constant for so long.
const LONGEST: f64 = 60.0;
const MOST: usize = 12;
/// Part of the time that comparisons may take.
const SHARE: f64 = 0.1;
/// Growth of the uncertainty, as a part of its value after a comparison, at which clocks are
/// compared again.
const GROWTH: f64 = 0.5;

#[derive(Debug)]
pub(crate) struct History {
    /// By thread: time of its timer from which its ticks count.
    epochs: Vec<f64>,
    /// By comparison and clock other than thread 0's.
    anchors: Vec<Vec<Anchor>>,
    prediction: Option<Prediction>,
    /// Uncertainty of the worst clock right after the last comparison.
    fresh: f64,
    took: f64,
    ended: u64,
    exchanges: u64,
    /// By clock other than thread 0's: what loops of clocks add to it, in seconds.
    shifts: Vec<f64>,
    /// Errors as loops show them.
    errors: Option<Errors>,
    /// Comparisons with loops.
    closed: u32,
    records: VecDeque<Clocks>,
}

impl History {
    pub(crate) fn new(epochs: Vec<f64>) -> Self {
        History {
            epochs,
            anchors: Vec::new(),
            prediction: None,
            fresh: 0.0,
            took: 0.0,
            ended: 0,
            exchanges: 0,
            shifts: Vec::new(),
            errors: None,
            closed: 0,
            records: VecDeque::new(),
        }
    }

    pub(super) fn add(&mut self, links: &[Link], sharing: &Sharing, order: Order) {
        let mut anchors: Vec<Anchor> = Vec::new();
        self.exchanges = links.iter().map(|link| link.exchanges).sum();
        for (number, &thread) in sharing.clocks[1..].iter().enumerate() {
            let via = match (order, number) {
                (Order::Linear, _) | (_, 0) => None,
                (Order::Ring, _) => self.line_of(number - 1, anchors[number - 1]),
            };
            let Some(meeting) = links[thread].meeting else {
                return;
            };
            anchors.push(meeting.anchor(1.0, via.as_ref()));
        }
        self.shifts.resize(anchors.len(), 0.0);
        self.anchors.push(anchors);
    }

    /// How a clock led to the global one when it was compared just now.
    fn line_of(&self, clock: usize, now: Anchor) -> Option<Correction> {
        let before = self.anchors.iter().map(|anchors| anchors[clock]);
        Correction::new(before.chain([now]).collect(), RATE)
    }

    /// Chooses the comparisons to go on with, forgets old ones, and records the result.
    pub(super) fn note(&mut self, sharing: &Sharing, order: Order, took: f64, now: u64) {
        if sharing.clocks.len() > 1 {
            self.forget(now);
            self.prediction = predict(&self.anchors, RATE, now);
        }
        (self.took, self.ended) = (took, now);
        self.fresh = self.worst(now);
        self.records.push_back(self.record(sharing, order));
    }

    fn forget(&mut self, now: u64) {
        let is_old = |anchors: &Vec<Anchor>| {
            let compared = anchors.iter().map(|anchor| anchor.reference).min();
            compared.is_some_and(|compared| ticks::between(compared, now) > LONGEST)
        };
        while self.anchors.len() > 2 && is_old(&self.anchors[0]) {
            self.anchors.remove(0);
        }
        // The first of the rest is the longest way back, so it stays.
        if self.anchors.len() > MOST {
            self.anchors.remove(1);
        }
    }

    fn record(&self, sharing: &Sharing, order: Order) -> Clocks {
        let clock = |thread: usize| {
            let first = sharing.first[thread];
            sharing.clocks[1..].iter().position(|&other| other == first)
        };
        let by_thread = |value: &dyn Fn(usize, usize) -> f64| {
            let threads = 0..sharing.first.len();
            let values = threads.map(|thread| clock(thread).map_or(0.0, |c| value(thread, c)));
            values.collect()
        };
        let offset = |thread: usize, clock: usize| {
            let anchors = self
                .prediction
                .as_ref()
                .map(|found| &self.anchors[found.last]);
            let between = anchors.map_or(0.0, |all| {
                ticks::between(all[clock].own, all[clock].reference)
            });
            between + self.shifts[clock] + self.epochs[0] - self.epochs[thread]
        };
        let drift = |_, clock: usize| {
            let correction = self
                .prediction
                .as_ref()
                .map(|found| &found.corrections[clock]);
            correction.map_or(0.0, |correction| 1.0 / correction.ratio() - 1.0)
        };
        Clocks {
            order,
            offsets: by_thread(&offset),
            uncertainties: by_thread(&|_, clock| self.of_clock(clock, self.ended)),
            drifts: by_thread(&drift),
            exchanges: self.exchanges,
            took: self.took,
            error_share: None,
        }
    }

    /// The line of each clock has its rate from comparisons.
    pub(super) fn knows_rates(&self) -> bool {
        let found = self.prediction.as_ref();
        found.is_some_and(|found| found.corrections.iter().all(Correction::measures_drift))
    }

    /// Adjusts the clocks by comparisons that close loops; `links` by thread and round. Ways stay as
    /// they are from one comparison to the next, so corrections are averaged, and the number of loops
    /// that show errors remains the same.
    pub(super) fn close_loops(
        &mut self,
        links: &[Link],
        sharing: &Sharing,
        settings: &Settings,
        now: u64,
    ) {
        let clocks = sharing.clocks.len();
        let mut all = self.of_offsets(settings.order, now);
        all.extend(closing(links, sharing, settings.order));
        let Some(found) = adjust(clocks, &all) else {
            return;
        };
        self.closed += 1;
        let weight = 1.0 / f64::from(self.closed);
        for (shift, correction) in self.shifts.iter_mut().zip(&found.corrections[1..]) {
            *shift += weight * correction;
        }
        self.note_errors(found.share, weight, clocks, settings.confidence);
    }

    /// Averages how wrong comparisons are with what earlier loops showed.
    fn note_errors(&mut self, share: Share, weight: f64, clocks: usize, confidence: f64) {
        let before = self.errors;
        let share = averaged(before.map(|errors| errors.share), share, weight);
        let same = before.filter(|errors| errors.share.freedom == share.freedom);
        self.errors = Some(match same {
            Some(errors) => errors.with(share),
            None => Errors::new(share, clocks, confidence),
        });
        if let Some(last) = self.records.back_mut() {
            last.error_share = Some(share.value);
        }
    }

    /// The comparisons that gave the offsets: clocks agree by them, but for what they were shifted
    /// since.
    fn of_offsets(&self, order: Order, now: u64) -> Vec<Compared> {
        let bounds: Vec<f64> = self.all(now).collect();
        let of = |values: &[f64], clock: usize| match clock {
            0 => 0.0,
            _ => values[clock - 1],
        };
        let one = |clock: usize| {
            let before = match order {
                Order::Linear => 0,
                Order::Ring => clock - 1,
            };
            Compared {
                clocks: (clock, before),
                difference: of(&self.shifts, clock) - of(&self.shifts, before),
                bound: (of(&bounds, clock) - of(&bounds, before)).max(seconds(1.0)),
            }
        };
        (1..=bounds.len()).map(one).collect()
    }

    /// By thread: the shift of its clock in ticks, and the part of its bound by which it is wrong at
    /// most.
    pub(super) fn trust(&self, sharing: &Sharing, confidence: f64) -> Vec<u64> {
        let part = self.errors.map_or(1.0, |Errors { share, .. }| {
            (share.value * student::coefficient(confidence, share.freedom)).min(1.0)
        });
        let of = |first: &usize| {
            let clock = sharing.clocks[1..].iter().position(|other| other == first);
            let shift = clock.map_or(0.0, |clock| self.shifts[clock]);
            [ticks::from_seconds(shift) as u64, part.to_bits()]
        };
        sharing.first.iter().flat_map(of).collect()
    }

    /// By thread: the words of its line.
    pub(super) fn lines(&self, sharing: &Sharing) -> Vec<u64> {
        let mut words = Vec::new();
        for first in &sharing.first {
            let clock = sharing.clocks[1..].iter().position(|other| other == first);
            words.extend(clock.map_or([0; LINE_WORDS], |clock| line(&self.chosen(clock))));
        }
        words
    }

    fn chosen(&self, clock: usize) -> Vec<Anchor> {
        let found = self.prediction.as_ref();
        let numbers = found.map(|found| found.first.into_iter().chain([found.last]));
        let numbers = numbers.into_iter().flatten();
        numbers.map(|number| self.anchors[number][clock]).collect()
    }

    /// Uncertainty of a clock at a global time.
    fn of_clock(&self, clock: usize, at: u64) -> f64 {
        let Some(found) = &self.prediction else {
            return 0.0;
        };
        let compared = self.anchors[found.last][clock].reference;
        uncertainty(&found.corrections[clock], compared, at)
    }

    fn all(&self, at: u64) -> impl Iterator<Item = f64> {
        let clocks = self
            .prediction
            .as_ref()
            .map_or(0, |found| found.corrections.len());
        (0..clocks).map(move |clock| self.of_clock(clock, at))
    }

    fn worst(&self, at: u64) -> f64 {
        self.all(at).fold(0.0, f64::max)
    }

    /// Clocks should be compared again before something that ends at this time.
    pub(crate) fn is_stale(&self, now: u64, end: u64) -> bool {
        self.worst(end) > (1.0 + GROWTH) * self.fresh
            && ticks::between(self.ended, now) > self.took / SHARE
    }

    /// By how much threads that started at the same time by their clocks may have been apart.
    pub(crate) fn apart(&self, order: Order, at: u64) -> Apart {
        let bounds: Vec<f64> = self.all(at).collect();
        let shifts = || self.shifts.iter().copied();
        let shifted = shifts().fold(0.0, f64::max) - shifts().fold(0.0, f64::min);
        let bound = apart::bound(order, &bounds) + shifted;
        Apart::of(bound, self.errors)
    }

    /// The earliest comparison that nobody has asked for yet.
    pub(crate) fn next_record(&mut self) -> Option<Clocks> {
        self.records.pop_front()
    }

    /// Seconds after which a second comparison says more about the rate than nothing does.
    pub(crate) fn useful_distance(&self) -> f64 {
        match self.prediction {
            None => 0.0,
            Some(_) => 2.0 * self.fresh / RATE.uncertainty,
        }
    }
}

/// Comparisons of pairs of clocks that close loops; `links` by thread and round.
fn closing(links: &[Link], sharing: &Sharing, order: Order) -> Vec<Compared> {
    let of_thread = links.len() / sharing.first.len();
    let rounds = loops::rounds(order, sharing.clocks.len())
        .into_iter()
        .enumerate();
    let pairs = rounds.flat_map(|(round, pairs)| pairs.into_iter().map(move |pair| (round, pair)));
    let compared = |(round, (asks, answers)): (usize, (usize, usize))| {
        let met = links[sharing.clocks[asks] * of_thread + round].meeting?;
        Some(Compared {
            clocks: (asks, answers),
            difference: ticks::between(met.other, met.own),
            bound: seconds(met.round_trip as f64 / 2.0 + 1.0),
        })
    };
    pairs.filter_map(compared).collect()
}

/// Of an estimate before and a new one, whose weight is given.
fn averaged(before: Option<Share>, found: Share, weight: f64) -> Share {
    let square = |share: Share| share.value.powi(2);
    let sum = before.map_or(0.0, |before| (1.0 - weight) * square(before));
    Share {
        value: (sum + weight * square(found)).sqrt(),
        ..found
    }
}
