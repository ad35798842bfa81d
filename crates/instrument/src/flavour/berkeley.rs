//! Berkeley UPC. Its `upcc -inst` works only through a tool that names itself; any name does. It
//! must have been built with `--enable-inst`.

use super::{Launch, Table};

/// The numbers are those of the embedded runtime.
const GASP_H: &str = include_str!("../../../upc-runtime/include/gasp.h");

pub(super) const TABLE: Table = Table {
    id: "berkeley",
    name: "Berkeley UPC",
    recognises: |answer| {
        answer.contains("Berkeley Unified Parallel C") || answer.contains("Berkeley UPC")
    },
    unmeasurable: None,
    // -lines: events carry the lines of the source, not those of the translated program.
    instrument: &["-inst", "-inst-toolname=pgastool", "-lines"],
    functions: &["-inst-functions"],
    larger_functions: None,
    counts: None,
    // Its -g chooses a debugging build of the runtime.
    line_tables: None,
    local_accesses: &["-inst-local"],
    threads: &["-T="],
    threads_spelled: &["-T", "-threads", "--threads"],
    network: Some("-network="),
    // Berkeley UPC compares them when it links.
    configuration: &[
        "-network",
        "-pthreads",
        "-nopthreads",
        "-conf",
        "-translator",
        "-norc",
        "-g",
        "-trace",
        "-stats",
    ],
    filter: None,
    stops: &["-trans"],
    remedy: "this Berkeley UPC was built without instrumentation: whoever looks after it has to \
             build it with `configure --enable-inst` (where one installation has several \
             configurations, with `--with-multiconf=+opt_inst`)",
    // Its translator brings pupc.h.
    headers: &[
        ("gasp.h", GASP_H),
        (
            "gasp_upc.h",
            include_str!("../../support/gasp/berkeley/gasp_upc.h"),
        ),
    ],
    wraps_collectives: false,
    lacks: &[],
    launch: Launch::Launcher("upcrun", &["-q", "-n"]),
};
