//! GNU UPC, the branch of GCC.

use super::{Launch, Table};

pub(super) const TABLE: Table = Table {
    id: "gnu",
    name: "GNU UPC",
    recognises: |answer| answer.contains("GNU UPC") || answer.contains("gupc"),
    refusal: None,
    instrument: &["-fupc-instrument"],
    functions: &["-fupc-instrument-functions"],
    // It reports them all.
    local_accesses: &[],
    threads: "-fupc-threads=",
    filter: None,
    stops: &[],
    lacks: &["collective operations are not reported by GNU UPC: their wait states cannot be seen"],
    launch: Launch::Argument("-n"),
};
