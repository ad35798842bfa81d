//! Functions and source lines of code addresses: which function, file and line an address of a
//! program or library belongs to, through inlined functions, with names of C++ and Rust in the form
//! of their sources. Files that are not those that ran, by their build id, give no names at all.
//!
//! [`Symbols`] holds what was found, and keeps it in a file, so that names outlive the program.

mod debug_files;
mod elf;
mod module;
mod stored;
mod symbol_table;

pub use module::{Code, Unknown};
pub use stored::{FILE_NAME, StoreError};

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// A function that an address lies in, or into which it was inlined.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
}

impl ModuleSymbols {
    /// A program may have debug information of parts of it alone, such as a library that was linked
    /// into it.
    fn known_part(mut self) -> Self {
        let mut frames = self.frames.values().flatten();
        if self.detail == Detail::Lines && !frames.any(|frame| frame.file.is_some()) {
            self.detail = Detail::Functions;
            let why = "it has no debug information of this code".to_owned();
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
    pub fn resolve(
        &mut self,
        name: &ModuleName,
        addresses: impl IntoIterator<Item = u64>,
        started: Option<SystemTime>,
    ) {
        let found = match Code::open(name, started) {
            Ok(code) => {
                let addresses = addresses.into_iter();
                let frames = addresses.map(|address| (address, code.frames(address)));
                ModuleSymbols {
                    detail: code.detail(),
                    note: code.note(),
                    frames: frames.collect(),
                }
                .known_part()
            }
            Err(unknown) => ModuleSymbols {
                detail: Detail::Nothing,
                note: Some(unknown.to_string()),
                frames: BTreeMap::new(),
            },
        };
        self.modules.insert(name.clone(), found);
    }

    /// The functions at an address (in the file) of a module, innermost first; empty if unknown.
    pub fn frames(&self, module: &ModuleName, address: u64) -> &[Frame] {
        let known = self.modules.get(module);
        let frames = known.and_then(|known| known.frames.get(&address));
        frames.map_or(&[], Vec::as_slice)
    }

    /// Whether the module was looked up.
    pub fn has(&self, module: &ModuleName) -> bool {
        self.modules.contains_key(module)
    }

    /// All modules that were looked up.
    pub fn modules(&self) -> impl Iterator<Item = (&ModuleName, &ModuleSymbols)> {
        self.modules.iter()
    }

    /// Whether no module was looked up.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }
}
