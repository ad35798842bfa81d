//! Functions of tasks in other languages, for their bindings.

use std::ptr::without_provenance;

use super::{calls, recorder};

/// The task that runs enters the function at an address, which will return to `caller`.
#[inline]
pub fn enter_function(function: usize, caller: usize) {
    // SAFETY: the recorder is null or this thread's; addresses are only compared.
    unsafe {
        calls::pgas_enter_function_of(
            recorder(),
            without_provenance(function),
            without_provenance(caller),
        );
    }
}

/// The task that runs leaves a function; one that was not entered does nothing.
#[inline]
pub fn exit_function(function: usize, caller: usize) {
    // SAFETY: as above.
    unsafe {
        calls::pgas_exit_function_of(
            recorder(),
            without_provenance(function),
            without_provenance(caller),
        );
    }
}
