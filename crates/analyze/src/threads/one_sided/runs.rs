//! Runs: small accesses of one call path to one owner's data that follow each other in memory, so
//! that one block transfer could replace them.
//!
//! Where addresses were recorded, up to four runs at a time are followed for each owner (a line may
//! read two arrays in turn); a run goes on as long as addresses are adjacent, or have one distance,
//! and nothing between them forbids to move them together. Without addresses, accesses of one line
//! to one owner are taken to be adjacent as long as nothing comes between them.

use pgas_trace::model::Address;
use serde::{Deserialize, Serialize};

/// Elements that a run has at least; what is shorter is none.
pub const LEAST_ELEMENTS: u64 = 4;
/// Runs that are followed at a time.
const WAYS: usize = 4;

/// Sums over runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunSums {
    /// Number of runs.
    pub runs: u64,
    /// Accesses in all runs.
    pub accesses: u64,
    /// That the accesses moved.
    pub bytes: u64,
    /// From the first byte to the last of each run: what a block transfer would move.
    pub block_bytes: u64,
    /// Ticks that the accesses took.
    pub ticks: u64,
    /// Accesses of the longest run.
    pub longest: u64,
}

impl RunSums {
    /// Adds the runs of another call path or thread.
    pub fn add(&mut self, other: &RunSums) {
        self.runs = self.runs.saturating_add(other.runs);
        self.accesses = self.accesses.saturating_add(other.accesses);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.block_bytes = self.block_bytes.saturating_add(other.block_bytes);
        self.ticks = self.ticks.saturating_add(other.ticks);
        self.longest = self.longest.max(other.longest);
    }
}

/// Runs of one call path of one thread, by what is known about the places in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Runs {
    /// Each access directly after the previous one in memory, or directly before it.
    pub adjacent: RunSums,
    /// With gaps of one size.
    pub strided: RunSums,
    /// Without addresses: taken to be adjacent.
    pub assumed: RunSums,
    /// Bytes from one access to the next in `strided`, if it is the same in all.
    pub stride: Option<u64>,
}

impl Runs {
    /// Adds the runs of another call path or thread.
    pub fn add(&mut self, other: &Runs) {
        self.stride = match (self.strided.runs, other.strided.runs) {
            (0, _) => other.stride,
            (_, 0) => self.stride,
            _ => self.stride.filter(|_| self.stride == other.stride),
        };
        self.adjacent.add(&other.adjacent);
        self.strided.add(&other.strided);
        self.assumed.add(&other.assumed);
    }

    /// All of them.
    pub fn all(&self) -> RunSums {
        let mut all = self.adjacent;
        all.add(&self.strided);
        all.add(&self.assumed);
        all
    }
}

/// An access as a run sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access {
    pub address: Option<Address>,
    pub bytes: u64,
    pub ticks: u64,
    /// Number of the access on its thread.
    pub number: u64,
    /// Runs that began in another period have ended.
    pub period: u64,
    /// The call path's access before this one went to the same owner, and nothing came between.
    pub uninterrupted: bool,
    /// Runs that began with an access of a smaller number cannot take this one. A read must see
    /// what was written before it, and so a block with it cannot be fetched earlier; what was
    /// written and then read cannot be sent later.
    pub not_before: u64,
}

/// A run that may go on.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    /// Address of the latest element.
    at: u64,
    /// From one element to the next; 0 if there is only one.
    stride: i64,
    /// Of one element.
    size: u64,
    elements: u64,
    /// Accesses that repeated the latest element.
    repeats: u64,
    ticks: u64,
    period: u64,
    begun: u64,
    is_assumed: bool,
}

/// The runs of one owner's data that may go on.
#[derive(Debug, Default)]
pub(crate) struct Ways {
    /// At most [`WAYS`].
    ways: Vec<Way>,
    latest: usize,
    /// The one before the latest, if both are single accesses.
    before: Option<usize>,
}

impl Way {
    fn of(access: &Access) -> Self {
        Way {
            at: access.address.map_or(0, Address::number),
            stride: 0,
            size: access.bytes,
            elements: 1,
            repeats: 0,
            ticks: access.ticks,
            period: access.period,
            begun: access.number,
            is_assumed: access.address.is_none(),
        }
    }

    /// Takes an access with an address if it continues the run, or repeats its latest element.
    #[inline]
    fn takes(&mut self, access: &Access, address: u64) -> bool {
        if self.period != access.period || self.size != access.bytes || self.is_assumed {
            return false;
        }
        let step = address.wrapping_sub(self.at) as i64;
        if step == 0 {
            self.repeats += 1;
            self.ticks = self.ticks.wrapping_add(access.ticks);
            return true;
        }
        let is_next = match self.stride {
            0 => step.unsigned_abs() == self.size,
            stride => step == stride,
        };
        if !is_next || self.begun < access.not_before {
            return false;
        }
        self.stride = step;
        self.at = address;
        self.elements += 1;
        self.ticks = self.ticks.wrapping_add(access.ticks);
        true
    }

