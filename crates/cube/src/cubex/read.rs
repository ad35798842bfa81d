//! Reads CUBE 4 files, ours and those of Score-P and Scalasca. Parts that the model has no place
//! for are left out and reported.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::Path;

use super::archive::{Archive, NoArchive};
use super::data::{Damage, Scalar, decode_data, decode_index};
use super::{ADDED_ROOT, ANCHOR, positions};
use crate::Error;
use crate::model::{Aggregation, CallPathId, Cube, MetricId};
use crate::unzip::{Refused, unzipped};
use crate::values::{Tree, remainder};
use crate::xml::{self, Dialect, Document, Limits, MetricData};

const ADVICE: &str = "the file is damaged or no CUBE 4 file; write it again";

/// Content of a CUBE 4 file.
#[derive(Debug, Clone, PartialEq)]
pub struct Cubex {
    /// Trees and severities of the file.
    pub cube: Cube,
    /// Metrics that the model has no place for, and why, and other things to know about the file;
    /// for a person.
    pub left_out: Vec<String>,
}

/// Reads a CUBE 4 file with the default [`Limits`].
///
/// Metrics that are stored inclusive over the call tree become exclusive. Derived metrics, which
/// have a formula in place of values, metrics whose values are more than a number, and those of
/// units other than seconds, occurrences and bytes are left out. The remarks at
/// [`read_cube3`](crate::read_cube3) about ids and lines hold here too.
///
/// # Errors
/// [`Error::Io`]; [`Error::Malformed`] with line and byte in the XML; [`Error::Damaged`] with the
/// member of the archive and the byte in it; [`Error::Limit`].
pub fn read_cubex(path: impl AsRef<Path>) -> Result<Cubex, Error> {
    let path = path.as_ref();
    let file = pgas_files::open(path).map_err(Error::io("read", path))?;
    read_from(BufReader::new(file), path, &Limits::default())
}

/// The same from memory; `name` is the file's name in errors.
///
/// # Errors
/// As [`read_cubex`].
pub fn parse_cubex(bytes: &[u8], name: &Path, limits: &Limits) -> Result<Cubex, Error> {
    read_from(Cursor::new(bytes), name, limits)
}

/// The trees of a CUBE 4 file, as XML.
///
/// # Errors
/// Those of [`read_cubex`] that concern the archive.
pub(crate) fn read_anchor(path: &Path) -> Result<Vec<u8>, Error> {
    let file = pgas_files::open(path).map_err(Error::io("read", path))?;
    let mut archive = open_archive(BufReader::new(file), path)?;
    anchor(&mut archive, path).map(|(xml, _)| xml)
}

fn open_archive<R: Read + Seek>(source: R, path: &Path) -> Result<Archive<R>, Error> {
    Archive::open(source).map_err(|problem| match problem {
        NoArchive::Io(error) => Error::io("read", path)(error),
        NoArchive::Damaged {
            offset,
            found,
            expected,
        } => damaged(path, "archive", offset, found, expected.into()),
    })
}

/// The trees, and the byte of the file at which they begin.
fn anchor<R: Read + Seek>(archive: &mut Archive<R>, path: &Path) -> Result<(Vec<u8>, u64), Error> {
    let offset = archive.offset(ANCHOR);
    let bytes = archive.member(ANCHOR).map_err(Error::io("read", path))?;
    let Some(bytes) = bytes else {
        let found = "an archive without it".into();
        return Err(damaged(path, ANCHOR, 0, found, "the trees".into()));
    };
    let xml =
        plain_anchor(bytes).map_err(|found| damaged(path, ANCHOR, offset, found, "XML".into()))?;
    Ok((xml, offset))
}

fn read_from(source: impl Read + Seek, path: &Path, limits: &Limits) -> Result<Cubex, Error> {
    let mut archive = open_archive(source, path)?;
    let ended = archive.ended;
    let (anchor, offset) = anchor(&mut archive, path)?;
    let mut member = |name: &str| {
        let offset = archive.offset(name);
        let bytes = archive.member(name).map_err(Error::io("read", path))?;
        Ok::<_, Error>(bytes.map(|bytes| (bytes, offset)))
    };
    let mut document = xml::parse(&anchor, &path.join(ANCHOR), limits, Dialect::Four)?;
    drop(anchor);

    let (metrics, mut left_out) = select(&mut document);
    if metrics.is_empty() {
        let found = format!("no metric that can be read ({})", left_out.join("; "));
        return Err(damaged(path, ANCHOR, offset, found, "at least one".into()));
    }
    if !ended {
        left_out.push("the archive has no end; what is missing counts as 0".to_owned());
    }
    let mut reading = Reading::new(document, left_out);
    for (index, data, scalar) in metrics {
        let index_name = format!("{}.index", data.id);
        let data_name = format!("{}.data", data.id);
        // A metric without files has no values.
        let Some((bytes, offset)) = member(&index_name)? else {
            continue;
        };
        let in_index = |d: Damage| {
            damaged(
                path,
                &index_name,
                offset + d.offset as u64,
                d.found,
                d.expected,
            )
        };
        let (order, positions) = decode_index(&bytes).map_err(in_index)?;
        let paths = reading
            .call_paths(&positions, data.kind == INCLUSIVE)
            .map_err(in_index)?;
        let Some((bytes, offset)) = member(&data_name)? else {
            let found = "an archive without it".into();
            return Err(damaged(path, &data_name, 0, found, "the values".into()));
        };
        let threads = reading.cube.threads.len();
        let values = decode_data(&bytes, scalar, order, paths.len(), threads).map_err(|d| {
            damaged(
                path,
                &data_name,
                offset + d.offset as u64,
                d.found,
                d.expected,
            )
        })?;
        drop(bytes);
        reading.take(index, &data, &paths, values);
    }
    Ok(reading.finish())
}

