//! Cost of reading a timer, and how exactly a thread can wait for a moment of it.

use crate::collectives;
use crate::processes::Processes;
use pgas_statistics::trimmed::Trimmed;

const READINGS: u32 = 2_000;
/// Equal readings in a row after which a timer counts as too coarse.
const MOST_READINGS: u32 = 2_000_000;
const WAITS: u32 = 200;
const WAIT: f64 = 2e-6;

/// A timer by itself. All in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// One reading.
    pub cost: f64,
    /// Smallest difference of two readings that differ; infinite if none did.
    pub resolution: f64,
    /// By how much a thread that waits for a moment comes later, as a rule: twice the mean of the
    /// middle half of some waits. The last look before the moment and the reading that says when
    /// the thread went on are in it.
    pub lateness: f64,
}

impl Reading {
    /// Measures this thread's timer. All threads call it at the same time, so that they disturb
    /// each other as they do later.
    pub fn measure<P: Processes + ?Sized>(processes: &P) -> Self {
        let cost = cost(processes);
        let resolution = resolution(processes);
        collectives::barrier(processes);
        let lateness = lateness(processes).max(cost);
        Reading {
            cost,
            resolution,
            lateness,
        }
    }
}

fn cost<P: Processes + ?Sized>(processes: &P) -> f64 {
    let begin = processes.now();
    let mut end = begin;
    for _ in 0..READINGS {
        end = processes.now();
    }
    (end - begin) / f64::from(READINGS)
}

fn resolution<P: Processes + ?Sized>(processes: &P) -> f64 {
    let mut smallest = f64::INFINITY;
    let mut before = processes.now();
    for reading in 0..MOST_READINGS {
        let now = processes.now();
        if now > before {
            smallest = smallest.min(now - before);
        }
        before = now;
        if reading >= READINGS && smallest.is_finite() {
            break;
        }
    }
    smallest
}

fn lateness<P: Processes + ?Sized>(processes: &P) -> f64 {
    let waits = (0..WAITS).map(|_| {
        let until = processes.now() + WAIT;
        processes.wait_until(until);
        processes.now() - until
    });
    let waits: Vec<f64> = waits.collect();
    Trimmed::of(&waits, 0.25).map_or(0.0, |waits| 2.0 * waits.mean)
}
