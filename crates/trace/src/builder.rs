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
use std::path::Path;

use crate::clock::{CalibrationPair, ClockKind};
use crate::error::Error;
use crate::experiment::{self, Metadata, STREAMS};
use crate::model::{Attributes, Site};
use crate::v1::header::FileHeader;
use crate::writer::{StreamOptions, StreamWriter};

/// An experiment in the making. Times are in nanoseconds. Errors come out in [`ExperimentBuilder::write`].
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

    /// What `experiment.json` will say.
    pub fn metadata_mut(&mut self) -> &mut Metadata {
        &mut self.metadata
    }

    /// Writes the experiment as the new directory `path`.
    ///
    /// # Errors
    /// The first error of an event; [`Error::AlreadyExists`]; [`Error::Io`].
    pub fn write(self, path: &Path) -> Result<(), Error> {
        let mut streams = Vec::new();
        for thread in self.threads {
            streams.push(thread.finish()?);
        }
        experiment::create(path, &self.metadata)?;
        for (number, bytes) in streams.iter().enumerate() {
            let file = path.join(STREAMS).join(stream_name(number as u32));
            OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&file)
                .and_then(|mut out| out.write_all(bytes))
                .map_err(|error| Error::io(file, "write", error))?;
        }
        Ok(())
    }
}

/// Name of the file that holds the stream of a thread.
pub fn stream_name(thread: u32) -> String {
    format!("thread-{thread:04}.pgt")
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

    /// Ends the stream after the events so far as a killed program leaves it: without its footer, and with regions
    /// still open.
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
