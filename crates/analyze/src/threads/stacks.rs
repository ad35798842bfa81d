//! Samples of where a thread computes, as sums: how often it was found at the same place of the
//! program on the same call path. Memory grows with the number of different places, not with the
//! run, and not beyond a limit.

use std::collections::hash_map::Entry;

use pgas_symbols::ModuleName;
use pgas_trace::model::{Module, SampleClock, Site, StackSamples};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Different stacks of a thread. What is found beyond these is known by its innermost address.
const MOST_STACKS: usize = 1 << 17;

/// An address of code: the number of the module and the address in its file. Of a caller, the last
/// byte of the call, so that it lies in the line of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CodeAddress {
    /// Index of the module; `None` for what lies in none.
    pub module: Option<u32>,
    /// Address in the module's file; in the process, if there is no module.
    pub address: u64,
}

/// How often a thread was found at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    /// Index in [`ThreadStacks::paths`] of the innermost open region; `None` if unknown.
    pub path: Option<u32>,
    /// Innermost first.
    pub frames: Vec<CodeAddress>,
    /// Number of samples.
    pub samples: u64,
    /// Nanoseconds that they stand for.
    pub nanoseconds: u64,
}

/// Summary of one thread's samples.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ThreadStacks {
    /// Clock of the period, of the first block; `None` without samples.
    pub clock: Option<SampleClock>,
    /// Nanoseconds from one sample to the next, of the last block.
    pub period_nanoseconds: u64,
    /// Ticks of the thread's own clock: the end of the last block.
    pub until: u64,
    /// Periods whose samples found no room.
    pub lost: u64,
    /// Periods that ended within the recorder.
    pub within_recorder: u64,
    /// Modules that addresses refer to.
    pub modules: Vec<ModuleName>,
    /// Call paths: the caller's index, which is smaller, and the innermost region.
    pub paths: Vec<(Option<u32>, Site)>,
    /// Each place once.
    pub stacks: Vec<Stack>,
}

/// Mapped files of a process by address, as its blocks of samples say one after the other.
#[derive(Debug, Default)]
pub struct AddressMap {
    modules: Vec<ModuleName>,
    /// By first address.
    mapped: Vec<(Module, u32)>,
}

impl AddressMap {
    /// Modules that addresses refer to.
    pub fn modules(&self) -> &[ModuleName] {
        &self.modules
    }

    /// Maps what a block says, in place of what was there.
    pub fn add(&mut self, block: &StackSamples) {
        for module in &block.modules {
            self.map(module);
        }
    }

    /// The addresses of a sample in their modules, innermost first. Of callers, the last byte of the
    /// call.
    pub fn addresses(&self, frames: &[u64]) -> Vec<CodeAddress> {
        let frames = frames.iter().enumerate();
        let calls = frames.map(|(depth, &address)| address.wrapping_sub(u64::from(depth > 0)));
        calls.map(|address| self.place(address)).collect()
    }

    fn map(&mut self, module: &Module) {
        let name = ModuleName {
            path: module.path.clone(),
            build_id: module.build_id.clone(),
        };
        let known = self.modules.iter().position(|known| *known == name);
        let number = known.unwrap_or_else(|| {
            self.modules.push(name);
            self.modules.len() - 1
        });
        self.mapped
            .retain(|(old, _)| old.end <= module.start || module.end <= old.start);
        self.mapped.push((module.clone(), number as u32));
        self.mapped.sort_by_key(|(module, _)| module.start);
    }

    fn place(&self, address: u64) -> CodeAddress {
        let after = self
            .mapped
            .partition_point(|(module, _)| module.start <= address);
        let found = after.checked_sub(1).map(|index| &self.mapped[index]);
        match found.filter(|(module, _)| address < module.end) {
            Some((module, number)) => CodeAddress {
                module: Some(*number),
                address: address.wrapping_sub(module.bias),
            },
            None => CodeAddress {
                module: None,
                address,
            },
        }
    }
}

/// Collects the samples of one thread, block by block.
#[derive(Debug, Default)]
pub struct StackCollector {
    result: ThreadStacks,
    map: AddressMap,
    numbers: FxHashMap<(Option<u32>, Vec<CodeAddress>), usize>,
    path_numbers: FxHashMap<(Option<u32>, Site), u32>,
}

impl StackCollector {
    /// Adds a block; `sites` are those of its stream.
    pub fn add(&mut self, block: &StackSamples, sites: &[Site]) {
        self.result.clock.get_or_insert(block.clock);
        self.result.period_nanoseconds = block.period_nanoseconds;
        self.result.until = block.last_time;
        self.result.lost = self.result.lost.saturating_add(block.lost);
        let within = &mut self.result.within_recorder;
        *within = within.saturating_add(block.within_recorder);
        self.map.add(block);
        let mut paths: Vec<Option<u32>> = Vec::with_capacity(block.paths.len());
        for entry in &block.paths {
            let parent = entry.parent.and_then(|parent| *paths.get(parent as usize)?);
            let site = sites.get(entry.site.0 as usize);
            paths.push(site.map(|site| self.path(parent, site)));
        }
        for sample in &block.samples {
            let path = sample.path.and_then(|path| *paths.get(path as usize)?);
            let frames = self.map.addresses(&sample.frames);
            let nanoseconds = sample.weight.saturating_mul(block.period_nanoseconds);
            self.count(path, frames, nanoseconds);
        }
    }

