//! Headers and the runtime library of programs that the embedded UPC compiler compiles.
//!
//! Both are carried in this crate as bytes. [`materialize`] writes them into a cache directory,
//! once for each version, and says where they are. `LOWERING.md` beside this crate's sources is the
//! contract with the compiler; the runtime itself is C, in `src/c`.

use std::io;
use std::path::{Path, PathBuf};

mod installing;

use pgas_cache::{Refusal, cache_dirs};

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/files.rs"));
}

/// Where the headers and the library are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// Directory for `-isystem`: what UPC programs include, `pgas_upcr.h` for generated code, and
    /// `gasp.h`, `gasp_upc.h`, `pgas_upc_query.h` in plain C for performance tools.
    pub include_dir: PathBuf,
    /// Directory with the one header that programs of all languages may include, `pgas_metrics.h`.
    pub user_dir: PathBuf,
    /// Archive that every program for one machine is linked with, after the program's own objects.
    pub archive: PathBuf,
    /// The same for programs over MPI.
    pub mpi_archive: PathBuf,
    /// The part of these programs that the `mpicc` at hand compiles: `transport.c`, with the header
    /// that it includes beside it. Its object is linked together with `mpi_archive`.
    pub mpi_transport: PathBuf,
}

/// Writes headers and library into the cache unless they are there already.
///
/// The first directory of [`cache_dirs`] that can be written to is taken. Several processes may do
/// this at once.
///
/// # Errors
/// When none of the directories can be used; the message names each with its reason. When others
/// can write to the one that `PGAS_CACHE_DIR` names, or it belongs to somebody else.
pub fn materialize() -> io::Result<Paths> {
    let mut reasons = Vec::new();
    for place in cache_dirs() {
        match materialize_in(&place.path) {
            Ok(paths) => return Ok(paths),
            Err(refusal @ Refusal::Unsafe { .. }) if place.named => {
                return Err(io::Error::other(format!(
                    "the cache of PGAS_CACHE_DIR is not used: {refusal}"
                )));
            }
            Err(refusal) => reasons.push(refusal.to_string()),
        }
    }
    Err(io::Error::other(format!(
        "found no directory for the files of the UPC runtime ({}); set PGAS_CACHE_DIR to one that \
         can be written to",
        reasons.join("; ")
    )))
}

/// Like [`materialize`], in a cache directory of the caller's choice, which is created if need be.
///
/// # Errors
/// If the directory cannot be read or written, or if somebody else could have written there.
pub fn materialize_in(dir: &Path) -> Result<Paths, Refusal> {
    let root = installing::install(
        dir,
        &format!("upc-runtime-{}", embedded::HASH),
        embedded::FILES,
    )?;
    Ok(Paths {
        include_dir: root.join("include"),
        user_dir: root.join("user"),
        archive: root.join("lib/libpgas_upcr.a"),
        mpi_archive: root.join("lib/libpgas_upcr_mpi.a"),
        mpi_transport: root.join("transport/transport.c"),
    })
}
