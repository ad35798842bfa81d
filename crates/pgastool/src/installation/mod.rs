//! Paths of the parts of this tool.

pub mod compiler;
pub mod machine;

use crate::failure::Failure;
use pgas_instrument::support::{Shelves, Sources, WrapperSources, shared_shelf};
use std::path::{Path, PathBuf};

/// Directory of this tool's executables.
pub fn directory() -> Result<PathBuf, Failure> {
    let executable = executable()?;
    Ok(executable
        .parent()
        .map_or_else(PathBuf::new, Path::to_path_buf))
}

/// This executable itself, also if it was started through a symbolic link.
pub fn executable() -> Result<PathBuf, Failure> {
    let path = std::env::current_exe()
        .map_err(|error| Failure::new(format!("cannot find this executable: {error}")))?;
    Ok(path.canonicalize().unwrap_or(path))
}

/// The embedded runtime's headers and library, and the cache directory that they are in.
pub fn runtime() -> Result<(pgas_upc_runtime::Paths, PathBuf), Failure> {
    let paths = pgas_upc_runtime::materialize()?;
    // <cache>/<files of one version>/include
    let cache = paths.include_dir.ancestors().nth(2);
    let cache = cache.map_or_else(std::env::temp_dir, Path::to_path_buf);
    Ok((paths, cache))
}

/// The embedded runtime's headers, and where what is made for compilers is kept.
pub fn workplace() -> Result<(pgas_upc_runtime::Paths, Shelves), Failure> {
    let (runtime, first) = runtime()?;
    let shelves = Shelves::of(first, shared_shelf(&directory()?));
    Ok((runtime, shelves))
}

/// Sources of the event decoder.
pub fn decoder_sources(runtime: &pgas_upc_runtime::Paths) -> Sources<'_> {
    Sources {
        decoder: pgas_measure::sources::GASP_DECODER_C,
        headers: pgas_measure::sources::HEADERS,
        recorder_exports: pgas_measure::sources::EXPORTS,
        runtime_include: &runtime.include_dir,
    }
}

/// Sources of the wrappers of other models than UPC.
pub fn wrapper_sources() -> WrapperSources<'static> {
    WrapperSources {
        openshmem: pgas_measure::wrappers::OPENSHMEM,
        coarrays: pgas_measure::wrappers::COARRAYS,
        mpi: pgas_measure::wrappers::MPI,
        coarray_options: pgas_measure::wrappers::COARRAY_OPTIONS,
        jump_options: pgas_measure::wrappers::JUMP_OPTIONS,
        interface: pgas_measure::wrappers::INTERFACE,
        recorder_exports: pgas_measure::sources::EXPORTS,
    }
}

/// The pattern reference as a page, if this tool is installed with it.
pub fn reference() -> Option<PathBuf> {
    let page = directory()
        .ok()?
        .parent()?
        .join("share/doc/pgastool/patterns.html");
    page.is_file().then_some(page)
}
