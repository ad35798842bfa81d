//! The launcher that belongs to an `mpicc`: processes that another MPI's launcher starts do not
//! find each other, and each takes itself for the only one.

use super::settled;
use std::path::{Path, PathBuf};

/// Names of launchers.
const NAMES: [&str; 2] = ["mpirun", "mpiexec"];

/// Names of the compilers of an MPI.
const COMPILERS: [&str; 13] = [
    "mpicc", "mpicxx", "mpic++", "mpifort", "mpif90", "mpif77", "oshcc", "oshcxx", "oshc++",
    "oshCC", "oshfort", "caf", "shmemcc",
];

/// There is no launcher beside a compiler.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no launcher for programs that {} links: looked for {}", compiler.display(), looked_for.join(", "))]
pub struct NoLauncher {
    compiler: PathBuf,
    looked_for: Vec<String>,
}

/// The launcher in the directory of `mpicc`. One with the same ending (`mpicc.openmpi`,
/// `mpirun.openmpi`) comes first, and one with another ending is another MPI's.
///
/// # Errors
/// If there is none.
pub fn launcher_beside(mpicc: &Path) -> Result<PathBuf, NoLauncher> {
    launcher_called(&NAMES, mpicc)
}

/// The same for any compiler of an MPI, and for launchers of these names.
///
/// # Errors
/// If there is none.
pub fn launcher_called(names: &[&str], compiler: &Path) -> Result<PathBuf, NoLauncher> {
    let directory = compiler.parent().unwrap_or(Path::new("/"));
    let endings = COMPILERS.map(|name| ending(compiler, name));
    let ending = endings.into_iter().find(|ending| !ending.is_empty());
    let ending = ending.unwrap_or_default();
    let mut looked_for = Vec::new();
    let candidates = [&*ending, ""].map(|ending| names.iter().map(move |name| (name, ending)));
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
        compiler: compiler.to_path_buf(),
        looked_for,
    })
}

/// The rest of a file's name after `name`, if that is an ending.
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
        assert_eq!(beside("mpif90.mpich"), Ok(at("mpirun.mpich")));
        fs::write(at("oshrun"), "").unwrap();
        let of_shmem = |name: &str| launcher_called(&["oshrun", "mpirun"], &at(name));
        assert_eq!(of_shmem("oshcc"), Ok(at("oshrun")));
        assert_eq!(of_shmem("mpicc.mpich"), Ok(at("mpirun.mpich")));
    }
}