    /// All that was added.
    pub fn finish(mut self) -> ThreadStacks {
        self.result.modules = self.map.modules;
        self.result
    }

    fn path(&mut self, parent: Option<u32>, site: &Site) -> u32 {
        match self.path_numbers.entry((parent, site.clone())) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let number = self.result.paths.len() as u32;
                self.result.paths.push((parent, site.clone()));
                *new.insert(number)
            }
        }
    }

    fn count(&mut self, path: Option<u32>, mut frames: Vec<CodeAddress>, nanoseconds: u64) {
        let stacks = &mut self.result.stacks;
        if stacks.len() >= MOST_STACKS && !self.numbers.contains_key(&(path, frames.clone())) {
            frames.truncate(1);
        }
        let number = *self
            .numbers
            .entry((path, frames))
            .or_insert_with_key(|(path, frames)| {
                stacks.push(Stack {
                    path: *path,
                    frames: frames.clone(),
                    samples: 0,
                    nanoseconds: 0,
                });
                stacks.len() - 1
            });
        let stack = &mut stacks[number];
        stack.samples += 1;
        stack.nanoseconds = stack.nanoseconds.saturating_add(nanoseconds);
    }
}

impl ThreadStacks {
    /// Whether all indices lead somewhere, as they do unless another process sent nonsense.
    pub(crate) fn is_consistent(&self) -> bool {
        let paths = self.paths.len() as u32;
        let mut callers = self.paths.iter().zip(0u32..);
        let is_known = |frame: &CodeAddress| {
            let module = frame.module;
            module.is_none_or(|module| (module as usize) < self.modules.len())
        };
        callers.all(|((caller, _), number)| caller.is_none_or(|caller| caller < number))
            && self.stacks.iter().all(|stack| {
                stack.path.is_none_or(|path| path < paths) && stack.frames.iter().all(is_known)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_trace::model::{PathEntry, SiteId, StackSample};

    fn module(start: u64, end: u64, path: &str) -> Module {
        Module {
            start,
            end,
            bias: start - 0x100,
            build_id: "ab".into(),
            path: path.into(),
        }
    }

    fn block(modules: Vec<Module>, stacks: &[&[u64]]) -> StackSamples {
        let sample = |frames: &&[u64]| StackSample {
            time: 5,
            weight: 2,
            path: Some(1),
            frames: frames.to_vec(),
        };
        StackSamples {
            first_time: 0,
            last_time: 9,
            period_nanoseconds: 1_000_000,
            clock: SampleClock::UserTime,
            lost: 1,
            within_recorder: 3,
            modules,
            paths: vec![
                PathEntry {
                    parent: None,
                    site: SiteId(0),
                },
                PathEntry {
                    parent: Some(0),
                    site: SiteId(1),
                },
            ],
            samples: stacks.iter().map(sample).collect(),
        }
    }

    #[test]
    fn equal_stacks_are_one_and_callers_are_found_in_their_call() {
        let sites = [
            Site::function("main", "a.upc", 1),
            Site::function("f", "a.upc", 7),
        ];
        let mut collector = StackCollector::default();
        let first = block(
            vec![module(0x1000, 0x2000, "/p")],
            &[&[0x1010, 0x1000], &[0x2000]],
        );
        collector.add(&first, &sites);
        // Another file is mapped there later.
        let later = block(vec![module(0x1800, 0x2800, "/q")], &[&[0x1010, 0x1801]]);
        collector.add(&block(Vec::new(), &[&[0x1010, 0x1000]]), &sites);
        collector.add(&later, &sites);
        let result = collector.finish();
        let at = |module, address| CodeAddress { module, address };
        let found: Vec<_> = result
            .stacks
            .iter()
            .map(|stack| (stack.frames.clone(), stack.samples, stack.nanoseconds))
            .collect();
        assert_eq!(
            found,
            [
                (vec![at(Some(0), 0x110), at(None, 0xfff)], 2, 4_000_000),
                (vec![at(None, 0x2000)], 1, 2_000_000),
                (vec![at(None, 0x1010), at(Some(1), 0x100)], 1, 2_000_000),
            ]
        );
        assert_eq!(
            result.paths,
            [(None, sites[0].clone()), (Some(0), sites[1].clone())]
        );
        assert_eq!((result.lost, result.within_recorder), (3, 9));
        assert!(result.is_consistent());
    }
}
