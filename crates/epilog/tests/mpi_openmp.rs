//! Files of MPI and OpenMP programs: all types of regions and events are read, and remarks list
//! what is left out.

mod support;

use pgas_epilog::{check, read_file};
use pgas_trace::Experiment;
use pgas_trace::model::{Attributes, Operation};
use support::foreign::{
    Bytes, F,
    F::{D8, U1, U4},
    NO,
};
use support::{Step, read_steps};

/// Definitions of `threads[i]` threads of process i, one region for each name and type, then
/// `more`.
fn file(
    (big, minor): (bool, u8),
    threads: &[u32],
    regions: &[(&str, u8)],
    more: impl FnOnce(&mut Bytes),
    events: impl FnOnce(&mut Bytes),
) -> Bytes {
    let mut file = Bytes::new(big);
    file.bytes[8] = minor;
    file.string(100, "machine").string(101, "prog.c");
    file.record(3, &[U4(0), U4(1), U4(100)]);
    let node = [U4(0), U4(0), U4(8), U4(100), D8(1e9)];
    file.record(4, if minor == 0 { &node[..4] } else { &node });
    let mut location = 0;
    for (process, &count) in (0..).zip(threads) {
        file.record(5, &[U4(process), NO]);
        for thread in 0..count {
            file.record(6, &[U4(thread), U4(process), NO]);
            let of = [U4(location), U4(0), U4(0), U4(process), U4(thread)];
            file.record(7, &of);
            location += 1;
        }
    }
    file.record(8, &[U4(0), U4(101)]);
    for (number, (name, kind)) in (0..).zip(regions) {
        file.string(number, name);
        let region = [U4(number), U4(number), U4(0), U4(10 + number), NO, NO];
        file.record(9, &[&region[..], &[U1(*kind)]].concat());
    }
    more(&mut file);
    let mut written = Bytes {
        big,
        bytes: Vec::new(),
    };
    events(&mut written);
    let (mut at, mut count) = (0, 0);
    while at < written.bytes.len() {
        count += u32::from(written.bytes[at + 1] >= 100);
        at += 2 + usize::from(written.bytes[at]);
    }
    file.record(14, &[U4(count)]).record(13, &[]);
    file.bytes.extend(written.bytes);
    file
}

struct Read {
    steps: Vec<Vec<Step>>,
    remarks: String,
    waits: Vec<(String, f64)>,
}

fn read(file: &Bytes) -> Read {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("prog.elg");
    std::fs::write(&path, &file.bytes).unwrap();
    let directory = parent.path().join("e");
    let imported = read_file(&path, &directory, &|_| {}).unwrap();
    let experiment = Experiment::open(&directory).unwrap();
    let analysis = pgas_analyze::analyze(&experiment, &|_| {}).unwrap();
    let instances = analysis.summary.instances.iter();
    Read {
        steps: read_steps(&directory),
        remarks: imported.remarks.join("\n"),
        waits: instances
            .filter_map(|i| Some((i.metric.clone(), i.worst.as_ref()?.seconds)))
            .collect(),
    }
}

/// The Enters of a thread.
fn entered(steps: &[Step]) -> Vec<(Operation, &str, Attributes)> {
    let enter = |step: &'_ Step| match step {
        Step::Enter(_, site, attributes) => Some((site.operation, site.name.clone(), *attributes)),
        Step::Exit(..) => None,
    };
    let all = steps.iter().filter_map(enter);
    all.map(|(operation, name, attributes)| {
        (operation, &*Box::leak(name.into_boxed_str()), attributes)
    })
    .collect()
}

