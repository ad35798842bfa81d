//! The events of one thread from any moment on. Analyses that follow threads one by one, as a
//! [`Walker`](crate::Walker) does, read a stretch of the run without the events before it: decoding
//! begins with the block in which the stretch begins.

use pgas_trace::model::{Attributes, Event, Operation, Site, SiteId, ThreadId};

use super::EventTrace;
use super::cursor::{Cursor, Place, Step};
use super::error::AccessError;

/// A region that is open where reading begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inherited {
    /// Site of the region, by its number in the thread's stream.
    pub site: SiteId,
    /// Ticks of its Enter and what the call said; `None` if that lies before the block in which
    /// reading began.
    pub enter: Option<(u64, Attributes)>,
}

/// Reads the events of one thread forwards. Times are those of the reference clock.
#[derive(Debug)]
pub struct ThreadEvents<'t> {
    cursor: Cursor<'t>,
    /// The last notify that was passed, with the number of its Exit.
    notify: Option<(SiteId, u64)>,
}

impl<'t> EventTrace<'t> {
    /// The events of `thread` at or after `from` (ticks). A thread that recorded nothing has none.
    ///
    /// # Errors
    /// [`AccessError::NoSuchThread`]; [`AccessError::Trace`] if a block is damaged.
    pub fn thread_events(
        &self,
        thread: ThreadId,
        from: u64,
    ) -> Result<ThreadEvents<'t>, AccessError> {
        let index = self.index(thread)?;
        let place = Place::Time(from);
        let mut events = ThreadEvents {
            cursor: Cursor::at_block(index, index.block_to(place))?,
            notify: None,
        };
        events.go_to(from)?;
        Ok(events)
    }
}

impl<'t> ThreadEvents<'t> {
    /// Goes on to the first event at or after `time` (ticks). Blocks between are left out. Events
    /// that were passed stay passed.
    ///
    /// # Errors
    /// [`AccessError::Trace`] if a block is damaged.
    pub fn go_to(&mut self, time: u64) -> Result<(), AccessError> {
        let place = Place::Time(time);
        let index = self.cursor.index().clone();
        let block = index.block_to(place);
        if index.first_of(block) > self.cursor.number() {
            self.cursor = Cursor::at_block(&index, block)?;
        }
        let notify = &mut self.notify;
        let noted = |_: &Cursor<'t>, step: &Step| {
            if step.operation == Operation::Notify && !step.is_enter() {
                *notify = Some((step.site(), step.number));
            }
            Ok(())
        };
        self.cursor.go_to(place, |_, _, _| {}, noted)
    }

    /// The site of a `upc_notify` that was left directly before the next event, if it was gone
    /// there: what follows decides whether it is half of a plain barrier.
    pub fn notify_before(&self) -> Option<SiteId> {
        let (site, number) = self.notify?;
        (number + 1 == self.cursor.number()).then_some(site)
    }

    /// The regions that are open before the next event, outermost first.
    pub fn open(&self) -> impl Iterator<Item = Inherited> + '_ {
        self.cursor.frames().iter().map(|frame| Inherited {
            site: frame.site,
            enter: frame.enter.map(|enter| (enter.time, enter.attributes)),
        })
    }

    /// Ticks of the next event; `None` at the end.
    ///
    /// # Errors
    /// [`AccessError::Trace`] if a block is damaged.
    pub fn next_time(&mut self) -> Result<Option<u64>, AccessError> {
        self.cursor.next_time()
    }

    /// The next event; `None` at the end.
    ///
    /// # Errors
    /// [`AccessError::Trace`] if a block is damaged.
    pub fn next_event(&mut self) -> Result<Option<Event>, AccessError> {
        Ok(self.cursor.next_step()?.map(|step| step.event))
    }

    /// The sites that events and open regions name, by number.
    pub fn sites(&self) -> &'t [Site] {
        let stream = self.cursor.index().stream;
        stream.map_or(&[], |stream| stream.sites())
    }

    /// Ticks before events are missing from the middle of the stream; `None` if none are.
    /// Operations that are numbered cannot be counted from there on.
    pub fn gap(&self) -> Option<u64> {
        let index = self.cursor.index();
        let blocks = index.stream?.blocks();
        let gap = blocks.iter().position(|block| block.gap)?;
        Some(
            gap.checked_sub(1)
                .map_or(0, |before| index.last_time(before)),
        )
    }

    /// See [`EventSource::reports_barriers_in_halves`](crate::EventSource::reports_barriers_in_halves).
    pub fn reports_barriers_in_halves(&self) -> bool {
        let stream = self.cursor.index().stream;
        stream.is_none_or(|stream| stream.reports_barriers_in_halves())
    }

    /// Ticks before the thread was ended in the midst of an operation; `None` if it was not. Exits
    /// behind it say that it was still there, and not that it came out.
    pub fn interrupted_after(&self) -> Option<u64> {
        let ticks = self.cursor.index().interrupted_after;
        (ticks != u64::MAX).then_some(ticks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_trace::writer::StreamOptions;
    use pgas_trace::{Experiment, ExperimentBuilder};

    /// A reader that begins at any time sees the same events from there on as one that begins at
    /// the start.
    #[test]
    fn a_stretch_is_part_of_the_whole() {
        let options = StreamOptions {
            block_size: 64,
            ..StreamOptions::default()
        };
        let mut builder = ExperimentBuilder::with_options("a", 1, options);
        let thread = builder.thread(0);
        let outer = Site::function("main", "a.upc", 1);
        let inner = Site::operation(Operation::Fence, "a.upc", 2);
        thread.enter(0, &outer, Attributes::None);
        for round in 0..200 {
            thread.enter(10 * round + 3, &inner, Attributes::None);
            thread.exit(10 * round + 8, Attributes::None);
        }
        thread.exit(3000, Attributes::None);
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("experiment");
        builder.write(&path).expect("an experiment");
        let experiment = Experiment::open(&path).expect("an experiment");
        assert!(experiment.streams()[0].blocks().len() > 5);
        let trace = EventTrace::new(&experiment).expect("a trace");
        let mut all = Vec::new();
        let mut events = trace.thread_events(0, 0).expect("events");
        while let Some(event) = events.next_event().expect("an event") {
            all.push(event);
        }
        assert_eq!(all.len(), 402);
        let mut going = trace.thread_events(0, 0).expect("events");
        for from in [0, 1, 5, 8, 9, 777, 778, 779, 1999, 2000, 3000, 3001] {
            let first = all.partition_point(|event| event.time < from);
            let mut fresh = trace.thread_events(0, from).expect("events");
            going.go_to(from).expect("events");
            for events in [&mut fresh, &mut going] {
                assert_eq!(
                    events.next_time().expect("a time"),
                    all.get(first).map(|e| e.time)
                );
                // Open is what was entered and not left before.
                let open = if first == 0 || first == 402 {
                    0
                } else {
                    2 - first % 2
                };
                assert_eq!(events.open().count(), open, "{from}");
            }
            assert_eq!(
                fresh.next_event().expect("an event"),
                all.get(first).copied()
            );
        }
    }
}
