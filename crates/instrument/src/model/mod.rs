//! Programming models beside UPC whose programs can be measured. Their compilers report nothing:
//! calls of the model's library are led to wrappers, which the tool compiles on this machine and
//! links into the program. To add a model, add it to [`ALL`], and how its compilers are recognised
//! and its wrappers made to [`crate::support`].

pub mod command;
pub mod context;

use crate::program::instrumented_word;
use std::path::{Path, PathBuf};

/// A programming model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// OpenSHMEM, in C and C++.
    OpenShmem,
    /// Coarrays of Fortran, as gfortran compiles them to calls of a library.
    Coarrays,
    /// MPI, in C, C++ and Fortran.
    Mpi,
}

/// All models, in the order in which a compiler is tried: those of the others may be MPI's, too.
pub const ALL: [Model; 3] = [Model::Coarrays, Model::OpenShmem, Model::Mpi];

/// The facts about one model.
#[derive(Debug)]
pub struct Table {
    /// One word, as in the section `.pgas_info` of programs.
    pub id: &'static str,
    /// For people.
    pub name: &'static str,
    /// Launchers of its programs, in the order in which they are looked for beside the compiler.
    pub launchers: &'static [&'static str],
}

impl Model {
    /// The facts about it.
    pub fn table(self) -> &'static Table {
        match self {
            Model::OpenShmem => &Table {
                id: "openshmem",
                name: "OpenSHMEM",
                launchers: &["oshrun", "mpirun", "mpiexec"],
            },
            // OpenCoarrays' cafrun is a script that calls one of these.
            Model::Coarrays => &Table {
                id: "coarrays",
                name: "coarrays",
                launchers: &["mpirun", "mpiexec", "cafrun"],
            },
            Model::Mpi => &Table {
                id: "mpi",
                name: "MPI",
                launchers: &["mpirun", "mpiexec", "srun"],
            },
        }
    }

    /// The model with this [`Table::id`].
    pub fn from_id(id: &str) -> Option<Self> {
        ALL.into_iter().find(|model| model.table().id == id)
    }
}

/// A compiler of programs of one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelCompiler {
    /// Its executable, as an absolute path.
    pub path: PathBuf,
    /// The model of its programs.
    pub model: Model,
    /// The first line of what it says of its version.
    pub version: String,
    /// The MPI's compiler that it is or calls, if it says so: the MPI's launcher is beside it.
    pub mpi: Option<PathBuf>,
    /// Those of [`command::FLAGS`] that it takes.
    pub flags: Vec<String>,
    /// Options of the user's command without which it does not compile or link such programs.
    pub context: Vec<std::ffi::OsString>,
}

impl ModelCompiler {
    /// The note that a program of this compiler carries.
    pub(crate) fn note(&self, instrumented: bool) -> String {
        let id = self.model.table().id;
        let instrumented = instrumented_word(instrumented);
        let mut note = format!("compiler={id};threads=dynamic;{instrumented}network=mpi;");
        // A name with such characters is none that the note could carry.
        let plain = |path: &&str| !path.contains([';', '"', '\\', '\n']);
        let mpi = self.mpi.as_deref().and_then(Path::to_str);
        if let Some(mpi) = mpi.filter(plain) {
            note += &format!("mpicc={mpi};");
        }
        note
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_no_compilers_of_upc() {
        for model in ALL {
            let id = model.table().id;
            assert_eq!(Model::from_id(id), Some(model));
            assert_eq!(crate::flavour::Flavour::from_id(id), None);
            // By which results and reports know it.
            assert!(pgas_base::models::Model::from_id(id).is_some(), "{id}");
        }
    }
}
