//! Seconds of a thread's clock as whole ticks, which sums and differences do not round.

/// Ticks are picoseconds: below the resolution of every timer, and 64 bits hold 100 days of them on
/// both sides of [`EPOCH`].
pub(crate) const PER_SECOND: f64 = 1e12;

/// Ticks at the clock's epoch, so that earlier times are positive too.
const EPOCH: u64 = 1 << 63;

/// Ticks at a time of a clock that shows `epoch` at its epoch.
pub(crate) fn from_clock(time: f64, epoch: f64) -> u64 {
    EPOCH.saturating_add_signed(from_seconds(time - epoch))
}

/// The clock's time at some ticks.
pub(crate) fn to_clock(ticks: u64, epoch: f64) -> f64 {
    epoch + between(EPOCH, ticks)
}

/// Ticks of a length of time.
pub(crate) fn from_seconds(seconds: f64) -> i64 {
    (seconds * PER_SECOND).round() as i64
}

/// Seconds from one moment to another.
pub(crate) fn between(begin: u64, end: u64) -> f64 {
    (i128::from(end) - i128::from(begin)) as f64 / PER_SECOND
}
