//! Costs of the machine, which the analysis of some recordings compares with: how a study measures
//! them, and how its page shows them.

use crate::Error;
use crate::page::Page;
use crate::programs::{Improved, Recording};
use crate::tool::Tool;
use pgas_base::quantity::seconds;
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

/// The lines of block transfers.
pub fn show(machine: &Machine, page: &mut Page) {
    page.heading("Costs of the machine");
    page.text(
        "Block transfers as `pgastool time --machine` measured them before the runs: the line that \
         savings of findings are computed with, and by how much a measured size is off it at most.",
    );
    let mut rows = Vec::new();
    for model in models(machine) {
        for (role, what) in [(Role::BlockRead, "read"), (Role::BlockWrite, "written")] {
            for (distance, place) in [
                (Distance::Near, "the same node"),
                (Distance::Far, "another node"),
            ] {
                if let Some(line) = machine.transfer(&model, role, distance) {
                    rows.push(vec![
                        format!("{what}, thread of {place}"),
                        seconds(line.latency, false),
                        match line.per_byte > 0.0 {
                            true => format!("{:.2} GB/s", 1e-9 / line.per_byte),
                            false => "no time for bytes".to_string(),
                        },
                        format!("{:.0} %", 100.0 * line.deviation),
                    ]);
                }
            }
        }
    }
    page.table(&["block transfer", "latency", "rate", "off by"], &rows);
}

fn models(machine: &Machine) -> Vec<String> {
    let operations = machine.operations.iter();
    let mut models: Vec<String> = operations.map(|one| one.model.clone()).collect();
    models.dedup();
    models
}
