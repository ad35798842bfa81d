//! The same trace gives the same result whether it went through EPILOG or not, digit for digit.

mod support;

use std::path::Path;

use pgas_epilog::{ByteOrder, Names, Options, read_file, write_file};
use pgas_result::AnalysisResult;
use pgas_trace::clock::{CalibrationPair, ClockKind};
use pgas_trace::format::header::FileHeader;
use pgas_trace::model::{Attributes, Operation, Site, SyncMode};
use pgas_trace::writer::{StreamOptions, StreamWriter};
use pgas_trace::{Experiment, Metadata, experiment};
use serde_json::Value;

/// An action of a thread: at a time, an Enter, or an Exit.
type Action = (u64, Option<Site>, Attributes);

/// A program in which threads wait for each other in every way that there is a pattern for.
fn actions(thread: u32, threads: u32) -> Vec<Action> {
    let at = |operation, line| Site::operation(operation, "prog.upc", line);
    let barrier = Attributes::Barrier { value: None };
    let late = |round: u64| 1_000_003 * (1 + (u64::from(thread) * 7 + round * 3) % 5);
    let mut actions = vec![(
        11,
        Some(Site::function("main", "prog.upc", 3)),
        Attributes::None,
    )];
    for round in 0..20_u64 {
        let begin = 100_000_000 * (round + 1);
        let end = begin + 8_000_000;
        let mut operation = |offset: u64, site: Site, enter, exit, duration: u64| {
            let start = begin + offset + if duration == 0 { late(round) } else { 0 };
            let stop = match duration {
                0 => end + offset + 40 * u64::from(thread),
                _ => start + duration,
            };
            actions.push((start, Some(site), enter));
            actions.push((stop, None, exit));
        };
        operation(0, at(Operation::Barrier, 10), barrier, Attributes::None, 0);
        let collective = |root: u32, sync_in, sync_out| Attributes::Collective {
            root: (root < threads).then_some(root),
            sent: 64 * round,
            received: 640,
            sync_in,
            sync_out,
        };
        use SyncMode::{All, Mine, None as No};
        for (number, operation_kind, root, sync_in, sync_out) in [
            (1, Operation::Broadcast, 1, Mine, Mine),
            (2, Operation::Gather, 0, Mine, All),
            (3, Operation::Exchange, threads, Mine, Mine),
            (4, Operation::PrefixReduce, threads, Mine, No),
            (5, Operation::Reduce, 2, All, All),
        ] {
            operation(
                10_000_000 * number,
                at(operation_kind, 20 + number as u32),
                Attributes::None,
                collective(root, sync_in, sync_out),
                0,
            );
        }
        // One after the other through the lock.
        let turn = 60_000_000 + 2_000_000 * u64::from(thread);
        let lock = Attributes::Lock { lock: 0x40 };
        let wait = 2_000_000 * u64::from(thread) + 100;
        let attempt = Attributes::LockAttempt { acquired: true };
        operation(
            60_000_000,
            at(Operation::Lock, 30),
            lock,
            Attributes::None,
            wait,
        );
        operation(
            turn + 1_000_000,
            at(Operation::Unlock, 32),
            lock,
            Attributes::None,
            500,
        );
        operation(
            80_000_000,
            at(Operation::LockAttempt, 33),
            Attributes::Lock {
                lock: 100 + u64::from(thread),
            },
            attempt,
            70,
        );
        let partner = (thread + 1) % threads;
        let transfer = Attributes::transfer(partner, 8 * round);
        operation(
            81_000_000,
            at(Operation::Get, 40),
            transfer,
            Attributes::None,
            2_123,
        );
        operation(
            82_000_000,
            at(Operation::Memput, 41),
            transfer,
            Attributes::None,
            3_321,
        );
        let copy = Attributes::copy(thread, partner, 4096);
        operation(
            83_000_000,
            at(Operation::Memcpy, 42),
            copy,
            Attributes::None,
            4_567,
        );
        operation(
            84_000_000,
            at(Operation::Notify, 50),
            barrier,
            Attributes::None,
            300 + 1_000_000 * u64::from(thread),
        );
        operation(
            91_000_000,
            at(Operation::Wait, 52),
            barrier,
            Attributes::None,
            400,
        );
        // Single accesses in a row, to the neighbour's data and to own data.
        for access in 0..8 {
            for (line, owner) in [(60, partner), (61, thread)] {
                operation(
                    92_000_000 + 120_000 * access + 50_000 * u64::from(line - 60),
                    at(Operation::Get, line),
                    Attributes::transfer(owner, 8),
                    Attributes::None,
                    45_000,
                );
            }
        }
        // More synchronisation than is needed: both flags beside barriers, and two barriers in a
        // row.
        let lateness = 100_000 * u64::from(thread);
        // Each thread's part lasts from its coming to about the end of all.
        for (operation_kind, line, start, end) in [
            (Operation::Barrier, 70, 93_000_000, 93_500_000),
            (Operation::Permute, 71, 93_600_000, 94_400_000),
            (Operation::Barrier, 72, 94_500_000, 95_000_000),
            (Operation::Barrier, 73, 95_100_000, 95_600_000),
        ] {
            let (enter, exit) = match operation_kind {
                Operation::Barrier => (barrier, Attributes::None),
                _ => (Attributes::None, collective(threads, All, All)),
            };
            operation(
                start + lateness,
                at(operation_kind, line),
                enter,
                exit,
                end - start - lateness + 10 * u64::from(thread),
            );
        }
    }
    actions.push((3_000_000_000, None, Attributes::None));
    actions
}