#[test]
fn every_type_of_region_is_read() {
    let types: Vec<u8> = (0..=8).chain(11..=26).collect();
    let names: Vec<String> = types.iter().map(|kind| format!("region {kind}")).collect();
    let regions: Vec<(&str, u8)> = names.iter().map(|n| &**n).zip(types.clone()).collect();
    let made = file(
        (false, 9),
        &[1],
        &regions,
        |_| {},
        |events| {
            for number in 0..regions.len() as u32 {
                events.enter(0, f64::from(number), number);
                events.exit(0, f64::from(number) + 0.5);
            }
        },
    );
    let found = read(&made);
    let entered = entered(&found.steps[0]);
    assert_eq!(entered.len(), types.len());
    for ((operation, name, _), kind) in entered.iter().zip(&types) {
        if *kind >= 11 {
            assert_eq!(*operation, Operation::UserRegion, "{kind}");
            assert_eq!(*name, format!("region {kind}"));
        }
    }
    assert!(
        found.remarks.contains("waiting in them is not judged (2)"),
        "{}",
        found.remarks
    );

    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("x.elg");
    for kind in [9, 10, 27, 255] {
        let made = file((false, 9), &[1], &[("x", kind)], |_| {}, |_| {});
        std::fs::write(&path, made.bytes).unwrap();
        let error = check(&path).unwrap_err().to_string();
        let expected = format!("region type {kind}, expected 0 to 8, or 11 to 26");
        assert!(error.contains(&expected), "{error}");
    }
}

const MPI: [(&str, u8); 8] = [
    ("main", 1),
    ("MPI_Send", 1),
    ("MPI_Recv", 1),
    ("MPI_Barrier", 4),
    ("MPI_Bcast", 5),
    ("MPI_Put", 1),
    ("MPI_Win_fence", 4),
    ("MPI_Get", 1),
];

/// A communicator of all by a group in two records' worth of numbers, one of the first process, a
/// window, and what says nothing about events.
fn communicators(file: &mut Bytes) {
    file.record(27, &[U4(5), U1(0), U4(2), U4(0)]);
    file.record(28, &[U4(1)]);
    file.record(27, &[U4(6), U1(1), U4(2)]);
    file.record(29, &[U4(0), U4(5)]);
    file.record(11, &[U4(1), U1(0), U4(1), F::Raw(&[0b01])]);
    file.record(29, &[U4(2), U4(6)]);
    file.record(30, &[U4(3), U4(0), U4(0), U4(0), U4(2)]);
    file.record(18, &[U4(4), U4(2)]);
    for kind in [16, 17, 20, 21, 22, 23, 24, 25, 26] {
        file.record(kind, &[U4(1), U4(2)]);
    }
}

fn mpi_events(counters: &[F], events: &mut Bytes) {
    let enter = |events: &mut Bytes, location: u32, time: f64, region: u32| {
        let record = [U4(location), D8(time), U4(region)];
        events.record(101, &[&record[..], counters].concat());
    };
    let exit = |events: &mut Bytes, kind: u8, location: u32, time: f64, rest: &[F]| {
        let record = [U4(location), D8(time)];
        events.record(kind, &[&record[..], counters, rest].concat());
    };
    for location in 0..2 {
        enter(events, location, 0.0, 0);
    }
    // A message from 0 to 1, with an attribute and a request.
    enter(events, 0, 1.0, 1);
    events.record(61, &[U1(2), U4(9)]);
    events.record(103, &[U4(0), D8(1.0), U4(1), U4(0), U4(7), U4(4096)]);
    events.record(132, &[U4(0), D8(1.0), U4(9)]);
    exit(events, 102, 0, 1.1, &[]);
    enter(events, 1, 1.1, 2);
    events.record(104, &[U4(1), D8(1.2), U4(0), U4(0), U4(7)]);
    exit(events, 102, 1, 1.2, &[]);
    for kind in 133..=135 {
        events.record(kind, &[U4(1), D8(1.2), U4(9)]);
    }
    // Location 1 comes late to a barrier, and to a broadcast whose root it is.
    enter(events, 0, 2.0, 3);
    enter(events, 1, 2.5, 3);
    for location in 0..2 {
        exit(events, 105, location, 2.5, &[NO, U4(0), U4(0), U4(0)]);
    }
    enter(events, 0, 3.0, 4);
    enter(events, 1, 3.25, 4);
    for location in 0..2 {
        exit(events, 105, location, 3.5, &[U4(1), U4(2), U4(8), U4(8)]);
    }
    // One-sided: a put and a get in a window, between two fences; what EPILOG says of them later
    // and elsewhere.
    for time in [4.0, 5.0] {
        for location in 0..2 {
            enter(events, location, time, 6);
        }
        for location in 0..2 {
            exit(events, 118, location, time + 0.1, &[U4(4)]);
        }
        if time == 4.0 {
            enter(events, 0, 4.2, 5);
            events.record(112, &[U4(0), D8(4.2), U4(1), U4(4), U4(3), U4(64)]);
            exit(events, 102, 0, 4.3, &[]);
            enter(events, 0, 4.3, 7);
            events.record(116, &[U4(0), D8(4.3), U4(5)]);
            events.record(122, &[U4(0), D8(4.3), U4(1), U4(4), U4(5), U4(32)]);
            exit(events, 102, 0, 4.4, &[]);
        }
    }
    events.record(113, &[U4(1), D8(5.2), U4(0), U4(4), U4(3)]);
    events.record(121, &[U4(0), D8(5.2), U4(1), U4(4), U4(3)]);
    events.record(114, &[U4(1), D8(5.2), U4(0), U4(4), U4(6), U4(8)]);
    events.record(115, &[U4(0), D8(5.2), U4(1), U4(4), U4(6)]);
    events.record(119, &[U4(0), D8(5.3), U4(1), U4(4), U1(1)]);
    events.record(120, &[U4(0), D8(5.4), U4(1), U4(4)]);
    // An operation on a window that some do.
    enter(events, 0, 5.5, 1);
    exit(events, 117, 0, 5.6, &[U4(4), U4(1), U1(1)]);
    // The other one-sided operations at their origin.
    enter(events, 1, 5.6, 5);
    events.record(123, &[U4(1), D8(5.6), U4(0), U4(1), U4(16)]);
    events.record(127, &[U4(1), D8(5.6), U4(0), U4(1)]);
    exit(events, 102, 1, 5.7, &[]);
    enter(events, 1, 5.7, 7);
    events.record(128, &[U4(1), D8(5.7), U4(0), U4(2), U4(24)]);
    events.record(126, &[U4(1), D8(5.7), U4(0), U4(2)]);
    exit(events, 102, 1, 5.8, &[]);
    // The measurement writes a buffer.
    exit(events, 203, 0, 6.0, &[]);
    exit(events, 204, 0, 6.5, &[]);
    for location in 0..2 {
        exit(events, 102, location, 7.0, &[]);
    }
}

