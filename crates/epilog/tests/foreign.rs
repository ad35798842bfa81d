//! Files of other tools are understood in either byte order, by the names of their regions.

mod support;

use pgas_epilog::{ByteOrder, Contents, check, read_file};
use pgas_trace::Experiment;
use pgas_trace::model::{Attributes, Operation, Site, SyncMode};
use support::foreign::{self, F, with_events};
use support::{Step, read_steps};

#[test]
fn a_shmem_program_of_either_byte_order() {
    for big in [false, true] {
        let parent = tempfile::tempdir().unwrap();
        let file = parent.path().join("prog.elg");
        std::fs::write(&file, foreign::program(big).bytes).unwrap();
        let contents = check(&file).unwrap();
        let byte_order = if big {
            ByteOrder::Big
        } else {
            ByteOrder::Little
        };
        let expected = Contents {
            byte_order,
            locations: 2,
            events: 36,
            ours: false,
        };
        assert_eq!(contents, expected);
        let directory = parent.path().join("e");
        let imported = read_file(&file, &directory, &|_| {}).unwrap();
        assert_eq!(
            imported.remarks,
            [
                "prog.elg: recording was switched off; barriers and collective operations after \
                 that may be matched wrongly (1)",
                "prog.elg: collective operations of a part of the threads are taken for functions \
                 (1)",
            ]
        );
        let experiment = Experiment::open(&directory).unwrap();
        let metadata = experiment.metadata();
        assert_eq!(
            (metadata.program.as_str(), metadata.host.as_str()),
            ("prog", "cluster")
        );
        assert_eq!(metadata.remarks.len(), 3, "{:?}", metadata.remarks);
        assert_eq!(experiment.streams()[1].property("host"), Some("n2"));
        assert_eq!(read_steps(&directory), [expected_of(0), expected_of(1)]);

        let analysis = pgas_analyze::analyze(&experiment, &|_| {}).unwrap();
        let instances: Vec<(&str, f64)> = analysis
            .summary
            .instances
            .iter()
            .filter_map(|i| Some((i.metric.as_str(), i.worst.as_ref()?.seconds)))
            .collect();
        for expected in [("wait_at_barrier", 0.5), ("late_broadcast", 0.25)] {
            assert!(instances.contains(&expected), "{instances:?}");
        }
    }
}

fn expected_of(thread: u32) -> Vec<Step> {
    let site =
        |operation, line| Site::operation(operation, if line == 0 { "" } else { "prog.c" }, line);
    let ns = |seconds: f64| (seconds * 1e9).round() as u64;
    let mut steps = Vec::new();
    let mut region = |begin: f64, end: f64, site: Site, enter, exit| {
        steps.push(Step::Enter(ns(begin), site.clone(), enter));
        steps.push(Step::Exit(ns(end), site, exit));
    };
    let none = Attributes::None;
    let (transfer, is_0) = (Attributes::transfer, thread == 0);
    match is_0 {
        true => region(0.5, 0.7, site(Operation::Put, 0), transfer(1, 64), none),
        false => region(0.6, 0.8, site(Operation::Get, 0), transfer(0, 32), none),
    }
    let lock = Attributes::Lock { lock: 77 };
    let at = if is_0 { 1.0 } else { 1.25 };
    region(at, at + 0.05, site(Operation::Lock, 0), lock, none);
    region(at + 0.1, at + 0.15, site(Operation::Unlock, 0), lock, none);
    let barrier = Attributes::Barrier { value: None };
    match is_0 {
        true => region(2.0, 2.5, site(Operation::Barrier, 0), barrier, none),
        false => region(2.5, 2.5, site(Operation::Barrier, 33), barrier, none),
    }
    let broadcast = Attributes::Collective {
        root: Some(1),
        sent: if is_0 { 0 } else { 8 },
        received: if is_0 { 8 } else { 0 },
        sync_in: SyncMode::Mine,
        sync_out: SyncMode::Mine,
    };
    let begin = if is_0 { 3.0 } else { 3.25 };
    region(begin, 3.5, site(Operation::Broadcast, 0), none, broadcast);
    if is_0 {
        region(3.75, 4.0, Site::function("solve", "prog.c", 17), none, none);
    }
    let main = Site::function("main", "prog.c", 10);
    steps.insert(0, Step::Enter(0, main.clone(), none));
    steps.push(Step::Exit(ns(5.0), main, none));
    steps
}

#[test]
fn what_stands_where_it_is_not_expected_is_counted() {
    let file = with_events(false, |file| {
        file.enter(0, 0.0, foreign::MAIN);
        // A put and a lock outside of any operation; a second put, to another place, in one.
        for transfer in 0..3 {
            if transfer == 1 {
                file.enter(0, 1.0, foreign::PUT);
            }
            let target = F::U4(transfer % 2);
            let fields = [F::U4(0), F::D8(1.0), target, F::U4(transfer), F::U4(16)];
            file.record(123, &fields);
        }
        for transfer in 0..3 {
            let fields = [F::U4(transfer % 2), F::D8(1.0), F::U4(0), F::U4(transfer)];
            file.record(124, &fields);
        }
        file.exit(0, 1.5);
        file.record(130, &[F::U4(0), F::D8(2.0), F::U4(1)]);
        file.exit(0, 2.0);
    });
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("x.elg");
    std::fs::write(&path, file.bytes).unwrap();
    let directory = parent.path().join("e");
    let imported = read_file(&path, &directory, &|_| {}).unwrap();
    assert_eq!(imported.remarks.len(), 2, "{:?}", imported.remarks);
    assert!(imported.remarks[0].ends_with("are not its first (2)"));
    assert!(imported.remarks[1].starts_with("x.elg: changes of locks are not known"));
    let steps = read_steps(&directory).remove(0);
    let transfer = Attributes::transfer(1, 16);
    assert!(matches!(&steps[1], Step::Enter(_, _, attributes) if *attributes == transfer));
}
