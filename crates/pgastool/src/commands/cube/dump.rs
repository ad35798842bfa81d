//! `pgastool cube dump`: the values of a result as a table.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pgas_cube::model::{CallPathId, Cube, MetricId};
use pgas_cube::values::{Calls, Extent, SystemTree, Values};
use pgas_filter::Pattern;
use pgas_report::printable;
use serde_json::json;

use super::info::spelled;
use super::select::{self, CallPathPattern};
use super::{read, words};
use crate::arguments::{self, ThreadList};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::terminal::{Ui, unicode_locale};

/// Print the values of a result as a table; values of 0 are left out
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pgastool cube dump is.cubex --metric 'wait_*' --call-path upc_barrier \
                  --thread 0-3 --format csv"
)]
pub struct Dump {
    /// Experiment or CUBE file
    result: PathBuf,
    /// Metrics, by their unique names with * and ? [default: all]
    #[arg(long, value_name = "PATTERN", value_parser = arguments::pattern)]
    metric: Vec<Pattern>,
    /// Call paths: names of functions and operations with * and ?, or `#N` for the one of that
    /// number [default: all]
    #[arg(long, value_name = "PATTERN")]
    call_path: Vec<CallPathPattern>,
    /// A value for each of these threads, such as 0,4-7, by the numbers that reports have: images of
    /// coarrays count from 1 [default: one for all of them together]
    #[arg(long, value_name = "LIST")]
    thread: Option<ThreadList>,
    /// Call paths with all that is called from them
    #[arg(long)]
    inclusive: bool,
    /// For people, or for scripts
    #[arg(long, value_enum, default_value_t = DumpFormat::Text)]
    format: DumpFormat,
    /// Write into a file
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DumpFormat {
    /// Columns for reading in a terminal
    Text,
    /// One line for each row, separated by commas
    Csv,
    /// One object with all rows
    Json,
}

pub fn dump(arguments: &Dump, ui: &Ui) -> Outcome {
    let cube = read(&arguments.result, ui)?;
    let table = Table::of(&cube, arguments)?;
    let text = match arguments.format {
        DumpFormat::Text => table.text(),
        DumpFormat::Csv => table.csv()?,
        DumpFormat::Json => table.json()?,
    };
    output::deliver(&text, arguments.output.as_deref())?;
    Ok(0)
}

struct Row {
    metric: MetricId,
    call_path: CallPathId,
    /// None: all together.
    thread: Option<usize>,
    value: f64,
}

struct Table<'a> {
    cube: &'a Cube,
    /// By call path: from the root down.
    paths: Vec<String>,
    rows: Vec<Row>,
}

impl<'a> Table<'a> {
    fn of(cube: &'a Cube, arguments: &Dump) -> Result<Self, Failure> {
        let values = Values::new(cube);
        let threads = match &arguments.thread {
            None => None,
            Some(list) => Some(list.of(cube.threads.len(), &words(cube))?),
        };
        let call_paths = match arguments.call_path.is_empty() {
            false => select::call_paths(cube, &arguments.call_path)?,
            true => {
                let order = values.call_paths().depth_first().iter();
                order.map(|&path| CallPathId(path)).collect()
            }
        };
        let calls = |path| match arguments.inclusive {
            true => Calls::Inclusive(path),
            false => Calls::Exclusive(path),
        };
        let mut rows = Vec::new();
        for metric in select::metrics(cube, &arguments.metric)? {
            for &call_path in &call_paths {
                let calls = calls(call_path);
                let row = |thread, value| Row {
                    metric,
                    call_path,
                    thread,
                    value,
                };
                match &threads {
                    None => {
                        let root = SystemTree::ROOT;
                        let value = values.value(metric, Extent::Inclusive, calls, root);
                        rows.push(row(None, value));
                    }
                    Some(wanted) => {
                        let values = values.per_thread(metric, Extent::Inclusive, calls);
                        let values = values.into_iter().enumerate();
                        let values = values.filter(|&(thread, _)| wanted[thread]);
                        rows.extend(values.map(|(thread, value)| row(Some(thread), value)));
                    }
                }
            }
        }
        rows.retain(|row| row.value != 0.0);
        let name = |path: &usize| cube.regions[cube.call_paths[*path].region.0].name.as_str();
        let path = |path: usize| {
            let path = values.call_paths().path(path);
            path.iter().map(name).collect::<Vec<_>>().join(" > ")
        };
        Ok(Table {
            paths: (0..cube.call_paths.len()).map(path).collect(),
            cube,
            rows,
        })
    }

    fn text(&self) -> String {
        let ascii = !unicode_locale();
        let shown = |text: &str| printable(text, ascii);
        let words = words(self.cube);
        let number = |thread| words.number(thread as u32).to_string();
        let mut out = String::new();
        for row in &self.rows {
            let metric = &self.cube.metrics[row.metric.0];
            let call_path = &self.cube.call_paths[row.call_path.0];
            let thread = row.thread.map_or("all".to_owned(), number);
            let value = spelled(metric.unit, row.value, ascii);
            let name = shown(&metric.unique_name);
            let place = match call_path.line {
                0 => String::new(),
                line => format!("  {}:{line}", shown(&call_path.file)),
            };
            let number = row.call_path.0;
            let path = shown(&self.paths[number]);
            // A String never fails to take more text.
            let _ = writeln!(
                out,
                "{name:<28} {thread:>5} {value:>10}  #{number} {path}{place}"
            );
        }
        if out.is_empty() {
            out.push_str("all values are 0\n");
        }
        out
    }

    fn csv(&self) -> Result<String, Failure> {
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record("metric,unit,call_path,path,file,line,thread,value".split(','))?;
        for row in &self.rows {
            let metric = &self.cube.metrics[row.metric.0];
            let call_path = &self.cube.call_paths[row.call_path.0];
            out.write_record([
                &metric.unique_name,
                metric.unit.symbol(),
                &row.call_path.0.to_string(),
                &self.paths[row.call_path.0],
                &call_path.file,
                &call_path.line.to_string(),
                &row.thread.map_or(String::new(), |t| t.to_string()),
                &row.value.to_string(),
            ])?;
        }
        Ok(String::from_utf8(out.into_inner()?)?)
    }

    fn json(&self) -> Result<String, Failure> {
        let rows = self.rows.iter().map(|row| {
            let metric = &self.cube.metrics[row.metric.0];
            let call_path = &self.cube.call_paths[row.call_path.0];
            json!({
                "metric": metric.unique_name,
                "unit": metric.unit.symbol(),
                "call_path": row.call_path.0,
                "path": self.paths[row.call_path.0],
                "file": call_path.file,
                "line": call_path.line,
                "thread": row.thread,
                "value": row.value,
            })
        });
        let table = json!({"schema": 1, "values": rows.collect::<Vec<_>>()});
        let mut text = serde_json::to_string_pretty(&table)?;
        text.push('\n');
        Ok(text)
    }
}
