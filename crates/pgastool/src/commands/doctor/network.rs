//! Networks for programs of the embedded compiler: one machine always works, several nodes take an
//! MPI.

use super::Check;
use super::toolchain::succeed;
use crate::installation;
use pgas_instrument::compiler::c_compiler;
use pgas_instrument::mpi::{Mpicc, VARIABLE, launcher_beside};
use pgas_instrument::support::transport;
use std::path::{Path, PathBuf};
use std::process::Command;

const NAME: &str = "network";

/// An MPI that is not there is no failure.
pub(super) fn checks() -> Vec<Check> {
    let Ok(c_compiler) = c_compiler() else {
        return vec![Check::ok(NAME, "unknown without C compiler")];
    };
    let mpicc = match Mpicc::find(None, &c_compiler) {
        Ok(mpicc) => mpicc,
        Err(_) => return vec![without_mpi()],
    };
    let library = mpicc.library();
    let library = library.unwrap_or_else(|| "does not say its version".to_string());
    let found = format!("one machine, and MPI: {} ({library})", mpicc.path.display());
    if let Err(why) = compiles(&mpicc) {
        return vec![Check::warning(
            NAME,
            format!("{found}, which does not work: {why}"),
            "name the mpicc of another MPI in MPICC; programs for one machine need none",
        )];
    }
    match launcher_beside(&mpicc.path) {
        Ok(launcher) => vec![
            Check::ok(NAME, format!("{found}, started by {}", launcher.display())),
            far_data(&mpicc, &launcher),
        ],
        Err(error) => vec![Check::warning(
            NAME,
            format!("{found}; {error}"),
            "install it (Debian, Ubuntu: openmpi-bin or mpich), unless the batch system starts \
             programs, as srun does",
        )],
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

/// How data of other nodes is accessed, and what two processes of this machine find that share no
/// memory, or in a job those that its launcher starts.
fn far_data(mpicc: &Mpicc, launcher: &Path) -> Check {
    const NAME: &str = "other nodes' data";
    match try_one_sided(mpicc, launcher) {
        Ok((true, figures)) => Check::ok(
            NAME,
            format!(
                "by messages; one-sided operations of this MPI work here, too: {figures} \
                 (PGAS_ONE_SIDED=1 uses them)"
            ),
        ),
        Ok((false, why)) => Check::ok(
            NAME,
            format!("by messages, not by one-sided operations of this MPI: {why}"),
        ),
        Err(why) => Check::warning(
            NAME,
            format!("a program over MPI does not run: {why}"),
            "see whether the launcher starts other programs of MPI here",
        ),
    }
}

/// Whether one-sided operations work, with their figures, or why not.
fn try_one_sided(mpicc: &Mpicc, launcher: &Path) -> Result<(bool, String), String> {
    let directory = installation::directory().map_err(|failure| failure.message)?;
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = scratch.path().join("probe.upc");
    let program = scratch.path().join("probe");
    std::fs::write(&source, "int main(void) { return 0; }\n").map_err(|error| error.to_string())?;
    let mut compile = Command::new(directory.join("pgas-upcc"));
    compile
        .arg("-network=mpi")
        .arg(format!("-mpicc={}", mpicc.path.display()))
        .arg("-o")
        .args([&program, &source]);
    succeed(&mut compile)?;
    let mut run = Command::new(launcher);
    run.args(["-n", "2"])
        .arg(&program)
        .envs([("PGAS_NODE_SIZE", "1"), ("PGAS_ONE_SIDED", "say")])
        // Containers have one user and few cores.
        .envs([
            ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
            ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
            ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        ])
        .env_remove("PGAS_THREADS");
    let output = succeed(&mut run)?;
    let said = String::from_utf8_lossy(&output.stderr);
    let sentences = said
        .lines()
        .filter_map(|line| line.split_once("PGAS_ONE_SIDED: "));
    let results = sentences.filter_map(|(_, sentence)| {
        let works = !sentence.starts_with("messages");
        let mark = if works { "are used: " } else { "): " };
        Some((works, sentence.rsplit_once(mark)?.1.to_owned()))
    });
    let mut results: Vec<_> = results.collect();
    results
        .pop()
        .ok_or_else(|| format!("it said '{}'", said.trim()))
}

/// Whether the runtime's part that calls MPI can be compiled; it is kept for the first program.
fn compiles(mpicc: &Mpicc) -> Result<PathBuf, String> {
    let (runtime, shelves) = installation::workplace().map_err(|failure| failure.message)?;
    let made = transport(mpicc, &runtime.mpi_transport, &shelves, false);
    made.map(|transport| transport.object)
        .map_err(|error| error.to_string())
}
