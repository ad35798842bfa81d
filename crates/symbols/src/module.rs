//! The code of one module: its file is opened, compared with what ran, and asked for addresses.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use addr2line::Loader;
use object::Object;

use crate::debug_files;
use crate::definitions::{self, Definitions};
use crate::elf::{build_id, check_sizes, has_lines};
use crate::symbol_table::SymbolTable;
use crate::{Detail, Frame, ModuleName, NO_DEBUG_INFORMATION, STRIPPED, Wanted, names};

/// Functions at one address, inlined ones included: more are left out.
const MOST_FRAMES: usize = 256;

/// Why nothing is known of the addresses of a module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// The module is no file, such as code that the kernel provides.
    #[error("it is no file")]
    NoFile,
    /// Its file cannot be opened.
    #[error("it cannot be opened: {0}")]
    Missing(String),
    /// The file is another one than that which ran.
    #[error("the file has changed since the run (its build id is {found}, not {expected})")]
    Changed {
        /// Build id of the file as it is; "none" if it has none.
        found: String,
        /// Build id of what ran.
        expected: String,
    },
    /// The file has no build id and was written after the program was started.
    #[error("the file may have changed since the run: it has no build id, and was written later")]
    Newer,
    /// The file is no ELF file that can be read.
    #[error("it cannot be read: {0}")]
    Damaged(String),
}

/// The file of a module, ready to be asked for addresses.
pub struct Code {
    lines: Option<Loader>,
    /// The file that the lines are in, and the one that it shares parts with others in.
    debug_file: Option<(PathBuf, Option<PathBuf>)>,
    functions: SymbolTable,
    note: Option<String>,
}

impl Code {
    /// Opens the file of a module. `started`: when the program was started, after which a file
    /// without build id must not have been written.
    ///
    /// # Errors
    /// [`Unknown`].
    pub fn open(name: &ModuleName, started: Option<SystemTime>) -> Result<Self, Unknown> {
        if !name.path.starts_with('/') {
            return Err(Unknown::NoFile);
        }
        let path = Path::new(&name.path);
        let missing = |error: std::io::Error| Unknown::Missing(error.to_string());
        let written = pgas_files::open(path).map_err(missing)?;
        let written = written.metadata().and_then(|state| state.modified());
        let bytes = pgas_files::read(path).map_err(missing)?;
        let damaged = |error: object::Error| Unknown::Damaged(error.to_string());
        let file = object::File::parse(&*bytes).map_err(damaged)?;
        let found = build_id(&file);
        if found != name.build_id {
            return Err(Unknown::Changed {
                found: if found.is_empty() {
                    "none".into()
                } else {
                    found
                },
                expected: match name.build_id.as_str() {
                    "" => "none".into(),
                    expected => expected.into(),
                },
            });
        }
        if found.is_empty() {
            let is_older = started
                .zip(written.ok())
                .map(|(start, write)| write <= start);
            if is_older == Some(false) {
                return Err(Unknown::Newer);
            }
        }
        let mut functions = SymbolTable::of(&file);
        if let Err(why) = check_sizes(&file) {
            return Ok(Code {
                lines: None,
                debug_file: None,
                functions,
                note: Some(format!("its debug information cannot be read: {why}")),
            });
        }
        let own = has_lines(&file).then(|| path.to_owned());
        let debug_file = match own {
            Some(path) => Some((path, debug_files::supplement(&file, path_of(name)))),
            None => debug_files::find(&file, path, &found).map(|debug| {
                functions.extend(debug.symbols);
                (debug.path, debug.supplement)
            }),
        };
        let (lines, note) = match &debug_file {
            Some((path, supplement)) => load(path, supplement.as_deref()),
            None if file.symbol_table().is_none() => (None, Some(STRIPPED.to_owned())),
            None => (None, Some(NO_DEBUG_INFORMATION.to_owned())),
        };
        Ok(Code {
            debug_file: debug_file.filter(|_| lines.is_some()),
            lines,
            functions,
            note,
        })
    }