#[test]
fn an_mpi_program_is_read_with_its_collective_operations_and_transfers() {
    use Operation::*;
    for (big, counters) in [(false, 0), (true, 2)] {
        let values = [F::Raw(&[1; 8]), F::Raw(&[2; 8])];
        let made = file(
            (big, 9),
            &[1, 1],
            &MPI,
            |file| {
                for counter in 0..counters {
                    let metric = [U4(counter), U4(0), U4(0), U1(0), U1(0), U1(0)];
                    file.record(10, &metric);
                }
                communicators(file);
            },
            |events| mpi_events(&values[..counters as usize], events),
        );
        let found = read(&made);
        let operations: Vec<(Operation, &str)> = entered(&found.steps[0])
            .into_iter()
            .map(|(operation, name, _)| (operation, name))
            .collect();
        let expected = [
            (Function, "main"),
            (Function, "MPI_Send"),
            (Barrier, ""),
            (Broadcast, ""),
            (Barrier, ""),
            (NonBlockingPut, ""),
            (NonBlockingGet, ""),
            (Barrier, ""),
            (Function, "MPI_Send"),
            (MeasurementStall, ""),
        ];
        assert_eq!(operations, expected);
        let of = |thread: usize, operation| {
            let all = entered(&found.steps[thread]);
            all.into_iter().find(|e| e.0 == operation).unwrap().2
        };
        assert_eq!(of(0, NonBlockingPut), Attributes::transfer(1, 64));
        assert_eq!(of(0, NonBlockingGet), Attributes::transfer(1, 32));
        assert_eq!(of(1, NonBlockingPut), Attributes::transfer(0, 16));
        assert_eq!(of(1, NonBlockingGet), Attributes::transfer(0, 24));
        for expected in [("wait_at_barrier", 0.5), ("late_broadcast", 0.25)] {
            let expected = (expected.0.to_owned(), expected.1);
            assert!(found.waits.contains(&expected), "{:?}", found.waits);
        }
        for part in [
            "messages of MPI, with 4096 bytes, are left out: operations that send and receive \
             them are functions (1)",
            "transfers are not counted, since they do not begin a one-sided operation, or are not \
             its first (1)",
            "requests of non-blocking operations of MPI are left out (4)",
            "locks of MPI's windows are left out: waiting for them is not judged (2)",
            "attributes of events are left out (1)",
        ] {
            assert!(found.remarks.contains(part), "{part}\n{}", found.remarks);
        }
        let left = found
            .remarks
            .contains("values of hardware counters are left out (2)");
        assert_eq!(left, counters == 2, "{}", found.remarks);
    }
}

