//! Timers that interrupt one thread. The best is a software event of the kernel for the thread's CPU
//! time: it is precise, and interrupts only code in user mode, so that no system call of the program
//! ever fails for it. Where the kernel refuses it, a POSIX timer for the thread's CPU time does,
//! which the kernel checks at its ticks only. On request, a timer for wall-clock time.

use std::io;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering};

use pgas_trace_format::model::SampleClock;

use super::handler;
use crate::counters::software_event;
use crate::descriptor::move_up;
use crate::settings::{SampleBy, Sampling};

const SECOND: u64 = 1_000_000_000;

/// The timer of one thread.
pub(super) struct Trigger {
    source: Source,
    clock: SampleClock,
    period: u64,
    rate: u32,
    is_running: AtomicBool,
}

enum Source {
    Event(Event),
    /// Number of a POSIX timer.
    Timer(libc::c_int),
}

impl Trigger {
    /// A timer for the calling thread, which does not run yet.
    pub(super) fn prepare(settings: Sampling) -> Result<Self, String> {
        let period = SECOND / u64::from(settings.rate);
        let trigger = |source, clock, period| Trigger {
            source,
            clock,
            period,
            rate: settings.rate,
            is_running: AtomicBool::new(false),
        };
        let refused = |error: io::Error| format!("the kernel gives no timer: {error}");
        if settings.by == SampleBy::WallTime {
            let timer = timer(libc::CLOCK_MONOTONIC).map_err(refused)?;
            return Ok(trigger(Source::Timer(timer), SampleClock::WallTime, period));
        }
        if let Ok(event) = Event::open(period) {
            return Ok(trigger(Source::Event(event), SampleClock::UserTime, period));
        }
        let timer = timer(libc::CLOCK_THREAD_CPUTIME_ID).map_err(refused)?;
        let period = period.max(tick());
        Ok(trigger(Source::Timer(timer), SampleClock::TickTime, period))
    }

    /// Nanoseconds.
    pub(super) fn period_nanoseconds(&self) -> u64 {
        self.period
    }

    pub(super) fn clock(&self) -> SampleClock {
        self.clock
    }

    /// How it samples, in words.
    pub(super) fn description(&self) -> String {
        let rate = SECOND / self.period;
        match self.clock {
            SampleClock::UserTime => format!("{rate} Hz, CPU time in user mode"),
            SampleClock::TickTime => format!(
                "{rate} Hz, CPU time at ticks of the kernel (asked for: {} Hz; the kernel refuses \
                 perf_event_open)",
                self.rate
            ),
            SampleClock::WallTime => format!("{rate} Hz, wall-clock time"),
        }
    }

    pub(super) fn start(&self) {
        self.is_running.store(true, Ordering::Relaxed);
        match &self.source {
            Source::Event(event) => event.start(),
            Source::Timer(timer) => set_timer(*timer, self.period),
        }
    }

    /// By any thread of the process, also if it does not run.
    pub(super) fn stop(&self) {
        if !self.is_running.swap(false, Ordering::Relaxed) {
            return;
        }
        match &self.source {
            Source::Event(event) => event.close(),
            // SAFETY: no pointers; the number is that of a timer of this process.
            Source::Timer(timer) => unsafe {
                libc::syscall(libc::SYS_timer_delete, *timer);
            },
        }
    }

    /// Whether a signal with this information is of such a timer.
    pub(super) fn is_of(&self, information: &libc::siginfo_t) -> bool {
        match &self.source {
            Source::Event(event) => event.is_of(information),
            Source::Timer(_) => {
                information.si_code == libc::SI_TIMER && {
                    // SAFETY: signals of timers have a value.
                    let value = unsafe { information.si_value() };
                    value.sival_ptr == handler::mark()
                }
            }
        }
    }

    /// Periods that ended while a signal was pending already.
    pub(super) fn missed(&self, information: &libc::siginfo_t) -> u64 {
        match &self.source {
            Source::Event(_) => 0,
            Source::Timer(_) => {
                // SAFETY: signals of timers have an overrun, after the number of the timer.
                let overrun = unsafe {
                    std::ptr::from_ref(information)
                        .cast::<libc::c_int>()
                        .add(OVERRUN)
                        .read()
                };
                u64::try_from(overrun).unwrap_or(0)
            }
        }
    }
}

/// Where the overrun lies in the information about a signal, in integers: three, padding to eight
/// bytes, and the number of the timer come before it.
const OVERRUN: usize = 5;

