//! The compiler that belongs to this tool.

use super::{Launch, Table};

pub(super) const TABLE: Table = Table {
    id: "embedded",
    name: "embedded UPC compiler",
    recognises: |answer| answer.contains("pgas-upcc"),
    refusal: None,
    instrument: &["-inst"],
    functions: &["-inst-functions"],
    local_accesses: &["-inst-local"],
    threads: "-T ",
    filter: Some("-inst-filter"),
    stops: &["-trans", "--show", "-h"],
    lacks: &[],
    launch: Launch::Environment,
};
