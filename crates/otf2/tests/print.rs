//! `otf2-print` shows the events of the experiment, with the records of one-sided communication.
//! Needs the package otf2-tools beside the library.
#![cfg(feature = "library")]

#[path = "../../trace/tests/support/nodes.rs"]
mod nodes;

use std::path::Path;
use std::process::Command;

use nodes::write_two_nodes;
use pgas_otf2::{Error, write};
use pgas_trace::model::{Attributes, Operation, Site, SyncMode, TaskReason};
use pgas_trace::writer::StreamOptions;
use pgas_trace::{Experiment, ExperimentBuilder};

/// Output of one of OTF2's tools about an archive.
fn told(tool: &str, arguments: &[&str], archive: &Path) -> String {
    let output = Command::new(tool)
        .args(arguments)
        .arg(archive.join("traces.otf2"))
        .output()
        .unwrap_or_else(|error| panic!("{tool}: {error}; it is in Debian's package otf2-tools"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The events of a location: name of the record, time, the rest without spaces at the ends.
fn printed(archive: &Path, location: u32) -> Vec<(String, u64, String)> {
    let text = told("otf2-print", &["-L", &location.to_string()], archive);
    let words = |line: &str| {
        let (record, rest) = line.trim().split_once(char::is_whitespace)?;
        let (of, rest) = rest.trim().split_once(char::is_whitespace)?;
        let (time, rest) = rest
            .trim()
            .split_once(char::is_whitespace)
            .unwrap_or((rest.trim(), ""));
        let known = of.parse() == Ok(location);
        Some((
            record.to_owned(),
            time.parse().ok().filter(|_| known)?,
            rest.trim().to_owned(),
        ))
    };
    text.lines().filter_map(words).collect()
}

#[test]
fn the_events_of_a_program() {
    let mut builder = ExperimentBuilder::new("p", 2);
    let main = Site::function("main", "a.upc", 3);
    let at = |operation, line| Site::operation(operation, "a.upc", line);
    let none = Attributes::None;
    let lock = Attributes::Lock {
        lock: 0x1_0000_0009,
    };
    let (partner, bytes) = (1, 1 << 33);
    let thread = builder.thread(0);
    thread.property("host", "n1");
    thread
        .enter(1_000, &main, none)
        .enter(
            2_000,
            &at(Operation::Memput, 7),
            Attributes::transfer_at(partner, bytes, 4_321),
        )
        .exit(3_000, none)
        .enter(
            4_000,
            &at(Operation::Memcpy, 8),
            Attributes::copy_at((1, 8_765), (0, 0), 5),
        )
        .exit(5_000, none)
        .enter(
            6_000,
            &at(Operation::NonBlockingGet, 9),
            Attributes::transfer(partner, 6),
        )
        .exit(6_100, none)
        .enter(6_500, &at(Operation::NonBlockingSync, 10), none)
        .exit(7_000, none)
        .enter(8_000, &at(Operation::Lock, 11), lock)
        .exit(8_500, none)
        .enter(9_000, &at(Operation::Unlock, 12), lock)
        .exit(9_500, none)
        .enter(10_000, &at(Operation::LockAttempt, 13), lock)
        .exit(10_500, Attributes::LockAttempt { acquired: false })
        .enter(
            11_000,
            &at(Operation::Barrier, 14),
            Attributes::Barrier { value: Some(-4) },
        )
        .exit(12_000, none)
        .enter(13_000, &at(Operation::Broadcast, 15), none)
        .exit(
            14_000,
            Attributes::Collective {
                root: Some(1),
                sent: 10,
                received: 20,
                sync_in: SyncMode::Mine,
                sync_out: SyncMode::All,
            },
        );
    builder.thread(1).enter(
        2_000,
        &at(Operation::Alloc, 20),
        Attributes::Allocation { bytes: 77 },
    );
    let parent = tempfile::tempdir().unwrap();
    builder.write(&parent.path().join("e")).unwrap();
    let experiment = Experiment::open(&parent.path().join("e")).unwrap();
    let archive = parent.path().join("archive");
    let written = write(&experiment, &archive, &|_| {}).unwrap();
    assert_eq!(written.losses, Vec::<String>::new());

    let events = printed(&archive, 0);
    let all: Vec<(&str, u64)> = events
        .iter()
        .map(|(name, time, _)| (name.as_str(), *time))
        .collect();
    assert_eq!(
        all,
        [
            ("ENTER", 1_000),
            ("ENTER", 2_000),
            ("RMA_PUT", 2_000),
            ("RMA_OP_COMPLETE_BLOCKING", 3_000),
            ("LEAVE", 3_000),
            ("ENTER", 4_000),
            ("RMA_GET", 4_000),
            ("RMA_PUT", 4_000),
            ("RMA_OP_COMPLETE_BLOCKING", 5_000),
            ("RMA_OP_COMPLETE_BLOCKING", 5_000),
            ("LEAVE", 5_000),
            ("ENTER", 6_000),
            ("RMA_GET", 6_000),
            ("LEAVE", 6_100),
            ("ENTER", 6_500),
            ("RMA_OP_COMPLETE_NON_BLOCKING", 7_000),
            ("LEAVE", 7_000),
            ("ENTER", 8_000),
            ("RMA_REQUEST_LOCK", 8_000),
            ("RMA_ACQUIRE_LOCK", 8_500),
            ("LEAVE", 8_500),
            ("ENTER", 9_000),
            ("RMA_RELEASE_LOCK", 9_000),
            ("LEAVE", 9_500),
            ("ENTER", 10_000),
            ("RMA_TRY_LOCK", 10_500),
            ("LEAVE", 10_500),
            ("ENTER", 11_000),
            ("RMA_COLLECTIVE_BEGIN", 11_000),
            ("RMA_COLLECTIVE_END", 12_000),
            ("LEAVE", 12_000),
            ("ENTER", 13_000),
            ("RMA_COLLECTIVE_BEGIN", 13_000),
            ("RMA_COLLECTIVE_END", 14_000),
            ("LEAVE", 14_000),
            // The program was killed: main is left where the trace ends.
            ("LEAVE", 14_000),
        ]
    );
    assert_eq!(written.events, all.len() as u64 + 2);
    let text = |record: usize| &events[record].2;
    for (record, expected) in [
        (0, &["Region: \"main\""][..]),
        (1, &["Region: \"upc_memput\""]),
        (2, &["Remote: 1", "Bytes: 8589934592", "shared memory"]),
        (18, &["Lock: 4294967305"]),
        (29, &["Operation: BARRIER", "PROCESS", "MEMORY"]),
        (
            33,
            &["Operation: BCAST", "Root: 1", "Sent: 10", "Received: 20"],
        ),
    ] {
        for expected in expected {
            assert!(
                text(record).contains(expected),
                "{record}: {} in {events:#?}",
                expected
            );
        }
    }
    let whole = told("otf2-print", &[], &archive);
    for attribute in [
        "\"call site\"",
        "\"barrier value\"",
        "\"synchronisation\"",
        "\"allocated bytes\"",
        "4321",
        "8765",
    ] {
        assert!(whole.contains(attribute), "{whole}");
    }
    let definitions = told("otf2-print", &["-G"], &archive);
    for expected in [
        "\"n1\"",
        "\"Thread 1\"",
        "UPC",
        "\"a.upc\"",
        "UPC_IN_MYSYNC | UPC_OUT_ALLSYNC",
        "1000000000",
    ] {
        assert!(definitions.contains(expected), "{expected}: {definitions}");
    }
}

/// Coarrays, for which OTF2 has no paradigm: statements keep their names, and transfers are those of
/// every other model.
#[test]
fn the_events_of_a_program_of_coarrays() {
    let mut builder = ExperimentBuilder::new("p", 2);
    let at = |operation, name: &str, line| Site {
        name: name.into(),
        ..Site::operation(operation, "a.f90", line)
    };
    let none = Attributes::None;
    let barrier = Attributes::Barrier { value: None };
    for number in 0..2 {
        let thread = builder.thread(number);
        thread.property("runtime", "coarrays");
        thread
            .enter(
                1_000,
                &at(Operation::Put, "put", 7),
                Attributes::transfer(1 - number, 4),
            )
            .exit(1_500, none)
            .enter(2_000, &at(Operation::Barrier, "sync all", 8), barrier)
            .exit(3_000, none);
    }
    let parent = tempfile::tempdir().unwrap();
    builder.write(&parent.path().join("e")).unwrap();
    let experiment = Experiment::open(&parent.path().join("e")).unwrap();
    let archive = parent.path().join("archive");
    write(&experiment, &archive, &|_| {}).unwrap();
    let events = printed(&archive, 1);
    let names: Vec<&str> = events.iter().map(|(name, ..)| name.as_str()).collect();
    let put = ["ENTER", "RMA_PUT", "RMA_OP_COMPLETE_BLOCKING", "LEAVE"];
    let sync = [
        "ENTER",
        "RMA_COLLECTIVE_BEGIN",
        "RMA_COLLECTIVE_END",
        "LEAVE",
    ];
    assert_eq!(names, [put, sync].concat());
    for (record, expected) in [
        (0, "Region: \"put\""),
        (1, "Remote: 0"),
        (1, "Bytes: 4"),
        (4, "Region: \"sync all\""),
    ] {
        assert!(
            events[record].2.contains(expected),
            "{expected}: {events:#?}"
        );
    }
    let definitions = told("otf2-print", &["-G"], &archive);
    let paradigms = definitions
        .lines()
        .filter(|line| line.starts_with("PARADIGM "));
    let paradigms: Vec<&str> = paradigms.collect();
    assert!(
        paradigms.iter().any(|line| line.contains("\"coarrays\"")),
        "{definitions}"
    );
    for image in ["\"Image 1\"", "\"Image 2\""] {
        assert!(definitions.contains(image), "{image}: {definitions}");
    }
}

#[test]
fn every_operation_and_many_events() {
    let mut builder = ExperimentBuilder::new("p", 1);
    let thread = builder.thread(0);
    for round in 0..20_000_u64 {
        let operation = Operation::ALL[round as usize % Operation::ALL.len()];
        thread
            .enter(
                10 * round,
                &Site::operation(operation, "a.upc", 1 + round as u32 % 100),
                Attributes::None,
            )
            .exit(10 * round + 5, Attributes::None);
    }
    let parent = tempfile::tempdir().unwrap();
    builder.write(&parent.path().join("e")).unwrap();
    let experiment = Experiment::open(&parent.path().join("e")).unwrap();
    let archive = parent.path().join("archive");
    write(&experiment, &archive, &|_| {}).unwrap();
    let events = printed(&archive, 0);
    let regions: Vec<_> = events
        .iter()
        .filter(|(name, ..)| name == "ENTER" || name == "LEAVE")
        .collect();
    assert_eq!(regions.len(), 40_000);
    for (index, (name, time, text)) in regions.into_iter().enumerate() {
        let round = index / 2;
        let operation = Operation::ALL[round % Operation::ALL.len()];
        assert_eq!(
            (name == "ENTER", *time),
            (index % 2 == 0, 10 * round as u64 + 5 * (index as u64 % 2))
        );
        assert!(
            text.contains(&format!("\"{}\"", operation.name())),
            "{text}"
        );
    }
}

#[test]
fn threads_that_do_not_exist_are_left_out() {
    let mut builder = ExperimentBuilder::new("p", 1);
    let put = Site::operation(Operation::Put, "a.upc", 1);
    for partner in [0, 1] {
        let attributes = Attributes::transfer(partner, 8);
        builder
            .thread(0)
            .enter(1, &put, attributes)
            .exit(1, Attributes::None);
    }
    let parent = tempfile::tempdir().unwrap();
    builder.write(&parent.path().join("e")).unwrap();
    let experiment = Experiment::open(&parent.path().join("e")).unwrap();
    let archive = parent.path().join("archive");
    let losses = write(&experiment, &archive, &|_| {}).unwrap().losses;
    assert_eq!(losses.len(), 1, "{losses:?}");
    assert!(losses[0].ends_with("left out (1)"), "{losses:?}");
    let events = printed(&archive, 0);
    let puts = events.iter().filter(|(name, ..)| name == "RMA_PUT");
    assert_eq!(puts.count(), 1);
}

#[test]
fn recording_is_off_where_events_are_missing() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("e");
    let options = StreamOptions {
        block_size: 100,
        ..StreamOptions::default()
    };
    let mut builder = ExperimentBuilder::with_options("p", 1, options);
    for time in 0..100 {
        let main = Site::function("main", "a.upc", 1);
        let thread = builder.thread(0);
        thread.enter(10 * time, &main, Attributes::None);
        thread.exit(10 * time + 5, Attributes::None);
    }
    builder.write(&directory).unwrap();
    // The second block, and what comes after the last one.
    let blocks = Experiment::open(&directory).unwrap().streams()[0]
        .blocks()
        .to_vec();
    let path = directory.join("streams/thread-0000.pgt");
    let mut bytes = std::fs::read(&path).unwrap();
    let end = |index: usize| (blocks[index].offset + blocks[index].stored_bytes()) as usize;
    bytes.truncate(end(blocks.len() - 1));
    bytes.drain(blocks[1].offset as usize..end(1));
    std::fs::write(&path, bytes).unwrap();

    let experiment = Experiment::open(&directory).unwrap();
    let archive = parent.path().join("archive");
    write(&experiment, &archive, &|_| {}).unwrap();
    let events = printed(&archive, 0);
    let switches: Vec<_> = events
        .iter()
        .filter(|(name, ..)| name == "MEASUREMENT_ON_OFF")
        .map(|(_, time, mode)| (*time, mode.as_str()))
        .collect();
    let (off, on) = (blocks[0].last_time, blocks[2].first_time);
    assert_eq!(switches, [(off, "Mode: OFF"), (on, "Mode: ON")]);
}

#[test]
fn times_of_several_nodes_are_corrected() {
    let parent = tempfile::tempdir().unwrap();
    write_two_nodes(&parent.path().join("e"));
    let experiment = Experiment::open(&parent.path().join("e")).unwrap();
    let archive = parent.path().join("archive");
    let losses = write(&experiment, &archive, &|_| {}).unwrap().losses;
    assert!(
        losses[0].contains("comparisons of clocks (1)"),
        "{losses:?}"
    );
    let times: Vec<u64> = printed(&archive, 1)
        .iter()
        .map(|(_, time, _)| *time)
        .collect();
    assert_eq!(times, [1_001, 1_011]);
}

#[test]
fn existing_directories_are_left_alone() {
    let parent = tempfile::tempdir().unwrap();
    let mut builder = ExperimentBuilder::new("p", 1);
    builder
        .thread(0)
        .enter(1, &Site::function("f", "", 0), Attributes::None);
    builder.write(&parent.path().join("e")).unwrap();
    let experiment = Experiment::open(&parent.path().join("e")).unwrap();
    let error = write(&experiment, &parent.path().join("e"), &|_| {}).unwrap_err();
    assert!(matches!(error, Error::AlreadyExists { .. }), "{error}");
    assert!(parent.path().join("e/experiment.json").is_file());
}

/// A thread that was ended while it waited did not get what it waited for.
#[test]
fn what_a_thread_was_ended_in_is_not_completed() {
    let parent = tempfile::tempdir().unwrap();
    let mut builder = ExperimentBuilder::new("p", 2);
    let main = Site::function("main", "a.upc", 3);
    let at = |operation, line| Site::operation(operation, "a.upc", line);
    let none = Attributes::None;
    for (thread, operation, attributes) in [
        (0, Operation::Lock, Attributes::Lock { lock: 3 }),
        (1, Operation::Barrier, Attributes::Barrier { value: None }),
    ] {
        let thread = builder.thread(thread);
        thread.property(pgas_trace::properties::INTERRUPTED_AFTER, "2000");
        thread
            .enter(1_000, &main, none)
            .enter(2_000, &at(operation, 7), attributes)
            .exit(9_000, none)
            .exit(9_000, none);
    }
    builder.write(&parent.path().join("e")).unwrap();
    let experiment = Experiment::open(&parent.path().join("e")).unwrap();
    let archive = parent.path().join("archive");
    write(&experiment, &archive, &|_| {}).unwrap();
    let names = |thread| -> Vec<String> {
        let events = printed(&archive, thread);
        events.into_iter().map(|(name, ..)| name).collect()
    };
    assert_eq!(
        names(0),
        ["ENTER", "ENTER", "RMA_REQUEST_LOCK", "LEAVE", "LEAVE"]
    );
    assert_eq!(
        names(1),
        ["ENTER", "ENTER", "RMA_COLLECTIVE_BEGIN", "LEAVE", "LEAVE"]
    );
}

#[test]
fn messages_of_channels_are_messages_between_processors() {
    let mut builder = ExperimentBuilder::new("p", 2);
    let none = Attributes::None;
    let at = |operation, line| Site::operation(operation, "a.rs", line);
    let function = |name: &str, line| Site {
        name: name.to_owned(),
        ..at(Operation::Task, line)
    };
    let channel = 1 << 32 | 7;
    let message = |message, queued| Attributes::ChannelMessage {
        channel,
        message,
        bytes: 64,
        queued,
    };
    let left = |reason| Attributes::TaskLeft { reason };
    builder
        .thread(0)
        .enter(100, &function("main", 1), Attributes::Task { task: 1 })
        .enter(
            110,
            &at(Operation::TaskCreate, 2),
            Attributes::TaskCreate {
                task: 2,
                processor: 1,
            },
        )
        .exit(120, none)
        .enter(200, &at(Operation::ChannelSend, 3), message(0, 1))
        .exit(210, none)
        // Nobody receives this one.
        .enter(300, &at(Operation::ChannelSend, 3), message(1, 1))
        .exit(310, none)
        .exit(400, left(TaskReason::Ended));
    builder
        .thread(1)
        .enter(100, &at(Operation::Idle, 0), none)
        .exit(205, none)
        .enter(205, &function("worker", 2), Attributes::Task { task: 2 })
        .enter(206, &at(Operation::ChannelReceive, 9), message(0, 0))
        .exit(220, none)
        .exit(500, left(TaskReason::Receives));
    let parent = tempfile::tempdir().unwrap();
    builder.write(&parent.path().join("e")).unwrap();
    let experiment = Experiment::open(&parent.path().join("e")).unwrap();
    let archive = parent.path().join("archive");
    let losses = write(&experiment, &archive, &|_| {}).unwrap().losses;
    assert_eq!(losses.len(), 1, "{losses:?}");
    assert!(losses[0].contains("(1)"), "{losses:?}");

    let messages = |location| {
        let events = printed(&archive, location).into_iter();
        let messages = events.filter(|(name, ..)| name.starts_with("MPI_"));
        messages.collect::<Vec<_>>()
    };
    let (sent, received) = (messages(0), messages(1));
    assert_eq!((sent.len(), received.len()), (1, 1));
    assert_eq!((sent[0].0.as_str(), sent[0].1), ("MPI_SEND", 200));
    assert_eq!((received[0].0.as_str(), received[0].1), ("MPI_RECV", 220));
    for (text, expected) in [
        (&sent[0].2, ["Receiver: 1", "Tag: 0", "Length: 64"]),
        (&received[0].2, ["Sender: 0", "Tag: 0", "Length: 64"]),
    ] {
        for expected in expected {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }
    let all = told("otf2-print", &[], &archive);
    for attribute in [
        format!("(\"channel\" <10>; UINT64; {channel})"),
        "(\"task\" <7>; UINT64; 2)".to_owned(),
        "\"waits to receive\"".to_owned(),
        "\"worker\"".to_owned(),
    ] {
        assert!(all.contains(&attribute), "{attribute}: {all}");
    }
}