/// The program on a time stamp counter of an uneven rate, which is how runs are really recorded.
fn recorded(directory: &Path, threads: u32, cut: Option<(u32, usize)>) -> Experiment {
    let mut metadata = Metadata::new("./prog", &["-n".to_owned()], threads);
    metadata.cores = Some(2);
    metadata.end(Ok(0), 3.0);
    experiment::create(directory, &metadata).unwrap();
    let first = 987_654_321_012_345;
    for thread in 0..threads {
        let header = FileHeader {
            clock: ClockKind::TimeStampCounter,
            thread,
            threads,
            process: 100 + thread,
            start: CalibrationPair {
                ticks: first,
                nanoseconds: 5_000,
            },
            start_unix: 0,
        };
        let mut writer = StreamWriter::new(Vec::new(), header, StreamOptions::default()).unwrap();
        writer.calibrate(CalibrationPair {
            ticks: first + 7_777_777_777 + u64::from(thread),
            nanoseconds: 5_000 + 3_333_333_331,
        });
        writer
            .property("host", &format!("node{}", thread / 2))
            .unwrap();
        writer.property("node", "the same clock").unwrap();
        // The compiler saw all accesses, so that advice that rests on them is given.
        writer.property("unseen", "units=1;").unwrap();
        let actions = actions(thread, threads);
        let cut_here = cut.filter(|(cut, _)| *cut == thread);
        let count = cut_here.map_or(actions.len(), |(_, count)| count);
        for (time, site, attributes) in &actions[..count] {
            let time = first + 99 + time * 7 / 3;
            match site {
                Some(site) => {
                    let site = writer.site(site);
                    writer.enter(time, site, *attributes).unwrap();
                }
                None => writer.exit(time, *attributes).unwrap(),
            }
        }
        let bytes = match cut_here {
            None => writer.finish().unwrap(),
            Some(_) => writer.abandon().unwrap(),
        };
        let name = pgas_trace::names::of_thread(thread);
        std::fs::write(directory.join("streams").join(name), bytes).unwrap();
    }
    Experiment::open(directory).unwrap()
}

/// The report and the file of severities.
fn result(experiment: &Experiment) -> (String, String) {
    let analysis = pgas_analyze::analyze(experiment, &|_| {}).unwrap();
    let cube = pgas_cube::cube3::to_string(&analysis.cube).unwrap();
    let result = AnalysisResult {
        cube: analysis.cube,
        summary: analysis.summary,
    };
    (pgas_report::json(&result), cube)
}

