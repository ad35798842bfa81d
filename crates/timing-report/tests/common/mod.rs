//! A result as drivers report it, with times that follow known models.

use pgas_statistics::trimmed::Trimmed;
use pgas_timing::job::{Case, Method, Order, Settings, Timer};
use pgas_timing::record::{
    Clocks, Launch, Overlap, Stage, Start, Summary, TimerCheck, TimerRow, Timing,
};
use pgas_timing_report::results::{Failure, Results, Run, SCHEMA};

/// Times of a case around a mean, reproducibly.
pub fn times(mean: f64, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..31).map(|_| mean * (0.97 + 0.06 * next())).collect()
}

pub fn summary(times: &[f64]) -> Summary {
    let trimmed = Trimmed::of(times, 0.25).unwrap();
    let error = trimmed.error(0.95);
    Summary {
        correct: trimmed.count as u32,
        kept: trimmed.kept as u32,
        mean: trimmed.mean,
        standard_error: trimmed.standard_error,
        minimum: trimmed.minimum,
        maximum: trimmed.maximum,
        error,
        interval: (trimmed.mean - error - 2e-9, trimmed.mean + error + 1e-9),
    }
}

pub fn timing(operation: &str, bytes: Option<u64>, threads: usize, mean: f64, seed: u64) -> Timing {
    let times = times(mean, seed);
    let by_thread = |thread: usize| {
        times
            .iter()
            .map(|t| t * (0.8 + 0.2 * thread as f64 / threads as f64))
            .collect::<Vec<_>>()
    };
    let launch = |number: usize| Launch {
        starts: (0..threads)
            .map(|thread| 1e-8 * (thread + number) as f64)
            .collect(),
        ends: (0..threads)
            .map(|thread| mean * (0.9 + 0.02 * ((thread * 3 + number) % 5) as f64))
            .collect(),
        correct: number != 5,
    };
    Timing {
        case: 0,
        what: Case {
            operation: operation.to_string(),
            bytes,
            arguments: [("root".to_string(), "0".to_string())].into(),
        },
        repetition: 0,
        threads,
        method: Method::Window,
        launches: 40,
        summary: summary(&times),
        clock_uncertainty: 2e-9,
        start_error: 1e-9,
        per_thread: (0..threads)
            .map(|thread| summary(&by_thread(thread)))
            .collect(),
        stages: vec![Stage {
            interval: 0.0,
            launches: 4,
            incorrect: 0,
            took: 1e-4,
        }],
        picture: (0..8).map(launch).collect(),
        overlap: (operation == "MPI_Ibcast").then(|| Overlap {
            together: summary(&times),
            computation: mean,
            hidden: 0.8,
            interval: (0.7, 0.9),
        }),
        repeats: 1,
        verified: Some(true),
        times,
    }
}

fn start(threads: usize) -> Start {
    Start {
        model: "UPC".into(),
        implementation: "pgas-upcc 0.1.0 <smp>".into(),
        nodes: (0..threads).map(|thread| 2 * thread / threads).collect(),
        hosts: vec!["one".into(), "two".into()],
        have_cores: threads < 16,
        timer: Timer::Tsc,
        resolution: Some(1e-9),
        reading: 2e-8,
    }
}

fn check() -> TimerCheck {
    let row = |pattern: &str, threads: usize, expected: f64| TimerRow {
        pattern: pattern.into(),
        threads,
        expected,
        summary: summary(&times(expected + 5e-8, threads as u64)),
        tolerance: 1e-6,
    };
    let up = (2..=8).map(|threads| row("up", threads, 1e-6 * threads as f64));
    let null = (2..=8).map(|threads| row("null", threads, 0.0));
    TimerCheck {
        undecided: Vec::new(),
        judged: true,
        rows: up.chain(null).collect(),
        refused: Vec::new(),
    }
}

/// Barriers of 0.1 + 0.4 log2 n us, broadcasts of 1.2 us log2 n + 0.11 ns a byte, each times
/// `factor`.
pub fn results(factor: f64, seed: u64) -> Results {
    let run = |threads: usize| {
        let log = (threads as f64).log2();
        let barrier = factor * (1e-7 + 4e-7 * log);
        let seeds = seed * 1000 + threads as u64 * 50;
        let mut timings = vec![timing("upc_barrier", None, threads, barrier, seeds)];
        for (number, bytes) in [8, 64, 512, 4096, 32768, 262_144, 1_048_576]
            .into_iter()
            .enumerate()
        {
            let mean = factor * (1.2e-6 * log + 1.1e-10 * bytes as f64);
            let seed = seeds + 1 + number as u64;
            timings.push(timing(
                "upc_all_broadcast",
                Some(bytes),
                threads,
                mean,
                seed,
            ));
        }
        timings.push(timing(
            "MPI_Ibcast",
            Some(64),
            threads,
            factor * 3e-6,
            seeds + 40,
        ));
        Run {
            threads: threads as u32,
            nodes: Some(2),
            launcher: Some("mpirun -n 4".into()),
            start: Some(start(threads)),
            timer: Some(check()),
            clocks: vec![Clocks {
                order: Order::Linear,
                offsets: vec![0.0; threads],
                uncertainties: vec![1e-9; threads],
                error_share: None,
                drifts: vec![1e-6; threads],
                exchanges: 400,
                took: 0.01,
            }],
            timings,
            failures: match threads {
                16 => vec![Failure {
                    case: None,
                    reason: "the driver <ended> early".into(),
                }],
                _ => Vec::new(),
            },
            interrupted: false,
        }
    };
    Results {
        schema: SCHEMA,
        written_by: "pgastool 0.1.0".into(),
        compiler: "pgas-upcc".into(),
        settings: Settings {
            per_thread: true,
            picture: true,
            ..Settings::default()
        },
        runs: [2, 4, 8, 16].map(run).into(),
    }
}
