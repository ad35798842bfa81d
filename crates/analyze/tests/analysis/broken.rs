//! Traces that end early, lack events or contradict themselves: analysed up to there, with a remark
//! that says who did what where; and experiments that cannot be analysed at all.

use crate::common::{FILE, alone, analyse, collective, lock, per_thread};
use pgas_analyze::{Analysis, Error, analyze};
use pgas_earl::StreamBuilder;
use pgas_earl::build::operation_site;
use pgas_trace::model::{Attributes, Operation, Site, SyncMode};
use pgas_trace::writer::StreamOptions;
use pgas_trace::{Experiment, ExperimentBuilder};
use tempfile::TempDir;

fn remark<'a>(analysis: &'a Analysis, part: &str) -> &'a str {
    let remarks = &analysis.summary.remarks;
    let found = remarks.iter().find(|remark| remark.contains(part));
    found.unwrap_or_else(|| panic!("no remark with {part:?} in {remarks:#?}"))
}

#[test]
fn barriers_that_one_thread_never_reached_are_not_judged() {
    let stream = |barriers: u64| {
        let mut s = StreamBuilder::new();
        s.call(0, "main", FILE, 1);
        for round in 0..barriers {
            let begin = 10 + round * 100 + barriers;
            s.operation(begin, begin + 50, Operation::Barrier, FILE, 7);
        }
        s.leave(1000);
        s
    };
    let a = analyse(&[stream(5), stream(3), stream(5)]);
    assert_eq!(per_thread(&a, "wait_at_barrier"), [0.0, 6.0, 0.0]);
    let text = remark(&a, "not searched");
    assert_eq!(
        text,
        "barrier 3 (counted from 0) was left by threads 0 and 2 in upc_barrier (a.upc:7), but in \
         this trace not by thread 1; it and what came after (2 in all) are not searched for wait \
         states"
    );
}

/// Processes of MPI or OpenSHMEM that exit before the collective end of their model.
#[test]
fn threads_that_exit_on_their_own_are_named() {
    let stream = |end: Operation| {
        let mut s = StreamBuilder::new();
        s.call(0, "main", FILE, 1);
        s.operation(100, 110, end, FILE, 9);
        s.leave(120);
        s
    };
    let left = |ends: [Operation; 3]| {
        let a = analyse(&ends.map(stream));
        let mut remarks = a.summary.remarks.into_iter();
        remarks.find(|remark| remark.contains("left the program in"))
    };
    let (alone, together) = (Operation::NoncollectiveExit, Operation::CollectiveExit);
    let all = left([alone; 3]).unwrap();
    assert!(all.starts_with("threads 0-2 left the program in"), "{all}");
    assert!(
        all.ends_with(", each without waiting for the others"),
        "{all}"
    );
    let one = left([together, alone, together]).unwrap();
    assert!(one.starts_with("thread 1 left the program in"), "{one}");
    assert!(one.ends_with(", without the other threads"), "{one}");
    assert_eq!(left([together; 3]), None);
}

#[test]
fn different_collectives_are_named_and_end_the_matching() {
    let stream = |thread: u64, second: Operation, root| {
        let mut s = StreamBuilder::new();
        s.call(0, "main", FILE, 1);
        for (begin, operation, line) in [
            (10, Operation::Exchange, 5),
            (100, second, 6),
            (200, Operation::Exchange, 7),
        ] {
            s.begin(begin + 10 * thread, operation, FILE, line, Attributes::None);
            let root = (operation != Operation::Exchange).then_some(root);
            s.exit(begin + 50, collective(root, SyncMode::Mine, SyncMode::None));
        }
        s.leave(1000);
        s
    };
    let a = analyse(&[
        stream(0, Operation::Gather, 1),
        stream(1, Operation::Broadcast, 1),
    ]);
    assert_eq!(per_thread(&a, "wait_at_nxn"), [10.0, 0.0]);
    assert_eq!(
        remark(&a, "disagree"),
        "the threads disagree: as collective operation 1 (counted from 0), thread 0 entered \
         upc_all_gather (a.upc:6), called from main, after 100 s, while thread 1 entered \
         upc_all_broadcast (a.upc:6), called from main, after 110 s; collective operations are \
         matched up to there, and not searched for wait states from there on"
    );
    let a = analyse(&[
        stream(0, Operation::Gather, 0),
        stream(1, Operation::Gather, 1),
    ]);
    assert!(remark(&a, "disagree").contains("root 0"));
}

#[test]
fn barrier_values_that_differ_are_told() {
    let stream = |value| {
        let mut s = StreamBuilder::new();
        s.begin(
            0,
            Operation::Barrier,
            FILE,
            7,
            Attributes::Barrier { value: Some(value) },
        );
        s.leave(10);
        s
    };
    let a = analyse(&[stream(1), stream(1), stream(2)]);
    assert_eq!(
        remark(&a, "disagree"),
        "the threads disagree: as barrier 0 (counted from 0), threads 0 and 1 entered upc_barrier \
         (a.upc:7) with the value 1, after 0 s, while thread 2 entered upc_barrier (a.upc:7) with \
         the value 2, after 0 s"
    );
}

