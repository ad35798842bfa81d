//! The launcher that belongs to an `mpicc`: processes that another MPI's launcher starts do not
//! find each other, and each takes itself for the only one.

use super::settled;
use std::path::{Path, PathBuf};

/// Names of launchers.
const NAMES: [&str; 2] = ["mpirun", "mpiexec"];

/// There is no launcher beside an `mpicc`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no launcher for programs that {} links: looked for {}", mpicc.display(), looked_for.join(", "))]
pub struct NoLauncher {
    mpicc: PathBuf,
    looked_for: Vec<String>,
}

/// The launcher in the directory of `mpicc`. One with the same ending (`mpicc.openmpi`,
/// `mpirun.openmpi`) comes first, and one with another ending is another MPI's.
///
/// # Errors
/// If there is none.
pub fn launcher_beside(mpicc: &Path) -> Result<PathBuf, NoLauncher> {
    let directory = mpicc.parent().unwrap_or(Path::new("/"));
    let ending = ending(mpicc, "mpicc");
    let mut looked_for = Vec::new();
    let candidates = [&*ending, ""].map(|ending| NAMES.map(|name| (name, ending)));
    for (name, its_ending) in candidates.into_iter().flatten() {
        let path = directory.join(format!("{name}{its_ending}"));
        let settled = settled(&path);
        let real = self::ending(&settled, name);
        if path.is_file() && (ending.is_empty() || real.is_empty() || real == ending) {
            return Ok(path);
        }
        let shown = path.display().to_string();
        if !looked_for.contains(&shown) {
            looked_for.push(shown);
        }
    }
    Err(NoLauncher {
        mpicc: mpicc.to_path_buf(),
        looked_for,
    })
}

/// What follows `name` in the name of a file, if that is an ending.
fn ending(path: &Path, name: &str) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let rest = file.strip_prefix(name).unwrap_or("");
    match rest.starts_with(['.', '-']) {
        true => rest.to_string(),
        false => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn the_launcher_is_of_the_same_mpi() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().canonicalize().unwrap();
        let at = |name: &str| place.join(name);
        let beside = |name: &str| launcher_beside(&at(name)).map_err(|error| error.to_string());
        let message = beside("mpicc.mpich").unwrap_err();
        for name in ["mpirun.mpich", "mpiexec.mpich", "mpirun", "mpiexec"] {
            assert!(message.contains(&*at(name).to_string_lossy()), "{message}");
        }
        // A choice of the machine for another MPI.
        fs::write(at("mpirun.openmpi"), "").unwrap();
        symlink(at("mpirun.openmpi"), at("mpirun")).unwrap();
        assert!(beside("mpicc.mpich").is_err());
        assert_eq!(beside("mpicc.openmpi"), Ok(at("mpirun.openmpi")));
        assert_eq!(beside("mpicc"), Ok(at("mpirun")));
        fs::write(at("mpiexec.mpich"), "").unwrap();
        assert_eq!(beside("mpicc.mpich"), Ok(at("mpiexec.mpich")));
        fs::write(at("mpirun.mpich"), "").unwrap();
        assert_eq!(beside("mpicc.mpich"), Ok(at("mpirun.mpich")));
        assert_eq!(beside("mpiicc"), Ok(at("mpirun")));
    }
}
