//! Sentences about bottlenecks that the online search confirmed while the program ran: one wording
//! for the text report, the page and the viewer.

use pgas_result::live::{LiveFinding, LivePlace};
use pgas_result::summary::{Finding, Summary};

use crate::quantity;

/// Heading of their list.
pub const HEADING: &str = "Confirmed while it ran";

/// "after 5.50 s", "after 5.50 s, until 62.0 s".
pub fn times(finding: &LiveFinding, ascii: bool) -> String {
    let seconds = |value| quantity::seconds(value, ascii);
    let known = format!("after {}", seconds(finding.known_after_seconds));
    match finding.gone_after_seconds {
        Some(gone) => format!("{known}, until {}", seconds(gone)),
        None => known,
    }
}

/// Its share for a column: "55 %"; `None` in results of earlier versions.
pub fn share(finding: &LiveFinding) -> Option<String> {
    let share = finding.share?;
    Some(quantity::percent(100.0 * share))
}

/// Meaning of a thread's share, as a sentence. `None` for other findings, whose own sentence has it.
pub fn thread_share(finding: &LiveFinding) -> Option<String> {
    finding.thread?;
    let share = share(finding)?;
    let evidence = match (finding.evidence.as_deref(), finding.kind.as_deref()) {
        // Of an earlier version.
        (None, Some("lock")) => "holds_lock",
        (None, Some("point_to_point" | "message")) => "only_one_busy",
        (evidence, _) => evidence.unwrap_or("waits_least"),
    };
    Some(match evidence {
        "holds_lock" => format!("it holds the lock in {share} of the waits"),
        "only_one_busy" => format!("it is the only busy one in {share} of the looks at waits"),
        "busiest" => {
            format!("while others wait there, it is busy in {share} more of the looks than they")
        }
        _ => format!("the others wait there for {share} of the time more than it does"),
    })
}

/// A name for a list: the thread, the task, the operation, the kind, or "program".
pub fn name(finding: &LiveFinding, summary: &Summary) -> String {
    if let Some(task) = &finding.task {
        return task.clone();
    }
    match (finding.thread, &finding.place, &finding.kind) {
        (Some(thread), _, _) => summary.words().name(thread),
        (_, Some(place), _) => place.region.clone(),
        (_, _, Some(kind)) => kind.replace('_', " "),
        _ if finding.share.is_some() => "program".to_owned(),
        // Of an earlier version.
        _ => finding.text.clone(),
    }
}

/// Indices of the findings of the trace about the same place, and the same thread if both name one.
pub fn same_place(live: &LiveFinding, findings: &[Finding]) -> Vec<usize> {
    let numbered = findings.iter().enumerate();
    let same = numbered.filter(|(_, finding)| are_same(live, finding));
    same.map(|(index, _)| index).collect()
}

/// Time at which the online search knew a finding of the trace: "while it ran, after 5.50 s; thread 2
/// after 9.30 s". `None` if it did not find it.
pub fn known(summary: &Summary, finding: &Finding, ascii: bool) -> Option<String> {
    let all = summary.live_findings.iter();
    let same: Vec<&LiveFinding> = all.filter(|live| are_same(live, finding)).collect();
    let first = |is_thread: bool| {
        let mut of_level = same.iter().filter(|one| one.thread.is_some() == is_thread);
        of_level.next()
    };
    let after = |live: &LiveFinding| {
        let seconds = quantity::seconds(live.known_after_seconds, ascii);
        format!("after {seconds}")
    };
    let place = first(false).map(|live| after(live));
    let thread = first(true).map(|live| format!("{} {}", name(live, summary), after(live)));
    let parts: Vec<String> = place.into_iter().chain(thread).collect();
    (!parts.is_empty()).then(|| format!("while it ran, {}", parts.join("; ")))
}

fn are_same(live: &LiveFinding, finding: &Finding) -> bool {
    let is_here = |place: &LivePlace| {
        !place.file.is_empty()
            && (place.region.as_str(), place.file.as_str(), place.line)
                == (&finding.region, &finding.file, finding.line)
    };
    let threads = live.thread.zip(finding.culprit_thread);
    live.place.as_ref().is_some_and(is_here) && threads.is_none_or(|(one, other)| one == other)
}
