//! The C files of the wrappers around calls of communication libraries, for the command line to
//! hand to the C compiler. How each set is compiled and linked is at the head of its main header.

/// A file: name, text.
pub type File = (&'static str, &'static str);

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../c/", $name)))),*]
    };
}

/// OpenSHMEM: `shmem_wrapper.h` has the recipe.
pub const OPENSHMEM: &[File] = files![
    "call_recorder.h",
    "function_hooks.h",
    "function_jumps.h",
    "group_identity.h",
    "program_end.h",
    "shmem_atomics.c",
    "shmem_clocks.c",
    "shmem_clocks.h",
    "shmem_collectives.c",
    "shmem_fortran.c",
    "shmem_functions.c",
    "shmem_group.h",
    "shmem_locks.c",
    "shmem_lookup.c",
    "shmem_memory.c",
    "shmem_memory.h",
    "shmem_ordering.c",
    "shmem_program.c",
    "shmem_signals.c",
    "shmem_teams.c",
    "shmem_transfers.c",
    "shmem_types.h",
    "shmem_waits.c",
    "shmem_wrapper.h",
];

/// Coarrays of gfortran: `caf_library.h` has the recipe.
pub const COARRAYS: &[File] = files![
    "call_recorder.h",
    "function_hooks.h",
    "function_jumps.h",
    "group_identity.h",
    "caf_atomics.c",
    "caf_clocks.c",
    "caf_clocks.h",
    "caf_collectives.c",
    "caf_events.c",
    "caf_functions.c",
    "caf_image.h",
    "caf_intrinsics.c",
    "caf_library.h",
    "caf_locks.c",
    "caf_memory.c",
    "caf_numbers.c",
    "caf_numbers.h",
    "caf_program.c",
    "caf_references.h",
    "caf_sections.h",
    "caf_synchronisation.c",
    "caf_teams.c",
    "caf_transfers.c",
];

/// MPI, beside what is generated: `mpi_wrapper.h` has the recipe.
pub const MPI: &[File] = files![
    "call_recorder.h",
    "function_hooks.h",
    "function_jumps.h",
    "group_identity.h",
    "mpi_calls.c",
    "mpi_clocks.c",
    "mpi_clocks.h",
    "mpi_fortran.h",
    "mpi_functions.c",
    "mpi_groups.c",
    "mpi_groups.h",
    "mpi_program.c",
    "mpi_program.h",
    "mpi_table.h",
    "mpi_windows.c",
    "mpi_wrapper.h",
    "program_end.h",
];

/// Options by which the linker leads calls of coarrays to their wrappers, one a line.
pub const COARRAY_OPTIONS: &str = include_str!("../c/caf_wraps.txt");

/// Options by which the linker leads setjmp and longjmp to `function_jumps.h`.
pub const JUMP_OPTIONS: &[&str] = match cfg!(all(target_arch = "x86_64", target_env = "gnu")) {
    true => &[
        "-Wl,--wrap=setjmp,--wrap=_setjmp,--wrap=__sigsetjmp",
        "-Wl,--wrap=longjmp,--wrap=_longjmp,--wrap=siglongjmp,--wrap=__longjmp_chk",
    ],
    false => &[],
};

/// The recorder's interface, which wrappers include.
pub const INTERFACE: File = ("pgas_measure.h", include_str!("../include/pgas_measure.h"));

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// One that was forgotten would be missing where a program is compiled.
    #[test]
    fn all_files_of_wrappers_are_listed() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("c");
        let entries = std::fs::read_dir(directory).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let there: BTreeSet<String> = names
            .filter(|name| {
                [
                    "shmem",
                    "caf",
                    "group",
                    "mpi",
                    "call",
                    "function_",
                    "program",
                ]
                .iter()
                .any(|set| name.starts_with(set))
            })
            .filter(|name| !name.ends_with(".txt"))
            .collect();
        let listed = OPENSHMEM.iter().chain(COARRAYS).chain(MPI);
        let listed: BTreeSet<String> = listed.map(|(name, _)| name.to_string()).collect();
        assert_eq!(there, listed);
    }
}
