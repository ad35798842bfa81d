//! Findings about the same seconds: at one call path, the waiting in an operation and advice to
//! leave the operation out, or the cost of accesses and advice on single ones. Each finding names
//! the others, so that nobody adds them up.

use pgas_result::summary::{Finding, FindingKind};

/// Notes for each finding which others are about the same seconds; their indices are final.
/// `seconds` are those of all threads at a call path.
pub(super) fn mark(findings: &mut [Finding], seconds: impl Fn(usize) -> f64) {
    for first in 0..findings.len() {
        for second in first + 1..findings.len() {
            let (a, b) = (&findings[first], &findings[second]);
            if same_seconds(a, b) || same_accesses(a, b, &seconds) {
                findings[first].overlaps.push(second);
                findings[second].overlaps.push(first);
            }
        }
    }
}

fn same_seconds(a: &Finding, b: &Finding) -> bool {
    if a.call_path != b.call_path {
        return false;
    }
    match (group(a), group(b)) {
        // Different wait states, and what remains of an operation's time beside them, are different
        // seconds.
        (Group::Severity, Group::Severity) => a.metric == b.metric,
        // Sides of one operation, or runs of accesses to others' data and accesses to own data.
        (Group::Synchronization, Group::Synchronization) => false,
        // Where threads run concerns all of their accesses.
        (Group::Accesses, Group::Accesses) => is_placement(a) || is_placement(b),
        (Group::Synchronization, Group::Severity) => is_within(b, a),
        (Group::Severity, Group::Synchronization) => is_within(a, b),
        (Group::Work, Group::Work) => true,
        (Group::Work, _) | (_, Group::Work) => false,
        _ => true,
    }
}

/// Whether findings are about the same accesses: there is no room for both beside each other. Own
/// data and that of other threads are different accesses, and so are two arrays.
fn same_accesses(a: &Finding, b: &Finding, seconds: impl Fn(usize) -> f64) -> bool {
    let are_accesses = matches!((group(a), group(b)), (Group::Accesses, Group::Accesses));
    let whole = || seconds(a.call_path) * (1.0 + 1e-12);
    a.call_path == b.call_path && are_accesses && a.seconds + b.seconds > whole()
}

fn is_placement(finding: &Finding) -> bool {
    finding.kind == FindingKind::Placement
}

enum Group {
    /// Time of an operation, divided into waiting and the rest.
    Severity,
    /// Synchronisation that the run did not need.
    Synchronization,
    Accesses,
    /// Computation.
    Work,
}

fn group(finding: &Finding) -> Group {
    match finding.kind {
        FindingKind::Wait | FindingKind::Cost => Group::Severity,
        FindingKind::Mode | FindingKind::RemovableBarrier => Group::Synchronization,
        FindingKind::Imbalance => Group::Work,
        _ => Group::Accesses,
    }
}

/// Whether the time of a wait state or operation is part of what advice on its synchronisation is
/// about: of one wait state, or of all in the operation.
fn is_within(severity: &Finding, advice: &Finding) -> bool {
    match advice.metric.as_str() {
        "barrier" | "collective" | "allocation" => severity.kind == FindingKind::Wait,
        metric => metric == severity.metric,
    }
}
