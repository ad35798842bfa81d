//! The MPI of this machine: its `mpicc`, with which programs over MPI are linked, and the launcher
//! that belongs to it.

pub mod declarations;
pub mod fortran_calls;
mod launcher;
mod wrapper;
pub mod wrapping;

pub use launcher::{NoLauncher, launcher_beside, launcher_called};
pub use wrapper::Behind;

use pgas_base::helper;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variable that names the `mpicc` where no option does.
pub const VARIABLE: &str = "MPICC";

/// Environment variables that select the C compiler of an MPI wrapper: Open MPI, MPICH and its
/// derivatives, Intel MPI.
const BEHIND: [&str; 3] = ["OMPI_CC", "MPICH_CC", "I_MPI_CC"];

/// Symbolic links that are followed at most.
const MOST_LINKS: usize = 32;

/// A C compiler that finds the headers and libraries of an MPI, and the C compiler behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mpicc {
    /// Its executable, as an absolute path.
    pub path: PathBuf,
    c_compiler: PathBuf,
}

/// There is no `mpicc`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no mpicc: looked for {looked_for}; a program over MPI is linked by it. Install an MPI (Debian, \
     Ubuntu: `apt install libopenmpi-dev` or `apt install mpich libmpich-dev`), load its module on \
     a cluster (`module load openmpi` or the like), or name its compiler with --mpicc or in MPICC; \
     a program for one machine (-network=smp) needs none"
)]
pub struct NoMpicc {
    looked_for: String,
}

impl Mpicc {
    /// The one that is `named`, else `$MPICC`, else `mpicc` on the search path. `c_compiler` is the
    /// compiler that it is to use, so that options mean the same to both.
    ///
    /// # Errors
    /// If it is not there; the message says how to get one.
    pub fn find(named: Option<&Path>, c_compiler: &Path) -> Result<Self, NoMpicc> {
        let variable = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
        let (name, looked_for) = match (named, variable) {
            (Some(named), _) => (named.as_os_str().to_os_string(), "(from --mpicc)"),
            (None, Some(variable)) => (variable, "(from MPICC)"),
            (None, None) => ("mpicc".into(), "on PATH"),
        };
        let found = which::which(&name).map_err(|_| NoMpicc {
            looked_for: format!("`{}` {looked_for}", name.to_string_lossy()),
        })?;
        let absolute = std::path::absolute(&found).unwrap_or(found);
        Ok(Mpicc {
            path: settled(&absolute),
            c_compiler: c_compiler.to_path_buf(),
        })
    }

    /// The words of a command that it begins: the C compiler behind it is said by variables.
    pub fn command(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        if !self.is_behind_itself() {
            words.push("env".into());
            words.extend(BEHIND.map(|name| {
                let mut word = OsString::from(name);
                word.push("=");
                word.push(&self.c_compiler);
                word
            }));
        }
        words.push(self.path.clone().into());
        words
    }

    /// Whether the C compiler at hand is an MPI's, which would call itself without end.
    fn is_behind_itself(&self) -> bool {
        let name = self.c_compiler.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with("mpi")
            || matches!(
                (self.path.canonicalize(), self.c_compiler.canonicalize()),
                (Ok(wrapper), Ok(behind)) if wrapper == behind
            )
    }

    /// The command that it stands for, if it says so.
    pub fn shown(&self) -> Option<String> {
        // MPICH's spelling, which Open MPI understands too; Open MPI's.
        ["-show", "--showme"]
            .into_iter()
            .find_map(|question| self.answer(question))
    }

    /// Directories in which it looks for headers, in their order, as far as it says so.
    pub fn header_directories(&self) -> Vec<PathBuf> {
        header_directories(&self.shown().unwrap_or_default())
    }

    /// The version of the C compiler behind it, as far as it says so.
    pub fn c_compiler_version(&self) -> Option<String> {
        self.answer("--version")
    }

    /// Name and version of the MPI in a line.
    pub fn library(&self) -> Option<String> {
        let open_mpi = self.answer("--showme:version");
        let line = |text: String, word: &str| {
            let found = text.lines().find(|line| line.contains(word))?;
            Some(found.trim().to_string())
        };
        if let Some(found) = open_mpi.and_then(|text| line(text, "Open MPI")) {
            // mpicc: Open MPI 4.1.4 (Language: C)
            let version = found
                .split_once(": ")
                .map_or(&*found, |(_, version)| version);
            return Some(version.replace(" (Language: C)", ""));
        }
        // mpicc for MPICH version 4.0.2
        let found = line(self.answer("-v")?, " for ")?;
        let library = found.split_once(" for ")?.1;
        Some(library.trim_start_matches("the ").replace(" version ", " "))
    }

