//! Samples of accesses with their addresses, which recorders take by default: in which array each
//! one is, and what those of one place in the source have in common.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

use pgas_filter::{Follower, Neighbour};
use pgas_trace::model::{Operation, Site, ThreadId};
use pgas_trace::samples::{Sample, Samples, SharedArray};

/// Samples from which on a pattern is believed.
const ENOUGH: u64 = 16;
/// Bytes that one may skip and still read side by side: structures of which a part is used.
const NEAR: u64 = 64;

/// The place in the source of an access.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    operation: u8,
    file: String,
    line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl Place {
    /// The operation, file and line of a site.
    pub fn of(site: &Site) -> Self {
        Place {
            operation: site.operation.in_source().number(),
            file: site.file.clone(),
            line: site.line,
        }
    }
}

/// A sample of a single access.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access {
    pub thread: ThreadId,
    /// Number of the burst, over all threads.
    pub burst: u32,
    /// Number of its place.
    pub place: usize,
    /// Number of accesses for which it stands.
    pub weight: f64,
    pub sample: Sample,
}

/// Samples of single accesses of all threads, and the program's shared arrays.
#[derive(Debug, Clone, Default)]
pub struct Sampled {
    pub(crate) places: Vec<Place>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) arrays: Vec<SharedArray>,
    /// Accesses that the compiler knows to be close to the thread's own elements.
    neighbours: Vec<Neighbour>,
    /// Accesses in loops that go by the elements of an array.
    followers: Vec<Follower>,
    /// Lines, as `FILE:LINE`, of which all accesses are to own elements through pointers to private.
    direct: HashSet<String>,
    /// Those of them where nothing is counted before the loop has ended.
    counted_at_end: HashSet<String>,
    bursts: u32,
}

/// Common properties of the accesses at one place.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Use {
    /// Number of samples.
    pub samples: u64,
    /// Made while the thread held a lock, to elements that are also written under one.
    pub updates: u64,
    /// Samples with a known previous access at the same place to the data of the same thread.
    pub pairs: u64,
    /// Of these, that lie side by side with one before.
    pub near: u64,
    /// Of these, at the very place of the one before.
    pub repeated: u64,
    /// Of these, at one common distance from the one before, which is this one.
    pub stride: u64,
    /// Pairs that have this distance.
    pub strided: u64,
    /// Different addresses.
    pub addresses: u64,
}

impl Use {
    /// Whether accesses lie side by side between two synchronisations; `None` if that is not known.
    pub fn is_block(&self) -> Option<bool> {
        (self.samples >= ENOUGH).then_some(2 * self.near > self.pairs && self.pairs > 0)
    }

    /// The distance of one access from the next, if most have the same and it is no small one.
    pub fn stride(&self) -> Option<u64> {
        let most = self.pairs >= ENOUGH / 2 && 2 * self.strided > self.pairs;
        (most && self.stride > NEAR).then_some(self.stride)
    }

    /// Whether most belong to updates under a lock.
    pub fn is_update(&self) -> bool {
        self.samples >= ENOUGH / 4 && 2 * self.updates > self.samples
    }

    /// Whether a thread accesses the same few elements again and again.
    pub fn is_repeated(&self) -> bool {
        self.samples >= ENOUGH && 4 * self.addresses <= self.samples
    }
}

impl Sampled {
    /// Adds what the compiler knows of the accesses.
    pub fn add_neighbours(&mut self, neighbours: Vec<Neighbour>) {
        for neighbour in neighbours {
            if !self.neighbours.contains(&neighbour) {
                self.neighbours.push(neighbour);
            }
        }
    }

    /// Adds which accesses the compiler knows to be in loops over arrays.
    pub fn add_followers(&mut self, followers: Vec<Follower>) {
        for follower in followers {
            if !self.followers.contains(&follower) {
                self.followers.push(follower);
            }
        }
    }

    /// Adds lines of which the compiler knows that all accesses are to own elements, and has them go
    /// through pointers to private; and those where nothing is counted before the loop has ended.
    pub fn add_direct(&mut self, lines: Vec<String>, counted_at_end: Vec<String>) {
        self.direct.extend(lines);
        self.counted_at_end.extend(counted_at_end);
    }

    /// Whether the accesses at a line are counted by the iterations of their loop, which costs
    /// nothing.
    pub(crate) fn is_counted_at_end(&self, file: &str, line: u32) -> bool {
        self.counted_at_end.contains(&format!("{file}:{line}"))
    }

