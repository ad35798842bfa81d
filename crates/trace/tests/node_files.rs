//! Files that hold the streams of all threads of a node: they say what files of single threads say,
//! and where writing was cut off, by a kill, a full disk or a crash of the node, everything else is
//! still there.

mod support;

use std::path::{Path, PathBuf};

use pgas_trace::format::extent::{EXTENT_HEADER, EXTENT_TRAILER, ExtentHeader};
use pgas_trace::model::{Attributes, Operation, Site};
use pgas_trace::writer::{CompressionLevel, StreamOptions};
use pgas_trace::{Error, Experiment, ExperimentBuilder};
use support::{Step, check_every_beginning, read_steps};

/// Threads with nested calls and transfers, all with several blocks.
fn build(threads: u32, block_size: usize) -> ExperimentBuilder {
    let options = StreamOptions {
        block_size,
        compression: CompressionLevel::Zstd(1),
    };
    let mut builder = ExperimentBuilder::with_options("node", threads, options);
    let get = Site::operation(Operation::Memget, "a.upc", 21);
    for number in 0..threads {
        let thread = builder.thread(number);
        let mut time = u64::from(number) * 3;
        for round in 0..24_u32 {
            let site = Site::function("f", "a.upc", round % 5 + number % 3);
            thread.enter(time + 7, &site, Attributes::None);
            let transfer = Attributes::transfer((number + round) % threads, 8 << (round % 7));
            thread.enter(time + 9, &get, transfer);
            time += 40 + u64::from(number + round);
            thread.exit(time - 5, Attributes::None);
            thread.exit(time, Attributes::None);
        }
        thread.property("host", "host");
    }
    builder
}

/// The experiment in one file: its directory, the file, and what each thread says.
fn in_one_file(
    parent: &Path,
    threads: u32,
    block_size: usize,
) -> (PathBuf, PathBuf, Vec<Vec<Step>>) {
    let directory = parent.join("together");
    build(threads, block_size)
        .write_in_one_file(&directory)
        .unwrap();
    let file = only_file(&directory);
    let steps = read_steps(&directory).unwrap();
    (directory, file, steps)
}

fn only_file(directory: &Path) -> PathBuf {
    let mut files = std::fs::read_dir(directory.join("streams")).unwrap();
    let file = files.next().unwrap().unwrap().path();
    assert!(files.next().is_none());
    file
}

/// In memory where the system has that: many files are written here.
fn temporary() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// Where the extents of a whole file begin, with their headers.
fn extents(bytes: &[u8]) -> Vec<(usize, ExtentHeader)> {
    let mut found = Vec::new();
    let mut offset = 0;
    while let Some(header) = bytes[offset..].first_chunk::<EXTENT_HEADER>() {
        let header = ExtentHeader::decode(header).unwrap();
        found.push((offset, header));
        offset += EXTENT_HEADER + header.length as usize + EXTENT_TRAILER;
    }
    assert_eq!(offset, bytes.len());
    found
}

/// All that an experiment says, by thread.
fn by_thread(directory: &Path) -> Result<Vec<(u32, bool, Vec<Step>)>, Error> {
    let steps = read_steps(directory)?;
    let experiment = Experiment::open(directory)?;
    let streams = experiment.streams().iter();
    let threads = streams.map(|stream| (stream.thread(), stream.complete()));
    Ok(threads
        .zip(steps)
        .map(|((thread, complete), steps)| (thread, complete, steps))
        .collect())
}

#[test]
fn one_file_says_what_a_file_for_each_thread_says() {
    for threads in [1, 3, 64] {
        let parent = temporary();
        let apart = parent.path().join("apart");
        build(threads, 40).write(&apart).unwrap();
        let (directory, file, steps) = in_one_file(parent.path(), threads, 40);
        assert_eq!(steps, read_steps(&apart).unwrap());
        assert_eq!(steps.len(), threads as usize);
        assert!(extents(&std::fs::read(&file).unwrap()).len() > 4 * threads as usize);
        let experiment = Experiment::open(&directory).unwrap();
        let other = Experiment::open(&apart).unwrap();
        assert_eq!(experiment.all_remarks(), Vec::<String>::new());
        for (stream, other) in experiment.streams().iter().zip(other.streams()) {
            assert!(stream.complete());
            assert_eq!(stream.path(), file);
            assert_eq!(stream.blocks(), other.blocks());
            assert_eq!(stream.properties(), other.properties());
            check_every_beginning(stream);
        }
    }
}

