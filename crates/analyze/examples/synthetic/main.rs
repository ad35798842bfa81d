//! Synthetic experiments of any size whose waiting is known, to measure how fast the analysis is
//! and that its figures are right. `scripts/bench analyze` uses it.
//!
//! ```text
//! synthetic write DIR THREADS EVENTS CALLS   makes the experiment and stores the expected values
//!                                            with it; threads synchronise after CALLS calls of a
//!                                            small function, at 4 events each
//! synthetic analyze DIR [CORES]              analyses it, compares, and prints the figures
//! synthetic decode DIR [CORES]               only reads all events
//! synthetic join DIR                         puts the streams of all threads into one file, as
//!                                            they come from one node
//! ```

mod check;
mod generator;
#[path = "../../../trace/tests/support/numbers.rs"]
mod numbers;
mod program;

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use pgas_analyze::analyze;
use pgas_trace::Experiment;
use pgas_trace::reader::BlockMemory;
use pgas_trace::{names, node_file};
use rayon::prelude::*;

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["write", directory, threads, events, calls] => generator::write(
            Path::new(directory),
            threads.parse()?,
            events.parse()?,
            calls.parse()?,
        ),
        ["analyze", directory] => on_cores("0", || analyse(Path::new(directory))),
        ["analyze", directory, cores] => on_cores(cores, || analyse(Path::new(directory))),
        ["decode", directory] => on_cores("0", || decode(Path::new(directory))),
        ["decode", directory, cores] => on_cores(cores, || decode(Path::new(directory))),
        ["join", directory] => join(Path::new(directory)),
        _ => Err(
            "usage: synthetic write DIR THREADS EVENTS CALLS | analyze DIR [CORES] | decode DIR \
             [CORES] | join DIR"
                .into(),
        ),
    }
}

/// Instead of the files of threads, one with the same streams.
fn join(directory: &Path) -> Result<(), Failure> {
    let streams = directory.join(pgas_trace::names::STREAMS);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(&streams)? {
        paths.push(entry?.path());
    }
    let mut bytes = Vec::new();
    for path in &paths {
        bytes.push(std::fs::read(path)?);
    }
    let slices: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
    let path = streams.join(names::of_node("synthetic", "one"));
    let mut out = BufWriter::new(File::create_new(path)?);
    node_file::write(&mut out, &slices)?;
    out.flush()?;
    for path in &paths {
        std::fs::remove_file(path)?;
    }
    Ok(())
}

/// Runs `work` on that number of cores; 0 stands for all.
fn on_cores(cores: &str, work: impl FnOnce() -> Result<(), Failure> + Send) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cores.parse()?);
    pool.build()?.install(work)
}

fn analyse(directory: &Path) -> Result<(), Failure> {
    let begin = Instant::now();
    let experiment = Experiment::open(directory)?;
    let analysis = analyze(&experiment, &|_| {})?;
    print("analysed", &experiment, begin)?;
    let (different, compared) = check::differences(directory, &analysis)?;
    match different.first() {
        None => {
            println!("right\t{compared}");
            Ok(())
        }
        Some(first) => Err(format!(
            "{} of {compared} figures are wrong; the first: {first}",
            different.len()
        )
        .into()),
    }
}

fn decode(directory: &Path) -> Result<(), Failure> {
    let begin = Instant::now();
    let experiment = Experiment::open(directory)?;
    let memory = BlockMemory::new(16 << 20, 2);
    let latest: Result<Vec<u64>, pgas_trace::Error> = experiment
        .streams()
        .par_iter()
        .map(|stream| {
            let mut reading = experiment.corrected_events(stream).sharing(&memory);
            let mut events = Vec::with_capacity(128);
            let mut latest = 0;
            loop {
                events.clear();
                reading.fill(&mut events, 128)?;
                match events.last() {
                    Some(event) => latest = event.time,
                    None => return Ok(latest),
                }
            }
        })
        .collect();
    print("decoded", &experiment, begin)?;
    println!("end\t{}", latest?.into_iter().max().unwrap_or(0));
    Ok(())
}

/// Events, seconds, million events a second, and the largest amount of memory in MiB, separated by
/// tabs.
fn print(what: &str, experiment: &Experiment, begin: Instant) -> Result<(), Failure> {
    let seconds = begin.elapsed().as_secs_f64();
    let events = experiment.event_count();
    println!(
        "{what}\t{events}\t{seconds:.4}\t{:.2}\t{}",
        events as f64 / seconds / 1e6,
        peak_memory_kib()? / 1024
    );
    Ok(())
}

/// The largest amount of memory that this process has had, as Linux counts it.
fn peak_memory_kib() -> Result<u64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.ok_or("no VmHWM")?.parse()?)
}
