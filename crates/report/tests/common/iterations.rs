//! Loops whose iterations change.

use pgas_result::AnalysisResult;
use pgas_result::phases::{
    Boundary, Loop, Mark, MarkReason, MetricSeries, Outlier, Recurring, Shape, Slowest, WarmUp,
};

use super::shapes::many;
use super::sort::integer_sort;

/// A run of many iterations whose imbalance grows, with a slow start and two loops.
pub fn growing() -> AnalysisResult {
    let mut result = integer_sort();
    let series = |metric: &str, shape, value: &dyn Fn(usize) -> f64| {
        let values: Vec<f64> = (0..100).map(value).collect();
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let (first, last) = (mean(&values[..25]), mean(&values[75..]));
        MetricSeries {
            metric: metric.into(),
            mean: mean(&values),
            first_quarter: first,
            last_quarter: last,
            change_percent: (first > 0.0).then(|| 100.0 * (last - first) / first),
            slope: 1e-5,
            probability: 1e-9,
            shape,
            values,
            recorded_iterations: None,
        }
    };
    let outer = Loop {
        call_path: 4,
        boundary: Boundary::Ends,
        region: "upc_barrier".into(),
        file: "is.c".into(),
        line: 441,
        function: "main".into(),
        body: "rank".into(),
        iterations: 200,
        begin_seconds: 0.1,
        end_seconds: 1.1,
        coverage: 0.847,
        mean_seconds: 0.005,
        median_seconds: 0.0049,
        min_seconds: 0.0031,
        max_seconds: 0.03,
        warm_up: Some(WarmUp {
            iterations: 2,
            seconds: 0.03,
            others_seconds: 0.0049,
        }),
        recurring: Some(Recurring {
            every: 10,
            first: 9,
            seconds: 0.009,
            others_seconds: 0.0049,
        }),
        outliers: vec![Outlier {
            iteration: 56,
            at_seconds: 0.4,
            seconds: 0.028,
        }],
        slowest: Some(Slowest {
            thread: 3,
            first_share: 0.31,
            last_share: 0.98,
            call_path: Some(2),
            region: "rank".into(),
        }),
        iterations_per_value: 2,
        series: vec![
            series("duration", Shape::Growing, &|i| 0.003 + 4e-5 * i as f64),
            series("imbalance", Shape::Growing, &|i| 2e-5 * i as f64),
            series("computation", Shape::Steady, &|_| 0.0025),
            series("barrier", Shape::Growing, &|i| 0.0005 + 4e-5 * i as f64),
            series("wait_at_barrier", Shape::Growing, &|i| {
                0.0005 + 4e-5 * i as f64
            }),
            series("one_sided", Shape::Steady, &|_| 1e-5),
        ],
        marks: Vec::new(),
    };
    let inner = Loop {
        boundary: Boundary::Begins,
        call_path: 8,
        line: 544,
        function: "rank".into(),
        body: String::new(),
        iterations: 4000,
        mean_seconds: 0.00025,
        min_seconds: 0.00024,
        max_seconds: 0.00031,
        warm_up: None,
        recurring: None,
        outliers: Vec::new(),
        slowest: None,
        iterations_per_value: 40,
        series: vec![series("duration", Shape::Steady, &|_| 0.00025)],
        ..outer.clone()
    };
    result.summary.phases = vec![outer, inner];
    result
}

/// The same, where calls of upc_get were throttled from iteration 75 of the outer loop on,
/// recording was off for a while after iteration 20, and the trace ended before the program did.
pub fn throttled_loop() -> AnalysisResult {
    let mut result = growing();
    let outer = &mut result.summary.phases[0];
    for series in &mut outer.series {
        if ["one_sided", "computation", "imbalance"].contains(&series.metric.as_str()) {
            series.values.truncate(37);
            series.recorded_iterations = Some(74);
        }
    }
    let mark = |reason, after_iteration, at_seconds| Mark {
        reason,
        after_iteration,
        at_seconds,
        until_seconds: None,
        metrics: Vec::new(),
        region: String::new(),
        file: String::new(),
        line: 0,
    };
    outer.marks = vec![
        Mark {
            until_seconds: Some(0.25),
            ..mark(MarkReason::Paused, 20, 0.2)
        },
        Mark {
            metrics: vec!["imbalance".into(), "computation".into(), "one_sided".into()],
            region: "upc_get".into(),
            file: "is.c".into(),
            line: 77,
            ..mark(MarkReason::Throttled, 74, 0.5)
        },
        mark(MarkReason::TraceEnds, 200, 1.1),
    ];
    result
}
