//! Size of an experiment's trace, and its events for a comparison with other formats: for
//! `scripts/bench recorder`.
//!
//!     trace_sizes counts DIR     events, bytes in files, nanoseconds that threads waited for the
//! recorder     trace_sizes records DIR    the events for bench/recorder/convert.c, which writes
//! them with OTF2

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufWriter, Write};
use std::path::Path;

use pgas_trace::model::{Attributes, EventKind, Operation, Site};
use pgas_trace::{Experiment, Stream};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["counts", directory] => counts(&Experiment::open(Path::new(directory))?),
        ["records", directory] => records(&Experiment::open(Path::new(directory))?),
        _ => Err("usage: trace_sizes counts DIR | trace_sizes records DIR".into()),
    }
}

/// Kind of record that an event becomes in other formats.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Record {
    Enter = 0,
    Exit = 1,
    Get = 2,
    Put = 3,
    TakeLock = 4,
    ReleaseLock = 5,
    /// Exit of a barrier.
    Barrier = 6,
    /// Exit of another collective operation.
    Collective = 7,
    /// The events of another thread follow.
    Thread = 8,
}

fn counts(experiment: &Experiment) -> Result<(), Box<dyn Error>> {
    let mut events = 0_u64;
    let (mut native, mut waited, mut stall_begin) = (0, 0, 0);
    for stream in experiment.streams() {
        native += std::fs::metadata(stream.path())?.len();
        for_each_record(stream, |record, site, (time, _)| {
            if site.operation == Operation::MeasurementStall {
                match record {
                    Record::Enter => stall_begin = time,
                    _ => waited += time - stall_begin,
                }
            }
            events += 1;
        })?;
    }
    let waited = 1e9 * waited as f64 * experiment.clock().seconds_per_tick();
    println!("{events}\t{native}\t{waited:.0}");
    Ok(())
}

/// A record is its kind (8 bytes), the region or thread (8), the time (8), and two values.
fn records(experiment: &Experiment) -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
    let mut numbers: HashMap<&Site, u64> = HashMap::new();
    let streams = experiment.streams();
    for site in streams.iter().flat_map(Stream::sites) {
        let next = numbers.len() as u64;
        numbers.entry(site).or_insert(next);
    }
    let mut write = |fields: [u64; 5]| -> std::io::Result<()> {
        fields
            .iter()
            .try_for_each(|field| out.write_all(&field.to_le_bytes()))
    };
    let first = streams.iter().filter_map(Stream::time_range).map(|r| r.0);
    let last = streams.iter().filter_map(Stream::time_range).map(|r| r.1);
    let (first, last) = (first.min().unwrap_or(0), last.max().unwrap_or(0));
    write([
        streams.len() as u64,
        numbers.len() as u64,
        first,
        last,
        (1.0 / experiment.clock().seconds_per_tick()) as u64,
    ])?;
    for (location, stream) in streams.iter().enumerate() {
        write([Record::Thread as u64, location as u64, 0, 0, 0])?;
        let mut failed = Ok(());
        for_each_record(stream, |record, site, (time, attributes)| {
            let (first, second) = match attributes {
                Attributes::Transfer { partner, bytes, .. } => (u64::from(partner), bytes),
                Attributes::Copy { source, bytes, .. } => (u64::from(source), bytes),
                Attributes::Lock { lock } => (lock, 0),
                Attributes::Collective { sent, received, .. } => (sent, received),
                _ => (0, 0),
            };
            if failed.is_ok() {
                failed = write([record as u64, numbers[site], time, first, second]);
            }
        })?;
        failed?;
    }
    out.flush()?;
    Ok(())
}

/// Calls with each event of the stream; with the lock that was taken at the Exit of its operation.
fn for_each_record<'a>(
    stream: &'a Stream,
    mut call: impl FnMut(Record, &'a Site, (u64, Attributes)),
) -> Result<(), Box<dyn Error>> {
    let mut locks = Vec::new();
    for event in stream.events() {
        let event = event?;
        match event.kind {
            EventKind::Enter { site, attributes } => {
                let record = match attributes {
                    Attributes::Copy { .. } => Record::Get,
                    Attributes::Transfer { .. } => transfer(stream.site(site).operation),
                    _ => Record::Enter,
                };
                locks.push(attributes);
                call(record, stream.site(site), (event.time, attributes));
            }
            EventKind::Exit { site, attributes } => {
                let entered = locks.pop().unwrap_or_default();
                let (record, attributes) = match stream.site(site).operation {
                    Operation::Lock => (Record::TakeLock, entered),
                    Operation::LockAttempt => match attributes {
                        Attributes::LockAttempt { acquired: true } => (Record::TakeLock, entered),
                        _ => (Record::Exit, attributes),
                    },
                    Operation::Unlock => (Record::ReleaseLock, entered),
                    Operation::Wait | Operation::Barrier => (Record::Barrier, attributes),
                    _ if matches!(attributes, Attributes::Collective { .. }) => {
                        (Record::Collective, attributes)
                    }
                    _ => (Record::Exit, attributes),
                };
                call(record, stream.site(site), (event.time, attributes));
            }
        }
    }
    Ok(())
}

fn transfer(operation: Operation) -> Record {
    match operation {
        Operation::Put | Operation::Memput | Operation::Memset | Operation::NonBlockingPut => {
            Record::Put
        }
        _ => Record::Get,
    }
}
