//! Follows the events of one thread from the beginning of any block on, with the region stack. Of regions that were
//! entered before that block, only the site is known at first.

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
    /// Of an Exit: the Enter of its region. Of an Enter: that of the region around it. `None` if it lies before the
    /// block at which reading began, or there is none.
    pub enter: Option<Opened>,
    /// See [`TypedEvent::inferred`](super::TypedEvent::inferred).
    pub inferred: bool,
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
            Operation::Lock => !self.is_enter() && !self.inferred,
            Operation::LockAttempt => {
                self.attributes() == (Attributes::LockAttempt { acquired: true })
            }
            _ => false,
        }
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

    /// The Enter of the open region at `depth`, wherever it lies; earlier blocks are read if necessary.
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

    /// The next event; `None` at the end.
    #[inline]
    pub fn next_step(&mut self) -> Result<Option<Step>, AccessError> {
        let Some(event) = self.events.as_mut().and_then(Iterator::next) else {
            return Ok(None);
        };
        let mut event = event?;
        event.time = self.index.comparable(event.time, self.latest);
        self.latest = event.time;
        let number = self.number;
        self.number += 1;
        let (site, depth, enter) = match event.kind {
            EventKind::Enter { site, attributes } => {
                let around = self.frames.last().and_then(|frame| frame.enter);
                let opened = Opened {
                    number,
                    time: event.time,
                    attributes,
                };
                self.frames.push(Frame {
                    site,
                    enter: Some(opened),
                });
                (site, self.frames.len() - 1, around)
            }
            EventKind::Exit { site, .. } => {
                let enter = self.frames.pop().and_then(|frame| frame.enter);
                (site, self.frames.len(), enter)
            }
        };
        Ok(Some(Step {
            number,
            event,
            operation: self.index.operation(site),
            depth,
            enter,
            inferred: self.index.is_inferred(number),
        }))
    }

    /// The Enter of the region that `step`, which came from this cursor, ends; earlier blocks are read if necessary.
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
