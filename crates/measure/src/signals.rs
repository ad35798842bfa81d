//! Keeps the program's signal handlers out of the recorder, and the recorder's signals out of the
//! program.

use std::mem::MaybeUninit;

/// Runs `work` with all signals blocked on this thread. A handler that called `exit` in the middle
/// of it would find the recorder's locks taken; and a write beyond the limit of file sizes would
/// end the program with SIGXFSZ, where the recorder wants an error: such a signal of its own making
/// is discarded.
pub(crate) fn without_signals<T>(work: impl FnOnce() -> T) -> T {
    let _blocked = Blocked::new();
    work()
}

/// As long as it is there, signals are blocked: also where the work ends by a panic, which others
/// catch.
struct Blocked {
    before: libc::sigset_t,
    was_pending: bool,
}

impl Blocked {
    fn new() -> Self {
        let mut before = MaybeUninit::uninit();
        // SAFETY: both sets are valid for the calls, which do not fail with these arguments;
        // `before` is initialised by the call that fills it before it is read.
        let before = unsafe {
            let mut all = MaybeUninit::uninit();
            libc::sigfillset(all.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
            before.assume_init()
        };
        let was_pending = is_size_signal_pending();
        Blocked {
            before,
            was_pending,
        }
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        if !self.was_pending && is_size_signal_pending() {
            discard_size_signal();
        }
        // SAFETY: this is the mask that the thread had.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, std::ptr::null_mut()) };
    }
}

fn is_size_signal_pending() -> bool {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigpending` initialises the set, or the result says that it did not.
    unsafe {
        libc::sigpending(set.as_mut_ptr()) == 0
            && libc::sigismember(set.as_ptr(), libc::SIGXFSZ) == 1
    }
}

fn discard_size_signal() {
    let no_time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let mut set = MaybeUninit::uninit();
    // SAFETY: the set is initialised by `sigemptyset` before it is used; the timeout of zero makes
    // the wait return at once.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGXFSZ);
        libc::sigtimedwait(set.as_ptr(), std::ptr::null_mut(), &no_time);
    }
}
