//! Whether the machine took the cores away from a measured run: such a run may deviate from what a
//! test expects, and be repeated. Of those on a quiet machine, one in fifty may: a hypervisor does
//! not report every interruption to its guests.

#![allow(dead_code)] // each test file uses its own part

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use pgas_trace::{CoreUse, Experiment};

use crate::not_tested::not_tested;

/// Runs of this process that were compared with what they should be, and those among them that
/// deviated and were repeated as the machine had disturbed them.
static JUDGED: AtomicUsize = AtomicUsize::new(0);
static REPEATED: AtomicUsize = AtomicUsize::new(0);
/// Judged runs that the machine had disturbed, whether they deviated or not.
static DISTURBED: AtomicUsize = AtomicUsize::new(0);
/// Repetitions of runs that deviated although nothing is known to have disturbed them.
static UNEXPLAINED: Mutex<usize> = Mutex::new(0);

/// Share of the judged runs that may be repeated on a quiet machine; one run may be in any case.
const MAY_BE_REPEATED: f64 = 0.02;
/// Share of the judged runs below which disturbed ones leave the machine quiet.
const QUIET: f64 = 0.1;

/// Time that processes other than the measured program took from its threads.
#[derive(Debug, Clone, Copy)]
pub struct Taken {
    /// Seconds, summed over threads, for which a thread was ready to run and had no core, beyond
    /// what the program's own threads can take from each other; 0 where the kernel does not say.
    pub by_processes: f64,
    /// Seconds that the hypervisor took from the cores.
    pub by_hypervisor: f64,
    /// Time of all threads, in seconds.
    pub of: f64,
}

impl Taken {
    /// Seconds of threads without a core.
    pub fn seconds(&self) -> f64 {
        self.by_processes + self.by_hypervisor
    }

    /// The same as a share of the threads' time.
    pub fn share(&self) -> f64 {
        self.seconds() / self.of
    }
}

/// A run in progress.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    stolen: f64,
}

impl Watch {
    /// From now on.
    pub fn start() -> Self {
        Watch { stolen: stolen() }
    }

    /// Core time that was taken from the run that has just ended.
    pub fn end(self, experiment: &Path) -> Taken {
        let by_hypervisor = stolen() - self.stolen;
        let experiment = Experiment::open(experiment)
            .unwrap_or_else(|e| panic!("{}: {e}", experiment.display()));
        let used: Vec<CoreUse> = experiment
            .streams()
            .iter()
            .filter_map(|stream| stream.core_use())
            .collect();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Taken {
            by_processes: taken_by_processes(&used, cores),
            by_hypervisor,
            of: used.iter().map(|used| used.wall as f64 * 1e-9).sum(),
        }
    }
}

/// With more threads than cores, all of them ready, threads wait (threads - cores) / cores times as
/// long as they run.
fn taken_by_processes(used: &[CoreUse], cores: usize) -> f64 {
    let waited: u64 = used.iter().filter_map(|used| used.run_queue_wait).sum();
    let ran: u64 = used.iter().map(|used| used.cpu).sum();
    let waiting = used.len().saturating_sub(cores) as f64 / cores as f64;
    (1e-9 * (waited as f64 - waiting * ran as f64)).max(0.0)
}

/// Seconds that the hypervisor has taken from all cores, in steps of a hundredth.
fn stolen() -> f64 {
    let text = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let cores = text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("cpu "));
    // After user, nice, system, idle, iowait, irq and softirq.
    let steal = cores.and_then(|cores| cores.split_whitespace().nth(7)?.parse::<f64>().ok());
    0.01 * steal.unwrap_or(0.0)
}

/// Result of one run.
#[derive(Debug)]
pub struct Attempt<T> {
    pub result: T,
    pub is_right: bool,
    /// Whether the machine explains that it is wrong.
    pub is_disturbed: bool,
}

/// How a run and its repetitions ended.
#[derive(Debug)]
struct Decision<T> {
    /// `None` if all runs were wrong and disturbed.
    last: Option<T>,
    runs: usize,
    was_disturbed: bool,
}

/// `may_repeat` is asked before a run is repeated that was wrong and not disturbed.
fn decide<T>(
    attempts: usize,
    mut run: impl FnMut(usize) -> Attempt<T>,
    mut may_repeat: impl FnMut() -> bool,
) -> Decision<T> {
    let mut decision = Decision {
        last: None,
        runs: 0,
        was_disturbed: false,
    };
    while decision.runs < attempts {
        decision.runs += 1;
        let attempt = run(decision.runs);
        decision.was_disturbed |= attempt.is_disturbed;
        let is_final = attempt.is_right
            || (!attempt.is_disturbed && (decision.runs == attempts || !may_repeat()));
        if is_final {
            decision.last = Some(attempt.result);
            break;
        }
    }
    decision
}