#[test]
fn a_lock_that_was_never_released_is_told() {
    let mut first = StreamBuilder::new();
    first.begin(0, Operation::Lock, FILE, 3, lock(9)).leave(1);
    let mut second = StreamBuilder::new();
    second.begin(0, Operation::Lock, FILE, 3, lock(9)).leave(20);
    let a = analyse(&[first, second]);
    assert_eq!(per_thread(&a, "lock_contention"), [0.0, 0.0]);
    assert_eq!(
        remark(&a, "thread 1 took a lock"),
        "thread 1 took a lock in upc_lock (a.upc:3), after 20.0 s, that thread 0 took in upc_lock \
         (a.upc:3), after 1.00 s, and by its trace had not given back: events are missing or the \
         program is wrong, and lock contention is a lower bound"
    );
}

#[test]
fn a_thread_without_events_has_no_time() {
    let a = analyse(&[
        alone(Operation::Barrier, 10, 20, Attributes::None),
        StreamBuilder::new(),
    ]);
    assert_eq!(per_thread(&a, "time"), [1000.0, 0.0]);
    assert_eq!(per_thread(&a, "visits"), [3.0, 0.0]);
    remark(&a, "in this trace not by thread 1");
}

#[test]
fn no_stream_of_events_can_break_the_analysis() {
    use pgas_trace::model::{EventKind, SiteId};
    let mut numbers = crate::common::numbers::Numbers(7);
    for _ in 0..60 {
        let streams: Vec<StreamBuilder> = (0..3).map(|_| garbage(&mut numbers)).collect();
        analyse(&streams);
    }

    /// Enters and exits of anything in any order, with attributes that do not fit.
    fn garbage(numbers: &mut crate::common::numbers::Numbers) -> StreamBuilder {
        let mut s = StreamBuilder::new();
        for (line, &operation) in EVERYTHING.iter().enumerate() {
            s.operation(0, 0, operation, FILE, line as u32);
        }
        let mut time = 0;
        for _ in 0..200 {
            time += numbers.below(4);
            let site = SiteId(numbers.below(EVERYTHING.len() as u64) as u32);
            let attributes = match numbers.below(6) {
                0 => lock(numbers.below(2)),
                1 => Attributes::LockAttempt { acquired: true },
                2 => Attributes::transfer(77, u64::MAX),
                3 => collective(Some(numbers.below(9) as u32), SyncMode::Mine, SyncMode::All),
                4 => Attributes::Barrier { value: Some(1) },
                _ => Attributes::None,
            };
            s.push(
                time,
                match numbers.chance(2) {
                    true => EventKind::Enter { site, attributes },
                    false => EventKind::Exit { site, attributes },
                },
            );
        }
        s
    }

    use Operation::*;
    const EVERYTHING: [Operation; 17] = [
        Function,
        MeasurementStall,
        NoCore,
        Notify,
        Wait,
        Barrier,
        Lock,
        LockAttempt,
        Unlock,
        AllAlloc,
        Get,
        Broadcast,
        Gather,
        PrefixReduce,
        GatherAll,
        CollectiveExit,
        NoncollectiveExit,
    ];
}

fn function(name: &str) -> Site {
    Site {
        operation: Operation::Function,
        file: FILE.into(),
        line: 1,
        name: name.into(),
    }
}

/// Ten barriers, to which thread 1 comes 1000 ns late; the streams end after `threads[t]` of them.
fn experiment(threads: &[u64], options: StreamOptions) -> ExperimentBuilder {
    let mut builder =
        ExperimentBuilder::with_options("/home/me/prog", threads.len() as u32, options);
    for (thread, &rounds) in threads.iter().enumerate() {
        let stream = builder.thread(thread as u32);
        stream.enter(100, &function("main"), Attributes::None);
        for round in 0..rounds {
            let late = if thread == 1 { 1000 } else { 0 };
            let begin = 200 + round * 10_000;
            stream.enter(
                begin + late,
                &operation_site(Operation::Barrier, FILE, 7),
                Attributes::None,
            );
            stream.exit(begin + 1100, Attributes::None);
        }
        if rounds == 10 {
            stream.exit(200_000, Attributes::None);
        } else {
            stream.killed();
        }
    }
    builder
}

fn analyse_experiment(builder: ExperimentBuilder) -> (TempDir, Result<Analysis, Error>) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("experiment");
    builder.write(&path).unwrap();
    let experiment = Experiment::open(&path).unwrap();
    let analysis = analyze(&experiment, &|_| {});
    (directory, analysis)
}

#[test]
fn threads_that_shared_cores_are_told() {
    for (cores, told) in [
        (Some(1), true),
        (Some(2), true),
        (Some(3), false),
        (None, false),
    ] {
        let mut builder = experiment(&[10, 10, 10], StreamOptions::default());
        builder.metadata_mut().cores = cores;
        let (_directory, analysis) = analyse_experiment(builder);
        let remarks = analysis.unwrap().summary.remarks;
        let found = remarks.iter().any(|r| r.starts_with("3 threads shared "));
        assert_eq!(
            (found, remarks.len()),
            (told, usize::from(told)),
            "{cores:?}: {remarks:?}"
        );
    }
}

