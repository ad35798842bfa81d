//! Functions of tasks in other languages, for their bindings.

use std::ffi::c_void;

use super::{calls, recorder};

/// The task that runs enters a function, which will return to `caller`.
#[inline]
pub fn enter_function(function: *const c_void, caller: *const c_void) {
    // SAFETY: the recorder is null or this thread's; addresses are only compared.
    unsafe { calls::pgas_enter_function_of(recorder(), function, caller) };
}

/// The task that runs leaves a function; one that was not entered does nothing.
#[inline]
pub fn exit_function(function: *const c_void, caller: *const c_void) {
    // SAFETY: as above.
    unsafe { calls::pgas_exit_function_of(recorder(), function, caller) };
}
