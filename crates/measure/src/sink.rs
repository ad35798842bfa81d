//! The writing end of a stream: seals full buffers into blocks and appends them to the stream's
//! file (`output`), each buffer with all that belongs to it by one call, and what is left at the
//! end by one more.

use std::io;
use std::path::PathBuf;

use pgas_trace_format::comparisons;
use pgas_trace_format::definitions::push_property;
use pgas_trace_format::footer::Footer;
use pgas_trace_format::header::{BLOCK_HEADER, BlockHeader, BlockKind, FileHeader};
use pgas_trace_format::model::ClockComparison;
use pgas_trace_format::seal::{BlockDescription, BlockSealer, CompressionLevel};

use crate::buffer::Filled;
use crate::clock::{Clock, since_epoch};
use crate::config::Config;
use crate::memory;
use crate::message::say;
use crate::output::Output;

/// The stream of one thread. All methods are called with its lock held and signals blocked.
pub(crate) struct Sink {
    output: Output,
    clock: Clock,
    thread: u32,
    offset: u64,
    sequence: u32,
    sealer: BlockSealer,
    out: Vec<u8>,
    footer: Footer,
    /// To be written with the next buffer: the payload of a block, and how many there are.
    comparisons: Vec<u8>,
    comparison_count: u32,
    state: SinkState,
    /// Blocks from now on are written with the end of the stream.
    is_last: bool,
    /// Content of the file.
    written: Written,
    /// Nanoseconds since 1970, as the file's header has it.
    start_unix: u64,
}

/// Identity of a stream, which distinguishes it from all others.
pub(crate) struct Origin {
    pub(crate) path: PathBuf,
    /// Nanoseconds since 1970: its start, and when it was opened if it lies in the file of a node.
    pub(crate) start_unix: u64,
    pub(crate) opened: Option<u64>,
}

/// How far a stream was written.
#[derive(Debug, Clone, Copy, Default)]
struct Written {
    blocks: usize,
    sequence: u32,
    events: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SinkState {
    Open,
    /// Nothing more is written because of an error.
    Stopped,
    Finished,
}

impl Sink {
    /// Opens the file for the stream of `thread`.
    pub(crate) fn create(config: &Config, thread: u32, clock: Clock) -> Result<Self, String> {
        let output = Output::open(&config.experiment, config.files, thread)?;
        // Without memory to compress them, blocks are written as they are.
        let sealer = BlockSealer::new(config.compression)
            .or_else(|_| BlockSealer::new(CompressionLevel::None))
            .map_err(|error| format!("{}: cannot create: {error}", output.path().display()))?;
        Ok(Sink {
            output,
            clock,
            thread,
            offset: 0,
            sequence: 0,
            sealer,
            out: Vec::new(),
            footer: Footer::default(),
            comparisons: Vec::new(),
            comparison_count: 0,
            state: SinkState::Open,
            is_last: false,
            written: Written::default(),
            start_unix: 0,
        })
    }

    /// Writes the beginning of the file, with these properties.
    pub(crate) fn begin(
        &mut self,
        threads: u32,
        properties: &[(&str, String)],
    ) -> Result<(), String> {
        let start = self.clock.pair();
        let header = FileHeader {
            clock: self.clock.kind(),
            thread: self.thread,
            threads,
            process: std::process::id(),
            start,
            start_unix: since_epoch(),
        };
        self.start_unix = header.start_unix;
        self.out.extend_from_slice(&header.encode());
        let mut payload = Vec::new();
        for (key, value) in properties {
            push_property(&mut payload, key, value);
        }
        let description = BlockDescription {
            kind: BlockKind::Properties,
            thread: self.thread,
            sequence: 0,
            first_time: start.ticks,
            last_time: start.ticks,
            entries: properties.len() as u32,
            sites: 0,
            written: start,
            lost_events: 0,
        };
        self.seal(&description, &payload)
            .and_then(|()| self.flush())
            .map_err(|error| format!("{}: cannot write: {error}", self.output.path().display()))
    }

    /// Of a stream that was begun.
    pub(crate) fn origin(&self) -> Origin {
        Origin {
            path: self.output.path().to_owned(),
            start_unix: self.start_unix,
            opened: self.output.opened(),
        }
    }

