//! Programs of OpenSHMEM and of coarrays, which run over MPI: whether this machine has their
//! compilers, and runs them.

#![allow(dead_code)] // each test file uses its own part

use std::process::Command;

use crate::not_tested::not_tested;

/// Variables with which Open MPI works in a container.
pub const CONTAINER: [(&str, &str); 4] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
    // Where UCX changes munmap, programs of Debian's OpenSHMEM crash at their end.
    ("OMPI_MCA_opal_common_ucx_opal_mem_hooks", "0"),
];

/// The launcher of a compiler's MPI; where a system has several, their commands end alike
/// (`mpicc.mpich`, `mpirun.mpich`).
fn launcher(compiler: &str) -> String {
    match compiler.rsplit_once('.') {
        Some((_, mpi)) => format!("mpirun.{mpi}"),
        None => "mpirun".to_owned(),
    }
}

pub fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Whether this machine has the compiler; says what is not tested without it.
pub fn has(compiler: &str) -> bool {
    let launcher = launcher(compiler);
    let found = is_there(compiler) && is_there(&launcher);
    if !found {
        not_tested(&format!(
            "programs of {compiler}: it is not installed with {launcher}"
        ));
    }
    found
}

/// Whether programs of the compiler run on this machine by themselves; says what is not tested where
/// they do not. `compile` makes `program`, in the directory that it is started in.
pub fn runs(compiler: &str, compile: &mut Command, program: &str) -> bool {
    if !has(compiler) {
        return false;
    }
    let compiled = compile.output().expect("the compiler starts");
    assert!(compiled.status.success(), "{compiled:?}");
    let mut run = Command::new(launcher(compiler));
    run.args(["-np", "4", program]).envs(CONTAINER);
    if let Some(directory) = compile.get_current_dir() {
        run.current_dir(directory);
    }
    let run = run.output().expect("the launcher starts");
    if !run.status.success() {
        let why = String::from_utf8_lossy(&run.stderr);
        let why = why.lines().find(|line| !line.is_empty());
        not_tested(&format!(
            "programs of {compiler}: they do not run here: {}",
            why.unwrap_or("no message")
        ));
    }
    run.status.success()
}
