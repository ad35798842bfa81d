//! Ctrl-C during long work. The work stops at the next opportunity and takes away what it has
//! begun, as after any other failure; then the process ends by the signal, so that a shell shows
//! 128 + its number and a loop around it stops, too.

use pgas_trace::Interruption;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The signal that came, 0 for none; not set in commands that any signal may end at once.
static RECEIVED: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From now on, a signal that would end this process is a wish to stop instead.
///
/// # Errors
/// If the system does not let signals be handled.
pub fn watch() -> io::Result<Interruption> {
    let received = RECEIVED.get_or_init(Arc::default);
    watch_for(&[SIGINT, SIGTERM, SIGHUP], received, |_| {})
}

/// The same for these signals, with `between` done between the two registrations of each.
fn watch_for(
    signals: &[i32],
    received: &Arc<AtomicUsize>,
    between: impl Fn(i32),
) -> io::Result<Interruption> {
    let flag = Arc::new(AtomicBool::new(false));
    for &signal in signals {
        signal_hook::flag::register_usize(signal, received.clone(), signal as usize)?;
        between(signal);
        signal_hook::flag::register(signal, flag.clone())?;
    }
    // A signal that came between the two registrations has set the number alone.
    if received.load(Ordering::SeqCst) != 0 {
        flag.store(true, Ordering::SeqCst);
    }
    Ok(Interruption::of(flag))
}

/// From now on, a write to a file that is as long as `ulimit -f` allows is an error, as on a full
/// disk, where the signal would end this process in the middle. Programs that it starts get the
/// signal as ever.
pub fn survive_file_limit() {
    // Where it cannot be handled, all is as before.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// The signal that has stopped the work.
pub fn received() -> Option<i32> {
    let signal = RECEIVED.get()?.load(Ordering::Relaxed);
    i32::try_from(signal).ok().filter(|&signal| signal != 0)
}

/// Ends this process by `signal`.
pub fn end(signal: i32) -> ExitCode {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    // Where that is not possible, with the status that a shell would show.
    ExitCode::from(128u8.saturating_add(signal as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use signal_hook::consts::{SIGUSR1, SIGUSR2};

    #[test]
    fn a_signal_between_the_two_registrations_is_a_wish_to_stop() {
        let received = Arc::default();
        let raise = |signal| signal_hook::low_level::raise(signal).unwrap();
        let wish = watch_for(&[SIGUSR1], &received, raise).unwrap();
        assert_eq!(received.load(Ordering::SeqCst), SIGUSR1 as usize);
        assert!(wish.is_requested());
    }

    #[test]
    fn without_a_signal_there_is_no_wish_until_one_comes() {
        let received = Arc::default();
        let wish = watch_for(&[SIGUSR2], &received, |_| {}).unwrap();
        assert!(!wish.is_requested());
        signal_hook::low_level::raise(SIGUSR2).unwrap();
        assert!(wish.is_requested());
    }
}
