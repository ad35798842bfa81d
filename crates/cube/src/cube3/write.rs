//! Writes CUBE 3 in the narrow form that CUBE's own parser accepts. Ids in the file are the indices
//! in memory, so that `summary.json`, which refers to call paths by index, stays right, and CubeLib
//! finds every entry in its vectors.

use std::io::{self, Write};
use std::path::Path;

use super::names;
use crate::Error;
use crate::model::Cube;
use crate::xml::{Plan, element, line, push_number};

/// Writes `cube` as CUBE 3 XML, under a temporary name that is then renamed to `path`.
///
/// Lines that are unknown (0) are written as -1, the custom of CUBE. Nodes without a thread are
/// left out, rows of zeros too. Metrics of occurrences and bytes are of type INTEGER if all their
/// values are integers.
///
/// # Errors
/// [`Error::Unwritable`] if the cube breaks the rules of its model or of the format (an empty tree,
/// an index that leads nowhere, a value that is not finite), [`Error::Io`] if the system refuses.
pub fn write_cube3(cube: &Cube, path: impl AsRef<Path>) -> Result<(), Error> {
    let path = path.as_ref();
    let writable = Writable::new(cube).map_err(|InvalidCube(problem)| Error::Unwritable {
        path: path.to_owned(),
        problem,
    })?;
    pgas_files::replace_buffered(path, |out| writable.write(out)).map_err(Error::io("write", path))
}

/// A cube that keeps the rules of CUBE 3, for other destinations than a file.
pub struct Writable<'a>(Plan<'a>);

impl<'a> Writable<'a> {
    /// # Errors
    /// [`InvalidCube`] where [`write_cube3`] would say [`Error::Unwritable`].
    pub fn new(cube: &'a Cube) -> Result<Self, InvalidCube> {
        plan(cube).map(Writable).map_err(InvalidCube)
    }

    /// Writes the document.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.0.write(out)
    }
}

/// The rule of the model or of the format that a cube breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this result cannot be a CUBE file: {0}")]
pub struct InvalidCube(pub String);

/// The same text in memory.
///
/// # Errors
/// [`InvalidCube`] where [`write_cube3`] would say [`Error::Unwritable`].
pub fn to_string(cube: &Cube) -> Result<String, InvalidCube> {
    let mut bytes = Vec::new();
    Writable::new(cube)?
        .write(&mut bytes)
        .map_err(|e| InvalidCube(e.to_string()))?;
    String::from_utf8(bytes).map_err(|e| InvalidCube(e.to_string()))
}

fn plan(cube: &Cube) -> Result<Plan<'_>, String> {
    let plan = Plan::of(cube)?;
    if let Some(metric) = cube.aggregations.keys().find_map(|m| cube.metrics.get(m.0)) {
        return Err(format!(
            "metric {:?} is a minimum or maximum, and CUBE 3 knows sums alone; write CUBE 4 \
             (.cubex)",
            metric.unique_name
        ));
    }
    Ok(plan)
}

impl Plan<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"3.0\">\n")?;
        self.write_header(&names::attributes(self.cube), out)?;
        self.write_metrics(|id| self.kind_and_type(id), out)?;
        self.write_program(None, out)?;
        self.write_system(out)?;
        self.write_severity(out)?;
        out.write_all(b"</cube>\n")
    }

    fn kind_and_type(&self, metric: usize) -> (&'static str, &'static str) {
        let data_type = match self.is_integer(metric) {
            true => "INTEGER",
            false => "FLOAT",
        };
        ("", data_type)
    }

    fn write_system(&self, out: &mut dyn Write) -> io::Result<()> {
        // Grouped by node, then process; threads keep their order, so that equal neighbours form
        // the groups.
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
        self.write_topologies("thrdId", false, out)?;
        writeln!(out, "</system>")
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
                push_number(&mut text, value);
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
