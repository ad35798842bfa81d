//! Numbered entries in one piece of memory, of which the oldest are dropped time and again.

/// Entries in the order in which they came. Each has a number, from 0, which it keeps when others
/// are dropped.
#[derive(Debug)]
pub struct Entries<T> {
    all: Vec<T>,
    /// Number of the first of `all`.
    before: u64,
    /// How many of `all` are dropped, though they still take room.
    dropped: usize,
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Entries::starting_at(0)
    }
}

impl<T> Entries<T> {
    /// None yet; the first will have this number.
    pub fn starting_at(number: u64) -> Self {
        Entries {
            all: Vec::new(),
            before: number,
            dropped: 0,
        }
    }

    /// All that were not dropped.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.all[self.dropped..]
    }

    /// Number of the first that was not dropped.
    #[inline]
    pub fn first(&self) -> u64 {
        self.before + self.dropped as u64
    }

    /// Number that the next one will have.
    #[inline]
    pub fn end(&self) -> u64 {
        self.before + self.all.len() as u64
    }

    /// Those from one number up to, but not including, another, as far as they are there.
    #[inline]
    pub fn range(&self, from: u64, to: u64) -> &[T] {
        let place = |number: u64| {
            let place = number.saturating_sub(self.before) as usize;
            place.clamp(self.dropped, self.all.len())
        };
        let to = place(to);
        &self.all[place(from).min(to)..to]
    }

    #[inline]
    pub fn push(&mut self, entry: T) {
        self.all.push(entry);
    }

    pub fn extend(&mut self, entries: impl Iterator<Item = T>) {
        self.all.extend(entries);
    }

    /// Drops those before a number.
    pub fn drop_until(&mut self, number: u64) {
        let drop = number.saturating_sub(self.before) as usize;
        self.dropped = drop.clamp(self.dropped, self.all.len());
        // Room is made when at least as many go as stay, so that no entry is moved often.
        if 2 * self.dropped >= self.all.len() {
            self.before += self.dropped as u64;
            self.all.drain(..self.dropped);
            self.dropped = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_their_numbers() {
        let mut entries = Entries::starting_at(100);
        entries.extend(100..110);
        for gone in [100, 101, 104, 106, 103, 110] {
            entries.drop_until(gone);
            let first = entries.first();
            assert_eq!(first, gone.max(first));
            assert_eq!(entries.end(), 110);
            assert!(entries.as_slice().iter().copied().eq(first..110));
            // Dropped entries are no longer visible, whether they still take room or not.
            assert!(entries.range(0, 108).iter().copied().eq(first..108));
            assert!(
                entries
                    .range(107, 999)
                    .iter()
                    .copied()
                    .eq(first.max(107)..110)
            );
        }
        entries.push(110);
        assert_eq!(entries.range(110, 111), [110]);
        assert!(entries.range(111, 110).is_empty());
    }
}
