//! `pgastool score`: what recording a run cost, function by function, and which filter makes it
//! cost less.

mod json;
mod text;

use crate::experiment;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::recording::filters::FilterFile;
use crate::terminal::Ui;
use clap::{Args, ValueEnum};
use pgas_base::models::{Model, Words};
use pgas_filter::Filter;
use pgas_result::recording::{Baseline, RecordingCost};
use pgas_score::{Outlook, Proposal, ProposalOptions, Score, propose};
use pgas_trace::metadata::FilterInEffect;
use pgas_trace::{Experiment, Metadata};
use std::path::{Path, PathBuf};

/// Tell what recording a run cost, function by function, and propose a filter that makes it cost
/// less
///
/// Events, bytes and overhead with that filter are predicted. Exit status 1 if the overhead cannot
/// be kept as low as asked for.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pgastool score -o my.filter; pgastool compile --filter my.filter -o \
                  prog prog.upc"
)]
pub struct Arguments {
    /// The experiment [default: the newest one in the current directory]
    pub experiment: Option<PathBuf>,
    /// The largest overhead of any thread, of calls and full buffers, that the proposed filter may
    /// leave
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent, allow_negative_numbers = true)]
    pub max_overhead: f64,
    /// Tell what this filter would give; what is proposed comes on top of it
    #[arg(long, value_name = "FILE")]
    pub filter: Option<PathBuf>,
    /// Also propose to leave out operations of the runtime that no wait state is found by, such as
    /// one-sided copies
    #[arg(long)]
    pub operations: bool,
    /// Format of the output
    #[arg(long, value_enum, default_value_t = ScoreFormat::Text)]
    pub format: ScoreFormat,
    /// Write the proposed filter into a file
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScoreFormat {
    /// For reading in a terminal
    Text,
    /// For scripts: all regions
    Json,
}

/// All that is shown.
struct Verdict {
    /// The experiment's directory as the user may name it again.
    directory: String,
    /// The program's words for its threads.
    words: Words,
    /// The program has no other model than MPI.
    is_of_mpi: bool,
    /// Filters that the run was recorded with.
    filters: Vec<FilterInEffect>,
    score: Score,
    /// As reports have it.
    cost: RecordingCost,
    max_overhead_percent: f64,
    /// The filter that the user has asked about.
    tried: Option<Tried>,
    proposal: Proposal,
    /// Operations that the proposed filter leaves out and without which advice is withheld.
    hides: Vec<&'static str>,
    /// The text of the proposed filter file.
    filter_file: String,
    /// Whether it begins with rules of other filters.
    extends_others: bool,
    now: Outlook,
    proposed: Outlook,
    /// By region of the score: whether the proposed filter records it.
    kept: Vec<bool>,
}

struct Tried {
    file: String,
    outlook: Outlook,
}

