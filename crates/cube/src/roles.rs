//! Paradigm and role of regions, by the names of Score-P and OTF2, and the description by which
//! CubeLib's `cube_regioninfo` recognises communication.

use crate::model::Region;

/// Module of operations of the PGAS runtime.
const RUNTIME: &str = "UPC";
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

/// Whether a region is an operation of the PGAS runtime.
pub(crate) fn is_operation(region: &Region) -> bool {
    region.module == RUNTIME
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
    match region.module.as_str() {
        RUNTIME => ("upc", role(&region.name)),
        "pgastool" => ("measurement", "artificial"),
        "libc" => ("memory", role(&region.name)),
        _ => ("user", "function"),
    }
}

fn role(operation: &str) -> &'static str {
    match operation {
        "upc_barrier" | "upc_notify" | "upc_wait" => "barrier",
        "upc_fence" => "flush",
        "upc_lock" | "upc_lock_attempt" | "upc_unlock" => "critical",
        "upc_forall" => "workshare",
        "upc_all_broadcast" | "upc_all_scatter" => "one2all",
        "upc_all_gather" | "upc_all_reduce" => "all2one",
        "upc_all_gather_all" | "upc_all_exchange" | "upc_all_permute" => "all2all",
        "upc_all_prefix_reduce" => "other collective",
        "malloc" => "allocate",
        "realloc" => "reallocate",
        "free" | "upc_free" | "upc_all_free" | "upc_lock_free" | "upc_all_lock_free" => {
            "deallocate"
        }
        name if name.ends_with("alloc") => "allocate",
        "program end" | "upc_global_exit" => "function",
        "upc_all_fread/fwrite" => "file_io",
        _ => "rma",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_names_that_others_know() {
        let names = [
            "upc_barrier",
            "upc_fence",
            "upc_lock",
            "upc_forall",
            "upc_all_scatter",
            "upc_all_reduce",
            "upc_all_exchange",
            "upc_all_prefix_reduce",
            "malloc",
            "realloc",
            "free",
            "upc_all_alloc",
            "program end",
            "upc_memget",
            "main",
        ];
        for module in ["UPC", "pgastool", "libc", "a.c"] {
            for name in names {
                let region = Region {
                    name: name.into(),
                    module: module.into(),
                    begin_line: 0,
                    end_line: 0,
                    description: String::new(),
                };
                let (paradigm, role) = of(&region);
                assert!(
                    PARADIGMS.contains(&paradigm) && ROLES.contains(&role),
                    "{name}: {paradigm}, {role}"
                );
                assert_eq!(described(&region) == COMMUNICATION, module == "UPC");
            }
        }
    }
}
