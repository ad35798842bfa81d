//! Programs of the tool itself that are compiled on this machine by the compiler that a user asks
//! for, without any recording, and kept.

use super::workshop::{Failed, Workshop};
use super::{NOTE_OBJECT, Shelves, SupportError, find, identity, put, read};
use crate::compiler::{Compiler, c_compiler};
use crate::flavour::Flavour;
use crate::model::ModelCompiler;
use crate::mpi::Behind;
use crate::program::note_source;
use pgas_cache::Trust;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

const NOTE_SOURCE: &str = "pgas_info.c";
/// System libraries that the tool's libraries need.
const SYSTEM_LIBRARIES: [&str; 3] = ["-lpthread", "-ldl", "-lm"];
/// Answer of the program to the question that it is asked when it has been made.
const ANSWER: &str = "answer";

/// The compiler of a program, which decides its model.
#[derive(Debug, Clone)]
pub enum AnyCompiler {
    /// One of UPC.
    Upc(Compiler),
    /// One of another model.
    Other(ModelCompiler),
}

impl AnyCompiler {
    /// Its executable.
    pub fn path(&self) -> &Path {
        match self {
            AnyCompiler::Upc(compiler) => &compiler.path,
            AnyCompiler::Other(compiler) => &compiler.path,
        }
    }

    /// The line of its answer that says what it is.
    pub fn version(&self) -> &str {
        match self {
            AnyCompiler::Upc(compiler) => &compiler.version,
            AnyCompiler::Other(compiler) => &compiler.version,
        }
    }

    /// The note by which [`crate::program::inspect`] knows a program; `None` if the compiler leaves
    /// its own.
    fn note(&self) -> Option<String> {
        match self {
            AnyCompiler::Upc(compiler) if compiler.flavour == Flavour::Embedded => None,
            AnyCompiler::Upc(compiler) => Some(compiler.note(None, false)),
            AnyCompiler::Other(compiler) => Some(compiler.note(false)),
        }
    }
}

/// How a program is made.
pub struct Recipe<'a> {
    /// The program, for people.
    pub what: &'static str,
    /// File name of the program, and the first word of the name of its directory.
    pub name: &'static str,
    /// Its compiler.
    pub compiler: &'a AnyCompiler,
    /// Its sources and headers, by name; those that end in `.c` and `.upc` are compiled.
    pub files: &'a [(String, String)],
    /// Options of the compiler.
    pub options: &'a [OsString],
    /// A library of the tool that it is linked with.
    pub library: &'a Path,
    /// Question that the program is asked when it has been made; its answer is kept beside it.
    pub question: &'a dyn Fn(&Path) -> Result<String, String>,
}

/// A program that is made and may be started where it is.
#[derive(Debug, Clone)]
pub struct Made {
    /// The program.
    pub program: PathBuf,
    /// Its answer to the question of the recipe.
    pub answer: String,
    /// It was there already.
    pub is_kept: bool,
}

/// Compiles the program unless it is on one of the shelves.
///
/// # Errors
/// If a compiler refuses it, the program does not answer, or there is no place for it.
pub fn prepare_program(recipe: &Recipe, shelves: &Shelves) -> Result<Made, SupportError> {
    let name = recipe.set_name()?;
    let files = [recipe.name, ANSWER];
    let made = |set: &Path, is_kept| {
        Ok(Made {
            program: set.join(recipe.name),
            answer: String::from_utf8_lossy(&read(&set.join(ANSWER))?).into_owned(),
            is_kept,
        })
    };
    if let Some(set) = find(shelves, &name, &files) {
        return made(&set, true);
    }
    let own = Trust::own().make_directory(&shelves.own)?;
    let no_place = |(path, error)| SupportError::Cache { path, error };
    let aside = pgas_cache::aside(&own).map_err(|error| no_place((own.clone(), error)))?;
    recipe.make(aside.path())?;
    let set = own.join(name);
    put(aside, &set, &files).map_err(|error| no_place((set.clone(), error)))?;
    made(&set, false)
}

impl Recipe<'_> {
    fn make(&self, directory: &Path) -> Result<(), SupportError> {
        let no_place = |(path, error)| SupportError::Cache { path, error };
        let refused = |failed: Failed| SupportError::Program {
            what: self.what,
            command: failed.command,
            output: failed.said,
        };
        let workshop = Workshop::new(directory);
        self.write_sources(&workshop, directory).map_err(no_place)?;
        if let Some(note) = self.compiler.note() {
            let source = note_source(&note);
            workshop.write_text(NOTE_SOURCE, &source).map_err(refused)?;
            let compile = ["-O2", "-fPIC", "-c", "-o", NOTE_OBJECT, NOTE_SOURCE];
            let compiled = workshop.run(&c_compiler()?, &compile.map(OsString::from));
            compiled.map_err(refused)?;
        }
        let link = workshop.run(self.compiler.path(), &self.arguments());
        link.map_err(refused)?;
        workshop.note_commands().map_err(no_place)?;
        let program = directory.join(self.name);
        let answer = (self.question)(&program).map_err(|output| SupportError::NoAnswer {
            what: self.what,
            output,
        })?;
        workshop.write_text(ANSWER, &answer).map_err(refused)
    }

    fn write_sources(
        &self,
        workshop: &Workshop,
        directory: &Path,
    ) -> Result<(), (PathBuf, std::io::Error)> {
        for (name, text) in self.files {
            if let Some(above) = Path::new(name).parent() {
                let path = directory.join(above);
                std::fs::create_dir_all(&path).map_err(|error| (path, error))?;
            }
            workshop.write(name, text.as_bytes())?;
        }
        Ok(())
    }

    /// One command that compiles all sources and links them.
    fn arguments(&self) -> Vec<OsString> {
        let is_source = |name: &&String| {
            let ending = Path::new(name).extension().and_then(OsStr::to_str);
            matches!(ending, Some("c" | "upc"))
        };
        let names = self.files.iter().map(|(name, _)| name).filter(is_source);
        let names: Vec<OsString> = names.map(OsString::from).collect();
        let mut words: Vec<OsString> = ["-O2", "-I."].map(OsString::from).to_vec();
        words.extend_from_slice(self.options);
        words.extend(["-o", self.name].map(OsString::from));
        match self.compiler {
            AnyCompiler::Upc(_) => words.extend(names),
            // A driver for C++ or Fortran takes each file for its own language otherwise.
            AnyCompiler::Other(_) => {
                words.extend(["-x", "c"].map(OsString::from));
                words.extend(names);
                words.extend(["-x", "none"].map(OsString::from));
            }
        }
        if self.compiler.note().is_some() {
            words.push(NOTE_OBJECT.into());
        }
        words.push(self.library.into());
        words.extend(SYSTEM_LIBRARIES.map(OsString::from));
        if let AnyCompiler::Other(compiler) = self.compiler {
            words.extend_from_slice(&compiler.context);
        }
        words
    }

    /// Differs whenever something else would be made.
    fn set_name(&self) -> Result<String, SupportError> {
        let mut key = Xxh3::new();
        for (name, text) in self.files {
            for part in [name, text] {
                key.update(part.as_bytes());
                key.update(&[0]);
            }
        }
        key.update(&read(self.library)?);
        let compiler = self.compiler.path();
        key.update(&identity(compiler));
        key.update(&identity(&c_compiler()?));
        let behind = Behind::of(compiler);
        let version = env!("CARGO_PKG_VERSION");
        let what = (compiler, self.compiler.version(), behind, self.arguments());
        key.update(format!("{what:?} {version}").as_bytes());
        Ok(format!("{}-{:032x}", self.name, key.digest128()))
    }
}
