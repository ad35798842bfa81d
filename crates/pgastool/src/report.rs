//! `pgastool report`: shows the result of an analysis.

use crate::cli::{self, ReportFormat};
use crate::experiment;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::ui::Ui;
use pgas_cube::AnalysisResult;
use pgas_report::TextOptions;

/// The terminal report never grows beyond this, however wide the terminal is.
const WIDEST: usize = 100;
const NARROWEST: usize = 60;

pub fn report(arguments: &cli::Report, ui: &Ui) -> Outcome {
    let directory = experiment::named_or_newest(arguments.experiment.as_deref(), ui)?;
    let result = AnalysisResult::load(&directory)?;
    let text = match arguments.format {
        ReportFormat::Text => pgas_report::text(
            &result,
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
        ReportFormat::Json => pgas_report::json(&result),
        ReportFormat::Cube => {
            let path = pgas_cube::AnalysisResult::profile_path(&directory);
            std::fs::read_to_string(&path)
                .map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?
        }
    };
    output::deliver(&text, arguments.output.as_deref())?;
    Ok(0)
}

fn width() -> usize {
    terminal_size::terminal_size().map_or(WIDEST, |(terminal_size::Width(columns), _)| {
        usize::from(columns).clamp(NARROWEST, WIDEST)
    })
}

/// Whether the environment says that text is shown in UTF-8. Without any locale (containers, batch systems) it mostly
/// is; a locale that names another encoding, as `C` does, is believed.
fn unicode_locale() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}
