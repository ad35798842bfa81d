//! Reads experiments. Everything that comes from a file is checked: lengths, checksums, site
//! numbers, the order of times, the nesting of regions. A stream of a killed program is read up to
//! its last full block, with a remark; damaged data is an error with file and offset.

mod corrected;
mod events;
mod extents;
mod map;
mod memory;
mod payload;
mod profile;
mod profile_bounds;
mod scan;
mod stack_samples;
mod stream;
mod thread_count;

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use corrected::CorrectedEvents;
pub use events::{BlockEvents, Events};
pub use memory::BlockMemory;
pub use stream::{BlockInfo, Stream};

use crate::clock::Clock;
use crate::clocks::{Clocks, ThreadFacts};
use crate::error::Error;
use crate::format::Problem;
use crate::format::extent::EXTENT_MAGIC;
use crate::format::layout::Source;
use crate::interruption::Interruption;
use crate::metadata::Metadata;
use crate::model::ThreadId;
use crate::names::{NODE_EXTENSION, STREAMS, THREAD_EXTENSION};
use crate::places::{self, CodePlaces, Places};
use crate::properties::{HOST, NODE, RUN};
use map::{MappedFile, StreamFile};
use thread_count::thread_count;

/// An experiment that was measured: its description and its streams.
#[derive(Debug)]
pub struct Experiment {
    directory: PathBuf,
    metadata: Metadata,
    streams: Vec<Stream>,
    clock: Clock,
    clocks: Clocks,
    remarks: Vec<String>,
    code_places: CodePlaces,
}

impl Experiment {
    /// Opens the experiment in `directory`: reads its description, the headers of all blocks, and
    /// the site tables. Sites at addresses of the code get their lines and names.
    ///
    /// # Errors
    /// [`Error::NotAnExperiment`], [`Error::NoStreams`], [`Error::Foreign`], [`Error::Version`],
    /// [`Error::Corrupt`], [`Error::DuplicateThread`], [`Error::Metadata`], [`Error::Io`].
    pub fn open(directory: &Path) -> Result<Self, Error> {
        let mut metadata = Metadata::load(directory)?;
        let mut remarks = metadata.remarks.clone();
        let mut streams: Vec<Stream> = Vec::new();
        let mut files = Vec::new();
        for path in stream_paths(directory)? {
            let Some(mapped) = MappedFile::open(&path)?.map(Arc::new) else {
                remarks.push(killed_at_once(&path));
                continue;
            };
            if is_of_a_node(&mapped) {
                let found = extents::streams(&mapped)?;
                remarks.extend(found.remarks);
                let mut cut = found.cut.into_iter().peekable();
                for (index, file) in found.streams.into_iter().enumerate() {
                    let file = Arc::new(file);
                    let missing = cut.next_if(|(at, _)| *at == index).map(|(_, why)| why);
                    streams.extend(scan::streams(&file, missing)?);
                    files.push(file);
                }
            } else {
                let Some(file) = StreamFile::whole(&mapped)?.map(Arc::new) else {
                    remarks.push(killed_at_once(&path));
                    continue;
                };
                streams.extend(scan::streams(&file, None)?);
                files.push(file);
            }
            mapped.forget_all();
        }
        if files.is_empty() {
            return Err(Error::NoStreams {
                path: directory.to_owned(),
            });
        }
        streams.sort_by_key(Stream::thread);
        reject_duplicates(&streams)?;
        reject_other_runs(&streams, &metadata)?;
        metadata.threads = thread_count(&files, &streams, metadata.threads, &mut remarks)?;
        remark_missing_threads(metadata.threads, &streams, &mut remarks);
        let clocks = clocks_of(&streams);
        let clock = clock_of(&files, &streams, &clocks)?;
        if !clock.is_calibrated() {
            remarks.push(
                "the rate of the clock is not known, since the run ended too early: times are not \
                 in seconds"
                    .to_owned(),
            );
        }
        remark_unknown_clocks(&clocks, &mut remarks);
        let code_places = name_sites(directory, &metadata, &mut streams, &mut remarks);
        Ok(Experiment {
            directory: directory.to_owned(),
            metadata,
            streams,
            clock,
            clocks,
            remarks,
            code_places,
        })
    }

