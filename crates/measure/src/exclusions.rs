//! What is not recorded: the rules of a filter, and the functions that these exclude by the addresses
//! of their code, as the command that starts the program has found them.

use std::ffi::{OsStr, OsString};
use std::sync::Once;

use pgas_filter::{AllOf, Filter, FunctionSet};
use pgas_trace_format::code_address::CodeAddress;

use crate::{message, settings};

/// See the module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Exclusions {
    pub(crate) rules: AllOf,
    /// `None`: nobody has looked.
    functions: Option<FunctionSet>,
}

impl Exclusions {
    /// Those in a file of rules, and in the one beside it.
    pub(crate) fn read(file: &OsStr) -> Result<Self, String> {
        let name = file.to_string_lossy();
        let text = std::fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
        let rules = AllOf::parse(&text, &name).map_err(|error| error.to_string())?;
        let mut beside = OsString::from(file);
        beside.push(settings::FUNCTIONS_BESIDE_FILTER);
        let functions = std::fs::read_to_string(beside).ok();
        let functions = functions.and_then(|text| FunctionSet::parse(&text).ok());
        Ok(Exclusions { rules, functions })
    }

    /// Whether nothing is left out.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.functions.is_none()
    }

    /// Whether the function that begins there is not recorded.
    pub(crate) fn has_function(&self, place: &CodeAddress) -> bool {
        let Some(functions) = &self.functions else {
            complain();
            return false;
        };
        functions.contains(&place.build_id, &place.path, place.address)
    }
}

impl From<Filter> for Exclusions {
    fn from(rules: Filter) -> Self {
        Exclusions {
            rules: rules.into(),
            functions: None,
        }
    }
}

/// Once in a process.
fn complain() {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        let variable = settings::FILTER;
        message::say(&format!(
            "{variable}: the rules for functions hold for UPC alone, since names of other functions \
             are looked up by `pgastool run`, which has not started this program"
        ));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_of_the_file_beside() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("my.filter");
        std::fs::write(
            &path,
            "SCOREP_REGION_NAMES_BEGIN EXCLUDE f SCOREP_REGION_NAMES_END",
        )
        .unwrap();
        let place = CodeAddress {
            address: 0x10,
            build_id: "ab".into(),
            path: "/prog".into(),
        };
        let read = || Exclusions::read(path.as_os_str()).unwrap();
        assert!(!read().has_function(&place));
        std::fs::write(
            directory.path().join("my.filter.functions"),
            "module ab\n10\n",
        )
        .unwrap();
        assert!(read().has_function(&place));
        let other = CodeAddress {
            address: 0x11,
            ..place
        };
        assert!(!read().has_function(&other));
    }
}
