//! The request of a command line: the task, the files, the options of the C compiler.

use std::ffi::OsString;
use std::path::PathBuf;

use pgas_instrument::network::Network;

/// Where the work stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// `-E`, `-M`, `-MM`
    Preprocess,
    /// `-trans`
    Translate,
    /// `-S`
    Assembly,
    /// `-c`
    Object,
    /// A program, or a shared library or joined object, of which the runtime is no part.
    Link,
}

/// The language of a file on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// UPC that is to be preprocessed.
    Upc,
    /// UPC if it uses any of it, else C.
    C,
    /// UPC that was preprocessed before.
    PreprocessedUpc,
    /// Something to include, which can be checked and listed but not compiled.
    Header,
    /// Anything that the C compiler knows and that is no UPC, such as assembly.
    Foreign,
}

/// Something that takes part in the link, in the order of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// `foreign_language`: the argument of `-x` if it is for the C compiler to interpret.
    Source {
        path: PathBuf,
        language: Language,
        foreign_language: Option<OsString>,
    },
    /// An object, archive or shared library.
    Object(PathBuf),
    /// An option for the linker, or a part of one.
    LinkerOption(OsString),
}

/// A question that is answered without compiling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    Help,
    /// The manual page.
    Man,
    Version,
    /// For the C compiler, such as `-dumpmachine`.
    Compiler(OsString),
}

/// Which lists of dependencies are wanted, for `make`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// `-M` or `-MM`
    pub instead_of_text: Option<OsString>,
    /// `-MD` or `-MMD`, the last of them.
    pub beside: Option<&'static str>,
    /// `-MG`, `-MP`
    pub form: Vec<&'static str>,
    /// `-MF`
    pub file: Option<PathBuf>,
    /// `-MT`, `-MQ` with their values.
    pub targets: Vec<OsString>,
}

impl Dependencies {
    /// `-MD`, `-MMD`, `-MG` or `-MP`.
    pub fn add(&mut self, option: &str) {
        match option {
            "-MD" => self.beside = Some("-MD"),
            "-MMD" => self.beside = Some("-MMD"),
            "-MG" => self.form.push("-MG"),
            _ => self.form.push("-MP"),
        }
    }
}

/// The request of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// A question to answer instead of compiling.
    pub query: Option<Query>,
    /// The last step: `-E`, `-trans`, `-S`, `-c`, or linking.
    pub stage: Stage,
    /// In the order of the command line.
    pub inputs: Vec<Input>,
    /// `-o`
    pub output: Option<PathBuf>,
    /// `-T`; `None` if the number is chosen at start.
    pub threads: Option<u32>,
    /// `-network`; `None` leaves it to the environment.
    pub network: Option<Network>,
    /// `-mpicc`
    pub mpicc: Option<PathBuf>,
    /// `-inst`
    pub instrument: bool,
    /// `-inst-local`
    pub instrument_local: bool,
    /// `-inst-counts`
    pub count_accesses: bool,
    /// `-inst-functions`
    pub instrument_functions: bool,
    /// `-inst-functions-auto`
    pub leave_out_small: bool,
    /// `-inst-filter`
    pub filter: Option<PathBuf>,
    /// For the preprocessor only: `-D`, `-I`, ...
    pub preprocessor: Vec<OsString>,
    /// How preprocessed text looks, where it is what was asked for: `-C`, `-P`.
    pub text_form: Vec<OsString>,
    /// Lists for `make`.
    pub dependencies: Dependencies,
    /// For every call of the C compiler: `-O`, `-g`, `-std`, `-f`, `-m`, `-W`, ...
    pub general: Vec<OsString>,
    /// `-shared` or `-r`: what is linked is not a program.
    pub not_a_program: bool,
    /// `-fsyntax-only`: messages, and no file.
    pub syntax_only: bool,
    /// `-fpreprocessed`: the sources are, whatever their names.
    pub preprocessed: bool,
    /// Intermediate files are kept.
    pub save_temps: bool,
    /// `-shared-heap`: bytes of each thread.
    pub heap: Option<u64>,
    /// `-fupc-1.0`
    pub old_keywords: bool,
    /// `-fupc-check`
    pub check: bool,
    /// `-v`: shows each command.
    pub verbose: bool,
    /// `-###`: shows the commands and runs none.
    pub dry_run: bool,
    /// `-w`
    pub no_warnings: bool,
}

impl Default for Request {
    fn default() -> Self {
        Request {
            query: None,
            stage: Stage::Link,
            inputs: Vec::new(),
            output: None,
            threads: None,
            network: None,
            mpicc: None,
            instrument: false,
            instrument_local: false,
            count_accesses: false,
            instrument_functions: false,
            leave_out_small: false,
            filter: None,
            preprocessor: Vec::new(),
            text_form: Vec::new(),
            dependencies: Dependencies::default(),
            general: Vec::new(),
            not_a_program: false,
            syntax_only: false,
            preprocessed: false,
            save_temps: false,
            heap: None,
            old_keywords: false,
            check: false,
            verbose: false,
            dry_run: false,
            no_warnings: false,
        }
    }
}

/// Options with which the C compiler makes further files, named after its output.
const FURTHER_FILES: [&str; 7] = [
    "--coverage",
    "-coverage",
    "-ftest-coverage",
    "-fprofile",
    "-gsplit-dwarf",
    "-fdump",
    "-fstack-usage",
];

impl Request {
    /// The network that sources are compiled for, and programs linked.
    pub fn network(&self) -> Network {
        self.network.unwrap_or_default()
    }

    /// Whether the C compiler must know the final name of what it makes.
    pub fn makes_further_files(&self) -> bool {
        let makes = |option: &OsString| {
            let option = option.to_string_lossy();
            FURTHER_FILES.iter().any(|known| option.starts_with(known))
        };
        self.general.iter().any(makes)
    }
}
