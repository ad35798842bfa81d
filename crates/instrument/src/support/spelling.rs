//! The option by which a compiler takes a fixed number of threads, where releases of it differ: it
//! is tried once, and what was found stays on the shelf.

use super::workshop::Workshop;
use super::{Shelves, find, identity, put};
use crate::compiler::Compiler;
use pgas_cache::Trust;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// Holds the option, without the number.
const SPELLING: &str = "spelling";
const TRIAL: &str = "threads.upc";

/// The arguments that fix the number of threads of `compiler`'s programs, in a spelling that it
/// takes. If it takes none of those that are known, the usual one is returned, for the compiler to
/// say what is wrong.
pub fn threads_arguments(compiler: &Compiler, threads: u32, shelves: &Shelves) -> Vec<OsString> {
    let known = compiler.flavour.table().threads;
    let flag = match known {
        [only] => only,
        _ => taken(compiler, known, shelves).unwrap_or(known[0]),
    };
    with_number(flag, threads)
}

fn with_number(flag: &str, threads: u32) -> Vec<OsString> {
    match flag.strip_suffix(' ') {
        Some(flag) => vec![flag.into(), threads.to_string().into()],
        None => vec![format!("{flag}{threads}").into()],
    }
}

/// The first of `known` that the compiler takes.
fn taken(
    compiler: &Compiler,
    known: &'static [&'static str],
    shelves: &Shelves,
) -> Option<&'static str> {
    let name = set_name(compiler, known);
    let kept = find(shelves, &name, &[SPELLING])
        .and_then(|set| fs::read_to_string(set.join(SPELLING)).ok())
        .and_then(|text| known.iter().find(|flag| **flag == text.trim_end()));
    if let Some(flag) = kept {
        return Some(flag);
    }
    let own = Trust::own().make_directory(&shelves.own).ok();
    let Some(made) = own.and_then(|own| pgas_cache::aside(&own).ok()) else {
        // Nothing can be kept there; a command that needs more from that place says so.
        let scratch = tempfile::tempdir().ok()?;
        return tried(compiler, known, scratch.path());
    };
    let flag = tried(compiler, known, made.path())?;
    if fs::write(made.path().join(SPELLING), format!("{flag}\n")).is_ok() {
        // Without it, the next command tries again.
        let _ = put(made, &shelves.own.join(name), &[SPELLING]);
    }
    Some(flag)
}

fn tried(
    compiler: &Compiler,
    known: &'static [&'static str],
    directory: &Path,
) -> Option<&'static str> {
    let workshop = Workshop::new(directory);
    workshop.write(TRIAL, b"int pgas_threads_trial;\n").ok()?;
    let is_taken = |flag: &&&'static str| {
        let mut arguments = with_number(flag, 2);
        arguments.extend(["-c", "-o", "trial.o", TRIAL].map(OsString::from));
        workshop.run(&compiler.path, &arguments).is_ok()
    };
    let flag = known.iter().find(is_taken).copied()?;
    workshop.note_commands().ok()?;
    Some(flag)
}

fn set_name(compiler: &Compiler, known: &[&str]) -> String {
    let mut key = Xxh3::new();
    key.update(&identity(&compiler.path));
    key.update(format!("{} {:?} {known:?}", compiler.version, compiler.flavour).as_bytes());
    format!("threads-{:032x}", key.digest128())
}
