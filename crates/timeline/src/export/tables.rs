//! A result as tidy tables for notebooks: one observation a row, one variable a column, with the
//! same columns in CSV (RFC 4180, a file for each table) and in JSON lines (one file, the table's
//! name in each line).
//!
//! Columns are fields of the rows below, under their names. Absent values are empty in CSV and
//! `null` in JSON lines.

use std::fs;
use std::io::Write;
use std::path::Path;

use pgas_cube::model::{CallPathId, Unit};
use pgas_result::AnalysisResult;
use serde::Serialize;

use super::output::{self, WriteError};
use super::{region, stack};
use crate::error::Error;

/// A value of one metric for one call path and one thread; zeros are left out. Inclusive over the
/// metric tree, exclusive over the call tree.
#[derive(Debug, Default, Serialize)]
struct Severity<'r> {
    metric: &'r str,
    /// Id of the metric that it is a part of.
    parent_metric: Option<&'r str>,
    /// "seconds", "occurrences" or "bytes".
    unit: &'static str,
    /// Number of the call path, the same in all tables.
    call_path: usize,
    /// Number of its caller's.
    parent_call_path: Option<usize>,
    /// Regions from the program to this one.
    path: &'r str,
    region: &'r str,
    file: &'r str,
    line: u32,
    thread: usize,
    node: &'r str,
    value: f64,
}

/// A finding, the most expensive one first.
#[derive(Debug, Default, Serialize)]
struct FindingRow<'r> {
    finding: usize,
    kind: String,
    metric: &'r str,
    seconds: f64,
    percent: f64,
    saves_seconds: Option<f64>,
    region: &'r str,
    function: &'r str,
    file: &'r str,
    line: u32,
    call_path: usize,
    culprit_thread: Option<u32>,
    cause: &'r str,
    advice: &'r str,
    worst_at_seconds: Option<f64>,
    worst_seconds: Option<f64>,
    worst_last_thread: Option<u32>,
    worst_longest_thread: Option<u32>,
    worst_longest_seconds: Option<f64>,
}

/// The instances of a wait state at a call path: how many, how they are spread, and the worst.
#[derive(Debug, Default, Serialize)]
struct InstanceRow<'r> {
    metric: &'r str,
    call_path: usize,
    region: &'r str,
    file: &'r str,
    line: u32,
    instances: u64,
    minimum_seconds: Option<f64>,
    lower_quartile_seconds: Option<f64>,
    median_seconds: Option<f64>,
    upper_quartile_seconds: Option<f64>,
    percentile_95_seconds: Option<f64>,
    maximum_seconds: Option<f64>,
    mean_seconds: Option<f64>,
    worst_at_seconds: Option<f64>,
    worst_seconds: Option<f64>,
    worst_number: Option<u64>,
    worst_last_thread: Option<u32>,
    worst_longest_thread: Option<u32>,
    worst_longest_seconds: Option<f64>,
}

/// A metric over some iterations of a loop.
#[derive(Debug, Default, Serialize)]
struct PhaseRow<'r> {
    /// Number of the loop, the outermost first.
    r#loop: usize,
    call_path: usize,
    region: &'r str,
    file: &'r str,
    line: u32,
    function: &'r str,
    metric: &'r str,
    /// The iterations that the value is the mean of, from 0; the last one is included.
    first_iteration: u64,
    last_iteration: u64,
    seconds: f64,
}

