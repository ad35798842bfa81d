//! Which instances of wait states are drawn: the worst of each finding, and those of the wait states that cost most.

use pgas_analyze::patterns::{Pattern, PATTERNS};
use pgas_cube::model::CallPathId;
use pgas_earl::PathId;
use pgas_result::summary::WorstInstance;
use pgas_result::AnalysisResult;
use pgas_trace::model::ThreadId;

use crate::times::Times;

/// Wait states that are drawn though no finding names them.
const BESIDES_FINDINGS: usize = 8;
/// Timelines at most.
const AT_MOST: usize = 32;

/// The instance that a timeline is of, as the analysis describes it.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Metric id of the wait state.
    pub metric: String,
    pub call_path: CallPathId,
    /// The pattern, by its place in [`PATTERNS`]; `None` for a metric that this version does not know.
    pub pattern: Option<usize>,
    /// Ticks at which the first thread began to wait.
    pub begin: u64,
    /// Ticks that all threads waited together.
    pub waited: u64,
    /// Ticks that the one waited which waited longest; not less than that.
    pub longest: u64,
    pub longest_thread: Option<ThreadId>,
    /// The thread that was waited for.
    pub last_thread: ThreadId,
}

impl Subject {
    /// The call path as records have it.
    pub fn path(&self) -> PathId {
        PathId(self.call_path.0 as u32)
    }

    pub fn pattern(&self) -> Option<&'static Pattern> {
        self.pattern.map(|number| PATTERNS[number])
    }
}

/// The instances to draw, those of findings first, in their order.
pub fn subjects(result: &AnalysisResult, times: &Times) -> Vec<Subject> {
    let summary = &result.summary;
    let of_findings = summary.findings.iter();
    let of_findings = of_findings.map(|f| (&f.metric, f.call_path, f.worst.as_ref(), 0.0));
    let mut besides: Vec<_> = summary
        .instances
        .iter()
        .map(|i| {
            let metric = result.cube.metric(&i.metric);
            let row = metric.and_then(|m| result.cube.row(m, CallPathId(i.call_path)));
            let cost: f64 = row.map_or(0.0, |row| row.iter().sum());
            (&i.metric, i.call_path, i.worst.as_ref(), cost)
        })
        .collect();
    besides.sort_by(|a, b| b.3.total_cmp(&a.3));
    let mut subjects: Vec<Subject> = Vec::new();
    let mut add = |metric: &str, call_path: usize, worst: Option<&WorstInstance>| {
        let call_path = CallPathId(call_path);
        let known = |s: &Subject| s.call_path == call_path && s.metric == metric;
        match worst {
            Some(worst) if subjects.len() < AT_MOST && !subjects.iter().any(known) => {
                subjects.push(subject(metric, call_path, worst, times));
                true
            }
            _ => false,
        }
    };
    for (metric, call_path, worst, _) in of_findings {
        add(metric, call_path, worst);
    }
    let mut left = BESIDES_FINDINGS;
    for (metric, call_path, worst, _) in besides {
        if left > 0 && add(metric, call_path, worst) {
            left -= 1;
        }
    }
    subjects
}

fn subject(metric: &str, call_path: CallPathId, worst: &WorstInstance, times: &Times) -> Subject {
    let waited = times.length(worst.seconds);
    Subject {
        metric: metric.to_owned(),
        call_path,
        pattern: PATTERNS.iter().position(|pattern| pattern.id == metric),
        begin: times.at(worst.at_seconds),
        waited,
        // Results of earlier versions do not say it.
        longest: worst.longest_seconds.map_or(waited, |s| times.length(s)),
        longest_thread: worst.longest_thread,
        last_thread: worst.last_thread,
    }
}
