//! Events with times in ticks of the reference clock.

use super::events::Events;
use super::memory::BlockMemory;
use crate::error::Error;
use crate::model::Event;
use pgas_clocks::Correction;

/// The events of a stream in comparable times. Time never runs backwards: an event that would be
/// earlier than the one before it is held at the time of that one, and counted.
#[derive(Debug)]
pub struct CorrectedEvents<'a> {
    events: Events<'a>,
    correction: Option<&'a Correction>,
    latest: u64,
    held: u64,
}

impl<'a> CorrectedEvents<'a> {
    pub(super) fn new(events: Events<'a>, correction: Option<&'a Correction>) -> Self {
        CorrectedEvents {
            events,
            correction,
            latest: 0,
            held: 0,
        }
    }

    /// How many of the events so far would have run backwards: the clock was set, or comparisons
    /// contradict each other.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Appends the next events, as [`Events::fill`].
    ///
    /// # Errors
    /// As for [`Events::fill`].
    pub fn fill(&mut self, events: &mut Vec<Event>, at_most: usize) -> Result<(), Error> {
        let before = events.len();
        self.events.fill(events, at_most)?;
        if let Some(correction) = self.correction {
            for event in &mut events[before..] {
                *event = self.correct(*event, correction);
            }
        }
        Ok(())
    }

    /// Shares the memory for blocks with other streams; see [`Events::sharing`].
    #[must_use]
    pub fn sharing(mut self, memory: &'a BlockMemory) -> Self {
        self.events = self.events.sharing(memory);
        self
    }

    /// States that nothing is read for a while; see [`Events::rest`].
    pub fn rest(&mut self) {
        self.events.rest();
    }

    fn correct(&mut self, mut event: Event, correction: &Correction) -> Event {
        let time = correction.to_reference(event.time);
        self.held += u64::from(time < self.latest);
        self.latest = self.latest.max(time);
        event.time = self.latest;
        event
    }
}

impl Iterator for CorrectedEvents<'_> {
    type Item = Result<Event, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let event = self.events.next()?;
        match self.correction {
            None => Some(event),
            Some(correction) => Some(event.map(|event| self.correct(event, correction))),
        }
    }
}
