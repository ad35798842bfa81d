//! The file with this machine's costs: where it is looked for, and where a measurement leaves it for
//! later runs on the same host.

use crate::failure::Failure;
use pgas_machine::Machine;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Names the file for all runs.
pub const VARIABLE: &str = "PGAS_MACHINE";
/// In place of a file: none at all.
pub const NONE: &str = "none";

/// A measurement, and the file that it is in.
#[derive(Debug)]
pub struct Known {
    pub path: PathBuf,
    pub machine: Machine,
}

/// The measurement to use: that of an option, of the environment, or the last one made on this
/// host. `None` if there is none, or if none is wanted.
///
/// # Errors
/// If a file that was named cannot be used, or the kept one is damaged.
pub fn find(named: Option<&Path>) -> Result<Option<Known>, Failure> {
    let variable = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
    let named = named.map(Path::to_owned).or(variable.map(PathBuf::from));
    match named {
        Some(path) if path.as_os_str() == NONE => Ok(None),
        Some(path) => read(path).map(Some),
        None => kept().map(read).transpose(),
    }
}

/// Where a measurement on this host is kept: a file for this user alone. `None` if there is no
/// directory for it.
pub fn place() -> Option<PathBuf> {
    let directory = pgas_cache::first_writable()?.join("machines");
    let mut name: OsString = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
        .into();
    name.push(".json");
    Some(directory.join(name))
}

/// The file kept on this host, if it is the user's own.
fn kept() -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt;
    let path = place().filter(|path| path.is_file())?;
    let owner = path.metadata().ok()?.uid();
    (owner == rustix::process::geteuid().as_raw()).then_some(path)
}

fn read(path: PathBuf) -> Result<Known, Failure> {
    let machine = Machine::read(&path).map_err(|error| {
        Failure::new(error.to_string()).help(format!(
            "measure the machine again (`pgastool time --machine`), or go on without: --machine \
             {NONE}, or {VARIABLE}={NONE}"
        ))
    })?;
    Ok(Known { path, machine })
}
