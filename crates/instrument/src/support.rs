//! The files of the tool itself that go into a measured program: the recorder's library, found beside the tool, and
//! the event decoder, compiled on demand against the headers of the compiler at hand and kept in a cache.

use crate::command::{link_inputs, shown};
use crate::compiler::{c_compiler, Compiler, NoCCompiler};
use crate::flavour::Flavour;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use xxhash_rust::xxh3::Xxh3;

/// File name of the recorder's library.
pub const RECORDER: &str = "libpgas_measure.a";

/// The tool's UPC file for compilers whose runtime does not answer the decoder's questions itself.
const QUERY_SOURCE: &str = include_str!("../support/pgas_upc_query.upc");
/// The tool's UPC file for programs that may run on several nodes.
const CELLS_SOURCE: &str = include_str!("../support/pgas_upc_cells.upc");
const QUERY_NAME: &str = "pgas_upc_query.upc";
const CELLS_NAME: &str = "pgas_upc_cells.upc";
/// Programs of the embedded compiler run on one node, where there are no clocks to compare. For tests of comparisons, the
/// variable that disguises threads as ones on other nodes gives them what they need for it.
const TEST_CLOCKS: &str = "PGAS_TEST_CLOCKS";
const QUERY_HEADER: &str = "pgas_upc_query.h";
const DECODER_OBJECT: &str = "gasp_decoder.o";

/// What the decoder is made from.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// Text of `gasp_decoder.c`.
    pub decoder: &'a str,
    /// The headers that it includes beside those of the compiler, by name.
    pub headers: &'a [(&'a str, &'a str)],
    /// The embedded runtime's headers, among them `gasp.h` and `pgas_upc_query.h`.
    pub runtime_include: &'a Path,
}

/// Why a measured program cannot be linked.
#[derive(Debug, thiserror::Error)]
pub enum SupportError {
    /// The recorder's library is missing.
    #[error(
        "the recorder `{RECORDER}` is not in {}; build it with `cargo build --release --workspace`, or say in \
         PGAS_LIB_DIR where it is", list(looked_in)
    )]
    NoRecorder {
        /// The directories that were looked into.
        looked_in: Vec<PathBuf>,
    },
    /// The decoder is C.
    #[error(transparent)]
    NoCCompiler(#[from] NoCCompiler),
    /// A compiler refused the decoder.
    #[error("the event decoder cannot be compiled\n  command: {command}\n  {output}")]
    Compile {
        /// The command that failed.
        command: String,
        /// What the compiler said.
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
    /// A header of the runtime cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Header {
        /// The header.
        path: PathBuf,
        /// From the system.
        error: io::Error,
    },
}

/// Where the recorder's library is: in `$PGAS_LIB_DIR` if that is set, else beside the tool's executables (a build
/// directory), else in `../lib/pgastool` (an installation).
///
/// # Errors
/// If it is in none of them; the message says where it was looked for.
pub fn recorder_library(tool_directory: &Path) -> Result<PathBuf, SupportError> {
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
        .map(|directory| directory.join(RECORDER))
        .find(|path| path.is_file())
        .ok_or(SupportError::NoRecorder { looked_in })
}

/// Everything that a program of `compiler` is linked with to be measured. `threads` is its fixed number of threads;
/// `cache` is a directory where compiled files may stay.
///
/// # Errors
/// If the recorder is missing or the decoder cannot be compiled.
pub fn prepare_link(
    compiler: &Compiler,
    threads: Option<u32>,
    sources: &Sources,
    tool_directory: &Path,
    cache: &Path,
) -> Result<Vec<OsString>, SupportError> {
    let recorder = recorder_library(tool_directory)?;
    let objects = decoder(compiler, threads, sources, cache)?;
    Ok(link_inputs(&objects, &recorder))
}

