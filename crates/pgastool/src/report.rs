//! `pgastool report`: shows the result of an analysis.

use crate::cli::{self, ReportFormat};
use crate::experiment;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::page::{self, Compare};
use crate::sources;
use crate::ui::Ui;
use pgas_cube::CubexOptions;
use pgas_report::TextOptions;
use pgas_result::AnalysisResult;
use std::io::IsTerminal;
use std::path::Path;

/// The terminal report never grows beyond this, however wide the terminal is.
const WIDEST: usize = 100;
const NARROWEST: usize = 60;

pub fn report(arguments: &cli::Report, ui: &Ui) -> Outcome {
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
        None if std::io::stdout().is_terminal() => {
            return Err(Failure::new("a CUBE 4 file is not for the terminal")
                .help("name a file to write: -o profile.cubex"));
        }
        None => output::deliver_bytes(&pgas_cube::cubex::to_bytes(&result.cube, &options)?)?,
    }
    Ok(0)
}

/// Columns that text for people may take.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(WIDEST, |(terminal_size::Width(columns), _)| {
        usize::from(columns).clamp(NARROWEST, WIDEST)
    })
}

/// Whether the environment says that text is shown in UTF-8. Without any locale (containers, batch systems) it mostly
/// is; a locale that names another encoding, as `C` does, is believed.
pub fn unicode_locale() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}
