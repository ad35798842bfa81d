//! Words that another process may change at any time, read one by one.

use std::sync::atomic::{AtomicU64, Ordering};

/// A live file as words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words<'a>(pub(crate) &'a [AtomicU64]);

impl Words<'_> {
    /// The word at an offset in bytes, which is a multiple of its size; 0 beyond the end.
    pub(crate) fn at(&self, offset: usize) -> u64 {
        let word = self.0.get(offset / size_of::<u64>());
        word.map_or(0, |word| word.load(Ordering::Acquire))
    }

    /// The `length` bytes from an offset on, which is a multiple of a word's size.
    pub(crate) fn bytes(&self, offset: usize, length: usize) -> Vec<u8> {
        let words = length.div_ceil(size_of::<u64>());
        let read = (0..words).flat_map(|word| self.at(offset + 8 * word).to_ne_bytes());
        let mut bytes: Vec<u8> = read.collect();
        bytes.truncate(length);
        bytes
    }
}
