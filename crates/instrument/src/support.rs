//! The files of the tool itself that go into a measured program: the recorder's library, found
//! beside the tool and linked in advance, and the event decoder, compiled on demand against the
//! headers of the compiler at hand; both are kept in a cache.

mod filter_note;
mod made;
mod making;
mod mpi_fortran;
mod mpi_of_upc;
mod mpi_wrappers;
mod prelinked;
mod program;
mod recognition;
mod shelves;
mod spelling;
mod transport;
mod workshop;
mod wrappers;

pub use filter_note::filter_note;
pub use mpi_of_upc::prepare_mpi_wrappers;
pub use program::{AnyCompiler, Made, Recipe, prepare_program};
pub use recognition::recognise;
pub use shelves::Shelves;
pub use spelling::threads_arguments;
pub use transport::{Transport, transport};
pub use wrappers::{WrapperSources, Wrappers, prepare_wrappers};

use crate::command::link_inputs;
use crate::compiler::{Compiler, NoCCompiler, c_compiler};
use crate::flavour::Flavour;
use pgas_cache::{Refusal, Trust};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// File name of the recorder's library.
pub const RECORDER: &str = "libpgas_measure.a";

/// The tool's UPC file for compilers whose runtime does not answer the decoder's questions itself.
const QUERY_SOURCE: &str = include_str!("../support/pgas_upc_query.upc");
/// The tool's UPC file for programs that may run on several nodes.
const CELLS_SOURCE: &str = include_str!("../support/pgas_upc_cells.upc");
/// Sources that report collective operations where the runtime does not: the UPC file, and the
/// headers by which calls get there.
const COLLECTIVES_SOURCES: [(&str, &str); 3] = [
    (
        COLLECTIVES_NAME,
        include_str!("../support/pgas_upc_collectives.upc"),
    ),
    (
        "headers/pgas_collectives.h",
        include_str!("../support/pgas_collectives.h"),
    ),
    (
        COLLECTIVES_HEADER,
        include_str!("../support/upc_collective.h"),
    ),
];
const COLLECTIVES_NAME: &str = "pgas_upc_collectives.upc";
const COLLECTIVES_HEADER: &str = "headers/upc_collective.h";
const HEADERS: &str = "headers";
/// Holds those headers of the instrumentation that the compiler does not have; there only if there
/// are any.
const OWN_HEADERS: &str = "own_headers";
/// There only if the compiler does not take that file; says what happened.
const COLLECTIVES_REFUSED: &str = "collectives_refused.txt";
const QUERY_NAME: &str = "pgas_upc_query.upc";
const CELLS_NAME: &str = "pgas_upc_cells.upc";
/// Programs of the embedded compiler run on one node, where there are no clocks to compare, or over
/// MPI, where the runtime itself has what is needed for it. For tests of programs on one node of comparisons, the variable that disguises threads as ones on other nodes gives them what
/// they need for it.
const TEST_CLOCKS: &str = "PGAS_TEST_CLOCKS";
const QUERY_HEADER: &str = "pgas_upc_query.h";
const DECODER_OBJECT: &str = "gasp_decoder.o";
const NOTE_OBJECT: &str = "pgas_info.o";

/// Sources of the decoder, and the recorder's interface.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// Text of `gasp_decoder.c`.
    pub decoder: &'a str,
    /// The headers that it includes beside those of the compiler, by name.
    pub headers: &'a [(&'a str, &'a str)],
    /// The names of the recorder's interface.
    pub recorder_exports: &'a [&'a str],
    /// The embedded runtime's headers, among them `gasp.h` and `pgas_upc_query.h`.
    pub runtime_include: &'a Path,
}

/// For which programs of a compiler something is made.
#[derive(Debug, Clone, Default)]
pub struct Purpose {
    /// Their fixed number of threads.
    pub threads: Option<u32>,
    /// The arguments that fix it, as this compiler takes them.
    pub threads_arguments: Vec<OsString>,
    /// Flags that all of their parts have: see [`crate::flavour::Table::configuration`].
    pub configuration: Vec<OsString>,
    /// They are the embedded compiler's, and over MPI.
    pub is_over_mpi: bool,
}

