//! `pgastool report`: shows the result of an analysis.

use crate::experiment;
use crate::experiment::page::{self, Compare};
use crate::experiment::sources;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::terminal::{self, Ui, unicode_locale, width};
use clap::{Args, ValueEnum};
use pgas_cube::CubexOptions;
use pgas_report::TextOptions;
use pgas_result::AnalysisResult;
use std::path::{Path, PathBuf};

/// Show where the time of an analysed experiment went
#[derive(Debug, Args)]
pub struct Arguments {
    /// The experiment [default: the newest one in the current directory]
    pub experiment: Option<PathBuf>,
    /// Format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
    /// Also show what became better and worse since this run or these repeated runs, named as for
    /// `diff`; only of `html`
    #[arg(long, value_name = "RUNS")]
    pub compare: Option<PathBuf>,
    /// Write into a file
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For reading in a terminal, at most 100 columns wide
    Text,
    /// One page for a browser, which needs no network
    Html,
    /// For scripts: every figure by call path and thread
    Json,
    /// CUBE 3, for Cube and other viewers
    Cube,
    /// CUBE 4, for Cube and other viewers
    Cubex,
}

pub fn report(arguments: &Arguments, ui: &Ui) -> Outcome {
    let directory = experiment::named_or_newest(arguments.experiment.as_deref(), ui)?;
    if arguments.compare.is_some() && arguments.format != ReportFormat::Html {
        return Err(Failure::new("only `--format html` shows a comparison")
            .help("`pgastool diff` compares two runs on the terminal"));
    }
    let result = AnalysisResult::load(&directory)?;
    let text = match arguments.format {
        ReportFormat::Text => pgas_report::text_with_sources(
            &result,
            &sources::kept(&directory, ui),
            &TextOptions {
                experiment: Some(directory.display().to_string()),
                color: match arguments.output {
                    Some(_) => ui.color_in_files(),
                    None => ui.color_on_stdout(),
                },
                unicode: unicode_locale(),
                width: width(),
            },
        ),
        ReportFormat::Html => {
            let compare = arguments.compare.as_deref().map(|before| Compare {
                before,
                after: arguments.experiment.as_deref().unwrap_or(&directory),
            });
            page::page(&directory, &result, compare, ui)?
        }
        ReportFormat::Json => pgas_report::json(&result),
        ReportFormat::Cubex => return cubex(&result, arguments.output.as_deref()),
        ReportFormat::Cube => {
            let path = pgas_result::AnalysisResult::profile_path(&directory);
            pgas_files::read_to_string(&path)
                .map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?
        }
    };
    output::deliver(&text, arguments.output.as_deref())?;
    Ok(0)
}

/// CUBE 4 is binary: nothing for a terminal.
fn cubex(result: &AnalysisResult, file: Option<&Path>) -> Outcome {
    let options = CubexOptions::default();
    match file {
        Some(file) => pgas_cube::write_cubex(&result.cube, &options, file)?,
        None if terminal::is_stdout() => {
            return Err(Failure::new("a CUBE 4 file is not for the terminal")
                .help("name a file to write: -o profile.cubex"));
        }
        None => output::deliver_bytes(&pgas_cube::cubex::to_bytes(&result.cube, &options)?)?,
    }
    Ok(0)
}
