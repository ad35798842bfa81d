//! `pgastool cube info`: what is in a result.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use pgas_cube::model::{Cube, MetricId, Unit};
use pgas_cube::topology::Topology;
use pgas_cube::values::{Both, Calls, SystemTree, Values};
use pgas_report::{printable, quantity};
use serde_json::{Value, json};

use super::{read, words};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::terminal::{Ui, unicode_locale};

/// Show the contents of a result: the size of each part, the metrics with their totals
#[derive(Debug, Args)]
pub struct Info {
    /// Experiment or CUBE file
    result: PathBuf,
    /// For people or for scripts
    #[arg(long, value_enum, default_value_t = InfoFormat::Text)]
    format: InfoFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum InfoFormat {
    /// For reading in a terminal
    Text,
    /// For scripts
    Json,
}

pub fn info(arguments: &Info, ui: &Ui) -> Outcome {
    let cube = read(&arguments.result, ui)?;
    let text = match arguments.format {
        InfoFormat::Text => text(&arguments.result, &cube)?,
        InfoFormat::Json => {
            let mut text = serde_json::to_string_pretty(&object(&cube))?;
            text.push('\n');
            text
        }
    };
    output::deliver(&text, None)?;
    Ok(0)
}

/// Of every metric, over all call paths and threads.
fn totals(cube: &Cube) -> Both {
    Values::new(cube).per_metric(Calls::All, SystemTree::ROOT)
}

fn text(path: &Path, cube: &Cube) -> Result<String, Failure> {
    let ascii = !unicode_locale();
    let shown = |text: &str| printable(text, ascii);
    let mut out = String::new();
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let counts = [
        count(cube.metrics.len(), "metric"),
        count(cube.regions.len(), "region"),
        count(cube.call_paths.len(), "call path"),
        count(cube.nodes.len(), "node"),
        words(cube).count(cube.threads.len()),
    ];
    let path = shown(&path.display().to_string());
    // A String never fails to take more text.
    let _ = writeln!(out, "{path}: {}", counts.join(", "));
    for (key, value) in &cube.attributes {
        let _ = writeln!(out, "  {}: {}", shown(key), shown(value));
    }
    for topology in &cube.topologies {
        let _ = writeln!(out, "  topology {}", shown(&shape(topology)));
    }
    let totals = totals(cube);
    let tree = Values::new(cube);
    let tree = tree.metrics();
    let name = |m: usize| {
        let indent = "  ".repeat(tree.depth(m) + 1);
        format!("{indent}{}", shown(&cube.metrics[m].unique_name))
    };
    let order = tree.depth_first();
    let width = order.iter().map(|&m| pgas_report::names::width(&name(m)));
    let width = width.max().unwrap_or(0);
    let _ = writeln!(out, "\nmetrics, in all:");
    for &metric in order {
        let name = name(metric);
        let space = " ".repeat(width.saturating_sub(pgas_report::names::width(&name)));
        let value = spelled(cube.metrics[metric].unit, totals.inclusive[metric], ascii);
        let display = shown(&cube.metrics[metric].display_name);
        let _ = writeln!(out, "{name}{space}  {value:>10}  {display}");
    }
    Ok(out)
}

fn shape(topology: &Topology) -> String {
    let dimensions = topology.dimensions.iter().map(|dimension| {
        let periodic = if dimension.periodic { " periodic" } else { "" };
        format!("{} {}{periodic}", dimension.size, dimension.name)
    });
    let dimensions: Vec<_> = dimensions.collect();
    format!("{:?}: {}", topology.name, dimensions.join(" x "))
}

/// A value as people read it.
pub fn spelled(unit: Unit, value: f64, ascii: bool) -> String {
    // Differences may be negative; their size is what is spelled.
    let sign = if value < 0.0 { "-" } else { "" };
    let size = value.abs();
    let text = match unit {
        Unit::Seconds => quantity::seconds(size, ascii),
        Unit::Occurrences => quantity::count(size),
        Unit::Bytes => quantity::bytes(size),
    };
    format!("{sign}{text}")
}

fn object(cube: &Cube) -> Value {
    let totals = totals(cube);
    let metrics = cube.metrics.iter().enumerate().map(|(index, metric)| {
        json!({
            "id": metric.unique_name,
            "name": metric.display_name,
            "unit": metric.unit.symbol(),
            "parent": metric.parent.map(|MetricId(p)| &cube.metrics[p].unique_name),
            "total": totals.inclusive[index],
            "total_exclusive": totals.exclusive[index],
        })
    });
    let topologies = cube.topologies.iter().map(|topology| {
        let dimensions = topology
            .dimensions
            .iter()
            .map(|d| json!({"name": d.name, "size": d.size, "periodic": d.periodic}));
        json!({"name": topology.name, "dimensions": dimensions.collect::<Vec<_>>()})
    });
    json!({
        "schema": 1,
        "attributes": cube.attributes,
        "regions": cube.regions.len(),
        "call_paths": cube.call_paths.len(),
        "machine": cube.machine,
        "nodes": cube.nodes,
        "threads": cube.threads.len(),
        "topologies": topologies.collect::<Vec<_>>(),
        "metrics": metrics.collect::<Vec<_>>(),
    })
}
