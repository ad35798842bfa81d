//! The data of a page as JSON. It is read by the page alone and may change with every version; what
//! scripts read is `pgas_report::json`.

use std::collections::{BTreeMap, HashMap};

use pgas_cube::model::{CallPathId, Cube, MetricId};
use pgas_result::live::LiveFinding;
use pgas_result::models::{self, Words};
use pgas_result::phases::Loop;
use pgas_result::sources::SourceContent;
use pgas_result::summary::{Finding, Summary};
use pgas_result::timeline::Timeline;
use pgas_result::vocabulary::{FACTORS, Factor};
use serde::Serialize;

use super::Page;
use super::activities::{self, ActivityRow};
use super::balance::{self, FunctionBalance};
use super::headline;
use super::severities::{self, Kept, MetricRows};
use crate::comparison_json::Diff;
use crate::figures::{is_wait_state, names};
use crate::inflated::{self, InflationMarks};
use crate::live;
use crate::sentences;

/// Places of a comparison that are kept, those that changed most.
const PLACES: usize = 100;

#[derive(Serialize)]
struct Data<'a> {
    version: &'static str,
    experiment: Option<&'a str>,
    words: PageWords,
    headline: Vec<String>,
    /// Whether efficiency can be judged: not where recording took much of the run.
    is_efficiency_judged: bool,
    /// Cost of recording, in a sentence; absent if it is not known.
    recording_cost: Option<String>,
    inflated: InflationMarks,
    /// In the order of the findings.
    titles: Vec<&'a str>,
    /// Ids of their reference pages.
    explained_by: Vec<&'a str>,
    /// Of the findings' call paths, from the root.
    paths: Vec<Vec<&'a str>>,
    /// In the order of the findings: when the online search knew them; null where it did not.
    known: Vec<Option<String>>,
    /// In the order of the summary's live findings.
    live: Vec<LiveWords>,
    summary: &'a Summary,
    /// In the order of the loops.
    loops: Vec<LoopWords<'a>>,
    activities: Vec<ActivityRow>,
    /// Ids and names of all activities, in the order of drawing.
    activity_names: Vec<(&'static str, &'a str)>,
    factors: &'static [Factor],
    balance: Vec<FunctionBalance<'a>>,
    metrics: Vec<Metric<'a>>,
    regions: Vec<Region<'a>>,
    call_paths: CallPaths<'a>,
    system: System<'a>,
    attributes: &'a BTreeMap<String, String>,
    /// Call paths with a value for every thread; absent if all have.
    detailed: Option<Vec<usize>>,
    severities: Vec<MetricRows>,
    sources: Vec<Source<'a>>,
    timelines: &'a [Timeline],
    comparison: Option<Compared<'a>>,
}

/// The program's words for its threads.
#[derive(Serialize)]
struct PageWords {
    one: &'static str,
    many: &'static str,
    article: &'static str,
    /// Number of the first one.
    first: u32,
    /// The models, if they are several; empty otherwise.
    models: String,
}

impl PageWords {
    fn of(summary: &Summary) -> Self {
        let models = summary.known_models();
        let Words {
            one,
            many,
            article,
            first,
        } = summary.words();
        PageWords {
            one,
            many,
            article,
            first,
            models: match models.len() {
                0 | 1 => String::new(),
                _ => models::names(&models),
            },
        }
    }
}

/// Sentences about a loop, as in the other reports.
#[derive(Serialize)]
struct LoopWords<'a> {
    title: String,
    sentences: Vec<String>,
    /// In the order of the loop's marks.
    marks: Vec<String>,
    /// The series that matter, and what is said about each.
    series: Vec<(&'a str, String)>,
}

/// Sentences about a finding of the online search, as in the other reports.
#[derive(Serialize)]
struct LiveWords {
    times: String,
    share: Option<String>,
    thread_share: Option<String>,
    /// Findings of the trace about the same place.
    findings: Vec<usize>,
}

impl LiveWords {
    fn of(finding: &LiveFinding, summary: &Summary) -> Self {
        LiveWords {
            times: live::times(finding, false),
            share: live::share(finding),
            thread_share: live::thread_share(finding),
            findings: live::same_place(finding, &summary.findings),
        }
    }
}

#[derive(Serialize)]
struct Metric<'a> {
    id: &'a str,
    name: &'a str,
    description: &'a str,
    unit: &'static str,
    parent: Option<usize>,
    wait_state: bool,
}

#[derive(Serialize)]
struct Region<'a> {
    name: &'a str,
    module: &'a str,
    begin_line: u32,
    end_line: u32,
}

/// Parallel lists; names of files once.
#[derive(Serialize)]
struct CallPaths<'a> {
    files: Vec<&'a str>,
    region: Vec<usize>,
    parent: Vec<Option<usize>>,
    file: Vec<usize>,
    line: Vec<u32>,
}

#[derive(Serialize)]
struct System<'a> {
    machine: &'a str,
    nodes: &'a [String],
    threads: Vec<&'a str>,
    node: Vec<usize>,
    process: Vec<u32>,
}

#[derive(Serialize)]
struct Source<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'a str>,
    notes: Vec<&'static str>,
}

#[derive(Serialize)]
struct Compared<'a> {
    name: &'a str,
    summary: &'a Summary,
    severities: Vec<MetricRows>,
    notes: &'a [String],
    /// As `pgastool diff --format json` prints it.
    runs: Option<Diff<'a>>,
}

