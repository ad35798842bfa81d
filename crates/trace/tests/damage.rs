//! Files that were cut short are read as far as they go; files that were damaged give an error with
//! their name and an offset; nothing makes the reader panic, take unbounded memory, or pass a wrong
//! value.

mod support;

use std::path::{Path, PathBuf};

use pgas_trace::builder::{Sums, ThreadBuilder};
use pgas_trace::format::definitions;
use pgas_trace::format::header::{BLOCK_HEADER, BlockKind, FILE_HEADER};
use pgas_trace::model::{
    Attributes, CallSums, ClockComparison, Operation, Profile, ProfileScope, Site, StackSamples,
    SyncMode,
};
use pgas_trace::writer::{BlockDescription, BlockSealer, CompressionLevel, StreamOptions};
use pgas_trace::{CalibrationPair, Error, Experiment, ExperimentBuilder};
use support::mutation::mutate;
use support::numbers::Numbers;
use support::stack_samples::stack_samples;
use support::{Step, read_steps};

/// A small experiment of one thread with several blocks, and the path of its stream.
fn small(parent: &Path, compression: CompressionLevel) -> (PathBuf, PathBuf) {
    let options = StreamOptions {
        block_size: 120,
        compression,
    };
    let mut builder = ExperimentBuilder::with_options("small", 1, options);
    let thread = builder.thread(0);
    let main = Site::function("main", "a.upc", 1);
    thread.enter(100, &main, Attributes::None);
    for round in 0..30_u64 {
        let barrier = Site::operation(Operation::Barrier, "a.upc", 10 + round as u32 % 7);
        let reduce = Site::operation(Operation::Reduce, "a.upc", 20);
        let get = Site::operation(Operation::Memget, "a.upc", 21);
        let time = 1000 * (round + 1);
        thread
            .enter(
                time,
                &barrier,
                Attributes::Barrier {
                    value: Some(round as i32),
                },
            )
            .exit(time + 10 * round, Attributes::None)
            .enter(time + 400, &get, Attributes::transfer(0, round % 3))
            .exit(time + 450, Attributes::None)
            .enter(time + 500, &reduce, Attributes::None)
            .exit(
                time + 600,
                Attributes::Collective {
                    root: Some(0),
                    sent: round,
                    received: 1 << round,
                    sync_in: SyncMode::Mine,
                    sync_out: SyncMode::All,
                },
            );
        if round % 10 == 4 {
            let mut to_get = Sums::new(Some(0), &get, round, 70 * round);
            to_get.partner = Some(0);
            to_get.counters = vec![round << 40];
            let mut in_main = Sums::new(None, &main, 0, 0);
            in_main.counters = vec![0];
            let span = (time, time + 600);
            thread
                .sums_with_counters(ProfileScope::Within, span, &["cycles"], &[in_main, to_get])
                .compare_clocks(&[ClockComparison {
                    reference: 0,
                    ticks: time,
                    reference_ticks: time + round,
                    round_trip: 300,
                    exchanges: 100,
                }]);
            thread.stack_samples(&stack_samples(time, 120, 5), &[main.clone(), get.clone()]);
        }
    }
    thread.exit(40_000, Attributes::None);
    let directory = parent.join("experiment");
    builder.write(&directory).unwrap();
    let stream = directory.join("streams/thread-0000.pgt");
    (directory, stream)
}

/// In memory where the system has that: tens of thousands of files are written here.
fn temporary() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// Contents of thread 0's stream.
#[derive(Debug, PartialEq)]
struct Reading {
    steps: Vec<Step>,
    sums: Vec<Profile>,
    stack_samples: Vec<StackSamples>,
    comparisons: Vec<ClockComparison>,
}

impl Reading {
    /// Whether `other` says the beginning of the same.
    fn begins_with(&self, other: &Reading) -> bool {
        self.steps.starts_with(&other.steps)
            && self.sums.starts_with(&other.sums)
            && self.stack_samples.starts_with(&other.stack_samples)
            && self.comparisons.starts_with(&other.comparisons)
    }
}

fn read(directory: &Path) -> Result<Reading, Error> {
    let experiment = Experiment::open(directory)?;
    let stream = &experiment.streams()[0];
    Ok(Reading {
        steps: read_steps(directory)?.remove(0),
        sums: stream.profiles().collect::<Result<_, _>>()?,
        stack_samples: stream.stack_samples().collect::<Result<_, _>>()?,
        comparisons: stream.clock_comparisons().to_vec(),
    })
}

