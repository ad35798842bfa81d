//! Lines and names of sites that a recorder knew by the addresses of their code alone: those that
//! were found right after the run and are kept with the experiment, else those that the files give
//! from which the code was loaded, as long as they are the same. Readers of an experiment
//! get ordinary sites.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pgas_symbols::{Frame, ModuleName, ModuleSymbols, Symbols, Wanted};

use crate::format::code_address::{CODE_LINE, CodeAddress};
use crate::metadata::Metadata;
use crate::model::{Operation, Site};

/// Where files lie that belong to the system: code that was inlined from there is not the place of
/// a call.
const OF_THE_SYSTEM: [&str; 4] = [
    "/usr/include/",
    "/usr/lib/",
    "/usr/local/include/",
    "/opt/rh/",
];

/// Addresses by the module that they are in.
pub type CodePlaces = BTreeMap<ModuleName, Wanted>;

/// The addresses that the sites have.
pub(crate) fn of_sites<'a>(sites: impl Iterator<Item = &'a Site>) -> CodePlaces {
    let mut places = CodePlaces::new();
    for site in sites.filter(|site| site.line == CODE_LINE) {
        let Some(code) = CodeAddress::of(site) else {
            continue;
        };
        let (address, module) = in_module(code);
        let wanted = places.entry(module).or_default();
        match site.operation {
            Operation::Function => wanted.functions.insert(address),
            _ => wanted.calls.insert(address),
        };
    }
    places
}

fn in_module(code: CodeAddress) -> (u64, ModuleName) {
    let module = ModuleName {
        path: code.path,
        build_id: code.build_id,
    };
    (code.address, module)
}

/// When the program of an experiment was started.
pub fn started(metadata: &Metadata) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(Duration::from_nanos(metadata.started_unix_ns))
}

/// Sites of a running program with their files, lines and names, as far as the files know them that
/// its code was loaded from. `directory` is its experiment.
pub fn named(directory: &Path, metadata: &Metadata, mut sites: Vec<Site>) -> Vec<Site> {
    let mut places = Places::find(directory, metadata, &of_sites(sites.iter()));
    for site in &mut sites {
        places.name(site);
    }
    sites
}

/// Known properties of the code at each site.
pub(crate) struct Places {
    symbols: Symbols,
    /// By module: sites whose lines or names are not known.
    unknown: BTreeMap<ModuleName, u64>,
    remark: Option<String>,
}

impl Places {
    /// Finds out what is known of these places of the experiment in `directory`.
    pub fn find(directory: &Path, metadata: &Metadata, places: &CodePlaces) -> Self {
        let (mut symbols, remark) = match Symbols::load(directory) {
            Ok(kept) => (kept.unwrap_or_default(), None),
            Err(error) => {
                let remark = format!("lines of calls are looked up anew: {error}");
                (Symbols::default(), Some(remark))
            }
        };
        for (module, wanted) in places {
            symbols.complete(module, wanted, started(metadata));
        }
        Places {
            symbols,
            unknown: BTreeMap::new(),
            remark,
        }
    }

    /// Gives a site its file, line and name, if it is at an address.
    pub fn name(&mut self, site: &mut Site) {
        let Some(code) = CodeAddress::of(site) else {
            return;
        };
        let (address, module) = in_module(code);
        let shown = match module.short() {
            "" => format!("{address:#x}"),
            short => format!("{address:#x} in {short}"),
        };
        (site.file, site.line) = (String::new(), 0);
        let is_known = match site.operation {
            Operation::Function => self.name_function(site, &module, address, shown),
            _ => self.name_call(site, &module, address, shown),
        };
        if !is_known {
            *self.unknown.entry(module).or_default() += 1;
        }
    }

    fn name_function(
        &self,
        site: &mut Site,
        module: &ModuleName,
        address: u64,
        shown: String,
    ) -> bool {
        let function = self.symbols.function(module, address);
        let name = function.and_then(|function| function.function.as_deref());
        site.name = name.map_or(shown, str::to_owned);
        let line = function.and_then(|function| self.line(module, function));
        let is_known = line.is_some();
        (site.file, site.line) = line.unwrap_or_default();
        is_known
    }

    fn name_call(&self, site: &mut Site, module: &ModuleName, address: u64, shown: String) -> bool {
        let frames = self.symbols.frames(module, address);
        let is_of_the_program = |frame: &&Frame| {
            let file = frame.file.as_deref();
            file.is_some_and(|file| !OF_THE_SYSTEM.iter().any(|system| file.starts_with(system)))
        };
        let frame = frames.iter().find(is_of_the_program).or(frames.first());
        let line = frame.and_then(|frame| self.line(module, frame));
        let is_known = line.is_some();
        let function = frames.last().and_then(|frame| frame.function.as_deref());
        (site.file, site.line) = line.unwrap_or_else(|| match function {
            Some(function) => (format!("{function}, {shown}"), 0),
            None => (shown, 0),
        });
        is_known
    }

    /// File and line of a frame, if they are known. A file below the directory of the compilation
    /// has its name from there.
    fn line(&self, module: &ModuleName, frame: &Frame) -> Option<(String, u32)> {
        let file = frame.file.as_deref().filter(|_| frame.line > 0)?;
        let directory = self.symbols.module(module)?.directory.as_deref();
        let below = directory.and_then(|directory| file.strip_prefix(directory));
        let below = below.and_then(|name| name.strip_prefix('/'));
        Some((below.unwrap_or(file).to_owned(), frame.line))
    }

    /// Missing information, with the reason.
    pub fn remarks(self) -> Vec<String> {
        let unknown = self.unknown.iter().map(|(module, &sites)| {
            let known = self.symbols.module(module);
            let note = known.and_then(|known| known.note.as_deref());
            let why = note.unwrap_or("its debug information does not have them");
            let lacks = known.is_none_or(ModuleSymbols::lacks_debug_information);
            let is_stripped = known.is_some_and(ModuleSymbols::is_stripped);
            let advice = match (is_stripped, lacks) {
                (true, _) => {
                    " (compile it with -g, and neither link it with -s nor run `strip` on it)"
                }
                (false, true) => " (compile all of it with -g)",
                (false, false) => "",
            };
            let name = match module.short() {
                "" => "code that is of no file",
                short => short,
            };
            let places = match sites {
                1 => "1 place",
                many => &format!("{many} places"),
            };
            format!("{places} in {name} are addresses without lines of a source: {why}{advice}")
        });
        self.remark.clone().into_iter().chain(unknown).collect()
    }
}
