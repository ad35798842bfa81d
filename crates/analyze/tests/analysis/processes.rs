//! Several processes analyse together: the result is that of one, whoever reads which streams, and
//! whatever goes wrong is said once. Threads take the place of processes here; messages go through
//! queues, and may be spoiled on the way.

#[allow(dead_code)] // the truth is of no use where results are only compared
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use pgas_analyze::distributed::{Exchange, ExchangeError, Team, help};
use pgas_analyze::{Analysis, Error, analyze, analyze_shared};
use pgas_result::AnalysisResult;
use pgas_trace::builder::Sums;
use pgas_trace::model::{
    Attributes, Module, Operation, PathEntry, ProfileScope, SampleClock, Site, SiteId, StackSample,
    StackSamples,
};
use pgas_trace::names;
use pgas_trace::{Experiment, ExperimentBuilder, Interruption};
use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// By receiver: senders and messages.
type Mail = Arc<Vec<Mutex<VecDeque<(usize, Vec<u8>)>>>>;

/// Damage to a message on its way.
#[derive(Debug, Clone)]
enum Spoil {
    CutOff(f64),
    Changed(f64, u8),
    Replaced(Vec<u8>),
    MadeLonger(Vec<u8>),
    Doubled,
}

impl Spoil {
    /// Messages that arrive instead of `message`.
    fn spoiled(&self, mut message: Vec<u8>) -> Vec<Vec<u8>> {
        let at = |place: f64| (place * message.len() as f64) as usize;
        match self {
            Spoil::CutOff(place) => message.truncate(at(*place)),
            Spoil::Changed(place, change) => {
                let place = at(*place);
                message[place] ^= change;
            }
            Spoil::Replaced(bytes) => message.clone_from(bytes),
            Spoil::MadeLonger(bytes) => message.extend_from_slice(bytes),
            Spoil::Doubled => return vec![message.clone(), message],
        }
        vec![message]
    }
}

/// One message, by sender and number from 0, and what happens to it.
type Accident = Option<(usize, usize, Spoil)>;

struct Letters {
    rank: usize,
    mail: Mail,
    sent: usize,
    accident: Accident,
    has_happened: Arc<AtomicBool>,
}

impl Exchange for Letters {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.mail.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), ExchangeError> {
        let number = self.sent;
        self.sent += 1;
        let arriving = match &self.accident {
            // Dismissals always arrive unchanged, or the test would not end.
            Some((sender, which, spoil))
                if (*sender, *which) == (self.rank, number) && message != b"leave" =>
            {
                self.has_happened.store(true, Ordering::Relaxed);
                spoil.spoiled(message)
            }
            _ => vec![message],
        };
        let mut queue = self.mail[to].lock().unwrap();
        queue.extend(arriving.into_iter().map(|message| (self.rank, message)));
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, ExchangeError> {
        Ok(self.mail[self.rank].lock().unwrap().pop_front())
    }
}

fn cores(number: usize) -> ThreadPool {
    let pool = ThreadPoolBuilder::new().num_threads(number);
    pool.build().unwrap()
}

/// Calls `lead` with a team of `processes` processes of two cores each; the others help.
fn together<R>(
    processes: usize,
    interruption: &Interruption,
    lead: impl FnOnce(&mut Team) -> R,
) -> R {
    together_with(processes, interruption, &None, lead).0
}

/// As [`together`], with an accident; also returns whether it happened.
fn together_with<R>(
    processes: usize,
    interruption: &Interruption,
    accident: &Accident,
    lead: impl FnOnce(&mut Team) -> R,
) -> (R, bool) {
    let mail: Mail = Arc::new((0..processes).map(|_| Mutex::default()).collect());
    let has_happened = Arc::new(AtomicBool::new(false));
    let exchange = |rank| Letters {
        rank,
        mail: mail.clone(),
        sent: 0,
        accident: accident.clone(),
        has_happened: has_happened.clone(),
    };
    thread::scope(|scope| {
        for rank in 1..processes {
            let mut exchange = exchange(rank);
            scope.spawn(move || help(&mut exchange, &cores(2), &Interruption::default()).unwrap());
        }
        let (mut exchange, cores) = (exchange(0), cores(2));
        let mut team = Team::new(&mut exchange, &cores, interruption);
        let result = lead(&mut team);
        team.dismiss().unwrap();
        (result, has_happened.load(Ordering::Relaxed))
    })
}

