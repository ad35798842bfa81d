//! Pages of the sample results, with all that a page can have: source text, a timeline, a
//! comparison.
#![allow(dead_code)]

use pgas_cube::model::{CallPathId, MetricId};
use pgas_report::html::{Comparison, Page};
use pgas_result::AnalysisResult;
use pgas_result::comparison::{By, Question, Run, compare};
use pgas_result::matching::{Matched, matched};
use pgas_result::sources::{SourceContent, SourceFile, Sources};
use pgas_result::timeline::Timeline;
use serde_json::json;

/// 640 lines, of which some are those that the integer sort's call paths name.
pub fn integer_sort_sources() -> Sources {
    let mut lines: Vec<String> = (1..=640).map(|n| format!("    /* line {n} */")).collect();
    let mut line = |number: usize, text: &str| lines[number - 1] = text.to_owned();
    line(397, "static void rank(int iteration) {");
    line(398, "    count_keys(key_array, key_buff, iteration);");
    line(
        405,
        "    buckets = upc_all_alloc(THREADS, MAX_KEY * sizeof(int));",
    );
    line(440, "    /* every thread must have counted its keys */");
    line(441, "    upc_barrier;");
    line(457, "    for (i = 0; i < THREADS; i++)");
    line(
        458,
        "\tupc_memget(&key_buff2[from[i]], &buckets[i][first], n[i] * sizeof(int));",
    );
    line(472, "    upc_lock(total_lock);");
    line(544, "    upc_barrier;");
    Sources {
        files: vec![SourceFile::text("is.c", lines.join("\n"))],
    }
}

/// Around the ninth barrier: three threads wait for the last.
pub fn integer_sort_timeline() -> Timeline {
    let bar = |begin: f64, end: f64, depth: u32, activity: &str, place: u32| {
        json!({ "begin_seconds": begin, "end_seconds": end, "depth": depth, "activity": activity,
                "place": place, "merged": 1 })
    };
    let row = |thread: u32, arrival: f64| {
        let mut bars = vec![
            bar(0.84, 1.0, 0, "computation", 0),
            bar(0.85, arrival, 1, "computation", 1),
            bar(arrival, 0.9635, 1, "barrier", 2),
        ];
        if arrival < 0.963 {
            bars.push(bar(arrival, 0.963, 2, "waiting", 2));
        }
        bars.push(bar(0.9635, 0.985, 1, "one_sided", 3));
        json!({ "thread": thread, "bars": bars })
    };
    let place = |region: &str, line: u32| json!({ "region": region, "file": "is.c", "line": line });
    let arrow = |to: u32| {
        json!({ "from_thread": 3, "from_seconds": 0.963, "to_thread": to, "to_seconds": 0.963,
                "metric": "wait_at_barrier" })
    };
    let timeline = json!({
        "metric": "wait_at_barrier",
        "call_path": 4,
        "begin_seconds": 0.84,
        "end_seconds": 1.0,
        "instance_begin_seconds": 0.914,
        "instance_end_seconds": 0.963,
        "places": [place("main", 612), place("rank", 398), place("upc_barrier", 441), place("upc_memget", 458)],
        "rows": [row(0, 0.914), row(1, 0.916), row(2, 0.9205), row(3, 0.963)],
        "omitted_threads": 0,
        "arrows": [arrow(0), arrow(1), arrow(2)],
    });
    serde_json::from_value(timeline).expect("a timeline")
}

/// The result again, of a run in which the third call path (rank) took half as much again.
pub fn slower(result: &AnalysisResult) -> AnalysisResult {
    let mut before = result.clone();
    for metric in ["time", "computation"] {
        let metric: MetricId = before.cube.metric(metric).expect("a metric");
        let row = before.cube.row_mut(metric, CallPathId(2));
        row.iter_mut().for_each(|value| *value *= 1.5);
    }
    before.summary.wall_seconds *= 1.25;
    before
}

fn scattered(of: &AnalysisResult, number: usize, factor: f64) -> Run {
    let mut run = of.clone();
    for metric in ["time", "computation"] {
        let metric: MetricId = run.cube.metric(metric).expect("a metric");
        let row = run.cube.row_mut(metric, CallPathId(2));
        row.iter_mut().for_each(|value| *value *= factor);
    }
    run.summary.wall_seconds *= factor;
    Run {
        name: format!("repeat-{number:02}"),
        cube: run.cube,
        summary: Some(run.summary),
        sources: None,
    }
}

/// The data that a page borrows.
pub struct Parts {
    pub result: AnalysisResult,
    pub sources: Sources,
    pub timelines: Vec<Timeline>,
    pub before: AnalysisResult,
    pub matched: Matched,
    /// The repetition over several runs, if there are some.
    pub runs: Option<pgas_result::comparison::Comparison>,
}

impl Parts {
    pub fn of_integer_sort() -> Self {
        let result = super::integer_sort();
        let before = slower(&result);
        Parts {
            sources: integer_sort_sources(),
            timelines: vec![integer_sort_timeline()],
            matched: matched(&before.cube, &result.cube),
            result,
            before,
            runs: None,
        }
    }

    /// The same with three runs on each side, whose computation in `rank` differs from run to run
    /// by `scatter` of it.
    pub fn of_repeated_runs(scatter: f64) -> Self {
        let mut parts = Self::of_integer_sort();
        let runs = |of: &AnalysisResult| -> Vec<Run> {
            let factors = [1.0, 1.0 + scatter, 1.0 - scatter];
            let numbered = factors.iter().enumerate();
            numbered
                .map(|(number, factor)| scattered(of, number, *factor))
                .collect()
        };
        let question = Question {
            metric: "time".into(),
            by: By::CallPath,
            limits: Vec::new(),
        };
        let judged = compare(&runs(&parts.before), &runs(&parts.result), &question);
        parts.runs = Some(judged.expect("a comparison"));
        parts
    }

    pub fn page(&self) -> Page<'_> {
        Page {
            result: &self.result,
            experiment: Some("pgas_is_4_20261121-143000"),
            sources: Some(&self.sources),
            timelines: &self.timelines,
            comparison: Some(Comparison {
                matched: &self.matched,
                before: &self.before.summary,
                name: "pgas_is_4_20261120-090000",
                runs: self.runs.as_ref(),
            }),
        }
    }
}

/// Source text that wants to run, for the hostile result.
pub fn hostile_sources() -> Sources {
    let text = "</script><script>window.broken = 'source';</script>\n<img src=x \
                onerror=\"window.broken = 'image'\">\nif (access != \"user\u{202e} \u{2066}// \
                check\u{2069} \u{2066}\") {\n\0\u{200b}\t<!-- ]]> --></template></style>\n";
    let mut files = vec![
        SourceFile::text("<script>.c", text.repeat(3)),
        SourceFile {
            content: SourceContent::Missing(
                "</script><script>window.broken = 'missing'</script>".into(),
            ),
            ..SourceFile::text("größe.c", "")
        },
    ];
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Sources { files }
}
