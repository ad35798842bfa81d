//! `pgastool score`: what recording a run cost, function by function, and which filter makes it cost less.

mod json;
mod text;

use crate::cli::{self, ScoreFormat};
use crate::experiment;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::ui::Ui;
use pgas_filter::Filter;
use pgas_score::{propose, Outlook, Proposal, ProposalOptions, Region, Score};
use pgas_trace::Experiment;
use std::path::Path;

/// All that is shown.
struct Verdict {
    /// The experiment's directory as the user may name it again.
    directory: String,
    score: Score,
    max_overhead_percent: f64,
    /// The filter that the user has asked about.
    tried: Option<Tried>,
    proposal: Proposal,
    /// The text of the proposed filter file, with the rules of the one that was tried.
    filter_file: String,
    now: Outlook,
    proposed: Outlook,
    /// By region of the score: whether the proposed filter records it.
    kept: Vec<bool>,
}

struct Tried {
    file: String,
    outlook: Outlook,
}

pub fn score(arguments: &cli::Score, ui: &Ui) -> Outcome {
    let directory = experiment::named_or_newest(arguments.experiment.as_deref(), ui)?;
    let tried = arguments.filter.as_deref().map(read_filter).transpose()?;
    let experiment = Experiment::open(&directory)?;
    let score = {
        let progress = ui.progress("counting");
        Score::read(&experiment, &|fraction| progress.set(fraction))?
    };
    if score.threads.is_empty() {
        return Err(Failure::new(format!(
            "{}: nothing was recorded, so there is nothing to score",
            directory.display()
        )));
    }
    for remark in experiment.all_remarks() {
        ui.warning(remark);
    }
    let verdict = Verdict::of(score, directory.display().to_string(), arguments, tried)?;
    let text = match arguments.format {
        ScoreFormat::Text => text::render(&verdict, arguments.output.as_deref()),
        ScoreFormat::Json => json::render(&verdict)?,
    };
    if let Some(file) = &arguments.output {
        output::deliver(&verdict.filter_file, Some(file))?;
        ui.note(format_args!("wrote the filter {}", file.display()));
    }
    output::deliver(&text, None)?;
    Ok(u8::from(!verdict.proposal.sufficient))
}

/// A filter file that is to be tried.
struct FilterFile {
    name: String,
    text: String,
    filter: Filter,
}

fn read_filter(path: &Path) -> Result<FilterFile, Failure> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("cannot read the filter {name}: {error}")))?;
    let filter = Filter::parse(&text, &name)?;
    Ok(FilterFile { name, text, filter })
}

impl Verdict {
    fn of(
        score: Score,
        directory: String,
        arguments: &cli::Score,
        tried: Option<FilterFile>,
    ) -> Result<Self, Failure> {
        let options = ProposalOptions {
            max_overhead: arguments.max_overhead / 100.0,
            operations: arguments.operations,
        };
        let keeps = |region: &Region| tried.as_ref().is_none_or(|t| region.is_kept_by(&t.filter));
        let proposal = propose(&score, options, keeps);
        let mut filter_file = String::new();
        if let Some(tried) = &tried {
            filter_file += &tried.text;
            if !filter_file.ends_with('\n') && !filter_file.is_empty() {
                filter_file.push('\n');
            }
        }
        if !proposal.names.is_empty() || tried.is_none() {
            filter_file += &proposal.filter_file(&format!(
                "Proposed by `pgastool score {directory}` for an overhead of at most {} %",
                arguments.max_overhead
            ));
        }
        // What is predicted is what the very text that is written means.
        let filter = Filter::parse(&filter_file, "the proposed filter")?;
        let kept: Vec<bool> = score
            .regions
            .iter()
            .map(|region| region.is_kept_by(&filter))
            .collect();
        Ok(Verdict {
            directory,
            max_overhead_percent: arguments.max_overhead,
            now: score.outlook(|_| true),
            proposed: score.outlook(|region| region.is_kept_by(&filter)),
            tried: tried.map(|tried| Tried {
                outlook: score.outlook(|region| region.is_kept_by(&tried.filter)),
                file: tried.name,
            }),
            proposal,
            filter_file,
            kept,
            score,
        })
    }
}