    /// How the thread's clock stands against another one; written with the next buffer.
    pub(crate) fn note_comparison(&mut self, comparison: &ClockComparison) {
        comparisons::push(&mut self.comparisons, comparison);
        self.comparison_count += 1;
    }

    /// Bytes of the stream so far.
    pub(crate) fn length(&self) -> u64 {
        self.offset
    }

    /// Whether nothing more is written because of an error.
    pub(crate) fn is_stopped(&self) -> bool {
        self.state == SinkState::Stopped
    }

    /// Blocks from now on may wait until the stream ends, which is soon.
    pub(crate) fn begin_end(&mut self) {
        self.is_last = true;
    }

    /// Writes a buffer, with the definitions that it needs and the sums, in one system call. Does
    /// nothing once stopped.
    pub(crate) fn write(&mut self, filled: &Filled, bytes: &[u8]) {
        if self.state != SinkState::Open {
            self.footer.lost_events += u64::from(filled.events);
            return;
        }
        self.footer.events += u64::from(filled.events);
        if let Err(error) = self.try_write(filled, bytes) {
            self.stop(&error);
        }
    }

    fn try_write(&mut self, filled: &Filled, bytes: &[u8]) -> io::Result<()> {
        let mut description = BlockDescription {
            kind: BlockKind::Definitions,
            thread: self.thread,
            sequence: self.sequence,
            first_time: filled.first_time,
            last_time: filled.last_time,
            entries: filled.definition_count,
            sites: filled.sites_before,
            written: self.clock.pair(),
            lost_events: 0,
        };
        if filled.definition_count > 0 {
            self.seal(&description, &filled.definitions)?;
        }
        description.sites += filled.definition_count;
        if filled.events > 0 {
            description.kind = BlockKind::Events;
            description.sequence = self.sequence;
            description.entries = filled.events;
            self.seal(&description, bytes)?;
        }
        if !filled.sums.is_empty() {
            description.kind = BlockKind::Profile;
            description.sequence = self.sequence;
            description.entries = filled.sums_entries;
            (description.first_time, description.last_time) = filled.sums_span;
            self.seal(&description, &filled.sums)?;
        }
        if !filled.counters.is_empty() {
            description.kind = BlockKind::Profile;
            description.sequence = self.sequence;
            description.entries = filled.counters_entries;
            (description.first_time, description.last_time) = filled.sums_span;
            self.seal(&description, &filled.counters)?;
        }
        if !filled.stack_samples.is_empty() {
            description.kind = BlockKind::StackSamples;
            description.sequence = self.sequence;
            description.entries = filled.stack_samples_entries;
            (description.first_time, description.last_time) = filled.stack_samples_span;
            self.seal(&description, &filled.stack_samples)?;
        }
        description.first_time = filled.last_time;
        description.last_time = filled.last_time;
        self.seal_comparisons(description)?;
        self.flush_if_due()
    }

    /// Writes properties that became known only after the beginning.
    pub(crate) fn add_properties(&mut self, properties: &[(&str, String)]) {
        if self.state != SinkState::Open || properties.is_empty() {
            return;
        }
        let mut payload = Vec::new();
        for (key, value) in properties {
            push_property(&mut payload, key, value);
        }
        let written = self.clock.pair();
        let description = BlockDescription {
            kind: BlockKind::Properties,
            thread: self.thread,
            sequence: self.sequence,
            first_time: written.ticks,
            last_time: written.ticks,
            entries: properties.len() as u32,
            sites: 0,
            written,
            lost_events: 0,
        };
        let sealed = self.seal(&description, &payload);
        if let Err(error) = sealed.and_then(|()| self.flush_if_due()) {
            self.stop(&error);
        }
    }

    /// Writes the index and closes the file. `lost` events are added to those that could not be
    /// written; `limit_reached` tells whether the events end early because there was a limit.
    pub(crate) fn finish(&mut self, lost: u64, limit_reached: bool) {
        if self.state == SinkState::Finished {
            return;
        }
        self.footer.lost_events += lost;
        self.footer.limit_reached = limit_reached;
        if let Err(error) = self.write_end() {
            if self.state == SinkState::Open {
                self.stop(&error);
                // For the index alone there may be room. If not, a reader finds out that the stream
                // is cut short.
                let _ = self.write_end();
            }
        }
        self.state = SinkState::Finished;
        self.output.close();
        self.out = Vec::new();
    }

