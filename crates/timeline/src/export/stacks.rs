//! Stacks of a thread's samples, as interned data of a Perfetto trace: the call path that was recorded,
//! and below it the functions that the sample found, inlined ones included.

use std::collections::HashMap;
use std::hash::Hash;

use pgas_analyze::stacks::AddressMap;
use pgas_symbols::{ModuleName, Symbols};
use pgas_trace::model::{SampleClock, Site, StackSample, StackSamples};

use super::proto::*;

/// Different stacks of a thread after which all that was interned is forgotten, so that memory does
/// not grow with the run.
const MOST_STACKS: usize = 1 << 17;

/// An entry of a stack. Two entries are one frame if all of it is equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Entry {
    function: String,
    file: String,
    /// From 1; 0 if unknown.
    line: u32,
    /// Path of the file that was mapped, empty if unknown, and the address in it; `None` for
    /// recorded regions. Viewers tell entries with an address apart by that and the function alone,
    /// those without one by the line, too.
    place: Option<(String, u64)>,
}

/// Numbers that were given out, from 1 on.
#[derive(Debug)]
struct Numbers<K>(HashMap<K, u64>);

impl<K: Hash + Eq + Clone> Numbers<K> {
    fn new() -> Self {
        Numbers(HashMap::new())
    }

    /// The number of `key`, and whether it is new.
    fn of(&mut self, key: &K) -> (u64, bool) {
        if let Some(&known) = self.0.get(key) {
            return (known, false);
        }
        let next = self.0.len() as u64 + 1;
        self.0.insert(key.clone(), next);
        (next, true)
    }
}

/// Stacks of one thread.
pub(super) struct Stacks<'a> {
    symbols: &'a Symbols,
    sites: &'a [Site],
    map: AddressMap,
    functions: Numbers<String>,
    files: Numbers<String>,
    modules: Numbers<String>,
    frames: Numbers<Entry>,
    stacks: Numbers<Vec<u64>>,
    /// Interned since the last packet.
    fresh: InternedData,
    has_begun: bool,
}

/// Unit of a sample's weight: nanoseconds of the clock that samples were taken by.
pub(super) fn defaults(block: &StackSamples) -> PerfSampleDefaults {
    let (counter, name) = match block.clock {
        SampleClock::UserTime | SampleClock::TickTime => (SW_TASK_CLOCK, "CPU time"),
        SampleClock::WallTime => (SW_CPU_CLOCK, "wall-clock time"),
    };
    PerfSampleDefaults {
        timebase: Some(Timebase {
            period: Some(block.period_nanoseconds),
            counter: Some(counter),
            name: Some(name.to_owned()),
        }),
    }
}

impl<'a> Stacks<'a> {
    pub fn new(symbols: &'a Symbols, sites: &'a [Site]) -> Self {
        Stacks {
            symbols,
            sites,
            map: AddressMap::default(),
            functions: Numbers::new(),
            files: Numbers::new(),
            modules: Numbers::new(),
            frames: Numbers::new(),
            stacks: Numbers::new(),
            fresh: InternedData::default(),
            has_begun: false,
        }
    }

    /// Mapped files by address from this block on.
    pub fn enter(&mut self, block: &StackSamples) {
        self.map.add(block);
    }

    /// The number of a sample's stack.
    pub fn stack(&mut self, block: &StackSamples, sample: &StackSample) -> u64 {
        if self.stacks.0.len() == MOST_STACKS {
            let map = std::mem::take(&mut self.map);
            *self = Stacks {
                map,
                ..Stacks::new(self.symbols, self.sites)
            };
        }
        let mut entries = self.recorded(block, sample);
        let innermost = entries.last().map(|entry| entry.function.clone());
        let (found, is_complete) = self.found(sample, innermost.as_deref());
        if is_complete {
            // It is in what was found, with the line where it was.
            entries.pop();
        }
        entries.extend(found.into_iter().rev());
        let frame_ids: Vec<u64> = entries.iter().map(|entry| self.frame(entry)).collect();
        let (iid, is_new) = self.stacks.of(&frame_ids);
        if is_new {
            self.fresh.callstacks.push(Callstack {
                iid: Some(iid),
                frame_ids,
            });
        }
        iid
    }

