//! Programming models of measured programs: which one a call is of, and the words that each has for
//! its threads.

mod sentences;
mod words;

pub use words::Words;

/// A programming model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Model {
    /// Unified Parallel C.
    Upc,
    /// OpenSHMEM, in C and C++.
    OpenShmem,
    /// Fortran with coarrays.
    Coarrays,
    /// The Message Passing Interface.
    Mpi,
    /// Tasks and channels (`pgas-tasks`). Its threads are processors.
    Tasks,
}

/// Beginnings of the names of calls that say which model's they are.
const PREFIXES: [(&str, Model); 5] = [
    ("upc_", Model::Upc),
    ("bupc_", Model::Upc),
    ("MPI_", Model::Mpi),
    ("mpi_", Model::Mpi),
    ("shmem", Model::OpenShmem),
];

/// Names that OpenSHMEM had before version 1.2, which do not begin like the later ones.
const OLD_SHMEM: [&str; 4] = ["start_pes", "shmalloc", "shfree", "shrealloc"];

impl Model {
    /// All models, in the order in which those of a program are listed.
    pub const ALL: [Model; 5] = [
        Model::Upc,
        Model::OpenShmem,
        Model::Coarrays,
        Model::Mpi,
        Model::Tasks,
    ];

    /// One word, as in files: the runtime of a stream, the models of a result.
    pub fn id(self) -> &'static str {
        match self {
            Model::Upc => "upc",
            Model::OpenShmem => "openshmem",
            Model::Coarrays => "coarrays",
            Model::Mpi => "mpi",
            Model::Tasks => "tasks",
        }
    }

    /// For people, and the module of its operations in CUBE files.
    pub fn name(self) -> &'static str {
        match self {
            Model::Upc => "UPC",
            Model::OpenShmem => "OpenSHMEM",
            Model::Coarrays => "coarrays",
            Model::Mpi => "MPI",
            Model::Tasks => "tasks",
        }
    }

    /// The model with this [`Model::id`].
    pub fn from_id(id: &str) -> Option<Self> {
        Model::ALL.into_iter().find(|model| model.id() == id)
    }

    /// The model with this [`Model::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Model::ALL.into_iter().find(|model| model.name() == name)
    }

    /// The model that a call of this name is of, if the name says so.
    fn of_name(name: &str) -> Option<Self> {
        if OLD_SHMEM.contains(&name) {
            return Some(Model::OpenShmem);
        }
        let mut prefixes = PREFIXES.into_iter();
        prefixes.find_map(|(prefix, model)| name.starts_with(prefix).then_some(model))
    }

    /// The model that an operation is of: the one that its name begins with, else that of the
    /// runtime which reported it. Operations without names of their own are UPC's.
    pub fn of_operation(own_name: &str, runtime: Option<Self>) -> Self {
        match own_name {
            "" => Model::Upc,
            name => Model::of_name(name).or(runtime).unwrap_or(Model::Upc),
        }
    }
}

/// "UPC", "UPC and OpenSHMEM", "UPC, OpenSHMEM and MPI".
pub fn names(models: &[Model]) -> String {
    let names: Vec<&str> = models.iter().map(|model| model.name()).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_whose_call_it_is_and_else_the_runtime() {
        let (upc, shmem) = (Some(Model::Upc), Some(Model::OpenShmem));
        for (name, runtime, expected) in [
            ("", shmem, Model::Upc),
            ("shmem_long_put", None, Model::OpenShmem),
            ("shmem_long_put", upc, Model::OpenShmem),
            ("start_pes", upc, Model::OpenShmem),
            ("MPI_Barrier", shmem, Model::Mpi),
            ("sync all", Some(Model::Coarrays), Model::Coarrays),
            ("exit", shmem, Model::OpenShmem),
            ("bupc_ticks_now", None, Model::Upc),
            ("heard of by nobody", None, Model::Upc),
        ] {
            assert_eq!(Model::of_operation(name, runtime), expected, "{name}");
        }
    }

    #[test]
    fn ids_and_names_find_their_model() {
        for model in Model::ALL {
            assert_eq!(Model::from_id(model.id()), Some(model));
            assert_eq!(Model::from_name(model.name()), Some(model));
        }
        assert_eq!(Model::from_id("berkeley"), None);
    }

    #[test]
    fn models_are_listed() {
        assert_eq!(names(&[]), "");
        assert_eq!(names(&[Model::Coarrays]), "coarrays");
        assert_eq!(names(&Model::ALL[..2]), "UPC and OpenSHMEM");
        let three = [Model::Upc, Model::OpenShmem, Model::Mpi];
        assert_eq!(names(&three), "UPC, OpenSHMEM and MPI");
    }
}
