//! Cray's compiler: it has no GASP interface, so its programs cannot be measured with this tool.

use super::{Launch, Table};

pub(super) const TABLE: Table = Table {
    id: "cray",
    name: "Cray UPC",
    recognises: |answer| answer.contains("Cray"),
    refusal: Some(
        "Cray's compiler does not report what a UPC program does (it has no GASP interface); measure with Cray's own \
         tools, or compile with `--upcc embedded`, Berkeley UPC or GNU UPC",
    ),
    instrument: &[],
    functions: &[],
    local_accesses: &[],
    threads: "-X",
    filter: None,
    stops: &[],
    lacks: &[],
    launch: Launch::Launcher("aprun", &["-n"]),
};
