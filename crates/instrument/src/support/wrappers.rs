//! Wrappers around the calls of a model's library, compiled on this machine and kept. Those of
//! OpenSHMEM are compiled against the header of the library at hand, and only for functions that
//! the library has under a second name, by which the wrapper calls them; those of coarrays follow
//! the interface of gfortran, and the linker leads calls to them. Where the compiler knows MPI, its
//! programs get wrappers of MPI, too.

use super::made::{FLAGS, lines};
use super::mpi_fortran::Link;
use super::mpi_wrappers::{self, Making};
use super::workshop::{Failed, Workshop};
use super::{Shelves, SupportError, find, identity, prelinked, put, recorder_library};
use crate::compiler::c_compiler;
use crate::model::command::LinkInputs;
use crate::model::{Model, ModelCompiler};
use crate::mpi::Behind;
use crate::program::note_source;
use pgas_cache::Trust;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// Declarations of the header at hand, for the wrappers.
const DECLARED: &str = "shmem_have.h";
/// The wrappers of the interface of Fortran.
const FORTRAN: &str = "shmem_fortran.c";
const NOTE_SOURCE: &str = "pgas_info.c";
const MAIN: &str = "main.c";
/// Where nothing has a second name, functions are looked up while the program runs.
const WITHOUT_PROFILING: &str = "-DPGAS_SHMEM_WITHOUT_PROFILING";
/// A library lacks second names of functions in several versions; some linkers stop after a few
/// messages.
const MOST_ATTEMPTS: usize = 50;

/// C files of the wrappers, by name, and the recorder's interface.
#[derive(Debug, Clone, Copy)]
pub struct WrapperSources<'a> {
    /// Those of OpenSHMEM, with their headers.
    pub openshmem: &'a [(&'a str, &'a str)],
    /// Those of coarrays, with their headers.
    pub coarrays: &'a [(&'a str, &'a str)],
    /// Those of MPI that are not generated, with their headers.
    pub mpi: &'a [(&'a str, &'a str)],
    /// The options by which the linker leads calls of coarrays to their wrappers, one a line.
    pub coarray_options: &'a str,
    /// The options by which it leads setjmp and longjmp to the wrappers.
    pub jump_options: &'a [&'a str],
    /// The recorder's header: name, text.
    pub interface: (&'a str, &'a str),
    /// The names of the recorder's interface.
    pub recorder_exports: &'a [&'a str],
}

impl WrapperSources<'_> {
    fn of(&self, model: Model) -> &[(&str, &str)] {
        match model {
            Model::OpenShmem => self.openshmem,
            Model::Coarrays => self.coarrays,
            // They are made by themselves.
            Model::Mpi => &[],
        }
    }

    /// Names of the files that are compiled.
    fn compiled(&self, model: Model) -> Vec<&str> {
        let names = self.of(model).iter().map(|&(name, _)| name);
        let mut names: Vec<&str> = names.filter(|name| name.ends_with(".c")).collect();
        names.push(NOTE_SOURCE);
        names
    }
}

/// Objects and options for linking a compiler's programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrappers {
    /// Where it is, with what it was made from.
    pub made: PathBuf,
    /// For the command that links.
    pub link_inputs: LinkInputs,
    /// Functions of MPI whose calls are not recorded, since the library has no second name of them,
    /// or the header declares them in a way that is not understood.
    pub left_out: Vec<String>,
    /// Functions of MPI that the program calls from Fortran, and whose calls are not recorded.
    pub lost_of_fortran: Vec<String>,
}

