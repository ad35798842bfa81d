//! Shortest of many exchanges, and the relation of two clocks that follows from it.

use crate::correction::{Anchor, Correction};
use std::time::Duration;

/// Exchanges at most, however long they go on getting shorter.
const MOST_EXCHANGES: u64 = 20_000;
/// Exchanges at least, however long they take.
pub const FEW_EXCHANGES: u64 = 20;
/// After this time no more than [`FEW_EXCHANGES`] are asked for: threads that share cores with
/// others answer when it is their turn, some milliseconds later.
const LONG: Duration = Duration::from_millis(100);

/// A moment on two clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// Ticks of the clock that asked, in the middle of the exchange.
    pub own: u64,
    /// Ticks of the clock that answered.
    pub other: u64,
    /// Ticks from the question to its answer.
    pub round_trip: u64,
}

impl Meeting {
    /// The meeting as the clock that answered sees it.
    pub fn reversed(self) -> Meeting {
        Meeting {
            own: self.other,
            other: self.own,
            round_trip: self.round_trip,
        }
    }

    /// The anchor of the own clock's correction. The round trip counts `ratio` ticks of the
    /// reference each; `via` leads from the other clock to the reference, `None` if it is the
    /// reference.
    pub fn anchor(self, ratio: f64, via: Option<&Correction>) -> Anchor {
        // A tick for losses by rounding.
        let half = self.round_trip as f64 / 2.0 * ratio + 1.0;
        Anchor {
            own: self.own,
            reference: via.map_or(self.other, |via| via.to_reference(self.other)),
            uncertainty: half + via.map_or(0.0, |via| via.uncertainty(self.other)),
        }
    }
}

/// Exchanges of two clocks, of which the shortest counts.
#[derive(Debug, Clone)]
pub struct Search {
    patience: u32,
    exchanges: u64,
    since_shortest: u32,
    shortest: Option<Meeting>,
}

impl Search {
    /// Ends after `patience` exchanges in a row that were not shorter than one before.
    pub fn new(patience: u32) -> Self {
        Search {
            patience,
            exchanges: 0,
            since_shortest: 0,
            shortest: None,
        }
    }

    /// Takes an exchange that was begun at `sent` and ended at `received`, both on the own clock;
    /// the other one showed `answer` in between.
    pub fn add(&mut self, sent: u64, received: u64, answer: u64) {
        let round_trip = received.saturating_sub(sent);
        self.exchanges += 1;
        self.since_shortest += 1;
        if self.shortest.is_none_or(|s| round_trip < s.round_trip) {
            self.since_shortest = 0;
            self.shortest = Some(Meeting {
                own: sent + round_trip / 2,
                other: answer,
                round_trip,
            });
        }
    }

    /// Further exchanges are not worth their time, after those so far took `elapsed`.
    pub fn is_over(&self, elapsed: Duration) -> bool {
        self.since_shortest >= self.patience
            || self.exchanges >= MOST_EXCHANGES
            || self.exchanges >= FEW_EXCHANGES && elapsed > LONG
    }

    /// Number of exchanges so far.
    pub fn exchanges(&self) -> u64 {
        self.exchanges
    }

    /// The shortest exchange so far.
    pub fn shortest(&self) -> Option<Meeting> {
        self.shortest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_exchange_counts_and_the_first_of_equal_ones() {
        let mut search = Search::new(2);
        search.add(100, 120, 7_000);
        search.add(200, 210, 7_100);
        search.add(300, 310, 7_300);
        assert!(!search.is_over(Duration::ZERO));
        search.add(400, 460, 7_400);
        assert!(search.is_over(Duration::ZERO));
        assert_eq!(search.exchanges(), 4);
        let meeting = Meeting {
            own: 205,
            other: 7_100,
            round_trip: 10,
        };
        assert_eq!(search.shortest(), Some(meeting));
    }

    #[test]
    fn exchanges_that_go_on_getting_shorter_end_too() {
        let mut search = Search::new(10);
        for number in 0..MOST_EXCHANGES {
            assert!(!search.is_over(Duration::ZERO));
            assert_eq!(search.is_over(2 * LONG), number >= FEW_EXCHANGES);
            search.add(0, 2 * MOST_EXCHANGES - number, 5);
        }
        assert!(search.is_over(Duration::ZERO));
    }

    #[test]
    fn an_anchor_is_wrong_by_half_a_round_trip_and_what_the_way_to_the_reference_adds() {
        let meeting = Meeting {
            own: 1_000,
            other: 500,
            round_trip: 8,
        };
        let direct = meeting.anchor(1.0, None);
        assert_eq!((direct.reference, direct.uncertainty), (500, 5.0));
        let rate = crate::Rate {
            ratio: 1.0,
            uncertainty: 0.0,
        };
        let way = Correction::new(vec![meeting.reversed().anchor(1.0, None)], rate);
        let through = meeting.anchor(1.0, way.as_ref());
        assert_eq!((through.reference, through.uncertainty), (1_000, 10.0));
    }
}
