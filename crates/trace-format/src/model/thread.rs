//! Threads: their numbers, and how the clocks of two of them compare.

/// Number of a thread of the measured program, from 0.
pub type ThreadId = u32;

/// How the clock of a thread stood against that of another one at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockComparison {
    /// The other thread.
    pub reference: ThreadId,
    /// Ticks of this thread's clock.
    pub ticks: u64,
    /// Ticks of the other one's, at the same moment to within half a round trip.
    pub reference_ticks: u64,
    /// The time, in ticks of this thread's clock, that the fastest exchange of messages took.
    pub round_trip: u64,
    /// How many exchanges were made to find the fastest one.
    pub exchanges: u64,
}
