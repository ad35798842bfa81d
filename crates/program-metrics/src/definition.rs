//! Defines metrics that the recorder keeps.

use std::ffi::CString;

use crate::error::MetricError;
use crate::recorder::functions;

/// Defines a metric that the recorder keeps on all threads of this process, such as `slow =
/// time(upc_memget) if inside(solve) and phase == 2`. The language is in pgastool's documentation
/// (docs/metrics.md). Without a recorder, any text is accepted.
///
/// # Errors
/// If the definition is not valid, or there is no room for its metric; the recorder says on
/// standard error which, and where.
pub fn define(text: &str) -> Result<(), MetricError> {
    let refused = || MetricError::Definition {
        text: text.to_owned(),
    };
    let definition = CString::new(text).map_err(|_| refused())?;
    let Some(define) = functions().define else {
        return Ok(());
    };
    // SAFETY: a C string, which the recorder copies.
    match unsafe { define(definition.as_ptr()) } {
        0 => Ok(()),
        _ => Err(refused()),
    }
}
