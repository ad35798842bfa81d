//! Errors of requests, as JSON.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// A request that cannot be answered.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    error: String,
    expected: String,
}

impl Problem {
    pub(super) fn new(
        status: StatusCode,
        error: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Problem {
            status,
            error: error.into(),
            expected: expected.into(),
        }
    }

    /// A query that makes no sense.
    pub(super) fn bad(error: impl Into<String>, expected: impl Into<String>) -> Self {
        Problem::new(StatusCode::BAD_REQUEST, error, expected)
    }

    /// It cannot be answered now.
    pub(super) fn unavailable(error: impl Into<String>, expected: impl Into<String>) -> Self {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, error, expected)
    }

    /// There is nothing of that name.
    pub(super) fn missing(error: impl Into<String>, expected: impl Into<String>) -> Self {
        Problem::new(StatusCode::NOT_FOUND, error, expected)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = json!({ "error": self.error, "expected": self.expected });
        (self.status, Json(body)).into_response()
    }
}
