//! The files byte by byte: the records that other readers demand, in their order.

mod support;

use pgas_epilog::{ByteOrder, Names, Options, write};
use pgas_trace::model::{Attributes, Operation, Site, SyncMode};
use pgas_trace::{Experiment, ExperimentBuilder};
use support::foreign::{Bytes, F::*, NO};

/// Two threads: a put, a lock, a broadcast; names of SHMEM.
fn written(byte_order: ByteOrder) -> Vec<u8> {
    let mut builder = ExperimentBuilder::new("p", 2);
    builder.metadata_mut().host = "cluster".to_owned();
    let main = Site::function("main", "a.upc", 3);
    let at = |operation, line| Site::operation(operation, "a.upc", line);
    let none = Attributes::None;
    let (partner, bytes) = (1, 64);
    builder
        .thread(0)
        .property("host", "n1")
        .enter(1_000, &main, none)
        .enter(
            2_000,
            &at(Operation::Memput, 7),
            Attributes::transfer(partner, bytes),
        )
        .exit(4_000, none)
        .enter(5_000, &at(Operation::Lock, 8), Attributes::Lock { lock: 9 })
        .exit(6_000, none)
        .enter(
            7_000,
            &at(Operation::Unlock, 8),
            Attributes::Lock { lock: 9 },
        )
        .exit(8_000, none)
        .exit(9_000, none);
    let collective = Attributes::Collective {
        root: Some(0),
        sent: 1,
        received: 2,
        sync_in: SyncMode::Mine,
        sync_out: SyncMode::All,
    };
    builder
        .thread(1)
        .property("host", "n2")
        .enter(3_000, &at(Operation::Broadcast, 0), none)
        .exit(4_000, collective);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("e");
    builder.write(&path).unwrap();
    let experiment = Experiment::open(&path).unwrap();
    let names = Names::Shmem;
    let options = Options { names, byte_order };
    let mut bytes = Vec::new();
    write(&experiment, &mut bytes, "x".as_ref(), options, &|_| {}).unwrap();
    bytes
}

/// Leaves out the strings that begin with "pgastool ", which have their own test.
fn without_notes(bytes: &[u8]) -> Vec<u8> {
    let mut kept = bytes[..10].to_vec();
    let mut at = 10;
    let mut noted = false;
    while at < bytes.len() {
        let end = at + 2 + usize::from(bytes[at]);
        let record = &bytes[at..end];
        noted = match record[1] {
            1 => record[7..].starts_with(b"pgastool "),
            2 => noted,
            _ => false,
        };
        if !noted {
            kept.extend_from_slice(record);
        }
        at = end;
    }
    kept
}

#[test]
fn a_small_file() {
    for (byte_order, big) in [(ByteOrder::Little, false), (ByteOrder::Big, true)] {
        let mut file = Bytes::new(big);
        let strings = [
            "shmem_get",
            "upc_get",
            "main",
            "a.upc",
            "function",
            "shmem_putmem",
            "upc_memput",
            "shmem_set_lock",
            "upc_lock",
            "shmem_clear_lock",
            "upc_unlock",
            "shmem_broadcast32",
            "upc_all_broadcast",
            "cluster",
            "n1",
            "n2",
            "Thread 0",
            "Thread 1",
        ];
        for (number, text) in strings.iter().enumerate() {
            file.string(number as u32, text);
        }
        file.record(3, &[U4(0), U4(2), U4(13)]);
        file.record(4, &[U4(0), U4(0), U4(1), U4(14), D8(1.0 / 1e-9)]);
        file.record(4, &[U4(1), U4(0), U4(1), U4(15), D8(1.0 / 1e-9)]);
        file.record(5, &[U4(0), U4(16)]).record(5, &[U4(1), U4(17)]);
        file.record(6, &[U4(0), U4(0), U4(16)]);
        file.record(6, &[U4(0), U4(1), U4(17)]);
        file.record(7, &[U4(0), U4(0), U4(0), U4(0), U4(0)]);
        file.record(7, &[U4(1), U4(0), U4(1), U4(1), U4(0)]);
        file.record(8, &[U4(0), U4(3)]);
        let mut region = |number, name, file_and_line: [_; 2], description, kind| {
            let [source, line] = file_and_line;
            let body = [
                U4(number),
                U4(name),
                source,
                line,
                NO,
                U4(description),
                U1(kind),
            ];
            file.record(9, &body);
        };
        region(0, 0, [NO, NO], 1, 1);
        region(1, 2, [U4(0), U4(3)], 4, 1);
        region(2, 5, [NO, NO], 6, 1);
        region(3, 7, [NO, NO], 8, 1);
        region(4, 9, [NO, NO], 10, 1);
        region(5, 11, [NO, NO], 12, 5);
        for communicator in 0..10 {
            file.record(11, &[U4(communicator), U1(0), U4(1), Raw(&[0b11])]);
        }
        file.record(15, &[U4(0), U4(0), U4(7), U4(2), U4(1)]);
        file.record(15, &[U4(1), U4(0), U4(8), U4(3), U4(1)]);
        file.record(15, &[U4(2), U4(0), U4(8), U4(4), U4(1)]);
        file.record(15, &[U4(3), U4(0), NO, U4(5), NO]);
        file.record(14, &[U4(14)]).record(13, &[]);

        let us = |microseconds: f64| D8(microseconds * 1000.0 * 1e-9);
        file.record(101, &[U4(0), us(0.0), U4(1)]);
        file.record(111, &[U4(0), us(1.0), U4(0)]);
        file.record(123, &[U4(0), us(1.0), U4(1), U4(0), U4(64)]);
        file.record(111, &[U4(1), us(2.0), U4(3)]);
        file.record(124, &[U4(1), us(3.0), U4(0), U4(0)]);
        file.record(102, &[U4(0), us(3.0)]);
        // Communicator 6 says that the modes are MYSYNC and ALLSYNC.
        file.record(129, &[U4(1), us(3.0), U4(0), U4(6), U4(1), U4(2)]);
        file.record(111, &[U4(0), us(4.0), U4(1)]);
        file.record(130, &[U4(0), us(5.0), U4(9)]);
        file.record(102, &[U4(0), us(5.0)]);
        file.record(111, &[U4(0), us(6.0), U4(2)]);
        file.record(131, &[U4(0), us(6.0), U4(9)]);
        file.record(102, &[U4(0), us(7.0)]);
        file.record(102, &[U4(0), us(8.0)]);
        let found = without_notes(&written(byte_order));
        assert!(found == file.bytes, "{}\n{}", hex(&found), hex(&file.bytes));
    }
}

