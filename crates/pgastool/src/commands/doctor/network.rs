//! Networks for programs of the embedded compiler: one machine always works, several nodes take an
//! MPI.

use super::Check;
use crate::installation;
use pgas_instrument::compiler::c_compiler;
use pgas_instrument::mpi::{Mpicc, VARIABLE, launcher_beside};
use pgas_instrument::support::transport;
use std::path::PathBuf;

const NAME: &str = "network";

/// An MPI that is not there is no failure.
pub(super) fn check() -> Check {
    let Ok(c_compiler) = c_compiler() else {
        return Check::ok(NAME, "unknown without C compiler");
    };
    let mpicc = match Mpicc::find(None, &c_compiler) {
        Ok(mpicc) => mpicc,
        Err(_) => return without_mpi(),
    };
    let library = mpicc.library();
    let library = library.unwrap_or_else(|| "does not say its version".to_string());
    let found = format!("one machine, and MPI: {} ({library})", mpicc.path.display());
    if let Err(why) = compiles(&mpicc) {
        return Check::warning(
            NAME,
            format!("{found}, which does not work: {why}"),
            "name the mpicc of another MPI in MPICC; programs for one machine need none",
        );
    }
    match launcher_beside(&mpicc.path) {
        Ok(launcher) => Check::ok(NAME, format!("{found}, started by {}", launcher.display())),
        Err(error) => Check::warning(
            NAME,
            format!("{found}; {error}"),
            "install it (Debian, Ubuntu: openmpi-bin or mpich), unless the batch system starts \
             programs, as srun does",
        ),
    }
}

fn without_mpi() -> Check {
    match std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        Some(named) => Check::warning(
            NAME,
            format!(
                "one machine; {VARIABLE}={} is not there",
                named.to_string_lossy()
            ),
            format!("correct {VARIABLE} or take it out of the environment"),
        ),
        None => Check::ok(
            NAME,
            "one machine; no mpicc, which programs for several nodes (--network mpi) are linked by",
        ),
    }
}

/// Whether the runtime's part that calls MPI can be compiled; it is kept for the first program.
fn compiles(mpicc: &Mpicc) -> Result<PathBuf, String> {
    let (runtime, shelves) = installation::workplace().map_err(|failure| failure.message)?;
    let made = transport(mpicc, &runtime.mpi_transport, &shelves, false);
    made.map(|transport| transport.object)
        .map_err(|error| error.to_string())
}
