//! Checks of every request: addressed to this machine, with the token, reading only.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Query, Request, State};
use axum::http::header::{ALLOW, AUTHORIZATION, CACHE_CONTROL, CONNECTION, HOST, REFERRER_POLICY};
use axum::http::header::{WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;

use super::Shared;
use super::connections::Connection;
use super::problem::Problem;

/// A query as names and values.
pub(super) type Pairs = Vec<(String, String)>;

/// Answers a request, if it passes all checks.
pub(super) async fn guard(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match check(&shared, &request) {
        Ok(()) => next.run(request).await,
        Err(response) => *response,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CACHE_CONTROL, "no-store"),
        // The token may be in the address.
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn check(shared: &Shared, request: &Request) -> Result<(), Box<Response>> {
    let (headers, uri) = (request.headers(), request.uri());
    // A name of another site that leads here would give its pages access.
    if !is_local(headers, uri) {
        let error = "the request is addressed to a host that is not this one";
        let expected = "Host: 127.0.0.1, localhost or [::1], with any port";
        let problem = Problem::new(StatusCode::FORBIDDEN, error, expected);
        return Err(Box::new(problem.into_response()));
    }
    let token = token(headers, uri);
    let is_right = token.as_ref().is_some_and(|token| {
        let equal = token.as_bytes().ct_eq(shared.token.as_bytes());
        bool::from(equal)
    });
    if !is_right {
        return Err(Box::new(unauthorised(token.is_some())));
    }
    let connection = request.extensions().get::<ConnectInfo<Connection>>();
    if !connection.is_some_and(|ConnectInfo(connection)| connection.has_shown_token()) {
        let error = "too many connections of clients with the token are open";
        let problem = Problem::unavailable(error, "fewer connections, closed when they are idle");
        let close = [(CONNECTION, "close")];
        return Err(Box::new((close, problem).into_response()));
    }
    if request.method() != Method::GET {
        return Err(Box::new(not_get(request.method())));
    }
    Ok(())
}

fn is_local(headers: &HeaderMap, uri: &Uri) -> bool {
    let mut hosts = headers.get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    let is_uri_local = uri
        .authority()
        .is_none_or(|host| is_loopback(host.as_str()));
    host.to_str().is_ok_and(is_loopback) && is_uri_local
}

/// Whether a host, with or without a port, is this machine by its own name or address.
fn is_loopback(host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        // The last part of an address in brackets is not a port.
        Some((name, port)) if !port.contains(']') => (name, port),
        _ => (host, "0"),
    };
    let address = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let is_local = match address.unwrap_or(name).parse::<IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    };
    is_local && port.parse::<u16>().is_ok()
}

/// The token of a request; that of the header, if there are two.
fn token(headers: &HeaderMap, uri: &Uri) -> Option<String> {
    if let Some(header) = headers.get(AUTHORIZATION) {
        let (scheme, token) = header.to_str().ok()?.split_once(' ')?;
        let is_bearer = scheme.eq_ignore_ascii_case("bearer");
        return is_bearer.then(|| token.trim().to_owned());
    }
    let Query(pairs) = Query::<Pairs>::try_from_uri(uri).ok()?;
    let mut tokens = pairs.into_iter().filter(|(name, _)| name == "token");
    tokens.next().map(|(_, token)| token)
}

fn unauthorised(has_token: bool) -> Response {
    let error = match has_token {
        true => "the token is not that of this run",
        false => "the request has no token",
    };
    let expected = "header `Authorization: Bearer TOKEN`, or `?token=TOKEN` at the end of the \
                    address, with the token in live/manager.json of the experiment";
    let problem = Problem::new(StatusCode::UNAUTHORIZED, error, expected);
    let scheme = [(WWW_AUTHENTICATE, "Bearer")];
    (scheme, problem).into_response()
}

fn not_get(method: &Method) -> Response {
    let error = format!("{method} changes nothing here");
    let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, error, "GET");
    ([(ALLOW, "GET")], problem).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_local() {
        for host in [
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost:8080",
            "LOCALHOST",
            "[::1]:9",
            "[::1]",
        ] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example:80",
            "127.0.0.1.evil.example",
            "10.0.0.1:80",
            "localhost:80:evil",
            "localhost:evil",
            "[::2]:80",
            "0.0.0.0:80",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
