//! Timers that interrupt one thread. The best is a software event of the kernel for the thread's CPU
//! time: it is precise, and interrupts only code in user mode, so that no system call of the program
//! ever fails for it. Where the kernel refuses it, a POSIX timer for the thread's CPU time does,
//! which the kernel checks at its ticks only. On request, a timer for wall-clock time.

use std::io;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering};

use pgas_trace_format::model::SampleClock;

use super::handler;
use crate::clock::monotonic;
use crate::counters::software_event;
use crate::descriptor::move_up;
use crate::settings::{SampleBy, Sampling};

const SECOND: u64 = 1_000_000_000;

/// Largest share of a thread's CPU time for samples, by their measured cost, unless the user sets a
/// rate. It is half of the documented 1 %: on a busy machine, rare interrupts find a cold cache, and
/// short runs also pay for the preparation.
const BUDGET: (u64, u64) = (5, 1000);
/// Nanoseconds that the handler takes for a sample, beside its interrupt.
const SAMPLE_COST: u64 = 3000;

/// The timer of one thread.
pub(crate) struct Trigger {
    source: Source,
    clock: SampleClock,
    period: u64,
    rate: u32,
    is_running: AtomicBool,
    /// Nanoseconds that a sample takes, as far as that was measured.
    cost: Option<u64>,
}

enum Source {
    Event(Event),
    /// Number of a POSIX timer.
    Timer(libc::c_int),
}

impl Trigger {
    /// A timer for the calling thread, which does not run yet.
    pub(crate) fn prepare(settings: Sampling) -> Result<Self, String> {
        let period = SECOND / u64::from(settings.rate);
        let trigger = |source, clock, period| Trigger {
            source,
            clock,
            period,
            rate: settings.rate,
            is_running: AtomicBool::new(false),
            cost: None,
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
    pub(crate) fn period_nanoseconds(&self) -> u64 {
        self.period
    }

    pub(crate) fn clock(&self) -> SampleClock {
        self.clock
    }

    /// Samples less often where all samples would take more than [`BUDGET`] of the thread's time:
    /// what an interrupt costs differs much between machines, and is most in virtual ones. Called
    /// while the signal is not blocked, and before the trigger is started.
    pub(crate) fn limit_cost(&mut self) {
        let Source::Event(event) = &self.source else {
            // At ticks that come anyway, or on request.
            return;
        };
        let Some(interrupt) = event.measure_cost(self.period) else {
            return;
        };
        // A third as much is lost later, by what it has evicted from caches.
        let cost = interrupt * 4 / 3 + SAMPLE_COST;
        self.cost = Some(cost);
        let least = cost * BUDGET.1 / BUDGET.0;
        if least > self.period {
            // An even number of samples a second.
            let rate = (SECOND / least).max(1);
            let rate = if rate > 20 { rate / 10 * 10 } else { rate };
            self.period = SECOND / rate;
            event.set_period(self.period);
        }
    }

    /// How it samples, in words.
    pub(crate) fn description(&self) -> String {
        let rate = SECOND / self.period;
        match self.clock {
            SampleClock::UserTime => match self.cost {
                Some(cost) if rate < u64::from(self.rate) => format!(
                    "{rate} Hz, CPU time in user mode (a sample takes {} us here, of which {} Hz \
                     would be too many)",
                    cost / 1000,
                    self.rate
                ),
                _ => format!("{rate} Hz, CPU time in user mode"),
            },
            SampleClock::TickTime => format!(
                "{rate} Hz, CPU time at ticks of the kernel (asked for: {} Hz; the kernel refuses \
                 perf_event_open)",
                self.rate
            ),
            SampleClock::WallTime => format!("{rate} Hz, wall-clock time"),
        }
    }

    pub(crate) fn start(&self) {
        self.is_running.store(true, Ordering::Relaxed);
        match &self.source {
            Source::Event(event) => event.start(),
            Source::Timer(timer) => set_timer(*timer, self.period),
        }
    }

    /// By any thread of the process, also if it does not run.
    pub(crate) fn stop(&self) {
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
    pub(crate) fn is_of(&self, information: &libc::siginfo_t) -> bool {
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
    pub(crate) fn missed(&self, information: &libc::siginfo_t) -> u64 {
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
const DISABLE: libc::c_ulong = 0x2401;
const PERIOD: libc::c_ulong = 0x4008_2404;
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

    /// Nanoseconds that an interrupt with its signal takes from the program, as the median of some;
    /// `None` if there were none. The event is set up for `period` again then.
    fn measure_cost(&self, period: u64) -> Option<u64> {
        const OFTEN: u64 = 100_000;
        const ENOUGH: usize = 11;
        const LONGEST: u64 = 4_000_000;
        /// Of two readings of the clock with nothing between them.
        const NOTHING: u64 = 1000;
        self.set_period(OFTEN);
        // SAFETY: no pointers; the descriptor is this value's own.
        unsafe { libc::ioctl(self.descriptor, ENABLE as _, 0) };
        let mut gaps = [0; ENOUGH];
        let mut count = 0;
        let begin = monotonic();
        let mut last = begin;
        while count < ENOUGH && last.saturating_sub(begin) < LONGEST {
            let now = monotonic();
            let gap = now.saturating_sub(last);
            if gap > NOTHING {
                gaps[count] = gap;
                count += 1;
            }
            last = now;
        }
        // SAFETY: as above.
        unsafe { libc::ioctl(self.descriptor, DISABLE as _, 0) };
        self.set_period(period);
        gaps.sort_unstable();
        (count == ENOUGH).then_some(gaps[ENOUGH / 2])
    }

    fn set_period(&self, period: u64) {
        // SAFETY: the kernel reads the number; the descriptor is this value's own.
        unsafe { libc::ioctl(self.descriptor, PERIOD as _, &raw const period) };
    }

    fn start(&self) {
        // SAFETY: no pointers; the descriptor is still this value's own.
        unsafe { libc::ioctl(self.descriptor, ENABLE as _, 0) };
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