#[test]
fn an_experiment_is_described() {
    let (_directory, analysis) =
        analyse_experiment(experiment(&[10, 10, 10], StreamOptions::default()));
    let a = analysis.unwrap();
    crate::common::check_sums(&a);
    assert_eq!(a.summary.program, "prog");
    assert_eq!((a.summary.threads, a.summary.schema), (3, 1));
    assert!((a.summary.wall_seconds - 199_900e-9).abs() < 1e-15);
    assert!(a.summary.remarks.is_empty(), "{:?}", a.summary.remarks);
    for (found, truth) in per_thread(&a, "wait_at_barrier")
        .into_iter()
        .zip([10e-6, 0.0, 10e-6])
    {
        assert!((found - truth).abs() < 1e-15);
    }
    assert_eq!(a.cube.call_paths[0].parent, None);
    assert_eq!(a.cube.regions[0].name, "prog");
    assert_eq!(a.cube.threads[2].name, "Thread 2");
    assert_eq!(a.cube.attributes["threads"], "3");
}

#[test]
fn a_killed_run_is_analysed_up_to_there() {
    let (_directory, analysis) =
        analyse_experiment(experiment(&[6, 4, 5], StreamOptions::default()));
    let a = analysis.unwrap();
    let waited: f64 = per_thread(&a, "wait_at_barrier").iter().sum();
    assert!((waited - 8e-6).abs() < 1e-15, "{waited}");
    remark(
        &a,
        "threads 0-2: the traces end between 31.2 µs and 51.2 µs in main (a.upc:1)",
    );
    assert!(remark(&a, "barrier 4 (counted").contains("in this trace not by thread 1"));
}

#[test]
fn nothing_is_numbered_behind_a_gap() {
    // Small blocks, one of which is cut out of the middle of thread 0's stream, which has no index
    // yet.
    let options = StreamOptions {
        block_size: 16,
        ..StreamOptions::default()
    };
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("experiment");
    experiment(&[9, 10], options).write(&path).unwrap();
    let file = path.join("streams").join("thread-0000.pgt");
    let (cut, before) = {
        let whole = Experiment::open(&path).unwrap();
        let blocks = whole.streams()[0].blocks();
        assert!(blocks.len() >= 4, "{}", blocks.len());
        let from = blocks[2].offset as usize;
        let to = from + blocks[2].stored_bytes() as usize;
        (from..to, blocks[1].last_time)
    };
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.drain(cut);
    std::fs::write(&file, bytes).unwrap();
    let experiment = Experiment::open(&path).unwrap();
    let a = analyze(&experiment, &|_| {}).unwrap();
    // Only what ended before the gap is matched: 1000 ns for each of those barriers.
    let complete = (0..10)
        .filter(|round| 200 + round * 10_000 + 1100 < before)
        .count();
    assert!(complete < 8);
    let waited = per_thread(&a, "wait_at_barrier");
    assert!(
        (waited[0] - complete as f64 * 1e-6).abs() < 1e-15,
        "{waited:?} {complete}"
    );
    remark(&a, "in this trace not by thread 0");
}

#[test]
fn an_experiment_without_events_is_an_error() {
    let (_directory, analysis) = analyse_experiment(ExperimentBuilder::new("prog", 2));
    let error = analysis.unwrap_err();
    assert!(matches!(error, Error::NoEvents { .. }), "{error}");
}

#[test]
fn damage_is_an_error_with_file_and_offset() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("experiment");
    experiment(&[10, 10], StreamOptions::default())
        .write(&path)
        .unwrap();
    let file = path.join("streams").join("thread-0001.pgt");
    let mut bytes = std::fs::read(&file).unwrap();
    let offset = {
        let whole = Experiment::open(&path).unwrap();
        let block = whole.streams()[1].blocks()[0];
        (block.offset + block.stored_bytes() - 1) as usize
    };
    bytes[offset] ^= 0x55;
    std::fs::write(&file, bytes).unwrap();
    let error = Experiment::open(&path)
        .map_err(Error::from)
        .and_then(|experiment| analyze(&experiment, &|_| {}))
        .unwrap_err()
        .to_string();
    assert!(error.contains("thread-0001.pgt: offset "), "{error}");
}

#[test]
fn a_description_with_too_few_threads_is_corrected_by_the_streams() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("experiment");
    experiment(&[10, 10], StreamOptions::default())
        .write(&path)
        .unwrap();
    let mut metadata = pgas_trace::Metadata::load(&path).unwrap();
    metadata.threads = 1;
    metadata.save(&path).unwrap();
    let experiment = Experiment::open(&path).unwrap();
    let analysis = analyze(&experiment, &|_| {}).unwrap();
    assert_eq!(analysis.summary.threads, 2);
    remark(&analysis, "its streams say 2: it is taken to have had 2");
}
