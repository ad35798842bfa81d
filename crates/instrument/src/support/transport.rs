//! The part of the embedded runtime that is compiled against the MPI at hand: its object, made by
//! the site's `mpicc` once and kept.

use super::workshop::Workshop;
use super::{Shelves, SupportError, find, identity, put, read};
use crate::mpi::Mpicc;
use pgas_base::shell::shown;
use pgas_cache::Trust;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

const SOURCE: &str = "transport.c";
const HEADER: &str = "transport.h";
const OBJECT: &str = "transport.o";
const FLAGS: [&str; 4] = ["-O2", "-fPIC", "-std=gnu11", "-Wall"];

/// The object, and the command that makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transport {
    /// Where it is, or is to be.
    pub object: PathBuf,
    /// The command, as a shell takes it; `None` if the object is there already.
    pub made_by: Option<String>,
}

/// The object of `source`, which has its header beside it, for programs that `mpicc` links. It is
/// made unless it is there, or `only_show` is set.
///
/// # Errors
/// If it cannot be compiled, with the compiler's messages; if there is no place for it.
pub fn transport(
    mpicc: &Mpicc,
    source: &Path,
    shelves: &Shelves,
    only_show: bool,
) -> Result<Transport, SupportError> {
    let texts = [
        (SOURCE, read(source)?),
        (HEADER, read(&source.with_file_name(HEADER))?),
    ];
    let name = set_name(mpicc, &texts);
    if let Some(set) = find(shelves, &name, &[OBJECT]) {
        return Ok(Transport {
            object: set.join(OBJECT),
            made_by: None,
        });
    }
    let mut command = mpicc.command();
    command.extend(FLAGS.map(OsString::from));
    command.extend(["-c", "-o", OBJECT, SOURCE].map(OsString::from));
    let made_by = Some(shown(&command));
    if only_show {
        return Ok(Transport {
            object: shelves.own.join(name).join(OBJECT),
            made_by,
        });
    }
    let object = make(&command, &texts, &name, shelves)?;
    Ok(Transport { object, made_by })
}

fn make(
    command: &[OsString],
    texts: &[(&str, Vec<u8>)],
    name: &str,
    shelves: &Shelves,
) -> Result<PathBuf, SupportError> {
    let own = Trust::own().make_directory(&shelves.own)?;
    let not_written = |(path, error)| SupportError::Cache { path, error };
    let made = pgas_cache::aside(&own).map_err(|error| not_written((own.clone(), error)))?;
    let workshop = Workshop::new(made.path());
    for (name, text) in texts {
        workshop.write(name, text).map_err(not_written)?;
    }
    let program = Path::new(&command[0]);
    workshop
        .run(program, &command[1..])
        .map_err(|failed| SupportError::Transport {
            command: failed.command,
            output: failed.said,
        })?;
    workshop.note_commands().map_err(not_written)?;
    let set = own.join(name);
    put(made, &set, &[OBJECT]).map_err(|error| not_written((set.clone(), error)))?;
    Ok(set.join(OBJECT))
}

/// Differs whenever something else would be made. A wrapper may stay the same while the MPI behind
/// it changes with the loaded modules; then what it says does.
fn set_name(mpicc: &Mpicc, texts: &[(&str, Vec<u8>)]) -> String {
    let mut key = Xxh3::new();
    for (_, text) in texts {
        key.update(text);
        key.update(&[0]);
    }
    key.update(&identity(&mpicc.path));
    let command = shown(mpicc.command());
    let answers = (mpicc.shown(), mpicc.c_compiler_version());
    key.update(format!("{command} {answers:?} {FLAGS:?}").as_bytes());
    format!("transport-{:032x}", key.digest128())
}
