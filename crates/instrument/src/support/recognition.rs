//! Which programming model a compiler is for: it is tried with small programs, never guessed from
//! its name, and the answer stays on the shelf.

use super::workshop::Workshop;
use super::{Shelves, find, identity, put};
use crate::invocation::Invocation;
use crate::model::command::FLAGS;
use crate::model::{ALL, Model, ModelCompiler, context};
use crate::mpi::Behind;
use object::{Object, ObjectSymbol};
use pgas_base::helper;
use pgas_cache::Trust;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use xxhash_rust::xxh3::Xxh3;

/// Holds the answer: a line for each word, which its value follows.
const ANSWER: &str = "answer";

const SHMEM_PROGRAM: &str = "#include <shmem.h>\n\nint main(void) {\n  shmem_init();\n  \
                             shmem_finalize();\n  return 0;\n}\n";
const COARRAY_PROGRAM: &str = "program probe\n  integer :: images\n  images = num_images()\n  if \
                               (images < 1) stop 1\nend program\n";
const MPI_PROGRAM: &str = "#include <mpi.h>\n\nint main(int n, char **words) {\n  MPI_Init(&n, \
                           &words);\n  MPI_Finalize();\n  return 0;\n}\n";
/// The option with which gfortran turns coarrays into calls.
const COARRAYS_BY_LIBRARY: &str = "-fcoarray=lib";
/// Beginning of the names of those calls.
const COARRAY_CALL: &[u8] = b"_gfortran_caf_";

/// Kind of the compiler at `path`, for a command with these `arguments`: as it was found at an
/// earlier time, else as trials show, unless `is_other` says that it is something else. `None` if
/// it is for none of the models. Options of the command are used in the trials only if it takes
/// them: with `mpicc`, OpenSHMEM programs link if the command has `-loshmem`.
pub fn recognise(
    path: &Path,
    arguments: &[OsString],
    shelves: &Shelves,
    is_other: impl FnOnce() -> bool,
) -> Option<ModelCompiler> {
    let links = Invocation::of_wrapper(arguments).links_program;
    let behind = Behind::of(path);
    let given = context::of(arguments);
    let mut questions = Vec::new();
    // A compiler that links such programs compiles them, too.
    for links in [true, false].into_iter().filter(|&asked| asked || !links) {
        let mut contexts = vec![Vec::new()];
        contexts.extend((!given.is_empty()).then(|| given.clone()));
        questions.extend(contexts.into_iter().map(|context| Question {
            path,
            links,
            context,
            behind: &behind,
        }));
    }
    let kept = questions.iter().find_map(|question| question.kept(shelves));
    if kept.is_some() || is_other() {
        return kept;
    }
    questions.iter().find_map(|question| question.ask(shelves))
}

/// Whether a compiler is for a model.
struct Question<'a> {
    path: &'a Path,
    /// It must link such programs, not only compile them.
    links: bool,
    /// With these options.
    context: Vec<OsString>,
    behind: &'a Behind,
}

