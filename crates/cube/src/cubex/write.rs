//! Writes CUBE 4. Ids in the file are the indices in memory, as in CUBE 3; below an added root,
//! those of regions and call paths are one higher.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use super::data::{ByteOrder, Scalar, encode_data, encode_index};
use super::{ADDED_ROOT, ANCHOR, archive, positions};
use crate::Error;
use crate::cube3::InvalidCube;
use crate::model::{Aggregation, CallPathId, Cube, MetricId};
use crate::roles;
use crate::values::{SystemKind, SystemTree, Tree};
use crate::xml::{Plan, Program4, element, line};

/// How a file is written; the default is what every reader takes, and exact.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CubexOptions {
    /// Of the values.
    pub byte_order: ByteOrder,
    /// Whether rows are compressed by zlib.
    pub compress: bool,
    /// Metrics that are stored inclusive over the call tree, as Scalasca stores times. Readers get
    /// the exclusive values as differences, exact for counts and rounded for times.
    pub inclusive: BTreeSet<MetricId>,
}

/// Writes `cube` as a CUBE 4 file, under a temporary name that is then renamed to `path`.
///
/// Lines that are unknown (0) are written as -1. Nodes without a thread and rows of zeros are left
/// out. A metric of occurrences or bytes is of type UINT64 or INT64 if all its values are integers,
/// others are DOUBLE, or MINDOUBLE and MAXDOUBLE if they are minima and maxima. If the call tree
/// has several roots, a root `PROGRAM` is put above them, since some readers want one;
/// [`read_cubex`](super::read_cubex) takes it away again.
///
/// # Errors
/// [`Error::Unwritable`] if the cube breaks the rules of its model or of the format, [`Error::Io`]
/// if the system refuses.
pub fn write_cubex(
    cube: &Cube,
    options: &CubexOptions,
    path: impl AsRef<Path>,
) -> Result<(), Error> {
    let path = path.as_ref();
    let writer = Writer::new(cube, options).map_err(|problem| Error::Unwritable {
        path: path.to_owned(),
        problem,
    })?;
    pgas_files::replace_buffered(path, |out| writer.write(out)).map_err(Error::io("write", path))
}

/// The same bytes in memory.
///
/// # Errors
/// [`InvalidCube`] where [`write_cubex`] would say [`Error::Unwritable`].
pub fn to_bytes(cube: &Cube, options: &CubexOptions) -> Result<Vec<u8>, InvalidCube> {
    let writer = Writer::new(cube, options).map_err(InvalidCube)?;
    let mut bytes = Vec::new();
    writer
        .write(&mut bytes)
        .map_err(|error| InvalidCube(error.to_string()))?;
    Ok(bytes)
}

struct Writer<'a> {
    plan: Plan<'a>,
    options: &'a CubexOptions,
    /// Whether a root is put above the roots.
    add_root: bool,
    /// The call tree of the file, in which that root is entry 0 and the others are one higher.
    tree: Tree,
    scalars: Vec<(Scalar, &'static str)>,
}

impl<'a> Writer<'a> {
    fn new(cube: &'a Cube, options: &'a CubexOptions) -> Result<Self, String> {
        let plan = Plan::of(cube)?;
        if u32::try_from(cube.call_paths.len()).is_err() {
            return Err("there are 2^32 call paths or more".into());
        }
        let parents = cube.call_paths.iter().map(|c| c.parent.map(|p| p.0));
        let add_root = parents.clone().filter(Option::is_none).count() > 1;
        let tree = match add_root {
            false => Tree::new(parents),
            true => Tree::new(
                std::iter::once(None).chain(parents.map(|p| Some(p.map_or(0, |p| p + 1)))),
            ),
        };
        let mut negative = vec![false; cube.metrics.len()];
        for (metric, _, values) in cube.rows() {
            negative[metric.0] |= values.iter().any(|&value| value < 0.0);
        }
        let scalar = |metric: usize| match cube.aggregation(MetricId(metric)) {
            Aggregation::Minimum => (Scalar::Float, "MINDOUBLE"),
            Aggregation::Maximum => (Scalar::Float, "MAXDOUBLE"),
            Aggregation::Sum if !plan.is_integer(metric) => (Scalar::Float, "DOUBLE"),
            Aggregation::Sum if negative[metric] => (Scalar::Signed(8), "INT64"),
            Aggregation::Sum => (Scalar::Unsigned(8), "UINT64"),
        };
        Ok(Writer {
            scalars: (0..cube.metrics.len()).map(scalar).collect(),
            add_root,
            plan,
            options,
            tree,
        })
    }

    fn write(&self, out: impl Write) -> io::Result<()> {
        let mut archive = tar::Builder::new(out);
        let mut anchor = Vec::new();
        self.write_anchor(&mut anchor)?;
        archive::append(&mut archive, ANCHOR, &anchor)?;
        drop(anchor);
        for metric in 0..self.plan.cube.metrics.len() {
            let (index, data) = self.metric_files(MetricId(metric))?;
            archive::append(&mut archive, &format!("{metric}.index"), &index)?;
            archive::append(&mut archive, &format!("{metric}.data"), &data)?;
        }
        archive.into_inner()?.flush()
    }

    fn is_inclusive(&self, metric: usize) -> bool {
        // Minima and maxima are no sums, whose parts could be had by subtraction.
        let sums = self.plan.cube.aggregation(MetricId(metric)) == Aggregation::Sum;
        sums && self.options.inclusive.contains(&MetricId(metric))
    }

