//! Costs of this machine's operations, as `pgastool time --machine` has measured them.

use super::Check;
use crate::installation::machine::{self, Known};
use pgas_base::quantity;
use pgas_machine::{Distance, Machine, Measured, Role};

const NAME: &str = "machine";

pub(super) fn checks() -> Vec<Check> {
    vec![match machine::find(None) {
        Ok(Some(known)) => Check::ok(NAME, described(&known)),
        Ok(None) => Check::ok(
            NAME,
            "not measured; `pgastool time --machine` lets the analysis compare with what operations \
             need here",
        ),
        Err(failure) => Check::warning(
            NAME,
            failure.message,
            "measure it again: pgastool time --machine",
        ),
    }]
}

fn described(Known { path, machine }: &Known) -> String {
    let figures: Vec<String> = transfers(machine).chain(together(machine)).collect();
    format!(
        "measured {} on {} ({}): {}",
        machine.measured,
        machine.host.name,
        path.display(),
        match figures.is_empty() {
            true => "no operations".to_owned(),
            false => figures.join("; "),
        }
    )
}

/// "upc_memget near 120 ns and 8.00 GiB/s".
fn transfers(machine: &Machine) -> impl Iterator<Item = String> {
    let blocks = machine
        .operations
        .iter()
        .filter(|measured| matches!(measured.role, Role::BlockRead | Role::BlockWrite));
    blocks.filter_map(|measured| {
        let distance = measured.distance.filter(|&d| d != Distance::Own)?;
        let transfer = machine.transfer(&measured.model, measured.role, distance)?;
        let rate = match transfer.per_byte > 0.0 {
            true => format!(" and {}/s", quantity::bytes(1.0 / transfer.per_byte)),
            false => String::new(),
        };
        let place = if distance == Distance::Far {
            "far"
        } else {
            "near"
        };
        Some(format!(
            "{} {place} {}{rate}",
            measured.operation,
            quantity::seconds(transfer.latency, false)
        ))
    })
}

/// "upc_barrier 1.20 µs (4 threads)", at the largest number of threads.
fn together(machine: &Machine) -> impl Iterator<Item = String> {
    let is_barrier = |measured: &&Measured| measured.role == Role::Barrier;
    machine
        .operations
        .iter()
        .filter(is_barrier)
        .filter_map(|measured| {
            let point = measured.points.last()?;
            Some(format!(
                "{} {} ({} threads)",
                measured.operation,
                quantity::seconds(point.seconds, false),
                point.threads
            ))
        })
}