/// All that was concluded, whether reports show it or not.
fn summary(experiment: &Experiment) -> Value {
    let analysis = pgas_analyze::analyze(experiment, &|_| {}).unwrap();
    serde_json::to_value(&analysis.summary).unwrap()
}

fn through_epilog(original: &Experiment, file: &str, options: Options) -> Experiment {
    let parent = tempfile::tempdir().unwrap().keep();
    let file = parent.join(file);
    write_file(original, &file, options, &|_| {}).unwrap();
    let again = parent.join("again");
    read_file(&file, &again, &|_| {}).unwrap();
    let again = Experiment::open(&again).unwrap();
    std::fs::remove_dir_all(parent).unwrap();
    again
}

#[test]
fn every_digit_is_the_same() {
    let parent = tempfile::tempdir().unwrap();
    let original = recorded(&parent.path().join("a"), 4, None);
    let (report, cube) = result(&original);
    // There is something to compare: all that a summary can have, but for comparisons of clocks.
    let conclusions = summary(&original);
    for part in [
        "findings",
        "instances",
        "synchronization",
        "communication",
        "accesses",
        "causes",
        "phases",
    ] {
        let is_empty = matches!(&conclusions[part], Value::Array(list) if list.is_empty());
        assert!(!conclusions[part].is_null() && !is_empty, "{part}");
    }
    for metric in [
        "wait_at_barrier",
        "late_broadcast",
        "early_gather",
        "early_prefix_reduce",
        "wait_at_nxn",
        "collective_sync_in",
        "lock_contention",
        "split_phase_wait",
        "bytes_get",
    ] {
        assert!(report.contains(&format!("\"{metric}")), "{metric}");
    }
    let parsed: Value = serde_json::from_str(&report).unwrap();
    let spread = |metric: &str, field: &str| {
        let mut all = parsed["instances"].as_array().unwrap().iter();
        let instances = all.find(|i| i["metric"] == metric).unwrap();
        instances["spread"][field]["median"].as_f64().unwrap()
    };
    assert!(spread("wait_at_barrier", "threads") > 0.0);
    assert!(spread("nxn_completion", "until_last_exit") > 0.0);
    let total = |metric: &str| parsed["metrics"][metric]["total"].as_f64().unwrap();
    for metric in [
        "wait_at_barrier",
        "late_broadcast",
        "wait_at_nxn",
        "lock_contention",
        "bytes_put",
        "delay_short_term",
        "critical_path",
        "critical_path_imbalance",
        "delay_long_term",
    ] {
        assert!(total(metric) > 0.0, "{metric}");
    }
    for names in [Names::Upc, Names::Shmem] {
        for byte_order in [ByteOrder::Little, ByteOrder::Big] {
            for file in ["t.elg", "t.elg.gz"] {
                let again = through_epilog(&original, file, Options { names, byte_order });
                assert_eq!(summary(&again), conclusions);
                assert_eq!(result(&again), (report.clone(), cube.clone()));
            }
        }
    }
}

#[test]
fn a_run_that_was_killed_gives_the_same_figures() {
    let parent = tempfile::tempdir().unwrap();
    // In the middle of a lock.
    let original = recorded(&parent.path().join("a"), 3, Some((1, 14 + 300)));
    let again = through_epilog(&original, "t.elg", Options::default());
    let ((report, cube), (report_again, cube_again)) = (result(&original), result(&again));
    assert_eq!(cube_again, cube);
    // The remark on the file that ends early names that file and an offset.
    let without_remarks = |report: &str| {
        let mut report: Value = serde_json::from_str(report).unwrap();
        let remarks = report["remarks"].take();
        let of_file = |remark: &&Value| remark.to_string().contains("the file ends early");
        let count = remarks.as_array().unwrap().iter().filter(of_file).count();
        (report, count)
    };
    assert_eq!(without_remarks(&report_again), without_remarks(&report));
    assert_eq!(without_remarks(&report).1, 1);
}
