//! Threads that have come to a synchronisation of all, and their gains and work.

use pgas_trace::model::ThreadId;

use super::parts;

/// Threads that have come. Values are by loss, as far as there were any; times are relative to that
/// of the first thread.
#[derive(Debug, Default)]
pub struct Gathered {
    /// By thread, one bit each.
    come: Vec<u64>,
    count: usize,
    /// Ticks; of the first thread that was added.
    reference: u64,
    /// Ticks; of the last thread that came.
    latest: u64,
    /// Gain of the thread that would come last, less the time at which it came.
    earliest: Vec<i64>,
    /// The same of all threads together.
    sum: Vec<i64>,
    /// Work of all threads so far.
    work: Vec<i64>,
    /// Share of each thread in the work since the synchronisation before, once all have come.
    shares: Vec<i64>,
    is_divided: bool,
}

impl Gathered {
    /// Empties it, and keeps its memory.
    pub fn clear(&mut self) {
        self.come.clear();
        self.earliest.clear();
        self.sum.clear();
        self.work.clear();
        self.shares.clear();
        self.count = 0;
        self.latest = 0;
        self.is_divided = false;
    }

    /// Number of threads that have come.
    pub fn count(&self) -> usize {
        self.count
    }

    /// When the last one came, in ticks.
    pub fn latest(&self) -> u64 {
        self.latest
    }

    /// Ticks that times are relative to.
    pub fn reference(&self) -> u64 {
        self.reference
    }

    pub fn has(&self, thread: ThreadId) -> bool {
        let word = self.come.get(thread as usize / 64).copied().unwrap_or(0);
        word >> (thread % 64) & 1 == 1
    }

    /// The first thread that has not come.
    pub fn missing(&self) -> ThreadId {
        let word = self.come.iter().position(|&word| word != u64::MAX);
        let word = word.unwrap_or(self.come.len());
        let bits = self.come.get(word).copied().unwrap_or(0);
        (word * 64) as ThreadId + bits.trailing_ones()
    }

    /// A thread comes at `time` (ticks).
    pub fn add(&mut self, thread: ThreadId, time: u64, gains: &[i64], work: &[i64]) {
        if self.has(thread) {
            return;
        }
        let word = thread as usize / 64;
        if word >= self.come.len() {
            self.come.resize(word + 1, 0);
        }
        self.come[word] |= 1 << (thread % 64);
        if self.count == 0 {
            self.reference = time;
        }
        self.latest = self.latest.max(time);
        // Never far from each other, but either may be the earlier one.
        let at = parts(time).wrapping_sub(parts(self.reference));
        let columns = gains.len().max(1);
        let known = self.earliest.len();
        if columns > known {
            // Those who came before had gained nothing.
            let earliest = self.earliest.first().copied().unwrap_or(i64::MAX);
            let sum = self.sum.first().copied().unwrap_or(0);
            self.earliest.resize(columns, earliest);
            self.sum.resize(columns, sum);
        }
        for (column, (earliest, sum)) in self.earliest.iter_mut().zip(&mut self.sum).enumerate() {
            let gain = gains.get(column).copied().unwrap_or(0).wrapping_sub(at);
            *earliest = (*earliest).min(gain);
            *sum = sum.wrapping_add(gain);
        }
        if work.len() > self.work.len() {
            self.work.resize(work.len(), 0);
        }
        for (sum, work) in self.work.iter_mut().zip(work) {
            *sum = sum.wrapping_add(*work);
        }
        self.count += 1;
    }

    /// By loss: gain of the thread that would come last, less the time at which it came.
    pub fn earliest(&self) -> &[i64] {
        &self.earliest
    }

    pub fn earliest_of(&self, column: usize) -> i64 {
        let first = || self.earliest.first().copied().unwrap_or(0);
        self.earliest.get(column).copied().unwrap_or_else(first)
    }

    /// As [`Gathered::earliest_of`], of a thread that comes at the mean of all times.
    pub fn mean(&self, column: usize, threads: i64) -> i64 {
        let first = self.sum.first().copied().unwrap_or(0);
        let sum = self.sum.get(column).copied().unwrap_or(first);
        sum.div_euclid(threads.max(1))
    }

    /// Divides the work since the synchronisation before; `divided` is the work that was divided so
    /// far.
    pub fn divide(&mut self, divided: &mut Vec<i64>, columns: usize, threads: i64) {
        if std::mem::replace(&mut self.is_divided, true) {
            return;
        }
        if divided.len() < columns.max(self.work.len()) {
            divided.resize(columns.max(self.work.len()), 0);
        }
        self.shares.clear();
        for (work, divided) in self.work.iter().zip(divided) {
            let share = work.wrapping_sub(*divided).div_euclid(threads.max(1));
            // The remainder is divided next time.
            *divided = divided.wrapping_add(share.wrapping_mul(threads));
            self.shares.push(share);
        }
    }

    pub fn shares(&self) -> &[i64] {
        &self.shares
    }
}
