//! `pgastool cube`: arithmetic on results, and a look into them. Takes experiments and CUBE files
//! of either version, also of other tools, and writes CUBE files.

mod check;
mod dump;
mod info;
mod select;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use pgas_base::models::Words;
use pgas_cube::FileFormat;
use pgas_cube::algebra;
use pgas_cube::model::Cube;

use crate::failure::{Failure, Outcome};
use crate::output;
use crate::terminal::Ui;
use select::CallPathPattern;

/// Compute with results: difference, mean, merge and cut, each a CUBE file again; show what is in
/// one
///
/// A result is an experiment's directory or a CUBE file (.cube, .cube.gz, .cubex), also one of
/// Scalasca or Score-P.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  pgastool cube diff after before -o change.cubex\n  pgastool cube \
                  mean run1 run2 run3 -o mean.cubex\n  pgastool cube info mean.cubex"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Operation,
}

#[derive(Debug, Subcommand)]
enum Operation {
    /// Subtract the second result from the first, value by value
    Diff {
        /// The result to subtract from, such as the later run
        first: PathBuf,
        /// The result to subtract
        second: PathBuf,
        #[command(flatten)]
        output: Output,
    },
    /// The mean of each value over all results, such as repeated runs
    Mean(Several),
    /// The metrics of all results in one; of those that several have, the first's
    Merge(Several),
    /// Make the call tree smaller: --prune gives the values of call paths to their callers, --root
    /// keeps nothing else
    Cut {
        result: PathBuf,
        /// Call paths to take away with all that is called from them: names of functions and
        /// operations, with * and ?, or `#N` for the one of that number; totals stay the
        /// same
        #[arg(long, value_name = "PATTERN")]
        prune: Vec<CallPathPattern>,
        /// Call paths to keep, with all that is called from them
        #[arg(long, value_name = "PATTERN", required_unless_present = "prune")]
        root: Vec<CallPathPattern>,
        #[command(flatten)]
        output: Output,
    },
    Info(info::Info),
    Dump(dump::Dump),
    Check(check::Check),
}

#[derive(Debug, Args)]
struct Several {
    /// Experiments or CUBE files
    #[arg(required = true)]
    results: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
struct Output {
    /// CUBE file to write: CUBE 4 if it ends in .cubex, CUBE 3 if in .cube
    #[arg(short = 'o', value_name = "FILE")]
    output: PathBuf,
}

/// The words of the program that a cube is of, by the name of its first thread.
fn words(cube: &Cube) -> Words {
    let first = cube.threads.first();
    first.map_or_else(Words::default, |thread| Words::of_first_name(&thread.name))
}

pub fn cube(arguments: &Arguments, ui: &Ui) -> Outcome {
    match &arguments.command {
        Operation::Info(arguments) => return info::info(arguments, ui),
        Operation::Dump(arguments) => return dump::dump(arguments, ui),
        Operation::Check(arguments) => return check::check(arguments, ui),
        Operation::Diff {
            first,
            second,
            output,
        } => {
            let format = output.format()?;
            let (a, b) = (read(first, ui)?, read(second, ui)?);
            let result = algebra::diff(&a, &b)?;
            output.write(format, result, &format!("diff {}", named(&[first, second])))?;
        }
        Operation::Mean(several) => several.combine("mean", algebra::mean, ui)?,
        Operation::Merge(several) => several.combine("merge", algebra::merge, ui)?,
        Operation::Cut {
            result,
            prune,
            root,
            output,
        } => {
            let format = output.format()?;
            let mut cube = read(result, ui)?;
            if !root.is_empty() {
                let roots = select::call_paths(&cube, root)?;
                cube = algebra::reroot(&cube, &roots)?;
            }
            if !prune.is_empty() {
                let pruned = select::call_paths(&cube, prune)?;
                cube = algebra::prune(&cube, &pruned)?;
            }
            output.write(format, cube, &format!("cut {}", named(&[result])))?;
        }
    }
    Ok(0)
}

type Combination = fn(&[&Cube]) -> Result<Cube, algebra::AlgebraError>;

impl Several {
    fn combine(&self, name: &str, combination: Combination, ui: &Ui) -> Result<(), Failure> {
        let format = self.output.format()?;
        let cubes = self.results.iter().map(|result| read(result, ui));
        let cubes = cubes.collect::<Result<Vec<_>, _>>()?;
        let operands: Vec<_> = cubes.iter().collect();
        let results: Vec<_> = self.results.iter().collect();
        let operation = format!("{name} {}", named(&results));
        self.output
            .write(format, combination(&operands)?, &operation)
    }
}

impl Output {
    /// Before anything is read: a wrong ending is seen at once.
    fn format(&self) -> Result<FileFormat, Failure> {
        FileFormat::of(&self.output).ok_or_else(|| {
            Failure::new(format!(
                "the ending of {} names no format",
                self.output.display()
            ))
            .help("end it in .cubex for CUBE 4, or in .cube for CUBE 3")
        })
    }

    /// Writes the result, which remembers what it is of, and prints its name.
    fn write(&self, format: FileFormat, mut cube: Cube, operation: &str) -> Result<(), Failure> {
        let attributes = &mut cube.attributes;
        attributes.insert("operation".to_owned(), operation.to_owned());
        format.write(&cube, &self.output)?;
        output::deliver(&self.output.display().to_string(), None)
    }
}

fn named(paths: &[&PathBuf]) -> String {
    let names: Vec<_> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    names.join(" ")
}

/// Reads a result; says what of it was left out.
fn read(path: &Path, ui: &Ui) -> Result<Cube, Failure> {
    let read = pgas_cube::read_any(pgas_result::cube_file(path)?)?;
    for left_out in &read.left_out {
        ui.warning(format_args!(
            "{}: {}",
            path.display(),
            pgas_report::printable(left_out, false)
        ));
    }
    Ok(read.cube)
}
