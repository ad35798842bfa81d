//! Files that are wrong: an error that names the file, the offset, the type of the record and the
//! reason; never a panic, never an experiment made of half of one.

mod support;

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use pgas_epilog::{Error, Options, check, read_file, write_file};
use support::foreign::{self, Bytes, F::*, NO, definitions, with_events};
use support::mutation::mutate;
use support::numbers::Numbers;

/// The file `x.elg` with these bytes.
fn file(parent: &Path, bytes: &[u8]) -> PathBuf {
    let path = parent.join("x.elg");
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The defect of a file: offset, record and the rest of the message. No directory is made of
/// it.
fn refused(bytes: &[u8]) -> (u64, String, String) {
    let parent = tempfile::tempdir().unwrap();
    let path = file(parent.path(), bytes);
    let directory = parent.path().join("e");
    let error = read_file(&path, &directory, &|_| {}).unwrap_err();
    assert!(!directory.exists(), "{error}");
    let message = error.to_string();
    assert!(message.contains("x.elg: offset "), "{message}");
    assert_eq!(check(&path).unwrap_err().to_string(), message);
    match error {
        Error::Malformed { offset, record, .. } => (offset, record, message),
        other => panic!("unexpected: {other}"),
    }
}

/// A file with these events, of either byte order, is refused at the last one.
#[track_caller]
fn refused_at_last(write: impl Fn(&mut Bytes), record: &str, reason: &str) {
    for big in [false, true] {
        let bytes = with_events(big, &write).bytes;
        let mut at = 10;
        let mut last = 0;
        while at < bytes.len() {
            last = at;
            at += 2 + usize::from(bytes[at]);
        }
        let (offset, found, message) = refused(&bytes);
        assert_eq!((offset, found.as_str()), (last as u64, record), "{message}");
        assert!(message.contains(reason), "{message}");
    }
}

/// The offset in a compressed file is that in what it holds.
#[test]
fn a_compressed_file_is_refused_at_the_same_offset() {
    let bytes = with_events(true, |f| {
        f.enter(0, 1.0, foreign::MAIN).exit(0, 0.5);
    })
    .bytes;
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&bytes).unwrap();
    let (offset, record, message) = refused(&packed.finish().unwrap());
    let plain = refused(&bytes);
    assert_eq!((offset, record), (plain.0, plain.1));
    assert!(message.contains("found time 0.5"), "{message}");
}

#[test]
fn events_that_do_not_fit() {
    use foreign::{BARRIER, MAIN, PUT};
    refused_at_last(
        |f| {
            f.enter(0, 0.0, 99);
        },
        "ENTER (101)",
        "region 99, which is not defined",
    );
    refused_at_last(
        |f| {
            f.enter(2, 0.0, MAIN);
        },
        "ENTER (101)",
        "location 2, which is not defined",
    );
    refused_at_last(
        |f| {
            f.record(111, &[U4(0), D8(0.0), U4(8)]);
        },
        "ENTER_CS (111)",
        "call site 8, which is not defined",
    );
    refused_at_last(
        |f| {
            f.enter(0, 1.0, MAIN).exit(0, 0.5);
        },
        "EXIT (102)",
        "found time 0.5, expected no time before 1",
    );
    for time in [f64::NAN, f64::INFINITY, -1.0, f64::NEG_INFINITY] {
        refused_at_last(
            |f| {
                f.enter(0, time, MAIN);
            },
            "ENTER (101)",
            "expected seconds since",
        );
    }
    refused_at_last(
        |f| {
            f.enter(0, 0.0, MAIN).exit(1, 0.5);
        },
        "EXIT (102)",
        "no region is open on location 1",
    );
    refused_at_last(
        |f| {
            f.enter(0, 0.0, BARRIER).leave(0, 0.0, 7);
        },
        "COLLEXIT (129)",
        "communicator 7, which is not defined",
    );
    refused_at_last(
        |f| {
            f.enter(0, 0.0, BARRIER)
                .record(129, &[U4(0), D8(0.0), U4(2), U4(0), U4(0), U4(0)]);
        },
        "COLLEXIT (129)",
        "location 2, which is not defined",
    );
    let put = |f: &mut Bytes| {
        f.enter(0, 0.0, PUT)
            .record(123, &[U4(0), D8(0.0), U4(1), U4(4), U4(8)]);
    };
    refused_at_last(
        |f| {
            put(f);
            f.record(123, &[U4(0), D8(0.0), U4(1), U4(4), U4(8)]);
        },
        "PUT_1TS (123)",
        "transfer 4 of location 0 again",
    );
    refused_at_last(
        |f| {
            put(f);
            f.record(124, &[U4(0), D8(0.0), U4(0), U4(4)]);
        },
        "PUT_1TE (124)",
        "expected that of the put to location 1",
    );
    refused_at_last(
        |f| {
            put(f);
            f.record(126, &[U4(1), D8(0.0), U4(0), U4(4)]);
        },
        "GET_1TE (126)",
        "expected its beginning",
    );
    refused_at_last(
        |f| {
            f.record(123, &[U4(0), D8(0.0), U4(5), U4(4), U4(8)]);
        },
        "PUT_1TS (123)",
        "location 5",
    );
    refused_at_last(
        |f| {
            f.record(125, &[U4(0), D8(0.0), U4(5), U4(4), U4(8)]);
        },
        "GET_1TS (125)",
        "location 5",
    );
}

