//! The costs of a machine where the place of the data matters: near and far side by side.

use pgas_base::quantity::{percent, seconds};
use pgas_machine::{Distance, Machine, Measured};
use std::collections::BTreeMap;

/// By distance: on the same node, on another one.
type Cells = [Option<String>; 2];

/// A table with a line for each operation on data of another thread; empty if there is none. Block
/// transfers have the fitted line, and by how much a measured point differs from it at most.
pub fn table(machine: &Machine, ascii: bool) -> String {
    let mut rows: BTreeMap<&str, Cells> = BTreeMap::new();
    for measured in &machine.operations {
        let column = match measured.distance {
            Some(Distance::Near) => 0,
            Some(Distance::Far) => 1,
            Some(Distance::Own) | None => continue,
        };
        let cells = rows.entry(&measured.operation).or_default();
        cells[column] = cost(machine, measured, ascii);
    }
    let titles = ["near", "far"].map(|title| Some(title.to_owned()));
    let lines = rows.iter().map(|(name, cells)| line(name, cells));
    match rows.is_empty() {
        true => String::new(),
        false => line("operation", &titles) + &lines.collect::<String>(),
    }
}

fn line(name: &str, cells: &Cells) -> String {
    let [near, far] = cells.each_ref().map(|cell| cell.as_deref().unwrap_or("-"));
    format!("{name:24}  {near:36}  {far}\n")
}

/// "1.20 us + 0.110 ns/byte, 4 % off", or the time of one that has no size.
fn cost(machine: &Machine, measured: &Measured, ascii: bool) -> Option<String> {
    let last = measured.points.last()?;
    if last.bytes.is_none() {
        return Some(seconds(last.seconds, ascii));
    }
    let transfer = machine.transfer(&measured.model, measured.role, measured.distance?)?;
    Some(format!(
        "{} + {:.3} ns/byte, {} off",
        seconds(transfer.latency, ascii),
        1e9 * transfer.per_byte,
        percent(100.0 * transfer.deviation)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_machine::{FORMAT, Host, Point, Role};

    fn measured(role: Role, operation: &str, distance: Distance, points: &[Point]) -> Measured {
        Measured {
            model: "upc".into(),
            implementation: "test".into(),
            role,
            operation: operation.into(),
            arguments: BTreeMap::new(),
            distance: Some(distance),
            points: points.to_vec(),
        }
    }

    fn point(bytes: Option<u64>, seconds: f64) -> Point {
        Point {
            threads: 2,
            nodes: 2,
            have_cores: true,
            bytes,
            seconds,
            interval: (seconds, seconds),
        }
    }

    #[test]
    fn near_and_far_stand_side_by_side() {
        let line = |alpha: f64, beta: f64| {
            [8, 1024, 65536].map(|m| point(Some(m), alpha + beta * m as f64))
        };
        let block =
            |distance, points: &[Point]| measured(Role::BlockRead, "upc_memget", distance, points);
        let mut machine = Machine {
            format: FORMAT,
            measured: String::new(),
            tool_version: String::new(),
            host: Host {
                name: "node".into(),
                cores: 2,
            },
            confidence: 0.95,
            operations: vec![
                block(Distance::Near, &line(1e-6, 1e-10)),
                block(Distance::Far, &line(2e-5, 1e-9)),
                measured(
                    Role::Read,
                    "shared_read",
                    Distance::Near,
                    &[point(None, 3e-9)],
                ),
            ],
        };
        let text = table(&machine, true);
        let lines: Vec<Vec<&str>> = text
            .lines()
            .map(|line| {
                line.split("  ")
                    .map(str::trim)
                    .filter(|w| !w.is_empty())
                    .collect()
            })
            .collect();
        assert_eq!(lines[0], ["operation", "near", "far"]);
        assert_eq!(lines[1], ["shared_read", "3.00 ns", "-"]);
        assert_eq!(lines[2][0], "upc_memget");
        assert!(lines[2][1].starts_with("1.00 us + 0.100 ns/byte, "));
        assert!(lines[2][2].starts_with("20.0 us + 1.000 ns/byte, "));
        machine.operations.clear();
        assert_eq!(table(&machine, true), "");
    }
}