const EXCLUSIVE: &str = "EXCLUSIVE";
const INCLUSIVE: &str = "INCLUSIVE";

/// Takes the metrics out of the cube that cannot be read; gives those that can, with their new
/// indices.
fn select(document: &mut Document) -> (Vec<(MetricId, MetricData, Scalar)>, Vec<String>) {
    let (mut kept, mut left_out) = (Vec::new(), Vec::new());
    let metrics = std::mem::take(&mut document.cube.metrics);
    // Of each metric of the file: its index, or that of the nearest one above that is kept.
    let mut new_index: Vec<Option<MetricId>> = Vec::new();
    for (mut metric, data) in metrics.into_iter().zip(&document.metric_data) {
        metric.parent = metric.parent.and_then(|parent| new_index[parent.0]);
        let scalar = Scalar::of(&data.data_type);
        let problem = match (data.kind.as_str(), scalar, &data.unknown_unit) {
            (_, _, Some(unit)) => Some(format!("its unit is {unit:?}")),
            (_, None, _) => Some(format!("its values are of type {:?}", data.data_type)),
            (EXCLUSIVE, _, _) => None,
            (INCLUSIVE, Some((_, Aggregation::Sum)), _) => None,
            (INCLUSIVE, _, _) => Some("it is an inclusive minimum or maximum".to_owned()),
            (kind, _, _) => Some(format!("it is of kind {kind:?}, which has no values")),
        };
        match (problem, scalar) {
            (None, Some((scalar, aggregation))) => {
                let index = MetricId(document.cube.metrics.len());
                if aggregation != Aggregation::Sum {
                    document.cube.aggregations.insert(index, aggregation);
                }
                document.cube.metrics.push(metric);
                new_index.push(Some(index));
                kept.push((index, data.clone(), scalar));
            }
            (problem, _) => {
                let name = &metric.unique_name;
                let problem = problem.unwrap_or_default();
                left_out.push(format!("metric {name:?} was left out: {problem}"));
                new_index.push(metric.parent);
            }
        }
    }
    (kept, left_out)
}

/// The trees, with what was read of the values.
struct Reading {
    cube: Cube,
    left_out: Vec<String>,
    tree: Tree,
    /// Call paths by position, in files of exclusive and of inclusive metrics.
    exclusive: Vec<usize>,
    inclusive: Vec<usize>,
    roles: Vec<String>,
}

impl Reading {
    fn new(document: Document, left_out: Vec<String>) -> Self {
        let Document {
            cube,
            call_paths_in_file,
            roles,
            ..
        } = document;
        // Positions go by the order of the file; siblings may stand in another one than that of
        // their ids.
        let mut place = vec![0; call_paths_in_file.len()];
        for (position, &path) in call_paths_in_file.iter().enumerate() {
            place[path] = position;
        }
        let parent_place =
            |path: &usize| cube.call_paths[*path].parent.map(|parent| place[parent.0]);
        let in_file = Tree::new(call_paths_in_file.iter().map(parent_place));
        let paths = |inclusive| {
            let order = positions::order(&in_file, inclusive).into_iter();
            order.map(|place| call_paths_in_file[place]).collect()
        };
        Reading {
            exclusive: paths(false),
            inclusive: paths(true),
            tree: Tree::new(cube.call_paths.iter().map(|c| c.parent.map(|p| p.0))),
            cube,
            left_out,
            roles,
        }
    }