/// Makes what a program of `compiler` is linked with, unless it is there already. `arguments` are
/// those of the command that links it.
///
/// # Errors
/// If the recorder is missing, the wrappers cannot be compiled, or there is no place for them.
pub fn prepare_wrappers(
    compiler: &ModelCompiler,
    arguments: &[OsString],
    sources: &WrapperSources,
    tool_directory: &Path,
    shelves: &Shelves,
) -> Result<Wrappers, SupportError> {
    let c_compiler = c_compiler()?;
    let library = recorder_library(tool_directory)?;
    let recorder = prelinked::recorder(&library, sources.recorder_exports, &c_compiler, shelves)?;
    let recorder = std::path::absolute(&recorder).unwrap_or(recorder);
    let request = Request {
        compiler,
        c_compiler: &c_compiler,
        recorder: &recorder,
        sources,
    };
    let objects: Vec<String> = request.objects();
    let files = objects
        .iter()
        .map(String::as_str)
        .chain(mpi_wrappers::LISTS);
    let files: Vec<&str> = files.collect();
    let name = request.set_name();
    let made = match find(shelves, &name, &files) {
        Some(made) => made,
        None => make(&request, &name, &files, shelves)?,
    };
    let options = request.options();
    let of_mpi = lines(&made, mpi_wrappers::OBJECTS);
    let objects = objects.iter().chain(&of_mpi);
    let objects = objects.map(|name| made.join(name));
    let link = Link {
        arguments,
        made: &made,
        compiler: &[compiler.path.clone().into()],
        context: &compiler.context,
        is_joined: compiler.model != Model::Mpi,
        shelves,
    };
    let more = link.more()?;
    let objects = objects.chain(more.object).collect();
    Ok(Wrappers {
        link_inputs: LinkInputs::new(objects, options, recorder),
        left_out: lines(&made, mpi_wrappers::LEFT_OUT),
        lost_of_fortran: more.lost,
        made,
    })
}

fn make(
    request: &Request,
    name: &str,
    files: &[&str],
    shelves: &Shelves,
) -> Result<PathBuf, SupportError> {
    let own = Trust::own().make_directory(&shelves.own)?;
    let no_place = |(path, error)| SupportError::Cache { path, error };
    let made = pgas_cache::aside(&own).map_err(|error| no_place((own.clone(), error)))?;
    let workshop = Workshop::new(made.path());
    request.write_sources(&workshop).map_err(no_place)?;
    let outcome = match request.compiler.model {
        Model::OpenShmem => request.openshmem(&workshop),
        Model::Coarrays => request.coarrays(&workshop),
        Model::Mpi => request.note_alone(&workshop),
    };
    let outcome = outcome.and_then(|()| request.mpi(&workshop));
    outcome.map_err(|failed| SupportError::Wrappers {
        model: request.compiler.model.table().name,
        command: failed.command,
        output: failed.said,
    })?;
    workshop.note_commands().map_err(no_place)?;
    let set = own.join(name);
    put(made, &set, files).map_err(|error| no_place((set.clone(), error)))?;
    Ok(set)
}

struct Request<'a> {
    compiler: &'a ModelCompiler,
    c_compiler: &'a Path,
    recorder: &'a Path,
    sources: &'a WrapperSources<'a>,
}

