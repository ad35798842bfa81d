//! Writes whole streams, for tests, synthetic traces and converters.

use std::collections::HashMap;
use std::io::{self, Write};

use crate::clock::{CalibrationPair, ClockKind};
use crate::error::Error;
use crate::format::addresses::{self, Tracks};
use crate::format::footer::Footer;
use crate::format::header::{BlockKind, FileHeader};
use crate::format::{
    MAX_DEPTH, MAX_SITES, comparisons, definitions, encode, profile, stack_samples, varint,
};
use crate::model::{
    Attributes, CallSums, ClockComparison, PathEntry, Profile, Site, SiteId, StackSamples,
};

pub use crate::format::seal::{BlockDescription, BlockSealer, CompressionLevel};

/// How a [`StreamWriter`] writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamOptions {
    /// Bytes of records in a block before compression.
    pub block_size: usize,
    /// Compression of the blocks' payloads.
    pub compression: CompressionLevel,
}

impl Default for StreamOptions {
    fn default() -> Self {
        StreamOptions {
            block_size: 4 << 20,
            compression: CompressionLevel::Zstd(1),
        }
    }
}

/// Writes the stream of one thread, checking that a thread can have produced its events.
#[derive(Debug)]
pub struct StreamWriter<W: Write> {
    out: W,
    sealer: BlockSealer,
    header: FileHeader,
    options: StreamOptions,
    offset: u64,
    sequence: u32,
    footer: Footer,
    known: HashMap<Site, SiteId>,
    new_sites: Vec<u8>,
    new_site_count: u32,
    written_sites: u32,
    /// Attributes of each site's last Enter and Exit, with the number of the block they are of.
    last: Vec<[(u32, Attributes); 2]>,
    /// Where each site's Enters lead in that block.
    tracks: Vec<Tracks>,
    stack: Vec<SiteId>,
    records: Vec<u8>,
    length: usize,
    /// Bytes of `records` that are the stack at the beginning.
    prefix: usize,
    block: u32,
    events: u32,
    first_time: u64,
    time: u64,
    calibration: Option<CalibrationPair>,
}

impl<W: Write> StreamWriter<W> {
    /// Begins a stream in `out`, which must be empty.
    ///
    /// # Errors
    /// Of `out`, or of the compressor.
    pub fn new(mut out: W, header: FileHeader, options: StreamOptions) -> io::Result<Self> {
        let bytes = header.encode();
        out.write_all(&bytes)?;
        Ok(StreamWriter {
            out,
            sealer: BlockSealer::new(options.compression)?,
            header,
            options,
            offset: bytes.len() as u64,
            sequence: 0,
            footer: Footer::default(),
            known: HashMap::new(),
            new_sites: Vec::new(),
            new_site_count: 0,
            written_sites: 0,
            last: Vec::new(),
            tracks: Vec::new(),
            stack: Vec::new(),
            records: Vec::new(),
            length: 0,
            prefix: 0,
            block: 0,
            events: 0,
            first_time: 0,
            time: 0,
            calibration: None,
        })
    }

    /// The pair of clock readings that blocks from here on carry. With the one in the file's header
    /// it gives the rate of a time stamp counter; without it, a stream written here does not
    /// say that rate.
    pub fn calibrate(&mut self, pair: CalibrationPair) {
        self.calibration = Some(pair);
    }

    /// The number of `site` in this stream's site table; it is added if it is new.
    pub fn site(&mut self, site: &Site) -> SiteId {
        if let Some(&id) = self.known.get(site) {
            return id;
        }
        let id = SiteId(self.last.len() as u32);
        definitions::push_site(
            &mut self.new_sites,
            site.operation,
            site.file.as_bytes(),
            site.line,
            site.name.as_bytes(),
        );
        self.new_site_count += 1;
        self.last.push([(0, Attributes::None); 2]);
        self.tracks.push(Tracks::default());
        self.known.insert(site.clone(), id);
        id
    }

