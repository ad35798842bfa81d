//! The stream of one thread.

use std::path::Path;
use std::sync::Arc;

use super::map::StreamFile;
use crate::clock::CalibrationPair;
use crate::format::CoreUse;
use crate::format::header::BlockHeader;
use crate::interruption::Interruption;
use crate::model::{ClockComparison, Site, SiteId, ThreadId};
use crate::properties::{INTERRUPTED_AFTER, RUNTIME, SIGNAL, SIGNAL_TIME, UNSEEN};

/// Offset of a block of events, and fields of its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockInfo {
    /// Bytes from the beginning of the thread's stream, which is that of the file unless the file
    /// is of a whole node.
    pub offset: u64,
    /// Ticks; no event of the block is earlier.
    pub first_time: u64,
    /// Ticks; the time of the last event of the block.
    pub last_time: u64,
    /// Number of events.
    pub events: u32,
    /// Whether events between the block before and this one are missing.
    pub gap: bool,
    pub(super) header: BlockHeader,
}

impl BlockInfo {
    /// Bytes that the block takes in the file.
    pub fn stored_bytes(&self) -> u64 {
        self.header.length()
    }

    /// Checksum of the payload as it is stored.
    pub fn checksum(&self) -> u64 {
        self.header.payload_checksum
    }

    /// Bytes of the payload before compression.
    pub fn raw_bytes(&self) -> u64 {
        u64::from(self.header.raw_length)
    }
}

/// Where a block of sums or of stack samples lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedBlock {
    pub(super) offset: u64,
    pub(super) header: BlockHeader,
}

/// The events of one thread, in blocks that can be read independently, also from several threads at
/// a time.
#[derive(Debug)]
pub struct Stream {
    pub(super) file: Arc<StreamFile>,
    thread: ThreadId,
    pub(super) sites: Vec<Site>,
    pub(super) blocks: Vec<BlockInfo>,
    pub(super) profile_blocks: Vec<PlacedBlock>,
    pub(super) stack_sample_blocks: Vec<PlacedBlock>,
    pub(super) comparisons: Vec<ClockComparison>,
    pub(super) properties: Vec<(String, String)>,
    pub(super) pairs: Vec<CalibrationPair>,
    pub(super) complete: bool,
    pub(super) limit_reached: bool,
    pub(super) lost_blocks: u64,
    pub(super) lost_events: u64,
    pub(super) next_sequence: u32,
    pub(super) gap_before_next: bool,
    pub(super) interruption: Interruption,
    remarks: Vec<String>,
}

impl Stream {
    pub(super) fn new(file: Arc<StreamFile>, thread: ThreadId) -> Self {
        Stream {
            file,
            thread,
            sites: Vec::new(),
            blocks: Vec::new(),
            profile_blocks: Vec::new(),
            stack_sample_blocks: Vec::new(),
            comparisons: Vec::new(),
            properties: Vec::new(),
            pairs: Vec::new(),
            complete: false,
            limit_reached: false,
            lost_blocks: 0,
            lost_events: 0,
            next_sequence: 0,
            gap_before_next: false,
            interruption: Interruption::default(),
            remarks: Vec::new(),
        }
    }

    /// The file that the stream lies in.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The thread whose events these are.
    pub fn thread(&self) -> ThreadId {
        self.thread
    }

    /// The site table, which [`SiteId`]s of this stream index.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// One entry of the site table.
    ///
    /// # Panics
    /// If `id` does not come from an event of this stream.
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }

    /// The blocks of events, in the order of time.
    pub fn blocks(&self) -> &[BlockInfo] {
        &self.blocks
    }

    /// Events in the stream.
    pub fn event_count(&self) -> u64 {
        self.blocks
            .iter()
            .map(|block| u64::from(block.events))
            .sum()
    }

    /// Times of the beginning and end of what was recorded, in ticks; `None` if there are no
    /// events.
    pub fn time_range(&self) -> Option<(u64, u64)> {
        let first = self.blocks.first()?;
        Some((first.first_time, self.blocks.last()?.last_time))
    }

    /// Where the thread ran and how it was recorded: keys such as `host`, `process`, `clock`, with
    /// their values.
    pub fn properties(&self) -> &[(String, String)] {
        &self.properties
    }

    /// The value of one property.
    pub fn property(&self, key: &str) -> Option<&str> {
        let pair = self.properties.iter().find(|(name, _)| name == key)?;
        Some(&pair.1)
    }

    /// Whether the recorder ended the stream in good order. If not, regions may still be open, and
    /// events at its end may be missing, unless they were read from the memory of the thread
    /// after its end.
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// Whether the events end early because the stream had reached the size that it was limited to.
    pub fn limit_reached(&self) -> bool {
        self.limit_reached
    }

    /// How this thread's clock stood against others', in the order in which that was measured.
    pub fn clock_comparisons(&self) -> &[ClockComparison] {
        &self.comparisons
    }

    /// Blocks that are missing between those that are there.
    pub fn lost_blocks(&self) -> u64 {
        self.lost_blocks
    }

    /// Events that are known to have happened but were not recorded.
    pub fn lost_events(&self) -> u64 {
        self.lost_events
    }

    /// Facts that a reader must know about this stream, each with the file's name.
    pub fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }

    /// The last time (ticks of the thread's own clock) before the thread was ended in the midst of
    /// an operation; `None` if it was not. Exits after it mean that it was still there, and not
    /// that it came out.
    pub fn interrupted_after(&self) -> Option<u64> {
        self.property(INTERRUPTED_AFTER)?.trim().parse().ok()
    }

    /// Whether the runtime has no event for a barrier, and may report a notify and a wait at the
    /// same place in its stead, as Berkeley UPC does. Recorders of earlier versions did not say
    /// which runtime it was.
    pub fn reports_barriers_in_halves(&self) -> bool {
        match self.property(RUNTIME) {
            Some(runtime) => runtime == "berkeley",
            None => self.property(UNSEEN).is_none(),
        }
    }

    /// When the thread's process was asked to end (ticks of its own clock), and the signal if it
    /// was one; `None` if it was not, or nobody noticed. Events after that time are not the
    /// program's.
    pub fn asked_to_end(&self) -> Option<(u64, Option<i32>)> {
        let time = self.property(SIGNAL_TIME)?.trim().parse().ok()?;
        let signal = self
            .property(SIGNAL)
            .and_then(|text| text.trim().parse().ok());
        Some((time, signal))
    }

    /// How much of the time the thread had a core; `None` if the recorder did not say.
    pub fn core_use(&self) -> Option<CoreUse> {
        CoreUse::of(|key| self.property(key))
    }

    /// Pairs of ticks and CLOCK_MONOTONIC, one for each block that was written.
    pub fn calibration_pairs(&self) -> impl Iterator<Item = CalibrationPair> + '_ {
        self.pairs.iter().copied()
    }

    pub(super) fn remark(&mut self, text: String) {
        self.remarks.push(format!(
            "{}: thread {}: {text}",
            self.file.path().display(),
            self.thread
        ));
    }
}
