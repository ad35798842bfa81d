//! Merges the streams of all threads by time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pgas_trace::Experiment;

use super::definitions::Definitions;
use super::loss::Losses;
use super::translate::Translator;
use crate::error::Error;
use crate::format::Event;

/// Streams, and what makes records of their events.
pub struct Merge<'a> {
    pub experiment: &'a Experiment,
    pub translators: Vec<Translator<'a>>,
    /// Tick that is second 0.
    pub first_tick: u64,
}

impl Merge<'_> {
    /// Gives the records of all events to `write`, ordered by time, and by thread where times are
    /// equal. Returns their number.
    pub fn write(
        mut self,
        definitions: &mut Definitions,
        losses: &mut Losses,
        mut write: impl FnMut(&Event) -> Result<(), Error>,
        mut progress: impl FnMut(u64),
    ) -> Result<u64, Error> {
        let mut heads = Vec::new();
        let mut queue = BinaryHeap::new();
        for (index, stream) in self.experiment.streams().iter().enumerate() {
            let mut events = self.experiment.corrected_events(stream);
            let head = events.next().transpose()?;
            if let Some(event) = &head {
                queue.push(Reverse((event.time, index)));
            }
            heads.push((head, events));
        }
        let (mut taken, mut written) = (0, 0);
        let mut records = Vec::new();
        while let Some(Reverse((_, index))) = queue.pop() {
            let (head, events) = &mut heads[index];
            // As long as no other stream is due: mostly for several events.
            while let Some(event) = head.take() {
                if let Some(Reverse(next)) = queue.peek() {
                    if *next < (event.time, index) {
                        queue.push(Reverse((event.time, index)));
                        *head = Some(event);
                        break;
                    }
                }
                let translator = &mut self.translators[index];
                translator.event(&event, definitions, losses, &mut records);
                *head = events.next().transpose()?;
                if head.is_none() {
                    translator.end(&mut records);
                }
                let since = event.time.saturating_sub(self.first_tick);
                let time = self.experiment.clock().duration(since);
                for (location, kind) in records.drain(..) {
                    written += 1;
                    write(&Event {
                        location,
                        time,
                        kind,
                    })?;
                }
                taken += 1;
                if taken % (1 << 16) == 0 {
                    progress(taken);
                }
            }
        }
        Ok(written)
    }
}