/// As after a full disk, or a crash of the node: the file ends anywhere.
#[test]
fn cut_at_every_offset() {
    let parent = temporary();
    let (directory, file, all) = in_one_file(parent.path(), 3, 150);
    let whole = std::fs::read(&file).unwrap();
    let extents = extents(&whole);
    for length in 0..whole.len() {
        std::fs::write(&file, &whole[..length]).unwrap();
        let ended = |(at, header): &&(usize, ExtentHeader)| {
            at + EXTENT_HEADER + header.length as usize + EXTENT_TRAILER <= length
        };
        let there: Vec<_> = extents.iter().take_while(ended).collect();
        if there.is_empty() {
            let error = by_thread(&directory).unwrap_err();
            assert!(
                matches!(error, Error::NoStreams { .. }),
                "{length}: {error}"
            );
            continue;
        }
        let read = by_thread(&directory).unwrap();
        let mut threads: Vec<u32> = there.iter().map(|(_, header)| header.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        let found: Vec<u32> = read.iter().map(|(thread, ..)| *thread).collect();
        assert_eq!(found, threads, "{length}");
        for (thread, complete, steps) in read {
            let of = |(_, header): &&(usize, ExtentHeader)| header.thread == thread;
            let mine = extents.iter().filter(of).count();
            let written = there.iter().copied().filter(|extent| of(extent)).count();
            assert!(all[thread as usize].starts_with(&steps), "{length}");
            assert_eq!(complete, written == mine, "{length}");
            if complete {
                assert_eq!(steps, all[thread as usize]);
            }
        }
    }
}

/// As after a kill in the midst of a write, beside which others went on: a piece of an extent, then
/// the next one.
#[test]
fn a_write_that_was_cut_off_costs_its_thread_only() {
    let parent = temporary();
    let (directory, file, all) = in_one_file(parent.path(), 3, 150);
    let whole = std::fs::read(&file).unwrap();
    for (at, header) in extents(&whole) {
        let length = EXTENT_HEADER + header.length as usize + EXTENT_TRAILER;
        for kept in [0, 1, 8, 63, 64, 100, length - 17, length - 1] {
            // What was cut off is the last that the thread wrote.
            let mut torn = whole[..at + kept].to_vec();
            for (next, other) in extents(&whole) {
                if next > at && other.thread != header.thread {
                    let end = next + EXTENT_HEADER + other.length as usize + EXTENT_TRAILER;
                    torn.extend_from_slice(&whole[next..end]);
                }
            }
            std::fs::write(&file, &torn).unwrap();
            let read = by_thread(&directory).unwrap();
            for (thread, complete, steps) in &read {
                let expected = &all[*thread as usize];
                if *thread == header.thread {
                    assert!(!complete && expected.starts_with(steps));
                } else {
                    assert!(
                        complete & (steps == expected),
                        "{at} {kept}: thread {thread}"
                    );
                }
            }
            // Of a thread whose first write was cut off there is nothing.
            assert_eq!(read.len(), all.len() - usize::from(header.number == 0));
            let remarks = Experiment::open(&directory).unwrap().all_remarks();
            let said = remarks.join("\n");
            if kept > 0 {
                let place = format!("offset {at}: ");
                let what = match kept < EXTENT_HEADER {
                    true => format!("{kept} bytes that are no extent are passed over"),
                    false => format!("bytes of thread {} was cut off", header.thread),
                };
                for part in [".pgn", &place, &what] {
                    assert!(said.contains(part), "{kept}: {said}");
                }
            }
            let early = format!("thread {}: offset ", header.thread);
            let missing = format!("1 of 3 threads recorded nothing: {}", header.thread);
            assert!(said.contains(&early) || said.contains(&missing), "{said}");
        }
    }
}

/// Where there was room for some of an extent only, it may be written once more; and where a process
/// ended in the middle of one, the collector writes one that begins there and goes on to the end of
/// the buffers.
#[test]
fn what_was_written_once_more_is_whole() {
    let parent = temporary();
    let (directory, file, all) = in_one_file(parent.path(), 2, 150);
    let whole = std::fs::read(&file).unwrap();
    for (at, header) in extents(&whole) {
        let shorter = ExtentHeader {
            length: header.length / 2,
            ..header
        };
        for cut_off in [&whole[at..at + 90], &shorter.encode()] {
            let twice = [&whole[..at], cut_off, &whole[at..]].concat();
            std::fs::write(&file, twice).unwrap();
            let read = by_thread(&directory).unwrap();
            for (thread, complete, steps) in read {
                assert!(complete & (steps == all[thread as usize]));
            }
            let remarks = Experiment::open(&directory).unwrap().all_remarks();
            assert_eq!(remarks, Vec::<String>::new());
        }
    }
}

/// An extent that is gone, as where a node crashed before all of its data reached the disk: what
/// its thread wrote before is read, what it wrote after is not, and that is said.
#[test]
fn a_missing_extent_ends_its_stream() {
    let parent = temporary();
    let (directory, file, all) = in_one_file(parent.path(), 2, 150);
    let whole = std::fs::read(&file).unwrap();
    for (at, header) in extents(&whole) {
        let end = at + EXTENT_HEADER + header.length as usize + EXTENT_TRAILER;
        for zeros in [false, true] {
            let mut bytes = whole.clone();
            match zeros {
                true => bytes[at..end].fill(0),
                false => drop(bytes.drain(at..end)),
            }
            std::fs::write(&file, bytes).unwrap();
            let read = by_thread(&directory).unwrap();
            for (thread, complete, steps) in &read {
                let expected = &all[*thread as usize];
                assert!(expected.starts_with(steps), "{at}");
                assert_eq!(*complete, *thread != header.thread, "{at}");
                assert!(*thread == header.thread || steps == expected, "{at}");
            }
            assert_eq!(read.len(), 2 - usize::from(header.number == 0));
            let said = Experiment::open(&directory)
                .unwrap()
                .all_remarks()
                .join("\n");
            let expected = match header.number {
                0 => "the beginning of its stream is missing",
                _ => "offset ",
            };
            let about = format!("thread {}: ", header.thread);
            assert!(said.contains(expected) && said.contains(&about), "{said}");
        }
    }
}

/// A program that a measured one starts gets its environment too, and may record a thread of the
/// same number.
#[test]
fn the_first_recording_of_a_thread_counts() {
    let parent = temporary();
    let (directory, file, all) = in_one_file(parent.path(), 2, 150);
    let whole = std::fs::read(&file).unwrap();
    let mut bytes = whole.clone();
    for (at, header) in extents(&whole) {
        if header.thread == 1 {
            let begin = at + EXTENT_HEADER;
            let end = begin + header.length as usize;
            let other = ExtentHeader {
                process: 4711,
                ..header
            };
            bytes.extend_from_slice(&other.encode());
            bytes.extend_from_slice(&whole[begin..end]);
            bytes.extend_from_slice(&other.end_mark());
        }
    }
    std::fs::write(&file, bytes).unwrap();
    assert_eq!(read_steps(&directory).unwrap(), all);
    let said = Experiment::open(&directory)
        .unwrap()
        .all_remarks()
        .join("\n");
    let expected = "thread 1: process 4711 recorded it once more; what process 0 recorded is read";
    assert!(said.contains(expected), "{said}");
}

/// Every single byte, changed in some way: whatever is read of a thread is the beginning of what it
/// said, and where something is missing that is said, or there is an error with the file and an
/// offset in it.
#[test]
fn every_byte_changed() {
    let parent = temporary();
    let (directory, file, all) = in_one_file(parent.path(), 2, 300);
    let whole = std::fs::read(&file).unwrap();
    for offset in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[offset] ^= [0x01, 0x80, 0xff][offset % 3];
        std::fs::write(&file, &bytes).unwrap();
        let read = match by_thread(&directory) {
            Ok(read) => read,
            Err(Error::Corrupt { path, offset, .. }) => {
                assert!(path == file && offset <= whole.len() as u64);
                continue;
            }
            Err(Error::NoStreams { .. } | Error::Version { .. }) => continue,
            Err(other) => panic!("{offset}: {other}"),
        };
        let everything = read.len() == all.len()
            && read
                .iter()
                .all(|(thread, complete, steps)| *complete && *steps == all[*thread as usize]);
        for (thread, _, steps) in &read {
            assert!(all[*thread as usize].starts_with(steps), "{offset}");
        }
        let remarks = Experiment::open(&directory).unwrap().all_remarks();
        assert_eq!(remarks.is_empty(), everything, "{offset}: {remarks:?}");
    }
}