/// Why what a program is linked with beside its own objects cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum SupportError {
    /// The recorder's library is missing.
    #[error(
        "the recorder `{RECORDER}` is not in {}; build it with `cargo build --release \
         --workspace`, or say in PGAS_LIB_DIR where it is",
        list(looked_in)
    )]
    NoRecorder {
        /// The directories that were looked into.
        looked_in: Vec<PathBuf>,
    },
    /// The decoder is C.
    #[error(transparent)]
    NoCCompiler(#[from] NoCCompiler),
    /// The C compiler refused the text of a filter.
    #[error("the filter cannot be put into the program: {command} failed: {output}")]
    Filter {
        /// The command that failed.
        command: String,
        /// Its message.
        output: String,
    },
    /// A compiler refused the decoder.
    #[error("the event decoder cannot be compiled{attempts}")]
    Compile {
        /// The commands that failed, and what the compilers said.
        attempts: String,
    },
    /// The compiler works, but not when it is to instrument.
    #[error(
        "this {compiler} compiles programs but does not instrument them\n  command: {command}\n  \
         {output}"
    )]
    NoInstrumentation {
        /// Which one.
        compiler: &'static str,
        /// The command that failed.
        command: String,
        /// Output of the compiler.
        output: String,
        /// The remedy.
        remedy: &'static str,
    },
    /// The compiler does not even compile without instrumentation.
    #[error(
        "this {compiler} does not compile a small UPC file of the tool, with or without \
         instrumentation; does it compile any program?\n  command: {command}\n  {output}"
    )]
    Broken {
        /// Which one.
        compiler: &'static str,
        /// The command that failed.
        command: String,
        /// Output of the compiler.
        output: String,
    },
    /// An `mpicc` refused the runtime's part that is made with it.
    #[error(
        "what programs over MPI need of the MPI library cannot be compiled\n  command: {command}\n  \
         {output}\nDoes this mpicc compile any MPI program? --mpicc or MPICC names another one; a \
         program for one machine (-network=smp) needs none"
    )]
    Transport {
        /// The command that failed.
        command: String,
        /// Output of the compiler.
        output: String,
    },
    /// Wrappers that lead a model's calls to the recorder cannot be made.
    #[error(
        "what records the calls of {model} cannot be compiled\n  command: {command}\n  {output}"
    )]
    Wrappers {
        /// Name of the model.
        model: &'static str,
        /// The command that failed.
        command: String,
        /// Output of the compiler.
        output: String,
    },
    /// The cache cannot be used.
    #[error("cannot write {}: {error} (another directory can be named in PGAS_CACHE_DIR)", path.display())]
    Cache {
        /// The file or directory.
        path: PathBuf,
        /// From the system.
        error: io::Error,
    },
    /// A program of the tool's was compiled, and did not answer when it was started.
    #[error("{what} was compiled, but does not run\n  {output}")]
    NoAnswer {
        /// The program.
        what: &'static str,
        /// The command and its messages.
        output: String,
    },
    /// Others could change what is in the cache.
    #[error("nothing is linked from the cache: {0}")]
    Unsafe(#[from] Refusal),
    /// A program of the tool's own cannot be made.
    #[error("{what} cannot be compiled\n  command: {command}\n  {output}")]
    Program {
        /// The program, for people.
        what: &'static str,
        /// The command that failed.
        command: String,
        /// Output of the compiler.
        output: String,
    },
    /// A header of the runtime cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Header {
        /// The header.
        path: PathBuf,
        /// From the system.
        error: io::Error,
    },
}

impl SupportError {
    /// The remedy, where it is more than the message states.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            SupportError::NoInstrumentation { remedy, .. } => Some(remedy),
            _ => None,
        }
    }
}

/// Where the recorder's library is.
///
/// # Errors
/// If it is in none of the places for [`library`]; the message says where it was looked for.
pub fn recorder_library(tool_directory: &Path) -> Result<PathBuf, SupportError> {
    library(tool_directory, RECORDER).map_err(|looked_in| SupportError::NoRecorder { looked_in })
}

/// Where a library that belongs to the tool is: in `$PGAS_LIB_DIR` if that is set, else beside the
/// tool's executables (a build directory), else in `../lib/pgastool` (an installation).
///
/// # Errors
/// If it is in none of them: the directories that were looked into.
pub fn library(tool_directory: &Path, name: &str) -> Result<PathBuf, Vec<PathBuf>> {
    let looked_in = match std::env::var_os("PGAS_LIB_DIR").filter(|v| !v.is_empty()) {
        Some(directory) => vec![PathBuf::from(directory)],
        None => vec![
            tool_directory.to_path_buf(),
            tool_directory
                .parent()
                .unwrap_or(tool_directory)
                .join("lib/pgastool"),
        ],
    };
    looked_in
        .iter()
        .map(|directory| directory.join(name))
        .find(|path| path.is_file())
        .ok_or(looked_in)
}