/// Runs until a run is right, at most `attempts` times; a wrong one is repeated only if the machine
/// disturbed it, or if few enough were repeated so far that it had not. `run` gets the number of
/// the attempt, from 1. Returns the last result, or `None` if all runs were wrong and the last one
/// was disturbed. The list of what was not tested has both cases.
pub fn judge<T>(title: &str, attempts: usize, run: impl FnMut(usize) -> Attempt<T>) -> Option<T> {
    let judged = 1 + JUDGED.fetch_add(1, Ordering::Relaxed);
    let decision = decide(attempts, run, || {
        let mut unexplained = UNEXPLAINED.lock().expect("no holder panics");
        let may_repeat = *unexplained < allowed_repeats(judged);
        *unexplained += usize::from(may_repeat);
        may_repeat
    });
    let is_repeated = decision.runs > 1;
    REPEATED.fetch_add(usize::from(is_repeated), Ordering::Relaxed);
    DISTURBED.fetch_add(usize::from(decision.was_disturbed), Ordering::Relaxed);
    let runs = decision.runs;
    if decision.last.is_none() {
        not_tested(&format!(
            "{title}: the machine took the cores in all {runs} runs"
        ));
    } else if is_repeated {
        let reason = match decision.was_disturbed {
            true => "the machine took their cores",
            false => "deviated on a quiet machine",
        };
        not_tested(&format!(
            "runs of {title} before the last of {runs}: {reason}"
        ));
    }
    decision.last
}

/// Says how many runs were judged and repeated so far. Panics if more were repeated than a machine
/// explains that was quiet.
pub fn check_repeats() -> String {
    let [judged, repeated, disturbed] =
        [&JUDGED, &REPEATED, &DISTURBED].map(|count| count.load(Ordering::Relaxed));
    let unexplained = *UNEXPLAINED.lock().expect("no holder panics");
    let text = format!(
        "{judged} runs judged: {repeated} repeated, {unexplained} of these times undisturbed; \
         {disturbed} runs disturbed by the machine"
    );
    assert!(is_plausible(judged, repeated, disturbed), "{text}");
    text
}

/// Runs that happen to be right are disturbed as often as the others: if the machine was quiet for
/// them, something else is wrong with those that were repeated.
fn is_plausible(judged: usize, repeated: usize, disturbed: usize) -> bool {
    let right = judged.saturating_sub(repeated) as f64;
    let is_quiet = disturbed.saturating_sub(repeated) as f64 <= QUIET * right;
    !is_quiet || repeated <= allowed_repeats(judged)
}

/// How many of the judged runs may be repeated on a quiet machine.
fn allowed_repeats(judged: usize) -> usize {
    ((MAY_BE_REPEATED * judged as f64) as usize).max(1)
}

#[test]
fn own_threads_take_cores_from_each_other() {
    let thread = |cpu: u64, wait: u64| CoreUse {
        wall: 1_000_000_000,
        cpu,
        run_queue_wait: Some(wait),
        ..CoreUse::default()
    };
    let half = [thread(500_000_000, 500_000_000); 4];
    assert_eq!(taken_by_processes(&half, 2), 0.0);
    assert_eq!(taken_by_processes(&half, 4), 2.0);
    let slept = [thread(1_000_000, 3_000_000); 4];
    assert!((taken_by_processes(&slept, 2) - 0.008).abs() < 1e-12);
    let unknown = CoreUse {
        run_queue_wait: None,
        ..half[0]
    };
    assert_eq!(taken_by_processes(&[unknown], 1), 0.0);
}

#[test]
fn a_wrong_run_on_a_quiet_machine_is_repeated_only_where_that_is_rare() {
    let runs = |disturbed: &[bool], mut unexplained: usize| {
        let attempt = |number: usize| Attempt {
            result: (),
            is_right: false,
            is_disturbed: disturbed[number - 1],
        };
        let may_repeat = || {
            let may = unexplained > 0;
            unexplained = unexplained.saturating_sub(1);
            may
        };
        let decision = decide(disturbed.len(), attempt, may_repeat);
        (decision.runs, decision.last.is_some())
    };
    assert_eq!(runs(&[false, false], 0), (1, true));
    assert_eq!(runs(&[false, false, false], 1), (2, true));
    assert_eq!(runs(&[false, false], 9), (2, true));
    assert_eq!(runs(&[true, false, true], 0), (2, true));
    assert_eq!(runs(&[true, true], 0), (2, false));
    assert_eq!([1, 99, 100, 250].map(allowed_repeats), [1, 1, 2, 5]);
}

#[test]
fn repeats_are_suspicious_where_the_others_were_quiet() {
    assert!(is_plausible(100, 2, 2));
    assert!(!is_plausible(100, 3, 3));
    assert!(is_plausible(100, 30, 70));
    assert!(is_plausible(5, 1, 1));
    assert!(!is_plausible(5, 2, 2));
}
