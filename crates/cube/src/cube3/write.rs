//! Writes CUBE 3 in the narrow form that CUBE's own parser accepts. Ids in the file are the indices in memory (plus
//! one for regions), so that `summary.json`, which refers to call paths by index, stays right.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

use super::tree::{steps, Step};
use super::{escape, number};
use crate::model::{CallPath, Cube, Metric, Region, Unit};
use crate::{atomic, Error};

/// The largest integer up to which `f64` holds every integer.
const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

/// Writes `cube` as CUBE 3 XML, under a temporary name that is then renamed to `path`.
///
/// Lines that are unknown (0) are written as -1, the custom of CUBE. Nodes without a thread are left out, rows of
/// zeros too. Metrics of occurrences and bytes are of type INTEGER if all their values are integers.
///
/// # Errors
/// [`Error::Unwritable`] if the cube breaks the rules of its model or of the format (an empty tree, an index that
/// leads nowhere, a value that is not finite), [`Error::Io`] if the system refuses.
pub fn write_cube3(cube: &Cube, path: impl AsRef<Path>) -> Result<(), Error> {
    let path = path.as_ref();
    let plan = Plan::of(cube).map_err(|problem| Error::Unwritable {
        path: path.to_owned(),
        problem,
    })?;
    atomic::write(path, |out| plan.write(out))
}

/// Which rule of the model or of the format a cube breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this result cannot be a CUBE file: {0}")]
pub struct InvalidCube(String);

/// The same text in memory.
///
/// # Errors
/// [`InvalidCube`] where [`write_cube3`] would say [`Error::Unwritable`].
pub fn to_string(cube: &Cube) -> Result<String, InvalidCube> {
    let plan = Plan::of(cube).map_err(InvalidCube)?;
    let mut bytes = Vec::new();
    plan.write(&mut bytes)
        .map_err(|e| InvalidCube(e.to_string()))?;
    String::from_utf8(bytes).map_err(|e| InvalidCube(e.to_string()))
}

/// A cube that was found to be writable, and the order to write it in.
struct Plan<'a> {
    cube: &'a Cube,
    metric_steps: Vec<Step>,
    call_path_steps: Vec<Step>,
    /// Per metric: whether a value is no integer, or too large to be exact.
    fractional: Vec<bool>,
}

