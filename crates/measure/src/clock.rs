//! The clock: the time stamp counter where it counts at one rate in all states of the processor,
//! else the monotonic clock of the system. Chosen once; every stream says which.

use pgas_trace_format::clock::{CalibrationPair, ClockKind};

use crate::test_clock::{self, TestClock};

/// A clock that can be read in a few nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Clock {
    kind: ClockKind,
    source: Source,
}

/// Where ticks come from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Source {
    Counter,
    System,
    /// Either of them, as a test wants it to look.
    Test(&'static TestClock),
}

impl Clock {
    /// The best clock of this machine.
    pub(crate) fn choose() -> Self {
        let kind = if has_invariant_counter() {
            ClockKind::TimeStampCounter
        } else {
            ClockKind::Nanoseconds
        };
        Clock::of_kind(kind)
    }

    fn of_kind(kind: ClockKind) -> Self {
        let source = match kind {
            ClockKind::TimeStampCounter => Source::Counter,
            ClockKind::Nanoseconds => Source::System,
        };
        Clock { kind, source }
    }

    /// This clock as a thread sees it.
    pub(crate) fn of_thread(self, thread: u32) -> Self {
        match test_clock::of(thread) {
            None => self,
            Some(test_clock) => Clock {
                source: Source::Test(test_clock),
                ..self
            },
        }
    }

    /// Whether ticks are those of the time stamp counter as it is.
    pub(crate) fn is_counter(self) -> bool {
        matches!(self.source, Source::Counter)
    }

    pub(crate) fn kind(self) -> ClockKind {
        self.kind
    }

    /// Now, in ticks.
    #[inline(always)]
    pub(crate) fn now(self) -> u64 {
        match self.source {
            Source::Counter => read_counter(),
            Source::System => monotonic_out_of_line(),
            Source::Test(test_clock) => self.of_test(test_clock),
        }
    }

    /// Not before what the thread did until now is done. A processor reads its counter ahead of
    /// instructions that wait for memory; the end of an operation that waits for other threads
    /// would then seem to lie before what they did to end it (a lock would be taken before it
    /// was released).
    #[inline(always)]
    pub(crate) fn now_in_order(self) -> u64 {
        match self.source {
            Source::Counter => {
                wait_for_memory();
                read_counter()
            }
            Source::System => monotonic(),
            Source::Test(test_clock) => {
                wait_for_memory();
                self.of_test(test_clock)
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn of_test(self, test_clock: &TestClock) -> u64 {
        test_clock.shown(Clock::of_kind(self.kind).now())
    }

    /// Now, on this clock and the system's. Of a few attempts the one that took least, so that an
    /// interrupt between the two readings does not count.
    pub(crate) fn pair(self) -> CalibrationPair {
        let mut best = (u64::MAX, CalibrationPair::default());
        for _ in 0..4 {
            let before = self.now();
            let nanoseconds = self.system();
            let after = self.now();
            let took = after.saturating_sub(before);
            let ticks = match self.kind {
                ClockKind::TimeStampCounter => before + took / 2,
                ClockKind::Nanoseconds => nanoseconds,
            };
            if took < best.0 {
                best = (took, CalibrationPair { ticks, nanoseconds });
            }
        }
        best.1
    }

    /// Nanoseconds of CLOCK_MONOTONIC on the thread's node.
    fn system(self) -> u64 {
        match self.source {
            Source::Test(test_clock) => test_clock.shown(monotonic()),
            _ => monotonic(),
        }
    }
}

/// Nanoseconds of CLOCK_MONOTONIC.
#[inline]
pub(crate) fn monotonic() -> u64 {
    read_system_clock(libc::CLOCK_MONOTONIC)
}

/// Nanoseconds that the calling thread had a core.
pub(crate) fn thread_time() -> u64 {
    read_system_clock(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Kept out of paths on which only the counter is to be fast.
#[cold]
#[inline(never)]
fn monotonic_out_of_line() -> u64 {
    monotonic()
}

/// Nanoseconds since 1970-01-01 00:00 UTC.
pub(crate) fn since_epoch() -> u64 {
    read_system_clock(libc::CLOCK_REALTIME)
}

fn read_system_clock(clock: libc::clockid_t) -> u64 {
    // The call cannot fail for the two clocks that are always there; zero would be harmless.
    try_read_system_clock(clock).unwrap_or(0)
}

/// Nanoseconds of a clock of the system; `None` if there is none of that number.
pub(crate) fn try_read_system_clock(clock: libc::clockid_t) -> Option<u64> {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is valid for writing.
    let failed = unsafe { libc::clock_gettime(clock, &mut time) };
    (failed == 0).then(|| time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
}

/// The time stamp counter; only where [`Clock::is_counter`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn read_counter() -> u64 {
    // SAFETY: every x86-64 processor has the instruction. (A process may forbid it to itself with
    // prctl; it then gets a signal at its own doing.)
    unsafe { core::arch::x86_64::_rdtsc() }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn wait_for_memory() {
    // SAFETY: every x86-64 processor has the instruction.
    unsafe { core::arch::x86_64::_mm_lfence() }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn read_counter() -> u64 {
    monotonic()
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn wait_for_memory() {}

/// Whether the counter runs at one rate whatever the processor's frequency and sleep state, and
/// Linux has not found out otherwise: it then takes the counter off its list of clocks.
#[cfg(target_arch = "x86_64")]
fn has_invariant_counter() -> bool {
    use core::arch::x86_64::__cpuid;
    const CLOCKS: &str = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
    const ADVANCED_POWER_MANAGEMENT: u32 = 0x8000_0007;
    const INVARIANT: u32 = 1 << 8;
    // SAFETY: every processor with this instruction set has the instruction. Recent versions of
    // Rust know that, and need no block.
    #[allow(unused_unsafe)]
    let is_invariant = unsafe {
        __cpuid(0x8000_0000).eax >= ADVANCED_POWER_MANAGEMENT
            && __cpuid(ADVANCED_POWER_MANAGEMENT).edx & INVARIANT != 0
    };
    let is_trusted = std::fs::read_to_string(CLOCKS).map_or(true, |clocks| {
        clocks.split_whitespace().any(|clock| clock == "tsc")
    });
    is_invariant && is_trusted
}

#[cfg(not(target_arch = "x86_64"))]
fn has_invariant_counter() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_lie_within_readings_of_both_clocks() {
        for clock in [Clock::choose(), Clock::of_kind(ClockKind::Nanoseconds)] {
            let before = (clock.now(), monotonic());
            let pair = clock.pair();
            let after = (clock.now(), monotonic());
            assert!((before.0..=after.0).contains(&pair.ticks));
            assert!((before.1..=after.1).contains(&pair.nanoseconds));
        }
    }
}