/// A POSIX timer that sends the signal to the calling thread.
fn timer(clock: libc::clockid_t) -> io::Result<libc::c_int> {
    // SAFETY: all fields are numbers or pointers, for which zero is a value.
    let mut event: libc::sigevent = unsafe { std::mem::zeroed() };
    event.sigev_notify = libc::SIGEV_THREAD_ID;
    event.sigev_signo = handler::signal();
    event.sigev_value.sival_ptr = handler::mark();
    // SAFETY: no arguments, cannot fail.
    event.sigev_notify_thread_id = unsafe { libc::gettid() };
    let mut timer: libc::c_int = 0;
    // The C library's functions are in a library of their own where it is old.
    // SAFETY: both pointers are valid for the call.
    let made = unsafe {
        let (event, timer) = (&raw mut event, &raw mut timer);
        libc::syscall(libc::SYS_timer_create, clock, event, timer)
    };
    match made {
        0 => Ok(timer),
        _ => Err(io::Error::last_os_error()),
    }
}

fn set_timer(timer: libc::c_int, period: u64) {
    let time = libc::timespec {
        tv_sec: (period / SECOND) as libc::time_t,
        tv_nsec: (period % SECOND) as libc::c_long,
    };
    let setting = libc::itimerspec {
        it_interval: time,
        it_value: time,
    };
    let nothing: *mut libc::itimerspec = null_mut();
    // SAFETY: the setting is valid for the call.
    unsafe {
        libc::syscall(
            libc::SYS_timer_settime,
            timer,
            0,
            &raw const setting,
            nothing,
        )
    };
}

/// Nanoseconds between two ticks of the kernel; 0 if it does not say.
fn tick() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is valid for writing.
    unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &mut time) };
    SECOND * time.tv_sec as u64 + time.tv_nsec as u64
}

/// A software event of the kernel that signals each period of the thread's CPU time.
struct Event {
    /// As the kernel knows it in the information about a signal.
    descriptor: libc::c_int,
    /// A page that is mapped of the event keeps it alive: the program may close all descriptors.
    /// It is not inherited by a child. Null where that was refused, and once it is closed.
    page: AtomicPtr<libc::c_void>,
    /// The same descriptor until it is closed; -1 then.
    open: AtomicI32,
}

const ENABLE: libc::c_ulong = 0x2400;
const F_SETSIG: libc::c_int = 10;
const F_SETOWN_EX: libc::c_int = 15;
const POLL_IN: libc::c_int = 1;

/// Receiver of a descriptor's signals.
#[repr(C)]
struct Owner {
    /// 0: a thread.
    kind: libc::c_int,
    id: libc::pid_t,
}

impl Event {
    fn open(period: u64) -> io::Result<Self> {
        let descriptor = move_up(software_event(period)?);
        let event = Event {
            descriptor,
            page: AtomicPtr::new(null_mut()),
            open: AtomicI32::new(descriptor),
        };
        let is_set = {
            // SAFETY: no arguments, cannot fail.
            let id = unsafe { libc::gettid() };
            let owner = Owner { kind: 0, id };
            // SAFETY: the descriptor is this value's own, and the owner valid for its call.
            unsafe {
                libc::fcntl(descriptor, F_SETOWN_EX, &raw const owner) == 0
                    && libc::fcntl(descriptor, F_SETSIG, handler::signal()) == 0
                    && libc::fcntl(descriptor, libc::F_SETFL, libc::O_ASYNC) == 0
            }
        };
        if !is_set {
            let error = io::Error::last_os_error();
            event.close();
            return Err(error);
        }
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at an address that the system chooses touches nothing that exists.
        let page = unsafe {
            let length = page_size();
            libc::mmap(
                null_mut(),
                length,
                protection,
                libc::MAP_SHARED,
                descriptor,
                0,
            )
        };
        if page != libc::MAP_FAILED {
            event.page.store(page, Ordering::Relaxed);
        }
        Ok(event)
    }

    fn start(&self) {
        // SAFETY: no pointers; the descriptor is still this value's own.
        unsafe { libc::ioctl(self.descriptor, ENABLE, 0) };
        if !self.page.load(Ordering::Relaxed).is_null() {
            self.close_descriptor();
        }
    }

    fn close(&self) {
        let page = self.page.swap(null_mut(), Ordering::Relaxed);
        if !page.is_null() {
            // SAFETY: the page is this value's own, and nobody reads it.
            unsafe { libc::munmap(page, page_size()) };
        }
        self.close_descriptor();
    }

    fn close_descriptor(&self) {
        let descriptor = self.open.swap(-1, Ordering::Relaxed);
        if descriptor >= 0 {
            // SAFETY: the descriptor is this value's own.
            unsafe { libc::close(descriptor) };
        }
    }

    fn is_of(&self, information: &libc::siginfo_t) -> bool {
        // In integers: three, padding to eight bytes, and a long integer come before it.
        const DESCRIPTOR: usize = 6;
        information.si_code == POLL_IN && {
            // SAFETY: signals of descriptors have that.
            let descriptor = unsafe {
                std::ptr::from_ref(information)
                    .cast::<libc::c_int>()
                    .add(DESCRIPTOR)
                    .read()
            };
            descriptor == self.descriptor
        }
    }
}

fn page_size() -> usize {
    // SAFETY: no pointers.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}