impl<'a> Plan<'a> {
    fn of(cube: &'a Cube) -> Result<Self, String> {
        for (what, count) in [
            ("metric", cube.metrics.len()),
            ("region", cube.regions.len()),
            ("call path", cube.call_paths.len()),
            ("node", cube.nodes.len()),
            ("thread", cube.threads.len()),
        ] {
            if count == 0 {
                return Err(format!("there is no {what}, but CUBE needs at least one"));
            }
        }
        let mut names = HashSet::new();
        for metric in &cube.metrics {
            if !names.insert(&metric.unique_name) {
                return Err(format!("two metrics are named {:?}", metric.unique_name));
            }
        }
        for (index, call_path) in cube.call_paths.iter().enumerate() {
            if call_path.region.0 >= cube.regions.len() {
                return Err(format!(
                    "call path {index} is in region {}, there are {}",
                    call_path.region.0,
                    cube.regions.len()
                ));
            }
        }
        for (index, thread) in cube.threads.iter().enumerate() {
            if thread.node >= cube.nodes.len() {
                return Err(format!(
                    "thread {index} is on node {}, there are {}",
                    thread.node,
                    cube.nodes.len()
                ));
            }
        }
        let metric_parents: Vec<_> = cube.metrics.iter().map(|m| m.parent.map(|p| p.0)).collect();
        let metric_steps =
            steps(&metric_parents).map_err(|i| format!("the parent of metric {i} is behind it"))?;
        let parents: Vec<_> = cube
            .call_paths
            .iter()
            .map(|c| c.parent.map(|p| p.0))
            .collect();
        let call_path_steps =
            steps(&parents).map_err(|i| format!("the parent of call path {i} is behind it"))?;

        Ok(Plan {
            cube,
            metric_steps,
            call_path_steps,
            fractional: check_severities(cube)?,
        })
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"3.0\">\n")?;
        self.write_header(out)?;
        self.write_metrics(out)?;
        self.write_program(out)?;
        self.write_system(out)?;
        self.write_severity(out)?;
        out.write_all(b"</cube>\n")
    }

    fn write_header(&self, out: &mut dyn Write) -> io::Result<()> {
        for (key, value) in &self.cube.attributes {
            let (key, value) = (line(key), line(value));
            writeln!(out, "<attr key=\"{key}\" value=\"{value}\"/>")?;
        }
        writeln!(out, "<doc>\n<mirrors>")?;
        for mirror in &self.cube.mirrors {
            writeln!(out, "<murl>{}</murl>", line(mirror))?;
        }
        writeln!(out, "</mirrors>\n</doc>")
    }

    fn write_metrics(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "<metrics>")?;
        for step in &self.metric_steps {
            match *step {
                Step::Open(id) => self.open_metric(out, id, &self.cube.metrics[id])?,
                Step::Close(_) => writeln!(out, "</metric>")?,
            }
        }
        writeln!(out, "</metrics>")
    }

    fn open_metric(&self, out: &mut dyn Write, id: usize, metric: &Metric) -> io::Result<()> {
        let (unit, counts) = match metric.unit {
            Unit::Seconds => ("sec", false),
            Unit::Occurrences => ("occ", true),
            Unit::Bytes => ("bytes", true),
        };
        let data_type = if counts && !self.fractional[id] {
            "INTEGER"
        } else {
            "FLOAT"
        };
        writeln!(out, "<metric id=\"{id}\">")?;
        element(out, "disp_name", &line(&metric.display_name))?;
        element(out, "uniq_name", &line(&metric.unique_name))?;
        element(out, "dtype", data_type)?;
        element(out, "uom", unit)?;
        element(out, "url", &line(&metric.url))?;
        element(out, "descr", &paragraph(&metric.description))
    }

    fn write_program(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "<program>")?;
        for (index, region) in self.cube.regions.iter().enumerate() {
            let Region {
                name,
                module,
                begin_line,
                end_line,
                description,
            } = region;
            writeln!(
                out,
                "<region id=\"{}\" mod=\"{}\" begin=\"{}\" end=\"{}\">",
                index + 1,
                line(module),
                line_number(*begin_line),
                line_number(*end_line)
            )?;
            element(out, "name", &line(name))?;
            element(out, "url", "")?;
            element(out, "descr", &paragraph(description))?;
            writeln!(out, "</region>")?;
        }
        for step in &self.call_path_steps {
            match *step {
                Step::Open(id) => {
                    let CallPath {
                        region,
                        file,
                        line: number,
                        ..
                    } = &self.cube.call_paths[id];
                    writeln!(
                        out,
                        "<cnode id=\"{id}\" line=\"{}\" mod=\"{}\" calleeId=\"{}\">",
                        line_number(*number),
                        line(file),
                        region.0 + 1
                    )?;
                }
                Step::Close(_) => writeln!(out, "</cnode>")?,
            }
        }
        writeln!(out, "</program>")
    }

    fn write_system(&self, out: &mut dyn Write) -> io::Result<()> {
        // Grouped by node, then process; threads keep their order, so that equal neighbours form the groups.
        let mut order: Vec<usize> = (0..self.cube.threads.len()).collect();
        order.sort_by_key(|&t| {
            let thread = &self.cube.threads[t];
            (thread.node, thread.process, t)
        });
        let threads = &self.cube.threads;

        writeln!(out, "<system>\n<machine Id=\"0\">")?;
        element(out, "name", &line(&self.cube.machine))?;
        let mut process_id = 0;
        let same_node = |a: &usize, b: &usize| threads[*a].node == threads[*b].node;
        for (node_id, on_node) in order.chunk_by(same_node).enumerate() {
            writeln!(out, "<node Id=\"{node_id}\">")?;
            element(
                out,
                "name",
                &line(&self.cube.nodes[threads[on_node[0]].node]),
            )?;
            let same_process = |a: &usize, b: &usize| threads[*a].process == threads[*b].process;
            for in_process in on_node.chunk_by(same_process) {
                let rank = threads[in_process[0]].process;
                writeln!(out, "<process Id=\"{process_id}\">")?;
                element(out, "name", &format!("Process {rank}"))?;
                element(out, "rank", &rank.to_string())?;
                for (rank, &id) in in_process.iter().enumerate() {
                    writeln!(out, "<thread Id=\"{id}\">")?;
                    element(out, "name", &line(&threads[id].name))?;
                    element(out, "rank", &rank.to_string())?;
                    writeln!(out, "</thread>")?;
                }
                writeln!(out, "</process>")?;
                process_id += 1;
            }
            writeln!(out, "</node>")?;
        }
        writeln!(out, "</machine>")?;
        self.write_topology(out)?;
        writeln!(out, "</system>")
    }

    /// Threads in a row: the only topology that every UPC program has.
    fn write_topology(&self, out: &mut dyn Write) -> io::Result<()> {
        let count = self.cube.threads.len();
        writeln!(
            out,
            "<topologies>\n<cart ndims=\"1\">\n<dim size=\"{count}\" periodic=\"false\"/>"
        )?;
        for thread in 0..count {
            writeln!(out, "<coord thrdId=\"{thread}\">{thread}</coord>")?;
        }
        writeln!(out, "</cart>\n</topologies>")
    }

    fn write_severity(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "<severity>")?;
        let mut open = None;
        let mut text = String::new();
        for (metric, call_path, values) in self.cube.rows() {
            if values.iter().all(|&value| value == 0.0) {
                continue;
            }
            if open != Some(metric) {
                if open.is_some() {
                    writeln!(out, "</matrix>")?;
                }
                writeln!(out, "<matrix metricId=\"{}\">", metric.0)?;
                open = Some(metric);
            }
            text.clear();
            for &value in values {
                number::push(&mut text, value);
                text.push('\n');
            }
            write!(out, "<row cnodeId=\"{}\">\n{text}</row>\n", call_path.0)?;
        }
        if open.is_some() {
            writeln!(out, "</matrix>")?;
        }
        writeln!(out, "</severity>")
    }
}