impl Question<'_> {
    /// The answer of an earlier time.
    fn kept(&self, shelves: &Shelves) -> Option<ModelCompiler> {
        let set = find(shelves, &self.set_name(), &[ANSWER])?;
        let text = fs::read_to_string(set.join(ANSWER)).ok()?;
        let value = |word: &str| text.lines().find_map(|line| line.strip_prefix(word));
        Some(ModelCompiler {
            path: self.path.to_path_buf(),
            model: Model::from_id(value("model ")?)?,
            version: value("version ")?.to_string(),
            mpi: value("mpi ").map(PathBuf::from),
            flags: value("flags ")?
                .split_whitespace()
                .map(String::from)
                .collect(),
            context: self.context.clone(),
        })
    }

    /// Tries it, and keeps what was found.
    fn ask(&self, shelves: &Shelves) -> Option<ModelCompiler> {
        let own = Trust::own().make_directory(&shelves.own).ok();
        let made = own.and_then(|own| pgas_cache::aside(&own).ok());
        let Some(made) = made else {
            // Nothing can be kept there; a command that needs more from that place says so.
            let scratch = tempfile::tempdir().ok()?;
            return self.tried(&Workshop::new(scratch.path()), scratch.path());
        };
        let workshop = Workshop::new(made.path());
        let found = self.tried(&workshop, made.path())?;
        let mut answer = format!(
            "model {}\nversion {}\nflags {}\n",
            found.model.table().id,
            found.version,
            found.flags.join(" ")
        );
        if let Some(mpi) = found.mpi.as_deref().and_then(Path::to_str) {
            answer += &format!("mpi {mpi}\n");
        }
        let is_written = workshop.write(ANSWER, answer.as_bytes()).is_ok();
        if is_written && workshop.note_commands().is_ok() {
            // Without it, the next command tries again.
            let _ = put(made, &shelves.own.join(self.set_name()), &[ANSWER]);
        }
        Some(found)
    }

    fn tried(&self, workshop: &Workshop, directory: &Path) -> Option<ModelCompiler> {
        let is_for = |model: &Model| match model {
            Model::OpenShmem => self.makes(workshop, "shmem.c", SHMEM_PROGRAM),
            Model::Mpi => self.makes(workshop, "mpi.c", MPI_PROGRAM),
            Model::Coarrays => self.makes_coarrays(workshop, directory),
        };
        let model = ALL.into_iter().find(is_for)?;
        Some(ModelCompiler {
            path: self.path.to_path_buf(),
            model,
            version: version(self.path),
            mpi: self.behind.mpi.clone(),
            flags: self.flags(model, workshop),
            context: self.context.clone(),
        })
    }

    /// A program in C. A compiler of Fortran that finds MPI's library finds its header, too.
    fn makes(&self, workshop: &Workshop, name: &str, program: &str) -> bool {
        let mut words = match self.links {
            true => vec!["-o", "probe"],
            false => vec!["-c", "-o", "probe.o"],
        };
        words.extend(["-x", "c", name, "-x", "none"]);
        workshop.write(name, program.as_bytes()).is_ok() && self.run(workshop, &words, &[])
    }

    /// Other ways to compile coarrays, such as for one image, have no calls to be recorded.
    fn makes_coarrays(&self, workshop: &Workshop, directory: &Path) -> bool {
        let says_how = |word: &OsString| word.to_string_lossy().starts_with("-fcoarray");
        // What is linked was compiled so before, perhaps.
        let by_library: &[&str] = match self.links && !self.context.iter().any(says_how) {
            true => &[COARRAYS_BY_LIBRARY],
            false => &[],
        };
        workshop
            .write("coarray.f90", COARRAY_PROGRAM.as_bytes())
            .is_ok()
            && self.run(
                workshop,
                &["-c", "-o", "coarray.o", "coarray.f90"],
                by_library,
            )
            && calls_coarrays(&directory.join("coarray.o"))
            && (!self.links || self.run(workshop, &["-o", "probe", "coarray.o"], &[]))
    }

    /// Those flags that it takes with a program of the model.
    fn flags(&self, model: Model, workshop: &Workshop) -> Vec<String> {
        let source = match model {
            Model::OpenShmem => &["-x", "c", "shmem.c", "-x", "none"][..],
            Model::Mpi => &["-x", "c", "mpi.c", "-x", "none"],
            Model::Coarrays => &["coarray.f90", COARRAYS_BY_LIBRARY],
        };
        let is_taken = |flag: &&str| {
            let words = [&[*flag, "-c", "-o", "flag.o"], source].concat();
            self.run(workshop, &words, &[])
        };
        let taken = FLAGS.into_iter().filter(is_taken);
        taken.map(String::from).collect()
    }

    fn run(&self, workshop: &Workshop, words: &[&str], more: &[&str]) -> bool {
        let words = words.iter().chain(more).map(OsString::from);
        let arguments: Vec<OsString> = words.chain(self.context.iter().cloned()).collect();
        workshop.run(self.path, &arguments).is_ok()
    }

    fn set_name(&self) -> String {
        let mut key = Xxh3::new();
        key.update(&identity(self.path));
        // One executable may stand for several compilers, by its name.
        key.update(format!("{:?} {:?}", self.path, self.behind).as_bytes());
        key.update(format!("{:?} {:?} {FLAGS:?}", self.links, self.context).as_bytes());
        key.update(env!("CARGO_PKG_VERSION").as_bytes());
        format!("model-{:032x}", key.digest128())
    }
}

fn calls_coarrays(object: &Path) -> bool {
    let Ok(bytes) = fs::read(object) else {
        return false;
    };
    let is_call = |name: object::Result<&[u8]>| name.is_ok_and(|n| n.starts_with(COARRAY_CALL));
    object::File::parse(&*bytes).is_ok_and(|file| {
        file.symbols()
            .any(|symbol| symbol.is_undefined() && is_call(symbol.name_bytes()))
    })
}

/// The first line of what a compiler says of its version.
fn version(path: &Path) -> String {
    let answered = helper::output(Command::new(path).arg("--version"), helper::QUESTION);
    let text = answered.map_or_else(|_| Vec::new(), |output| output.stdout);
    let text = String::from_utf8_lossy(&text).into_owned();
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    first.unwrap_or("it does not say its version").to_string()
}
