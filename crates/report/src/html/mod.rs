//! The report as a page for a browser: one HTML file that holds its program, its style and its
//! data, works from a file address without a network, and forbids itself to use one. [`html`] puts
//! together what the other modules here make: words and sums of the result, its severities in a
//! size that a browser takes, and the front end from `web/`.

mod activities;
mod assets;
mod balance;
mod data;
mod embed;
mod headline;
mod severities;

use pgas_result::AnalysisResult;
use pgas_result::matching::Matched;
use pgas_result::sources::Sources;
use pgas_result::summary::Summary;
use pgas_result::timeline::Timeline;

/// Input of a page. Parts that are empty or absent are left out of the page, or reported as
/// missing.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// Severities and conclusions that the page shows.
    pub result: &'a AnalysisResult,
    /// The experiment's directory, for a person.
    pub experiment: Option<&'a str>,
    /// Source text; absent where none was kept.
    pub sources: Option<&'a Sources>,
    /// Timelines of worst instances; may be empty.
    pub timelines: &'a [Timeline],
    /// Comparison with an earlier result; absent where there is none.
    pub comparison: Option<Comparison<'a>>,
}

impl<'a> Page<'a> {
    /// Of a result alone.
    pub fn of(result: &'a AnalysisResult) -> Self {
        Page {
            result,
            experiment: None,
            sources: None,
            timelines: &[],
            comparison: None,
        }
    }
}

/// The run that a page compares its own with, or the mean of several.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// The earlier run and that of the page on the same trees; indices of the page's result hold
    /// in it.
    pub matched: &'a Matched,
    /// Conclusions about the earlier run.
    pub before: &'a Summary,
    /// The earlier experiment's directory, for a person.
    pub name: &'a str,
    /// Comparison of all runs of both sides, if there are several on each. The page's own run is
    /// the first of its side.
    pub runs: Option<&'a pgas_result::comparison::Comparison>,
}

/// The page. Its size and what is left out of large results is described in `docs/html-report.md`.
pub fn html(page: &Page) -> String {
    let title = crate::printable(&page.result.summary.program, false);
    assets::assemble(&title, &data::json(page))
}
