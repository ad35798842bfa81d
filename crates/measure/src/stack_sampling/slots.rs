//! Room for the samples between two blocks. A thread may compute for any time without an event at
//! which it could hand them over: when all room is taken, every other sample is dropped, and only
//! every other one that follows is kept, so that samples stay spread over all that time.

use crate::buffer::Reserved;
use crate::node_id::NodeId;

/// Addresses in a sample, at most.
pub(crate) const MOST_FRAMES: usize = 24;
/// Samples that there is room for: half a minute at 1 kHz.
const SLOTS: usize = 32_768;

/// One sample.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    /// Ticks.
    pub(crate) time: u64,
    /// Periods that it stands for.
    pub(crate) weight: u64,
    /// Call path of the innermost open region.
    pub(crate) node: NodeId,
    /// Number of frames.
    pub(crate) count: u32,
    pub(crate) frames: [u64; MOST_FRAMES],
}

/// All of them.
pub(crate) struct Slots {
    memory: Reserved,
    length: usize,
    /// One of this number of samples is kept.
    stride: u64,
    /// Those since the last one that was.
    skipped: u64,
}

impl Slots {
    /// `None` if there is no address space left.
    pub(crate) fn new() -> Option<Self> {
        Some(Slots {
            memory: Reserved::new(SLOTS * size_of::<Slot>())?,
            length: 0,
            stride: 1,
            skipped: 0,
        })
    }

    /// Counts a period; whether its sample is to be kept.
    pub(crate) fn is_wanted(&mut self) -> bool {
        self.skipped += 1;
        self.skipped >= self.stride
    }

    /// A place for the sample that is wanted, which has no frames yet.
    pub(crate) fn next(&mut self, time: u64, node: NodeId) -> &mut Slot {
        if self.length == SLOTS {
            self.thin_out();
        }
        let weight = std::mem::take(&mut self.skipped);
        let index = self.length;
        self.length += 1;
        let slot = &mut self.slots()[index];
        (slot.time, slot.weight, slot.node, slot.count) = (time, weight, node, 0);
        slot
    }

    /// Of two samples in a row, one stands for both.
    fn thin_out(&mut self) {
        let half = self.length / 2;
        let slots = self.slots();
        for index in 0..half {
            let weight = slots[2 * index].weight + slots[2 * index + 1].weight;
            slots[index] = Slot {
                weight,
                ..slots[2 * index]
            };
        }
        self.length = half;
        self.stride *= 2;
    }

    /// Periods for which no sample stands.
    pub(crate) fn skipped(&self) -> u64 {
        self.skipped
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The samples so far.
    pub(crate) fn all(&self) -> &[Slot] {
        // SAFETY: as in `slots`.
        unsafe { std::slice::from_raw_parts(self.memory.pointer().cast(), self.length) }
    }

    /// Begins anew, with all of the following samples.
    pub(crate) fn clear(&mut self) {
        (self.length, self.stride, self.skipped) = (0, 1, 0);
    }

    fn slots(&mut self) -> &mut [Slot] {
        // SAFETY: the memory is this value's own, aligned to pages, has room for as many slots, and
        // comes zeroed; zeros are a slot.
        unsafe { std::slice::from_raw_parts_mut(self.memory.pointer().cast(), SLOTS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_thinned_out_over_all_the_time() {
        let mut slots = Slots::new().unwrap();
        let periods = 5 * SLOTS as u64 + 3;
        for time in 0..periods {
            if slots.is_wanted() {
                slots.next(time, 1).count = 1;
            }
        }
        let all = slots.all();
        let weights: u64 = all.iter().map(|slot| slot.weight).sum();
        assert_eq!(weights + slots.skipped(), periods);
        assert!(
            slots.skipped() < 8 && all.len() > SLOTS / 2,
            "{}",
            all.len()
        );
        let gaps = all.windows(2).map(|pair| pair[1].time - pair[0].time);
        // Weights and distances are powers of two, and none is missing anywhere.
        assert!(gaps.clone().all(|gap| gap <= 16), "{:?}", gaps.max());
        slots.clear();
        assert!(slots.is_empty() && slots.is_wanted());
        assert_eq!(slots.next(1, 1).weight, 1);
    }
}
