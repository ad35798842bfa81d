//! When there are enough launches.

use super::launches::Launches;
use crate::job::Settings;
use pgas_statistics::trimmed::Trimmed;

/// Rule 1: there were more launches, or more correct ones, than it takes. Rule 2: the mean is exact
/// enough, E being at most a share of it.
pub(super) fn is_enough(settings: &Settings, so_far: &Launches, round: u32) -> bool {
    let correct = so_far.times.len();
    if so_far.launches > settings.most_launches.saturating_mul(round)
        || correct > settings.most_correct as usize
    {
        return true;
    }
    let trimmed = Trimmed::of(&so_far.times, settings.trimmed_share);
    let relative = trimmed.map_or(f64::INFINITY, |t| t.relative_error(settings.confidence));
    correct >= settings.fewest_correct as usize && relative <= settings.relative_error
}
