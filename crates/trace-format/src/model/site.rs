//! Places in the source at which regions are entered.

use serde::{Deserialize, Serialize};

use super::operation::Operation;

/// Index of a [`Site`] in the site table of one stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(pub u32);

/// Where in the source a region is entered: the recorder's dictionary entry for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    /// Kind of region.
    pub operation: Operation,
    /// Source file: of the call for an operation, of the definition for a function. Empty if
    /// unknown. It may be a [code address](crate::code_address) in traces.
    pub file: String,
    /// Line in `file`, from 1; 0 if unknown.
    pub line: u32,
    /// Name of a function, a user region or a call of a library; empty for operations of a
    /// language.
    pub name: String,
}

impl Site {
    /// A function of the program that is defined at `file` and `line`.
    pub fn function(name: &str, file: &str, line: u32) -> Self {
        Site {
            operation: Operation::Function,
            file: file.to_owned(),
            line,
            name: name.to_owned(),
        }
    }

    /// A region that the program named itself.
    pub fn user_region(name: &str, file: &str, line: u32) -> Self {
        Site {
            operation: Operation::UserRegion,
            ..Site::function(name, file, line)
        }
    }

    /// An operation of the PGAS runtime that is called at `file` and `line`.
    pub fn operation(operation: Operation, file: &str, line: u32) -> Self {
        Site {
            operation,
            ..Site::function("", file, line)
        }
    }

    /// The region that is entered here, as a site: a function's site says where it is defined, so
    /// each is a region; an operation's says where it is called, which does not count.
    pub fn region(&self) -> Site {
        match self.operation.is_user() {
            true => self.clone(),
            false => Site {
                name: self.own_name().unwrap_or_default().to_owned(),
                ..Site::operation(self.operation, "", 0)
            },
        }
    }

    /// Name of the region: its own, if it is known, or that of the operation.
    pub fn region_name(&self) -> &str {
        self.own_name().unwrap_or(self.operation.name())
    }

    /// The source file, as far as there is one: empty where the runtime has a word for a place that is
    /// not in the program, such as `_FINAL_BARRIER` or `<unknown>`.
    pub fn source_file(&self) -> &str {
        match self.line == 0 && self.file.starts_with(['_', '<']) {
            true => "",
            false => &self.file,
        }
    }

    /// The name that the region has beside that of its operation. Names of standstills say what
    /// they are a note of.
    fn own_name(&self) -> Option<&str> {
        let has_own = !self.name.is_empty() && !self.operation.is_standstill();
        has_own.then_some(self.name.as_str())
    }
}