/// The error names the file, and, where it is about contents, an offset in it.
fn expect_located(error: &Error, stream: &Path, length: u64) {
    let message = error.to_string();
    match error {
        Error::NoStreams { .. } => {}
        Error::Corrupt { path, offset, .. } => {
            assert_eq!(path, stream, "{message}");
            assert!(*offset <= length, "{message}");
        }
        Error::Foreign { path, .. } | Error::Version { path, .. } => {
            assert_eq!(path, stream, "{message}")
        }
        other => panic!("unexpected: {other}"),
    }
}

#[test]
fn cut_at_every_offset() {
    for compression in [CompressionLevel::None, CompressionLevel::Zstd(1)] {
        let parent = temporary();
        let (directory, stream) = small(parent.path(), compression);
        let whole = std::fs::read(&stream).unwrap();
        let all = read(&directory).unwrap();
        assert_eq!((all.sums.len(), all.comparisons.len()), (3, 3));
        let blocks = Experiment::open(&directory).unwrap().streams()[0]
            .blocks()
            .to_vec();
        assert!(blocks.len() > 4);
        for length in 0..whole.len() {
            std::fs::write(&stream, &whole[..length]).unwrap();
            if length < 64 {
                let error = read(&directory).unwrap_err();
                assert!(
                    matches!(error, Error::NoStreams { .. }),
                    "{length}: {error}"
                );
                continue;
            }
            let expected: usize = blocks
                .iter()
                .take_while(|block| block.offset + block.stored_bytes() <= length as u64)
                .map(|block| block.events as usize)
                .sum();
            let read = read(&directory).unwrap();
            assert_eq!(read.steps, all.steps[..expected], "{length}");
            assert!(all.begins_with(&read), "{length}: {read:?}");
            let experiment = Experiment::open(&directory).unwrap();
            let stream = &experiment.streams()[0];
            assert!(!stream.complete());
            let remarks = stream.remarks();
            assert_eq!(remarks.len(), 1, "{remarks:?}");
            assert!(
                remarks[0].contains("thread-0000.pgt") && remarks[0].contains("offset"),
                "{remarks:?}"
            );
        }
    }
}

#[test]
fn zeros_at_the_end_are_a_cut() {
    let parent = temporary();
    let (directory, stream) = small(parent.path(), CompressionLevel::Zstd(1));
    let whole = std::fs::read(&stream).unwrap();
    let block = Experiment::open(&directory).unwrap().streams()[0].blocks()[2];
    let mut bytes = whole[..block.offset as usize].to_vec();
    bytes.resize(whole.len(), 0);
    std::fs::write(&stream, &bytes).unwrap();
    let experiment = Experiment::open(&directory).unwrap();
    assert_eq!(experiment.streams()[0].blocks().len(), 2);
    assert!(!experiment.streams()[0].complete());
}

/// Every single byte, changed in a few ways: whatever is read is right, or there is an error. The
/// few bytes that no checksum covers (reserved ones do not exist outside of one) are not in a file.
#[test]
fn every_byte_changed() {
    for compression in [CompressionLevel::None, CompressionLevel::Zstd(1)] {
        let parent = temporary();
        let (directory, stream) = small(parent.path(), compression);
        let whole = std::fs::read(&stream).unwrap();
        let all = read(&directory).unwrap();
        let mut refused = 0;
        for offset in 0..whole.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[offset] ^= change;
                std::fs::write(&stream, &bytes).unwrap();
                match read(&directory) {
                    Ok(read) => assert_eq!(read, all, "byte {offset} ^ {change}"),
                    Err(error) => {
                        expect_located(&error, &stream, whole.len() as u64);
                        refused += 1;
                    }
                }
            }
        }
        // Only the trailer can be damaged without loss: the file is then read without its index.
        assert!(
            refused > 3 * whole.len() - 100,
            "{refused} of {}",
            3 * whole.len()
        );
    }
}