    fn write_end(&mut self) -> io::Result<()> {
        let written = self.clock.pair();
        self.seal_comparisons(BlockDescription {
            kind: BlockKind::ClockComparisons,
            thread: self.thread,
            sequence: self.sequence,
            first_time: written.ticks,
            last_time: written.ticks,
            entries: 0,
            sites: 0,
            written,
            lost_events: 0,
        })?;
        let offset = self.offset + self.out.len() as u64;
        // The index, before and after it is compressed.
        let index = 4 * BLOCK_HEADER * (self.footer.blocks.len() + 1);
        if !memory::has(index) && index > SMALL {
            return Err(no_memory());
        }
        self.sealer
            .seal_footer(&mut self.out, &self.footer, offset, self.thread, written)?;
        self.flush()
    }

    /// The comparisons that are waiting, if any, as a block like `description`.
    fn seal_comparisons(&mut self, description: BlockDescription) -> io::Result<()> {
        if self.comparison_count == 0 {
            return Ok(());
        }
        let description = BlockDescription {
            kind: BlockKind::ClockComparisons,
            sequence: self.sequence,
            entries: self.comparison_count,
            ..description
        };
        let payload = std::mem::take(&mut self.comparisons);
        self.comparison_count = 0;
        self.seal(&description, &payload)
    }

    fn seal(&mut self, description: &BlockDescription, payload: &[u8]) -> io::Result<()> {
        let begin = self.out.len();
        let header = self.seal_somehow(description, payload)?;
        if self.footer.blocks.len() == self.footer.blocks.capacity() {
            let more = self.footer.blocks.len().max(4);
            reserve(&mut self.footer.blocks, more)?;
        }
        self.footer
            .blocks
            .push((self.offset + begin as u64, header));
        self.sequence += 1;
        Ok(())
    }

    /// Seals it compressed, or as it is where there is no memory to compress it.
    fn seal_somehow(
        &mut self,
        description: &BlockDescription,
        payload: &[u8],
    ) -> io::Result<BlockHeader> {
        let begin = self.out.len();
        // A payload that does not become smaller by compression becomes a little larger.
        let bound = BLOCK_HEADER + payload.len() + payload.len() / 128 + 512;
        if reserve(&mut self.out, bound).is_ok() {
            match self.sealer.seal(&mut self.out, description, payload) {
                Ok(header) => return Ok(header),
                Err(_) => self.out.truncate(begin),
            }
        }
        reserve(&mut self.out, BLOCK_HEADER + payload.len())?;
        BlockSealer::new(CompressionLevel::None)?.seal(&mut self.out, description, payload)
    }

    fn flush_if_due(&mut self) -> io::Result<()> {
        match self.is_last {
            true => Ok(()),
            false => self.flush(),
        }
    }

    /// Appends what was sealed to the file, by one call.
    fn flush(&mut self) -> io::Result<()> {
        self.output.append(&self.out, self.offset)?;
        self.offset += self.out.len() as u64;
        self.out.clear();
        self.written = Written {
            blocks: self.footer.blocks.len(),
            sequence: self.sequence,
            events: self.footer.events,
        };
        Ok(())
    }

    /// Nothing more is written, and what is not in the file is lost.
    fn stop(&mut self, error: &io::Error) {
        self.state = SinkState::Stopped;
        self.out.clear();
        self.footer.blocks.truncate(self.written.blocks);
        self.sequence = self.written.sequence;
        self.footer.lost_events += self.footer.events - self.written.events;
        self.footer.events = self.written.events;
        self.footer.stopped = error.raw_os_error().unwrap_or(libc::EIO) as u32;
        say(&format!(
            "{}: cannot write: {error}; the recording of thread {} stops here, the program goes on",
            self.output.path().display(),
            self.thread
        ));
    }
}

/// Bytes that are always there.
const SMALL: usize = 64 << 10;

/// Makes room for `more` further elements.
fn reserve<T>(all: &mut Vec<T>, more: usize) -> io::Result<()> {
    let bytes = (all.len() + more) * size_of::<T>();
    let fits = all.capacity() - all.len() >= more || bytes <= SMALL || memory::has(bytes);
    match fits && all.try_reserve(more).is_ok() {
        true => Ok(()),
        false => Err(no_memory()),
    }
}

fn no_memory() -> io::Error {
    io::Error::from_raw_os_error(libc::ENOMEM)
}
