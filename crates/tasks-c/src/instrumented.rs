//! Entry points for C and C++ code that is compiled with `-finstrument-functions`.

use std::ffi::c_void;

use crate::stackful::with_functions;

/// Called by the compiler's code at the begin of each function.
#[unsafe(no_mangle)]
pub extern "C" fn __cyg_profile_func_enter(function: *const c_void, caller: *const c_void) {
    with_functions(|functions| functions.enter((function.addr(), caller.addr())));
}

/// Called by the compiler's code at the end of each function.
#[unsafe(no_mangle)]
pub extern "C" fn __cyg_profile_func_exit(function: *const c_void, caller: *const c_void) {
    with_functions(|functions| functions.leave((function.addr(), caller.addr())));
}