/// Is given every row of every table, tables one after another.
trait Sink {
    /// The rows that follow are of this kind. Returns whether they are wanted.
    fn begin<R: Serialize + Default>(&mut self, table: &'static str) -> Result<bool, WriteError>;
    fn row<R: Serialize>(&mut self, row: &R) -> Result<(), WriteError>;
}

/// Writes the tables `severities`, `findings`, `instances` and `phases` as CSV files into
/// `directory`, which is created if it is not there.
///
/// Returns the number of rows. `progress` receives the share that is done, 0 to 1.
///
/// # Errors
/// [`Error::Io`].
pub fn write_csv(
    result: &AnalysisResult,
    directory: &Path,
    progress: &dyn Fn(f64),
) -> Result<u64, Error> {
    fs::create_dir_all(directory).map_err(|source| Error::Io {
        action: "create",
        path: directory.to_owned(),
        source,
    })?;
    let mut rows = 0;
    for table in TABLES {
        let path = directory.join(format!("{table}.csv"));
        rows += output::write(&path, |out| {
            let mut sink = Csv {
                out: csv::WriterBuilder::new()
                    .has_headers(false)
                    .terminator(csv::Terminator::CRLF)
                    .from_writer(out),
                wanted: table,
                rows: 0,
            };
            write_tables(result, &mut sink, progress)?;
            sink.out.flush()?;
            Ok(sink.rows)
        })?;
    }
    Ok(rows)
}

/// Writes the same tables as JSON lines into one file, compressed if its name ends in `.gz`.
///
/// Returns the number of rows. `progress` receives the share that is done, 0 to 1.
///
/// # Errors
/// [`Error::Io`].
pub fn write_json_lines(
    result: &AnalysisResult,
    path: &Path,
    progress: &dyn Fn(f64),
) -> Result<u64, Error> {
    output::write(path, |out| {
        let mut sink = JsonLines {
            out,
            table: "",
            rows: 0,
        };
        write_tables(result, &mut sink, progress)?;
        Ok(sink.rows)
    })
}

/// Names of the tables.
pub const TABLES: [&str; 4] = ["severities", "findings", "instances", "phases"];

struct Csv<W: Write> {
    out: csv::Writer<W>,
    wanted: &'static str,
    rows: u64,
}

impl<W: Write> Sink for Csv<W> {
    fn begin<R: Serialize + Default>(&mut self, table: &'static str) -> Result<bool, WriteError> {
        let is_wanted = table == self.wanted;
        if is_wanted {
            // Also a table without rows has its columns.
            let mut scratch = csv::Writer::from_writer(Vec::new());
            scratch
                .serialize(R::default())
                .map_err(std::io::Error::from)?;
            let rows = scratch.into_inner().map_err(|error| error.into_error())?;
            let header = rows.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let columns = header.split(|&byte| byte == b',');
            self.out
                .write_record(columns)
                .map_err(std::io::Error::from)?;
        }
        Ok(is_wanted)
    }

    fn row<R: Serialize>(&mut self, row: &R) -> Result<(), WriteError> {
        self.rows += 1;
        Ok(self.out.serialize(row).map_err(std::io::Error::from)?)
    }
}

struct JsonLines<'o> {
    out: &'o mut dyn Write,
    table: &'static str,
    rows: u64,
}

impl Sink for JsonLines<'_> {
    fn begin<R: Serialize + Default>(&mut self, table: &'static str) -> Result<bool, WriteError> {
        self.table = table;
        Ok(true)
    }

    fn row<R: Serialize>(&mut self, row: &R) -> Result<(), WriteError> {
        #[derive(Serialize)]
        struct Line<'r, R> {
            table: &'static str,
            #[serde(flatten)]
            row: &'r R,
        }
        let table = self.table;
        let line = serde_json::to_string(&Line { table, row }).map_err(std::io::Error::from)?;
        self.rows += 1;
        Ok(writeln!(self.out, "{line}")?)
    }
}

fn write_tables(
    result: &AnalysisResult,
    sink: &mut impl Sink,
    progress: &dyn Fn(f64),
) -> Result<(), WriteError> {
    if sink.begin::<Severity>(TABLES[0])? {
        severities(result, sink, progress)?;
    }
    if sink.begin::<FindingRow>(TABLES[1])? {
        findings(result, sink)?;
    }
    if sink.begin::<InstanceRow>(TABLES[2])? {
        instances(result, sink)?;
    }
    if sink.begin::<PhaseRow>(TABLES[3])? {
        phases(result, sink)?;
    }
    Ok(())
}

/// By far the largest table: its progress is that of the whole.
fn severities(
    result: &AnalysisResult,
    sink: &mut impl Sink,
    progress: &dyn Fn(f64),
) -> Result<(), WriteError> {
    let cube = &result.cube;
    let path_name = |path: usize| {
        let stack = stack(cube, CallPathId(path)).into_iter();
        let names: Vec<&str> = stack.map(|path| region(cube, path)).collect();
        names.join(" / ")
    };
    let names: Vec<String> = (0..cube.call_paths.len()).map(path_name).collect();
    let count = cube.rows().count();
    for (index, (metric, path, values)) in cube.rows().enumerate() {
        progress(index as f64 / count as f64);
        let described = &cube.metrics[metric.0];
        let call = &cube.call_paths[path.0];
        for (thread, &value) in values
            .iter()
            .enumerate()
            .filter(|&(_, &value)| value != 0.0)
        {
            let node = cube
                .threads
                .get(thread)
                .and_then(|t| cube.nodes.get(t.node));
            sink.row(&Severity {
                metric: &described.unique_name,
                parent_metric: described
                    .parent
                    .map(|parent| cube.metrics[parent.0].unique_name.as_str()),
                unit: match described.unit {
                    Unit::Seconds => "seconds",
                    Unit::Occurrences => "occurrences",
                    Unit::Bytes => "bytes",
                },
                call_path: path.0,
                parent_call_path: call.parent.map(|parent| parent.0),
                path: &names[path.0],
                region: region(cube, path),
                file: &call.file,
                line: call.line,
                thread,
                node: node.map_or("", String::as_str),
                value,
            })?;
        }
    }
    Ok(())
}

