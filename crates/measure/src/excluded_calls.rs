//! Functions of a thread that a filter excludes by their addresses, as a small table that their
//! calls look at before all else: an excluded function costs a few instructions, is on no stack,
//! and nobody counts its calls.

use std::cell::Cell;

const SLOTS: usize = 512;

/// See the module. A function that finds its slot taken has none, and stays so: its Enter and its
/// Exit must go the same way.
pub(crate) struct ExcludedCalls {
    slots: [Cell<usize>; SLOTS],
}

impl Default for ExcludedCalls {
    fn default() -> Self {
        ExcludedCalls {
            slots: [const { Cell::new(0) }; SLOTS],
        }
    }
}

impl ExcludedCalls {
    #[inline(always)]
    fn slot(&self, function: usize) -> &Cell<usize> {
        // Functions begin at multiples of 16, mostly.
        &self.slots[(function >> 4 ^ function >> 13) % SLOTS]
    }

    /// Whether the function is in the table.
    #[inline(always)]
    pub(crate) fn has(&self, function: usize) -> bool {
        self.slot(function).get() == function
    }

    /// Adds an excluded function before its first call is on the stack; false if there is no place.
    #[cold]
    pub(crate) fn add(&self, function: usize) -> bool {
        let slot = self.slot(function);
        if slot.get() == 0 {
            slot.set(function);
        }
        slot.get() == function
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_stays_with_its_first_function() {
        let excluded = ExcludedCalls::default();
        let (first, other) = (0x40_1000, 0x40_1000 ^ SLOTS << 4 ^ 1 << 4);
        assert!(!excluded.has(first) && excluded.add(first) && excluded.has(first));
        assert!(std::ptr::eq(excluded.slot(first), excluded.slot(other)));
        assert!(!excluded.add(other) && !excluded.has(other) && excluded.has(first));
    }
}
