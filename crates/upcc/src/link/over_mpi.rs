//! Parts that programs over MPI are linked with: the compiler of the MPI at hand, and the part of
//! the runtime that is compiled with it.

use std::path::{Path, PathBuf};

use pgas_instrument::mpi::Mpicc;
use pgas_instrument::support::{Shelves, shared_shelf, transport};
use pgas_upc_runtime::Paths;

use crate::Error;
use crate::request::Request;
use crate::toolchain::Toolchain;

/// The MPI side of a link.
pub struct OverMpi {
    /// The command in the place of the C compiler.
    pub mpicc: Mpicc,
    /// The runtime's part that calls MPI.
    pub transport: PathBuf,
}

impl OverMpi {
    /// Finds the compiler and makes the object, unless it was made before.
    pub fn prepare(
        request: &Request,
        toolchain: &Toolchain,
        runtime: &Paths,
    ) -> Result<Self, Error> {
        let mpicc = Mpicc::find(request.mpicc.as_deref(), toolchain.compiler())?;
        let made = transport(
            &mpicc,
            &runtime.mpi_transport,
            &shelves(runtime),
            toolchain.dry_run(),
        )?;
        if let Some(command) = &made.made_by {
            toolchain.show(command);
        }
        Ok(OverMpi {
            mpicc,
            transport: made.object,
        })
    }

    /// The path of the compiler, as a note can hold it.
    pub fn noted(&self) -> Option<&str> {
        let path = self.mpicc.path.to_str()?;
        (!path.contains([';', '\n', '\0'])).then_some(path)
    }
}

fn shelves(runtime: &Paths) -> Shelves {
    // <cache>/<files of one version>/include
    let cache = runtime.include_dir.ancestors().nth(2);
    let cache = cache.map_or_else(std::env::temp_dir, Path::to_path_buf);
    let own = std::env::current_exe().and_then(|path| path.canonicalize());
    let installation = own.ok().and_then(|path| shared_shelf(path.parent()?));
    Shelves::of(cache, installation)
}
