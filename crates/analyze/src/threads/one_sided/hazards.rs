//! Remembers the last few ranges of other threads' data that a thread has written: a block that is
//! fetched at once, before a loop, lacks data that the loop writes into it before it reads them.

use pgas_trace::model::ThreadId;

const RANGES: usize = 4;

#[derive(Debug, Clone, Copy, Default)]
struct Range {
    owner: ThreadId,
    begin: u64,
    end: u64,
    /// Number of the latest access that wrote to it.
    written: u64,
}

/// Ranges that were written since the last synchronisation.
#[derive(Debug, Default)]
pub(crate) struct Written {
    ranges: [Range; RANGES],
    /// Of these, those that are in use.
    used: usize,
    next: usize,
}

impl Written {
    pub fn clear(&mut self) {
        (self.used, self.next) = (0, 0);
    }

    /// Notes a write with the number of the access.
    pub fn note(&mut self, owner: ThreadId, address: u64, bytes: u64, number: u64) {
        let end = address.saturating_add(bytes);
        let adjacent = self.ranges[..self.used]
            .iter_mut()
            .find(|range| range.owner == owner && (range.end == address || range.begin == end));
        if let Some(range) = adjacent {
            range.begin = range.begin.min(address);
            range.end = range.end.max(end);
            range.written = number;
            return;
        }
        self.ranges[self.next] = Range {
            owner,
            begin: address,
            end,
            written: number,
        };
        self.next = (self.next + 1) % RANGES;
        self.used = (self.used + 1).min(RANGES);
    }

    /// The number of the latest access that wrote to this place, as far as it is remembered.
    #[inline]
    pub fn latest(&self, owner: ThreadId, address: u64) -> Option<u64> {
        self.ranges[..self.used]
            .iter()
            .filter(|range| range.owner == owner && range.begin <= address && address < range.end)
            .map(|range| range.written)
            .max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_become_one_range_and_the_oldest_is_forgotten() {
        let mut written = Written::default();
        for number in 0..100 {
            written.note(1, 1000 + 8 * number, 8, number);
        }
        assert_eq!(written.latest(1, 1000), Some(99));
        assert_eq!(written.latest(1, 1799), Some(99));
        assert_eq!(written.latest(1, 1800), None);
        assert_eq!(written.latest(2, 1000), None);
        for number in 100..104 {
            written.note(2, 16 * number, 8, number);
        }
        assert_eq!(written.latest(1, 1000), None);
        written.clear();
        assert_eq!(written.latest(2, 16 * 103), None);
    }
}