/// Compressed, a few bytes can claim a hundred megabytes of things that take a multiple of that in
/// memory. They are refused by what their headers claim.
#[test]
fn few_bytes_cannot_claim_much() {
    let ones = |length: usize, entry: usize| (vec![1; length], length / entry);
    let mut long_values = Vec::new();
    for _ in 0..640 {
        definitions::push_property(&mut long_values, "", &"x".repeat(1 << 16));
    }
    for (kind, (payload, entries), blocks, expected) in [
        (BlockKind::Properties, ones(60 << 20, 2), 1, "properties"),
        (
            BlockKind::ClockComparisons,
            ones(60 << 20, 5),
            1,
            "comparisons",
        ),
        (BlockKind::Definitions, ones(60 << 20, 4), 1, "sites"),
        // Each of them is allowed.
        (
            BlockKind::Properties,
            (long_values, 640),
            2,
            "more definitions and properties",
        ),
    ] {
        let parent = temporary();
        let (directory, path) = small(parent.path(), CompressionLevel::None);
        let mut bytes = std::fs::read(&path).unwrap()[..FILE_HEADER].to_vec();
        let mut sealer = BlockSealer::new(CompressionLevel::Zstd(1)).unwrap();
        for sequence in 0..blocks {
            let description = BlockDescription {
                kind,
                thread: 0,
                sequence,
                first_time: 0,
                last_time: 0,
                entries: entries as u32,
                sites: 0,
                written: CalibrationPair::default(),
                lost_events: 0,
            };
            sealer.seal(&mut bytes, &description, &payload).unwrap();
        }
        assert!(bytes.len() < 10_000, "{}", bytes.len());
        std::fs::write(&path, &bytes).unwrap();
        let error = read(&directory).unwrap_err();
        expect_located(&error, &path, bytes.len() as u64);
        let message = error.to_string();
        assert!(
            message.contains(expected) && message.contains("at most"),
            "{message}"
        );
    }
}

/// Several changes at a time: bytes, parts copied elsewhere, parts removed or inserted. Checksums
/// are made right again in half of the cases, so that what lies behind them is reached.
#[test]
fn mutations() {
    let mut numbers = Numbers(1);
    let parent = temporary();
    let (directory, stream) = small(parent.path(), CompressionLevel::None);
    let whole = std::fs::read(&stream).unwrap();
    let all = read(&directory).unwrap();
    let last = *Experiment::open(&directory).unwrap().streams()[0]
        .blocks()
        .last()
        .unwrap();
    let index = (last.offset + last.stored_bytes()) as usize;
    let mut read_wrong = 0;
    for case in 0..20_000 {
        let mut bytes = whole.clone();
        for _ in 0..=numbers.below(4) {
            mutate(&mut bytes, 0, 12, &mut numbers);
        }
        let resealed = case % 2 == 0;
        if resealed {
            // Without the index, which has copies of the headers.
            bytes.truncate(index);
            mutate(&mut bytes, 0, 12, &mut numbers);
            reseal(&mut bytes);
        }
        std::fs::write(&stream, &bytes).unwrap();
        match read(&directory) {
            Err(error) => expect_located(&error, &stream, bytes.len() as u64),
            Ok(read) if all.begins_with(&read) => {}
            Ok(read) => {
                assert!(
                    resealed,
                    "a wrong value passed a checksum in case {case}: {read:?}"
                );
                read_wrong += 1;
            }
        }
    }
    // Otherwise the checks behind the checksums would not have been reached.
    assert!(read_wrong > 100, "{read_wrong}");
}

/// Makes the checksums of all headers and payloads right, as far as headers still lie where their
/// lengths say.
fn reseal(bytes: &mut [u8]) {
    use pgas_trace::format::checksum;
    use pgas_trace::format::header::{BLOCK_HEADER, FILE_HEADER};
    if bytes.len() < FILE_HEADER {
        return;
    }
    let sum = checksum(&bytes[..56]);
    bytes[56..64].copy_from_slice(&sum.to_le_bytes());
    let mut at = FILE_HEADER;
    while at + BLOCK_HEADER <= bytes.len() {
        let stored = u32::from_le_bytes(bytes[at + 40..at + 44].try_into().unwrap()) as usize;
        let end = at + BLOCK_HEADER + stored;
        if end > bytes.len() {
            return;
        }
        let sum = checksum(&bytes[at + BLOCK_HEADER..end]);
        bytes[at + 64..at + 72].copy_from_slice(&sum.to_le_bytes());
        let sum = checksum(&bytes[at..at + 76]) as u32;
        bytes[at + 76..at + 80].copy_from_slice(&sum.to_le_bytes());
        at = end;
    }
}