fn findings(result: &AnalysisResult, sink: &mut impl Sink) -> Result<(), WriteError> {
    for (number, finding) in result.summary.findings.iter().enumerate() {
        let kind = serde_json::to_value(finding.kind).map_err(std::io::Error::from)?;
        let worst = finding.worst.as_ref();
        sink.row(&FindingRow {
            finding: number,
            kind: kind.as_str().unwrap_or_default().to_owned(),
            metric: &finding.metric,
            seconds: finding.seconds,
            percent: finding.percent,
            saves_seconds: finding.saves_seconds,
            region: &finding.region,
            function: &finding.function,
            file: &finding.file,
            line: finding.line,
            call_path: finding.call_path,
            culprit_thread: finding.culprit_thread,
            cause: &finding.cause,
            advice: &finding.advice,
            worst_at_seconds: worst.map(|worst| worst.at_seconds),
            worst_seconds: worst.map(|worst| worst.seconds),
            worst_last_thread: worst.map(|worst| worst.last_thread),
            worst_longest_thread: worst.and_then(|worst| worst.longest_thread),
            worst_longest_seconds: worst.and_then(|worst| worst.longest_seconds),
        })?;
    }
    Ok(())
}

fn instances(result: &AnalysisResult, sink: &mut impl Sink) -> Result<(), WriteError> {
    let cube = &result.cube;
    for statistics in &result.summary.instances {
        let path = CallPathId(statistics.call_path);
        let call = cube.call_paths.get(path.0);
        let spread = statistics.spread.map(|spread| spread.instances);
        let worst = statistics.worst.as_ref();
        sink.row(&InstanceRow {
            metric: &statistics.metric,
            call_path: statistics.call_path,
            region: region(cube, path),
            file: call.map_or("", |call| call.file.as_str()),
            line: call.map_or(0, |call| call.line),
            instances: statistics.instances,
            minimum_seconds: spread.map(|s| s.minimum),
            lower_quartile_seconds: spread.map(|s| s.lower_quartile),
            median_seconds: spread.map(|s| s.median),
            upper_quartile_seconds: spread.map(|s| s.upper_quartile),
            percentile_95_seconds: spread.map(|s| s.percentile_95),
            maximum_seconds: spread.map(|s| s.maximum),
            mean_seconds: spread.map(|s| s.mean),
            worst_at_seconds: worst.map(|worst| worst.at_seconds),
            worst_seconds: worst.map(|worst| worst.seconds),
            worst_number: worst.and_then(|worst| worst.number),
            worst_last_thread: worst.map(|worst| worst.last_thread),
            worst_longest_thread: worst.and_then(|worst| worst.longest_thread),
            worst_longest_seconds: worst.and_then(|worst| worst.longest_seconds),
        })?;
    }
    Ok(())
}

fn phases(result: &AnalysisResult, sink: &mut impl Sink) -> Result<(), WriteError> {
    for (number, phases) in result.summary.phases.iter().enumerate() {
        let each = phases.iterations_per_value.max(1);
        for series in &phases.series {
            for (place, &seconds) in series.values.iter().enumerate() {
                let first = (place as u64).saturating_mul(each);
                sink.row(&PhaseRow {
                    r#loop: number,
                    call_path: phases.call_path,
                    region: &phases.region,
                    file: &phases.file,
                    line: phases.line,
                    function: &phases.function,
                    metric: &series.metric,
                    // As in the report: the first one is number 1.
                    first_iteration: first.saturating_add(1),
                    last_iteration: first.saturating_add(each).min(phases.iterations),
                    seconds,
                })?;
            }
        }
    }
    Ok(())
}