    /// Whether a line is such a one.
    pub(crate) fn is_direct(&self, file: &str, line: u32) -> bool {
        self.direct.contains(&format!("{file}:{line}"))
    }

    /// Whether accesses at a place are in a loop that goes by the elements of an array.
    pub(crate) fn follows(&self, place: &Place, array: &str) -> bool {
        let place = place.to_string();
        let mut all = self.followers.iter();
        all.any(|follower| follower.place == place && follower.array == array)
    }

    /// How far elements that are accessed at a place are from the thread's own, as far as the
    /// compiler knows.
    pub(crate) fn distances(&self, place: usize) -> Vec<i64> {
        let place = self.places[place].to_string();
        let here = self.neighbours.iter().filter(|n| n.place == place);
        here.map(|neighbour| neighbour.distance).collect()
    }

    /// Adds what the recorder of a thread has sampled; `site` gives the sites of its stream.
    pub fn add<'a>(
        &mut self,
        thread: ThreadId,
        samples: &Samples,
        site: impl Fn(u32) -> Option<&'a Site>,
    ) {
        let mut numbers: BTreeMap<u32, Option<usize>> = BTreeMap::new();
        for sample in &samples.samples {
            let known = numbers
                .entry(sample.site)
                .or_insert_with(|| site(sample.site).and_then(|site| self.place(site)));
            self.bursts += u32::from(sample.is_first);
            if let Some(place) = *known {
                self.accesses.push(Access {
                    thread,
                    burst: self.bursts,
                    place,
                    weight: samples.accesses_of_each as f64,
                    sample: *sample,
                });
            }
        }
    }

    /// Adds shared arrays that a thread knows of.
    pub fn add_arrays(&mut self, arrays: Vec<SharedArray>) {
        self.arrays.extend(arrays);
    }

    /// The number of a place with single accesses.
    fn place(&mut self, site: &Site) -> Option<usize> {
        use Operation::{Get, NonBlockingGet, NonBlockingPut, Put};
        if !matches!(site.operation, Get | Put | NonBlockingGet | NonBlockingPut) {
            return None;
        }
        let place = Place::of(site);
        let known = self.places.iter().position(|known| *known == place);
        Some(known.unwrap_or_else(|| {
            self.places.push(place);
            self.places.len() - 1
        }))
    }

    /// Common properties of the accesses at a place to other threads' data.
    pub fn use_at(&self, site: &Site) -> Use {
        let place = Place::of(site);
        let mut of_place = Use::default();
        let Some(number) = self.places.iter().position(|known| *known == place) else {
            return of_place;
        };
        let writes = |access: &&Access| {
            let put = [Operation::Put, Operation::NonBlockingPut].map(Operation::number);
            access.sample.is_locked && put.contains(&self.places[access.place].operation)
        };
        let written: BTreeSet<(ThreadId, u64)> = self
            .accesses
            .iter()
            .filter(writes)
            .map(|access| (access.sample.partner, access.sample.address))
            .collect();
        let mut strides: BTreeMap<u64, u64> = BTreeMap::new();
        let mut addresses = BTreeSet::new();
        // Samples of the burst since the last synchronisation.
        let mut before: Vec<Sample> = Vec::new();
        let mut burst = None;
        for access in &self.accesses {
            let sample = access.sample;
            if burst != Some(access.burst) || sample.is_new_period {
                before.clear();
                burst = Some(access.burst);
            }
            if access.place != number || sample.partner == access.thread {
                continue;
            }
            of_place.samples += 1;
            let element = (sample.partner, sample.address);
            of_place.updates += u64::from(sample.is_locked && written.contains(&element));
            addresses.insert(element);
            let alike = before.iter().filter(|s| s.partner == sample.partner);
            let distances = alike.map(|s| s.address.abs_diff(sample.address));
            let distances: Vec<u64> = distances.collect();
            if let Some(&latest) = distances.last() {
                of_place.pairs += 1;
                let side_by_side = |d: &u64| (1..=sample.bytes.max(NEAR)).contains(d);
                of_place.near += u64::from(distances.iter().any(side_by_side));
                of_place.repeated += u64::from(latest == 0);
                *strides.entry(latest).or_default() += 1;
            }
            before.push(sample);
        }
        let most = strides.into_iter().max_by_key(|&(_, count)| count);
        (of_place.stride, of_place.strided) = most.unwrap_or_default();
        of_place.addresses = addresses.len() as u64;
        of_place
    }
}
