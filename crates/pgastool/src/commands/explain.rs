//! `pgastool explain`: what a metric or a kind of finding means and what to do about it, from the
//! pattern reference.

use crate::failure::{Failure, Outcome};
use crate::output;
use crate::terminal::{Ui, unicode_locale, width};
use clap::Args;
use pgas_base::models::Model;
use pgas_report::names::{printable, width as columns};
use pgas_report::reference::{self, ReferencePage};
use std::path::PathBuf;

/// Explain a metric or a kind of finding: what it is, what causes it, what to do
///
/// Without an argument it lists what can be explained.
#[derive(Debug, Args)]
#[command(after_help = "Example: pgastool explain wait_at_barrier")]
pub struct Arguments {
    /// Metric, kind of finding or efficiency factor, as reports name it
    #[arg(value_name = "ID", conflicts_with = "html")]
    pub ids: Vec<String>,
    /// The whole reference as one page, with the ids as anchors
    #[arg(long)]
    pub html: bool,
    /// Write into a file
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
}

pub fn explain(arguments: &Arguments, ui: &Ui) -> Outcome {
    let ascii = !unicode_locale();
    let text = match arguments.ids.join("_") {
        _ if arguments.html => reference::document(),
        name if name.is_empty() => list(ascii),
        name => find(&name)?.text(width(), ascii),
    };
    output::deliver(&text, arguments.output.as_deref())?;
    if arguments.ids.is_empty() && !arguments.html && arguments.output.is_none() {
        ui.note("`pgastool explain ID` explains one of them");
    }
    Ok(0)
}

/// The page for what was typed: an id, or a title such as "Wait at barrier" in any spelling.
fn find(name: &str) -> Result<&'static ReferencePage, Failure> {
    let id: String = name.trim().to_lowercase().replace([' ', '-'], "_");
    let plain = |name: &str| name.to_lowercase().replace([' ', '-'], "_");
    let by_title = || {
        let mut pages = reference::pages().iter();
        pages.find(|page| plain(&page.title) == id)
    };
    // As reports show metrics.
    let by_name = || {
        let mut metrics = pgas_analyze::metrics(true).into_iter();
        let metric = metrics.find(|metric| plain(&metric.display_name) == id)?;
        reference::page_of(&metric.unique_name)
    };
    // The metric "PGAS" as reports of programs of MPI show it.
    let by_model = || (id == Model::Mpi.id()).then(|| reference::page_of("pgas"))?;
    let named = reference::page_of(&id).or_else(by_title).or_else(by_name);
    if let Some(page) = named.or_else(by_model) {
        return Ok(page);
    }
    let failure = Failure::new(format!(
        "there is no metric or kind of finding \"{}\"",
        printable(name, !unicode_locale())
    ));
    Err(match reference::close_ids(&id).as_slice() {
        [] => failure.help("`pgastool explain` lists what can be explained"),
        close => failure.help(format!("did you mean {}?", close.join(", "))),
    })
}

/// A line for each page: its first id and its title, and below what else it explains.
fn list(ascii: bool) -> String {
    let pages = reference::pages();
    let widest = pages.iter().map(|page| columns(page.name)).max();
    let widest = widest.unwrap_or(0);
    let mut out = String::new();
    for page in pages {
        let title = printable(&page.title, ascii);
        out.push_str(&format!("{:widest$}  {title}\n", page.name));
        let others: Vec<_> = page.ids.iter().filter(|id| *id != page.name).collect();
        for some in others.chunks(4) {
            let some: Vec<_> = some.iter().map(|id| id.as_str()).collect();
            out.push_str(&format!("{:widest$}    {}\n", "", some.join(", ")));
        }
    }
    out
}
