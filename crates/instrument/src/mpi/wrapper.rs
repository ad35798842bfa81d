//! Compilers that stand for others: those of an MPI print the command that they call.

use super::settled;
use pgas_base::helper;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compilers that call each other at most.
const MOST: usize = 4;

/// The commands behind a compiler.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Behind {
    /// The last compiler that stands for another one: that of the MPI, whichever wrapper of the
    /// model calls it.
    pub mpi: Option<PathBuf>,
    /// All that they say, which changes when others are called.
    pub shown: String,
}

impl Behind {
    /// Asks `compiler`, and what it calls.
    pub fn of(compiler: &Path) -> Self {
        let mut found = Self::default();
        let mut next = compiler.to_path_buf();
        for _ in 0..MOST {
            let Some((command, called)) = called_by(&next) else {
                break;
            };
            found.shown += &command;
            found.mpi = Some(settled(&next));
            next = called;
        }
        found
    }
}

/// The command that `compiler` stands for, and the program in it. `-show` is MPICH's spelling,
/// which Open MPI and OpenCoarrays understand, too.
fn called_by(compiler: &Path) -> Option<(String, PathBuf)> {
    let answered = helper::output(Command::new(compiler).arg("-show"), helper::QUESTION).ok()?;
    let text = String::from_utf8_lossy(&answered.stdout).into_owned();
    let called = which::which(text.split_whitespace().next()?).ok()?;
    let is_other = called != compiler;
    (answered.status.success() && is_other).then_some((text, called))
}
