//! A synthetic experiment of any size whose waiting is known, to measure how fast the analysis is.
//!
//!     cargo run --release -p pgas-analyze --example synthetic -- write DIR THREADS EVENTS
//!     cargo run --release -p pgas-analyze --example synthetic -- analyze DIR
//!
//! Every thread repeats: a function with eight reads of shared data, a critical section under a lock, a barrier. The
//! lateness of each thread in each round follows from their numbers, so that the waiting at barriers is known.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use pgas_analyze::analyze;
use pgas_earl::build::operation_site;
use pgas_trace::model::{Attributes, Operation, Site};
use pgas_trace::{Experiment, ExperimentBuilder};

const GETS: u64 = 8;
/// Enter and Exit of the function, its reads, lock, unlock and barrier.
const EVENTS_PER_ROUND: u64 = 2 * (1 + GETS + 3);
/// Nanoseconds from one barrier to the next.
const ROUND: u64 = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["write", directory, threads, events] => {
            write(Path::new(directory), threads.parse()?, events.parse()?)
        }
        ["analyze", directory] => measure(Path::new(directory)),
        _ => Err("usage: synthetic write DIR THREADS EVENTS | synthetic analyze DIR".into()),
    }
}

/// How much later than the round's begin the thread comes to its barrier, in nanoseconds.
fn lateness(thread: u64, round: u64) -> u64 {
    (thread * 131 + round * 17) % 1000
}

fn rounds(threads: u64, events: u64) -> u64 {
    (events / threads / EVENTS_PER_ROUND).max(1)
}

fn write(directory: &Path, threads: u32, events: u64) -> Result<(), Box<dyn Error>> {
    let rounds = rounds(u64::from(threads), events);
    let mut builder = ExperimentBuilder::new("synthetic", threads);
    let function = |name: &str, line| Site {
        operation: Operation::Function,
        file: "synthetic.upc".into(),
        line,
        name: name.into(),
    };
    let (main, work) = (function("main", 1), function("work", 10));
    let operation = |operation, line| operation_site(operation, "synthetic.upc", line);
    let gets: Vec<Site> = (0..GETS)
        .map(|n| operation(Operation::Get, 12 + n as u32 / 4))
        .collect();
    let (lock, unlock) = (
        operation(Operation::Lock, 20),
        operation(Operation::Unlock, 22),
    );
    let barrier = operation(Operation::Barrier, 24);
    let none = Attributes::None;
    for thread in 0..threads {
        let stream = builder.thread(thread);
        // A lock for each thread, so that its hand-overs are known to be free.
        let own = Attributes::Lock {
            lock: u64::from(thread),
        };
        stream.enter(0, &main, none);
        for round in 0..rounds {
            let mut now = round * ROUND + 100;
            stream.enter(now, &work, none);
            for get in &gets {
                let partner = (thread + 1) % threads;
                stream.enter(now + 20, get, Attributes::Transfer { partner, bytes: 8 });
                stream.exit(now + 60, none);
                now += 60;
            }
            stream.exit(now + 10, none);
            stream.enter(now + 20, &lock, own);
            stream.exit(now + 40, none);
            stream.enter(now + 100, &unlock, own);
            stream.exit(now + 110, none);
            now += 200 + lateness(u64::from(thread), round);
            stream.enter(now, &barrier, none);
            stream.exit((round + 1) * ROUND, none);
        }
        stream.exit(rounds * ROUND + 50, none);
    }
    builder.write(directory)?;
    Ok(())
}

fn measure(directory: &Path) -> Result<(), Box<dyn Error>> {
    let begin = Instant::now();
    let experiment = Experiment::open(directory)?;
    let analysis = analyze(&experiment, &|_| {})?;
    let seconds = begin.elapsed().as_secs_f64();
    let events = experiment.event_count();
    let threads = u64::from(experiment.metadata().threads);
    let mut truth = 0;
    for round in 0..rounds(threads, events) {
        let last = (0..threads).map(|t| lateness(t, round)).max().unwrap_or(0);
        truth += (0..threads).map(|t| last - lateness(t, round)).sum::<u64>();
    }
    let metric = analysis
        .cube
        .metric("wait_at_barrier")
        .ok_or("no wait_at_barrier")?;
    println!(
        "{events} events, {threads} threads: {seconds:.3} s, {:.2} million events/s, peak memory {} MiB; \
         waiting {:.9} s, truth {:.9} s",
        events as f64 / seconds / 1e6,
        peak_memory_kib()? / 1024,
        analysis.cube.total(metric),
        truth as f64 * 1e-9
    );
    Ok(())
}

/// The largest amount of memory that this process has had, as Linux counts it.
fn peak_memory_kib() -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line
        .and_then(|line| line.split_whitespace().next())
        .ok_or("no VmHWM")?;
    Ok(number.parse()?)
}
