//! Reading and writing `machine.json`, and checks of what is read.

use crate::error::Error;
use crate::model::{FORMAT, Machine, Measured, Point};
use serde::Deserialize;
use std::io::Write;
use std::path::Path;

/// Name of the file in an experiment.
pub const FILE: &str = "machine.json";

/// Fields common to all versions of the layout.
#[derive(Deserialize)]
struct Header {
    format: u32,
}

impl Machine {
    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::System`]; [`Error::Content`] if it is of another layout, or has times that cannot
    /// be.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = pgas_files::read(path).map_err(|source| Error::System {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
        Machine::from_json(&bytes).map_err(|reason| Error::Content {
            path: path.to_owned(),
            reason,
        })
    }

    /// From the text of a file; the error says what is wrong with it.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn from_json(bytes: &[u8]) -> Result<Self, String> {
        let header: Header = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if header.format != FORMAT {
            return Err(format!(
                "it has format {}, this version of pgastool reads format {FORMAT}; measure the \
                 machine again with `pgastool time --machine`",
                header.format
            ));
        }
        let machine: Machine = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        for (number, measured) in machine.operations.iter().enumerate() {
            check(measured).map_err(|problem| {
                format!(
                    "operations[{number}] ({}): {problem}",
                    measured.operation.escape_default()
                )
            })?;
        }
        Ok(machine)
    }

    /// Writes the file whole or not at all.
    ///
    /// # Errors
    /// [`Error::System`].
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let written = pgas_files::replace_buffered(path, |file| {
            serde_json::to_writer_pretty(&mut *file, self)?;
            file.write_all(b"\n")
        });
        written.map_err(|source| Error::System {
            action: "write",
            path: path.to_owned(),
            source,
        })
    }
}

fn check(measured: &Measured) -> Result<(), String> {
    for (number, point) in measured.points.iter().enumerate() {
        let problem = problem(point);
        problem.map_or(Ok(()), |problem| {
            Err(format!("points[{number}]: {problem}"))
        })?;
    }
    let order = |point: &Point| (point.threads, point.nodes, point.bytes);
    match measured.points.is_sorted_by_key(order) {
        true => Ok(()),
        false => Err("points are not in ascending order of threads, nodes and bytes".into()),
    }
}

fn problem(point: &Point) -> Option<String> {
    let (low, high) = point.interval;
    let finite = [point.seconds, low, high].iter().all(|t| t.is_finite());
    if !finite || point.seconds < 0.0 || low > point.seconds || point.seconds > high {
        return Some(format!(
            "found {} s in the interval from {low} to {high}, expected a time of 0 or more within \
             its interval",
            point.seconds
        ));
    }
    (point.threads == 0 || point.nodes == 0)
        .then(|| "found no threads or no nodes, expected 1 or more".to_owned())
}
