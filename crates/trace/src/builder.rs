//! Makes experiment directories without running a program, for tests and synthetic traces.
//!
//! ```
//! use pgas_trace::model::{Attributes, Operation, Site};
//! use pgas_trace::{Experiment, ExperimentBuilder};
//!
//! let main = Site::function("main", "a.upc", 1);
//! let barrier = Site::operation(Operation::Barrier, "a.upc", 7);
//! let mut builder = ExperimentBuilder::new("a", 2);
//! for thread in 0..2 {
//!     builder
//!         .thread(thread)
//!         .enter(0, &main, Attributes::None)
//!         .enter(10 + u64::from(thread), &barrier, Attributes::Barrier { value: None })
//!         .exit(12, Attributes::None)
//!         .exit(20, Attributes::None);
//! }
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("experiment");
//! builder.write(&path)?;
//! assert_eq!(Experiment::open(&path)?.streams().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::clock::{CalibrationPair, ClockKind};
use crate::error::Error;
use crate::experiment;
use crate::format::header::FileHeader;
use crate::metadata::Metadata;
use crate::model::{
    Attributes, CallSums, ClockComparison, Profile, ProfileScope, Site, StackSamples, ThreadId,
};
use crate::names::{self, STREAMS};
use crate::node_file;
use crate::writer::{StreamOptions, StreamWriter};

/// An experiment in the making. Times are in nanoseconds. Errors come out in
/// [`ExperimentBuilder::write`].
#[derive(Debug)]
pub struct ExperimentBuilder {
    metadata: Metadata,
    threads: Vec<ThreadBuilder>,
}

impl ExperimentBuilder {
    /// An experiment of `program` with `threads` threads that have no events yet.
    pub fn new(program: &str, threads: u32) -> Self {
        Self::with_options(program, threads, StreamOptions::default())
    }

    /// The same with another block size or compression.
    pub fn with_options(program: &str, threads: u32, options: StreamOptions) -> Self {
        let mut metadata = Metadata::new(program, &[], threads);
        // No machine ran it.
        metadata.cores = None;
        metadata.end(Ok(0), 0.0);
        ExperimentBuilder {
            metadata,
            threads: (0..threads)
                .map(|thread| ThreadBuilder::new(thread, threads, options))
                .collect(),
        }
    }

    /// The events of one thread.
    ///
    /// # Panics
    /// If there is no such thread.
    pub fn thread(&mut self, thread: u32) -> &mut ThreadBuilder {
        &mut self.threads[thread as usize]
    }

    /// Content of the future `experiment.json`.
    pub fn metadata_mut(&mut self) -> &mut Metadata {
        &mut self.metadata
    }

    /// Writes the experiment as the new directory `path`.
    ///
    /// # Errors
    /// The first error of an event; [`Error::AlreadyExists`]; [`Error::Io`].
    pub fn write(self, path: &Path) -> Result<(), Error> {
        let (metadata, streams) = self.finish()?;
        experiment::create(path, &metadata)?;
        for (number, bytes) in streams.iter().enumerate() {
            let file = path.join(STREAMS).join(names::of_thread(number as u32));
            write_new(file, bytes)?;
        }
        Ok(())
    }

    /// The same with the streams of all threads in one file, as a recorder on one node writes them.
    ///
    /// # Errors
    /// As for [`ExperimentBuilder::write`].
    pub fn write_in_one_file(self, path: &Path) -> Result<(), Error> {
        let (metadata, streams) = self.finish()?;
        let file = path.join(STREAMS).join(names::of_node("host", "node"));
        let streams: Vec<&[u8]> = streams.iter().map(Vec::as_slice).collect();
        let mut bytes = Vec::new();
        node_file::write(&mut bytes, &streams).map_err(|error| Error::io(&file, "write", error))?;
        experiment::create(path, &metadata)?;
        write_new(file, &bytes)
    }

    fn finish(self) -> Result<(Metadata, Vec<Vec<u8>>), Error> {
        let streams = self.threads.into_iter().map(ThreadBuilder::finish);
        Ok((self.metadata, streams.collect::<Result<_, _>>()?))
    }
}

fn write_new(file: PathBuf, bytes: &[u8]) -> Result<(), Error> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&file)
        .and_then(|mut out| out.write_all(bytes))
        .map_err(|error| Error::io(file, "write", error))
}

/// Sums of the calls on one call path, for [`ThreadBuilder::sums`]; see [`CallSums`].
#[derive(Debug, Clone)]
pub struct Sums {
    /// Index of the caller's entry.
    pub parent: Option<u32>,
    /// The innermost region of the call path.
    pub site: Site,
    /// Of a transfer, the thread with the data; see [`CallSums::partner`].
    pub partner: Option<ThreadId>,
    /// Calls that began in the span of the sums.
    pub calls: u64,
    /// Of these, calls whose time is in `ticks`.
    pub timed_calls: u64,
    /// Nanoseconds.
    pub ticks: u64,
    /// Bytes that transfers moved, or allocations asked for.
    pub bytes: u64,
    /// Sum of each counter of the profile, over the calls with what they called.
    pub counters: Vec<u64>,
}

