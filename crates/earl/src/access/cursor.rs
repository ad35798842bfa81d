//! Follows the events of one thread from the beginning of any block on, with the region stack. Of
//! regions that were entered before that block, only the site is known at first.

use std::sync::Arc;

use pgas_trace::model::{Attributes, Event, EventKind, Operation, SiteId};
use pgas_trace::reader::Events;

use super::error::AccessError;
use super::index::ThreadIndex;

/// The Enter of a region.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Opened {
    pub number: u64,
    /// Ticks.
    pub time: u64,
    pub attributes: Attributes,
}

/// An open region.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    pub site: SiteId,
    /// `None` if the Enter lies before the block at which reading began.
    pub enter: Option<Opened>,
}

/// One event and what the stack says about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    pub number: u64,
    pub event: Event,
    pub operation: Operation,
    /// Regions open around the one that is entered or left.
    pub depth: usize,
    /// Of an Exit: the Enter of its region. Of an Enter: that of the region around it. `None` if
    /// it lies before the block at which reading began, or there is none.
    pub enter: Option<Opened>,
    /// See [`TypedEvent::inferred`](super::TypedEvent::inferred).
    pub inferred: bool,
    /// See [`TypedEvent::interrupted`](super::TypedEvent::interrupted).
    pub interrupted: bool,
}

impl Step {
    pub fn is_enter(&self) -> bool {
        matches!(self.event.kind, EventKind::Enter { .. })
    }

    pub fn site(&self) -> SiteId {
        match self.event.kind {
            EventKind::Enter { site, .. } | EventKind::Exit { site, .. } => site,
        }
    }

    pub fn attributes(&self) -> Attributes {
        match self.event.kind {
            EventKind::Enter { attributes, .. } | EventKind::Exit { attributes, .. } => attributes,
        }
    }

    /// Whether a lock is taken, if it is one that could be.
    pub fn takes_lock(&self) -> bool {
        match self.operation {
            _ if self.interrupted => false,
            Operation::Lock => !self.is_enter() && !self.inferred,
            Operation::LockAttempt => {
                self.attributes() == (Attributes::LockAttempt { acquired: true })
            }
            _ => false,
        }
    }
}

/// Events that are decoded together: some kilobytes for each thread.
const AT_A_TIME: usize = 128;

/// A place between two events of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before the event of that number.
    Event(u64),
    /// Before the first event at or after that time (ticks).
    Time(u64),
    /// Behind the last event.
    End,
}

impl Place {
    /// Behind all events up to that time.
    pub fn behind(time: u64) -> Self {
        time.checked_add(1).map_or(Place::End, Place::Time)
    }
}

/// Reads the events of one thread forwards.
#[derive(Debug)]
pub(crate) struct Cursor<'t> {
    index: Arc<ThreadIndex<'t>>,
    events: Option<Events<'t>>,
    frames: Vec<Frame>,
    number: u64,
    /// The first block that was read.
    begin: usize,
    /// Ticks of the event before the next one.
    latest: u64,
    /// Some events that were decoded together, and how many of them have been taken.
    decoded: Vec<Event>,
    taken: usize,
    /// Comes behind the events that were decoded before it.
    failure: Option<AccessError>,
}

impl<'t> Cursor<'t> {
    /// Before the first event of `block`.
    pub fn at_block(index: &Arc<ThreadIndex<'t>>, block: usize) -> Result<Self, AccessError> {
        let (open, events) = match index.stream {
            Some(stream) => {
                let (open, events) = stream.events_from(block)?;
                (open, Some(events))
            }
            None => (Vec::new(), None),
        };
        let frame = |site| Frame { site, enter: None };
        Ok(Cursor {
            index: index.clone(),
            events,
            frames: open.into_iter().map(frame).collect(),
            number: index.first_of(block),
            begin: block,
            latest: block
                .checked_sub(1)
                .map_or(0, |before| index.last_time(before)),
            decoded: Vec::new(),
            taken: 0,
            failure: None,
        })
    }

