//! The result that is shown, with what has to be known of it more than once. The summary is there
//! at once; the profile of a large run is still being read when the first screen appears.

use std::collections::BTreeMap;

use pgas_cube::model::{CallPathId, Cube, MetricId};
use pgas_cube::values::{Extent, SystemTree, Values};
use pgas_report::InflationMarks;
use pgas_report::figures::{self, Activity};
use pgas_result::AnalysisResult;
use pgas_result::live::LiveFinding;
use pgas_result::sources::Sources;
use pgas_result::summary::{Finding, InstanceStatistics, Summary};

use crate::texts;

/// See the module.
#[derive(Debug)]
pub struct Document<'a> {
    pub summary: &'a Summary,
    /// Absent while it is being read.
    pub profile: Option<Profile<'a>>,
}

/// The severities, and what is derived from them once.
#[derive(Debug)]
pub struct Profile<'a> {
    pub result: &'a AnalysisResult,
    pub values: Values<'a>,
    /// Times that recording inflated.
    pub marks: InflationMarks,
    /// By thread.
    pub activities: Vec<Activity>,
    /// Files that call paths name.
    pub files: Vec<File>,
}

/// A source file and the call paths that stand in it.
#[derive(Debug)]
pub struct File {
    /// As call paths spell it.
    pub name: String,
    /// Its lines; `Err` with the reason if there are none.
    pub text: Result<Vec<String>, String>,
    /// Notes on the text for its readers.
    pub notes: Vec<&'static str>,
    /// By line, from 1: call paths that stand there.
    pub calls: BTreeMap<u32, Vec<CallPathId>>,
}

impl<'a> Document<'a> {
    /// A document whose profile is not known yet.
    pub fn of_summary(summary: &'a Summary) -> Self {
        Document {
            summary,
            profile: None,
        }
    }

    /// The whole document, with the source text that there is.
    pub fn new(result: &'a AnalysisResult, sources: &Sources) -> Self {
        Document {
            summary: &result.summary,
            profile: Some(Profile::new(result, sources)),
        }
    }

    pub fn findings(&self) -> &'a [Finding] {
        &self.summary.findings
    }

    /// Number of lines of the list of findings: those of the trace, then those of the online search.
    pub fn entries(&self) -> usize {
        self.summary.findings.len() + self.summary.live_findings.len()
    }

    /// The finding of the online search at a line of that list; `None` for those of the trace.
    pub fn live(&self, entry: usize) -> Option<&'a LiveFinding> {
        let index = entry.checked_sub(self.summary.findings.len())?;
        self.summary.live_findings.get(index)
    }

    /// Name of a finding, for a heading.
    pub fn title<'b>(&'b self, finding: &'b Finding) -> &'b str {
        match &self.profile {
            Some(profile) => finding.name(profile.cube()),
            None => finding.kind.name_with(&finding.metric),
        }
    }

    /// Statistics of a finding's instances, if there are any.
    pub fn instances(&self, finding: &Finding) -> Option<&'a InstanceStatistics> {
        let mut all = self.summary.instances.iter();
        all.find(|i| i.metric == finding.metric && i.call_path == finding.call_path)
    }
}

impl<'a> Profile<'a> {
    fn new(result: &'a AnalysisResult, sources: &Sources) -> Self {
        let cube = &result.cube;
        Profile {
            values: Values::new(cube),
            marks: InflationMarks::of(result),
            activities: figures::activities(cube),
            files: files(cube, sources),
            result,
        }
    }

    pub fn cube(&self) -> &'a Cube {
        &self.result.cube
    }

    /// Name of a metric for people, by its id; the id if there is no such metric.
    pub fn metric_name<'b>(&'b self, id: &'b str) -> &'b str {
        match self.cube().metric(id) {
            Some(metric) => &self.cube().metrics[metric.0].display_name,
            None => id,
        }
    }

    /// Name of the region that a call path ends in.
    pub fn region(&self, path: CallPathId) -> &'a str {
        let cube = self.cube();
        let node = cube.call_paths.get(path.0);
        let region = node.and_then(|node| cube.regions.get(node.region.0));
        region.map_or("", |region| region.name.as_str())
    }

    /// Index of the file that call paths call `name`.
    pub fn file(&self, name: &str) -> Option<usize> {
        self.files
            .binary_search_by(|file| file.name.as_str().cmp(name))
            .ok()
    }

    /// A call path of the place of a finding of the online search.
    pub fn call_path_of(&self, finding: &LiveFinding) -> Option<CallPathId> {
        let place = finding.place.as_ref()?;
        let calls = &self.files.get(self.file(&place.file)?)?.calls;
        let mut here = calls.get(&place.line)?.iter();
        here.find(|path| self.region(**path) == place.region)
            .copied()
    }

    /// Values of the lines of a file, by line: of what stands there alone, or with what that calls.
    /// A call that is part of another one from the same line counts once.
    pub fn line_values(&self, file: usize, metric: MetricId, extent: Extent) -> BTreeMap<u32, f64> {
        let Some(file) = self.files.get(file) else {
            return BTreeMap::new();
        };
        let both = self
            .values
            .per_call_path(metric, Extent::Inclusive, SystemTree::ROOT);
        let tree = self.values.call_paths();
        let of_line = |calls: &Vec<CallPathId>| match extent {
            Extent::Exclusive => calls.iter().map(|c| both.exclusive[c.0]).sum::<f64>(),
            Extent::Inclusive => calls
                .iter()
                .filter(|call| {
                    let path = tree.path(call.0);
                    let above = &path[..path.len().saturating_sub(1)];
                    !above
                        .iter()
                        .any(|a| calls.binary_search(&CallPathId(*a)).is_ok())
                })
                .map(|c| both.inclusive[c.0])
                .sum(),
        };
        file.calls
            .iter()
            .map(|(line, calls)| (*line, of_line(calls)))
            .collect()
    }
}

/// Every file that a call path names, sorted by name.
fn files(cube: &Cube, sources: &Sources) -> Vec<File> {
    let mut calls: BTreeMap<&str, BTreeMap<u32, Vec<CallPathId>>> = BTreeMap::new();
    for (index, path) in cube.call_paths.iter().enumerate() {
        if !path.file.is_empty() {
            let lines = calls.entry(&path.file).or_default();
            lines.entry(path.line).or_default().push(CallPathId(index));
        }
    }
    let file = |(name, calls): (&str, BTreeMap<u32, Vec<CallPathId>>)| File {
        name: name.to_owned(),
        text: texts::lines(sources, name),
        notes: texts::notes(sources, name),
        calls,
    };
    calls.into_iter().map(file).collect()
}
