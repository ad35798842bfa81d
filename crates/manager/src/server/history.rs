//! Answers of `/api/1/history`.

use pgas_monitor::{Level, Wanted};
use serde::Serialize;

use super::problem::Problem;
use crate::history::Point;
use crate::locations::{CALLS, SYSTEM};
use crate::metric::{COMMUNICATING, COMPUTING, Metric, WAITING};
use crate::store::Store;

/// Series in one answer.
const MOST_SERIES: usize = 256;

/// History of the system.
#[derive(Debug, Serialize)]
pub(super) struct OfSystem {
    schema: u32,
    points: Vec<SystemPoint>,
}

#[derive(Debug, Serialize)]
struct SystemPoint {
    elapsed: f64,
    period: f64,
    /// NaN, `null` in JSON, if there was no time.
    efficiency: f64,
    computing: f64,
    waiting: f64,
    communicating: f64,
    calls_per_second: f64,
}

/// The history of the system; times are sums over threads in the time of a point.
pub(super) fn of_system(store: &Store) -> OfSystem {
    let system = store.objects.get(Level::System, SYSTEM);
    let points = |column| {
        let points = system.map(|system| system.points(column, &store.axis));
        points.unwrap_or_default()
    };
    let others = points(WAITING).into_iter().zip(points(COMMUNICATING));
    let others = others.zip(points(CALLS));
    let all = points(COMPUTING).into_iter().zip(others);
    let point = |(computing, ((waiting, communicating), calls)): (_, ((_, _), _))| {
        let [computing, waiting, communicating, calls]: [Point; 4] =
            [computing, waiting, communicating, calls];
        let all = computing.value + waiting.value + communicating.value;
        SystemPoint {
            elapsed: computing.elapsed,
            period: computing.period,
            efficiency: if all > 0.0 {
                computing.value / all
            } else {
                f64::NAN
            },
            computing: computing.value * computing.period,
            waiting: waiting.value * computing.period,
            communicating: communicating.value * computing.period,
            calls_per_second: calls.value,
        }
    };
    OfSystem {
        schema: 1,
        points: all.map(point).collect(),
    }
}

/// An answer to a query.
#[derive(Debug, Serialize)]
pub(super) struct AllSeries {
    schema: u32,
    series: Vec<Series>,
}

/// The history of one metric of one object.
#[derive(Debug, Serialize)]
struct Series {
    level: Level,
    object: String,
    metric: String,
    unit: String,
    elapsed: Vec<f64>,
    period: Vec<f64>,
    values: Vec<f64>,
}

/// The series that are wanted.
pub(super) fn series(wanted: &Wanted, store: &Store) -> Result<AllSeries, Problem> {
    let mut found = Vec::new();
    for level in wanted.levels() {
        let objects = store.objects.of_level(level);
        for (name, object) in objects.filter(|(name, _)| wanted.has_object(name)) {
            let metrics = store.metrics(level);
            let columns = object.columns();
            let columns = columns.filter(|column| wanted.has_metric(&metrics[*column].name));
            found.extend(columns.map(|column| (level, name, object, column)));
        }
    }
    match found.len() {
        0 => return Err(nothing(wanted, store)),
        number if number > MOST_SERIES => return Err(too_many(number)),
        _ => {}
    }
    let series = found.into_iter().map(|(level, name, object, column)| {
        let metric = &store.metrics(level)[column];
        Series::new(level, name, metric, &object.points(column, &store.axis))
    });
    Ok(AllSeries {
        schema: 1,
        series: series.collect(),
    })
}

impl Series {
    fn new(level: Level, object: &str, metric: &Metric, points: &[Point]) -> Self {
        let unit = match metric.accumulates {
            true => format!("{}/s", metric.unit),
            false => metric.unit.clone(),
        };
        Series {
            level,
            object: object.to_owned(),
            metric: metric.name.clone(),
            unit,
            elapsed: points.iter().map(|point| point.elapsed).collect(),
            period: points.iter().map(|point| point.period).collect(),
            values: points.iter().map(|point| point.value).collect(),
        }
    }
}

/// Why there is no series: some examples of what there is.
fn nothing(wanted: &Wanted, store: &Store) -> Problem {
    Problem::missing(
        "no history of that object and metric is kept",
        examples(wanted, store),
    )
}

/// Some objects, and all metrics, of the levels that are wanted.
pub(super) fn examples(wanted: &Wanted, store: &Store) -> String {
    const SHOWN: usize = 20;
    let mut examples = Vec::new();
    for level in wanted.levels() {
        let objects = store.objects.of_level(level).take(SHOWN);
        let objects: Vec<&str> = objects.map(|(name, _)| name.as_str()).collect();
        let metrics = store.metrics(level).iter();
        let metrics: Vec<&str> = metrics.map(|metric| metric.name.as_str()).collect();
        let (objects, metrics) = (objects.join(", "), metrics.join(", "));
        let name = level.name();
        examples.push(format!(
            "level {name}: objects {objects}; metrics {metrics}"
        ));
    }
    examples.join(". ")
}

fn too_many(number: usize) -> Problem {
    Problem::bad(
        format!("these are {number} series"),
        format!("a query for at most {MOST_SERIES}, with object= or metric="),
    )
}