/// Of one process.
fn alone(experiment: &Experiment) -> Result<Analysis, pgas_analyze::Error> {
    cores(1).install(|| analyze(experiment, &|_| {}))
}

/// The bytes of all files that an analysis leaves.
fn files(analysis: Analysis) -> Vec<(PathBuf, Vec<u8>)> {
    let directory = tempfile::tempdir().unwrap();
    let result = AnalysisResult {
        cube: analysis.cube,
        summary: analysis.summary,
    };
    result.save(directory.path()).unwrap();
    let mut found = Vec::new();
    let mut folders = vec![directory.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(directory.path()).unwrap().to_owned();
                    found.push((name, fs::read(&path).unwrap()));
                }
            }
        }
    }
    found.sort();
    assert!(found.len() >= 2, "{found:?}");
    found
}

fn is_the_same(path: &Path, processes: &[usize]) {
    let experiment = Experiment::open(path).unwrap();
    let expected = files(alone(&experiment).unwrap());
    for &processes in processes {
        let shared = together(processes, &Interruption::default(), |team| {
            analyze_shared(&experiment, team, &|_| {}).unwrap()
        });
        for (own, (name, bytes)) in files(shared).into_iter().zip(&expected) {
            assert_eq!(&own.0, name);
            assert!(
                own.1 == *bytes,
                "{} of {processes} processes",
                name.display()
            );
        }
    }
}

fn synthetic(directory: &Path, threads: u32, events: u64, calls: u64) -> PathBuf {
    let path = directory.join(format!("synthetic-{threads}-{calls}"));
    crate::generator::write(&path, threads, events, calls).unwrap();
    path
}

#[test]
fn any_number_of_processes_finds_the_same() {
    let directory = tempfile::tempdir().unwrap();
    is_the_same(&synthetic(directory.path(), 16, 200_000, 0), &[1, 2, 3, 5]);
    is_the_same(&synthetic(directory.path(), 16, 60_000, 5), &[2, 4]);
    // More than there are threads to share.
    is_the_same(&synthetic(directory.path(), 3, 20_000, 5), &[2, 7]);
}

/// Threads on three nodes whose clocks run apart, with throttled calls and locks; thread 5 recorded
/// nothing.
fn mixed(path: &Path) {
    let threads = 7;
    let mut builder = ExperimentBuilder::new("mixed", threads);
    let site = |operation, line| Site::operation(operation, "a.upc", line);
    let main = Site::function("main", "a.upc", 1);
    let step = Site::function("step", "a.upc", 3);
    for number in (0..threads).filter(|&number| number != 5) {
        let thread = builder.thread(number);
        let node = format!("node-{}", number / 3);
        thread.property("host", &node).property("node", &node);
        thread
            .property("event_cost", "30000")
            .property("clock_cost", "20000");
        thread.enter(0, &main, Attributes::None);
        let mut now = 1_000;
        for round in 0..400_u64 {
            let own = u64::from(number);
            thread.enter(now, &step, Attributes::None);
            let transfer = Attributes::Transfer {
                partner: (number + 1) % threads,
                bytes: 8,
                address: None,
            };
            thread
                .enter(now + 10, &site(Operation::Put, 5), transfer)
                .exit(now + 20, Attributes::None)
                .exit(now + 100 + 7 * own, Attributes::None);
            if round % 9 == own {
                let lock = Attributes::Lock { lock: 77 };
                thread
                    .enter(now + 200, &site(Operation::Lock, 6), lock)
                    .exit(now + 210 + own, Attributes::None)
                    .enter(now + 230 + own, &site(Operation::Unlock, 7), lock)
                    .exit(now + 240 + own, Attributes::None);
            }
            thread
                .enter(
                    now + 300 + (own * round) % 50,
                    &site(Operation::Barrier, 8),
                    Attributes::Barrier { value: None },
                )
                .exit(now + 360, Attributes::None);
            now += 400;
        }
        thread.exit(now, Attributes::None);
        let add = Sums {
            timed_calls: 3,
            ..Sums::new(Some(0), &Site::function("add", "a.upc", 9), 900, 2_000)
        };
        let sums = [Sums::new(None, &main, 0, 0), add];
        thread.sums(ProfileScope::Within, (0, now), &sums);
    }
    builder.write(path).unwrap();
}

