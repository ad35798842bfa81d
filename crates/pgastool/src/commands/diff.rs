//! `pgastool diff`: tells what became better and worse between two groups of runs, and fails if a
//! limit was exceeded.

use crate::experiment::runs;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::terminal::{Ui, unicode_locale, width};
use clap::{Args, ValueEnum};
use pgas_report::TextOptions;
use pgas_result::comparison::{By, ComparisonError, GateResult, Limit, Question, compare};
use std::ffi::OsString;
use std::path::PathBuf;

/// Places and findings that the text shows by default.
const TOP: usize = 15;

/// Tell what became better and worse between two runs, or between repeated runs
///
/// With repeated runs on both sides, differences come with intervals of confidence and only those
/// that are no accident are called better or worse. Exit status 1 if a limit that --fail-on sets
/// was exceeded.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: pgastool diff before after\n          pgastool diff run-1,run-2,run-3 \
                  new-1,new-2,new-3 --fail-on wall_time+5"
)]
pub struct Arguments {
    /// Analysed experiment, directory of repeated runs (`run --repeat`), CUBE file, or several of
    /// them with commas between
    pub before: OsString,
    /// The other side of the comparison
    pub after: OsString,
    /// Compare this metric place by place
    #[arg(long, value_name = "METRIC", default_value = "time")]
    pub metric: String,
    /// Kind of place to compare
    #[arg(long, value_enum, default_value_t = Grouping::Region)]
    pub by: Grouping,
    /// Fail if METRIC (or `wall_time`) grew by more than PERCENT; may be given several times
    #[arg(long = "fail-on", value_name = "METRIC+PERCENT")]
    pub limits: Vec<Limit>,
    /// Show at most N places, those that changed most [default: 15; in JSON all]
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Format of the output
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub format: DiffFormat,
    /// Write into a file
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Grouping {
    /// A function or operation
    Region,
    /// A source line
    Line,
    /// A call path
    CallPath,
    /// A thread
    Thread,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For reading in a terminal
    Text,
    /// For scripts
    Json,
}

pub fn diff(arguments: &Arguments, ui: &Ui) -> Outcome {
    let mut remarks = Vec::new();
    let before = runs::read(&arguments.before, "before", &mut remarks)?;
    let after = runs::read(&arguments.after, "after", &mut remarks)?;
    for remark in &remarks {
        ui.warning(remark);
    }
    let question = Question {
        metric: arguments.metric.clone(),
        by: match arguments.by {
            Grouping::Region => By::Region,
            Grouping::Line => By::Line,
            Grouping::CallPath => By::CallPath,
            Grouping::Thread => By::Thread,
        },
        limits: arguments.limits.clone(),
    };
    let mut comparison = compare(&before, &after, &question).map_err(|error| match error {
        ComparisonError::UnknownMetric { name, likely } => {
            Failure::new(format!("there is no metric `{name}` in these runs")).help(format!(
                "did you mean {}? `pgastool report DIR --format json` lists all",
                likely.join(", ")
            ))
        }
        other => Failure::new(other),
    })?;
    comparison.notes.splice(0..0, remarks);
    let text = match arguments.format {
        DiffFormat::Json => pgas_report::comparison_json(&comparison, arguments.top),
        DiffFormat::Text => {
            let options = TextOptions {
                experiment: None,
                color: match arguments.output {
                    Some(_) => ui.color_in_files(),
                    None => ui.color_on_stdout(),
                },
                unicode: unicode_locale(),
                width: width(),
            };
            let top = arguments.top.unwrap_or(TOP);
            pgas_report::comparison_text(&comparison, &options, top)
        }
    };
    output::deliver(&text, arguments.output.as_deref())?;
    for gate in &comparison.gates {
        let what = match gate.result {
            GateResult::Kept => continue,
            GateResult::Unclear => "may be exceeded: more runs would tell",
            GateResult::NotJudged => "is not judged: recording cost could explain it",
            GateResult::Exceeded => "is exceeded",
        };
        ui.warning(format_args!(
            "the limit {}+{} {what}",
            gate.limit.metric, gate.limit.percent
        ));
    }
    Ok(u8::from(comparison.is_regression()))
}
