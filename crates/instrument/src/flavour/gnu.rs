//! GNU UPC, the branch of GCC.

use super::{Launch, Table};

pub(super) const TABLE: Table = Table {
    id: "gnu",
    name: "GNU UPC",
    recognises: |answer| answer.contains("GNU UPC") || answer.contains("GCC UPC"),
    unmeasurable: None,
    instrument: &["-fupc-instrument"],
    functions: &["-fupc-instrument-functions"],
    larger_functions: None,
    counts: None,
    line_tables: Some("-g1"),
    // It reports them all.
    local_accesses: &[],
    // Old releases have the second one alone, and it is deprecated in new ones.
    threads: &["-fupc-threads=", "-fupc-threads-"],
    threads_spelled: &["-fupc-threads"],
    network: None,
    configuration: &["-fupc-", "-m32", "-m64"],
    filter: None,
    stops: &[],
    remedy: "this GNU UPC was built without its GASP support: whoever looks after it has to build \
             it again, with it",
    headers: super::GNU_HEADERS,
    wraps_collectives: true,
    lacks: &[],
    launch: Launch::Argument("-n"),
};