impl Request<'_> {
    fn objects(&self) -> Vec<String> {
        let names = self.sources.compiled(self.compiler.model).into_iter();
        names.map(|name| name.replace(".c", ".o")).collect()
    }

    fn write_sources(&self, workshop: &Workshop) -> Result<(), (PathBuf, std::io::Error)> {
        let files = self.sources.of(self.compiler.model).iter();
        for &(name, text) in files.chain([&self.sources.interface]) {
            workshop.write(name, text.as_bytes())?;
        }
        workshop.write(
            NOTE_SOURCE,
            note_source(&self.compiler.note(true)).as_bytes(),
        )
    }

    /// Options of the linker that the wrappers need.
    fn options(&self) -> Vec<OsString> {
        let jumps = self.sources.jump_options.iter().copied();
        let calls = match self.compiler.model {
            Model::OpenShmem | Model::Mpi => "",
            Model::Coarrays => self.sources.coarray_options,
        };
        let calls = calls.lines().map(str::trim).filter(|line| !line.is_empty());
        jumps.chain(calls).map(OsString::from).collect()
    }

    /// Functions of which the library has no second name are found by linking a program with the
    /// wrappers, and left out.
    fn openshmem(&self, workshop: &Workshop) -> Result<(), Failed> {
        workshop.write_text("declared.c", "#include <shmem.h>\n")?;
        write_main(workshop)?;
        let question = ["-x", "c", "-E", "declared.c"].map(OsString::from);
        let arguments = [&question, &*self.compiler.context].concat();
        let text = workshop.ask(&self.compiler.path, &arguments)?;
        let declared = declared(&text);
        let begins = ["shmem_init", "shmem_init_thread", "start_pes"];
        let begins: BTreeSet<&str> = begins
            .into_iter()
            .filter(|n| declared.contains(*n))
            .collect();
        let declared = &declared | &self.fortran_names(workshop);
        match self.fitted(workshop, declared.clone(), None) {
            Ok(wrapped) if begins.iter().all(|name| wrapped.contains(*name)) => Ok(()),
            _ => self
                .fitted(workshop, declared, Some(WITHOUT_PROFILING))
                .map(|_| ()),
        }
    }

    /// Names of the interface of Fortran that there are wrappers for; none if the library does not
    /// have it.
    fn fortran_names(&self, workshop: &Workshop) -> BTreeSet<String> {
        let main = "extern void shmem_barrier_all_(void);\nint main(void) {\n  \
                    shmem_barrier_all_();\n  return 0;\n}\n";
        let link = ["-o", "fortran", "-x", "c", "fortran.c", "-x", "none"].map(OsString::from);
        let link = [&link, &*self.compiler.context].concat();
        let is_there = workshop
            .write_text("fortran.c", main)
            .and_then(|()| workshop.run(&self.compiler.path, &link));
        if is_there.is_err() || workshop.write_text(DECLARED, "").is_err() {
            return BTreeSet::new();
        }
        let list = ["-x", "c", "-E", "-I.", "-DPGAS_LIST_NAMES", FORTRAN].map(OsString::from);
        let list = [&list, &*self.compiler.context].concat();
        let text = workshop.ask(&self.compiler.path, &list).unwrap_or_default();
        listed(&text)
    }

    /// Compiles the wrappers of these functions, without those that the library has no second name
    /// for; returns the others.
    fn fitted(
        &self,
        workshop: &Workshop,
        mut names: BTreeSet<String>,
        define: Option<&str>,
    ) -> Result<BTreeSet<String>, Failed> {
        let mut attempts = 0;
        loop {
            let lines = names.iter().map(|name| format!("#define HAVE_{name} 1\n"));
            workshop.write_text(DECLARED, &lines.collect::<String>())?;
            let mut compile = ["-std=gnu11", "-c"].map(OsString::from).to_vec();
            compile.extend(FLAGS.iter().chain(&define).map(OsString::from));
            for source in self.sources.compiled(Model::OpenShmem) {
                // A driver for C++ takes each file for C++ of which it is not told otherwise.
                compile.extend(["-x", "c", source].map(OsString::from));
            }
            compile.extend(["-x", "none"].map(OsString::from));
            compile.extend_from_slice(&self.compiler.context);
            workshop.run(&self.compiler.path, &compile)?;
            let Err(failed) = self.link_trial(workshop) else {
                return Ok(names);
            };
            attempts += 1;
            let missing = missing(&failed.said, &names);
            if missing.is_empty() || attempts > MOST_ATTEMPTS {
                return Err(failed);
            }
            names.retain(|name| !missing.contains(name));
        }
    }

    /// The mark of a program of the model, where all else is generated.
    fn note_alone(&self, workshop: &Workshop) -> Result<(), Failed> {
        let mut compile: Vec<OsString> = vec!["-c".into()];
        compile.extend(FLAGS.iter().chain(&[NOTE_SOURCE]).map(OsString::from));
        workshop.run(self.c_compiler, &compile)
    }

    /// Links a program with the wrappers.
    fn link_trial(&self, workshop: &Workshop) -> Result<(), Failed> {
        let mut link: Vec<OsString> = ["-o", "main", MAIN].map(OsString::from).to_vec();
        let inputs = self.objects().into_iter().map(PathBuf::from).collect();
        let inputs = LinkInputs::new(inputs, self.options(), self.recorder.to_path_buf());
        link.extend(inputs.first);
        link.extend(inputs.last);
        link.extend_from_slice(&self.compiler.context);
        workshop.run(&self.compiler.path, &link)
    }

    /// Wrappers of MPI: in programs of other models only where the compiler makes programs of MPI.
    fn mpi(&self, workshop: &Workshop) -> Result<(), Failed> {
        let path = &self.compiler.path;
        let words = |words: &[OsString]| [words, &self.compiler.context].concat();
        let is_joined = self.compiler.model != Model::Mpi;
        let making = Making {
            workshop,
            run: &|arguments| workshop.run(path, &words(arguments)),
            ask: &|arguments| workshop.ask(path, &words(arguments)),
            flags: &FLAGS,
            files: self.sources.mpi,
            recorder: self.recorder,
            options: &self.options(),
            is_joined,
        };
        match is_joined {
            true => making.make_if_possible(),
            false => making.make(),
        }
    }

    fn coarrays(&self, workshop: &Workshop) -> Result<(), Failed> {
        let mut compile: Vec<OsString> = vec!["-c".into()];
        compile.extend(FLAGS.map(OsString::from));
        let asked = workshop.ask(&self.compiler.path, &["-dumpversion".into()]);
        if let Some(major) = asked.ok().as_deref().and_then(major) {
            compile.push(format!("-DPGAS_GFORTRAN={major}").into());
        }
        let sources = self.sources.compiled(Model::Coarrays);
        compile.extend(sources.into_iter().map(OsString::from));
        workshop.run(self.c_compiler, &compile)
    }

    /// Differs whenever something else would be made.
    fn set_name(&self) -> String {
        let model = self.compiler.model;
        let mut key = Xxh3::new();
        for (name, text) in self
            .sources
            .of(model)
            .iter()
            .chain(self.sources.mpi)
            .chain([&self.sources.interface])
        {
            key.update(name.as_bytes());
            key.update(text.as_bytes());
            key.update(&[0]);
        }
        key.update(crate::mpi::wrapping::GENERATOR.as_bytes());
        key.update(&identity(&self.compiler.path));
        key.update(&identity(self.c_compiler));
        let behind = Behind::of(&self.compiler.path);
        // What decides where libraries are has no part in wrappers that need none of them.
        let context: &[OsString] = match model {
            Model::OpenShmem | Model::Mpi => &self.compiler.context,
            Model::Coarrays => &[],
        };
        let version = env!("CARGO_PKG_VERSION");
        let compiler = (&self.compiler.path, &self.compiler.version, behind, context);
        key.update(format!("{compiler:?} {FLAGS:?} {version}").as_bytes());
        format!("{}-{:032x}", model.table().id, key.digest128())
    }
}