    /// The most that can be found out of an address.
    pub fn detail(&self) -> Detail {
        match (&self.lines, self.functions.is_empty()) {
            (Some(_), _) => Detail::Lines,
            (None, false) => Detail::Functions,
            (None, true) => Detail::Nothing,
        }
    }

    /// The limit of the detail, in words.
    pub fn note(&self) -> Option<String> {
        self.note.clone()
    }

    /// The functions at an address of the file, innermost first; empty if unknown.
    pub fn frames(&self, address: u64) -> Vec<Frame> {
        let mut frames = self.lines.as_ref().map_or_else(Vec::new, |lines| {
            debug_frames(lines, address).unwrap_or_default()
        });
        let symbol = || self.functions.name(address).map(Arc::from);
        match frames.last_mut() {
            // Code of assembly files has lines without functions.
            Some(outermost) => {
                if outermost.function.is_none() {
                    outermost.function = symbol();
                }
            }
            None => frames.extend(symbol().map(|function: Arc<str>| Frame {
                function: Some(function),
                file: None,
                line: 0,
            })),
        }
        frames
    }

    /// All functions by the addresses that they begin at, as far as anything is known of them, with
    /// the directory that each was compiled in.
    pub(crate) fn all(&self) -> BTreeMap<u64, (Frame, Option<String>)> {
        let debug_file = self.debug_file.as_ref();
        let mut found = debug_file.map_or_else(BTreeMap::new, |(path, supplement)| {
            definitions::all(path, supplement.as_deref())
        });
        for address in self.functions.begins() {
            let (function, _) = found.entry(address).or_default();
            if function.function.is_none() {
                function.function = self.functions.name(address).map(Arc::from);
            }
        }
        found
    }

    /// Functions by the addresses that they begin at, where they are defined: one for each that is
    /// wanted, of which nothing may be known. And the directory that was compiled in.
    pub(crate) fn definitions(&self, wanted: &Wanted) -> Definitions {
        let debug_file = self.debug_file.as_ref();
        let mut found = debug_file.map_or_else(Definitions::default, |(path, supplement)| {
            definitions::find(path, supplement.as_deref(), wanted)
        });
        for &address in &wanted.functions {
            let known = found.functions.entry(address);
            let function = known.or_insert_with(|| outermost(self.frames(address)));
            if function.function.is_none() {
                function.function = self.functions.name(address).map(Arc::from);
            }
        }
        found
    }
}

/// The outermost function, which the others are inlined into.
fn outermost(mut frames: Vec<Frame>) -> Frame {
    frames.pop().unwrap_or_default()
}

fn path_of(name: &ModuleName) -> &Path {
    Path::new(&name.path)
}

fn load(path: &Path, supplement: Option<&Path>) -> (Option<Loader>, Option<String>) {
    match Loader::new_with_sup(path, supplement) {
        Ok(loader) => (Some(loader), None),
        Err(error) => {
            let why = format!("its debug information cannot be read: {error}");
            (None, Some(why))
        }
    }
}

fn debug_frames(lines: &Loader, address: u64) -> Option<Vec<Frame>> {
    // The search looks at the address that follows, too.
    address.checked_add(1)?;
    let mut found = lines.find_frames(address).ok()?;
    let mut frames = Vec::new();
    // What is damaged further out leaves what is further in.
    while let Ok(Some(frame)) = found.next() {
        let function = frame.function.as_ref();
        let function = function.and_then(|name| {
            let raw = name.raw_name().ok()?;
            Some(Arc::from(names::of_source(&raw, name.language)))
        });
        let place = frame.location.as_ref();
        frames.push(Frame {
            function,
            file: place.and_then(|place| place.file).map(Arc::from),
            line: place.and_then(|place| place.line).unwrap_or(0),
        });
        if frames.len() == MOST_FRAMES {
            break;
        }
    }
    let is_known = |frame: &Frame| frame.function.is_some() || frame.file.is_some();
    frames.iter().any(is_known).then_some(frames)
}
