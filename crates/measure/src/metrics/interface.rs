//! The C interface of `include/pgas_metrics.h`. Each function is about the calling thread, and does
//! nothing on a thread without a live page, or with a metric that could not be registered.

use std::ffi::{CStr, c_char, c_int};
use std::panic::catch_unwind;
use std::sync::atomic::Ordering;

use pgas_live::Metric;
use pgas_live::metric::{COUNTER, TIMER};

use super::giving;
use super::visit::visit;
use crate::kept_metrics::names::{self, Refusal};
use crate::message::say;
use crate::thread_state::ThreadState;

/// Stands for a metric that could not be registered; so do all negative numbers.
const NONE: c_int = -1;

/// The number that stands for a metric that was refused, by the reason (`pgas_metrics.h`).
fn number_of(refusal: &Refusal) -> c_int {
    match refusal {
        Refusal::AllInUse(..) => -2,
        Refusal::OtherKind(_) => -3,
        Refusal::BadName(_) => -4,
    }
}

/// # Safety
/// The string ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_recorder_metric(name: *const c_char, is_timer: c_int) -> c_int {
    // SAFETY: promised by the caller.
    let name = unsafe { CStr::from_ptr(name) };
    let register = || {
        let kind = if is_timer != 0 { TIMER } else { COUNTER };
        match names::register(&name.to_string_lossy(), kind) {
            Ok(number) => {
                // It is shown from now on, with its first value.
                change(number as c_int, |_, _| {});
                number as c_int
            }
            Err(refusal) => {
                say(&refusal.to_string());
                number_of(&refusal)
            }
        }
    };
    catch_unwind(register).unwrap_or(NONE)
}

/// # Safety
/// The string ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_recorder_metric_define(definition: *const c_char) -> c_int {
    // SAFETY: promised by the caller.
    let definition = unsafe { CStr::from_ptr(definition) };
    let define = || match giving::give(&definition.to_string_lossy()) {
        Ok(()) => {
            visit(ThreadState::adopt_metrics);
            0
        }
        Err(problem) => {
            say(&problem);
            NONE
        }
    };
    catch_unwind(define).unwrap_or(NONE)
}

/// Changes a metric of this thread, and evaluates conditions on metrics anew.
fn change(metric: c_int, what: impl FnOnce(&Metric, &ThreadState)) {
    let Ok(number) = usize::try_from(metric) else {
        return;
    };
    visit(|state| {
        let found = state.metrics().and_then(|(metrics, page)| {
            metrics
                .metric(page, number)
                .map(std::ptr::from_ref::<Metric>)
        });
        if let Some(found) = found {
            // SAFETY: the metric is on the thread's page, which stays where it is.
            let found = unsafe { &*found };
            what(found, state);
            state.observe_change(number, found);
        }
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn pgas_recorder_metric_set(metric: c_int, value: u64) {
    change(metric, |metric, _| metric.set(value));
}

/// Subtracting is adding modulo 2^64.
#[unsafe(no_mangle)]
pub extern "C" fn pgas_recorder_metric_add(metric: c_int, number: u64) {
    change(metric, |metric, _| metric.add(number));
}

/// Makes a timer of a counter; its value counts as nanoseconds.
#[unsafe(no_mangle)]
pub extern "C" fn pgas_recorder_metric_attach(metric: c_int) {
    change(metric, |metric, _| {
        metric.kind.store(TIMER, Ordering::Release)
    });
    if let Ok(number) = usize::try_from(metric) {
        let _ = catch_unwind(|| names::change_kind(number, TIMER));
    }
}

/// Starts a timer, or stops it.
#[unsafe(no_mangle)]
pub extern "C" fn pgas_recorder_metric_run(metric: c_int, is_running: c_int) {
    change(metric, |metric, state| {
        if metric.kind.load(Ordering::Relaxed) != TIMER {
            say("a counter was started as a timer: pgas_metric_attach comes first");
            return;
        }
        let now = state.clock.now();
        match is_running {
            0 => metric.stop(now),
            _ => metric.start(now),
        }
    });
}

/// Value of a metric on this thread, in nanoseconds if it is a timer; 0 if the thread has none.
#[unsafe(no_mangle)]
pub extern "C" fn pgas_recorder_metric_value(metric: c_int) -> u64 {
    let Ok(number) = usize::try_from(metric) else {
        return 0;
    };
    let value = visit(|state| {
        let (metrics, page) = state.metrics()?;
        let found: *const Metric = metrics.metric(page, number)?;
        // SAFETY: as in `change`.
        Some(state.value_of(unsafe { &*found }))
    });
    value.flatten().unwrap_or(0)
}