/// Where an installation keeps what was made in advance for everybody, beside the recorder. `None`
/// where the tool is not installed but runs where it was built.
pub fn shared_shelf(tool_directory: &Path) -> Option<PathBuf> {
    let library = tool_directory.parent()?.join("lib/pgastool");
    library
        .join(RECORDER)
        .is_file()
        .then(|| library.join("made"))
}

/// Everything that a program of `compiler` is linked with to be measured.
///
/// # Errors
/// If the recorder is missing, [`prepare`] fails, or there is no place for what is made.
pub fn prepare_link(
    compiler: &Compiler,
    purpose: &Purpose,
    sources: &Sources,
    tool_directory: &Path,
    shelves: &Shelves,
) -> Result<Vec<OsString>, SupportError> {
    let recorder = recorder_library(tool_directory)?;
    let set = prepare(compiler, purpose, sources, shelves)?;
    let files = linked_files(compiler.flavour, purpose.is_over_mpi);
    let files: Vec<PathBuf> = files.iter().map(|name| set.join(name)).collect();
    let exports = sources.recorder_exports;
    let recorder = prelinked::recorder(&recorder, exports, &c_compiler()?, shelves)?;
    Ok(link_inputs(&files, &recorder))
}

/// Why programs are linked with the recorder's library as it is, which takes longer and makes them
/// larger: the linker cannot link it in advance. In its own words; `None` if it can, or was not
/// asked yet.
pub fn not_prelinked(
    sources: &Sources,
    tool_directory: &Path,
    shelves: &Shelves,
) -> Option<String> {
    let library = recorder_library(tool_directory).ok()?;
    let exports = sources.recorder_exports;
    prelinked::refused(&library, exports, &c_compiler().ok()?, shelves)
}

/// Makes what programs of `compiler` are linked with beside the recorder, unless it is there
/// already, and returns the directory. With it are the sources that it was made from, and a script
/// with the commands.
///
/// # Errors
/// If it cannot be made: the compiler does not instrument, the decoder cannot be compiled, or there
/// is no place for it.
pub fn prepare(
    compiler: &Compiler,
    purpose: &Purpose,
    sources: &Sources,
    shelves: &Shelves,
) -> Result<PathBuf, SupportError> {
    let c_compiler = c_compiler()?;
    // The embedded compiler leaves its own note, and its decoder depends neither on a number nor on
    // a configuration.
    let is_over_mpi = purpose.is_over_mpi;
    let none = Purpose::default();
    let purpose = match compiler.flavour {
        Flavour::Embedded => &none,
        _ => purpose,
    };
    let name = set_name(compiler, purpose, sources, &c_compiler)?;
    let files = linked_files(compiler.flavour, is_over_mpi);
    if let Some(set) = find(shelves, &name, &files) {
        return Ok(set);
    }

    let own = Trust::own().make_directory(&shelves.own)?;
    let set = own.join(name);
    let no_place = |error| SupportError::Cache {
        path: own.clone(),
        error,
    };
    let made = pgas_cache::aside(&own).map_err(no_place)?;
    let request = making::Request {
        compiler,
        c_compiler: &c_compiler,
        purpose,
        sources,
    };
    making::make(&request, made.path())?;
    put(made, &set, &files).map_err(|error| SupportError::Cache {
        path: set.clone(),
        error,
    })?;
    Ok(set)
}

/// The set `name` on the first of `shelves` where it is complete, and nobody else can have changed
/// it.
fn find(shelves: &Shelves, name: &str, files: &[&str]) -> Option<PathBuf> {
    let of_all = shelves.shared.iter().map(|shelf| {
        // Beside what was made for everybody is the recorder, which programs are linked with in any
        // case.
        let recorder = shelf.with_file_name(RECORDER);
        (shelf, Trust::own().and_owner_of(&recorder))
    });
    of_all
        .chain([(&shelves.own, Trust::own())])
        .find_map(|(shelf, trust)| {
            let set = trust.place(shelf).ok()?.join(name);
            pgas_cache::check(&trust, &set, files).ok()?;
            Some(set)
        })
}

