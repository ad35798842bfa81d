//! Iterators over events: of one block, and of a whole stream.

use std::collections::VecDeque;

use super::memory::BlockMemory;
use super::payload;
use super::stream::{BlockInfo, Stream};
use crate::error::Error;
use crate::format::Problem;
use crate::format::decode::BlockDecoder;
use crate::model::{Attributes, Event, EventKind, SiteId};

impl Stream {
    /// All events from first to last. Where blocks are missing, regions that were left meanwhile
    /// are given an Exit at the last time before the gap, and regions that were entered an
    /// Enter at the first time after it, so that regions always nest.
    pub fn events(&self) -> Events<'_> {
        Events::new(self)
    }

    /// The events from block `index` (of [`Stream::blocks`]) on, as [`Stream::events`] gives them,
    /// and the sites of the regions that are open before the first of them, outermost first.
    /// Events that bridge a gap before that block belong to it. An index after the last block
    /// gives none.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the block (or, for a gap, the one before it) is damaged.
    pub fn events_from(&self, index: usize) -> Result<(Vec<SiteId>, Events<'_>), Error> {
        Events::starting_at(self, index)
    }

    /// How many events of [`Stream::events`] bridge a gap before block `index`, 0 if there is none.
    /// For a gap, the block before it is decoded.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if one of the two blocks is damaged.
    pub fn bridging_events(&self, index: usize) -> Result<usize, Error> {
        match self.blocks.get(index) {
            Some(info) if info.gap => Ok(self.events_from(index)?.1.bridging()),
            _ => Ok(0),
        }
    }

    /// The events of block `index` (of [`Stream::blocks`]) alone.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the block is damaged.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn block_events(&self, index: usize) -> Result<BlockEvents<'_>, Error> {
        BlockEvents::new(self, &self.blocks[index], None)
    }
}

/// The events of one block. Ends after the first error.
#[derive(Debug)]
pub struct BlockEvents<'a> {
    stream: &'a Stream,
    block: &'a BlockInfo,
    decoder: BlockDecoder,
    failed: bool,
    memory: Option<&'a BlockMemory>,
}

impl<'a> BlockEvents<'a> {
    pub(super) fn new(
        stream: &'a Stream,
        block: &'a BlockInfo,
        memory: Option<&'a BlockMemory>,
    ) -> Result<Self, Error> {
        let payload = payload::read(&stream.file, block.offset, &block.header, memory)?;
        let decoder = BlockDecoder::new(
            payload,
            block.events,
            block.first_time,
            block.last_time,
            block.header.sites as usize,
            stream.file.version,
        )
        .map_err(|problem| {
            payload::within_payload(&stream.file, block.offset, &block.header, problem)
        })?;
        Ok(BlockEvents {
            stream,
            block,
            decoder,
            failed: false,
            memory,
        })
    }

    /// Appends the next events, at most `at_most`; none after the last.
    fn fill(&mut self, events: &mut Vec<Event>, at_most: usize) -> Result<(), Error> {
        if self.failed {
            return Ok(());
        }
        if self.decoder.needs_whole() {
            self.unpack_again()?;
        }
        let filled = self.decoder.fill(events, at_most);
        filled.map_err(|problem| self.error(problem))
    }

    #[cold]
    fn unpack_again(&mut self) -> Result<(), Error> {
        let (file, block) = (&self.stream.file, self.block);
        let payload = payload::read(file, block.offset, &block.header, self.memory)?;
        self.decoder.resume(payload);
        Ok(())
    }

    /// Nothing is read for a while: keeps no more than the share of this stream.
    fn rest(&mut self) {
        if let Some(memory) = self.memory {
            if self.decoder.held() > memory.share() {
                memory.recycle(self.decoder.keep(memory.share()));
            }
        }
    }

    /// Sites of the regions that are open before the next event, outermost first.
    pub fn stack(&self) -> &[SiteId] {
        self.decoder.stack()
    }

    /// Bytes of the payload (before compression) up to the next event: what one event takes is the
    /// difference.
    pub fn position(&self) -> usize {
        self.decoder.position()
    }

    #[cold]
    fn error(&mut self, mut problem: Problem) -> Error {
        self.failed = true;
        problem.offset += self.decoder.before();
        payload::within_payload(
            &self.stream.file,
            self.block.offset,
            &self.block.header,
            problem,
        )
    }
}

impl Iterator for BlockEvents<'_> {
    type Item = Result<Event, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        if self.decoder.needs_whole() {
            if let Err(error) = self.unpack_again() {
                self.failed = true;
                return Some(Err(error));
            }
        }
        match self.decoder.next_event() {
            Ok(event) => event.map(Ok),
            Err(problem) => Some(Err(self.error(problem))),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.decoder.remaining() + 1))
    }
}

impl Drop for BlockEvents<'_> {
    fn drop(&mut self) {
        if let Some(memory) = self.memory {
            memory.recycle(self.decoder.keep(0));
        }
    }
}

/// All events of a stream. Ends after the first error.
#[derive(Debug)]
pub struct Events<'a> {
    stream: &'a Stream,
    memory: Option<&'a BlockMemory>,
    next_block: usize,
    current: Option<BlockEvents<'a>>,
    /// Events that bridge a gap, to be given before those of the current block.
    bridge: VecDeque<Event>,
    /// Events to be given before the next look whether to stop.
    unchecked: u32,
}

