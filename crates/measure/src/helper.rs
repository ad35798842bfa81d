//! The process's helper thread: compresses and writes full buffers at the lowest priority, and once
//! in a while asks for those that are not full, so that a program that is killed has lost little.

use std::ffi::c_void;
use std::fs::File;
use std::io::Read;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::message::say;
use crate::metrics;
use crate::placement::Placement;
use crate::recorder::Recorder;
use crate::registry;
use crate::run_queue;
use crate::signals::without_signals;

/// How often it looks whether the program's thread is still there, once that may end without its
/// process. It takes a number of a descriptor for that, which other programs may count on.
const TURN: Duration = Duration::from_millis(500);
static WATCHES_THREADS: AtomicBool = AtomicBool::new(false);
const STACK: usize = 512 << 10;
/// The lowest priority. (SCHED_IDLE would be lower still, but among programs that spin at a barrier
/// such a thread may never run at all.)
const LOWEST_PRIORITY: libc::c_int = 19;

/// False if the system gives no thread: recorders then write by themselves.
static HELPER: OnceLock<bool> = OnceLock::new();
/// 1 if there is something to do: what the helper sleeps on.
static WORK: AtomicU32 = AtomicU32::new(0);
/// Milliseconds for which events stay in memory at most.
static LONGEST_WAIT: AtomicU64 = AtomicU64::new(0);

/// How long events stay in memory at most where a kill would take them.
pub(crate) const LONGEST_UNSAFE: Duration = Duration::from_secs(1);

/// Starts the helper of this process, once, and makes it look at a new recorder. Events stay in
/// memory for `longest_wait` at most while the program goes on producing some.
pub(crate) fn start(longest_wait: Duration) {
    LONGEST_WAIT.store(longest_wait.as_millis() as u64, Ordering::Relaxed);
    // The thread inherits the mask, so that signals for the program never end up here.
    HELPER.get_or_init(|| without_signals(|| new_thread(run)));
    wake();
}

/// Starts a helper that only takes over metrics that are defined while the program runs.
pub(crate) fn start_for_inbox() {
    HELPER.get_or_init(|| without_signals(|| new_thread(run_for_inbox)));
}

/// The standard library ends the process where it has no memory for a thread; this way there is
/// just no helper.
fn new_thread(run: extern "C" fn(*mut c_void) -> *mut c_void) -> bool {
    let mut attributes = MaybeUninit::uninit();
    let mut thread = MaybeUninit::uninit();
    // SAFETY: the attributes are used once they are initialised, and destroyed after that.
    unsafe {
        let attributes = attributes.as_mut_ptr();
        if libc::pthread_attr_init(attributes) != 0 {
            return false;
        }
        libc::pthread_attr_setstacksize(attributes, STACK);
        libc::pthread_attr_setdetachstate(attributes, libc::PTHREAD_CREATE_DETACHED);
        let made = libc::pthread_create(thread.as_mut_ptr(), attributes, run, null_mut());
        libc::pthread_attr_destroy(attributes);
        made == 0
    }
}

/// Tells the helper that a buffer is full.
pub(crate) fn wake() {
    if WORK.swap(1, Ordering::Release) == 0 {
        // SAFETY: the word stays where it is; nobody waits for it to be another one.
        unsafe {
            let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
            libc::syscall(libc::SYS_futex, WORK.as_ptr(), operation, 1);
        }
    }
}

/// Sleeps until there is something to do, `longest` at most.
fn sleep(longest: Duration) {
    if WORK.swap(0, Ordering::Acquire) == 1 {
        return;
    }
    let time = libc::timespec {
        tv_sec: longest.as_secs() as libc::time_t,
        tv_nsec: libc::c_long::from(longest.subsec_nanos() as i32),
    };
    // SAFETY: the word stays where it is, and the time is valid for the call.
    unsafe {
        let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
        libc::syscall(
            libc::SYS_futex,
            WORK.as_ptr(),
            operation,
            0,
            &raw const time,
        );
    }
    WORK.store(0, Ordering::Relaxed);
}

/// The helper's number; 0 as long as there is none.
static ID: AtomicI32 = AtomicI32::new(0);
/// Nanoseconds of its CPU time that the end of a stream has noted already.
static CLAIMED: AtomicU64 = AtomicU64::new(0);

/// From now on a thread of the program may end without its process.
pub(crate) fn watch_threads() {
    WATCHES_THREADS.store(true, Ordering::Relaxed);
    wake();
}