    /// Reading events ends with [`Error::Interrupted`] once `interruption` is requested.
    pub fn stop_on(&mut self, interruption: &Interruption) {
        for stream in &mut self.streams {
            stream.interruption = interruption.clone();
        }
    }

    /// Forgets the streams of all other threads; clocks and remarks stay those of the whole
    /// experiment. For a process that reads a share of it, and should not have the indexes of
    /// all streams in memory.
    pub fn keep_threads(&mut self, threads: &Range<ThreadId>) {
        self.streams
            .retain(|stream| threads.contains(&stream.thread()));
        self.streams.shrink_to_fit();
    }

    /// Where the experiment lies.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Content of `experiment.json`.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The streams, one per thread that recorded something, in the order of threads.
    pub fn streams(&self) -> &[Stream] {
        &self.streams
    }

    /// Converts ticks to seconds; where threads ran on several nodes, ticks of the reference
    /// ([`Experiment::clocks`]).
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// How times of different threads compare.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// All events of a stream, as [`Stream::events`], with times in ticks of the reference clock.
    pub fn corrected_events<'a>(&'a self, stream: &'a Stream) -> CorrectedEvents<'a> {
        CorrectedEvents::new(stream.events(), self.clocks.correction(stream.thread()))
    }

    /// Facts that a reader must know about the experiment as a whole; see also
    /// [`Stream::remarks`].
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Remarks of the experiment and of all its streams.
    pub fn all_remarks(&self) -> Vec<String> {
        let of_streams = self.streams.iter().flat_map(Stream::remarks);
        self.remarks.iter().cloned().chain(of_streams).collect()
    }

    /// The addresses of the code that sites were at before they got lines and names.
    pub fn code_places(&self) -> &CodePlaces {
        &self.code_places
    }

    /// Events in all streams.
    pub fn event_count(&self) -> u64 {
        self.streams.iter().map(Stream::event_count).sum()
    }
}

/// Gives sites at addresses of the code their lines and names. Returns the addresses.
fn name_sites(
    directory: &Path,
    metadata: &Metadata,
    streams: &mut [Stream],
    remarks: &mut Vec<String>,
) -> CodePlaces {
    let code_places = places::of_sites(streams.iter().flat_map(Stream::sites));
    if !code_places.is_empty() {
        let mut places = Places::find(directory, metadata, &code_places);
        for site in streams.iter_mut().flat_map(|stream| &mut stream.sites) {
            places.name(site);
        }
        remarks.extend(places.remarks());
    }
    code_places
}

/// Whether a file consists of extents, by its beginning and, where that is lost, by its name.
fn is_of_a_node(file: &MappedFile) -> bool {
    let extension = file.path().extension();
    file.bytes().starts_with(&EXTENT_MAGIC) || extension.is_some_and(|name| name == NODE_EXTENSION)
}

fn killed_at_once(path: &Path) -> String {
    format!(
        "{}: ends within its header: the thread was killed before it recorded anything",
        path.display()
    )
}