impl Sums {
    /// `calls` calls of `site`, all of them timed, which took `ticks` nanoseconds together.
    pub fn new(parent: Option<u32>, site: &Site, calls: u64, ticks: u64) -> Self {
        Sums {
            parent,
            site: site.clone(),
            partner: None,
            calls,
            timed_calls: calls,
            ticks,
            bytes: 0,
            counters: Vec::new(),
        }
    }
}

/// The events of one thread of an [`ExperimentBuilder`], in the order of time.
#[derive(Debug)]
pub struct ThreadBuilder {
    state: Result<StreamWriter<Vec<u8>>, Error>,
    killed: bool,
}

impl ThreadBuilder {
    fn new(thread: u32, threads: u32, options: StreamOptions) -> Self {
        let header = FileHeader {
            clock: ClockKind::Nanoseconds,
            thread,
            threads,
            process: 0,
            start: CalibrationPair::default(),
            start_unix: 0,
        };
        ThreadBuilder {
            state: StreamWriter::new(Vec::new(), header, options)
                .map_err(|error| Error::io("stream", "begin", error)),
            killed: false,
        }
    }

    /// Enter of `site` at `time` (nanoseconds).
    pub fn enter(&mut self, time: u64, site: &Site, attributes: Attributes) -> &mut Self {
        self.apply(|writer| {
            let id = writer.site(site);
            writer.enter(time, id, attributes)
        })
    }

    /// Exit of the innermost open region at `time` (nanoseconds).
    pub fn exit(&mut self, time: u64, attributes: Attributes) -> &mut Self {
        self.apply(|writer| writer.exit(time, attributes))
    }

    /// Sums of calls over `span` (nanoseconds), which the events do not show.
    pub fn sums(&mut self, scope: ProfileScope, span: (u64, u64), sums: &[Sums]) -> &mut Self {
        self.sums_with_counters(scope, span, &[], sums)
    }

    /// The same with the names of counters, of which each entry has as many values.
    pub fn sums_with_counters(
        &mut self,
        scope: ProfileScope,
        span: (u64, u64),
        counters: &[&str],
        sums: &[Sums],
    ) -> &mut Self {
        self.apply(|writer| {
            let entries = sums.iter().map(|sums| CallSums {
                parent: sums.parent,
                site: writer.site(&sums.site),
                partner: sums.partner,
                calls: sums.calls,
                timed_calls: sums.timed_calls,
                ticks: sums.ticks,
                bytes: sums.bytes,
                counters: sums.counters.clone(),
            });
            let profile = Profile {
                scope,
                first_time: span.0,
                last_time: span.1,
                unplaced_calls: 0,
                counters: counters.iter().map(ToString::to_string).collect(),
                entries: entries.collect(),
            };
            writer.profile(&profile)
        })
    }

    /// Samples of where the thread computed. Sites of its paths are indices of `sites`; times are
    /// in nanoseconds.
    ///
    /// # Panics
    /// If a path's site is beyond `sites`.
    pub fn stack_samples(&mut self, samples: &StackSamples, sites: &[Site]) -> &mut Self {
        self.apply(|writer| {
            let mut samples = samples.clone();
            for entry in &mut samples.paths {
                entry.site = writer.site(&sites[entry.site.0 as usize]);
            }
            writer.stack_samples(&samples)
        })
    }

    /// How this thread's clock stands against others'.
    pub fn compare_clocks(&mut self, comparisons: &[ClockComparison]) -> &mut Self {
        self.apply(|writer| writer.compare_clocks(comparisons))
    }

    /// A property of the thread, such as `host`.
    pub fn property(&mut self, key: &str, value: &str) -> &mut Self {
        self.apply(|writer| writer.property(key, value))
    }

    /// Notes that events are missing from here on because of a limit of the trace's size.
    pub fn reach_limit(&mut self) -> &mut Self {
        self.apply(|writer| {
            writer.reach_limit();
            Ok(())
        })
    }

    /// Ends the stream after the events so far as a killed program leaves it: without its footer,
    /// and with regions still open.
    pub fn killed(&mut self) -> &mut Self {
        self.killed = true;
        self
    }

    fn apply(
        &mut self,
        step: impl FnOnce(&mut StreamWriter<Vec<u8>>) -> Result<(), Error>,
    ) -> &mut Self {
        if let Ok(writer) = &mut self.state {
            if let Err(error) = step(writer) {
                self.state = Err(error);
            }
        }
        self
    }

    fn finish(self) -> Result<Vec<u8>, Error> {
        let writer = self.state?;
        if self.killed {
            writer.abandon()
        } else {
            writer.finish()
        }
    }
}