    pub fn index(&self) -> &Arc<ThreadIndex<'t>> {
        &self.index
    }

    /// Number of the next event.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The regions that are open before the next event, outermost first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The Enter of the open region at `depth`, wherever it lies; earlier blocks are read if
    /// necessary.
    pub fn opened(&self, depth: usize) -> Result<Option<Opened>, AccessError> {
        match self.frames.get(depth) {
            None => Ok(None),
            Some(Frame {
                enter: Some(enter), ..
            }) => Ok(Some(*enter)),
            Some(_) => Ok(self
                .index
                .inherited(self.begin, depth)?
                .and_then(|frame| frame.enter)),
        }
    }

    /// Goes on to `place`, or the end. `passed` is told the number and time of every event, and of
    /// an Exit the regions open around; `noted` is given the steps that change other states
    /// than the region stack.
    #[inline]
    pub fn go_to(
        &mut self,
        place: Place,
        mut passed: impl FnMut(u64, u64, Option<usize>),
        mut noted: impl FnMut(&Cursor<'t>, &Step) -> Result<(), AccessError>,
    ) -> Result<(), AccessError> {
        loop {
            let number = self.number;
            if matches!(place, Place::Event(end) if number >= end) {
                return Ok(());
            }
            let Some(next) = self.peek()? else {
                return Ok(());
            };
            let (time, kind) = (next.time, &next.kind);
            if matches!(place, Place::Time(end) if time >= end) {
                return Ok(());
            }
            let is_exit = matches!(kind, EventKind::Exit { .. });
            let (EventKind::Enter { site, .. } | EventKind::Exit { site, .. }) = *kind;
            let step = match self.index.is_noted(site) {
                true => Some(self.take()),
                false => {
                    self.pass();
                    None
                }
            };
            passed(number, time, is_exit.then_some(self.frames.len()));
            if let Some(step) = step {
                noted(self, &step)?;
            }
        }
    }

    /// Ticks of the next event; `None` at the end.
    #[inline]
    pub fn next_time(&mut self) -> Result<Option<u64>, AccessError> {
        Ok(self.peek()?.map(|event| event.time))
    }

    /// The next event, which [`Cursor::take`] or [`Cursor::pass`] then takes.
    #[inline]
    fn peek(&mut self) -> Result<Option<&Event>, AccessError> {
        if self.taken == self.decoded.len() {
            self.decode()?;
        }
        Ok(self.decoded.get(self.taken))
    }

    /// Decodes the next events; there are none at the end.
    #[cold]
    fn decode(&mut self) -> Result<(), AccessError> {
        self.decoded.clear();
        self.taken = 0;
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let Some(events) = &mut self.events else {
            return Ok(());
        };
        if let Err(error) = events.fill(&mut self.decoded, AT_A_TIME) {
            // Those before it come first.
            self.failure = Some(error.into());
            self.events = None;
        }
        for event in &mut self.decoded {
            event.time = self.index.comparable(event.time, self.latest);
            self.latest = event.time;
        }
        match self.decoded.is_empty() {
            true => self.failure.take().map_or(Ok(()), Err),
            false => Ok(()),
        }
    }

    /// The next event; `None` at the end.
    #[inline]
    pub fn next_step(&mut self) -> Result<Option<Step>, AccessError> {
        if self.peek()?.is_none() {
            return Ok(None);
        }
        Ok(Some(self.take()))
    }

    /// Does to the stack what the event that was looked at does.
    #[inline]
    fn pass(&mut self) {
        let event = &self.decoded[self.taken];
        match event.kind {
            EventKind::Enter { site, attributes } => {
                let enter = Some(Opened {
                    number: self.number,
                    time: event.time,
                    attributes,
                });
                self.frames.push(Frame { site, enter });
            }
            EventKind::Exit { .. } => {
                self.frames.pop();
            }
        }
        self.number += 1;
        self.taken += 1;
    }

    /// Makes a step of the event that was looked at.
    #[inline]
    fn take(&mut self) -> Step {
        let (number, event) = (self.number, self.decoded[self.taken]);
        let innermost = self.frames.last().and_then(|frame| frame.enter);
        self.pass();
        let (site, depth, leaves) = match event.kind {
            EventKind::Enter { site, .. } => (site, self.frames.len() - 1, false),
            EventKind::Exit { site, .. } => (site, self.frames.len(), true),
        };
        Step {
            number,
            event,
            operation: self.index.operation(site),
            depth,
            enter: innermost,
            inferred: self.index.is_inferred(number),
            interrupted: leaves && event.time > self.index.interrupted_after,
        }
    }

    /// The Enter of the region that `step`, which came from this cursor, ends; earlier blocks are
    /// read if necessary.
    pub fn enter_of(&self, step: &Step) -> Result<Option<Opened>, AccessError> {
        if step.is_enter() || step.enter.is_some() {
            return Ok(step.enter);
        }
        let frame = self.index.inherited(self.begin, step.depth)?;
        Ok(frame.and_then(|frame| frame.enter))
    }

    /// The lock that an Enter or Exit of a lock operation is about.
    pub fn lock_of(&self, step: &Step) -> Result<Option<u64>, AccessError> {
        let attributes = match (step.operation, step.is_enter()) {
            (_, true) => step.attributes(),
            (Operation::Lock | Operation::LockAttempt, false) => self
                .enter_of(step)?
                .map_or(Attributes::None, |enter| enter.attributes),
            (_, false) => Attributes::None,
        };
        Ok(match attributes {
            Attributes::Lock { lock } => Some(lock),
            _ => None,
        })
    }
}
