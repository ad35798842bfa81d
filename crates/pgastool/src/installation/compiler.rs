//! Choice of the UPC compiler.

use crate::failure::Failure;
use pgas_instrument::compiler::{Choice, Compiler, CompilerError};
use std::ffi::OsStr;
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
