//! Berkeley UPC. Its `upcc -inst` works only through a tool that names itself; any name does. It must have been built
//! with `--enable-inst`.

use super::{Launch, Table};

pub(super) const TABLE: Table = Table {
    id: "berkeley",
    name: "Berkeley UPC",
    recognises: |answer| {
        answer.contains("Berkeley Unified Parallel C") || answer.contains("Berkeley UPC")
    },
    refusal: None,
    // -lines: events carry the lines of the source, not those of the translated program.
    instrument: &["-inst", "-inst-toolname=pgastool", "-lines"],
    functions: &["-inst-functions"],
    local_accesses: &["-inst-local"],
    threads: "-T=",
    filter: None,
    stops: &["-trans"],
    lacks: &[],
    launch: Launch::Launcher("upcrun", &["-q", "-n"]),
};
