//! Functions and source lines of code addresses: which function, file and line an address of a
//! program or library belongs to, through inlined functions, with names of C++ and Rust in the form
//! of their sources. Files that are not those that ran, by their build id, give no names at all.
//!
//! [`Symbols`] holds what was found, and keeps it in a file, so that names outlive the program.

mod debug_files;
mod definitions;
mod elf;
mod functions;
mod module;
mod names;
mod stored;
mod symbol_table;

use definitions::Definitions;
pub use functions::{Function, Functions};
pub use module::{Code, Unknown};
pub use stored::{FILE_NAME, StoreError};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// A function that an address lies in, or into which it was inlined.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frame {
    /// Its name; `None` if only the line is known.
    pub function: Option<Arc<str>>,
    /// Its file as the compiler names it; `None` without debug information.
    pub file: Option<Arc<str>>,
    /// Line in the file, from 1; 0 if unknown.
    pub line: u32,
}

/// The most that is known of addresses of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// Functions, inlined ones included, and lines.
    Lines,
    /// Functions of the symbol table.
    Functions,
    /// Nothing.
    Nothing,
}

/// The file that a module of a process was mapped from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ModuleName {
    /// Its path, or a name for what is no file.
    pub path: String,
    /// Build id in hexadecimal digits; empty if it has none.
    pub build_id: String,
}

impl ModuleName {
    /// The last part of the path.
    pub fn short(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// Names of the addresses of one module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleSymbols {
    /// The most that is known of any address.
    pub detail: Detail,
    /// Why nothing is known, or what limits it.
    pub note: Option<String>,
    /// By address in the file: the functions, innermost first. Empty for an unknown one.
    pub frames: BTreeMap<u64, Vec<Frame>>,
    /// By the address that a function begins at: where it is defined.
    pub functions: BTreeMap<u64, Frame>,
    /// The directory below which everything was compiled that sites are in.
    pub directory: Option<String>,
}

/// Addresses of a module that names are wanted for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Any addresses of the code.
    pub code: BTreeSet<u64>,
    /// Addresses of the code that sites are at.
    pub calls: BTreeSet<u64>,
    /// Addresses that functions begin at.
    pub functions: BTreeSet<u64>,
}

impl Wanted {
    /// All addresses whose functions and lines are wanted.
    fn addresses(&self) -> impl Iterator<Item = u64> {
        self.code.union(&self.calls).copied()
    }

    /// Whether there are sites among them.
    fn has_sites(&self) -> bool {
        !self.calls.is_empty() || !self.functions.is_empty()
    }
}

/// Begins the note of a module that was compiled or linked without it.
const NO_DEBUG_INFORMATION: &str = "it has no debug information";
/// Note of a module from which names and lines were taken away after the link.
const STRIPPED: &str = "it is stripped, of its functions' names too";

impl ModuleSymbols {
    /// Whether lines are missing since a compiler or linker was not asked for them.
    pub fn lacks_debug_information(&self) -> bool {
        let note = self.note.as_deref();
        note.is_none_or(|note| note.starts_with(NO_DEBUG_INFORMATION))
    }

    /// Whether names and lines were taken away after the link.
    pub fn is_stripped(&self) -> bool {
        self.note.as_deref() == Some(STRIPPED)
    }

    /// A program may have debug information of parts of it alone, such as a library that was linked
    /// into it.
    fn known_part(mut self) -> Self {
        let frames = self.frames.values().flatten();
        let mut frames = frames.chain(self.functions.values());
        if self.detail == Detail::Lines && !frames.any(|frame| frame.file.is_some()) {
            self.detail = Detail::Functions;
            let why = format!("{NO_DEBUG_INFORMATION} of this code");
            self.note.get_or_insert(why);
        }
        self
    }
}

/// Names of addresses by module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbols {
    modules: BTreeMap<ModuleName, ModuleSymbols>,
}

impl Symbols {
    /// Looks up addresses (in the file) of a module. `started`: when the program was started, by
    /// which a file without build id is judged.
    pub fn resolve(&mut self, name: &ModuleName, wanted: &Wanted, started: Option<SystemTime>) {
        let found = match Code::open(name, started) {
            Ok(code) => {
                let addresses = wanted.addresses();
                let frames = addresses.map(|address| (address, code.frames(address)));
                let definitions = match wanted.has_sites() {
                    true => code.definitions(wanted),
                    false => Definitions::default(),
                };
                ModuleSymbols {
                    detail: code.detail(),
                    note: code.note(),
                    frames: frames.collect(),
                    functions: definitions.functions,
                    directory: definitions.directory,
                }
                .known_part()
            }
            Err(unknown) => ModuleSymbols {
                detail: Detail::Nothing,
                note: Some(unknown.to_string()),
                frames: BTreeMap::new(),
                functions: BTreeMap::new(),
                directory: None,
            },
        };
        self.modules.insert(name.clone(), found);
    }

    /// Looks up addresses as [`Symbols::resolve`], unless all of them are known. What was known
    /// stays if nothing can be found now.
    pub fn complete(&mut self, name: &ModuleName, wanted: &Wanted, started: Option<SystemTime>) {
        if self.has_all(name, wanted) {
            return;
        }
        let before = self.modules.remove(name);
        self.resolve(name, wanted, started);
        let is_found = self
            .modules
            .get(name)
            .is_some_and(|now| now.detail != Detail::Nothing);
        if let Some(before) = before.filter(|_| !is_found) {
            self.modules.insert(name.clone(), before);
        }
    }

    /// The functions at an address (in the file) of a module, innermost first; empty if unknown.
    pub fn frames(&self, module: &ModuleName, address: u64) -> &[Frame] {
        let known = self.modules.get(module);
        let frames = known.and_then(|known| known.frames.get(&address));
        frames.map_or(&[], Vec::as_slice)
    }

    /// The function that begins at an address (in the file) of a module, where it is defined;
    /// `None` if it was not looked up.
    pub fn function(&self, module: &ModuleName, address: u64) -> Option<&Frame> {
        self.modules.get(module)?.functions.get(&address)
    }

    /// Symbols of a module; `None` if it was not looked up.
    pub fn module(&self, module: &ModuleName) -> Option<&ModuleSymbols> {
        self.modules.get(module)
    }

    /// Whether all these addresses of a module were looked up.
    pub fn has_all(&self, module: &ModuleName, wanted: &Wanted) -> bool {
        self.modules.get(module).is_some_and(|known| {
            // Of a module of which nothing is known, no addresses are kept.
            known.detail == Detail::Nothing
                || wanted
                    .addresses()
                    .all(|address| known.frames.contains_key(&address))
                    && wanted
                        .functions
                        .iter()
                        .all(|address| known.functions.contains_key(address))
        })
    }

    /// Whether the module was looked up.
    pub fn has(&self, module: &ModuleName) -> bool {
        self.modules.contains_key(module)
    }

    /// All modules that were looked up.
    pub fn modules(&self) -> impl Iterator<Item = (&ModuleName, &ModuleSymbols)> {
        self.modules.iter()
    }

    /// The directories below which sites were compiled, each once.
    pub fn directories(&self) -> BTreeSet<&str> {
        let modules = self.modules.values();
        modules
            .filter_map(|known| known.directory.as_deref())
            .collect()
    }

    /// Whether no module was looked up.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }
}
