//! Stacks for handlers of signals that the program has set up and that a sample may overflow: where
//! the signal interrupts one of the program's handlers there, the kernel saves all registers once
//! more below it.

use std::mem::MaybeUninit;
use std::ptr::null;

use super::registers::SignalStack;

/// Bytes from which on a stack is taken to be large enough for a handler and a sample within it.
const ENOUGH: u64 = 24 << 10;

/// Of crashes, which their handlers report or which end the program.
const OF_CRASHES: [libc::c_int; 7] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGABRT,
    libc::SIGTRAP,
    libc::SIGSYS,
];

/// Whether a sample may overflow this stack: it is small, and the program handles signals there that
/// may come at any time. `own` is the signal of the samples. Asked with each sample, since the
/// program may do so at any time, too.
pub(crate) fn is_dangerous(stack: SignalStack, own: libc::c_int) -> bool {
    let is_small = stack.length > 0 && stack.length < ENOUGH;
    is_small
        && (1..=libc::SIGRTMAX()).any(|signal| {
            signal != own && !OF_CRASHES.contains(&signal) && is_handled_on_it(signal)
        })
}

fn is_handled_on_it(signal: libc::c_int) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: `action` is valid for writing, and initialised if the call succeeds.
    let action = unsafe {
        if libc::sigaction(signal, null(), action.as_mut_ptr()) != 0 {
            return false;
        }
        action.assume_init()
    };
    let is_handled = ![libc::SIG_DFL, libc::SIG_IGN].contains(&action.sa_sigaction);
    is_handled && action.sa_flags & libc::SA_ONSTACK != 0
}
