//! Runs in which the online search confirmed bottlenecks.

use pgas_result::AnalysisResult;
use pgas_result::live::{LiveFinding, LivePlace};

use super::shapes::balanced;
use super::sort::integer_sort;

/// The integer sort: the search found the barrier that costs most, and the late thread.
pub fn searched() -> AnalysisResult {
    let mut result = integer_sort();
    let barrier = LivePlace {
        region: "upc_barrier".into(),
        file: "is.c".into(),
        line: 441,
    };
    let known = |text: &str, known_after_seconds: f64, share: f64| LiveFinding {
        text: text.into(),
        known_after_seconds,
        share: Some(share),
        ..LiveFinding::default()
    };
    let place = LiveFinding {
        kind: Some("barrier".into()),
        place: Some(barrier),
        ..known(
            "waiting in upc_barrier at is.c:441 takes 24 % of the time",
            0.41,
            0.24,
        )
    };
    let thread = LiveFinding {
        thread: Some(3),
        pattern: None,
        evidence: None,
        meanwhile: Some("computing in rank at is.c:398".into()),
        text:
            "thread 3 comes late in upc_barrier at is.c:441, mostly computing in rank at is.c:398"
                .into(),
        known_after_seconds: 0.62,
        share: Some(0.31),
        ..place.clone()
    };
    let program = LiveFinding {
        gone_after_seconds: Some(1.1),
        ..known("42 % of the time is not computing", 0.41, 0.42)
    };
    result.summary.live_findings = vec![program, place, thread];
    result
}

/// A run whose trace has no findings, with one of an earlier version of the tool.
pub fn searched_only() -> AnalysisResult {
    let mut result = balanced(4);
    result.summary.live_findings = vec![LiveFinding {
        text: "23 % of the time is not computing".into(),
        known_after_seconds: 2.5,
        ..LiveFinding::default()
    }];
    result
}
