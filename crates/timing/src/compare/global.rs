//! A thread's own clock, and how it leads to the global one.

use super::{LINE_WORDS, seconds};
use crate::ticks;
use pgas_clocks::{Anchor, Correction, RATE_UNCERTAINTY, Rate};

/// How far the rates of two clocks may differ where comparisons do not say it: the crystals, and
/// as much again for the calibration of time stamp counters.
pub(super) const RATE: Rate = Rate {
    ratio: 1.0,
    uncertainty: 2.0 * RATE_UNCERTAINTY,
};

/// By how much rates may change while they are taken for constant: crystals follow the
/// temperature, by about a part per million and kelvin at worst.
pub(super) const WANDER: f64 = 0.05e-6;

/// One thread's clock.
#[derive(Debug, Clone)]
pub(crate) struct GlobalClock {
    epoch: f64,
    /// `None` for the global clock itself.
    correction: Option<Correction>,
    /// Global time of the comparison from which the correction counts.
    compared: u64,
    /// Ticks that loops of clocks add.
    shift: i64,
    /// Part of its bound by which a time is wrong at most, at the confidence of the settings.
    part: f64,
}

impl GlobalClock {
    /// A clock that has not been compared yet, which is right for that of thread 0.
    pub(crate) fn new(epoch: f64) -> Self {
        GlobalClock {
            epoch,
            correction: None,
            compared: 0,
            shift: 0,
            part: 1.0,
        }
    }

    /// Own ticks at a time of the thread's timer.
    pub(crate) fn own(&self, time: f64) -> u64 {
        ticks::from_clock(time, self.epoch)
    }

    /// Global ticks at a time of the thread's timer.
    pub(crate) fn global(&self, time: f64) -> u64 {
        let own = self.own(time);
        let correction = self.correction.as_ref();
        let global = correction.map_or(own, |correction| correction.to_reference(own));
        global.saturating_add_signed(self.shift)
    }

    /// Reading of the thread's timer at a global time.
    pub(crate) fn timer(&self, global: u64) -> f64 {
        let correction = self.correction.as_ref();
        let global = global.saturating_add_signed(-self.shift);
        let own = correction.map_or(Some(global), |correction| correction.from_reference(global));
        ticks::to_clock(own.unwrap_or(global), self.epoch)
    }

    /// Seconds by which a global time may be wrong: the bound.
    pub(crate) fn uncertainty(&self, global: u64) -> f64 {
        self.correction.as_ref().map_or(0.0, |correction| {
            uncertainty(correction, self.compared, global)
        })
    }

    /// Seconds by which a global time is wrong at most, at the confidence of the settings.
    pub(crate) fn error(&self, global: u64) -> f64 {
        self.part * self.uncertainty(global)
    }

    /// Takes what loops of clocks have shown: ticks to add, and the part of its bound by which the
    /// result is wrong at most.
    pub(super) fn trust(&mut self, shift: i64, part: f64) {
        (self.shift, self.part) = (shift, part);
    }

    /// Takes a line from thread 0.
    pub(super) fn follow(&mut self, line: &[u64]) {
        let anchors = line[1..].chunks_exact(3).take(line[0] as usize);
        let anchors = anchors.map(|words| Anchor {
            own: words[0],
            reference: words[1],
            uncertainty: f64::from_bits(words[2]),
        });
        let anchors: Vec<Anchor> = anchors.collect();
        self.compared = anchors.last().map_or(0, |anchor| anchor.reference);
        self.correction = Correction::new(anchors, RATE);
    }
}

/// Seconds by which a corrected time may be wrong, also because the rate changes.
pub(super) fn uncertainty(correction: &Correction, compared: u64, global: u64) -> f64 {
    let age = ticks::between(compared, global).abs();
    seconds(correction.uncertainty_at(global)) + WANDER * age
}

/// The words of a line through at most two anchors.
pub(super) fn line(anchors: &[Anchor]) -> [u64; LINE_WORDS] {
    let mut words = [0; LINE_WORDS];
    words[0] = anchors.len() as u64;
    for (anchor, words) in anchors.iter().zip(words[1..].chunks_exact_mut(3)) {
        let uncertainty = anchor.uncertainty.to_bits();
        words.copy_from_slice(&[anchor.own, anchor.reference, uncertainty]);
    }
    words
}
