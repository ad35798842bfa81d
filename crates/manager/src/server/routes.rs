//! The endpoints.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Router, middleware};
use serde::Serialize;

use super::guard::{Pairs, guard};
use super::names::{level, wanted};
use super::problem::Problem;
use super::{STREAMS, Shared, changes, history, now};
use crate::matrix::Matrix;
use crate::open_metrics;
use crate::store::json;

const JSON: &str = "application/json";
const ENDPOINTS: &str = "/, /api/1/picture, /api/1/history, /api/1/matrices, /api/1/now, \
                         /api/1/changes or /metrics";

/// What a query for objects and metrics may have.
const SELECTION: [&str; 4] = ["kind", "level", "object", "metric"];

/// All endpoints, behind the checks of requests.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/api/1/picture", get(picture))
        .route("/api/1/history", get(history))
        .route("/api/1/matrices", get(matrices))
        .route("/api/1/now", get(fresh))
        .route("/api/1/changes", get(follow))
        .route("/metrics", get(metrics))
        .fallback(missing)
        .layer(middleware::from_fn_with_state(shared.clone(), guard))
        .with_state(shared)
}

async fn missing(uri: Uri) -> Problem {
    Problem::missing(format!("there is no {}", uri.path()), ENDPOINTS)
}

async fn page(State(shared): State<Arc<Shared>>) -> Response {
    let policy = [(CONTENT_SECURITY_POLICY, shared.page.policy.clone())];
    (policy, Html(shared.page.html.clone())).into_response()
}

async fn picture(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Problem> {
    query(&uri, &[])?;
    let latest = shared.store().latest.clone();
    Ok(match latest {
        Some(latest) => ([(CONTENT_TYPE, JSON)], latest.json.clone()).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

async fn history(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Problem> {
    let pairs = query(&uri, &SELECTION)?;
    let answer = match pairs.is_empty() {
        true => json(&history::of_system(&shared.store())),
        false => json(&history::series(&wanted(&pairs)?, &shared.store())?),
    };
    Ok(([(CONTENT_TYPE, JSON)], answer).into_response())
}

async fn fresh(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Problem> {
    let wanted = wanted(&query(&uri, &SELECTION)?)?;
    let answer = now::ask(&shared, wanted).await?;
    Ok(([(CONTENT_TYPE, JSON)], answer).into_response())
}

/// Matrices of the last period.
#[derive(Serialize)]
struct Matrices<'a> {
    schema: u32,
    elapsed: f64,
    period: f64,
    matrices: Vec<&'a Matrix>,
}

async fn matrices(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Problem> {
    let pairs = query(&uri, &["level"])?;
    let level = pairs.first().map(|(_, name)| level(name)).transpose()?;
    let Some(latest) = shared.store().latest.clone() else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let all = latest.matrices.iter();
    let answer = json(&Matrices {
        schema: 1,
        elapsed: latest.picture.elapsed,
        period: latest.picture.period,
        matrices: all
            .filter(|matrix| level.is_none_or(|level| matrix.level == level))
            .collect(),
    });
    Ok(([(CONTENT_TYPE, JSON)], answer).into_response())
}

async fn follow(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    query(&uri, &[])?;
    let last = headers.get("last-event-id");
    let last = last.and_then(|last| last.to_str().ok()?.parse().ok());
    let place = Arc::clone(&shared.streams).try_acquire_owned();
    let place = place.map_err(|_| {
        let error = format!("{STREAMS} clients follow the events already");
        Problem::unavailable(error, "the end of one of them, or /api/1/picture")
    })?;
    let body = Body::from_stream(changes::stream(shared, place, last));
    Ok(([(CONTENT_TYPE, "text/event-stream")], body).into_response())
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let text = open_metrics::text(&shared.store());
    ([(CONTENT_TYPE, open_metrics::CONTENT_TYPE)], text).into_response()
}

/// The query without the token, each name at most once.
fn query(uri: &Uri, names: &[&str]) -> Result<Pairs, Problem> {
    let expected = || match names {
        [] => "no query but token=TOKEN".to_owned(),
        names => format!("each of {} at most once", names.join(", ")),
    };
    let pairs = Query::<Pairs>::try_from_uri(uri);
    let Query(mut pairs) = pairs.map_err(|error| Problem::bad(error.body_text(), expected()))?;
    pairs.retain(|(name, _)| name != "token");
    for (number, (name, _)) in pairs.iter().enumerate() {
        let is_again = pairs[..number].iter().any(|(other, _)| other == name);
        if is_again || !names.contains(&name.as_str()) {
            let error = format!("`{name}` in the query is unknown, or is there twice");
            return Err(Problem::bad(error, expected()));
        }
    }
    Ok(pairs)
}