    /// Enter of a region at time `time` (ticks).
    ///
    /// # Errors
    /// [`Error::InvalidEvent`] if time runs backwards, the site is unknown, or there are too many
    /// sites or open regions; [`Error::Io`].
    pub fn enter(&mut self, time: u64, site: SiteId, attributes: Attributes) -> Result<(), Error> {
        self.check(
            self.last.len() <= MAX_SITES,
            "another site",
            "at most a million sites",
        )?;
        self.check(
            self.stack.len() < MAX_DEPTH,
            "another open region",
            "at most a million open regions",
        )?;
        self.check(
            (site.0 as usize) < self.last.len(),
            "an unknown site",
            "a site of this stream",
        )?;
        let difference = self.advance(time)?;
        let block = self.block;
        let last = &mut self.last[site.0 as usize][0];
        let tracks = &mut self.tracks[site.0 as usize];
        if last.0 != block {
            *last = (block, Attributes::None);
            *tracks = Tracks::default();
        }
        let (records, at) = (&mut self.records, self.length);
        self.length = if attributes == addresses::predicted(tracks, &last.1) {
            addresses::follow(tracks, &mut last.1);
            encode::enter(records, at, difference, site.0)
        } else {
            last.1 = attributes;
            encode::enter_with(records, at, difference, site.0, &attributes, tracks)
        };
        self.stack.push(site);
        self.events += 1;
        Ok(())
    }

    /// Exit of the innermost open region at time `time` (ticks).
    ///
    /// # Errors
    /// [`Error::InvalidEvent`] if time runs backwards or no region is open; [`Error::Io`].
    pub fn exit(&mut self, time: u64, attributes: Attributes) -> Result<(), Error> {
        self.check(
            !self.stack.is_empty(),
            "an Exit while no region is open",
            "an Enter",
        )?;
        let difference = self.advance(time)?;
        let Some(site) = self.stack.pop() else {
            return Ok(());
        };
        let block = self.block;
        let last = &mut self.last[site.0 as usize][1];
        let (records, at) = (&mut self.records, self.length);
        self.length = if repeats(last, block, attributes) {
            encode::exit(records, at, difference)
        } else {
            *last = (block, attributes);
            encode::exit_with(records, at, difference, &attributes)
        };
        self.events += 1;
        Ok(())
    }

    /// Sums of calls that the events do not show. The block of events so far ends before them. The
    /// callers' entries come before those whom they call.
    ///
    /// # Errors
    /// [`Error::InvalidEvent`] if an entry's site is unknown; [`Error::Io`].
    pub fn profile(&mut self, profile: &Profile) -> Result<(), Error> {
        let known = |sums: &CallSums| (sums.site.0 as usize) < self.last.len();
        self.check(
            profile.entries.iter().all(known),
            "an unknown site",
            "a site of this stream",
        )?;
        let mut payload = Vec::new();
        let names = profile.counters.iter().map(String::as_str);
        profile::push_head(&mut payload, profile.scope, profile.unplaced_calls, names);
        for sums in &profile.entries {
            profile::push_entry(&mut payload, sums);
        }
        self.write_block()?;
        let span = (profile.first_time, profile.last_time);
        let entries = profile.entries.len() as u32;
        self.write_other(BlockKind::Profile, span, entries, &payload)
    }

    /// Samples of where the thread computed. The block of events so far ends before them.
    ///
    /// # Errors
    /// [`Error::InvalidEvent`] if the site of a path is unknown; [`Error::Io`].
    pub fn stack_samples(&mut self, samples: &StackSamples) -> Result<(), Error> {
        let known = |entry: &PathEntry| (entry.site.0 as usize) < self.last.len();
        self.check(
            samples.paths.iter().all(known),
            "an unknown site",
            "a site of this stream",
        )?;
        let mut payload = Vec::new();
        stack_samples::push(&mut payload, samples);
        self.write_block()?;
        let span = (samples.first_time, samples.last_time);
        let entries = samples.samples.len() as u32;
        self.write_other(BlockKind::StackSamples, span, entries, &payload)
    }