#[test]
fn what_is_no_such_file_is_told() {
    let parent = temporary();
    let (directory, file, _) = in_one_file(parent.path(), 1, 300);
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(
        &file,
        "something else, and long enough to be looked at; surely more than a header",
    )
    .unwrap();
    let told = by_thread(&directory).unwrap_err().to_string();
    for part in [".pgn", "offset 0", "not a trace stream"] {
        assert!(told.contains(part), "{told}");
    }

    let mut later = whole.clone();
    later[8] = 2;
    let sum = pgas_trace::format::checksum(&later[..56]);
    later[56..64].copy_from_slice(&sum.to_le_bytes());
    std::fs::write(&file, later).unwrap();
    let told = by_thread(&directory).unwrap_err().to_string();
    for part in [".pgn", "offset 8", "version 2", "newer pgastool"] {
        assert!(told.contains(part), "{told}");
    }

    // Its thread in a file of its own, too.
    std::fs::write(&file, whole).unwrap();
    let apart = parent.path().join("apart");
    build(1, 300).write(&apart).unwrap();
    let stream = "streams/thread-0000.pgt";
    std::fs::copy(apart.join(stream), directory.join(stream)).unwrap();
    let told = by_thread(&directory).unwrap_err().to_string();
    assert!(told.contains("both hold thread 0"), "{told}");
}
