//! Wrappers of MPI's functions of Fortran for a program whose compiler does not link their library
//! by itself: made where the command that links the program names it.

use super::made::{FLAGS, lines};
use super::mpi_wrappers::{self, second_names};
use super::workshop::{Failed, Workshop};
use super::{Shelves, SupportError, find, put};
use crate::invocation::Invocation;
use crate::model::context;
use crate::mpi::declarations::{self, Declaration};
use crate::mpi::fortran_calls::FortranCalls;
use crate::mpi::wrapping::{self, second_names_of};
use pgas_cache::Trust;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

const SOURCE: &str = "mpi_more_wrappers.c";
const OBJECT: &str = "mpi_more_wrappers.o";
/// Functions that the object has wrappers of.
const WRAPPED: &str = "mpi_wrapped";
const PROBE: &str = "probe.c";
/// Linkers look for functions in the program, too, that a library of the program's own needs.
const OF_LIBRARIES: &str = "-Wl,--allow-shlib-undefined";

/// Wrappers that a program is linked with beside those of its compiler's programs.
#[derive(Debug, Default)]
pub(super) struct More {
    pub object: Option<PathBuf>,
    /// Functions of Fortran that the program calls without being recorded.
    pub lost: Vec<String>,
}

/// The link of a program.
pub(super) struct Link<'a> {
    /// Arguments of its command.
    pub arguments: &'a [OsString],
    /// Wrappers of the compiler's programs.
    pub made: &'a Path,
    /// The command that compiles for it and links it, without arguments.
    pub compiler: &'a [OsString],
    /// Its options in addition.
    pub context: &'a [OsString],
    /// Another model begins and ends the recording.
    pub is_joined: bool,
    pub shelves: &'a Shelves,
}

