//! From the ticks of one node's clock to those of the reference.
//!
//! Two clocks were compared at one or more moments of a run; between these the difference is taken
//! to change at a constant rate, as it does between oscillators whose temperature stays the same.
//! So a correction is a line, or several pieces of one, through the moments of comparison. Its
//! error at any time follows from the errors there.

/// How far the rates of two nodes' CLOCK_MONOTONIC may differ where comparisons do not say it: two
/// crystals that are exact to 50 parts per million each, which is what their makers promise, and
/// nobody disciplines them.
pub const RATE_UNCERTAINTY: f64 = 100e-6;

/// The same moment on two clocks, with the error of the second reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// Ticks of the clock that is corrected.
    pub own: u64,
    /// Ticks of the reference.
    pub reference: u64,
    /// Ticks of the reference that it may be more or less.
    pub uncertainty: f64,
}

/// Ratio of two clocks' rates, as far as it is known without comparisons.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Ticks of the reference per tick of the clock that is corrected.
    pub ratio: f64,
    /// Relative error of the ratio.
    pub uncertainty: f64,
}

/// One straight piece.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Piece {
    anchor: Anchor,
    ratio: f64,
    /// By how much the uncertainty grows per tick before the anchor and after it.
    growth: [f64; 2],
}

/// Maps ticks of one clock to ticks of the reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Correction {
    /// Each holds from its anchor on, the first one also before.
    pieces: Vec<Piece>,
    nominal: Rate,
}

impl Correction {
    /// The line through all anchors. `rate` serves where there is only one, and instead of
    /// differences between anchors that lie too close to each other to say more. `None` if
    /// there are none.
    pub fn new(mut anchors: Vec<Anchor>, rate: Rate) -> Option<Self> {
        anchors.sort_by_key(|anchor| anchor.own);
        let mut kept: Vec<Anchor> = Vec::new();
        for anchor in anchors {
            let mut candidate = Some(anchor);
            while let (Some(new), Some(&last)) = (candidate, kept.last()) {
                if new.own > last.own && slope_uncertainty(last, new) <= rate.uncertainty {
                    break;
                }
                // Of two that are as good as simultaneous the more exact one.
                if new.uncertainty < last.uncertainty {
                    kept.pop();
                } else {
                    candidate = None;
                }
            }
            kept.extend(candidate);
        }
        let only = *kept.first()?;
        if kept.len() == 1 {
            let growth = rate.uncertainty * rate.ratio;
            let piece = Piece {
                anchor: only,
                ratio: rate.ratio,
                growth: [growth, growth],
            };
            return Some(Correction {
                pieces: vec![piece],
                nominal: rate,
            });
        }
        let pieces = kept.windows(2).enumerate().map(|(number, ends)| {
            let (begin, end) = (ends[0], ends[1]);
            let length = (end.own - begin.own) as f64;
            let before = match number {
                0 => slope_uncertainty(begin, end),
                _ => 0.0,
            };
            Piece {
                anchor: begin,
                ratio: difference(begin.reference, end.reference) / length,
                growth: [before, (end.uncertainty - begin.uncertainty) / length],
            }
        });
        let mut pieces: Vec<Piece> = pieces.collect();
        let (last, before_last) = (kept[kept.len() - 1], kept[kept.len() - 2]);
        let ratio = pieces[pieces.len() - 1].ratio;
        pieces.push(Piece {
            anchor: last,
            ratio,
            growth: [0.0, slope_uncertainty(before_last, last)],
        });
        Some(Correction {
            pieces,
            nominal: rate,
        })
    }

    /// The time, in ticks of the reference, that the clock's `ticks` stand for.
    #[inline]
    pub fn to_reference(&self, ticks: u64) -> u64 {
        let piece = self.piece(ticks);
        let distance = i128::from(ticks) - i128::from(piece.anchor.own);
        // The whole part is exact, so that rounding is that of the small rest.
        let rest = (distance as f64 * (piece.ratio - 1.0)).round();
        let time = (i128::from(piece.anchor.reference) + distance).saturating_add(rest as i128);
        u64::try_from(time.max(0)).unwrap_or(u64::MAX)
    }

    /// The clock's ticks when the reference shows `time`: the inverse of
    /// [`Correction::to_reference`], to a tick. `None` for a clock that stands still.
    pub fn from_reference(&self, time: u64) -> Option<u64> {
        let piece = self.piece_at(time);
        if piece.ratio <= 0.0 {
            return None;
        }
        let distance = i128::from(time) - i128::from(piece.anchor.reference);
        let rest = (distance as f64 * (1.0 / piece.ratio - 1.0)).round();
        let ticks = (i128::from(piece.anchor.own) + distance).saturating_add(rest as i128);
        Some(u64::try_from(ticks.max(0)).unwrap_or(u64::MAX))
    }