fn stream_paths(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let streams = directory.join(STREAMS);
    let listing = match fs::read_dir(&streams) {
        Ok(listing) => listing,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io(streams, "list", error)),
    };
    let mut paths = Vec::new();
    for entry in listing {
        let path = entry
            .map_err(|error| Error::io(&streams, "list", error))?
            .path();
        if path
            .extension()
            .is_some_and(|extension| extension == THREAD_EXTENSION || extension == NODE_EXTENSION)
        {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn reject_duplicates(streams: &[Stream]) -> Result<(), Error> {
    match streams
        .windows(2)
        .find(|pair| pair[0].thread() == pair[1].thread())
    {
        None => Ok(()),
        Some(pair) => Err(Error::DuplicateThread {
            first: pair[0].path().to_owned(),
            second: pair[1].path().to_owned(),
            thread: pair[0].thread(),
        }),
    }
}

/// Streams of earlier recorders do not say of which run they are.
fn reject_other_runs(streams: &[Stream], metadata: &Metadata) -> Result<(), Error> {
    let Some(expected) = &metadata.id else {
        return Ok(());
    };
    let of_another = |stream: &&Stream| stream.property(RUN).is_some_and(|run| run != expected);
    match streams.iter().find(of_another) {
        None => Ok(()),
        Some(stream) => Err(Error::OtherRun {
            path: stream.path().to_owned(),
            found: stream.property(RUN).unwrap_or_default().to_owned(),
            expected: expected.clone(),
        }),
    }
}

fn remark_missing_threads(threads: u32, streams: &[Stream], remarks: &mut Vec<String>) {
    let mut missing = Vec::new();
    let mut present = streams.iter().map(Stream::thread).peekable();
    let mut count = 0_u64;
    for thread in 0..threads {
        if present.next_if_eq(&thread).is_none() {
            count += 1;
            if missing.len() < 8 {
                missing.push(thread.to_string());
            }
        }
    }
    if count > 0 {
        let more = if count > 8 { ", ..." } else { "" };
        remarks.push(format!(
            "{count} of {threads} threads recorded nothing: {}{more}",
            missing.join(", ")
        ));
    }
}

fn remark_unknown_clocks(clocks: &Clocks, remarks: &mut Vec<String>) {
    let unknown: Vec<&str> = clocks
        .nodes()
        .iter()
        .filter(|node| !node.is_compared())
        .map(|node| node.host())
        .collect();
    if unknown.is_empty() {
        return;
    }
    let listed = unknown[..unknown.len().min(8)].join(", ");
    let more = if unknown.len() > 8 { ", ..." } else { "" };
    remarks.push(format!(
        "the clocks of {} of {} nodes were not compared with the others ({listed}{more}): their \
         times are placed by the time of day, and what they waited for threads of other nodes is \
         not known",
        unknown.len(),
        clocks.nodes().len(),
    ));
}

fn clocks_of(streams: &[Stream]) -> Clocks {
    let facts: Vec<ThreadFacts> = streams
        .iter()
        .map(|stream| {
            let header = &stream.file.header;
            let host = stream.property(HOST).unwrap_or_default();
            ThreadFacts {
                thread: stream.thread(),
                node: stream.property(NODE).unwrap_or(host),
                host,
                kind: header.clock,
                pairs: std::iter::once(header.start)
                    .chain(stream.calibration_pairs())
                    .collect(),
                start_unix: header.start_unix,
                comparisons: stream.clock_comparisons(),
            }
        })
        .collect();
    Clocks::new(&facts)
}

fn clock_of(
    files: &[Arc<StreamFile>],
    streams: &[Stream],
    clocks: &Clocks,
) -> Result<Clock, Error> {
    let (first, node) = match streams.first() {
        Some(stream) => (&stream.file, clocks.node_of(stream.thread())),
        None => (&files[0], 0),
    };
    for stream in streams {
        let same_clock =
            |other: &&Stream| clocks.node_of(other.thread()) == clocks.node_of(stream.thread());
        let Some(of_node) = streams.iter().find(same_clock) else {
            continue;
        };
        if stream.file.header.clock != of_node.file.header.clock {
            let problem = Problem::new(
                11,
                format!("clock {:?}", stream.file.header.clock),
                format!(
                    "{:?}, as in {}",
                    of_node.file.header.clock,
                    of_node.path().display()
                ),
            );
            return Err(stream.file.corrupt(0, problem));
        }
    }
    let origin = match clocks.are_one() {
        true => files.iter().map(|file| file.header.start.ticks).min(),
        false => streams
            .iter()
            .map(|stream| clocks.to_reference(stream.thread(), stream.file.header.start.ticks))
            .min(),
    };
    let starts = files
        .iter()
        .filter(|file| clocks.node_of(file.header.thread) == node)
        .map(|file| file.header.start);
    let written = streams
        .iter()
        .filter(|stream| clocks.node_of(stream.thread()) == node)
        .flat_map(Stream::calibration_pairs);
    Ok(Clock::calibrate(
        first.header.clock,
        origin.unwrap_or(0),
        starts.chain(written),
    ))
}