#[test]
fn nodes_sums_and_locks_come_through() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mixed");
    mixed(&path);
    is_the_same(&path, &[2, 3, 6]);
}

/// Threads of which each samples where it computes: in main, and in a library that main calls. Names
/// are in a file, as where the program itself is gone.
fn sampled(path: &Path) {
    const MAIN_BY_LINE: [u64; 3] = [0x1000, 0x1010, 0x1020];
    const SYMBOLS: &str = r#"{"format": 1, "names": ["main", "a.upc", "sort"], "modules": [
        {"path": "/prog", "build_id": "ab", "detail": "lines", "addresses": [
            [256, [[0, 1, 10]]], [272, [[0, 1, 11]]], [288, [[0, 1, 12]]]]},
        {"path": "/lib/libc.so.6", "build_id": "cd", "detail": "lines", "addresses": [
            [256, [[2, 1, 99]]]]}]}"#;
    let module = |start, path: &str, build_id: &str| Module {
        start,
        end: start + 0x1000,
        bias: start - 0x100,
        build_id: build_id.into(),
        path: path.into(),
    };
    let threads = 5;
    let main = Site::function("main", "a.upc", 1);
    let mut builder = ExperimentBuilder::new("sampled", threads);
    for number in 0..threads {
        let samples: Vec<StackSample> = (1..=200_u64)
            .map(|k| {
                let line = MAIN_BY_LINE[(k * (u64::from(number) + 1) % 3) as usize];
                StackSample {
                    time: k * 1_000_000,
                    weight: 1,
                    path: Some(0),
                    frames: match k % 4 {
                        0 => vec![0x9000, line + 1],
                        _ => vec![line],
                    },
                }
            })
            .collect();
        let stacks = StackSamples {
            first_time: 0,
            last_time: 200_000_000,
            period_nanoseconds: 1_000_000,
            clock: SampleClock::UserTime,
            lost: 0,
            within_recorder: u64::from(number),
            modules: vec![
                module(0x1000, "/prog", "ab"),
                module(0x9000, "/lib/libc.so.6", "cd"),
            ],
            paths: vec![PathEntry {
                parent: None,
                site: SiteId(0),
            }],
            samples,
        };
        builder
            .thread(number)
            .enter(0, &main, Attributes::None)
            .enter(
                200_000_000 + u64::from(number) * 1_000_000,
                &Site::operation(Operation::Barrier, "a.upc", 20),
                Attributes::Barrier { value: None },
            )
            .exit(205_000_000, Attributes::None)
            .exit(206_000_000, Attributes::None)
            .stack_samples(&stacks, std::slice::from_ref(&main));
    }
    builder.write(path).unwrap();
    fs::write(path.join("symbols.json"), SYMBOLS).unwrap();
}

#[test]
fn samples_of_all_threads_come_through() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sampled");
    sampled(&path);
    let experiment = Experiment::open(&path).unwrap();
    let sampling = alone(&experiment).unwrap().summary.sampling.unwrap();
    assert_eq!((sampling.samples, sampling.within_recorder), (1000, 10));
    assert!(sampling.lines.len() >= 3, "{:?}", sampling.lines);
    is_the_same(&path, &[2, 3, 6]);
}

/// Makes a byte in the midst of a stream's file another one.
fn damage(experiment: &Path, thread: u32) {
    let path = experiment.join("streams").join(names::of_thread(thread));
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    fs::write(&path, bytes).unwrap();
}

