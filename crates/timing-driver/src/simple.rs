//! Times launches after a barrier, until the method of `pgas_timing` is there.

use crate::operation::Prepared;
use crate::processes::Timed;
use pgas_timing::job::Method;
use pgas_timing::operation::Operation;
use pgas_timing::processes::Processes;
use pgas_timing::record::{Summary, Timing};

const LAUNCHES: u64 = 20;

/// The timing on thread 0; what comes from the job is missing.
pub fn time(processes: &Timed, operation: &mut Prepared) -> Option<Timing> {
    let mut times = Vec::new();
    for launch in 0..LAUNCHES {
        operation.ready(launch);
        processes.barrier();
        let begin = processes.now();
        operation.run(launch);
        let took = processes.now() - begin;
        operation.done(launch);
        times.push(latest(processes, took));
    }
    let threads = processes.threads();
    threads.is_first().then(|| timing(threads.number(), times))
}

/// The longest of all threads, on thread 0.
fn latest(processes: &Timed, took: f64) -> f64 {
    let threads = processes.threads();
    if !threads.is_first() {
        threads.send(0, &[took.to_bits()]);
        return took;
    }
    let mut longest = took;
    for other in 1..threads.number() {
        let mut word = [0];
        threads.receive(other, &mut word);
        longest = longest.max(f64::from_bits(word[0]));
    }
    longest
}

fn timing(threads: usize, times: Vec<f64>) -> Timing {
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let deviations = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>();
    let error = (deviations / ((times.len() - 1) * times.len()) as f64).sqrt();
    let summary = Summary {
        correct: times.len() as u32,
        kept: times.len() as u32,
        mean,
        standard_error: error,
        minimum: times.iter().copied().fold(f64::INFINITY, f64::min),
        maximum: times.iter().copied().fold(0.0, f64::max),
        error: 2.0 * error,
        interval: (mean - 2.0 * error, mean + 2.0 * error),
    };
    Timing {
        case: 0,
        what: pgas_timing::job::Case {
            operation: String::new(),
            bytes: None,
            arguments: Default::default(),
        },
        repetition: 0,
        threads,
        method: Method::Barrier,
        launches: times.len() as u32,
        summary,
        times,
        clock_uncertainty: 0.0,
        per_thread: Vec::new(),
        stages: Vec::new(),
        picture: Vec::new(),
        overlap: None,
        repeats: 1,
        verified: None,
    }
}

/// Smallest difference of two readings, and the time of one.
pub fn reading(processes: &Timed) -> (f64, f64) {
    let begin = processes.now();
    let (mut before, mut smallest) = (begin, f64::INFINITY);
    for _ in 0..1000 {
        let now = processes.now();
        if now > before {
            smallest = smallest.min(now - before);
        }
        before = now;
    }
    (smallest, (before - begin) / 1000.0)
}