#[test]
fn records_that_are_none() {
    refused_at_last(
        |f| {
            f.record(102, &[U4(0), D8(0.0), U1(0)]);
        },
        "EXIT (102)",
        "a body of 13 bytes, expected 12",
    );
    refused_at_last(
        |f| {
            f.record(101, &[U4(0), D8(0.0)]);
        },
        "ENTER (101)",
        "a body of 12 bytes, expected at least 16",
    );
    refused_at_last(
        |f| {
            f.record(99, &[U4(0)]);
        },
        "record of type 99",
        "not supported",
    );
    refused_at_last(
        |f| {
            f.record(136, &[U4(0), D8(0.0)]);
        },
        "record of type 136",
        "not supported",
    );
    refused_at_last(
        |f| {
            f.record(103, &[U4(0), D8(0.0), U4(1)]);
        },
        "MPI_SEND (103)",
        "a body of 16 bytes, expected at least 20",
    );
    refused_at_last(
        |f| {
            f.string(500, "late");
        },
        "STRING (1)",
        "a definition, expected events",
    );
    let with = |kind, fields: &[foreign::F]| {
        let mut file = Bytes::new(false);
        file.string(1, "a");
        let at = file.bytes.len() as u64;
        file.record(kind, fields)
            .record(14, &[U4(0)])
            .record(13, &[]);
        let (offset, record, message) = refused(&file.bytes);
        assert_eq!(offset, at, "{message}");
        (record, message)
    };
    let region_with =
        |file, description, kind| with(9, &[U4(0), U4(1), file, NO, NO, description, U1(kind)]).1;
    for (message, reason) in [
        (region_with(NO, NO, 9), "region type 9"),
        (region_with(U4(5), NO, 1), "file 5, which is not defined"),
        (region_with(NO, U4(5), 1), "string 5, which is not defined"),
        (with(1, &[U4(1), U1(0), Raw(b"b\0")]).1, "a second string 1"),
        (with(1, &[U4(2), U1(0), Raw(b"b")]).1, "without a NUL"),
        (with(1, &[U4(2), U1(0)]).1, "without a NUL"),
        (with(2, &[Raw(b"b\0")]).1, "a continuation"),
        (with(19, &[Raw(b"b\0")]).1, "a continuation"),
        (
            with(11, &[U4(0), U1(0), U4(1), Raw(&[1, 2])]).1,
            "2 bytes of a group",
        ),
        (
            with(7, &[U4(0), U4(0), U4(0), U4(0), U4(0)]).1,
            "machine 0, which is not defined",
        ),
        (
            with(4, &[U4(0), U4(3), U4(0), NO, D8(1.0)]).1,
            "machine 3, which is not defined",
        ),
        (
            with(6, &[U4(0), U4(3), NO]).1,
            "process 3, which is not defined",
        ),
        (with(8, &[U4(0), U4(3)]).1, "string 3, which is not defined"),
        (
            with(15, &[U4(0), NO, NO, U4(3), NO]).1,
            "region 3, which is not defined",
        ),
        (
            with(12, &[D8(0.0), D8(f64::NAN)]).1,
            "expected finite numbers",
        ),
        (with(101, &[U4(0), D8(0.0), U4(0)]).1, "LAST_DEF before it"),
        (with(13, &[]).1, "NUM_EVENTS before it"),
        (
            with(1, &[U4(2), U1(0), Raw(b"pgastool experiment {}\0")]).1,
            "a note of pgastool",
        ),
    ] {
        assert!(message.contains(reason), "{reason}: {message}");
    }
    // A definition that is not finished when the next one comes.
    let mut file = Bytes::new(false);
    file.record(1, &[U4(2), U1(1), Raw(b"b")]).string(3, "c");
    assert!(refused(&file.bytes).2.contains("string 2 is not complete"));
    let mut file = Bytes::new(false);
    file.record(11, &[U4(2), U1(0), U4(300), Raw(&[255; 246])])
        .string(3, "c");
    assert!(
        refused(&file.bytes)
            .2
            .contains("communicator 2 is not complete")
    );
}