/// Gives a set that was made aside its place.
fn put(made: tempfile::TempDir, set: &Path, files: &[&str]) -> io::Result<()> {
    pgas_cache::seal(made.path())?;
    pgas_cache::put(made, set, &|there| {
        pgas_cache::check(&Trust::own(), there, files).is_ok()
    })
}

/// Where in a set the headers are that must come before the compiler's own when the program is
/// compiled; `None` if there are none for this compiler.
pub fn headers_of(set: &Path, flavour: Flavour) -> Option<PathBuf> {
    flavour.table().wraps_collectives.then(|| set.join(HEADERS))
}

/// Where in a set the headers are that the compiler does not have and programs may include, to be
/// searched after all others; `None` if it has them.
pub fn own_headers_of(set: &Path, flavour: Flavour) -> Option<PathBuf> {
    // Berkeley UPC, which takes no such option, brings what programs include.
    let place = set.join(OWN_HEADERS);
    (flavour.table().wraps_collectives && place.is_dir()).then_some(place)
}

/// Why collective operations of programs that are linked with this set are not reported, in the
/// words of the compiler; `None` if they are.
pub fn collectives_refused(set: &Path) -> Option<String> {
    fs::read_to_string(set.join(COLLECTIVES_REFUSED)).ok()
}

/// Files of a set that go into a link, in this order.
fn linked_files(flavour: Flavour, is_over_mpi: bool) -> Vec<&'static str> {
    let mut files = vec![DECODER_OBJECT];
    if flavour != Flavour::Embedded {
        files.extend([NOTE_OBJECT, QUERY_NAME]);
    }
    if flavour.table().wraps_collectives {
        files.push(COLLECTIVES_NAME);
    }
    // The embedded compiler's runtime over MPI has some of its own.
    let is_disguised = std::env::var_os(TEST_CLOCKS).is_some();
    if !is_over_mpi && (flavour != Flavour::Embedded || is_disguised) {
        files.push(CELLS_NAME);
    }
    files
}

/// Differs whenever something else would be made.
fn set_name(
    compiler: &Compiler,
    purpose: &Purpose,
    sources: &Sources,
    c_compiler: &Path,
) -> Result<String, SupportError> {
    let mut key = Xxh3::new();
    let headers = sources.headers.iter().map(|&(_, text)| text);
    let version = env!("CARGO_PKG_VERSION");
    let texts = [sources.decoder, QUERY_SOURCE, CELLS_SOURCE, version];
    let collectives = COLLECTIVES_SOURCES.iter().map(|&(_, text)| text);
    let own = compiler.flavour.table().headers.iter();
    let own = own.map(|&(_, text)| text);
    for text in texts
        .into_iter()
        .chain(headers)
        .chain(collectives)
        .chain(own)
    {
        key.update(text.as_bytes());
        key.update(&[0]);
    }
    let own_headers = ["gasp.h", "gasp_upc.h", QUERY_HEADER];
    for name in own_headers {
        key.update(&read(&sources.runtime_include.join(name))?);
    }
    key.update(&identity(c_compiler));
    if compiler.flavour != Flavour::Embedded {
        key.update(&identity(&compiler.path));
        // The version that it prints changes with the loaded modules, where its executable is a
        // site's wrapper.
        key.update(compiler.version.as_bytes());
    }
    key.update(format!("{:?} {purpose:?}", compiler.flavour).as_bytes());
    Ok(format!("decoder-{:032x}", key.digest128()))
}

/// Enough of a compiler's executable to notice that it was replaced.
fn identity(program: &Path) -> Vec<u8> {
    let path = fs::canonicalize(program).unwrap_or_else(|_| program.to_path_buf());
    let state = fs::metadata(&path).map(|m| (m.len(), m.mtime(), m.mtime_nsec()));
    format!("{}\0{state:?}\0", path.display()).into_bytes()
}

fn read(path: &Path) -> Result<Vec<u8>, SupportError> {
    fs::read(path).map_err(|error| SupportError::Header {
        path: path.to_path_buf(),
        error,
    })
}

fn list(directories: &[PathBuf]) -> String {
    directories
        .iter()
        .map(|directory| directory.display().to_string())
        .collect::<Vec<_>>()
        .join(" or ")
}