    /// Whether a later time never becomes an earlier one. Clocks that were set during the run do
    /// not do so.
    pub fn is_increasing(&self) -> bool {
        self.pieces.iter().all(|piece| piece.ratio > 0.0)
    }

    /// Ticks of the reference by which [`Correction::to_reference`] may be wrong at the clock's
    /// `ticks`.
    pub fn uncertainty(&self, ticks: u64) -> f64 {
        let piece = self.piece(ticks);
        let own = piece.anchor.own;
        let [before, after] = piece.growth;
        let (growth, distance) = match ticks < own {
            true => (before, own - ticks),
            false => (after, ticks - own),
        };
        // An unknown uncertainty stays so at a distance of zero.
        let grown = if distance == 0 {
            0.0
        } else {
            growth * distance as f64
        };
        piece.anchor.uncertainty + grown
    }

    /// Ticks of the reference by which a corrected time near `time`, itself in ticks of the
    /// reference, may be wrong.
    pub fn uncertainty_at(&self, time: u64) -> f64 {
        let piece = self.piece_at(time);
        let distance = difference(piece.anchor.reference, time) / piece.ratio;
        // Conversion to integers saturates, also from what a ratio of zero makes of it.
        self.uncertainty(piece.anchor.own.saturating_add_signed(distance as i64))
    }

    /// Length, in ticks of the reference, of `ticks` of the clock that end at its time `end`.
    pub fn duration(&self, ticks: u64, end: u64) -> u64 {
        (ticks as f64 * self.piece(end).ratio).max(0.0).round() as u64
    }

    /// Whether the difference of the two clocks' rates was measured by comparing them more than
    /// once.
    pub fn measures_drift(&self) -> bool {
        self.pieces.len() > 1
    }

    /// By how much the clock runs faster than the reference, as a share (1e-6 is one part per
    /// million), beyond what the nodes' own idea of a second explains; `None` if that was not
    /// measured.
    pub fn drift(&self) -> Option<f64> {
        let drift = self.nominal.ratio / self.ratio() - 1.0;
        let is_known = self.measures_drift() && self.nominal.uncertainty.is_finite();
        (is_known && drift.is_finite()).then_some(drift)
    }

    /// Ticks of the reference per tick of the clock, from the first comparison to the last.
    pub fn ratio(&self) -> f64 {
        let (first, last) = (&self.pieces[0], &self.pieces[self.pieces.len() - 1]);
        match last.anchor.own - first.anchor.own {
            0 => first.ratio,
            own => difference(first.anchor.reference, last.anchor.reference) / own as f64,
        }
    }

    #[inline]
    fn piece(&self, ticks: u64) -> &Piece {
        let later = self.pieces.iter().skip(1);
        let number = later.take_while(|piece| piece.anchor.own <= ticks).count();
        &self.pieces[number]
    }

    fn piece_at(&self, time: u64) -> &Piece {
        let later = self.pieces.iter().skip(1);
        let number = later
            .take_while(|piece| piece.anchor.reference <= time)
            .count();
        &self.pieces[number]
    }
}

/// Ticks from one moment to another, exact also where ticks themselves are not in an `f64`.
fn difference(begin: u64, end: u64) -> f64 {
    (i128::from(end) - i128::from(begin)) as f64
}

