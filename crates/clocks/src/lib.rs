//! How clocks of different threads stand against each other: the minimum round-trip method, and
//! times corrected by its results.
//!
//! A thread reads its clock (`t1`), sends a message to another, which answers with its own clock
//! (`T`), and reads again (`t2`). The answer was given somewhere between `t1` and `t2`, so the
//! other clock showed `T` when the own one showed `(t1 + t2) / 2`, give or take half of the round
//! trip `t2 - t1`. This holds however unequal the ways there and back are. Of many exchanges the
//! shortest counts ([`Search`]); it gives a [`Meeting`] of the two clocks.
//!
//! A meeting is an [`Anchor`] of the line that maps one clock to the other ([`Correction`]); two
//! meetings some time apart give the difference of the rates too. Where a clock was compared with
//! another that is not the reference, its anchor goes through the correction of that one, and the
//! uncertainties add up. These are bounds; how wrong comparisons really are is shown by loops of
//! them ([`adjust`]).
//!
//! All times are ticks: nanoseconds, picoseconds or cycles, as long as each clock keeps to one.

mod adjustment;
mod correction;
mod exchange;
mod prediction;

pub use adjustment::{Adjustment, Compared, Share, adjust};
pub use correction::{Anchor, Correction, RATE_UNCERTAINTY, Rate};
pub use exchange::{FEW_EXCHANGES, Meeting, Search};
pub use prediction::{Prediction, predict};
