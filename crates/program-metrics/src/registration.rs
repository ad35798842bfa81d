//! Registers a metric with the recorder, by its name.

use std::ffi::{CString, c_int};

use crate::error::MetricError;
use crate::limits::LONGEST_NAME;
use crate::recorder::functions;

/// With it, the recorder's functions do nothing.
const NONE: c_int = -1;

// What the recorder answers in place of a number (`pgas_metrics.h`).
const ALL_IN_USE: c_int = -2;
const OTHER_KIND: c_int = -3;
const BAD_NAME: c_int = -4;

/// Kind of a metric, as the recorder numbers them.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Counter = 0,
    Timer = 1,
}

/// Number of the metric with this name, for the recorder's functions. Names are checked without a
/// recorder, too, so that a program does not fail for the first time when it is measured.
pub(crate) fn register(name: &str, kind: Kind) -> Result<c_int, MetricError> {
    let text = match CString::new(name) {
        Ok(text) if (1..=LONGEST_NAME).contains(&name.len()) => text,
        _ => return Err(refusal(BAD_NAME, name)),
    };
    let Some(register) = functions().register else {
        return Ok(NONE);
    };
    // SAFETY: a C string, which the recorder copies.
    match unsafe { register(text.as_ptr(), kind as c_int) } {
        number if number >= 0 => Ok(number),
        code => Err(refusal(code, name)),
    }
}

fn refusal(code: c_int, name: &str) -> MetricError {
    let name = name.to_owned();
    match code {
        ALL_IN_USE => MetricError::AllInUse { name },
        OTHER_KIND => MetricError::OtherKind { name },
        BAD_NAME => MetricError::Name { name },
        _ => MetricError::Recorder { name },
    }
}
