//! Quantities that are summed up for each iteration: one number in ticks each, so that the figures
//! of an iteration, of a thousand of them, or of the time before a loop are all the same list of
//! numbers.

use crate::detectors::wait_states::patterns::{Formula, PATTERNS};
use crate::model::time_class::Class;

/// Ticks by quantity. Sums wrap where a trace claims more time than there can be.
pub(crate) type Quantities = Vec<u64>;

/// From the end of one synchronisation of all threads to the end of the next one.
pub(crate) const DURATION: usize = 0;
/// Time of all threads together.
pub(crate) const TIME: usize = 1;
/// Computation of the thread that computed longest, less the mean, times the number of threads: a
/// whole number.
pub(crate) const IMBALANCE: usize = 2;
const FIRST_CLASS: usize = 3;

const FIRST_PATTERN: usize = FIRST_CLASS + Class::ALL.len();

/// Time in operations of a class.
pub(crate) fn of_class(class: Class) -> usize {
    FIRST_CLASS + class.number()
}

/// Of sums, those of classes and those of patterns: in the order of [`Class::ALL`] and of
/// [`PATTERNS`].
pub(crate) fn classes_and_patterns(sums: &mut [u64]) -> (&mut [u64], &mut [u64]) {
    sums[FIRST_CLASS..].split_at_mut(Class::ALL.len())
}

/// Number of sums of what was lost: to each pattern, and without a core in operations of each
/// class.
pub(crate) fn losses() -> usize {
    PATTERNS.len() + Class::ALL.len()
}

/// Whether what a pattern finds is time without a core, and so not that of the operation.
pub(crate) fn is_no_core(pattern: usize) -> bool {
    matches!(PATTERNS[pattern].formula, Formula::Any(_))
}

/// Of the sums of what was lost: without a core in operations of this class.
pub(crate) fn no_core_in(class: Class) -> usize {
    PATTERNS.len() + class.number()
}

/// Takes time without a core from the classes of operations in which it was lost. `lost` is as
/// [`losses`] says.
pub(crate) fn move_no_core(of_class: &mut [u64], lost: &[u64]) {
    let all = lost.iter().skip(PATTERNS.len());
    for (class, &ticks) in all.enumerate() {
        move_to_no_core(of_class, class, ticks);
    }
}

/// The same for one class, by its place among them.
pub(crate) fn move_to_no_core(of_class: &mut [u64], class: usize, ticks: u64) {
    let moved = ticks.min(of_class[class]);
    of_class[class] -= moved;
    let sum = &mut of_class[Class::NoCore.number()];
    *sum = sum.wrapping_add(moved);
}

/// Time lost to a pattern, by its place in [`PATTERNS`].
pub(crate) fn of_pattern(pattern: usize) -> usize {
    FIRST_PATTERN + pattern
}

/// Number of quantities.
pub(crate) fn count() -> usize {
    FIRST_PATTERN + PATTERNS.len()
}

pub(crate) fn none() -> Quantities {
    vec![0; count()]
}

pub(crate) fn add(sums: &mut [u64], more: &[u64]) {
    for (sum, value) in sums.iter_mut().zip(more) {
        *sum = sum.wrapping_add(*value);
    }
}

/// Name of a quantity: the metric's id where there is one.
pub(crate) fn name(quantity: usize) -> &'static str {
    match quantity {
        DURATION => "duration",
        TIME => "time",
        IMBALANCE => "imbalance",
        q if q < FIRST_PATTERN => Class::ALL[q - FIRST_CLASS].metric(),
        q => PATTERNS[q - FIRST_PATTERN].id,
    }
}

/// Divisor that makes a quantity one of a thread: duration is the same for all threads.
pub(crate) fn share_of_thread(quantity: usize, threads: usize) -> f64 {
    match quantity {
        DURATION => 1.0,
        _ => threads.max(1) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quantity_has_a_name_of_its_own() {
        let mut names: Vec<_> = (0..count()).map(name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count());
        assert_eq!(name(of_class(Class::Measurement)), "measurement");
        assert_eq!(name(of_pattern(0)), PATTERNS[0].id);
    }
}