/// The decoder's object, and the other files that a program of `compiler` needs with it.
fn decoder(
    compiler: &Compiler,
    threads: Option<u32>,
    sources: &Sources,
    cache: &Path,
) -> Result<Vec<PathBuf>, SupportError> {
    let c_compiler = c_compiler()?;
    let embedded = compiler.flavour == Flavour::Embedded;
    // The decoder does not depend on the number; only the objects of other compilers are made for one.
    let threads = threads.filter(|_| !embedded);
    // The embedded runtime is C and brings its headers; other compilers know best where theirs are.
    let decoder_compiler = if embedded {
        &c_compiler
    } else {
        &compiler.path
    };
    let own_headers =
        ["gasp.h", "gasp_upc.h", QUERY_HEADER].map(|name| sources.runtime_include.join(name));
    let mut key = Xxh3::new();
    let headers = sources.headers.iter().map(|&(_, text)| text);
    let version = env!("CARGO_PKG_VERSION");
    let texts = [sources.decoder, QUERY_SOURCE, CELLS_SOURCE, version];
    for text in texts.into_iter().chain(headers) {
        key.update(text.as_bytes());
        key.update(&[0]);
    }
    for header in &own_headers {
        key.update(&read(header)?);
    }
    for program in [&c_compiler, decoder_compiler] {
        key.update(&identity(program));
    }
    key.update(format!("{:?} {threads:?}", compiler.flavour).as_bytes());
    let directory = cache.join(format!("decoder-{:032x}", key.digest128()));

    let mut files = vec![directory.join(DECODER_OBJECT)];
    if !embedded {
        files.push(directory.join("pgas_info.o"));
        files.push(directory.join(QUERY_NAME));
    }
    if !embedded || std::env::var_os(TEST_CLOCKS).is_some() {
        files.push(directory.join(CELLS_NAME));
    }
    if files.iter().all(|file| file.is_file()) {
        return Ok(files);
    }

    let cannot_write = |path: &Path| {
        let path = path.to_path_buf();
        move |error| SupportError::Cache { path, error }
    };
    fs::create_dir_all(cache).map_err(cannot_write(cache))?;
    let building = tempfile::Builder::new()
        .prefix("decoder-")
        .suffix(".pgas-tmp")
        .tempdir_in(cache)
        .map_err(cannot_write(cache))?;
    let write = |name: &str, content: &[u8]| {
        let path = building.path().join(name);
        fs::write(&path, content).map_err(cannot_write(&path))?;
        Ok::<_, SupportError>(path)
    };
    let source = write("gasp_decoder.c", sources.decoder.as_bytes())?;
    for (name, text) in sources.headers {
        write(name, text.as_bytes())?;
    }
    write(CELLS_NAME, CELLS_SOURCE.as_bytes())?;
    let mut arguments: Vec<OsString> = ["-c", "-O2", "-I"].map(OsString::from).into();
    arguments.push(building.path().into());
    if embedded {
        arguments.extend(["-fPIC", "-I"].map(OsString::from));
        arguments.push(sources.runtime_include.into());
    } else {
        write(QUERY_NAME, QUERY_SOURCE.as_bytes())?;
        write(
            QUERY_HEADER,
            &read(&sources.runtime_include.join(QUERY_HEADER))?,
        )?;
        let note = note_source(compiler.flavour, threads);
        let note = write("pgas_info.c", note.as_bytes())?;
        let object = building.path().join("pgas_info.o");
        compile(&c_compiler, &["-c".into()], &note, &object)?;
        if let Some(threads) = threads {
            let flags = compiler.flavour.threads_arguments(threads);
            arguments.extend(flags.into_iter().map(OsString::from));
        }
    }
    compile(
        decoder_compiler,
        &arguments,
        &source,
        &building.path().join(DECODER_OBJECT),
    )?;

    match fs::rename(building.path(), &directory) {
        Ok(()) => {}
        // Somebody else was faster with the same content.
        Err(_) if files.iter().all(|file| file.is_file()) => {}
        Err(error) => return Err(cannot_write(&directory)(error)),
    }
    Ok(files)
}

/// The note that `pgastool run` looks for, for programs of compilers that leave none.
fn note_source(flavour: Flavour, threads: Option<u32>) -> String {
    format!(
        "__attribute__((section(\"{}\"), used)) static const char note[] =\n  \
         \"compiler={};threads={};instrumented=yes;\";\n",
        crate::program::SECTION,
        flavour.table().id,
        threads.map_or("dynamic".to_string(), |n| n.to_string()),
    )
}

fn compile(
    compiler: &Path,
    arguments: &[OsString],
    source: &Path,
    object: &Path,
) -> Result<(), SupportError> {
    let mut command: Vec<OsString> = vec![compiler.into()];
    command.extend_from_slice(arguments);
    command.extend(["-o".into(), object.into(), source.into()]);
    let failed = |output: String| SupportError::Compile {
        command: shown(&command),
        output: output.trim().replace('\n', "\n  "),
    };
    let output = Command::new(compiler)
        .args(&command[1..])
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(failed(format!(
            "{}\n{}",
            String::from_utf8_lossy(&output.stderr),
            output.status
        )))
    }
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
