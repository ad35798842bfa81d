//! Files as no recorder of today writes them, but as the format allows: with blocks missing, and
//! with several threads.

mod support;

use pgas_trace::model::{Attributes, EventKind, Site};
use pgas_trace::writer::{CompressionLevel, StreamOptions};
use pgas_trace::{Error, Experiment, ExperimentBuilder};
use support::{Step, check_every_beginning, read_steps};

const FILE_HEADER: usize = 64;

fn options() -> StreamOptions {
    StreamOptions {
        block_size: 40,
        compression: CompressionLevel::Zstd(1),
    }
}

/// Nested calls whose depth goes up and down over blocks, all from a few sites that the first block
/// defines.
fn build(threads: u32) -> ExperimentBuilder {
    let mut builder = ExperimentBuilder::with_options("layouts", threads, options());
    let sites: Vec<Site> = (0..5)
        .map(|line| Site::function("f", "a.upc", line))
        .collect();
    for number in 0..threads {
        let thread = builder.thread(number);
        let mut time = u64::from(number);
        for _ in 0..20 {
            for site in &sites {
                time += 7;
                thread.enter(time, site, Attributes::None);
            }
            for _ in &sites {
                time += 5;
                thread.exit(time, Attributes::None);
            }
        }
    }
    builder
}

#[test]
fn a_missing_block_leaves_a_gap_over_which_regions_nest() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("whole");
    build(1).write(&directory).unwrap();
    let steps = read_steps(&directory).unwrap().remove(0);
    let blocks = Experiment::open(&directory).unwrap().streams()[0]
        .blocks()
        .to_vec();
    let stream = directory.join("streams/thread-0000.pgt");
    let whole = std::fs::read(&stream).unwrap();
    let end = blocks
        .last()
        .map(|block| (block.offset + block.stored_bytes()) as usize)
        .unwrap();

    for missing in 0..blocks.len() - 1 {
        let (from, to) = (
            blocks[missing].offset,
            blocks[missing].offset + blocks[missing].stored_bytes(),
        );
        let cut = [&whole[..from as usize], &whole[to as usize..end]].concat();
        std::fs::write(&stream, cut).unwrap();
        let experiment = Experiment::open(&directory).unwrap();
        let stream = &experiment.streams()[0];
        assert_eq!(stream.lost_blocks(), 1);
        let remarks = stream.remarks().join("\n");
        assert!(remarks.contains("1 blocks are missing"), "{remarks}");

        check_every_beginning(stream);

        // What is there is there; what bridges the gap nests and lies at its borders.
        let found = read_steps(&directory).unwrap().remove(0);
        let before: usize = blocks[..missing]
            .iter()
            .map(|block| block.events as usize)
            .sum();
        let after = before + blocks[missing].events as usize;
        assert_eq!(found[..before], steps[..before]);
        let bridge = found.len() - before - (steps.len() - after);
        assert_eq!(found[before + bridge..], steps[after..]);
        let mut depth = 0_i32;
        for event in stream.events() {
            match event.unwrap().kind {
                EventKind::Enter { .. } => depth += 1,
                EventKind::Exit { .. } => depth -= 1,
            }
            assert!(depth >= 0);
        }
        assert_eq!(depth, 0);
        for step in &found[before..before + bridge] {
            let last = missing.checked_sub(1).map(|index| blocks[index].last_time);
            match step {
                Step::Enter(time, ..) => assert_eq!(*time, blocks[missing + 1].first_time),
                Step::Exit(time, ..) => assert_eq!(Some(*time), last),
            }
        }
    }
}

#[test]
fn missing_definitions_are_an_error() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("whole");
    build(1).write(&directory).unwrap();
    let blocks = Experiment::open(&directory).unwrap().streams()[0]
        .blocks()
        .to_vec();
    let stream = directory.join("streams/thread-0000.pgt");
    let whole = std::fs::read(&stream).unwrap();
    let cut = [&whole[..FILE_HEADER], &whole[blocks[0].offset as usize..]].concat();
    std::fs::write(&stream, &cut[..cut.len() - 24]).unwrap();
    let error = Experiment::open(&directory).unwrap_err();
    assert!(
        matches!(error, Error::Corrupt { offset: 108, .. }),
        "{error}"
    );
}

#[test]
fn one_file_for_several_threads() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("apart");
    build(2).write(&directory).unwrap();
    let expected = read_steps(&directory).unwrap();
    let mut parts = Vec::new();
    for stream in Experiment::open(&directory).unwrap().streams() {
        let bytes = std::fs::read(stream.path()).unwrap();
        let last = stream.blocks().last().unwrap();
        let end = (last.offset + last.stored_bytes()) as usize;
        // Definitions and the first block; the other blocks.
        let second = stream.blocks()[1].offset as usize;
        parts.push((
            bytes[..FILE_HEADER].to_vec(),
            bytes[FILE_HEADER..second].to_vec(),
            bytes[second..end].to_vec(),
        ));
        std::fs::remove_file(stream.path()).unwrap();
    }
    let together = [
        &parts[0].0[..],
        &parts[1].1,
        &parts[0].1,
        &parts[0].2,
        &parts[1].2,
    ]
    .concat();
    std::fs::write(directory.join("streams/process-0.pgt"), together).unwrap();
    assert_eq!(read_steps(&directory).unwrap(), expected);
    let experiment = Experiment::open(&directory).unwrap();
    assert_eq!(experiment.streams().len(), 2);
    assert!(
        experiment
            .streams()
            .iter()
            .all(|stream| stream.remarks().len() == 1)
    );
}

/// Addresses came with version 3: in a file that says it is older they are damage, and reading them
/// as something else would be worse than an error.
#[test]
fn addresses_in_a_file_of_an_earlier_version_are_refused() {
    use pgas_trace::format::checksum;
    use pgas_trace::model::Address;

    let parent = tempfile::tempdir().unwrap();
    let address = Address::new(64);
    let transfer = Attributes::Transfer {
        partner: 1,
        bytes: 8,
        address,
    };
    let copy = Attributes::Copy {
        source: 0,
        destination: 1,
        bytes: 8,
        source_address: address,
        destination_address: None,
    };
    for (name, attributes, kind) in [("transfer", transfer, 12), ("copy", copy, 13)] {
        let directory = parent.path().join(name);
        let mut builder = ExperimentBuilder::with_options("layouts", 1, options());
        let thread = builder.thread(0);
        thread.enter(5, &Site::function("f", "a.upc", 3), attributes);
        thread.exit(9, Attributes::None);
        builder.write(&directory).unwrap();
        let stream = directory.join("streams/thread-0000.pgt");
        let mut bytes = std::fs::read(&stream).unwrap();
        for version in 1..=3_u8 {
            bytes[8] = version;
            let sum = checksum(&bytes[..56]);
            bytes[56..64].copy_from_slice(&sum.to_le_bytes());
            std::fs::write(&stream, &bytes).unwrap();
            let read = read_steps(&directory);
            if version == 3 {
                assert_eq!(read.unwrap()[0].len(), 2);
                continue;
            }
            let told = read.unwrap_err().to_string();
            let expected = format!("attributes of kind {kind} in a file of version {version}");
            for part in ["thread-0000.pgt", &expected, "version 3 of the format"] {
                assert!(told.contains(part), "{told}");
            }
        }
    }
}
