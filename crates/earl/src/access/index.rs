//! Which block holds which events of one thread: by number and by time, from the headers alone.

use std::sync::{Arc, OnceLock};

use pgas_trace::model::{Operation, SiteId, ThreadId};
use pgas_trace::{Correction, Stream};

use super::count;
use super::cursor::{Frame, Place};
use super::error::AccessError;
use super::summary::{BlockEnd, BlockSummary, is_of_lock};

/// The blocks of one thread.
#[derive(Debug)]
pub(crate) struct ThreadIndex<'t> {
    pub thread: ThreadId,
    /// `None` for a thread that recorded nothing.
    pub stream: Option<&'t Stream>,
    /// Ticks after which an Exit states that the thread was ended in the region, not that it left
    /// it; the largest number if the thread was not ended.
    pub interrupted_after: u64,
    /// Number of the first event of each block, and after the last block the number of events.
    /// Events that bridge a gap belong to the block after it.
    first: Vec<u64>,
    /// How the thread's times become those of the reference clock; `None` if they are.
    correction: Option<&'t Correction>,
    /// By block, in comparable times: lower and upper bound of its events' ticks.
    times: Vec<(u64, u64)>,
    /// By site: its operation, and whether that changes other states than the region stack.
    operations: Vec<(Operation, bool)>,
    /// By block that has a gap before it: the numbers of the events that bridge it.
    bridges: Vec<std::ops::Range<u64>>,
    /// By block: its effect on the region stack, computed at the first use.
    ends: Vec<OnceLock<BlockEnd>>,
    /// By block: its effect on the other states, computed at the first use.
    summaries: Vec<OnceLock<BlockSummary>>,
}

impl<'t> ThreadIndex<'t> {
    pub fn new(
        thread: ThreadId,
        stream: Option<&'t Stream>,
        correction: Option<&'t Correction>,
    ) -> Result<Self, AccessError> {
        let blocks = stream.map_or(&[][..], Stream::blocks);
        let mut first = Vec::with_capacity(blocks.len() + 1);
        let mut bridges = Vec::new();
        let mut number = 0;
        for (index, block) in blocks.iter().enumerate() {
            first.push(number);
            if let (Some(stream), true) = (stream, block.gap) {
                let count = stream.bridging_events(index)? as u64;
                bridges.push(number..number + count);
                number += count;
            }
            number += u64::from(block.events);
        }
        first.push(number);
        let cells = blocks.len();
        Ok(ThreadIndex {
            thread,
            stream,
            correction,
            interrupted_after: match (stream.and_then(Stream::interrupted_after), correction) {
                (None, _) => u64::MAX,
                (Some(ticks), None) => ticks,
                (Some(ticks), Some(correction)) => correction.to_reference(ticks),
            },
            times: match stream {
                Some(stream) => times(stream, correction)?,
                None => Vec::new(),
            },
            operations: stream.map_or_else(Vec::new, |stream| {
                let sites = stream.sites().iter();
                let noted = |operation| count::is_counted(operation) || is_of_lock(operation);
                sites
                    .map(|site| (site.operation, noted(site.operation)))
                    .collect()
            }),
            first,
            bridges,
            ends: (0..cells).map(|_| OnceLock::new()).collect(),
            summaries: (0..cells).map(|_| OnceLock::new()).collect(),
        })
    }

    pub fn events(&self) -> u64 {
        self.first.last().copied().unwrap_or(0)
    }

    pub fn blocks(&self) -> usize {
        self.first.len() - 1
    }

    /// Number of the first event of a block; of the block behind the last one, the number of
    /// events.
    pub fn first_of(&self, block: usize) -> u64 {
        self.first
            .get(block)
            .copied()
            .unwrap_or_else(|| self.events())
    }

    /// The block that holds event `number`; the number of blocks if there is no such event.
    pub fn block_of(&self, number: u64) -> usize {
        // Blocks may be empty: the last one that begins at or before the number.
        self.first[..self.blocks() + 1]
            .partition_point(|&first| first <= number)
            .saturating_sub(1)
            .min(self.blocks())
    }

    /// The block from whose beginning to read on to the place before event `number`; behind the
    /// last event, which has no block, that is the last one.
    pub fn block_before(&self, number: u64) -> usize {
        self.block_of(number).min(self.blocks().saturating_sub(1))
    }

    /// The block from whose beginning to read on to a place.
    pub fn block_to(&self, place: Place) -> usize {
        match place {
            Place::Event(number) => self.block_before(number),
            Place::Time(time) => self.block_at(time).min(self.blocks().saturating_sub(1)),
            Place::End => self.blocks().saturating_sub(1),
        }
    }

