//! Source files of the drivers, for the command that compiles them: all of a model in one
//! directory, with [`HEADERS`] and either [`NO_OWN_OPERATION`] or the user's file.

/// One file: its name and its text.
pub type Source = (&'static str, &'static str);

macro_rules! sources {
    ($($directory:literal: $($name:literal)*;)*) => {
        &[$($(($name, include_str!(concat!("../", $directory, "/", $name))),)*)*]
    };
}

/// Headers that all drivers and the user's own operations include.
pub const HEADERS: &[Source] = sources! {
    "include": "pgas_operation.h" "pgas_timing.h";
};

/// Compiled where the user has no operation of one's own; otherwise the user's file takes its place.
pub const NO_OWN_OPERATION: Source = (
    "no_own_operation.c",
    include_str!("../shared/no_own_operation.c"),
);

/// The driver of UPC.
pub const UPC: &[Source] = sources! {
    "shared": "arguments.h" "buffers.h" "numbers.h" "pattern.h" "patterns.c" "patterns.h"
        "state.h";
    "upc": "accesses.upc" "allocations.upc" "atomics.upc" "barriers.upc" "blocks.upc"
        "collectives.upc" "families.h" "fences.upc" "flags.h" "implementation.h" "locks.upc"
        "main.upc" "nonblocking.upc" "places.h" "reductions.upc" "transfers.h"
        "transfers.upc" "transport.h" "transport.upc";
};

/// The driver of MPI.
pub const MPI: &[Source] = sources! {
    "shared": "arguments.h" "buffers.h" "numbers.h" "pattern.h" "patterns.c" "patterns.h"
        "state.h";
    "mpi": "atomics.c" "barriers.c" "blocks.c" "blocks.h" "collectives.c" "creation.c"
        "epochs.c" "epochs.h" "families.h" "layout.c" "layout.h" "main.c" "memory.h"
        "messages.c" "neighbours.c" "operators.c" "operators.h" "reductions.c"
        "transport.c" "transport.h" "windows.c";
};

/// The driver of OpenSHMEM.
pub const OPENSHMEM: &[Source] = sources! {
    "shared": "arguments.h" "buffers.h" "numbers.h" "pattern.h" "patterns.c" "patterns.h"
        "state.h";
    "openshmem": "atomics.c" "barriers.c" "blocks.c" "blocks.h" "collectives.c" "families.h"
        "group.c" "group.h" "locks.c" "main.c" "memory.c" "ordering.c" "reductions.c"
        "reductions.h" "set_reductions.c" "sides.h" "singles.c" "symmetric.h"
        "team_collectives.c" "team_reductions.c" "transfers.c" "transport.c" "transport.h"
        "version.h" "waiting.c";
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    fn names(list: &[Source]) -> BTreeSet<String> {
        list.iter().map(|(name, _)| name.to_string()).collect()
    }

    fn in_directory(name: &str) -> BTreeSet<String> {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let entries = fs::read_dir(directory).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    #[test]
    fn every_file_of_a_driver_is_handed_over() {
        for (directory, list) in [
            ("include", HEADERS),
            ("upc", UPC),
            ("mpi", MPI),
            ("openshmem", OPENSHMEM),
        ] {
            let missing = &in_directory(directory) - &names(list);
            assert!(missing.is_empty(), "{directory}: {missing:?}");
        }
        let shared = names(&[UPC, MPI, OPENSHMEM, &[NO_OWN_OPERATION]].concat());
        let missing = &in_directory("shared") - &shared;
        assert!(missing.is_empty(), "shared: {missing:?}");
    }

    #[test]
    fn names_are_unique_in_the_directory_of_a_driver() {
        for list in [UPC, MPI, OPENSHMEM] {
            let all = [HEADERS, list, &[NO_OWN_OPERATION]].concat();
            assert_eq!(names(&all).len(), all.len());
        }
    }
}
