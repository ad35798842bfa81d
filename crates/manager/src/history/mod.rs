//! How values of objects were during the run: every period of the last minutes, means before that.
//!
//! All tracks have the same points in time, which are kept once ([`Axis`]). A track has a number
//! of four bytes for each of them, those of the newest points if it began later.

mod axis;
mod tier;
mod track;

pub(crate) use axis::{Axis, Step};
pub(crate) use track::Track;

/// Seconds that are kept period by period.
pub(crate) const FINE: f64 = 300.0;
/// Periods that are kept, at most: with periods below 0.5 s, they are less than [`FINE`].
pub(crate) const FINE_POINTS: usize = 600;
/// Seconds of the first means.
pub(crate) const MEDIUM: f64 = 10.0;
/// Number of these means: an hour.
pub(crate) const MEDIUM_POINTS: usize = 360;
/// Seconds of the means before that, until there are too many.
pub(crate) const COARSE: f64 = 100.0;
/// Number of these means at which each two become one.
pub(crate) const COARSE_POINTS: usize = 1_024;

/// The value of one point of a track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    /// End, in seconds since the program began.
    pub(crate) elapsed: f64,
    /// Length in seconds.
    pub(crate) period: f64,
    pub(crate) value: f64,
}

#[cfg(test)]
mod tests;
