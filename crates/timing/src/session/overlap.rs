//! How much of a non-blocking operation goes on while threads compute.
//!
//! Both halves at once take `T`. Then the threads compute for `C = T` between the halves, and all
//! together takes `A`. Without any overlap `A` would be `T + C`, with perfect overlap `C`; so the
//! hidden part is `h = (T + C - A) / T`. From `dh/dA = -1/T` and `dh/dT = (A - C) / T^2` follows the
//! error `E_h = sqrt((E_A / T)^2 + ((A - C) E_T / T^2)^2)`; clocks' errors change `T` and `A` alike,
//! so they are in `h` as `h R / T`.

use super::body::Body;
use super::{Measurement, Session, TooFew, assemble};
use crate::collectives;
use crate::job::{Method, Settings};
use crate::operation::Operation;
use crate::processes::Processes;
use crate::record::Overlap;

type Measured = Option<Result<Measurement, TooFew>>;

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
    let computation = f64::from_bits(word[0]);
    if computation <= 0.0 || settings.method == Method::Loop {
        return;
    }
    let before = whole.map_or(0, |whole| whole.launches);
    let mut later = |launches: u32| progress(before + launches);
    let all = session.launches(settings, operation, Body::Around(computation), &mut later);
    let Some(Ok(whole)) = measured else { return };
    let together = all.map(|all| assemble::measurement(session, settings, all, operation));
    if let Some(Ok(together)) = together {
        whole.overlap = Some(overlap(whole, &together, computation));
    }
}

fn overlap(whole: &Measurement, together: &Measurement, computation: f64) -> Overlap {
    let (pure, all) = (&whole.summary, &together.summary);
    let hidden = (pure.mean + computation - all.mean) / pure.mean;
    let of_all = all.error / pure.mean;
    let of_pure = (all.mean - computation) * pure.error / pure.mean.powi(2);
    let of_clocks = hidden.abs() * whole.start_error / pure.mean;
    let error = of_all.hypot(of_pure) + of_clocks;
    let share = |value: f64| value.clamp(0.0, 1.0);
    Overlap {
        together: *all,
        computation,
        hidden: share(hidden),
        interval: (share(hidden - error), share(hidden + error)),
    }
}