    /// The first block that may hold an event at or after `time` (ticks); the number of blocks if
    /// there is none.
    pub fn block_at(&self, time: u64) -> usize {
        self.times.partition_point(|&(_, last)| last < time)
    }

    /// Ticks: no event of the block is later.
    pub fn last_time(&self, block: usize) -> u64 {
        self.times.get(block).map_or(0, |&(_, last)| last)
    }

    /// Ticks: no event of the block is earlier.
    pub fn first_time(&self, block: usize) -> u64 {
        self.times.get(block).map_or(u64::MAX, |&(first, _)| first)
    }

    /// Comparable time of an event at `ticks` of the thread's own clock; no earlier than `latest`,
    /// the event before.
    #[inline]
    pub fn comparable(&self, ticks: u64, latest: u64) -> u64 {
        match self.correction {
            None => ticks,
            Some(correction) => correction.to_reference(ticks).max(latest),
        }
    }

    /// Whether the event was not recorded but bridges a gap.
    pub fn is_inferred(&self, number: u64) -> bool {
        let next = self.bridges.partition_point(|range| range.end <= number);
        self.bridges
            .get(next)
            .is_some_and(|range| range.contains(&number))
    }

    /// Number of the first event behind a gap; no numbered operation can be counted from there on.
    pub fn first_gap(&self) -> Option<u64> {
        self.bridges.first().map(|range| range.start)
    }

    pub fn operation(&self, site: SiteId) -> Operation {
        // The reader has checked that sites are defined.
        let operation = self.operations.get(site.0 as usize);
        operation.map_or(Operation::Function, |&(operation, _)| operation)
    }

    /// Whether events of the site change the number of barriers or collective operations, or a
    /// lock's owner.
    #[inline]
    pub fn is_noted(&self, site: SiteId) -> bool {
        let operation = self.operations.get(site.0 as usize);
        operation.is_some_and(|&(_, noted)| noted)
    }

    /// Effect of the block on the region stack.
    pub fn end(self: &Arc<Self>, block: usize) -> Result<&BlockEnd, AccessError> {
        if let Some(end) = self.ends[block].get() {
            return Ok(end);
        }
        let found = BlockEnd::find(self, block)?;
        Ok(self.ends[block].get_or_init(|| found))
    }

    /// Effect of the block on the states other than the region stack.
    pub fn summary(self: &Arc<Self>, block: usize) -> Result<&BlockSummary, AccessError> {
        if let Some(summary) = self.summaries[block].get() {
            return Ok(summary);
        }
        let (end, found) = BlockSummary::find(self, block)?;
        // Both come from one pass; the first of several threads that looked wins.
        let _ = self.ends[block].set(end);
        Ok(self.summaries[block].get_or_init(|| found))
    }

    /// The same, if it is known.
    pub fn known_summary(&self, block: usize) -> Option<&BlockSummary> {
        self.summaries[block].get()
    }

    /// Takes over a summary that was found before.
    pub fn take_summary(&self, block: usize, summary: BlockSummary) {
        // One that is there says the same.
        let _ = self.summaries[block].set(summary);
    }

    /// The region at `depth` of the stack at the beginning of `block`, with its Enter, which lies
    /// in a block before.
    pub fn inherited(
        self: &Arc<Self>,
        block: usize,
        depth: usize,
    ) -> Result<Option<Frame>, AccessError> {
        for before in (0..block).rev() {
            // Mostly a block says by numbers alone that the region was open before it.
            if let Some(summary) = self.summaries[before].get() {
                if depth < summary.kept {
                    continue;
                }
                if depth - summary.kept >= summary.opened {
                    return Ok(None);
                }
            }
            let end = self.end(before)?;
            if depth >= end.kept {
                return Ok(end.opened.get(depth - end.kept).copied());
            }
        }
        Ok(None)
    }
}

/// Comparable times between which the events of each block lie.
fn times(stream: &Stream, correction: Option<&Correction>) -> Result<Vec<(u64, u64)>, AccessError> {
    let blocks = stream.blocks();
    let mut times = Vec::with_capacity(blocks.len());
    let mut latest = 0;
    for (number, block) in blocks.iter().enumerate() {
        // Events that bridge a gap begin at the end of the block before.
        let first = match number {
            0 if block.gap => block.first_time,
            _ if block.gap => blocks[number - 1].last_time,
            _ => block.first_time,
        };
        let Some(correction) = correction else {
            times.push((first, block.last_time));
            continue;
        };
        let begin = correction.to_reference(first).max(latest);
        latest = correction.to_reference(block.last_time).max(begin);
        if !correction.is_increasing() {
            // The latest time need not be that of the last event.
            for event in stream.block_events(number)? {
                latest = latest.max(correction.to_reference(event?.time));
            }
        }
        times.push((begin, latest));
    }
    Ok(times)
}