impl Link<'_> {
    /// Makes wrappers of those functions that the program may call and that have none yet.
    pub(super) fn more(&self) -> Result<More, SupportError> {
        let without: BTreeSet<String> = lines(self.made, mpi_wrappers::LEFT_OUT_OF_FORTRAN)
            .into_iter()
            .collect();
        let invocation = Invocation::of_wrapper(self.arguments);
        let calls = FortranCalls::of(self.arguments, &invocation);
        let called: BTreeSet<&String> = calls.symbols.intersection(&without).collect();
        if without.is_empty() || called.is_empty() && !calls.has_sources {
            return Ok(More::default());
        }
        let set = match self.linked(&without) {
            linked if linked.is_empty() => None,
            linked => Some(self.set(&linked)?),
        };
        let wrapped = set
            .as_deref()
            .map(|set| lines(set, WRAPPED))
            .unwrap_or_default();
        let lost = called.into_iter().filter(|name| !wrapped.contains(name));
        Ok(More {
            lost: lost.cloned().collect(),
            object: set.map(|set| set.join(OBJECT)),
        })
    }

    /// Second names of these functions that are in libraries that the command names.
    fn linked(&self, names: &BTreeSet<String>) -> BTreeSet<String> {
        let Ok(scratch) = tempfile::tempdir() else {
            return BTreeSet::new();
        };
        let workshop = Workshop::new(scratch.path());
        let mut left: BTreeSet<String> = names
            .iter()
            .flat_map(|name| second_names_of(name))
            .collect();
        while !left.is_empty() {
            let Err(failed) = self.probe(&workshop, &left) else {
                return left;
            };
            let missing = second_names(&failed.said);
            let before = left.len();
            left.retain(|name| !missing.contains(name));
            if left.len() == before {
                return BTreeSet::new();
            }
        }
        left
    }

    /// Links a program that calls these as the program is linked.
    fn probe(&self, workshop: &Workshop, names: &BTreeSet<String>) -> Result<(), Failed> {
        let names = names
            .iter()
            .map(|name| format!("extern void {name}(void);\n"));
        let declared: String = names.collect();
        let used = declared
            .replace("extern void ", "  ")
            .replace("(void);", "();");
        let text = format!("{declared}int main(void) {{\n{used}  return 0;\n}}\n");
        workshop.write_text(PROBE, &text)?;
        let words = ["-o", "probe", "-x", "c", PROBE, "-x", "none"].map(OsString::from);
        let is_kind = |word: &&OsString| word.to_string_lossy().starts_with("-static");
        let kind = self.arguments.iter().filter(is_kind).cloned();
        let words = words
            .into_iter()
            .chain(kind)
            .chain(context::of(self.arguments));
        let words: Vec<OsString> = words.chain([OF_LIBRARIES.into()]).collect();
        self.command(&words, |program, words| workshop.run(program, words))
    }

    /// Calls `run` with the compiler and its arguments.
    fn command<T>(&self, words: &[OsString], run: impl FnOnce(&Path, &[OsString]) -> T) -> T {
        let arguments = [&self.compiler[1..], words, self.context].concat();
        run(Path::new(&self.compiler[0]), &arguments)
    }

    fn set(&self, linked: &BTreeSet<String>) -> Result<PathBuf, SupportError> {
        let name = self.set_name(linked);
        let files = [OBJECT, WRAPPED];
        if let Some(set) = find(self.shelves, &name, &files) {
            return Ok(set);
        }
        let own = Trust::own().make_directory(&self.shelves.own)?;
        let no_place = |(path, error)| SupportError::Cache { path, error };
        let made = pgas_cache::aside(&own).map_err(|error| no_place((own.clone(), error)))?;
        let workshop = Workshop::new(made.path());
        let compiled = self.compile(&workshop, linked);
        compiled.map_err(|failed| SupportError::Wrappers {
            model: "MPI from Fortran",
            command: failed.command,
            output: failed.said,
        })?;
        workshop.note_commands().map_err(no_place)?;
        let set = own.join(name);
        put(made, &set, &files).map_err(|error| no_place((set.clone(), error)))?;
        Ok(set)
    }

    fn compile(&self, workshop: &Workshop, linked: &BTreeSet<String>) -> Result<(), Failed> {
        let functions = self.functions(workshop)?;
        let all = wrapping::fortran_symbols(&functions, &BTreeSet::new());
        let names = all.iter().flat_map(|symbol| second_names_of(symbol));
        let missing: BTreeSet<String> = names.filter(|name| !linked.contains(name)).collect();
        workshop.write_text(SOURCE, &wrapping::for_fortran(&functions, &missing))?;
        let wrapped = wrapping::fortran_symbols(&functions, &missing);
        workshop.write_text(WRAPPED, &format!("{}\n", wrapped.join("\n")))?;
        let mut words: Vec<OsString> = ["-std=gnu11", "-c", mpi_wrappers::UNWINDING, "-o", OBJECT]
            .map(OsString::from)
            .to_vec();
        words.extend(FLAGS.map(OsString::from));
        words.extend([OsStr::new("-I"), self.made.as_os_str()].map(OsString::from));
        words.extend(self.is_joined.then(|| mpi_wrappers::JOINED.into()));
        words.extend(["-x", "c", SOURCE, "-x", "none"].map(OsString::from));
        self.command(&words, |program, words| workshop.run(program, words))
    }

    fn functions(&self, workshop: &Workshop) -> Result<Vec<Declaration>, Failed> {
        let ask =
            |words: &[OsString]| self.command(words, |program, words| workshop.ask(program, words));
        let text = mpi_wrappers::preprocessed(workshop, &ask)?;
        Ok(declarations::read(&text).functions)
    }

    /// Differs whenever something else would be made.
    fn set_name(&self, linked: &BTreeSet<String>) -> String {
        let mut key = Xxh3::new();
        key.update(self.made.as_os_str().as_encoded_bytes());
        key.update(format!("{linked:?} {:?}", self.context).as_bytes());
        format!("mpi-of-fortran-{:032x}", key.digest128())
    }
}
