//! Clang UPC. It has no switch for instrumentation: `-fupc-debug` selects the entry points of the runtime that report
//! puts, gets and barriers, and a macro those for locks, allocations and memory operations.

use super::{Launch, Table};

pub(super) const TABLE: Table = Table {
    id: "clang",
    name: "Clang UPC",
    recognises: |answer| {
        let answer = answer.to_lowercase();
        answer.contains("clang") && answer.contains("upc")
    },
    refusal: None,
    instrument: &["-fupc-debug", "-D__UPC_PUPC_INST__"],
    functions: &[],
    local_accesses: &[],
    threads: "-fupc-threads=",
    filter: None,
    stops: &[],
    lacks: &[
        "functions of the program are not reported by Clang UPC: times are given by source line alone",
        "collective operations are not reported by Clang UPC: their wait states cannot be seen",
    ],
    launch: Launch::Argument("-n"),
};
