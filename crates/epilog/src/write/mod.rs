//! Writes the trace of an experiment as one EPILOG file.
//!
//! All streams are read twice: once to know every definition and the number of events, which EPILOG
//! puts before them, and once to merge the events by time. Memory goes with threads, regions and
//! call sites, not with events.

mod definitions;
mod loss;
mod merge;
mod translate;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use pgas_files::NewFile;
use pgas_trace::messages::Messages;
use pgas_trace::model::Attributes;
use pgas_trace::model::EventKind;
use pgas_trace::properties::{INTERRUPTED_AFTER, NODE};
use pgas_trace::{Experiment, Stream};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::format::{ByteOrder, RecordWriter};
use crate::names::Names;
use crate::notes::{ExperimentNote, ONE_CLOCK, ThreadNote};
use definitions::{Definitions, Places};
use loss::Losses;
use translate::Translator;

/// Most threads that are written or read.
pub(crate) const MOST_LOCATIONS: u32 = 1 << 16;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// The vocabulary that names the regions of runtime operations.
    pub names: Names,
    /// Byte order of the numbers in the file.
    pub byte_order: ByteOrder,
}

/// Result of writing a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Event records.
    pub events: u64,
    /// Parts of the experiment that are not in the file: sentences for people.
    pub losses: Vec<String>,
}

/// Writes `experiment` into the file `path`, compressed if its name ends in `.gz`. The file appears
/// when it is complete. `progress` receives the share that is done, 0 to 1.
///
/// # Errors
/// [`Error`]: the experiment cannot be read, has more than EPILOG can hold, or the file cannot be written.
pub fn write_file(
    experiment: &Experiment,
    path: &Path,
    options: Options,
    progress: &dyn Fn(f64),
) -> Result<Written, Error> {
    let failed = |error| Error::io(path, "write", error);
    let mut file = NewFile::beside(path).map_err(failed)?;
    let out = file.file();
    let written = if path.extension().is_some_and(|extension| extension == "gz") {
        // Compressing record by record would take several times as long.
        let mut out = buffered(GzEncoder::new(out, Compression::fast()));
        let written = write(experiment, &mut out, path, options, progress)?;
        let encoder = out
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        encoder.finish().map_err(failed)?;
        written
    } else {
        write(experiment, buffered(out), path, options, progress)?
    };
    file.finish().map_err(failed)?;
    Ok(written)
}

fn buffered<W: Write>(out: W) -> BufWriter<W> {
    BufWriter::with_capacity(1 << 18, out)
}

/// Writes `experiment` to `out`, which errors call `name`.
///
/// # Errors
/// As [`write_file`].
pub fn write<W: Write>(
    experiment: &Experiment,
    out: W,
    name: &Path,
    options: Options,
    progress: &dyn Fn(f64),
) -> Result<Written, Error> {
    let failed = |error: io::Error| Error::io(name, "write", error);
    let streams: Vec<&Stream> = experiment.streams().iter().collect();
    let threads = streams
        .iter()
        .map(|stream| stream.thread().saturating_add(1))
        .chain([experiment.metadata().threads])
        .max()
        .unwrap_or(0);
    if threads > MOST_LOCATIONS {
        return Err(Error::Limit {
            path: experiment.directory().to_owned(),
            found: format!("a run of {threads} threads"),
            limit: MOST_LOCATIONS.into(),
            advice: "measure with fewer threads",
        });
    }

    let total = experiment.event_count().max(1) as f64 * 2.0;
    let mut losses = Losses::default();
    let messages = Messages::of(experiment)?;
    let mut definitions = Definitions::new(options.names);
    definitions.channels(messages.channels().len() as u32);
    let survey = survey(
        experiment,
        &messages,
        threads,
        &mut definitions,
        &mut losses,
        &mut |done| {
            progress(done as f64 / total);
        },
    )?;
    let Ok(count) = u32::try_from(survey.records) else {
        return Err(Error::Limit {
            path: experiment.directory().to_owned(),
            found: format!("a trace of {} events", survey.records),
            limit: u32::MAX.into(),
            advice: "record less with `pgastool run --trace-limit` or a filter",
        });
    };
    losses.of_streams(&streams);

    let mut records = RecordWriter::new(out, options.byte_order).map_err(failed)?;
    let places = Places::of(experiment, threads);
    let mut notes = notes(experiment, &survey, &losses);
    notes.extend(crate::notes::channels(messages.channels()));
    definitions
        .write(&mut records, &places, &experiment.words(), &notes)
        .and_then(|()| records.end_of_definitions(count))
        .map_err(failed)?;

    let mut again = Losses::default();
    let locks = &survey.locks;
    let translators = streams
        .iter()
        .map(|stream| {
            Translator::new(
                experiment,
                stream,
                &messages,
                threads,
                &mut definitions,
                Some(locks),
            )
        })
        .collect();
    let merge = merge::Merge {
        experiment,
        translators,
        first_tick: survey.first_tick,
    };
    let done = experiment.event_count();
    let written = merge.write(
        &mut definitions,
        &mut again,
        |event| records.event(event).map_err(failed),
        |events| progress((done + events) as f64 / total),
    )?;
    if written != survey.records || definitions.grew() {
        return Err(Error::Changed {
            path: experiment.directory().to_owned(),
        });
    }
    records.into_inner().flush().map_err(failed)?;
    Ok(Written {
        events: survey.records,
        losses: losses.sentences(),
    })
}