/// Events between two looks whether to stop: some milliseconds.
const UNCHECKED: u32 = 1 << 16;

impl<'a> Events<'a> {
    pub(super) fn new(stream: &'a Stream) -> Self {
        Events {
            stream,
            memory: None,
            next_block: 0,
            current: None,
            bridge: VecDeque::new(),
            unchecked: UNCHECKED,
        }
    }

    /// Events from block `index` on, and the regions that are open before the first of them.
    pub(super) fn starting_at(
        stream: &'a Stream,
        index: usize,
    ) -> Result<(Vec<SiteId>, Self), Error> {
        let mut events = Events::new(stream);
        events.next_block = index;
        let Some(info) = stream.blocks().get(index) else {
            return Ok((Vec::new(), events));
        };
        let block = stream.block_events(index)?;
        let mut before = block.stack().to_vec();
        if info.gap {
            before = match index.checked_sub(1) {
                Some(previous) => stack_at_end(stream, previous)?,
                None => Vec::new(),
            };
            events.bridge(&before, block.stack(), info.first_time);
        }
        events.next_block = index + 1;
        events.current = Some(block);
        Ok((before, events))
    }

    /// Shares the memory for blocks with other streams; see [`Events::rest`].
    #[must_use]
    pub fn sharing(mut self, memory: &'a BlockMemory) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Appends the next events to `events`: at least one, unless there are no more, and at most
    /// `at_most`. Costs less than taking them one by one.
    ///
    /// # Errors
    /// The error that the iterator would give. No more events follow it.
    pub fn fill(&mut self, events: &mut Vec<Event>, at_most: usize) -> Result<(), Error> {
        let before = events.len();
        if let Err(error) = self.stream.interruption.check() {
            return Err(self.give_up(error));
        }
        loop {
            while let Some(event) = self.bridge.pop_front() {
                events.push(event);
                if events.len() - before >= at_most {
                    return Ok(());
                }
            }
            let filled = match &mut self.current {
                Some(block) => block.fill(events, at_most - (events.len() - before)),
                None => Ok(()),
            };
            if let Err(error) = filled {
                return Err(self.give_up(error));
            }
            if events.len() > before {
                return Ok(());
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(error) => return Err(self.give_up(error)),
            }
        }
    }

    /// States that nothing is read for a while, since other streams have their turn: what the
    /// shared memory has no room for is given up, and read again later.
    pub fn rest(&mut self) {
        if let Some(block) = &mut self.current {
            block.rest();
        }
    }

    /// Number of the events that bridge a gap which are given before any other.
    pub(super) fn bridging(&self) -> usize {
        self.bridge.len()
    }

    /// Goes on to the next block: false after the last.
    fn advance(&mut self) -> Result<bool, Error> {
        let stack = self
            .current
            .take()
            .map(|block| block.stack().to_vec())
            .unwrap_or_default();
        let Some(info) = self.stream.blocks().get(self.next_block) else {
            return Ok(false);
        };
        let block = BlockEvents::new(self.stream, info, self.memory)?;
        if block.stack() != stack {
            // The first block may begin with open regions only if blocks before it are missing.
            if !info.gap {
                let problem = Problem::new(
                    0,
                    format!(
                        "a block that begins with {} open regions",
                        block.stack().len()
                    ),
                    format!(
                        "the {} that were open at the end of the block before",
                        stack.len()
                    ),
                );
                return Err(payload::within_payload(
                    &self.stream.file,
                    info.offset,
                    &info.header,
                    problem,
                ));
            }
            self.bridge(&stack, block.stack(), info.first_time);
        }
        self.next_block += 1;
        self.current = Some(block);
        Ok(true)
    }

    fn bridge(&mut self, before: &[SiteId], after: &[SiteId], first_time: u64) {
        let last_time = match self.next_block.checked_sub(1) {
            Some(index) => self.stream.blocks()[index].last_time,
            None => first_time,
        };
        let common = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        let attributes = Attributes::None;
        let exits = before[common..].iter().rev().map(|&site| Event {
            time: last_time,
            kind: EventKind::Exit { site, attributes },
        });
        let enters = after[common..].iter().map(|&site| Event {
            time: first_time,
            kind: EventKind::Enter { site, attributes },
        });
        self.bridge.extend(exits.chain(enters));
    }

    /// There are no more events after `error`.
    #[cold]
    fn give_up(&mut self, error: Error) -> Error {
        self.current = None;
        self.next_block = self.stream.blocks().len();
        self.bridge.clear();
        error
    }
}

fn stack_at_end(stream: &Stream, index: usize) -> Result<Vec<SiteId>, Error> {
    let mut block = stream.block_events(index)?;
    for event in block.by_ref() {
        event?;
    }
    Ok(block.stack().to_vec())
}

impl Iterator for Events<'_> {
    type Item = Result<Event, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.unchecked -= 1;
        if self.unchecked == 0 {
            self.unchecked = UNCHECKED;
            if let Err(error) = self.stream.interruption.check() {
                return Some(Err(self.give_up(error)));
            }
        }
        loop {
            if let Some(event) = self.bridge.pop_front() {
                return Some(Ok(event));
            }
            if let Some(block) = &mut self.current {
                match block.next() {
                    Some(Ok(event)) => return Some(Ok(event)),
                    Some(Err(error)) => return Some(Err(self.give_up(error))),
                    None => {}
                }
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(self.give_up(error))),
            }
        }
    }
}