#[test]
fn locations_with_gaps_and_wrong_numbers_of_events() {
    let mut file = Bytes::new(false);
    file.record(3, &[U4(0), U4(1), NO]);
    file.record(4, &[U4(0), U4(0), U4(1), NO, D8(1.0)]);
    file.record(5, &[U4(0), NO]).record(6, &[U4(0), U4(0), NO]);
    file.record(7, &[U4(1), U4(0), U4(0), U4(0), U4(0)]);
    file.record(14, &[U4(0)]).record(13, &[]);
    let message = refused(&file.bytes).2;
    assert!(
        message.contains("1 locations without number 0"),
        "{message}"
    );

    let mut file = definitions(false, 3);
    file.enter(0, 0.0, foreign::MAIN).exit(0, 1.0);
    let (offset, record, message) = refused(&file.bytes);
    assert_eq!(
        (offset, record.as_str()),
        (file.bytes.len() as u64, "end of the file")
    );
    assert!(
        message.contains("after 2 events, expected 3, by NUM_EVENTS"),
        "{message}"
    );

    let mut file = definitions(false, 1);
    file.enter(0, 0.0, foreign::MAIN).exit(0, 1.0);
    let message = refused(&file.bytes).2;
    assert!(message.contains("more events than announced"), "{message}");

    let unbalanced = with_events(false, |f| {
        f.enter(1, 0.0, foreign::MAIN)
            .enter(1, 0.0, foreign::MAIN)
            .exit(1, 0.0);
    });
    let message = refused(&unbalanced.bytes).2;
    assert!(
        message.contains("1 regions open on location 1"),
        "{message}"
    );

    let under_way = with_events(false, |f| {
        f.record(125, &[U4(0), D8(0.0), U4(1), U4(6), U4(8)]);
    });
    let message = refused(&under_way.bytes).2;
    assert!(
        message.contains("transfer 6 of location 1 under way"),
        "{message}"
    );
}

#[test]
fn other_files_are_distinguished() {
    let parent = tempfile::tempdir().unwrap();
    let message = |bytes: &[u8]| check(&file(parent.path(), bytes)).unwrap_err().to_string();
    assert!(
        message(b"").contains("not an EPILOG file: found \"\""),
        "{}",
        message(b"")
    );
    assert!(message(b"OTF2 archive").contains("found \"OTF2 ar\""));
    assert!(message(b"EPILOG\0\x01\x0a\x01").contains("EPILOG version 1.10"));
    assert!(message(b"EPILOG\0\x01\x09\x03").contains("byte order 3"));
    assert!(message(b"EPILOG\0\x01").contains("the end of the file"));
    assert!(
        message(b"\x1f\x8bnot compressed").contains("gzip"),
        "{}",
        message(b"\x1f\x8bnot")
    );
    let missing = check(&parent.path().join("none.elg"))
        .unwrap_err()
        .to_string();
    assert!(missing.contains("none.elg: cannot open"), "{missing}");
    let directory = check(parent.path()).unwrap_err().to_string();
    assert!(directory.contains("cannot read"), "{directory}");
}

#[test]
fn cut_at_every_offset() {
    let whole = foreign::program(true).bytes;
    for length in 10..whole.len() {
        let (offset, _, message) = refused(&whole[..length]);
        assert!(offset <= length as u64, "{length}: {message}");
        assert!(
            message.contains("the end of the file"),
            "{length}: {message}"
        );
    }
}

/// Several changes at a time, to a foreign file and to one of ours. Whatever is taken makes an
/// experiment that can be analysed and written again.
#[test]
fn mutations() {
    let mut numbers = Numbers(1);
    let parent = support::temporary();
    let path = file(parent.path(), &foreign::program(false).bytes);
    let directory = parent.path().join("e");
    read_file(&path, &directory, &|_| {}).unwrap();
    let experiment = pgas_trace::Experiment::open(&directory).unwrap();
    let again = parent.path().join("again.elg");
    write_file(&experiment, &again, Options::default(), &|_| {}).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    let originals = [
        foreign::program(false).bytes,
        std::fs::read(&again).unwrap(),
    ];
    let mut taken = 0;
    for case in 0..2_000 {
        let mut bytes = originals[case % 2].clone();
        for _ in 0..=numbers.below(2) {
            mutate(&mut bytes, 10, 40, &mut numbers);
        }
        let path = file(parent.path(), &bytes);
        match read_file(&path, &directory, &|_| {}) {
            Err(Error::Malformed { offset, .. }) => assert!(offset <= bytes.len() as u64),
            Err(error) => panic!("unexpected in case {case}: {error}"),
            Ok(imported) => {
                taken += 1;
                let experiment = pgas_trace::Experiment::open(&directory).unwrap();
                assert!(experiment.event_count() <= imported.contents.events);
                // Whether the events make sense is another matter.
                let _ = pgas_analyze::analyze(&experiment, &|_| {});
                write_file(&experiment, &again, Options::default(), &|_| {}).unwrap();
                check(&again).unwrap();
                std::fs::remove_dir_all(&directory).unwrap();
            }
        }
        assert!(!directory.exists());
    }
    // Otherwise nothing behind the first checks would have been reached.
    assert!(taken > 100, "{taken}");
}
