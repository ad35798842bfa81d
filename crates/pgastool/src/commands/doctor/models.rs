//! Compilers of other models than UPC, under their usual names: whether a program can be made with
//! them for recording, and runs.

use super::Check;
use super::toolchain::succeed;
use crate::installation;
use crate::launch::over_mpi::of_model;
use pgas_instrument::model::command::{Options, plan};
use pgas_instrument::model::{Model, ModelCompiler};
use pgas_instrument::support::{Shelves, prepare_wrappers, recognise};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// A model's compiler, as machines usually call it, and a small program.
struct Usual {
    model: Model,
    name: &'static str,
    compiler: &'static str,
    file: &'static str,
    program: &'static str,
    without: &'static str,
}

const ALL: [Usual; 4] = [
    Usual {
        model: Model::OpenShmem,
        name: "OpenSHMEM",
        compiler: "oshcc",
        file: "trial.c",
        program: "#include <shmem.h>\nint main(void) {\n  shmem_init();\n  shmem_barrier_all();\n  \
                  shmem_finalize();\n  return 0;\n}\n",
        without: "no oshcc, which programs of OpenSHMEM are compiled by (Debian, Ubuntu: \
                  openmpi-bin and libopenmpi-dev)",
    },
    Usual {
        model: Model::OpenShmem,
        name: "OpenSHMEM in Fortran",
        compiler: "oshfort",
        file: "trial.f90",
        program: "program trial\n  interface\n    subroutine shmem_init() bind(C)\n    end \
                  subroutine\n    subroutine shmem_barrier_all() bind(C)\n    end subroutine\n    \
                  subroutine shmem_finalize() bind(C)\n    end subroutine\n  end interface\n  \
                  call shmem_init()\n  call shmem_barrier_all()\n  call shmem_finalize()\nend \
                  program\n",
        without: "no oshfort, which programs of OpenSHMEM in Fortran are compiled by (Debian, \
                  Ubuntu: openmpi-bin, libopenmpi-dev and gfortran)",
    },
    Usual {
        model: Model::Coarrays,
        name: "coarrays",
        compiler: "caf",
        file: "trial.f90",
        program: "program trial\n  sync all\nend program\n",
        without: "no caf, which Fortran programs with coarrays are compiled by (Debian, Ubuntu: \
                  libcoarrays-openmpi-dev)",
    },
    Usual {
        model: Model::Mpi,
        name: "MPI",
        compiler: "mpicc",
        file: "trial.c",
        program: "#include <mpi.h>\nint main(int n, char **words) {\n  MPI_Init(&n, &words);\n  \
                  MPI_Barrier(MPI_COMM_WORLD);\n  MPI_Finalize();\n  return 0;\n}\n",
        without: "no mpicc, which programs of MPI are compiled by (Debian, Ubuntu: \
                  libopenmpi-dev or libmpich-dev)",
    },
];

/// A compiler that is not there is no failure.
pub(super) fn checks() -> Vec<Check> {
    ALL.iter().map(check).collect()
}

fn check(usual: &Usual) -> Check {
    let Ok(path) = which::which(usual.compiler) else {
        return Check::ok(usual.name, usual.without);
    };
    let Ok((_, shelves)) = installation::workplace() else {
        return Check::ok(usual.name, "unknown without a place to keep files");
    };
    let compiler = recognise(&path, &[], &shelves, || false);
    let Some(compiler) = compiler.filter(|compiler| compiler.model == usual.model) else {
        return Check::warning(
            usual.name,
            format!("{} makes no program of {}", path.display(), usual.name),
            "see whether it compiles any program, and whether a module is to be loaded",
        );
    };
    let found = format!("{} ({})", path.display(), compiler.version);
    let launcher = of_model(usual.model, compiler.mpi.as_deref());
    match try_it(usual, &compiler, &launcher, &shelves) {
        Ok(None) => Check::ok(
            usual.name,
            format!("{found}; a program of two processes runs, started by {launcher}"),
        ),
        Ok(Some(why)) => Check::warning(
            usual.name,
            format!("{found}; without {WITHOUT_HOOKS}=0, programs fail, recorded or not: {why}"),
            format!("export {WITHOUT_HOOKS}=0"),
        ),
        Err(why) => Check::warning(
            usual.name,
            format!("{found}; a small program does not work: {why}"),
            format!(
                "see whether a program that {} has compiled without pgastool runs here",
                usual.compiler
            ),
        ),
    }
}

/// Keeps UCX from changing `munmap`, after which programs of some builds of Open MPI's OpenSHMEM
/// crash at their end.
const WITHOUT_HOOKS: &str = "OMPI_MCA_opal_common_ucx_opal_mem_hooks";

/// Makes a program and runs it; returns what happened if it runs only without those changes.
fn try_it(
    usual: &Usual,
    compiler: &ModelCompiler,
    launcher: &str,
    shelves: &Shelves,
) -> Result<Option<String>, String> {
    let directory = installation::directory().map_err(|failure| failure.message)?;
    let sources = installation::wrapper_sources();
    let wrappers = prepare_wrappers(compiler, &[], &sources, &directory, shelves);
    let wrappers = wrappers.map_err(|error| error.to_string())?;
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = scratch.path().join(usual.file);
    let program = scratch.path().join("trial");
    std::fs::write(&source, usual.program).map_err(|error| error.to_string())?;
    let arguments: [OsString; 3] = ["-o".into(), program.clone().into(), source.into()];
    let options = Options::default();
    let command = plan(compiler, options, &arguments, &wrappers.link_inputs);
    succeed(Command::new(&command[0]).args(&command[1..]))?;
    match run(launcher, &program, &[]) {
        Ok(()) => Ok(None),
        Err(why) => match run(launcher, &program, &[(WITHOUT_HOOKS, "0")]) {
            Ok(()) => Ok(Some(why)),
            Err(_) => Err(why),
        },
    }
}

fn run(launcher: &str, program: &Path, variables: &[(&str, &str)]) -> Result<(), String> {
    let mut run = Command::new(launcher);
    run.args(["-n", "2"])
        .arg(program)
        // Containers have one user and few cores.
        .envs([
            ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
            ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
            ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        ])
        .envs(variables.iter().copied())
        .env_remove(pgas_measure::settings::EXPERIMENT);
    succeed(&mut run).map(|_| ())
}