/// Checks all values and finds out which metrics have fractions.
fn check_severities(cube: &Cube) -> Result<Vec<bool>, String> {
    let mut fractional = vec![false; cube.metrics.len()];
    for (metric, call_path, values) in cube.rows() {
        let place = || format!("metric {}, call path {}", metric.0, call_path.0);
        let Some(flag) = fractional.get_mut(metric.0) else {
            return Err(format!("{}: there is no such metric", place()));
        };
        if call_path.0 >= cube.call_paths.len() {
            return Err(format!("{}: there is no such call path", place()));
        }
        if values.len() != cube.threads.len() {
            return Err(format!(
                "{}: {} values for {} threads",
                place(),
                values.len(),
                cube.threads.len()
            ));
        }
        for (thread, &value) in values.iter().enumerate() {
            if !value.is_finite() {
                return Err(format!(
                    "{}, thread {thread}: the value is {value}",
                    place()
                ));
            }
            *flag |= value.fract() != 0.0 || value.abs() > MAX_EXACT_INTEGER;
        }
    }
    Ok(fractional)
}

fn element(out: &mut dyn Write, name: &str, escaped: &str) -> io::Result<()> {
    writeln!(out, "<{name}>{escaped}</{name}>")
}

fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape::push_line(&mut out, text);
    out
}

fn paragraph(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape::push_paragraph(&mut out, text);
    out
}

/// CUBE's spelling of a line number that may be unknown.
fn line_number(line: u32) -> i64 {
    match line {
        0 => -1,
        _ => i64::from(line),
    }
}