    /// How this thread's clock stands against others'.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn compare_clocks(&mut self, comparisons: &[ClockComparison]) -> Result<(), Error> {
        let mut payload = Vec::new();
        for comparison in comparisons {
            comparisons::push(&mut payload, comparison);
        }
        self.write_block()?;
        let span = (self.time, self.time);
        let entries = comparisons.len() as u32;
        self.write_other(BlockKind::ClockComparisons, span, entries, &payload)
    }

    /// Where the thread ran and how it was recorded.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn property(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let mut payload = Vec::new();
        definitions::push_property(&mut payload, key, value);
        self.write_block()?;
        self.write_other(BlockKind::Properties, (self.time, self.time), 1, &payload)
    }

    /// Notes that events are missing from here on because of a limit of the trace's size.
    pub fn reach_limit(&mut self) {
        self.footer.limit_reached = true;
    }

    fn write_other(
        &mut self,
        kind: BlockKind,
        span: (u64, u64),
        entries: u32,
        payload: &[u8],
    ) -> Result<(), Error> {
        let mut bytes = Vec::new();
        self.seal(&mut bytes, kind, span, entries, payload)?;
        self.out.write_all(&bytes).map_err(stream_error)
    }

    /// Writes the last block and the footer.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn finish(mut self) -> Result<W, Error> {
        self.write_block()?;
        let mut bytes = Vec::new();
        let written = self.pair(self.time);
        self.sealer
            .seal_footer(
                &mut bytes,
                &self.footer,
                self.offset,
                self.header.thread,
                written,
            )
            .and_then(|()| self.out.write_all(&bytes))
            .and_then(|()| self.out.flush())
            .map_err(stream_error)?;
        Ok(self.out)
    }

    /// Writes the last block but no footer, as if the program had been killed.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn abandon(mut self) -> Result<W, Error> {
        self.write_block()?;
        Ok(self.out)
    }

    fn advance(&mut self, time: u64) -> Result<u64, Error> {
        let first = self.footer.events == 0 && self.events == 0;
        self.check(
            first || time >= self.time,
            "a time before the last one",
            "times that do not decrease",
        )?;
        let full = self.length >= self.prefix + self.options.block_size;
        if self.events > 0 && (full || time - self.time > encode::MAX_DIFFERENCE) {
            self.write_block()?;
        }
        if self.events == 0 {
            self.begin_block(time);
        }
        let difference = time - self.time;
        self.time = time;
        if self.records.len() < self.length + encode::MAX_RECORD {
            self.records.resize((2 * self.length).max(4096), 0);
        }
        Ok(difference)
    }

    fn begin_block(&mut self, time: u64) {
        self.block += 1;
        self.first_time = time;
        self.time = time;
        self.records.clear();
        varint::push(&mut self.records, self.stack.len() as u64);
        for site in &self.stack {
            varint::push(&mut self.records, u64::from(site.0));
        }
        self.prefix = self.records.len();
        self.length = self.prefix;
        self.records.resize(self.length + encode::MAX_RECORD, 0);
    }

    fn write_block(&mut self) -> Result<(), Error> {
        let mut bytes = Vec::new();
        let span = (self.first_time, self.time);
        if self.new_site_count > 0 {
            let payload = std::mem::take(&mut self.new_sites);
            let entries = std::mem::take(&mut self.new_site_count);
            self.seal(&mut bytes, BlockKind::Definitions, span, entries, &payload)?;
            self.written_sites += entries;
        }
        if self.events > 0 {
            let records = std::mem::take(&mut self.records);
            let entries = std::mem::take(&mut self.events);
            self.seal(
                &mut bytes,
                BlockKind::Events,
                span,
                entries,
                &records[..self.length],
            )?;
            self.footer.events += u64::from(entries);
            self.records = records;
        }
        self.out.write_all(&bytes).map_err(stream_error)
    }

    fn seal(
        &mut self,
        bytes: &mut Vec<u8>,
        kind: BlockKind,
        span: (u64, u64),
        entries: u32,
        payload: &[u8],
    ) -> Result<(), Error> {
        let description = BlockDescription {
            kind,
            thread: self.header.thread,
            sequence: self.sequence,
            first_time: span.0,
            last_time: span.1,
            entries,
            sites: self.written_sites,
            // Sums and samples may be of a span that ends later than the last event.
            written: self.pair(self.time.max(span.1)),
            lost_events: 0,
        };
        let begin = bytes.len();
        let header = self
            .sealer
            .seal(bytes, &description, payload)
            .map_err(stream_error)?;
        self.footer.blocks.push((self.offset, header));
        self.offset += (bytes.len() - begin) as u64;
        self.sequence += 1;
        Ok(())
    }

    /// A synthetic stream has one clock, so a pair says the same twice.
    fn pair(&self, ticks: u64) -> CalibrationPair {
        match self.header.clock {
            ClockKind::Nanoseconds => CalibrationPair {
                ticks,
                nanoseconds: ticks,
            },
            ClockKind::TimeStampCounter => self.calibration.unwrap_or(self.header.start),
        }
    }

    fn check(
        &self,
        condition: bool,
        found: &'static str,
        expected: &'static str,
    ) -> Result<(), Error> {
        if condition {
            return Ok(());
        }
        Err(Error::InvalidEvent {
            thread: self.header.thread,
            event: self.footer.events + u64::from(self.events),
            found: found.to_owned(),
            expected,
        })
    }
}

/// Whether a site's Exit with these attributes is what a reader assumes without being told.
fn repeats(last: &(u32, Attributes), block: u32, attributes: Attributes) -> bool {
    let (of, previous) = *last;
    attributes
        == if of == block {
            previous
        } else {
            Attributes::None
        }
}

fn stream_error(source: io::Error) -> Error {
    Error::io("stream", "write", source)
}