    /// Adds the run to the sums, if it is one.
    #[inline(never)]
    fn end(self, runs: &mut Runs) {
        if self.elements < LEAST_ELEMENTS {
            return;
        }
        let accesses = self.elements + self.repeats;
        let moved = accesses.saturating_mul(self.size);
        let stride = self.stride.unsigned_abs();
        let mut sums = RunSums {
            runs: 1,
            accesses,
            bytes: moved,
            block_bytes: (self.elements - 1)
                .saturating_mul(stride)
                .saturating_add(self.size),
            ticks: self.ticks,
            longest: accesses,
        };
        if self.is_assumed {
            sums.block_bytes = moved;
            runs.assumed.add(&sums);
        } else if stride == self.size {
            runs.adjacent.add(&sums);
        } else {
            let one = Runs {
                strided: sums,
                stride: Some(stride),
                ..Runs::default()
            };
            runs.add(&one);
        }
    }
}

impl Ways {
    /// Puts an access into a run.
    #[inline]
    pub fn follow(&mut self, access: &Access, runs: &mut Runs) {
        let Some(address) = access.address.map(Address::number) else {
            self.assume(access, runs);
            return;
        };
        let latest = self.latest;
        if let Some(way) = self.ways.get_mut(latest) {
            if way.takes(access, address) {
                return;
            }
        }
        self.search(access, address, runs);
    }

    #[inline(never)]
    fn search(&mut self, access: &Access, address: u64, runs: &mut Runs) {
        for number in 0..self.ways.len() {
            if number != self.latest && self.ways[number].takes(access, address) {
                (self.latest, self.before) = (number, None);
                return;
            }
        }
        if let Some(number) = self.stride_found(access, address) {
            (self.latest, self.before) = (number, None);
            return;
        }
        let before = self
            .single(self.latest, access.period)
            .then_some(self.latest);
        let number = self.free(access.period, runs);
        self.ways[number] = Way::of(access);
        self.before = before.filter(|&before| before != number);
        self.latest = number;
    }

    fn single(&self, number: usize, period: u64) -> bool {
        let way = self.ways.get(number);
        way.is_some_and(|way| way.elements == 1 && way.period == period && !way.is_assumed)
    }

    /// The third of three accesses with equal distances: the first two become its run.
    fn stride_found(&mut self, access: &Access, address: u64) -> Option<usize> {
        let before = self.before?;
        let (first, second) = (*self.ways.get(before)?, *self.ways.get(self.latest)?);
        let period = access.period;
        if !self.single(before, period) || !self.single(self.latest, period) {
            return None;
        }
        let step = second.at.wrapping_sub(first.at);
        let equal = address.wrapping_sub(second.at) == step;
        let alike = first.size == access.bytes && second.size == access.bytes;
        if !equal || !alike || first.begun < access.not_before {
            return None;
        }
        self.ways[before] = Way {
            at: address,
            stride: step as i64,
            elements: 3,
            repeats: first.repeats + second.repeats,
            ticks: first
                .ticks
                .wrapping_add(second.ticks)
                .wrapping_add(access.ticks),
            ..first
        };
        self.ways[self.latest] = Way::default();
        Some(before)
    }

    /// A place for a new run; the run that is there ends.
    fn free(&mut self, period: u64, runs: &mut Runs) -> usize {
        if self.ways.len() < WAYS {
            self.ways.push(Way::default());
            return self.ways.len() - 1;
        }
        let over = |way: &Way| way.elements == 0 || way.period != period;
        let after = (self.latest + 1) % WAYS;
        let number = self.ways.iter().position(over).unwrap_or(after);
        std::mem::take(&mut self.ways[number]).end(runs);
        number
    }

    #[inline]
    fn assume(&mut self, access: &Access, runs: &mut Runs) {
        if let Some(way) = self.ways.first_mut() {
            let goes_on = access.uninterrupted
                && way.is_assumed
                && way.period == access.period
                && way.size == access.bytes;
            if goes_on {
                way.elements += 1;
                way.ticks = way.ticks.wrapping_add(access.ticks);
                return;
            }
            let ended = std::mem::replace(way, Way::of(access));
            if ended.elements >= LEAST_ELEMENTS {
                ended.end(runs);
            }
        } else {
            self.ways.push(Way::of(access));
        }
        (self.latest, self.before) = (0, None);
    }

    /// Sums with the runs that have not ended yet.
    pub fn end(&self, runs: &mut Runs) {
        for way in &self.ways {
            way.end(runs);
        }
    }
}