/// A record a line, for people.
fn hex(bytes: &[u8]) -> String {
    let mut text = format!("{:02x?}\n", &bytes[..10]);
    let mut at = 10;
    while at < bytes.len() {
        let end = (at + 2 + usize::from(bytes[at])).min(bytes.len());
        text += &format!("{}: {:02x?}\n", bytes[at + 1], &bytes[at + 2..end]);
        at = end;
    }
    text
}

/// A thread that was ended while it waited did not get what it waited for; its regions are left all
/// the same.
#[test]
fn what_a_thread_was_ended_in_is_not_completed() {
    let records = |is_interrupted: bool| -> Vec<u8> {
        let mut builder = ExperimentBuilder::new("p", 2);
        let main = Site::function("main", "a.upc", 3);
        let at = |operation, line| Site::operation(operation, "a.upc", line);
        for (thread, operation, attributes) in [
            (0, Operation::Lock, Attributes::Lock { lock: 3 }),
            (1, Operation::Barrier, Attributes::Barrier { value: None }),
        ] {
            let thread = builder.thread(thread);
            if is_interrupted {
                thread.property(pgas_trace::properties::INTERRUPTED_AFTER, "2000");
            }
            thread
                .enter(1_000, &main, Attributes::None)
                .enter(2_000, &at(operation, 7), attributes)
                .exit(9_000, Attributes::None)
                .exit(9_000, Attributes::None);
        }
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("e");
        builder.write(&path).unwrap();
        let experiment = Experiment::open(&path).unwrap();
        let mut bytes = Vec::new();
        let options = Options::default();
        write(&experiment, &mut bytes, "x".as_ref(), options, &|_| {}).unwrap();
        // Read again, it is known what each thread was ended in.
        let file = directory.path().join("x.elg");
        std::fs::write(&file, &bytes).unwrap();
        pgas_epilog::read_file(&file, &directory.path().join("again"), &|_| {}).unwrap();
        let again = Experiment::open(&directory.path().join("again")).unwrap();
        for stream in again.streams() {
            assert_eq!(stream.interrupted_after().is_some(), is_interrupted);
            assert_eq!(again.corrected_events(stream).count(), 4);
        }
        let mut kinds = Vec::new();
        let mut at = 10;
        while at < bytes.len() {
            kinds.push(bytes[at + 1]);
            at += 2 + usize::from(bytes[at]);
        }
        kinds
    };
    let count = |kinds: &[u8], kind: u8| kinds.iter().filter(|&&k| k == kind).count();
    let (whole, ended) = (records(false), records(true));
    // Exits, exits of collective operations, locks taken.
    let counts = |kinds: &[u8]| [102, 129, 130].map(|kind| count(kinds, kind));
    assert_eq!(counts(&whole), [3, 1, 1]);
    assert_eq!(counts(&ended), [4, 0, 0]);
}
