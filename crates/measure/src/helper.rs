//! The process's helper thread: compresses and writes full buffers at the lowest priority, and once in a while asks for
//! those that are not full, so that a program that is killed has lost little.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::OnceLock;
use std::thread::{Builder, Thread};
use std::time::{Duration, Instant};

use crate::cores;
use crate::placement::Placement;
use crate::process;
use crate::recorder::Recorder;
use crate::signals::without_signals;

const STACK: usize = 512 << 10;
/// The lowest priority. (SCHED_IDLE would be lower still, but among programs that spin at a barrier such a thread may
/// never run at all.)
const LOWEST_PRIORITY: libc::c_int = 19;

/// `None` if the system gives no thread: recorders then write by themselves.
static HELPER: OnceLock<Option<Thread>> = OnceLock::new();

/// How long events stay in memory at most where a kill would take them.
pub(crate) const LONGEST_UNSAFE: Duration = Duration::from_secs(1);

/// Starts the helper of this process, once, and makes it look at a new recorder. Events stay in memory for `longest_wait`
/// at most while the program goes on producing some.
pub(crate) fn start(longest_wait: Duration) {
    HELPER.get_or_init(|| {
        // The thread inherits the mask, so that signals for the program never end up here.
        let handle = without_signals(|| {
            Builder::new()
                .name("pgas-recorder".to_owned())
                .stack_size(STACK)
                .spawn(move || run(longest_wait))
        });
        handle.ok().map(|handle| handle.thread().clone())
    });
    wake();
}

/// Tells the helper that a buffer is full.
pub(crate) fn wake() {
    if let Some(Some(thread)) = HELPER.get() {
        thread.unpark();
    }
}

/// The helper's number; 0 as long as there is none.
static ID: AtomicI32 = AtomicI32::new(0);
/// Nanoseconds of its CPU time that the end of a stream has noted already.
static CLAIMED: AtomicU64 = AtomicU64::new(0);

/// CPU time of this process's helper that no stream has noted yet, in nanoseconds: up to now, also of work that it has not
/// finished.
pub(crate) fn claim_time() -> u64 {
    let id = ID.load(Ordering::Relaxed);
    let time = match id {
        0 => None,
        id => cores::cpu_time(id),
    };
    // One that has ended took nothing since somebody looked.
    time.map_or(0, |time| {
        time.saturating_sub(CLAIMED.swap(time, Ordering::Relaxed))
    })
}

fn run(longest_wait: Duration) {
    // SAFETY: no arguments, cannot fail.
    ID.store(unsafe { libc::gettid() }, Ordering::Relaxed);
    // SAFETY: no pointers. It concerns this thread alone on Linux; if it fails, the helper has the program's priority.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, LOWEST_PRIORITY) };
    // After a panic, which has said what it was, recorders write by themselves.
    let _ = catch_unwind(AssertUnwindSafe(|| serve(longest_wait)));
}

fn serve(longest_wait: Duration) {
    let mut last_look = Instant::now();
    let mut placement = Placement::new();
    let mut seen = Vec::new();
    let mut known = 0;
    loop {
        let longest_wait = match process::recorders().all(Recorder::survives_a_kill) {
            true => longest_wait,
            false => longest_wait.min(LONGEST_UNSAFE),
        };
        for recorder in process::recorders().skip(known) {
            recorder.populate();
            known += 1;
        }
        std::thread::park_timeout(longest_wait.saturating_sub(last_look.elapsed()));
        if process::recorders().any(Recorder::has_full_buffer) {
            placement.keep_off();
        }
        for recorder in process::recorders() {
            recorder.write_full_buffers();
        }
        if last_look.elapsed() >= longest_wait {
            last_look = Instant::now();
            for (index, recorder) in process::recorders().enumerate() {
                let now = recorder.handed_over();
                if seen.len() == index {
                    seen.push(now);
                } else if seen[index] == now {
                    recorder.request_block();
                }
                seen[index] = recorder.handed_over();
            }
        }
    }
}
