//! Source files of the drivers, for the command that compiles them.

/// One file by its name, which may name a directory as well.
pub type Source = (&'static str, &'static str);

/// Headers that all drivers and the user's own operations include.
pub const HEADERS: &[Source] = &[
    (
        "pgas_operation.h",
        include_str!("../include/pgas_operation.h"),
    ),
    ("pgas_timing.h", include_str!("../include/pgas_timing.h")),
];

/// Compiled where the user has no operation of one's own; otherwise the user's file takes its place.
pub const NO_OWN_OPERATION: Source = (
    "no_own_operation.c",
    include_str!("../shared/no_own_operation.c"),
);