/// CPU time of this process's helper that no stream has noted yet, in nanoseconds: up to now, also
/// of work that it has not finished.
pub(crate) fn claim_time() -> u64 {
    let id = ID.load(Ordering::Relaxed);
    let time = match id {
        0 => None,
        id => run_queue::cpu_time(id),
    };
    // One that has ended took nothing since somebody looked.
    time.map_or(0, |time| {
        time.saturating_sub(CLAIMED.swap(time, Ordering::Relaxed))
    })
}

extern "C" fn run(_: *mut c_void) -> *mut c_void {
    let longest_wait = Duration::from_millis(LONGEST_WAIT.load(Ordering::Relaxed));
    run_at_lowest_priority(|| serve(longest_wait))
}

extern "C" fn run_for_inbox(_: *mut c_void) -> *mut c_void {
    run_at_lowest_priority(serve_inbox)
}

fn run_at_lowest_priority(serve: impl FnOnce()) -> *mut c_void {
    // SAFETY: a C string.
    unsafe { libc::pthread_setname_np(libc::pthread_self(), c"pgas-recorder".as_ptr()) };
    // SAFETY: no arguments, cannot fail.
    ID.store(unsafe { libc::gettid() }, Ordering::Relaxed);
    // SAFETY: no pointers. It concerns this thread alone on Linux; if it fails, the helper has the
    // program's priority.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, LOWEST_PRIORITY) };
    // After a panic, which has said what it was, recorders write by themselves.
    let _ = catch_unwind(AssertUnwindSafe(serve));
    null_mut()
}

/// The status of the program's first thread (as `wait` gives it), if all its threads have ended and
/// this one keeps the process alive.
fn left_alone() -> Option<libc::c_int> {
    let mut text = [0; 1024];
    let mut file = File::open("/proc/self/stat").ok()?;
    let length = file.read(&mut text).ok()?;
    let text = String::from_utf8_lossy(text.get(..length)?);
    // Behind the name, which may have anything in it: the state of the first thread, the 17th field
    // after it the number of threads, and the 32nd after that the status.
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let state = fields.next()?;
    let threads: u32 = fields.nth(16)?.parse().ok()?;
    let status = fields.nth(31)?.parse().ok()?;
    (state == "Z" && threads <= 2).then_some(status)
}

fn end_if_left_alone() {
    let is_watching = WATCHES_THREADS.load(Ordering::Relaxed);
    if let Some(status) = is_watching.then(left_alone).flatten() {
        say(
            "the program's only thread has ended without its process, as under seccomp: the process ends here, too, and what was recorded is kept",
        );
        end_with(status);
    }
}

/// Ends this thread, as the last one, and with it the process, with this status. Returning would
/// take the C library through an end for which the first thread is missing.
fn end_with(status: libc::c_int) {
    // SAFETY: all fields of the action are numbers, for which zero is a value; the set is valid for
    // its calls.
    unsafe {
        if libc::WIFSIGNALED(status) {
            let signal = libc::WTERMSIG(status);
            let mut set = std::mem::zeroed();
            let by_default: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, &by_default, null_mut());
            libc::sigemptyset(&mut set);
            libc::sigaddset(&mut set, signal);
            libc::kill(libc::getpid(), signal);
            libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, null_mut());
        }
        libc::syscall(libc::SYS_exit, libc::WEXITSTATUS(status));
    }
}

fn serve_inbox() {
    let mut inbox = None;
    loop {
        std::thread::sleep(metrics::PERIOD);
        metrics::look_into_inbox(&mut inbox);
        end_if_left_alone();
    }
}

fn serve(longest_wait: Duration) {
    let mut last_look = Instant::now();
    let mut inbox = None;
    let mut placement = Placement::new();
    let mut seen = Vec::new();
    let mut known = 0;
    loop {
        let longest_wait = match registry::recorders().all(Recorder::survives_a_kill) {
            true => longest_wait,
            false => longest_wait.min(LONGEST_UNSAFE),
        };
        for recorder in registry::recorders().skip(known) {
            recorder.populate();
            known += 1;
        }
        let is_watching = WATCHES_THREADS.load(Ordering::Relaxed);
        let turn = if is_watching { TURN } else { longest_wait };
        let turn = turn.min(metrics::longest_sleep());
        sleep(longest_wait.saturating_sub(last_look.elapsed()).min(turn));
        end_if_left_alone();
        metrics::look_into_inbox(&mut inbox);
        if registry::recorders().any(Recorder::has_full_buffer) {
            placement.keep_off();
        }
        for recorder in registry::recorders() {
            recorder.write_full_buffers();
        }
        if last_look.elapsed() >= longest_wait {
            last_look = Instant::now();
            for (index, recorder) in registry::recorders().enumerate() {
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
