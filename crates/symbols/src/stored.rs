//! The file in which names of addresses are kept, beside an experiment.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Detail, Frame, ModuleName, ModuleSymbols, Symbols};

/// Name of the file in an experiment's directory.
pub const FILE_NAME: &str = "symbols.json";
/// Version of its layout.
const FORMAT: u32 = 1;

/// Why a file of names cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file system.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The content.
    #[error("{}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The defect.
        reason: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Stored {
    format: u32,
    /// Names of functions and files, which the rest refers to.
    names: Vec<Arc<str>>,
    modules: Vec<StoredModule>,
}

#[derive(Serialize, Deserialize)]
struct StoredModule {
    #[serde(flatten)]
    name: ModuleName,
    detail: Detail,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Address, and the frames there.
    addresses: Vec<(u64, Vec<StoredFrame>)>,
    /// Address that a function begins at, and its definition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    functions: Vec<(u64, StoredFrame)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    directory: Option<String>,
}

/// Function, file and line.
#[derive(Serialize, Deserialize)]
struct StoredFrame(Option<usize>, Option<usize>, u32);

impl Symbols {
    /// The names that are kept with an experiment; `None` if there are none.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn load(directory: &Path) -> Result<Option<Self>, StoreError> {
        let path = directory.join(FILE_NAME);
        let text = match pgas_files::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::Io { path, error }),
        };
        let content = |reason: String| StoreError::Content {
            path: path.clone(),
            reason,
        };
        Self::from_text(&text).map(Some).map_err(content)
    }

    /// Keeps the names with an experiment.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn save(&self, directory: &Path) -> Result<(), StoreError> {
        let path = directory.join(FILE_NAME);
        let written = pgas_files::replace_buffered(&path, |out| {
            serde_json::to_writer(&mut *out, &self.stored()).map_err(io::Error::from)?;
            out.write_all(b"\n")
        });
        written.map_err(|error| StoreError::Io { path, error })
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    /// Its defect, in words.
    pub fn from_text(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let version: Version = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if version.format != FORMAT {
            let found = version.format;
            return Err(format!("format {found}, and this pgastool reads {FORMAT}"));
        }
        let stored: Stored = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let name = |index: Option<usize>| -> Result<Option<Arc<str>>, String> {
            index
                .map(|index| {
                    let name = stored.names.get(index).cloned();
                    name.ok_or_else(|| format!("name {index} is missing"))
                })
                .transpose()
        };
        let frame = |&StoredFrame(function, file, line): &StoredFrame| -> Result<Frame, String> {
            Ok(Frame {
                function: name(function)?,
                file: name(file)?,
                line,
            })
        };
        let mut modules = BTreeMap::new();
        for module in &stored.modules {
            let mut frames = BTreeMap::new();
            for (address, at) in &module.addresses {
                let at = at.iter().map(frame);
                frames.insert(*address, at.collect::<Result<Vec<Frame>, String>>()?);
            }
            let mut functions = BTreeMap::new();
            for (address, function) in &module.functions {
                functions.insert(*address, frame(function)?);
            }
            let (detail, note) = (module.detail, module.note.clone());
            let symbols = ModuleSymbols {
                detail,
                note,
                frames,
                functions,
                directory: module.directory.clone(),
            };
            modules.insert(module.name.clone(), symbols);
        }
        Ok(Symbols { modules })
    }

    fn stored(&self) -> Stored {
        let mut names: Vec<Arc<str>> = Vec::new();
        let mut numbers: HashMap<Arc<str>, usize> = HashMap::new();
        let mut number = |name: &Option<Arc<str>>| {
            let name = name.as_ref()?;
            Some(*numbers.entry(name.clone()).or_insert_with(|| {
                names.push(name.clone());
                names.len() - 1
            }))
        };
        let mut one = |f: &Frame| StoredFrame(number(&f.function), number(&f.file), f.line);
        let modules = self.modules.iter().map(|(name, symbols)| StoredModule {
            name: name.clone(),
            detail: symbols.detail,
            note: symbols.note.clone(),
            addresses: symbols
                .frames
                .iter()
                .map(|(&address, at)| (address, at.iter().map(&mut one).collect()))
                .collect(),
            functions: symbols
                .functions
                .iter()
                .map(|(&address, function)| (address, one(function)))
                .collect(),
            directory: symbols.directory.clone(),
        });
        let modules = modules.collect();
        Stored {
            format: FORMAT,
            modules,
            names,
        }
    }
}
