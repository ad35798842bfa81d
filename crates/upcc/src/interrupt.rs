//! Being ended by a signal: nothing half made is left behind, and the C compiler that is running
//! ends too. Unfinished files and the running compiler are registered here while they exist.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};

#[derive(Default)]
struct Registered {
    /// Files and directories that are not finished.
    unfinished: Vec<PathBuf>,
    child: Option<Pid>,
}

static REGISTERED: Mutex<Registered> = Mutex::new(Registered {
    unfinished: Vec::new(),
    child: None,
});

/// A signal came; the process is about to end.
static ENDING: AtomicBool = AtomicBool::new(false);

fn registered() -> MutexGuard<'static, Registered> {
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on, signals that end the process remove what is registered first.
pub fn watch() {
    // A file that may not grow is an error of writing then, as a full disk.
    let _ = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
    let ignored = ignored_signals();
    let signals: Vec<i32> = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU]
        .into_iter()
        // Signals that a shell or nohup has us ignore stay ignored.
        .filter(|signal| ignored >> (signal - 1) & 1 == 0)
        .collect();
    let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) else {
        // Then a signal ends us as it would have.
        return;
    };
    // The thread ends with the process.
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            ENDING.store(true, Ordering::SeqCst);
            let registered = registered();
            if let Some(child) = registered.child {
                // It may have ended by itself, or by the same signal from the terminal.
                let _ = kill_process(child, Signal::TERM);
            }
            for path in &registered.unfinished {
                remove(path);
            }
            // The C compiler may have made a file in the directory while it was removed.
            for path in &registered.unfinished {
                remove(path);
            }
            // The lock is kept, so that nothing new is begun.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

fn remove(path: &Path) {
    if fs::remove_file(path).is_err() {
        // It may not be there, or no more.
        let _ = fs::remove_dir_all(path);
    }
}

/// The signals that are ignored, one bit each; none if the system does not say.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// Has this path removed when a signal ends the process.
pub fn register(path: &Path) {
    registered().unfinished.push(path.to_path_buf());
}

/// The path is finished, or gone.
pub fn release(path: &Path) {
    registered().unfinished.retain(|other| other != path);
}

/// The child that is to end with this process; none any more.
pub fn set_child(id: Option<u32>) {
    registered().child = id
        .and_then(|id| i32::try_from(id).ok())
        .and_then(Pid::from_raw);
}

/// Whether a signal came. If so, there is nothing left to do but to wait for the end.
pub fn is_ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}
