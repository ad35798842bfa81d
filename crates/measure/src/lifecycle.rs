//! The part of the C interface that concerns the whole process: opening recorders, signals, and
//! what comes after the end. Nothing here may panic: what can is caught further down.

use std::ffi::{CStr, c_char, c_int, c_ulong};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::recorder::Recorder;
use crate::rehearsal::Rehearsal;
use crate::{helper, process};

/// # Safety
/// May be called by any thread, also several times.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_open(thread: c_int, threads: c_int) -> *const Recorder {
    // SAFETY: promised by the caller; null is allowed.
    unsafe { pgas_open_rehearsed(thread, threads, std::ptr::null()) }
}

/// # Safety
/// As for [`pgas_open`]; `rehearsal` is null or valid for this call, and its counter for the rest
/// of the process's life.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_open_rehearsed(
    thread: c_int,
    threads: c_int,
    rehearsal: *const Rehearsal,
) -> *const Recorder {
    let (Ok(thread), Ok(threads)) = (u32::try_from(thread), u32::try_from(threads)) else {
        return std::ptr::null();
    };
    // SAFETY: promised by the caller.
    let rehearsal = unsafe { rehearsal.as_ref() };
    let opened = catch_unwind(AssertUnwindSafe(|| {
        process::open(thread, threads, rehearsal)
    }));
    match opened {
        Ok(Some(recorder)) => recorder,
        Ok(None) | Err(_) => std::ptr::null(),
    }
}

/// # Safety
/// May be called by any thread, also by a handler of signals.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_note_signal(signal: c_int) {
    process::note_signal(u32::try_from(signal).unwrap_or(0));
}

/// # Safety
/// The string ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_no_memory(consequence: *const c_char) {
    let _ = catch_unwind(|| {
        // SAFETY: promised by the caller.
        let consequence = unsafe { CStr::from_ptr(consequence) }.to_string_lossy();
        process::note_no_memory(&consequence);
    });
}

/// In place of the C library's function of this name: under seccomp's strict mode, in which neither
/// a clock may be read nor a system call made but for four, the thread is not recorded any more.
/// A filter may end the thread without its process, too.
///
/// # Safety
/// As for the system call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prctl(
    option: c_int,
    first: c_ulong,
    second: c_ulong,
    third: c_ulong,
    fourth: c_ulong,
) -> c_int {
    const STRICT: c_ulong = 1;
    const FILTER: c_ulong = 2;
    // A thread with a filter, as in most containers, cannot enter the strict mode.
    let is_free = || {
        // SAFETY: no pointers.
        unsafe { libc::syscall(libc::SYS_prctl, libc::PR_GET_SECCOMP, 0, 0, 0, 0) == 0 }
    };
    if option == libc::PR_SET_SECCOMP && first == STRICT && is_free() {
        let _ = catch_unwind(process::end_of_calls);
    }
    if option == libc::PR_SET_SECCOMP && first == FILTER {
        let _ = catch_unwind(helper::watch_threads);
    }
    // SAFETY: promised by the caller; arguments that it has not given mean nothing to the kernel.
    // Errors are left in `errno`.
    unsafe { libc::syscall(libc::SYS_prctl, option, first, second, third, fourth) as c_int }
}

/// # Safety
/// May be called by any thread that is not within the recorder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_collect() {
    let _ = catch_unwind(process::collect);
}