    fn metric_files(&self, metric: MetricId) -> io::Result<(Vec<u8>, Vec<u8>)> {
        let cube = self.plan.cube;
        let inclusive = self.is_inclusive(metric.0);
        let order = positions::order(&self.tree, inclusive);
        let is_zero = |row: &[f64]| row.iter().all(|&value| value == 0.0);
        let mut sums = match inclusive {
            true => self.inclusive_rows(metric),
            false => Vec::new(),
        };
        let mut rows: Vec<(u32, Cow<[f64]>)> = Vec::new();
        for (position, &entry) in (0u32..).zip(&order) {
            let row = match inclusive {
                true => sums[entry].take().map(Cow::from),
                false => self.row(metric, entry).map(Cow::from),
            };
            rows.extend(row.filter(|row| !is_zero(row)).map(|row| (position, row)));
        }
        if rows.is_empty() {
            // Readers do not take a metric without a row.
            rows.push((0, Cow::from(vec![0.0; cube.threads.len()])));
        }
        let indices: Vec<u32> = rows.iter().map(|(position, _)| *position).collect();
        let neutral = match cube.aggregation(metric) {
            Aggregation::Sum => None,
            Aggregation::Minimum => Some(f64::MAX),
            Aggregation::Maximum => Some(f64::MIN),
        };
        let rows = rows.into_iter().map(|(_, row)| match neutral {
            None => row,
            Some(neutral) => {
                let values = row.iter().map(|&v| if v == 0.0 { neutral } else { v });
                Cow::from(values.collect::<Vec<_>>())
            }
        });
        let (scalar, _) = self.scalars[metric.0];
        let CubexOptions {
            byte_order,
            compress,
            ..
        } = *self.options;
        let data = encode_data(rows, scalar, byte_order, compress)?;
        Ok((encode_index(&indices, byte_order), data))
    }

    /// Of an entry of the file's call tree.
    fn row(&self, metric: MetricId, entry: usize) -> Option<&[f64]> {
        let path = entry.checked_sub(usize::from(self.add_root))?;
        self.plan.cube.row(metric, CallPathId(path))
    }

    /// By entry of the file's call tree: the sum over its subtree.
    fn inclusive_rows(&self, metric: MetricId) -> Vec<Option<Vec<f64>>> {
        let mut sums: Vec<Option<Vec<f64>>> = vec![None; self.tree.len()];
        for entry in (0..sums.len()).rev() {
            if let Some(row) = self.row(metric, entry) {
                add(&mut sums[entry], row);
            }
            let Some(parent) = self.tree.parent(entry) else {
                continue;
            };
            if let Some(row) = sums[entry].take() {
                add(&mut sums[parent], &row);
                sums[entry] = Some(row);
            }
        }
        sums
    }

    fn write_anchor(&self, out: &mut dyn Write) -> io::Result<()> {
        let cube = self.plan.cube;
        out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.3\">\n")?;
        self.plan.write_header(&cube.attributes, out)?;
        let kind_and_type = |metric: usize| {
            let kind = match self.is_inclusive(metric) {
                true => " type=\"INCLUSIVE\"",
                false => " type=\"EXCLUSIVE\"",
            };
            (kind, self.scalars[metric].1)
        };
        self.plan.write_metrics(kind_and_type, out)?;
        let more = Program4 {
            roles: &roles::of,
            root: self.add_root.then_some(ADDED_ROOT),
        };
        self.plan.write_program(Some(&more), out)?;
        self.write_system(out)?;
        out.write_all(b"</cube>\n")
    }

    fn write_system(&self, out: &mut dyn Write) -> io::Result<()> {
        let system = SystemTree::new(self.plan.cube);
        let (mut system_id, mut group_id, mut rank) = (0, 0, 0);
        let mut closing = Vec::new();
        writeln!(out, "<system>")?;
        for (index, node) in system.nodes().iter().enumerate() {
            while closing.len() > system.tree().depth(index) {
                writeln!(out, "{}", closing.pop().unwrap_or_default())?;
            }
            let name = line(&node.name);
            match node.kind {
                SystemKind::Machine | SystemKind::Node(_) => {
                    writeln!(out, "<systemtreenode Id=\"{system_id}\">")?;
                    element(out, "name", &name)?;
                    let class = match node.kind {
                        SystemKind::Machine => "machine",
                        _ => "node",
                    };
                    element(out, "class", class)?;
                    system_id += 1;
                    closing.push("</systemtreenode>");
                }
                SystemKind::Process(number) => {
                    writeln!(out, "<locationgroup Id=\"{group_id}\">")?;
                    element(out, "name", &name)?;
                    element(out, "rank", &number.to_string())?;
                    element(out, "type", "process")?;
                    group_id += 1;
                    rank = 0;
                    closing.push("</locationgroup>");
                }
                SystemKind::Thread(number) => {
                    writeln!(out, "<location Id=\"{number}\">")?;
                    element(out, "name", &name)?;
                    element(out, "rank", &rank.to_string())?;
                    element(out, "type", "thread")?;
                    rank += 1;
                    closing.push("</location>");
                }
            }
        }
        for end in closing.iter().rev() {
            writeln!(out, "{end}")?;
        }
        self.plan.write_topologies("locId", true, out)?;
        writeln!(out, "</system>")
    }
}

fn add(sum: &mut Option<Vec<f64>>, row: &[f64]) {
    match sum {
        None => *sum = Some(row.to_vec()),
        Some(sum) => sum
            .iter_mut()
            .zip(row)
            .for_each(|(sum, value)| *sum += value),
    }
}
