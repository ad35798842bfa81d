//! How much of a non-blocking operation goes on while threads compute.
//!
//! Both halves at once take `T`. Then the threads compute between the halves what takes `C` alone,
//! and all together takes `A`. Without any overlap `A` would be `T + C`, with perfect overlap `C`; so
//! the hidden part is `h = (T + C - A) / T`. The computation is made to take `T`, and `C` is measured
//! like `T` and `A`, without the reading of the timer that the sum would have twice. From
//! `dh/dA = -1/T`, `dh/dC = 1/T` and `dh/dT = (A - C) / T^2` follows the error
//! `E_h = sqrt((E_A / T)^2 + (E_C / T)^2 + ((A - C) E_T / T^2)^2)`; clocks' errors change `T` and `A`
//! alike, so they are in `h` as `h R / T`.

use super::body::Body;
use super::{Measurement, Session, TooFew, assemble};
use crate::collectives;
use crate::job::{Method, Settings};
use crate::operation::Operation;
use crate::processes::Processes;
use crate::record::{Overlap, Summary};

type Measured = Option<Result<Measurement, TooFew>>;

/// The computation by itself, as an operation.
struct Computation<'a, P: ?Sized> {
    processes: &'a P,
    seconds: f64,
}

impl<P: Processes + ?Sized> Operation for Computation<'_, P> {
    fn ready(&mut self, _launch: u64) {}

    fn run(&mut self, _launch: u64) {
        self.processes.compute(self.seconds);
    }

    fn done(&mut self, _launch: u64) {}

    fn waits(&self) -> bool {
        false
    }
}

/// Adds the overlap to what was measured; all threads call it.
pub(super) fn measure<P: Processes + ?Sized>(
    session: &mut Session<P>,
    settings: &Settings,
    operation: &mut dyn Operation,
    measured: &mut Measured,
    progress: &mut dyn FnMut(u32),
) {
    let whole = measured.as_ref().and_then(|whole| whole.as_ref().ok());
    let mut word = [whole.map_or(0.0, |whole| whole.summary.mean).to_bits()];
    collectives::broadcast(session.processes, &mut word);
    let seconds = f64::from_bits(word[0]);
    if seconds <= 0.0 || settings.method == Method::Loop {
        return;
    }
    let processes = session.processes;
    processes.compute(0.0); // The first call calibrates, which no launch should contain.
    let mut computation = Computation { processes, seconds };
    let before = whole.map_or(0, |whole| whole.launches);
    let alone = timed(
        session,
        settings,
        &mut computation,
        Body::Whole,
        &mut |launches| progress(before + launches),
    );
    let before = before + launches(&alone);
    let together = timed(
        session,
        settings,
        operation,
        Body::Around(seconds),
        &mut |launches| progress(before + launches),
    );
    if let (Some(Ok(whole)), Some(Ok(alone)), Some(Ok(together))) = (measured, alone, together) {
        whole.overlap = Some(overlap(
            whole,
            &together.summary,
            &alone.summary,
            session.reading.cost,
        ));
    }
}

fn timed<P: Processes + ?Sized>(
    session: &mut Session<P>,
    settings: &Settings,
    operation: &mut dyn Operation,
    body: Body,
    progress: &mut dyn FnMut(u32),
) -> Measured {
    let all = session.launches(settings, operation, body, progress);
    all.map(|all| assemble::measurement(session, settings, all, operation))
}

fn launches(measured: &Measured) -> u32 {
    match measured {
        Some(Ok(measured)) => measured.launches,
        Some(Err(few)) => few.launches,
        None => 0,
    }
}

fn overlap(whole: &Measurement, all: &Summary, alone: &Summary, reading: f64) -> Overlap {
    let pure = &whole.summary;
    let computation = (alone.mean - reading).max(0.0);
    let hidden = (pure.mean + computation - all.mean) / pure.mean;
    let of_pure = (all.mean - computation) * pure.error / pure.mean.powi(2);
    let of_others = (all.error / pure.mean).hypot(alone.error / pure.mean);
    let of_clocks = hidden.abs() * whole.start_error / pure.mean;
    let error = of_others.hypot(of_pure) + of_clocks;
    let share = |value: f64| value.clamp(0.0, 1.0);
    Overlap {
        together: *all,
        computation,
        hidden: share(hidden),
        interval: (share(hidden - error), share(hidden + error)),
    }
}