#[test]
fn a_damaged_stream_is_the_same_error_and_the_next_experiment_is_analysed() {
    let directory = tempfile::tempdir().unwrap();
    let good = synthetic(directory.path(), 8, 40_000, 5);
    let bad = synthetic(directory.path(), 9, 400_000, 5);
    damage(&bad, 7);
    damage(&bad, 4);
    let (good, bad) = (
        Experiment::open(&good).unwrap(),
        Experiment::open(&bad).unwrap(),
    );
    let expected = alone(&bad).unwrap_err().to_string();
    assert!(expected.contains("thread-000"), "{expected}");
    together(3, &Interruption::default(), |team| {
        for _ in 0..2 {
            let error = analyze_shared(&bad, team, &|_| {}).unwrap_err();
            assert_eq!(error.to_string(), expected);
            let shared = analyze_shared(&good, team, &|_| {}).unwrap();
            assert!(files(shared) == files(alone(&good).unwrap()));
        }
    });
}

#[test]
fn an_experiment_that_only_one_process_sees_is_an_error_that_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let path = synthetic(directory.path(), 4, 20_000, 5);
    let experiment = Experiment::open(&path).unwrap();
    // It is open here, and gone for all others.
    fs::rename(&path, directory.path().join("elsewhere")).unwrap();
    let error = together(2, &Interruption::default(), |team| {
        analyze_shared(&experiment, team, &|_| {}).unwrap_err()
    });
    let message = error.to_string();
    assert!(message.contains("synthetic-4-5"), "{message}");
}

#[test]
fn an_interrupted_analysis_ends_and_so_do_those_that_help() {
    let directory = tempfile::tempdir().unwrap();
    let path = synthetic(directory.path(), 8, 40_000, 5);
    let interruption = Interruption::default();
    let mut experiment = Experiment::open(&path).unwrap();
    experiment.stop_on(&interruption);
    interruption.request();
    let outcome = together(3, &interruption, |team| {
        analyze_shared(&experiment, team, &|_| {})
    });
    assert!(outcome.is_err());
}

/// Places are shares of the message's length.
fn spoils() -> impl Strategy<Value = Spoil> {
    prop_oneof![
        (0.0..1.0).prop_map(Spoil::CutOff),
        (0.0..1.0, 1..=255u8).prop_map(|(place, change)| Spoil::Changed(place, change)),
        prop::collection::vec(any::<u8>(), 0..200).prop_map(Spoil::Replaced),
        prop::collection::vec(any::<u8>(), 1..20).prop_map(Spoil::MadeLonger),
        Just(Spoil::Doubled),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Whichever message is spoiled, in either direction: nobody panics, waits for ever or takes it for another one; the
    /// process that leads gets one error, and no result.
    #[test]
    fn a_message_that_was_spoiled_on_its_way_is_an_error(
        sender in 0..3usize,
        number in 0..30usize,
        spoil in spoils(),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let path = synthetic(directory.path(), 6, 30_000, 5);
        let experiment = Experiment::open(&path).unwrap();
        let expected = files(alone(&experiment).unwrap());
        let accident = Some((sender, number, spoil.clone()));
        let (outcome, has_happened) =
            together_with(3, &Interruption::default(), &accident, |team| {
                analyze_shared(&experiment, team, &|_| {})
            });
        match outcome {
            // The second copy of the last message comes when nobody looks any more.
            Ok(analysis) => {
                prop_assert!(!has_happened || matches!(spoil, Spoil::Doubled));
                prop_assert!(files(analysis) == expected);
            }
            Err(Error::Exchange(ExchangeError::Nonsense)) => prop_assert!(has_happened),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}

/// After such an error the next experiment is not analysed with half of the processes, or for ever.
#[test]
fn whoever_was_told_nonsense_helps_no_more_and_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let path = synthetic(directory.path(), 6, 30_000, 5);
    let experiment = Experiment::open(&path).unwrap();
    // The first order to one of the others.
    let spoil = Spoil::Replaced(b"nonsense".to_vec());
    let (errors, _) = together_with(3, &Interruption::default(), &Some((0, 0, spoil)), |team| {
        [(); 2].map(|()| analyze_shared(&experiment, team, &|_| {}).unwrap_err())
    });
    for error in errors {
        let message = error.to_string();
        assert!(message.contains("the same pgastool"), "{message}");
    }
}