    /// Its output if it succeeds.
    fn answer(&self, question: &str) -> Option<String> {
        let words = self.command();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg(question);
        let output = helper::output(&mut command, helper::QUESTION).ok()?;
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        (output.status.success() && !text.trim().is_empty()).then_some(text)
    }
}

/// The directories of the options for headers in a command.
fn header_directories(command: &str) -> Vec<PathBuf> {
    const OPTIONS: [&str; 2] = ["-isystem", "-I"];
    let mut words = command.split_whitespace();
    let mut directories = Vec::new();
    while let Some(word) = words.next() {
        let Some(joined) = OPTIONS.iter().find_map(|option| word.strip_prefix(option)) else {
            continue;
        };
        let directory = match joined {
            "" => words.next(),
            joined => Some(joined),
        };
        directories.extend(directory.map(PathBuf::from));
    }
    directories
}

/// The last of the symbolic links from `path` on whose name begins as its own: `/usr/bin/mpicc`, a
/// choice among several MPIs, is `/usr/bin/mpicc.openmpi`, which itself leads to an executable of
/// another name that looks at the name that it was called by.
pub(crate) fn settled(path: &Path) -> PathBuf {
    let name = |path: &Path| path.file_name().unwrap_or(OsStr::new("")).to_os_string();
    let own = name(path);
    let mut best = path.to_path_buf();
    let mut here = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(target) = std::fs::read_link(&here) else {
            break;
        };
        here = here.parent().unwrap_or(Path::new("/")).join(target);
        let found = name(&here);
        if found.as_encoded_bytes().starts_with(own.as_encoded_bytes()) {
            best.clone_from(&here);
        }
    }
    // A link such as ../lib/mpi/mpicc.
    let parent = best.parent().and_then(|parent| parent.canonicalize().ok());
    match parent {
        Some(parent) if best != path => parent.join(name(&best)),
        _ => best,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_as_long_as_the_name_stays() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().canonicalize().unwrap();
        let at = |name: &str| place.join(name);
        fs::create_dir_all(at("alternatives")).unwrap();
        fs::create_dir_all(at("lib")).unwrap();
        fs::write(at("opal_wrapper"), "").unwrap();
        symlink("opal_wrapper", at("mpicc.openmpi")).unwrap();
        symlink(at("mpicc.openmpi"), at("alternatives/mpi")).unwrap();
        symlink(at("alternatives/mpi"), at("mpicc")).unwrap();
        assert_eq!(settled(&at("mpicc")), at("mpicc.openmpi"));
        assert_eq!(settled(&at("mpicc.openmpi")), at("mpicc.openmpi"));
        assert_eq!(settled(&at("nowhere")), at("nowhere"));
        symlink("../mpicc", at("lib/mpicc")).unwrap();
        assert_eq!(settled(&at("lib/mpicc")), at("mpicc.openmpi"));
        symlink("round", at("round")).unwrap();
        assert_eq!(settled(&at("round")), at("round"));
    }

    #[test]
    fn a_wrapper_is_not_put_behind_itself() {
        let mpicc = |c_compiler: &str| Mpicc {
            path: "/opt/mpi/bin/mpicc".into(),
            c_compiler: c_compiler.into(),
        };
        assert_eq!(
            pgas_base::shell::shown(mpicc("/usr/bin/gcc").command()),
            "env OMPI_CC=/usr/bin/gcc MPICH_CC=/usr/bin/gcc I_MPI_CC=/usr/bin/gcc \
             /opt/mpi/bin/mpicc"
        );
        assert_eq!(
            mpicc("/usr/bin/mpicc.mpich").command(),
            ["/opt/mpi/bin/mpicc"]
        );
    }

    #[test]
    fn directories_of_headers_are_those_of_the_command() {
        for (shown, expected) in [
            (
                "gcc -I/opt/mpi/include -I /opt/mpi/more -L/opt/mpi/lib -lmpi\n",
                2,
            ),
            ("gcc -Wl,-z,relro -isystem /opt/mpi/include -lmpich", 1),
            ("gcc -lmpi -I", 0),
            ("", 0),
        ] {
            let all = ["/opt/mpi/include", "/opt/mpi/more"].map(PathBuf::from);
            assert_eq!(header_directories(shown), all[..expected], "{shown}");
        }
    }

    #[test]
    fn one_that_is_not_there_is_an_error_with_a_remedy() {
        let named = Path::new("/nothing/mpicc");
        let message = Mpicc::find(Some(named), Path::new("cc")).unwrap_err();
        let message = message.to_string();
        for part in [
            "`/nothing/mpicc` (from --mpicc)",
            "apt install libopenmpi-dev",
            "module load",
            "-network=smp",
        ] {
            assert!(message.contains(part), "{message}");
        }
    }
}
