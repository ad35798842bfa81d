//! Work of a core: as many steps as take some time when the core does nothing else.
//!
//! A wait by the clock would end in time even if a progress thread of a library had the core
//! meanwhile, and the operation would seem to cost nothing. A fixed number of steps takes longer if
//! the core is shared, so the loss shows.

use std::hint::black_box;
use std::sync::OnceLock;
use std::time::Instant;

/// Steps of one run of the calibration: some 20 us.
const RUN: u64 = 16_384;
const RUNS: u32 = 50;

/// Performs as many steps as take some seconds of an undisturbed core, or a little more: calibration
/// takes the fastest of many runs.
pub(crate) fn perform(seconds: f64) {
    static RATE: OnceLock<f64> = OnceLock::new();
    let rate = RATE.get_or_init(calibrated);
    work((seconds * rate).ceil() as u64);
}

/// Steps per second.
fn calibrated() -> f64 {
    let run = |_| {
        let begin = Instant::now();
        work(RUN);
        begin.elapsed().as_secs_f64()
    };
    let fastest = (0..RUNS).map(run).fold(f64::INFINITY, f64::min);
    RUN as f64 / fastest.max(1e-9)
}

/// Each step needs the result of the one before, and no memory. The calibration must run the same
/// instructions as the computation, hence not inlined.
#[inline(never)]
fn work(steps: u64) {
    let mut number = black_box(1_u64);
    for _ in 0..steps {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
    }
    black_box(number);
}
