//! Paradigm and role of regions, by the names of Score-P and OTF2, and the description by which
//! CubeLib's `cube_regioninfo` recognises communication.

mod operations;

use pgas_base::models::Model;

use crate::model::Region;

/// The description of regions that count as communication; there is one word for it, whatever the
/// library.
pub(crate) const COMMUNICATION: &str = "MPI";

/// Paradigms of regions in CUBE 4 files: those of OTF2, and of Score-P (`SCOREP_PARADIGMS` in its
/// `SCOREP_Types.h`).
pub(crate) const PARADIGMS: [&str; 27] = [
    "unknown",
    "user",
    "compiler",
    "openmp",
    "mpi",
    "cuda",
    "measurement",
    "pthread",
    "hmpp",
    "ompss",
    "hardware",
    "gaspi",
    "upc",
    "shmem",
    "winthread",
    "qtthread",
    "acethread",
    "tbbthread",
    "openacc",
    "opencl",
    "mtapi",
    "sampling",
    "none",
    "memory",
    "libwrap",
    "orphan thread",
    "io",
];

/// Roles of regions in CUBE 4 files, those of Score-P (`SCOREP_REGION_TYPES` in its
/// `SCOREP_Types.h`).
pub(crate) const ROLES: [&str; 45] = [
    "unknown",
    "function",
    "loop",
    "code",
    "parallel",
    "sections",
    "section",
    "workshare",
    "single",
    "single sblock",
    "master",
    "critical",
    "critical sblock",
    "atomic",
    "barrier",
    "implicit barrier",
    "flush",
    "wrapper",
    "task",
    "untied task",
    "taskwait",
    "task create",
    "ordered",
    "ordered sblock",
    "artificial",
    "one2all",
    "all2one",
    "all2all",
    "other collective",
    "point2point",
    "rma",
    "thread create",
    "thread wait",
    "allocate",
    "deallocate",
    "reallocate",
    "file_io",
    "file_io metadata",
    "user",
    "phase",
    "dynamic",
    "dynamic phase",
    "dynamic loop",
    "dynamic function",
    "dynamic loop phase",
];

/// The programming model that a region is an operation of; its name is the module of these.
fn model(region: &Region) -> Option<Model> {
    Model::from_name(&region.module)
}

/// Whether a region is an operation of a programming model.
pub(crate) fn is_operation(region: &Region) -> bool {
    model(region).is_some()
}

/// The description of a region in a file.
pub(crate) fn described(region: &Region) -> &str {
    match region.description.is_empty() && is_operation(region) {
        true => COMMUNICATION,
        false => &region.description,
    }
}

/// The paradigm and role of a region.
pub(crate) fn of(region: &Region) -> (&'static str, &'static str) {
    let name = &region.name;
    match (model(region), region.module.as_str()) {
        (Some(model), _) => (paradigm(model), operations::role(model, name)),
        (None, "pgastool") => ("measurement", "artificial"),
        (None, "libc") => ("memory", operations::of_upc(name)),
        (None, _) => ("user", "function"),
    }
}

/// Score-P has no paradigm for coarrays: they are statements that call a library.
fn paradigm(model: Model) -> &'static str {
    match model {
        Model::Upc => "upc",
        Model::OpenShmem => "shmem",
        Model::Coarrays => "libwrap",
        Model::Mpi => "mpi",
        // Score-P has none for tasks that only exchange messages.
        Model::Tasks => "libwrap",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(module: &str, name: &str) -> Region {
        Region {
            name: name.into(),
            module: module.into(),
            begin_line: 0,
            end_line: 0,
            description: String::new(),
        }
    }

    #[test]
    fn operations_have_the_paradigm_and_role_of_their_model() {
        for (module, name, expected) in [
            ("UPC", "upc_barrier", ("upc", "barrier")),
            ("UPC", "upc_fence", ("upc", "flush")),
            ("UPC", "upc_all_alloc", ("upc", "allocate")),
            ("UPC", "upc_memget", ("upc", "rma")),
            ("OpenSHMEM", "shmem_barrier_all", ("shmem", "barrier")),
            ("OpenSHMEM", "shmem_int_put_nbi", ("shmem", "rma")),
            ("OpenSHMEM", "shmem_int_sum_to_all", ("shmem", "all2all")),
            (
                "OpenSHMEM",
                "shmem_long_wait_until",
                ("shmem", "point2point"),
            ),
            ("OpenSHMEM", "shmem_set_lock", ("shmem", "critical")),
            ("OpenSHMEM", "shmem_malloc", ("shmem", "allocate")),
            ("OpenSHMEM", "shmem_int_atomic_add", ("shmem", "rma")),
            (
                "OpenSHMEM",
                "shmem_team_split_strided",
                ("shmem", "other collective"),
            ),
            ("coarrays", "sync all", ("libwrap", "barrier")),
            ("coarrays", "sync images", ("libwrap", "point2point")),
            ("coarrays", "co_sum", ("libwrap", "all2all")),
            ("coarrays", "put", ("libwrap", "rma")),
            ("MPI", "MPI_Barrier", ("mpi", "barrier")),
            ("MPI", "MPI_Ibcast", ("mpi", "one2all")),
            ("MPI", "MPI_Isend", ("mpi", "point2point")),
            ("MPI", "MPI_Init", ("mpi", "function")),
            ("MPI", "MPI_Put", ("mpi", "rma")),
            ("pgastool", "no core", ("measurement", "artificial")),
            ("libc", "malloc", ("memory", "allocate")),
            ("libc", "realloc", ("memory", "reallocate")),
            ("a.c", "shmem_put", ("user", "function")),
        ] {
            let region = region(module, name);
            let (paradigm, role) = of(&region);
            assert_eq!((paradigm, role), expected, "{module}: {name}");
            // Names that others know.
            assert!(PARADIGMS.contains(&paradigm) && ROLES.contains(&role));
        }
    }

    #[test]
    fn operations_count_as_communication_whatever_their_model() {
        for (module, expected) in [
            ("UPC", true),
            ("OpenSHMEM", true),
            ("coarrays", true),
            ("MPI", true),
            ("pgastool", false),
            ("libc", false),
            ("a.c", false),
        ] {
            let is_counted = described(&region(module, "x")) == COMMUNICATION;
            assert_eq!(is_counted, expected, "{module}");
        }
    }
}