/// Error of the ratio of rates that follows from two anchors.
fn slope_uncertainty(a: Anchor, b: Anchor) -> f64 {
    match b.own - a.own {
        0 => f64::INFINITY,
        distance => (a.uncertainty + b.uncertainty) / distance as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOMINAL: Rate = Rate {
        ratio: 1.0,
        uncertainty: RATE_UNCERTAINTY,
    };

    fn anchor(own: u64, reference: u64, uncertainty: f64) -> Anchor {
        Anchor {
            own,
            reference,
            uncertainty,
        }
    }

    fn correction(anchors: &[Anchor], rate: Rate) -> Correction {
        Correction::new(anchors.to_vec(), rate).expect("there are anchors")
    }

    #[test]
    fn one_comparison_gives_the_offset_and_an_uncertainty_that_grows() {
        let c = correction(&[anchor(1_000_000, 5_000_000, 300.0)], NOMINAL);
        assert_eq!(c.to_reference(1_000_000), 5_000_000);
        assert_eq!(c.to_reference(3_000_000), 7_000_000);
        assert_eq!(c.to_reference(0), 4_000_000);
        assert_eq!(c.uncertainty(1_000_000), 300.0);
        assert!((c.uncertainty(3_000_000) - 500.0).abs() < 1e-6);
        assert!((c.uncertainty(0) - 400.0).abs() < 1e-6);
    }

    #[test]
    fn two_comparisons_give_the_drift_too() {
        let ends = [
            anchor(0, 100, 10.0),
            anchor(1_000_000_000, 1_000_050_100, 30.0),
        ];
        let c = correction(&ends, NOMINAL);
        assert_eq!(c.to_reference(500_000_000), 500_025_100);
        assert_eq!(c.to_reference(2_000_000_000), 2_000_100_100);
        assert!((c.uncertainty(500_000_000) - 20.0).abs() < 1e-9);
        assert!((c.uncertainty(2_000_000_000) - 70.0).abs() < 1e-9);
    }

    #[test]
    fn comparisons_too_close_to_each_other_do_not_give_a_drift() {
        let ends = [anchor(0, 100, 10.0), anchor(1000, 1120, 5.0)];
        let c = correction(&ends, NOMINAL);
        assert_eq!(c.to_reference(1_000_000), 1_000_120);
        assert_eq!(c.to_reference(0), 120);
        assert_eq!(Correction::new(vec![], NOMINAL), None);
    }

    #[test]
    fn what_is_not_known_stays_unknown() {
        let unknown = Rate {
            ratio: 1.0,
            uncertainty: f64::INFINITY,
        };
        let c = correction(&[anchor(10, 20, f64::INFINITY)], unknown);
        assert_eq!(c.to_reference(15), 25);
        assert_eq!(c.uncertainty(10), f64::INFINITY);
        assert_eq!(c.uncertainty(11), f64::INFINITY);
    }

    #[test]
    fn times_do_not_leave_the_range() {
        let c = correction(&[anchor(1_000_000, 10, 1.0)], NOMINAL);
        assert_eq!(c.to_reference(5), 0);
        let c = correction(&[anchor(0, u64::MAX - 5, 1.0)], NOMINAL);
        assert_eq!(c.to_reference(50), u64::MAX);
    }

    proptest! {
        /// A clock that is shifted and runs at another rate: whatever moments it was compared at, and however wrong these
        /// comparisons are within what they state, no time is wrong by more than what is stated for it.
        #[test]
        fn a_linear_clock_is_corrected_within_the_uncertainty(
            offset in 0u64..1 << 40,
            ppm in -90.0f64..90.0,
            moments in prop::collection::vec((0u64..10_000_000_000, 0.0f64..5_000.0, -1.0f64..1.0), 1..5),
            looks in prop::collection::vec(0u64..20_000_000_000, 1..20),
        ) {
            // True time is the reference's.
            let own = |time: u64| offset + time + (time as f64 * ppm * 1e-6).round() as u64;
            let shift = 1u64 << 30;
            let anchors = moments.iter().map(|&(time, uncertainty, error)| {
                let wrong = (shift + time) as f64 + error * uncertainty;
                anchor(own(shift + time), wrong.round() as u64, uncertainty + 1.0)
            });
            let c = Correction::new(anchors.collect(), NOMINAL).expect("there are anchors");
            for time in looks {
                let ticks = own(shift + time);
                let error = c.to_reference(ticks) as f64 - (shift + time) as f64;
                // A tick for each rounding, here and there.
                let allowed = c.uncertainty(ticks) * (1.0 + 2.0 * RATE_UNCERTAINTY) + 2.0;
                prop_assert!(error.abs() <= allowed, "wrong by {} at {}, stated {}", error, time, allowed);
            }
        }

        #[test]
        fn the_inverse_leads_back(
            offset in 0u64..1 << 40,
            ppm in -90.0f64..90.0,
            times in prop::collection::vec(0u64..10_000_000_000, 1..10),
        ) {
            let own = |time: u64| offset + time + (time as f64 * ppm * 1e-6).round() as u64;
            let anchors = [0, 1 << 30, 1 << 32].map(|time| anchor(own(time), time, 10.0));
            let c = correction(&anchors, NOMINAL);
            for time in times {
                let ticks = c.from_reference(time).expect("the clock runs");
                prop_assert!(c.to_reference(ticks).abs_diff(time) <= 2, "{time} {ticks}");
            }
        }

        #[test]
        fn time_never_runs_backwards_where_comparisons_agree(
            ratio in 0.2f64..5.0,
            anchors in prop::collection::btree_map(0u64..1 << 40, 0.0f64..100.0, 1..4),
            ticks in prop::collection::vec(0u64..1 << 41, 2..40),
            step in 0u64..3,
        ) {
            let anchors = anchors.iter().map(|(&own, &uncertainty)| anchor(own, (own as f64 * ratio) as u64, uncertainty));
            let c = Correction::new(anchors.collect(), Rate { ratio, uncertainty: RATE_UNCERTAINTY }).expect("anchors");
            for ticks in ticks {
                prop_assert!(c.to_reference(ticks) <= c.to_reference(ticks + step));
            }
        }
    }
}
