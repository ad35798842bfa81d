//! Clang UPC. It has no switch for instrumentation: `-fupc-debug` selects the entry points of the
//! runtime that report puts, gets and barriers, and a macro those for locks, allocations and memory
//! operations.

use super::{Launch, Table};

pub(super) const TABLE: Table = Table {
    id: "clang",
    name: "Clang UPC",
    // Clang also says where it is, which may be a directory named after UPC.
    recognises: |answer| {
        answer
            .lines()
            .map(str::to_lowercase)
            .any(|line| line.contains("clang version") && line.contains("upc"))
    },
    unmeasurable: None,
    instrument: &["-fupc-debug", "-D__UPC_PUPC_INST__"],
    functions: &[],
    larger_functions: None,
    counts: None,
    line_tables: Some("-g1"),
    local_accesses: &[],
    threads: &["-fupc-threads-", "-fupc-threads="],
    threads_spelled: &["-fupc-threads"],
    network: None,
    configuration: &["-fupc-", "-m32", "-m64"],
    filter: None,
    stops: &[],
    remedy: "this Clang UPC has no runtime that reports to a tool: whoever looks after it has to \
             build it again, with the debugging variant of its library",
    headers: super::GNU_HEADERS,
    wraps_collectives: true,
    lacks: &[
        "functions of the program are not reported by Clang UPC: times are given by source line \
         alone",
    ],
    launch: Launch::Argument("-n"),
};