/// As one line.
pub(super) fn json(page: &Page) -> String {
    let data = Data::of(page);
    // Only a map with keys that are no text could fail.
    serde_json::to_string(&data).unwrap_or_else(|_| "null".to_owned())
}

impl<'a> Data<'a> {
    fn of(page: &'a Page) -> Self {
        let result = page.result;
        // The trees of the page: those of both runs, if there are two. Indices of the result's own
        // are the same there.
        let cube = page.comparison.map_or(&result.cube, |c| &c.matched.after);
        let before = page.comparison.map(|c| &c.matched.before);
        let both: Vec<&Cube> = std::iter::once(cube).chain(before).collect();
        let kept = Kept::choose(&both, result);
        let findings = &result.summary.findings;
        let words = result.summary.words();
        Data {
            version: env!("CARGO_PKG_VERSION"),
            experiment: page.experiment,
            words: PageWords::of(&result.summary),
            headline: headline::sentences(result),
            is_efficiency_judged: headline::is_efficiency_judged(result),
            recording_cost: result
                .summary
                .recording
                .cost
                .as_ref()
                .map(|cost| words.say(&inflated::sentences(cost))),
            inflated: InflationMarks::of(result),
            titles: findings.iter().map(|f| f.name(&result.cube)).collect(),
            explained_by: findings.iter().map(Finding::explained_by).collect(),
            paths: findings
                .iter()
                .map(|f| match f.call_path < cube.call_paths.len() {
                    true => names(cube, CallPathId(f.call_path)),
                    false => Vec::new(),
                })
                .collect(),
            known: findings
                .iter()
                .map(|finding| live::known(&result.summary, finding, false))
                .collect(),
            live: result
                .summary
                .live_findings
                .iter()
                .map(|finding| LiveWords::of(finding, &result.summary))
                .collect(),
            summary: &result.summary,
            loops: result
                .summary
                .phases
                .iter()
                .map(|found| loop_words(found, &result.cube, &words))
                .collect(),
            activities: activities::rows(&result.cube),
            activity_names: activities::names(&result.cube),
            factors: &FACTORS,
            balance: balance::functions(&result.cube),
            metrics: metrics(cube),
            regions: cube
                .regions
                .iter()
                .map(|region| Region {
                    name: &region.name,
                    module: &region.module,
                    begin_line: region.begin_line,
                    end_line: region.end_line,
                })
                .collect(),
            call_paths: call_paths(cube),
            system: System {
                machine: &cube.machine,
                nodes: &cube.nodes,
                threads: cube.threads.iter().map(|t| t.name.as_str()).collect(),
                node: cube.threads.iter().map(|t| t.node).collect(),
                process: cube.threads.iter().map(|t| t.process).collect(),
            },
            attributes: &result.cube.attributes,
            detailed: kept.listed(),
            severities: severities::rows(cube, &kept),
            sources: sources(page),
            timelines: page.timelines,
            comparison: page.comparison.map(|comparison| Compared {
                name: comparison.name,
                summary: comparison.before,
                severities: severities::rows(&comparison.matched.before, &kept),
                notes: &comparison.matched.notes,
                runs: comparison.runs.map(|runs| Diff::of(runs, Some(PLACES))),
            }),
        }
    }
}

fn loop_words<'a>(found: &'a Loop, cube: &Cube, words: &Words) -> LoopWords<'a> {
    let about = sentences::imbalance(found)
        .map(|sentence| words.say(&sentence))
        .into_iter()
        .chain(sentences::oddities(found, false));
    LoopWords {
        title: sentences::title(found, false),
        sentences: std::iter::once(sentences::place(found))
            .chain(about)
            .collect(),
        marks: sentences::marks(found, Some(cube), false),
        series: sentences::shown(found)
            .into_iter()
            .map(|series| {
                let words = sentences::development(found, series, false);
                (series.metric.as_str(), words)
            })
            .collect(),
    }
}

fn metrics(cube: &Cube) -> Vec<Metric<'_>> {
    let metrics = cube.metrics.iter().enumerate();
    metrics
        .map(|(index, metric)| Metric {
            id: &metric.unique_name,
            name: &metric.display_name,
            description: &metric.description,
            unit: metric.unit.symbol(),
            parent: metric.parent.map(|parent| parent.0),
            wait_state: is_wait_state(cube, MetricId(index)),
        })
        .collect()
}

fn call_paths(cube: &Cube) -> CallPaths<'_> {
    let mut files = Vec::new();
    let mut numbers = HashMap::new();
    let mut file = Vec::with_capacity(cube.call_paths.len());
    for node in &cube.call_paths {
        let number = *numbers.entry(node.file.as_str()).or_insert_with(|| {
            files.push(node.file.as_str());
            files.len() - 1
        });
        file.push(number);
    }
    let nodes = || cube.call_paths.iter();
    CallPaths {
        files,
        region: nodes().map(|node| node.region.0).collect(),
        parent: nodes().map(|node| node.parent.map(|p| p.0)).collect(),
        file,
        line: nodes().map(|node| node.line).collect(),
    }
}

fn sources<'a>(page: &Page<'a>) -> Vec<Source<'a>> {
    let files = page.sources.map_or(&[][..], |sources| &sources.files);
    files
        .iter()
        .map(|file| {
            let (text, missing) = match &file.content {
                SourceContent::Text(text) => (Some(text.as_str()), None),
                SourceContent::Missing(why) => (None, Some(why.as_str())),
            };
            Source {
                name: &file.name,
                text,
                missing,
                notes: file.notes.iter().map(|note| note.text()).collect(),
            }
        })
        .collect()
}