pub fn score(arguments: &Arguments, ui: &Ui) -> Outcome {
    let directory = experiment::named_or_newest(arguments.experiment.as_deref(), ui)?;
    let experiment = experiment::open(&directory, ui)?;
    let basis = Basis::of(experiment.metadata(), arguments.filter.as_deref(), ui)?;
    let score = {
        let progress = ui.progress("counting", experiment.event_count());
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
    let cost = whole_cost(&score, experiment.metadata());
    let named = (directory.display().to_string(), &experiment);
    let verdict = Verdict::of(score, cost, named, arguments, basis)?;
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

/// Cost of recording, in the form in which reports have it, so that both state it with the same
/// words.
fn whole_cost(score: &Score, metadata: &Metadata) -> RecordingCost {
    let cost = &score.cost;
    let total = |figure: fn(&pgas_score::Figures) -> u64| -> u64 {
        score
            .regions
            .iter()
            .map(|region| figure(&region.total()))
            .sum()
    };
    let plain = metadata.baseline.as_ref().zip(cost.baseline);
    RecordingCost {
        events: total(|figures| figures.events),
        summed_calls: 0,
        throttled_calls: total(|figures| figures.throttled),
        counted_accesses: total(|figures| figures.counted),
        left_out_calls: 0,
        own_accesses: 0,
        seconds: cost.seconds,
        fixed_seconds: cost.fixed_seconds,
        percent: cost.percent,
        interval: cost.interval,
        cpu_seconds: cost.cpu_seconds,
        baseline: plain.map(|(plain, runs)| Baseline {
            program: plain.program.clone(),
            runs: runs.runs,
            cpu_seconds: runs.cpu_seconds,
            differ_too_much: runs.differ_too_much,
        }),
        call_paths: Vec::new(),
    }
}

/// Rules that the proposed filter begins with, and where they come from.
struct Basis {
    rules: String,
    tried: Option<FilterFile>,
}

impl Basis {
    /// The filter that is to be tried, else those that the run was recorded with: what they left
    /// out is not known to the run, so a filter without their rules would bring it back.
    fn of(metadata: &Metadata, tried: Option<&Path>, ui: &Ui) -> Result<Self, Failure> {
        if let Some(path) = tried {
            let tried = FilterFile::read(path)?;
            let others = metadata.filters.iter().filter(|f| f.rules != tried.text);
            for filter in others {
                ui.warning(format_args!(
                    "this was recorded with the filter {}: nothing is known of what it left out, \
                     whether or not {} does so, too",
                    filter.file, tried.name
                ));
            }
            return Ok(Basis {
                rules: with_line_end(&tried.text),
                tried: Some(tried),
            });
        }
        let mut rules = String::new();
        for filter in &metadata.filters {
            if let Err(error) = Filter::parse(&filter.rules, &filter.file) {
                ui.warning(format_args!(
                    "a filter of this run cannot be read any more: {error}"
                ));
                continue;
            }
            rules += &format!("# {}, with which this was recorded:\n", filter.file);
            rules += &with_line_end(&filter.rules);
        }
        Ok(Basis { rules, tried: None })
    }
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    match number.parse::<f64>() {
        Ok(percent) if percent > 0.0 && percent.is_finite() => Ok(percent),
        Ok(_) => {
            Err("nothing can be recorded at no cost: give more than 0, such as 0.5".to_string())
        }
        Err(_) => Err("expected a number of percent, such as 2 or 0.5".to_string()),
    }
}

fn with_line_end(text: &str) -> String {
    let missing = !text.is_empty() && !text.ends_with('\n');
    format!("{text}{}", if missing { "\n" } else { "" })
}

impl Verdict {
    fn of(
        score: Score,
        cost: RecordingCost,
        (directory, experiment): (String, &Experiment),
        arguments: &Arguments,
        basis: Basis,
    ) -> Result<Self, Failure> {
        let options = ProposalOptions {
            max_overhead: arguments.max_overhead / 100.0,
            operations: arguments.operations,
        };
        let known = Filter::parse(&basis.rules, "the filter so far")?;
        let proposal = propose(&score, options, |region| region.is_kept_by(&known));
        let extends_others = !basis.rules.is_empty();
        let mut filter_file = basis.rules;
        if !proposal.names.is_empty() || !extends_others {
            filter_file += &proposal.filter_file(&format!(
                "Proposed by `pgastool score {directory}` for an overhead of at most {} %",
                arguments.max_overhead
            ));
        }
        // The filter that the file's text yields is the one that is predicted.
        let filter = Filter::parse(&filter_file, "the proposed filter")?;
        let kept: Vec<bool> = score
            .regions
            .iter()
            .map(|region| region.is_kept_by(&filter))
            .collect();
        Ok(Verdict {
            directory,
            words: experiment.words(),
            is_of_mpi: experiment.models() == [Model::Mpi],
            filters: experiment.metadata().filters.clone(),
            cost,
            max_overhead_percent: arguments.max_overhead,
            now: score.outlook(|_| true),
            proposed: score.outlook(|region| region.is_kept_by(&filter)),
            tried: basis.tried.map(|tried| Tried {
                outlook: score.outlook(|region| region.is_kept_by(&tried.filter)),
                file: tried.name,
            }),
            extends_others,
            proposal,
            hides: filter.hides(),
            filter_file,
            kept,
            score,
        })
    }
}
