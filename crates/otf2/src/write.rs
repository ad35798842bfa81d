//! Writes the trace of an experiment as an OTF2 archive: the events of one thread after the other,
//! then the definitions.

use std::fs;
use std::io;
use std::path::Path;

use pgas_trace::messages::Messages;
use pgas_trace::models::of_runtime;
use pgas_trace::{Experiment, Stream};

use crate::archive::{Archive, Record};
use crate::definitions::Definitions;
use crate::error::Error;
use crate::translate::{Output, Translator};

/// Most threads that are written: a description that says more is taken to be damaged.
const MOST_THREADS: usize = 1 << 16;

/// Result of writing an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Event records.
    pub events: u64,
    /// Parts of the experiment that are not in the archive: sentences for people.
    pub losses: Vec<String>,
}

/// Writes `experiment` into the new directory `path`, which then holds `traces.otf2` and its files.
/// `progress` receives the share that is done, 0 to 1.
///
/// # Errors
/// [`Error::AlreadyExists`]; [`Error::TooManyThreads`]; [`Error::Trace`] if the experiment cannot
/// be read; [`Error::Library`]; [`Error::Io`]. No directory is left then.
pub fn write(
    experiment: &Experiment,
    path: &Path,
    progress: &dyn Fn(f64),
) -> Result<Written, Error> {
    fs::create_dir(path).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => Error::AlreadyExists {
            path: path.to_owned(),
        },
        _ => Error::Io {
            path: path.to_owned(),
            action: "create",
            source,
        },
    })?;
    let written = write_archive(experiment, path, progress);
    if written.is_err() {
        // Remove the incomplete archive; if that fails, the first failure is still the one to
        // report.
        let _ = fs::remove_dir_all(path);
    }
    written
}

fn write_archive(
    experiment: &Experiment,
    path: &Path,
    progress: &dyn Fn(f64),
) -> Result<Written, Error> {
    let messages = Messages::of(experiment)?;
    let mut archive = Archive::open(path)?;
    let mut definitions = Definitions::default();
    let streams = experiment.streams();
    let metadata = experiment.metadata();
    let recorded = streams.iter().map(|stream| stream.thread() as usize + 1);
    let threads = recorded.max().unwrap_or(0).max(metadata.threads as usize);
    if threads > MOST_THREADS {
        return Err(Error::TooManyThreads {
            path: experiment.directory().to_owned(),
            threads,
            limit: MOST_THREADS,
        });
    }
    let mut by_thread = vec![(metadata.host.as_str(), 0_u64); threads];
    let total = experiment.event_count().max(1) as f64;
    let mut done = 0;
    let (mut first, mut last) = (u64::MAX, 0);
    let mut strangers = 0;
    for (thread, (node, events)) in by_thread.iter_mut().enumerate() {
        archive.begin_location(thread as u32)?;
        let of_thread = streams.binary_search_by_key(&(thread as u32), Stream::thread);
        if let Ok(index) = of_thread {
            let stream = &streams[index];
            if let Some(host) = stream.property("host") {
                *node = host;
            }
            if let Some((begin, end)) = stream.time_range() {
                let at = |ticks| experiment.clocks().to_reference(stream.thread(), ticks);
                (first, last) = (first.min(at(begin)), last.max(at(end)));
            }
            let mut translator =
                Translator::new(stream, threads as u32, &messages, &mut definitions);
            if let Some(ticks) = stream.interrupted_after() {
                let clocks = experiment.clocks();
                translator.interrupt_after(clocks.to_reference(stream.thread(), ticks));
            }
            let of_stream = &mut |events| progress((done + events) as f64 / total);
            let latest = write_stream(
                experiment,
                stream,
                &mut translator,
                &mut archive,
                &mut definitions,
                of_stream,
            )?;
            last = last.max(latest);
            strangers += translator.strangers();
            done += stream.event_count();
        }
        *events = archive.end_location()?;
    }
    let first = first.min(last);
    let events = by_thread.iter().map(|(_, events)| events).sum();
    archive.begin_definitions(
        threads as u32,
        (1.0 / experiment.clock().seconds_per_tick()).round() as u64,
        first,
        last - first,
        metadata.started_unix_ns,
    )?;
    definitions.write(
        &mut archive,
        &metadata.host,
        &by_thread,
        (&experiment.models(), of_runtime(experiment.streams())),
    )?;
    archive.close()?;
    Ok(Written {
        events,
        losses: losses(streams, strangers, &messages),
    })
}

/// Events with times in ticks of the reference clock; returns the last of them.
fn write_stream(
    experiment: &Experiment,
    stream: &Stream,
    translator: &mut Translator,
    archive: &mut Archive,
    definitions: &mut Definitions,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    // Where events are missing: the last time before, the first time after.
    let blocks = stream.blocks();
    let at = |ticks| experiment.clocks().to_reference(stream.thread(), ticks);
    let mut gaps = blocks
        .windows(2)
        .filter(|pair| pair[1].gap)
        .map(|pair| (at(pair[0].last_time), at(pair[1].first_time)))
        .peekable();
    let mut out = Vec::new();
    let (mut taken, mut time) = (0, 0);
    let put = |archive: &mut Archive, time, out: &mut Vec<Output>| {
        out.drain(..).try_for_each(|output| match output {
            Output::Attribute(id, value) => archive.attribute(id, value),
            Output::Record(record) => archive.event(time, &record),
        })
    };
    for event in experiment.corrected_events(stream) {
        let event = event?;
        while let Some((off, on)) = gaps.next_if(|(_, on)| event.time >= *on) {
            archive.event(off.max(time), &Record::OnOff { on: false })?;
            archive.event(on.max(time), &Record::OnOff { on: true })?;
        }
        time = event.time;
        translator.event(&event, definitions, &mut out);
        put(archive, time, &mut out)?;
        taken += 1;
        if taken % (1 << 16) == 0 {
            progress(taken);
        }
    }
    translator.end(&mut out);
    put(archive, time, &mut out)?;
    Ok(time)
}

/// Sentences about data that OTF2 has no events for.
fn losses(streams: &[Stream], strangers: u64, messages: &Messages) -> Vec<String> {
    let mut losses = Vec::new();
    let incomplete = messages.incomplete();
    if incomplete > 0 {
        losses.push(format!(
            "messages without their send or their receive in the trace ({incomplete}) are \
             attributes of operations, not messages"
        ));
    }
    if strangers > 0 {
        losses.push(format!(
            "transfers and roots with threads that the program does not have are left out \
             ({strangers})"
        ));
    }
    let summed = streams.iter().filter(|s| s.profiles().next().is_some());
    match summed.count() {
        0 => {}
        1 => losses.push("sums of calls of 1 thread are not in an OTF2 trace".to_owned()),
        n => losses.push(format!(
            "sums of calls of {n} threads are not in an OTF2 trace"
        )),
    }
    let blocks = streams.iter().flat_map(|s| s.stack_samples().flatten());
    let samples: usize = blocks.map(|block| block.samples.len()).sum();
    if samples > 0 {
        losses.push(format!(
            "samples of computing ({samples}) are not in an OTF2 trace"
        ));
    }
    let comparisons: usize = streams.iter().map(|s| s.clock_comparisons().len()).sum();
    if comparisons > 0 {
        losses.push(format!(
            "comparisons of clocks ({comparisons}) are not written; times are corrected by them"
        ));
    }
    losses
}