    /// Entries interned since the last packet, and whether nothing that was interned before holds.
    pub fn take_fresh(&mut self) -> (InternedData, bool) {
        let begins = !std::mem::replace(&mut self.has_begun, true);
        (std::mem::take(&mut self.fresh), begins)
    }

    /// Regions that were open, outermost first.
    fn recorded(&self, block: &StackSamples, sample: &StackSample) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut next = sample.path;
        // A caller has a smaller number.
        while let Some(path) = next.and_then(|path| block.paths.get(path as usize)) {
            if let Some(site) = self.sites.get(path.site.0 as usize) {
                entries.push(Entry {
                    function: site.region_name().to_owned(),
                    file: site.file.clone(),
                    line: site.line,
                    place: None,
                });
            }
            next = path.parent.filter(|parent| Some(*parent) < next);
        }
        entries.reverse();
        entries
    }

    /// Functions down from the recorded one, innermost first; whether that one was found.
    fn found(&self, sample: &StackSample, recorded: Option<&str>) -> (Vec<Entry>, bool) {
        let mut entries = Vec::new();
        for address in self.map.addresses(&sample.frames) {
            let module = address
                .module
                .map(|number| &self.map.modules()[number as usize]);
            let functions = match module {
                Some(module) => self.symbols.frames(module, address.address),
                None => &[],
            };
            let path = module.map_or("", |module: &ModuleName| module.path.as_str());
            let place = Some((path.to_owned(), address.address));
            if functions.is_empty() {
                entries.push(Entry {
                    function: String::new(),
                    file: String::new(),
                    line: 0,
                    place: place.clone(),
                });
            }
            for function in functions {
                let name = function.function.as_deref().unwrap_or("");
                entries.push(Entry {
                    function: name.to_owned(),
                    file: function.file.as_deref().unwrap_or("").to_owned(),
                    line: function.line,
                    place: place.clone(),
                });
                // Clones and parts that a compiler makes of a function have a suffix.
                if recorded.is_some_and(|known| name.split('.').next() == Some(known)) {
                    return (entries, true);
                }
            }
        }
        (entries, false)
    }

    fn frame(&mut self, entry: &Entry) -> u64 {
        let (iid, is_new) = self.frames.of(entry);
        if is_new {
            let place = entry.place.as_ref();
            let frame = Frame {
                iid: Some(iid),
                function_name_id: Some(self.function(&entry.function)),
                mapping_id: place.map(|(module, _)| self.module(module)),
                rel_pc: place.map(|(_, address)| *address),
                source_path_iid: (!entry.file.is_empty()).then(|| self.file(&entry.file)),
                line_number: (entry.line > 0).then_some(entry.line),
            };
            self.fresh.frames.push(frame);
        }
        iid
    }

    fn function(&mut self, name: &str) -> u64 {
        let (iid, is_new) = self.functions.of(&name.to_owned());
        if is_new {
            self.fresh.function_names.push(interned(iid, name));
        }
        iid
    }

    fn file(&mut self, path: &str) -> u64 {
        let (iid, is_new) = self.files.of(&path.to_owned());
        if is_new {
            self.fresh.source_paths.push(interned(iid, path));
        }
        iid
    }

    fn module(&mut self, path: &str) -> u64 {
        let (iid, is_new) = self.modules.of(&path.to_owned());
        if is_new {
            self.fresh.mapping_paths.push(interned(iid, path));
            self.fresh.mappings.push(Mapping {
                iid: Some(iid),
                path_string_ids: vec![iid],
            });
        }
        iid
    }
}
