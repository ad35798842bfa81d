//! Samples of accesses to shared data with their addresses, for advice on where data should lie:
//! recorded by default, since they cost nothing but a countdown in all the other accesses.
//!
//! Accesses are sampled in bursts of consecutive ones, so that a reader sees how each follows the
//! one before, at distances drawn at random. Memory is bounded: once it is full, every other burst
//! is dropped and the mean distance doubles, so that every access was taken with the same
//! probability however long the run.

use pgas_trace_format::samples::{Sample, Samples as Written};

use crate::throttle::Lots;

/// Accesses of a burst.
const BURST: u32 = 8;
/// Mean distance of two bursts at first, as a power of two: accesses from the end of one to the
/// beginning of the next.
const FIRST_DISTANCE: u32 = 6;
/// Bursts that are kept of one thread, and of all threads together unless these are very many.
const OF_THREAD: usize = 256;
const OF_ALL: usize = 8192;
const LEAST: usize = 16;

/// The samples of one thread.
pub(crate) struct Samples {
    kept: Vec<Sample>,
    /// Bursts that `kept` has, and the largest number of them.
    bursts: usize,
    most: usize,
    /// Accesses that are missing in the current burst.
    left: u32,
    /// The mean distance as a power of two.
    distance: u32,
    /// Synchronisations of the thread at the latest sample.
    period: u32,
    lots: Lots,
}

impl Samples {
    pub(crate) fn new(thread: u32, threads: u32) -> Self {
        let of_thread = OF_ALL / threads.max(1) as usize;
        let most = of_thread.clamp(LEAST, OF_THREAD);
        Samples {
            // Nothing is allocated while the program runs. Memory that is not used is not touched.
            kept: Vec::with_capacity(most * BURST as usize),
            bursts: 0,
            most,
            left: 0,
            distance: FIRST_DISTANCE,
            period: 0,
            lots: Lots::new(!thread),
        }
    }

    /// Takes an access, of which `is_first` and `is_new_period` are found out here; `period` is the
    /// number of synchronisations of the thread so far. Returns how many accesses later the
    /// next one is to be taken, that one included.
    pub(crate) fn take(&mut self, sample: Sample, period: u32) -> u32 {
        let is_first = self.left == 0;
        if is_first {
            self.make_room();
            self.left = BURST;
            self.bursts += 1;
        }
        if self.kept.len() < self.kept.capacity() {
            self.kept.push(Sample {
                is_first,
                is_new_period: is_first || period != self.period,
                ..sample
            });
        }
        self.period = period;
        self.left -= 1;
        match self.left {
            0 => self.draw(),
            _ => 1,
        }
    }

    /// The access that was to be taken could not be: a new burst begins later.
    pub(crate) fn miss(&mut self) -> u32 {
        self.left = 0;
        self.draw()
    }

    /// Distance to the next sample of accesses of which none was taken yet.
    pub(crate) fn next(&mut self) -> u32 {
        self.draw()
    }

    fn draw(&mut self) -> u32 {
        // 1 to 64, which is 32.5 on average, times a power of two: the mean is that of the
        // distance, but for the burst.
        self.lots.draw() << (self.distance - 5).min(24)
    }

    /// Drops every other burst if there is no room for one more.
    fn make_room(&mut self) {
        if self.bursts < self.most {
            return;
        }
        let mut number = 0usize;
        self.kept.retain(|sample| {
            number += usize::from(sample.is_first);
            number % 2 == 1
        });
        self.bursts = self.bursts.div_ceil(2);
        self.distance += 1;
    }

    /// As the stream has them; `None` if there are none.
    pub(crate) fn text(&self) -> Option<String> {
        let written = Written {
            accesses_of_each: (1 << self.distance) / u64::from(BURST) + 1,
            samples: self.kept.clone(),
        };
        (!self.kept.is_empty()).then(|| written.to_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(address: u64) -> Sample {
        Sample {
            site: 3,
            partner: 1,
            address,
            bytes: 8,
            ..Sample::default()
        }
    }

    /// All accesses of a program with that many, of which sampled ones are taken.
    fn taken(threads: u32, accesses: u64) -> Samples {
        let mut samples = Samples::new(0, threads);
        let mut left = 1;
        for number in 0..accesses {
            left -= 1;
            if left == 0 {
                left = samples.take(sample(8 * number), (number / 1000) as u32);
            }
        }
        samples
    }

    #[test]
    fn every_part_of_a_long_run_has_its_share() {
        const ALL: u64 = 3_000_000;
        let samples = taken(2, ALL);
        let kept = samples.kept.len();
        assert!(kept > 8 * OF_THREAD / 3, "{kept}");
        assert_eq!(kept % BURST as usize, 0);
        for part in 0..4 {
            let range = part * ALL / 4 * 8..(part + 1) * ALL / 4 * 8;
            let here = samples.kept.iter().filter(|s| range.contains(&s.address));
            let share = here.count() as f64 / kept as f64;
            assert!((0.15..0.35).contains(&share), "{part}: {share}");
        }
        let each = ALL as f64 / kept as f64;
        let said = Written::from_text(&samples.text().unwrap()).unwrap();
        let said = said.accesses_of_each as f64;
        assert!((0.8..1.25).contains(&(said / each)), "{said} {each}");
    }

    #[test]
    fn a_burst_is_of_consecutive_accesses_and_knows_where_a_period_begins() {
        let samples = taken(2, 20_000);
        let mut pairs = 0;
        for pair in samples.kept.windows(2) {
            if !pair[1].is_first {
                pairs += 1;
                assert_eq!(pair[1].address - pair[0].address, 8);
                let (before, here) = (pair[0].address / 8000, pair[1].address / 8000);
                assert_eq!(pair[1].is_new_period, before != here);
            }
        }
        assert!(pairs > 500, "{pairs}");
    }

    #[test]
    fn memory_is_bounded_with_many_threads_too() {
        let samples = taken(4096, 1_000_000);
        assert!(samples.kept.len() <= LEAST * BURST as usize);
        assert!(Samples::new(0, 2).text().is_none());
    }
}
