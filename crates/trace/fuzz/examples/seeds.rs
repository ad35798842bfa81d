//! Writes streams of the current version for the corpus; those of earlier versions stay there:
//!
//!     cargo run --no-default-features --example seeds -- corpus/stream

use std::path::Path;

use pgas_trace::builder::Sums;
use pgas_trace::model::{
    Attributes, ClockComparison, Operation, ProfileScope, Site, SyncMode,
};
use pgas_trace::writer::{CompressionLevel, StreamOptions};
use pgas_trace::{Error, ExperimentBuilder};
use pgas_trace_fuzz::stack_samples::stack_samples;

fn main() {
    let directory = std::env::args().nth(1).expect("usage: seeds DIRECTORY");
    let scratch = tempfile::tempdir().expect("a scratch directory");
    for (name, compression, what) in [
        ("v5-plain", CompressionLevel::None, "all"),
        ("v5-zstd", CompressionLevel::Zstd(1), "all"),
        ("v5-killed", CompressionLevel::None, "killed"),
        ("v5-sums", CompressionLevel::None, "sums"),
        ("v5-limit", CompressionLevel::Zstd(3), "limit"),
    ] {
        let experiment = scratch.path().join(name);
        write(&experiment, compression, what).expect("an experiment");
        let stream = experiment.join("streams/thread-0000.pgt");
        std::fs::copy(stream, Path::new(&directory).join(name)).expect("a copy of the stream");
    }
    // Threads of a node in one file.
    let experiment = scratch.path().join("node");
    let options = StreamOptions {
        block_size: 60,
        compression: CompressionLevel::None,
    };
    let mut builder = ExperimentBuilder::with_options("seed", 4, options);
    for number in [0, 1, 3] {
        let thread = builder.thread(number);
        thread.property("host", "a");
        for round in 0..9_u64 {
            let barrier = Site::operation(Operation::Barrier, "a.upc", number + 1);
            let time = 100 * round + u64::from(number);
            thread
                .enter(time, &barrier, Attributes::Barrier { value: None })
                .exit(time + 10 * round, Attributes::None);
        }
    }
    builder
        .write_in_one_file(&experiment)
        .expect("an experiment in one file");
    let mut files = std::fs::read_dir(experiment.join("streams")).expect("its streams");
    let file = files.next().expect("a file").expect("its name").path();
    std::fs::copy(file, Path::new(&directory).join("node")).expect("a copy of the file");
}

fn write(path: &Path, compression: CompressionLevel, what: &str) -> Result<(), Error> {
    let options = StreamOptions {
        block_size: 100,
        compression,
    };
    let mut builder = ExperimentBuilder::with_options("seed", 4, options);
    let main = Site::function("main", "a.upc", 1);
    let barrier = Site::operation(Operation::Barrier, "a.upc", 10);
    let get = Site::operation(Operation::Memget, "a.upc", 21);
    let put = Site::operation(Operation::Put, "a.upc", 23);
    let copy = Site::operation(Operation::Memcpy, "a.upc", 24);
    let lock = Site::operation(Operation::LockAttempt, "a.upc", 22);
    let reduce = Site::operation(Operation::Reduce, "b.upc", 20);
    let thread = builder.thread(0);
    thread
        .property("event_cost", "12000")
        .property("throttle", "100000,10");
    thread.compare_clocks(&[comparison(1, 1_000), comparison(2, 2_000)]);
    if what != "sums" {
        thread.enter(100, &main, Attributes::None);
        for round in 0..12_u64 {
            let time = 1000 * (round + 1);
            let value = (round % 2 == 0).then_some(round as i32);
            thread
                .enter(time, &barrier, Attributes::Barrier { value })
                .exit(time + 10 * round, Attributes::None);
            let partner = (round % 4) as u32;
            let bytes = 64 << round;
            thread
                .enter(time + 400, &get, Attributes::transfer(partner, bytes))
                .exit(time + 450, Attributes::None);
            // A walk with jumps, and one of which not all is known.
            let address = 0x4000 + 8 * round + round / 5 * 4096;
            let from = [0, 0x100_0000 + 16 * round][(round % 3 > 0) as usize];
            thread
                .enter(time + 451, &put, Attributes::transfer_at(1, 8, address))
                .exit(time + 452, Attributes::None)
                .enter(
                    time + 453,
                    &copy,
                    Attributes::copy_at((1, from), (2, 0x200_0000 - 32 * round), 16),
                )
                .exit(time + 454, Attributes::None);
            thread.enter(time + 460, &lock, Attributes::Lock { lock: 77 });
            thread.exit(
                time + 470,
                Attributes::LockAttempt {
                    acquired: round % 2 == 0,
                },
            );
            let collective = Attributes::Collective {
                root: Some(0),
                sent: round,
                received: 1 << round,
                sync_in: SyncMode::Mine,
                sync_out: SyncMode::All,
            };
            thread
                .enter(time + 500, &reduce, Attributes::None)
                .exit(time + 600, collective);
        }
    }
    let mut entries = vec![
        Sums::new(None, &main, 1, 9_000),
        Sums::new(Some(0), &barrier, 500, 4_000),
    ];
    let mut transfers = Sums::new(Some(0), &get, 1000, 3_000);
    (transfers.partner, transfers.timed_calls, transfers.bytes) = (Some(2), 10, 64_000);
    entries.push(transfers);
    thread.sums(ProfileScope::Within, (100, 13_000), &entries);
    thread.sums(ProfileScope::Beyond, (13_000, 20_000), &entries);
    for entry in &mut entries {
        entry.counters = vec![entry.calls * 100, entry.ticks * 3];
    }
    thread.sums_with_counters(
        ProfileScope::Counters,
        (100, 20_000),
        &["cycles", "instructions"],
        &entries,
    );
    thread.stack_samples(&stack_samples(13_000, 1000, 7), &[main.clone(), get.clone()]);
    thread.compare_clocks(&[comparison(1, 20_000)]);
    match what {
        "killed" => drop(thread.killed()),
        "limit" => drop(thread.reach_limit()),
        "sums" => {}
        _ => drop(thread.exit(20_000, Attributes::None)),
    }
    builder.write(path)
}

fn comparison(reference: u32, ticks: u64) -> ClockComparison {
    ClockComparison {
        reference,
        ticks,
        reference_ticks: ticks + 37,
        round_trip: 900,
        exchanges: 100,
    }
}
