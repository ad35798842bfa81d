//! Names of cases and methods, the same in all outputs.

use pgas_timing::job::{Case, Method};
use pgas_timing::record::Timing;

/// Arguments of a case, as on the command line.
pub fn arguments(case: &Case) -> String {
    let words = case.arguments.iter().map(|(n, v)| format!("{n}={v}"));
    words.collect::<Vec<_>>().join(" ")
}

/// As in JSON and on the command line.
pub(crate) fn method(method: Method) -> &'static str {
    match method {
        Method::Window => "window",
        Method::Barrier => "barrier",
        Method::Loop => "loop",
    }
}

/// Operation and arguments.
pub(crate) fn name(timing: &Timing) -> String {
    let text = format!("{} {}", timing.what.operation, arguments(&timing.what));
    text.trim_end().to_string()
}
