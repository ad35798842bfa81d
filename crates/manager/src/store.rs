//! Everything that is known of a run: the last picture, matrices, totals, history, events.

use std::sync::Arc;

use axum::body::Bytes;
use pgas_base::models::Words;
use pgas_monitor::{Kind, Level, Picture};
use pgas_search::{Change, Finding};
use serde::Serialize;

use crate::history::Axis;
use crate::journal::Journal;
use crate::matrix::Matrix;
use crate::metric::{Columns, Metric};
use crate::objects::Objects;
use crate::{locations, locks, operations, paths, tasks};

/// The last period.
#[derive(Debug)]
pub(crate) struct Latest {
    pub(crate) picture: Picture,
    pub(crate) findings: usize,
    pub(crate) matrices: Vec<Matrix>,
    /// Picture and findings in JSON.
    pub(crate) json: Bytes,
}

/// Everything that is known of a run.
#[derive(Debug)]
pub(crate) struct Store {
    words: Words,
    columns: AllColumns,
    pub(crate) objects: Objects,
    pub(crate) axis: Axis,
    pub(crate) journal: Journal,
    pub(crate) latest: Option<Arc<Latest>>,
    /// Number of pictures so far.
    pub(crate) pictures: u64,
    /// The manager is about to stop.
    pub(crate) is_stopping: bool,
}

#[derive(Debug)]
struct AllColumns {
    locations: Columns,
    operations: Columns,
    paths: Columns,
    locks: Columns,
    tasks: Columns,
    channels: Columns,
}

impl AllColumns {
    fn metrics(&self, level: Level) -> &[Metric] {
        match level.kind() {
            Kind::Location => self.locations.metrics(),
            Kind::Operation => self.operations.metrics(),
            Kind::Path => self.paths.metrics(),
            Kind::Lock => self.locks.metrics(),
            Kind::Task => self.tasks.metrics(),
            Kind::Channel => self.channels.metrics(),
        }
    }
}

/// JSON of a period.
#[derive(Serialize)]
struct WithFindings<'a> {
    #[serde(flatten)]
    picture: &'a Picture,
    findings: &'a [Finding],
}

/// JSON of a change.
#[derive(Serialize)]
struct Said<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    text: String,
}

impl Store {
    /// Nothing is known yet. Sentences use these words.
    pub(crate) fn new(words: Words) -> Self {
        Store {
            words,
            columns: AllColumns {
                locations: locations::columns(),
                operations: operations::columns(),
                paths: paths::columns(),
                locks: locks::columns(),
                tasks: tasks::task_columns(),
                channels: tasks::channel_columns(),
            },
            objects: Objects::default(),
            axis: Axis::default(),
            journal: Journal::default(),
            latest: None,
            pictures: 0,
            is_stopping: false,
        }
    }

    /// The metrics of a level, by column.
    pub(crate) fn metrics(&self, level: Level) -> &[Metric] {
        self.columns.metrics(level)
    }

    /// Adds a period.
    pub(crate) fn add(&mut self, picture: Picture, findings: &[Finding], changes: &[Change]) {
        let matrices = self.add_values(&picture);
        for change in changes {
            let (name, finding) = match change {
                Change::Found(finding) => ("found", finding),
                Change::Gone(finding) => ("gone", finding),
            };
            let text = pgas_search::shown(finding, &self.words);
            self.journal.change(name, json(&Said { finding, text }));
        }
        let json = json(&WithFindings {
            picture: &picture,
            findings,
        });
        self.journal.picture(json.clone());
        self.pictures += 1;
        self.latest = Some(Arc::new(Latest {
            picture,
            findings: findings.len(),
            matrices,
            json,
        }));
    }

    /// Adds the values of a period to totals and history; returns its matrices.
    fn add_values(&mut self, picture: &Picture) -> Vec<Matrix> {
        let columns = &mut self.columns;
        let forests = [
            locations::forest(picture, &mut columns.locations),
            operations::forest(picture, &columns.operations),
            paths::forest(picture, &columns.paths),
            locks::forest(picture, &columns.locks),
            tasks::task_forest(picture, &columns.tasks),
            tasks::channel_forest(picture, &columns.channels),
        ];
        self.objects.begin();
        for (forest, kind) in forests.iter().zip(Kind::ALL) {
            let level = Level::ALL.into_iter().find(|level| level.kind() == kind);
            let metrics = level.map_or(&[][..], |level| self.columns.metrics(level));
            self.objects.add(forest, metrics);
        }
        let step = self.axis.add(picture.elapsed, picture.period);
        self.objects
            .keep(&step, |level| self.columns.metrics(level));
        let matrix = |level: Level| {
            let forest = &forests[level.kind() as usize];
            Matrix::new(level, forest, self.columns.metrics(level), &self.objects)
        };
        Level::ALL.into_iter().map(matrix).collect()
    }

    /// The run has ended, for this reason. Only the first end counts.
    pub(crate) fn end(&mut self, why: &str) {
        if !self.journal.has_ended() {
            self.journal.end(json(&serde_json::json!({ "why": why })));
        }
    }
}

/// Values of this crate have only names that are texts, so that this does not fail.
pub(crate) fn json(value: &impl Serialize) -> Bytes {
    serde_json::to_vec(value).unwrap_or_default().into()
}
