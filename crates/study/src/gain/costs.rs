//! Costs of the machine, which the analysis of some recordings compares with: how a study measures
//! them, and how its page shows them.

use crate::Error;
use crate::page::Page;
use crate::programs::{Improved, Recording};
use crate::tool::Tool;
use pgas_base::quantity::{bytes, seconds};
use pgas_machine::{Distance, Machine, Role};

/// In the scratch directory.
const FILE: &str = "machine.json";

/// Few launches, after barriers, which does not depend on how busy the machine is.
const SHORT: &[&str] = &[
    "--method",
    "barrier",
    "--no-timer-check",
    "--stage",
    "3",
    "--most",
    "6",
    "--fewest-correct",
    "2",
];

/// Measures them if a recording needs them. Two threads at least, since transfers are between two.
pub fn measure(
    improved: &Improved,
    tool: &Tool,
    threads: u32,
    short: bool,
) -> Result<Option<Machine>, Error> {
    let mut recordings = improved.recordings.iter();
    if !recordings.any(|recording| recording.with_machine) {
        return Ok(None);
    }
    eprintln!("  measuring the costs of the machine");
    let options = if short { SHORT } else { &[] };
    tool.measure_machine(FILE, threads.max(2), options)
        .map(Some)
}

/// Options of `pgastool run` for a recording.
pub fn options(recording: &Recording) -> &'static [&'static str] {
    match recording.with_machine {
        true => &["--machine", FILE],
        false => &[],
    }
}

/// The times of block transfers by size.
pub fn show(machine: &Machine, page: &mut Page) {
    page.heading("Costs of the machine");
    page.text(
        "Block transfers between two threads as `pgastool time --machine` measured them before the \
         runs. Savings of findings are computed with the straight line between the two sizes \
         around that of the block.",
    );
    let blocks = machine.operations.iter().filter_map(|operation| {
        let what = match operation.role {
            Role::BlockRead => "read",
            Role::BlockWrite => "written",
            _ => return None,
        };
        let place = match operation.distance? {
            Distance::Own => return None,
            Distance::Near => "the same node",
            Distance::Far => "another node",
        };
        Some((operation, format!("{what}, thread of {place}")))
    });
    for (operation, title) in blocks {
        let timed = operation.points.iter();
        let timed = timed.filter_map(|point| Some((point.bytes?, point.seconds)));
        let (sizes, times): (Vec<String>, Vec<String>) = timed
            .map(|(size, time)| (bytes(size as f64), seconds(time, false)))
            .unzip();
        let head: Vec<&str> = std::iter::once("block transfer")
            .chain(sizes.iter().map(String::as_str))
            .collect();
        page.table(&head, &[[vec![title], times].concat()]);
    }
}
