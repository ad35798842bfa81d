//! The compiler that belongs to this tool.

use super::{Launch, Table};

pub(super) const TABLE: Table = Table {
    id: "embedded",
    name: "embedded UPC compiler",
    recognises: |answer| answer.contains("pgas-upcc"),
    unmeasurable: None,
    instrument: &["-inst"],
    functions: &["-inst-functions"],
    larger_functions: Some(&["-inst-functions-auto"]),
    counts: Some(&["-inst-counts"]),
    line_tables: Some("-g1"),
    local_accesses: &["-inst-local"],
    threads: &["-T "],
    // It says in the program what it was compiled for.
    threads_spelled: &[],
    network: Some("-network="),
    configuration: &[],
    filter: Some("-inst-filter"),
    stops: &["-trans", "--show", "-h"],
    remedy: "install pgastool again with `scripts/install`",
    headers: &[],
    wraps_collectives: false,
    lacks: &[],
    launch: Launch::Environment,
};
