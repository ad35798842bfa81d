//! Answers of `/api/1/now`: values as they are at the request, not at the end of the last period.

use std::sync::mpsc::TrySendError;
use std::time::Duration;

use axum::body::Bytes;
use pgas_monitor::{Cell, RingNow, Wanted};
use serde::Serialize;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::Shared;
use super::history::examples;
use super::problem::Problem;
use crate::fresh::{Fresh, Question};
use crate::store::json;

/// Time for an answer of all nodes.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Serialize)]
struct Now<'a> {
    schema: u32,
    period: f64,
    cells: Vec<Cell<'a>>,
    ring: Option<RingNow>,
}

/// The values that are wanted, in JSON.
pub(super) async fn ask(shared: &Shared, wanted: Wanted) -> Result<Bytes, Problem> {
    let fresh = fresh(shared, &wanted).await?;
    let cells: Vec<Cell> = fresh.cells.iter().collect();
    if cells.is_empty() {
        let expected = examples(&wanted, &shared.store());
        return Err(Problem::missing(
            "no thread has a value of that object and metric now",
            expected,
        ));
    }
    Ok(json(&Now {
        schema: 1,
        period: fresh.cells.period,
        cells,
        ring: fresh.ring,
    }))
}

async fn fresh(shared: &Shared, wanted: &Wanted) -> Result<Fresh, Problem> {
    let (answer, answered) = oneshot::channel();
    let question = Question {
        wanted: wanted.clone(),
        answer,
    };
    let Some(questions) = &shared.questions else {
        return Err(unavailable("nobody samples this run"));
    };
    questions.try_send(question).map_err(|error| match error {
        TrySendError::Full(_) => unavailable("too many such requests are being answered"),
        TrySendError::Disconnected(_) => unavailable("the run has ended"),
    })?;
    match timeout(PATIENCE, answered).await {
        Ok(Ok(fresh)) => Ok(fresh),
        _ => Err(unavailable("not all nodes have answered")),
    }
}

fn unavailable(error: &str) -> Problem {
    let expected = "the same request later, or /api/1/matrices for the last period";
    Problem::unavailable(error, expected)
}