/// Functions of the library that a preprocessed header declares: names before a parenthesis.
fn declared(preprocessed: &str) -> BTreeSet<String> {
    const OLD: [&str; 5] = ["start_pes", "shmalloc", "shmemalign", "shrealloc", "shfree"];
    let pieces = preprocessed.split('(');
    let before = pieces.map(|piece| {
        let piece = piece.trim_end();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        piece.rsplit(|c| !is_part(c)).next().unwrap_or_default()
    });
    before
        .filter(|name| name.starts_with("shmem_") || OLD.contains(name))
        .map(String::from)
        .collect()
}

/// Names that each follow a certain word.
fn listed(preprocessed: &str) -> BTreeSet<String> {
    let mut words = preprocessed.split_whitespace();
    let mut names = BTreeSet::new();
    while words.any(|word| word == "pgas_known") {
        names.extend(words.next().map(String::from));
    }
    names
}

/// Names whose second ones, with a `p` before them, are in a linker's messages.
fn missing(said: &str, names: &BTreeSet<String>) -> BTreeSet<String> {
    let words = said.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let first = words.filter_map(|word| word.strip_prefix('p'));
    first
        .filter(|name| names.contains(*name))
        .map(String::from)
        .collect()
}

/// The first number of a version.
fn major(version: &str) -> Option<u32> {
    let number: String = version
        .trim()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    number.parse().ok()
}

/// Writes the program that is linked with the wrappers to try them.
fn write_main(workshop: &Workshop) -> Result<(), Failed> {
    workshop.write_text(MAIN, "int main(void) {\n  return 0;\n}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn functions_of_a_header_are_found() {
        let text = "# 1 \"shmem.h\"\nextern void shmem_init(void);\nint\nshmem_n_pes (void);\n \
                    void *shmalloc(size_t n); int other(int); typedef struct shmem_t *shmem_ctx_t;";
        let expected = set(&["shmem_init", "shmem_n_pes", "shmalloc"]);
        assert_eq!(declared(text), expected);
    }

    #[test]
    fn names_of_fortran_follow_a_word() {
        let text = "int a;\npgas_known shmem_put4_ \n pgas_known shmem_get4_ # 3 \"a\"\n";
        assert_eq!(listed(text), set(&["shmem_put4_", "shmem_get4_"]));
    }

    #[test]
    fn functions_without_a_second_name_are_found_in_messages() {
        let said = "ld: a.o: undefined reference to `pshmem_init'\nundefined reference to \
                    \"pshmem_put8\"\nundefined symbol: printf";
        let names = set(&["shmem_init", "shmem_put8", "shmem_put"]);
        assert_eq!(missing(said, &names), set(&["shmem_init", "shmem_put8"]));
    }

    #[test]
    fn versions_have_a_first_number() {
        assert_eq!(major("12\n"), Some(12));
        assert_eq!(major("4.8.5"), Some(4));
        assert_eq!(major("caf"), None);
    }
}
