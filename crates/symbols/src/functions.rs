//! All functions of a file, with the names that a report gives them.

use std::path::Path;
use std::sync::Arc;

use object::{Object, ObjectSymbol};

use crate::elf::build_id;
use crate::{Code, Detail, ModuleName, Unknown};

/// A function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The address in the file that it begins at.
    pub address: u64,
    /// Its name.
    pub name: Arc<str>,
    /// Its file; `None` without debug information.
    pub file: Option<Arc<str>>,
    /// The directory that it was compiled in.
    pub directory: Option<String>,
}

/// The functions of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Functions {
    /// The file.
    pub module: ModuleName,
    /// The most that is known of them.
    pub detail: Detail,
    /// All of them.
    pub all: Vec<Function>,
}

impl Functions {
    /// Those of a program, or of a library that needs the symbol `uses`; `None` if it does not.
    ///
    /// # Errors
    /// [`Unknown`].
    pub fn of(path: &Path, uses: &str) -> Result<Option<Self>, Unknown> {
        let bytes = pgas_files::read(path).map_err(|error| Unknown::Missing(error.to_string()))?;
        let damaged = |error: object::Error| Unknown::Damaged(error.to_string());
        let file = object::File::parse(&*bytes).map_err(damaged)?;
        let mut symbols = file.symbols().chain(file.dynamic_symbols());
        // The system's library defines some symbols that it does not use itself.
        let is_used = symbols.any(|symbol| symbol.name() == Ok(uses) && symbol.is_undefined());
        if !is_used && !is_program(&file) {
            return Ok(None);
        }
        let path = std::fs::canonicalize(path).map_err(|e| Unknown::Missing(e.to_string()))?;
        let module = ModuleName {
            path: path.to_string_lossy().into_owned(),
            build_id: build_id(&file),
        };
        let code = Code::open(&module, None)?;
        let all = code
            .all()
            .into_iter()
            .filter_map(|(address, (frame, directory))| {
                Some(Function {
                    address,
                    name: frame.function?,
                    file: frame.file,
                    directory,
                })
            });
        Ok(Some(Functions {
            all: all.collect(),
            detail: code.detail(),
            module,
        }))
    }
}

/// Whether a file is a program, and not a library: it names what loads it, or needs nothing.
fn is_program(file: &object::File) -> bool {
    file.kind() != object::ObjectKind::Dynamic || file.section_by_name(".interp").is_some()
}
