//! The writing end of a stream: seals full buffers into blocks and appends them to the thread's file.
//!
//! The program may close descriptors that it does not know and open files of its own under their numbers, so the file
//! is looked at before every write: the recorder must never write into somebody else's.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use pgas_trace::builder::stream_name;
use pgas_trace::experiment::STREAMS;
use pgas_trace::format::comparisons;
use pgas_trace::format::definitions::push_property;
use pgas_trace::format::footer::Footer;
use pgas_trace::format::header::{BlockKind, FileHeader};
use pgas_trace::model::ClockComparison;
use pgas_trace::writer::{BlockDescription, BlockSealer};

use crate::buffer::Filled;
use crate::clock::{since_epoch, Clock};
use crate::config::Config;
use crate::descriptor::move_up;
use crate::message::say;

/// The file of one thread. All methods are called with its lock held and signals blocked.
pub(crate) struct Sink {
    path: PathBuf,
    descriptor: libc::c_int,
    identity: (libc::dev_t, libc::ino_t),
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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SinkState {
    Open,
    /// Nothing more is written because of an error.
    Stopped,
    Finished,
}

impl Sink {
    /// Creates the file of `thread` in the experiment; one that exists is left alone.
    pub(crate) fn create(config: &Config, thread: u32, clock: Clock) -> Result<Self, String> {
        let directory = config.experiment.join(STREAMS);
        let path = directory.join(stream_name(thread));
        let failed = |error: io::Error| format!("{}: cannot create: {error}", path.display());
        let name =
            CString::new(path.as_os_str().as_bytes()).map_err(|error| failed(error.into()))?;
        let descriptor = create_file(&name).map_err(failed)?;
        let sealer = BlockSealer::new(config.compression).map_err(failed)?;
        Ok(Sink {
            identity: identity_of(descriptor).map_err(failed)?,
            path,
            descriptor,
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
            .map_err(|error| format!("{}: cannot write: {error}", self.path.display()))
    }

    /// How the thread's clock stands against another one; written with the next buffer.
    pub(crate) fn note_comparison(&mut self, comparison: &ClockComparison) {
        comparisons::push(&mut self.comparisons, comparison);
        self.comparison_count += 1;
    }

    /// Bytes of the file so far.
    pub(crate) fn length(&self) -> u64 {
        self.offset
    }

    /// Whether nothing more is written because of an error.
    pub(crate) fn is_stopped(&self) -> bool {
        self.state == SinkState::Stopped
    }

    /// Writes a buffer, with the definitions that it needs and the sums, in one system call. Does nothing once stopped.
    pub(crate) fn write(&mut self, filled: &Filled, bytes: &[u8]) {
        if self.state == SinkState::Open {
            if let Err(error) = self.try_write(filled, bytes) {
                self.stop(&error);
            }
        }
        if self.state != SinkState::Open {
            self.footer.lost_events += u64::from(filled.events);
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
        let kept = (self.footer.blocks.len(), self.sequence);
        let result = (|| {
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
            description.first_time = filled.last_time;
            description.last_time = filled.last_time;
            self.seal_comparisons(description)?;
            self.flush()
        })();
        match result {
            Ok(()) => {
                self.footer.events += u64::from(filled.events);
                self.comparisons.clear();
                self.comparison_count = 0;
            }
            Err(_) => {
                self.footer.blocks.truncate(kept.0);
                self.sequence = kept.1;
            }
        }
        result
    }

    /// Writes a property that became known only after the beginning.
    pub(crate) fn add_property(&mut self, key: &str, value: &str) {
        if self.state != SinkState::Open {
            return;
        }
        let mut payload = Vec::new();
        push_property(&mut payload, key, value);
        let written = self.clock.pair();
        let description = BlockDescription {
            kind: BlockKind::Properties,
            thread: self.thread,
            sequence: self.sequence,
            first_time: written.ticks,
            last_time: written.ticks,
            entries: 1,
            sites: 0,
            written,
            lost_events: 0,
        };
        let sealed = self.seal(&description, &payload);
        if let Err(error) = sealed.and_then(|()| self.flush()) {
            self.stop(&error);
        }
    }

    /// Writes the index and closes the file. `lost` events are added to those that could not be written;
    /// `limit_reached` tells whether the events end early because there was a limit.
    pub(crate) fn finish(&mut self, lost: u64, limit_reached: bool) {
        if self.state == SinkState::Finished {
            return;
        }
        self.footer.lost_events += lost;
        self.footer.limit_reached = limit_reached;
        self.out.clear();
        let written = self.clock.pair();
        let description = BlockDescription {
            kind: BlockKind::ClockComparisons,
            thread: self.thread,
            sequence: self.sequence,
            first_time: written.ticks,
            last_time: written.ticks,
            entries: 0,
            sites: 0,
            written,
            lost_events: 0,
        };
        let sealed = self.seal_comparisons(description).and_then(|()| {
            let offset = self.offset + self.out.len() as u64;
            self.sealer
                .seal_footer(&mut self.out, &self.footer, offset, self.thread, written)
        });
        // After a failure this may fail too; a reader then finds out by itself that the stream is cut short.
        if let Err(error) = sealed.and_then(|()| self.flush()) {
            if self.state == SinkState::Open {
                self.stop(&error);
            }
        }
        self.state = SinkState::Finished;
        if self.owns_descriptor() {
            // SAFETY: the descriptor is the recorder's own, and not used after this.
            unsafe { libc::close(self.descriptor) };
        }
        self.descriptor = -1;
        self.out = Vec::new();
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
        let sealed = self.seal(&description, &payload);
        self.comparisons = payload;
        sealed
    }

    fn seal(&mut self, description: &BlockDescription, payload: &[u8]) -> io::Result<()> {
        let begin = self.out.len();
        let header = self.sealer.seal(&mut self.out, description, payload)?;
        self.footer
            .blocks
            .push((self.offset + begin as u64, header));
        self.sequence += 1;
        Ok(())
    }

    /// Appends what was sealed to the file. If that fails, what was written of it is taken back.
    fn flush(&mut self) -> io::Result<()> {
        if !self.owns_descriptor() {
            self.out.clear();
            return Err(io::Error::from_raw_os_error(libc::EBADF));
        }
        let result = write_all_at(self.descriptor, &self.out, self.offset);
        match result {
            Ok(()) => self.offset += self.out.len() as u64,
            Err(_) => {
                // SAFETY: the descriptor is the recorder's own. If it fails, readers cope with a block cut short.
                unsafe { libc::ftruncate(self.descriptor, self.offset as libc::off_t) };
            }
        }
        self.out.clear();
        result
    }

    fn stop(&mut self, error: &io::Error) {
        self.state = SinkState::Stopped;
        self.footer.stopped = error.raw_os_error().unwrap_or(libc::EIO) as u32;
        say(&format!(
            "{}: cannot write: {error}; the recording of thread {} stops here, the program goes on",
            self.path.display(),
            self.thread
        ));
    }

    fn owns_descriptor(&self) -> bool {
        identity_of(self.descriptor).is_ok_and(|identity| identity == self.identity)
    }
}

fn create_file(name: &CString) -> io::Result<libc::c_int> {
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
    // SAFETY: `name` is a C string.
    let descriptor = unsafe { libc::open(name.as_ptr(), flags, 0o666) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(move_up(descriptor))
}

fn identity_of(descriptor: libc::c_int) -> io::Result<(libc::dev_t, libc::ino_t)> {
    // SAFETY: `stat` is plain data for which zeros are valid, and valid for writing.
    unsafe {
        let mut status: libc::stat = std::mem::zeroed();
        if libc::fstat(descriptor, &mut status) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((status.st_dev, status.st_ino))
    }
}

fn write_all_at(descriptor: libc::c_int, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        // SAFETY: pointer and length are those of `bytes`.
        let written = unsafe {
            libc::pwrite(
                descriptor,
                bytes.as_ptr().cast(),
                bytes.len(),
                offset as libc::off_t,
            )
        };
        match written {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            1.. => {
                bytes = &bytes[written as usize..];
                offset += written as u64;
            }
            _ => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
    Ok(())
}
