//! The object that says with which filter a program was compiled, for compilers that know nothing
//! of filters: made once for each filter, and kept.

use super::workshop::Workshop;
use super::{Shelves, SupportError, find, identity, put};
use crate::compiler::c_compiler;
use crate::program::FILTER_SECTION;
use pgas_cache::Trust;
use std::ffi::OsString;
use std::path::PathBuf;
use xxhash_rust::xxh3::Xxh3;

const SOURCE: &str = "filter.c";
const OBJECT: &str = "filter.o";

/// The object for a filter of this `name` with these `rules`.
///
/// # Errors
/// If there is no C compiler, it fails, or there is no place for the object.
pub fn filter_note(name: &str, rules: &str, shelves: &Shelves) -> Result<PathBuf, SupportError> {
    let c_compiler = c_compiler()?;
    let source = source(name, rules);
    let mut key = Xxh3::new();
    key.update(source.as_bytes());
    key.update(&identity(&c_compiler));
    let set_name = format!("filter-{:032x}", key.digest128());
    if let Some(set) = find(shelves, &set_name, &[OBJECT]) {
        return Ok(set.join(OBJECT));
    }
    let own = Trust::own().make_directory(&shelves.own)?;
    let no_place = |(path, error)| SupportError::Cache { path, error };
    let made = pgas_cache::aside(&own).map_err(|error| no_place((own.clone(), error)))?;
    let workshop = Workshop::new(made.path());
    workshop
        .write(SOURCE, source.as_bytes())
        .map_err(no_place)?;
    let arguments = ["-fPIC", "-c", "-o", OBJECT, SOURCE].map(OsString::from);
    let compiled = workshop.run(&c_compiler, &arguments);
    compiled.map_err(|failed| SupportError::Filter {
        command: failed.command,
        output: failed.said,
    })?;
    workshop.note_commands().map_err(no_place)?;
    let set = own.join(set_name);
    put(made, &set, &[OBJECT]).map_err(|error| no_place((set.clone(), error)))?;
    Ok(set.join(OBJECT))
}

/// Name and rules as [`crate::program::inspect`] reads them.
fn source(name: &str, rules: &str) -> String {
    let text = format!("{}\n{rules}", name.replace('\n', " "));
    let bytes = text.bytes().filter(|&byte| byte != 0);
    let numbers: Vec<String> = bytes.chain([0]).map(|byte| byte.to_string()).collect();
    format!(
        "__attribute__((section(\"{FILTER_SECTION}\"), used)) static const unsigned char filter[] \
         = {{{}}};\n",
        numbers.join(",")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_c() {
        let source = source("a\"b", "x\\\n");
        assert!(
            source.ends_with("= {97,34,98,10,120,92,10,0};\n"),
            "{source}"
        );
    }
}