#[test]
fn an_openmp_program_is_read_with_its_constructs_and_locks() {
    let regions = [
        ("main", 1),
        ("!$omp parallel @prog.c:11", 11),
        ("!$omp ibarrier @prog.c:12", 21),
        ("omp_set_lock", 1),
        ("omp_unset_lock", 1),
        ("MPI_Barrier", 4),
    ];
    // The second process has a thread alone: a barrier of MPI is one of processes, not of all
    // threads.
    let made = file(
        (false, 9),
        &[2, 1],
        &regions,
        |file| {
            file.record(11, &[U4(0), U1(0), U4(1), F::Raw(&[0b11])]);
        },
        |events| {
            events.enter(0, 0.0, 0).enter(2, 0.0, 0);
            events.record(106, &[U4(0), D8(0.5)]);
            for location in 0..2 {
                events.enter(location, 0.5, 1);
            }
            for (location, time) in [(0, 1.0), (1, 2.0)] {
                events.enter(location, time, 3);
                events.record(108, &[U4(location), D8(time + 0.1), U4(5)]);
                events
                    .exit(location, time + 0.1)
                    .enter(location, time + 0.5, 4);
                events.record(109, &[U4(location), D8(time + 0.5), U4(5)]);
                events.exit(location, time + 0.5);
            }
            for location in 0..2 {
                events.enter(location, 3.0, 2);
            }
            for location in 0..2 {
                events
                    .record(110, &[U4(location), D8(3.1)])
                    .exit(location, 3.1);
            }
            events.record(107, &[U4(0), D8(3.2)]);
            for location in [0, 2] {
                events.enter(location, 4.0, 5);
                events.record(105, &[U4(location), D8(4.0), NO, U4(0), U4(0), U4(0)]);
                events.exit(location, 4.0);
            }
        },
    );
    let found = read(&made);
    let lock = Attributes::Lock { lock: 5 };
    let expected = [
        (
            Operation::UserRegion,
            "!$omp parallel @prog.c:11",
            Attributes::None,
        ),
        (Operation::Lock, "", lock),
        (Operation::Unlock, "", lock),
        (
            Operation::UserRegion,
            "!$omp ibarrier @prog.c:12",
            Attributes::None,
        ),
    ];
    assert_eq!(entered(&found.steps[1]), expected);
    let of_process = entered(&found.steps[2]);
    assert_eq!(of_process[1].0, Operation::Function, "{of_process:?}");
    for part in [
        "barriers of OpenMP teams are regions of the program: waiting in them is not judged (2)",
        "beginnings and ends of OpenMP teams are left out (1)",
        "collective operations of a part of the threads are taken for functions (1)",
    ] {
        assert!(found.remarks.contains(part), "{part}\n{}", found.remarks);
    }
}

#[test]
fn old_versions_and_files_of_one_location_are_read() {
    for minor in [0, 2, 9] {
        let made = file(
            (false, minor),
            &[1],
            &[("main", 1), ("MPI_Barrier", 4)],
            |file| {
                let communicator = [U4(0), U1(0), U4(1), F::Raw(&[1])];
                let old = [U4(0), U4(1), F::Raw(&[1])];
                file.record(11, if minor < 3 { &old } else { &communicator });
            },
            |events| {
                // Records that leave their location out.
                events.record(101, &[D8(0.0), U4(0)]);
                events.record(101, &[D8(1.0), U4(1)]);
                events.record(105, &[D8(2.0), NO, U4(0), U4(0), U4(0)]);
                events.exit(0, 3.0);
            },
        );
        let found = read(&made);
        let operations: Vec<Operation> = entered(&found.steps[0]).iter().map(|e| e.0).collect();
        assert_eq!(
            operations,
            [Operation::Function, Operation::Barrier],
            "1.{minor}"
        );
    }
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("x.elg");
    let newer = file((false, 10), &[1], &[("main", 1)], |_| {}, |_| {});
    std::fs::write(&path, newer.bytes).unwrap();
    let error = check(&path).unwrap_err().to_string();
    assert!(error.contains("version 1.10"), "{error}");
}
