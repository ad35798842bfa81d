//! The signal that ends a period, and the stack for its handler.
//!
//! The signal is SIGURG, as Go's runtime uses it to preempt: programs hardly ever handle it, it is
//! ignored by default (so none that arrives late ends a process), debuggers pass it on without
//! stopping, and unlike real-time signals it does not queue up while the program blocks it.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::unwind::ENOUGH_STACK;
use crate::buffer::Reserved;

/// In the order of preference: signals that are ignored where nobody handles them, and that
/// debuggers pass on.
const CANDIDATES: [(libc::c_int, &str); 2] =
    [(libc::SIGURG, "SIGURG"), (libc::SIGWINCH, "SIGWINCH")];

/// The one that is used, and its name; `None` if the program handles them all.
static SIGNAL: OnceLock<Option<(libc::c_int, &str)>> = OnceLock::new();

/// Bytes of the stack for the handler: what it takes itself, and the registers that the kernel saves
/// there.
const STACK: usize = 64 << 10;
const _: () = assert!(STACK as u64 >= ENOUGH_STACK);

/// A handler of signals, called by the system alone.
pub(crate) type Handler =
    unsafe extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
/// Address of the one that was installed.
static INSTALLED: AtomicUsize = AtomicUsize::new(0);

/// Installs the handler, once in the process.
pub(super) fn install(on_signal: Handler) -> Result<(), String> {
    let signal = SIGNAL.get_or_init(|| {
        let free = |signal: libc::c_int| action(signal).is_some_and(is_default);
        let mut candidates = CANDIDATES.into_iter();
        let chosen = candidates.find(|&(signal, _)| free(signal))?;
        // SAFETY: all fields are numbers, for which zero is a value; the mask is initialised.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as *const () as usize;
            INSTALLED.store(action.sa_sigaction, Ordering::Relaxed);
            action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
            libc::sigfillset(&mut action.sa_mask);
            (libc::sigaction(chosen.0, &action, null_mut()) == 0).then_some(chosen)
        }
    });
    match signal {
        Some(_) => Ok(()),
        None => Err("the program handles SIGURG and SIGWINCH by itself".to_owned()),
    }
}

/// The signal of the samples. Called once it was installed.
pub(crate) fn signal() -> libc::c_int {
    SIGNAL.get().copied().flatten().map_or(0, |chosen| chosen.0)
}

/// Its name.
pub(crate) fn signal_name() -> &'static str {
    SIGNAL
        .get()
        .copied()
        .flatten()
        .map_or("none", |chosen| chosen.1)
}

/// Whether the handler is still there.
pub(crate) fn is_installed() -> bool {
    action(signal()).is_some_and(|action| action.sa_sigaction == INSTALLED.load(Ordering::Relaxed))
}

/// Tells signals of our timers from those of others.
pub(super) fn mark() -> *mut c_void {
    (&raw const SIGNAL).cast_mut().cast()
}

fn action(signal: libc::c_int) -> Option<libc::sigaction> {
    let mut action = MaybeUninit::uninit();
    // SAFETY: `action` is valid for writing, and initialised if the call succeeds.
    unsafe {
        (libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0)
            .then(|| action.assume_init())
    }
}

fn is_default(action: libc::sigaction) -> bool {
    action.sa_sigaction == libc::SIG_DFL
}

/// Gives the calling thread a stack for handlers of signals, if it has none: a sample shall not need
/// what a deep recursion has left of the thread's own.
pub(super) fn provide_stack() {
    let mut old = MaybeUninit::<libc::stack_t>::uninit();
    // SAFETY: the old stack is valid for writing, and initialised if the call succeeds; the new one
    // is never given back.
    unsafe {
        if libc::sigaltstack(std::ptr::null(), old.as_mut_ptr()) != 0
            || old.assume_init().ss_flags & libc::SS_DISABLE == 0
        {
            return;
        }
        let Some(memory) = Reserved::new(STACK) else {
            return;
        };
        let stack = libc::stack_t {
            ss_sp: memory.pointer().cast(),
            ss_flags: 0,
            ss_size: memory.length(),
        };
        if libc::sigaltstack(&stack, null_mut()) == 0 {
            std::mem::forget(memory);
        }
    }
}