#[test]
fn foreign_files_are_distinguished() {
    let parent = temporary();
    let (directory, stream) = small(parent.path(), CompressionLevel::None);
    let whole = std::fs::read(&stream).unwrap();

    std::fs::write(
        &stream,
        "EPILOG..................................................................",
    )
    .unwrap();
    let error = Experiment::open(&directory).unwrap_err();
    assert!(matches!(error, Error::Foreign { .. }), "{error}");
    assert!(
        error.to_string().contains("thread-0000.pgt: offset 0"),
        "{error}"
    );

    let mut newer = whole.clone();
    let next = pgas_trace::format::VERSION + 1;
    newer[8] = next as u8;
    std::fs::write(&stream, &newer).unwrap();
    let error = Experiment::open(&directory).unwrap_err();
    assert!(
        matches!(error, Error::Version { found, .. } if found == next),
        "{error}"
    );

    let mut older = whole.clone();
    older[8] = 1;
    reseal(&mut older);
    std::fs::write(&stream, &older).unwrap();
    let error = Experiment::open(&directory).unwrap_err();
    let expected = "a block of kind 5 in a file of version 1";
    assert!(error.to_string().contains(expected), "{error}");

    std::fs::write(&stream, &whole).unwrap();
    std::fs::write(stream.with_file_name("again.pgt"), &whole).unwrap();
    let error = Experiment::open(&directory).unwrap_err();
    assert!(
        matches!(error, Error::DuplicateThread { thread: 0, .. }),
        "{error}"
    );

    std::fs::remove_dir_all(directory.join("streams")).unwrap();
    let error = Experiment::open(&directory).unwrap_err();
    assert!(matches!(error, Error::NoStreams { .. }), "{error}");
}

#[test]
fn threads_that_recorded_nothing_are_named() {
    let parent = temporary();
    let (directory, stream) = small(parent.path(), CompressionLevel::None);
    let mut metadata = pgas_trace::Metadata::load(&directory).unwrap();
    metadata.threads = 3;
    metadata.save(&directory).unwrap();
    let remarks = || Experiment::open(&directory).unwrap().all_remarks();
    // Streams have checksums, the description has none.
    assert_eq!(
        remarks(),
        [
            "experiment.json says that the program had 3 threads, its streams say 1: it is taken \
             to have had 1"
        ]
    );
    let mut bytes = std::fs::read(&stream).unwrap();
    bytes[16] = 3;
    reseal(&mut bytes);
    std::fs::write(&stream, bytes).unwrap();
    assert_eq!(remarks(), ["2 of 3 threads recorded nothing: 1, 2"]);
}

/// One header against the description and all others.
#[test]
fn a_header_with_another_number_of_threads_is_refused() {
    let parent = temporary();
    let directory = parent.path().join("experiment");
    let mut builder = ExperimentBuilder::new("two", 2);
    for thread in 0..2 {
        let main = Site::function("main", "a.upc", 1);
        let thread = builder.thread(thread);
        thread
            .enter(1, &main, Attributes::None)
            .exit(9, Attributes::None);
    }
    builder.write(&directory).unwrap();
    let streams = directory.join("streams");
    for (files, expected) in [
        (
            &["thread-0001.pgt"][..],
            "expected 2 threads, as experiment.json and other files say",
        ),
        (
            &["thread-0000.pgt", "thread-0001.pgt"][..],
            "expected 2 threads, as experiment.json says and as many as have streams",
        ),
    ] {
        for file in files {
            let path = streams.join(file);
            let mut bytes = std::fs::read(&path).unwrap();
            bytes[16..20].copy_from_slice(&4096_u32.to_le_bytes());
            reseal(&mut bytes);
            std::fs::write(&path, bytes).unwrap();
        }
        let error = Experiment::open(&directory).unwrap_err();
        expect_located(&error, &streams.join(files[0]), 20);
        let message = error.to_string();
        assert!(message.contains("found 4096 threads"), "{message}");
        assert!(message.contains(expected), "{message}");
    }
}

/// A time that no call can have taken, with a right checksum.
#[test]
fn sums_of_more_time_than_there_was_are_refused() {
    for (ticks, is_possible) in [(1900, true), (1901, false), (u64::MAX, false)] {
        let read = sums_of(&[ticks], |_| {});
        assert_eq!(read.is_ok(), is_possible, "{ticks}: {read:?}");
        if let Err(error) = read {
            let message = error.to_string();
            assert!(message.contains("expected at most 1900"), "{message}");
        }
    }
}

