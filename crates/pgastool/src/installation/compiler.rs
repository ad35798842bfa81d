//! Choice of the compiler.

use crate::failure::Failure;
use pgas_instrument::compiler::{Choice, Compiler, CompilerError};
use pgas_instrument::support::{AnyCompiler, recognise};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The compiler that a user names.
pub fn chosen(name: &OsStr, directory: &Path) -> Result<Compiler, Failure> {
    Compiler::choose(&Choice::parse(name), directory).map_err(|error| {
        let advice = matches!(
            error,
            CompilerError::NotFound { .. } | CompilerError::Unknown { .. }
        );
        let failure = Failure::from(error);
        if advice {
            failure.help(
                "`--upcc embedded` uses the compiler that belongs to pgastool; compilers of \
                 OpenSHMEM and of coarrays are written first, as in `pgastool compile oshcc -O2 -o \
                 prog prog.c`",
            )
        } else {
            failure
        }
    })
}

/// Asks the compiler at `path` what it is; `rest` are the other words of its command.
///
/// # Errors
/// If it is for no model that this tool knows.
pub fn named(path: &Path, rest: &[OsString]) -> Result<AnyCompiler, Failure> {
    let shelves = super::workplace()?.1;
    let mut upc = None;
    let is_upc = || upc.insert(Compiler::ask(path)).is_ok();
    match recognise(path, rest, &shelves, is_upc) {
        Some(compiler) => Ok(AnyCompiler::Other(compiler)),
        None => match upc.unwrap_or_else(|| Compiler::ask(path)) {
            Ok(compiler) => Ok(AnyCompiler::Upc(compiler)),
            Err(error) => Err(refused(path, error)),
        },
    }
}

fn refused(path: &Path, unknown: CompilerError) -> Failure {
    let answer = match unknown {
        CompilerError::Unknown { answer, .. } => answer,
        error => return error.into(),
    };
    Failure::new(format!(
        "`{}` compiles no programs that pgastool can measure: it is not a UPC compiler that \
         pgastool knows, no program that calls shmem_init or MPI_Init can be made with it and these \
         options, and it does not make calls of a library of coarrays; asked for its version, it said: \
         {answer}",
        path.display()
    ))
    .help(
        "programs of OpenSHMEM and MPI are compiled by their wrappers (oshcc, mpicc, mpifort) or \
         with the options for header and library, coarrays by caf of OpenCoarrays or with -fcoarray=lib and its library; \
         without a compiler, as in `pgastool compile -O2 prog.upc`, it is UPC",
    )
}
