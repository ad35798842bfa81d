//! The process's helper thread: compresses and writes full buffers at the lowest priority, and once in a while asks for
//! those that are not full, so that a program that is killed has lost little.

use std::fs::File;
use std::io::Read;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::OnceLock;
use std::thread::{Builder, Thread};
use std::time::{Duration, Instant};

use crate::cores;
use crate::message::say;
use crate::placement::Placement;
use crate::process;
use crate::recorder::Recorder;
use crate::signals::without_signals;

/// How often it looks whether the program's thread is still there, once that may end without its process. It takes a number of
/// a descriptor for that, which other programs may count on.
const TURN: Duration = Duration::from_millis(500);
static WATCHES_THREADS: AtomicBool = AtomicBool::new(false);
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

/// From now on a thread of the program may end without its process.
pub(crate) fn watch_threads() {
    WATCHES_THREADS.store(true, Ordering::Relaxed);
    if let Some(Some(helper)) = HELPER.get() {
        helper.unpark();
    }
}

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

/// The status of the program's first thread (as `wait` gives it), if all its threads have ended and this one keeps the process
/// alive.
fn left_alone() -> Option<libc::c_int> {
    let mut text = [0; 1024];
    let mut file = File::open("/proc/self/stat").ok()?;
    let length = file.read(&mut text).ok()?;
    let text = String::from_utf8_lossy(text.get(..length)?);
    // Behind the name, which may have anything in it: the state of the first thread, the 17th field after it the number of
    // threads, and the 32nd after that the status.
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let state = fields.next()?;
    let threads: u32 = fields.nth(16)?.parse().ok()?;
    let status = fields.nth(31)?.parse().ok()?;
    (state == "Z" && threads <= 2).then_some(status)
}

/// Ends this thread, as the last one, and with it the process, with this status. Returning would take the C library through an
/// end for which the first thread is missing.
fn end_with(status: libc::c_int) {
    // SAFETY: no pointers.
    unsafe {
        if libc::WIFSIGNALED(status) {
            libc::kill(libc::getpid(), libc::WTERMSIG(status));
        }
        libc::syscall(libc::SYS_exit, libc::WEXITSTATUS(status));
    }
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
        let is_watching = WATCHES_THREADS.load(Ordering::Relaxed);
        let turn = if is_watching { TURN } else { longest_wait };
        std::thread::park_timeout(longest_wait.saturating_sub(last_look.elapsed()).min(turn));
        if let Some(status) = is_watching.then(left_alone).flatten() {
            say(
                "the program's only thread has ended without its process, as under seccomp's strict mode: the process ends \
                 here, too, and what was recorded is kept",
            );
            end_with(status);
        }
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