/// A header of a block whose span never ends, with a right checksum.
#[test]
fn sums_of_times_after_they_were_written_are_refused() {
    let parent = temporary();
    let directory = parent.path().join("experiment");
    write_sums(&directory, &[1], |_| {});
    let path = directory.join("streams/thread-0000.pgt");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = block_of(&bytes, BlockKind::Profile);
    bytes[at + 24..at + 32].copy_from_slice(&u64::MAX.to_le_bytes());
    reseal(&mut bytes);
    let length = bytes.len() as u64;
    // Without the index, which has the headers, too.
    let index = block_of(&bytes, BlockKind::Footer);
    std::fs::write(&path, &bytes[..index]).unwrap();
    let experiment = Experiment::open(&directory).unwrap();
    let error = experiment.streams()[0]
        .profiles()
        .next()
        .unwrap()
        .unwrap_err();
    expect_located(&error, &path, length);
    let message = error.to_string();
    assert!(message.contains("sums up to time 18446744073709551615"));
    assert!(message.contains("no later time than 2000"), "{message}");
}

/// Of a thread that was killed, nothing says when its last throttled call ended.
#[test]
fn sums_of_killed_threads_are_read() {
    let collected = |thread: &mut ThreadBuilder| {
        thread.property("collected", "1");
    };
    assert_eq!(sums_of(&[1_000_000], collected).unwrap().len(), 1);
}

/// Calls that have no path of their own lie within each other, and their times add up to more than
/// there was.
#[test]
fn sums_of_deep_recursions_are_read() {
    let deepest = 10_000;
    let mut ticks = vec![1; deepest];
    ticks[deepest - 1] = 1_000_000;
    assert_eq!(sums_of(&ticks, |_| {}).unwrap().len(), deepest);
    ticks.swap(deepest - 2, deepest - 1);
    let error = sums_of(&ticks, |_| {}).unwrap_err().to_string();
    assert!(error.contains("expected at most 1900"), "{error}");
}

/// The sums of a thread from 100 to 2000 in calls that call each other, of as many ticks.
fn sums_of(ticks: &[u64], more: impl FnOnce(&mut ThreadBuilder)) -> Result<Vec<CallSums>, Error> {
    let parent = temporary();
    let directory = parent.path().join("experiment");
    write_sums(&directory, ticks, more);
    let experiment = Experiment::open(&directory).unwrap();
    let read = experiment.streams()[0].profiles().next().unwrap();
    read.map(|profile| profile.entries)
}

fn write_sums(directory: &Path, ticks: &[u64], more: impl FnOnce(&mut ThreadBuilder)) {
    let main = Site::function("main", "a.upc", 1);
    let path = ticks.iter().enumerate().map(|(index, &ticks)| {
        let caller = index.checked_sub(1).map(|index| index as u32);
        let mut sums = Sums::new(caller, &main, 1, 0);
        (sums.timed_calls, sums.ticks) = (1, ticks);
        sums
    });
    let path: Vec<Sums> = path.collect();
    let mut builder = ExperimentBuilder::new("sums", 1);
    let thread = builder.thread(0);
    thread
        .enter(100, &main, Attributes::None)
        .sums(ProfileScope::Within, (500, 1000), &path)
        .exit(2000, Attributes::None);
    more(thread);
    builder.write(directory).unwrap();
}

/// Where the first block of a kind begins.
fn block_of(bytes: &[u8], kind: BlockKind) -> usize {
    let mut at = FILE_HEADER;
    while bytes[at + 4] != kind.number() {
        let stored = u32::from_le_bytes(bytes[at + 40..at + 44].try_into().unwrap());
        at += BLOCK_HEADER + stored as usize;
    }
    at
}

/// A header may announce much; what is allocated is bounded by it only up to the format's limit,
/// and entries by what is there.
#[test]
fn lengths_are_bounded() {
    use pgas_trace::format::header::BLOCK_HEADER;
    use pgas_trace::format::{MAX_RAW_LENGTH, checksum};
    let parent = temporary();
    let (directory, stream) = small(parent.path(), CompressionLevel::Zstd(1));
    let whole = std::fs::read(&stream).unwrap();
    for (field, value) in [
        (32, u32::MAX),
        (36, u32::MAX),
        (36, MAX_RAW_LENGTH as u32 + 1),
        (36, MAX_RAW_LENGTH as u32),
        (40, u32::MAX),
        (44, u32::MAX),
    ] {
        let mut bytes = whole[..whole.len() - 24].to_vec();
        bytes[64 + field..64 + field + 4].copy_from_slice(&value.to_le_bytes());
        let sum = checksum(&bytes[64..64 + 76]) as u32;
        bytes[64 + 76..64 + BLOCK_HEADER].copy_from_slice(&sum.to_le_bytes());
        std::fs::write(&stream, &bytes).unwrap();
        let error = read(&directory).unwrap_err();
        assert!(
            matches!(error, Error::Corrupt { .. }),
            "field {field} = {value}: {error}"
        );
    }
}