    fn call_paths(&self, positions: &[u32], inclusive: bool) -> Result<Vec<usize>, Damage> {
        let order = match inclusive {
            true => &self.inclusive,
            false => &self.exclusive,
        };
        let mut seen = vec![false; order.len()];
        let path = |&position: &u32| {
            let place = position as usize;
            match seen.get_mut(place) {
                Some(seen) if !*seen => {
                    *seen = true;
                    Ok(order[place])
                }
                _ => Err(Damage {
                    offset: 0,
                    found: format!("call path {position}, once more or beyond the last"),
                    expected: format!("each of {} at most once", order.len()),
                }),
            }
        };
        positions.iter().map(path).collect()
    }

    /// The rows of a metric at these call paths.
    fn take(&mut self, metric: MetricId, data: &MetricData, paths: &[usize], mut values: Vec<f64>) {
        let aggregation = self.cube.aggregation(metric);
        if aggregation != Aggregation::Sum {
            for value in &mut values {
                // Where there is none, the largest number stands for it.
                if value.abs() == f64::MAX || value.is_infinite() {
                    *value = 0.0;
                }
            }
        }
        if let Some(value) = values.iter().find(|value| !value.is_finite()) {
            let name = &self.cube.metrics[metric.0].unique_name;
            let left_out = format!("the values of metric {name:?} were left out: one is {value}");
            self.left_out.push(left_out);
            return;
        }
        let threads = self.cube.threads.len().max(1);
        let rows = paths.iter().zip(values.chunks_exact(threads));
        if data.kind == INCLUSIVE {
            for (path, row) in self.made_exclusive(rows, threads) {
                self.put(metric, path, &row);
            }
        } else {
            for (&path, row) in rows {
                self.put(metric, path, row);
            }
        }
    }

    fn put(&mut self, metric: MetricId, path: usize, row: &[f64]) {
        if row.iter().any(|&value| value != 0.0) {
            let target = self.cube.row_mut(metric, CallPathId(path));
            target.copy_from_slice(row);
        }
    }

    /// Rows without what is below them, of all call paths that have one, or below which there is
    /// one.
    fn made_exclusive<'a>(
        &self,
        rows: impl Iterator<Item = (&'a usize, &'a [f64])>,
        threads: usize,
    ) -> BTreeMap<usize, Vec<f64>> {
        let inclusive: HashMap<usize, &[f64]> = rows.map(|(&path, row)| (path, row)).collect();
        let above = inclusive.keys().filter_map(|&path| self.tree.parent(path));
        let paths: BTreeSet<usize> = inclusive.keys().copied().chain(above).collect();
        let without = |path: usize| {
            let own = inclusive.get(&path);
            let children = self.tree.children(path).iter();
            let below: Vec<_> = children.filter_map(|child| inclusive.get(child)).collect();
            (0..threads)
                .map(|t| {
                    remainder(
                        own.map_or(0.0, |row| row[t]),
                        below.iter().map(|row| row[t]),
                    )
                })
                .collect()
        };
        paths
            .into_iter()
            .map(|path| (path, without(path)))
            .collect()
    }

    fn finish(self) -> Cubex {
        let added = self.added_root();
        Cubex {
            cube: match added {
                true => without_root(self.cube),
                false => self.cube,
            },
            left_out: self.left_out,
        }
    }

    /// Whether the root is one that our writer put there.
    fn added_root(&self) -> bool {
        let [name, module, _, role] = ADDED_ROOT;
        let Some(root) = self.cube.call_paths.first() else {
            return false;
        };
        let of_region = self
            .cube
            .call_paths
            .iter()
            .filter(|c| c.region == root.region);
        let region = &self.cube.regions[root.region.0];
        root.region.0 == 0
            && region.name == name
            && region.module == module
            && self.roles.first().is_some_and(|r| r == role)
            && self.tree.roots() == [0]
            && self.tree.len() > 1
            && of_region.count() == 1
            && (self.cube.rows()).all(|(_, path, _)| path != CallPathId(0))
    }
}

/// The cube without its first call path and first region.
fn without_root(mut cube: Cube) -> Cube {
    cube.regions.remove(0);
    cube.call_paths.remove(0);
    for call_path in &mut cube.call_paths {
        call_path.region.0 -= 1;
        call_path.parent = match call_path.parent {
            Some(CallPathId(parent)) => parent.checked_sub(1).map(CallPathId),
            None => None,
        };
    }
    cube.map_call_paths(|path| CallPathId(path.0 - 1));
    cube
}

/// Some writers compress the anchor.
fn plain_anchor(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    unzipped(bytes.as_slice(), bytes.len() as u64).map_err(|refused| match refused {
        Refused::Io(error) => error.to_string(),
        Refused::TooLong(most) => format!("more than {most} bytes after it was uncompressed"),
    })
}

fn damaged(path: &Path, part: &str, offset: u64, found: String, expected: String) -> Error {
    Error::Damaged {
        path: path.to_owned(),
        part: part.to_owned(),
        offset,
        found,
        expected,
        advice: ADVICE,
    }
}
