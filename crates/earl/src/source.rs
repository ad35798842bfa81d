//! Where events come from: the one interface between event access and storage, so that every
//! analysis also works on events that were never in a file.

use std::convert::Infallible;

use pgas_trace::model::{Event, Site, SiteId};

/// The stream of one thread, read once from its first event to its last.
pub trait EventSource {
    /// Error of a failed read.
    type Error;

    /// The next event, `None` at the end. After an error there are no more events.
    fn next_event(&mut self) -> Option<Result<Event, Self::Error>>;

    /// Appends the next events: at least one, unless there are no more, and at most `at_most`. A
    /// source that can give many at less cost than one by one does so here.
    ///
    /// # Errors
    /// As for [`EventSource::next_event`]. There are no more events then.
    fn fill(&mut self, events: &mut Vec<Event>, at_most: usize) -> Result<(), Self::Error> {
        for _ in 0..at_most {
            match self.next_event() {
                Some(event) => events.push(event?),
                None => break,
            }
        }
        Ok(())
    }

    /// Is told that other streams have their turn before this one is read on, so that it can give
    /// back memory.
    fn rest(&mut self) {}

    /// The definition of a site that an event of this stream named; `None` if there is none.
    fn site(&self, id: SiteId) -> Option<&Site>;

    /// The last time (ticks) before events are missing from the middle of the stream; `None` if
    /// none are. Operations that are numbered cannot be matched from there on.
    fn gap(&self) -> Option<u64> {
        None
    }

    /// The last time (ticks) before the thread was ended in the midst of an operation; `None` if it
    /// was not. Exits behind it say that the thread was still there, and not that it came out.
    fn interrupted_after(&self) -> Option<u64> {
        None
    }

    /// Whether a notify and a wait at the same place, with nothing in between, are how the runtime
    /// reports a barrier.
    fn reports_barriers_in_halves(&self) -> bool {
        true
    }
}

/// A stream in memory.
#[derive(Debug, Clone, Default)]
pub struct MemorySource {
    sites: Vec<Site>,
    events: std::vec::IntoIter<Event>,
}

impl MemorySource {
    /// A stream of `events`, whose site numbers are indices into `sites`.
    pub fn new(sites: Vec<Site>, events: Vec<Event>) -> Self {
        MemorySource {
            sites,
            events: events.into_iter(),
        }
    }
}

impl EventSource for MemorySource {
    type Error = Infallible;

    fn next_event(&mut self) -> Option<Result<Event, Infallible>> {
        self.events.next().map(Ok)
    }

    fn site(&self, id: SiteId) -> Option<&Site> {
        self.sites.get(id.0 as usize)
    }
}
