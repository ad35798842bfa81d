//! Answers of `/api/1/history`.

use serde::Serialize;

use super::guard::Pairs;
use super::names::{kind, level};
use super::problem::Problem;
use crate::level::{Kind, Level};
use crate::locations::{CALLS, SYSTEM};
use crate::metric::{COMMUNICATING, COMPUTING, WAITING};
use crate::objects::Object;
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
        let [computing, waiting, communicating, calls]: [crate::history::Point; 4] =
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

/// Series that a query selects.
#[derive(Debug)]
pub(super) struct Wanted {
    kind: Option<Kind>,
    level: Option<Level>,
    object: Option<String>,
    metric: Option<String>,
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

impl Wanted {
    /// What a query asks for.
    pub(super) fn new(pairs: &Pairs) -> Result<Self, Problem> {
        let text = |name: &str| {
            let mut found = pairs.iter().filter(|pair| pair.0 == name);
            found.next().map(|pair| pair.1.clone())
        };
        let wanted = Wanted {
            kind: text("kind").map(|name| kind(&name)).transpose()?,
            level: text("level").map(|name| level(&name)).transpose()?,
            object: text("object"),
            metric: text("metric"),
        };
        match (wanted.kind, wanted.level) {
            (Some(kind), Some(level)) if level.kind() != kind => Err(Problem::bad(
                format!("level `{}` is not of kind `{}`", level.name(), kind.name()),
                format!("kind={}, or no kind", level.kind().name()),
            )),
            _ => Ok(wanted),
        }
    }

    /// Without kind and level, those of the system.
    fn has(&self, level: Level) -> bool {
        match (self.level, self.kind) {
            (Some(wanted), _) => wanted == level,
            (None, Some(kind)) => level.kind() == kind,
            (None, None) => level == Level::System,
        }
    }

    /// The series.
    pub(super) fn series(&self, store: &Store) -> Result<AllSeries, Problem> {
        let mut found = Vec::new();
        for level in Level::ALL.into_iter().filter(|level| self.has(*level)) {
            let objects = store.objects.of_level(level);
            let wanted =
                objects.filter(|(name, _)| self.object.as_ref().is_none_or(|of| of == *name));
            for (name, object) in wanted {
                let columns = self.columns(store, level, object).into_iter();
                found.extend(columns.map(|column| (level, name, object, column)));
            }
        }
        match found.len() {
            0 => return Err(self.nothing(store)),
            number if number > MOST_SERIES => return Err(too_many(number)),
            _ => {}
        }
        let series = found.into_iter().map(|(level, name, object, column)| {
            let metric = &store.metrics(level)[column];
            let unit = match metric.accumulates {
                true => format!("{}/s", metric.unit),
                false => metric.unit.clone(),
            };
            let points = object.points(column, &store.axis);
            Series {
                level,
                object: name.clone(),
                metric: metric.name.clone(),
                unit,
                elapsed: points.iter().map(|point| point.elapsed).collect(),
                period: points.iter().map(|point| point.period).collect(),
                values: points.iter().map(|point| point.value).collect(),
            }
        });
        Ok(AllSeries {
            schema: 1,
            series: series.collect(),
        })
    }

    fn columns(&self, store: &Store, level: Level, object: &Object) -> Vec<usize> {
        let metrics = store.metrics(level);
        let is_wanted = |column: &usize| {
            let name = &metrics[*column].name;
            self.metric.as_ref().is_none_or(|wanted| wanted == name)
        };
        object.columns().filter(is_wanted).collect()
    }

    /// Why there is no series: some examples of what there is.
    fn nothing(&self, store: &Store) -> Problem {
        const SHOWN: usize = 20;
        let levels = Level::ALL.into_iter().filter(|level| self.has(*level));
        let mut expected = Vec::new();
        for level in levels {
            let objects = store.objects.of_level(level).take(SHOWN);
            let objects: Vec<&str> = objects.map(|(name, _)| name.as_str()).collect();
            let metrics = store.metrics(level).iter();
            let metrics: Vec<&str> = metrics.map(|metric| metric.name.as_str()).collect();
            let (objects, metrics) = (objects.join(", "), metrics.join(", "));
            let name = level.name();
            expected.push(format!(
                "level {name}: objects {objects}; metrics {metrics}"
            ));
        }
        Problem::missing(
            "no history of that object and metric is kept",
            expected.join(". "),
        )
    }
}

fn too_many(number: usize) -> Problem {
    Problem::bad(
        format!("these are {number} series"),
        format!("a query for at most {MOST_SERIES}, with object= or metric="),
    )
}