/// Figures of the experiment that are needed before the first event is written.
struct Survey {
    records: u64,
    first_tick: u64,
    /// By stream: events of the native trace, whether regions are open after the last, and the
    /// exits of tasks that are to run on.
    streams: Vec<(u64, bool, Vec<u64>)>,
    /// Numbers of locks in the file.
    locks: FxHashMap<u64, u32>,
}

fn survey(
    experiment: &Experiment,
    messages: &Messages,
    threads: u32,
    definitions: &mut Definitions,
    losses: &mut Losses,
    progress: &mut dyn FnMut(u64),
) -> Result<Survey, Error> {
    let mut survey = Survey {
        records: 0,
        first_tick: u64::MAX,
        streams: Vec::new(),
        locks: FxHashMap::default(),
    };
    let mut records = Vec::new();
    let mut all = 0;
    for stream in experiment.streams() {
        let mut translator =
            Translator::new(experiment, stream, messages, threads, definitions, None);
        let mut events = 0_u64;
        for event in experiment.corrected_events(stream) {
            let event = event?;
            if events == 0 {
                survey.first_tick = survey.first_tick.min(event.time);
            }
            if let EventKind::Enter {
                attributes: Attributes::Lock { lock },
                ..
            } = event.kind
            {
                survey.locks.insert(lock, 0);
            }
            events += 1;
            all += 1;
            if all % (1 << 16) == 0 {
                progress(all);
            }
            translator.event(&event, definitions, losses, &mut records);
            survey.records += records.len() as u64;
            records.clear();
        }
        let cut = translator.depth() > 0;
        translator.end(&mut records);
        survey.records += records.len() as u64;
        records.clear();
        survey.streams.push((events, cut, translator.yields()));
    }
    if survey.first_tick == u64::MAX {
        survey.first_tick = 0;
    }
    number_locks(&mut survey.locks);
    definitions.close();
    Ok(survey)
}

/// Locks keep their numbers if all of them fit; else they are counted in the order of their
/// numbers.
fn number_locks(locks: &mut FxHashMap<u64, u32>) {
    let mut known: Vec<u64> = locks.keys().copied().collect();
    known.sort_unstable();
    let fit = known.last().is_none_or(|&last| last < u64::from(u32::MAX));
    for (number, lock) in known.into_iter().enumerate() {
        let written = if fit { lock } else { number as u64 };
        locks.insert(lock, written as u32);
    }
}

/// Properties of a thread. All times in the file are those of one clock, whichever node a thread
/// ran on.
fn properties(experiment: &Experiment, stream: &Stream) -> Vec<(String, String)> {
    let mut properties = stream.properties().to_vec();
    if !experiment.clocks().are_one() {
        properties.retain(|(key, _)| key != NODE);
        let interrupted = properties.iter_mut();
        for (_, ticks) in interrupted.filter(|(key, _)| key == INTERRUPTED_AFTER) {
            if let Some(own) = stream.interrupted_after() {
                *ticks = experiment
                    .clocks()
                    .to_reference(stream.thread(), own)
                    .to_string();
            }
        }
        properties.push((NODE.to_owned(), ONE_CLOCK.to_owned()));
    }
    properties
}

/// The strings for ourselves.
fn notes(experiment: &Experiment, survey: &Survey, losses: &Losses) -> Vec<String> {
    let clock = experiment.clock();
    let mut metadata = experiment.metadata().clone();
    metadata.remarks.extend(losses.remarks());
    let note = ExperimentNote {
        version: crate::notes::VERSION,
        metadata,
        first_tick: survey.first_tick,
        seconds_per_tick: clock.seconds_per_tick(),
        clock: clock.kind().number(),
    };
    let mut notes = vec![crate::notes::experiment(note)];
    for (stream, (events, cut, yields)) in experiment.streams().iter().zip(&survey.streams) {
        let note = ThreadNote {
            thread: stream.thread(),
            properties: properties(experiment, stream),
            cut_after: (*cut || !stream.complete()).then_some(*events),
            yields: yields.clone(),
        };
        notes.push(crate::notes::thread(note));
    }
    notes
}
