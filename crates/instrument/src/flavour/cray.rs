//! Cray's compiler: it has no GASP interface, so its programs cannot be measured with this tool.
//! They are compiled as if the tool were not there, which is said.

use super::{Launch, Table};

pub(super) const TABLE: Table = Table {
    id: "cray",
    name: "Cray UPC",
    // "Cray C : Version 8.7.3", "Cray clang version 15.0.1"; not "gcc (GCC) 10.3.0 (Cray Inc.)".
    recognises: |answer| {
        answer.lines().map(str::trim_start).any(|line| {
            line.starts_with("Cray clang version")
                || (line.starts_with("Cray C") && line.contains("Version"))
        })
    },
    unmeasurable: Some(
        "Cray's compiler does not report what a UPC program does (it has no GASP interface): it \
         is run as it was called, and the program cannot be measured; measure with Cray's own \
         tools, or compile with `--upcc embedded`, Berkeley UPC, GNU UPC or Clang UPC",
    ),
    instrument: &[],
    functions: &[],
    larger_functions: None,
    counts: None,
    line_tables: None,
    local_accesses: &[],
    threads: &["-X "],
    threads_spelled: &["-X"],
    network: None,
    configuration: &[],
    filter: None,
    stops: &[],
    remedy: "",
    headers: &[],
    wraps_collectives: false,
    lacks: &[],
    launch: Launch::Launcher("aprun", &["-n"]),
};
