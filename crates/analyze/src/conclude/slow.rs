//! Says of findings about barriers, collective operations and locks when these take longer than the
//! machine needs for them.

use pgas_base::quantity;
use pgas_result::machine::OperationLength;
use pgas_result::summary::{FindingKind, Summary};

use crate::model::wording;

/// Adds the sentence to the causes of costs at operations that are slow for this machine, and a
/// remark where the machine's measurement is of another one.
pub(super) fn tell(summary: &mut Summary) {
    let Some(machine) = &summary.machine else {
        return;
    };
    for finding in &mut summary.findings {
        if !matches!(finding.kind, FindingKind::Cost | FindingKind::Wait) {
            continue;
        }
        let mut operations = machine.operations.iter();
        let slow = operations
            .find(|operation| operation.is_slow && operation.call_path == finding.call_path);
        let sentence = slow.and_then(|slow| sentence(slow, summary.threads));
        finding.cause += &sentence.unwrap_or_default();
    }
    if !machine.is_of_run {
        summary.remarks.push(format!(
            "costs of operations were measured on {} ({}), where this program did not run: savings \
             and what is called slow hold if the machines are alike",
            machine.host, machine.measured
        ));
    }
}

fn sentence(slow: &OperationLength, threads: u32) -> Option<String> {
    let expected = slow.expected_seconds.filter(|&seconds| seconds > 0.0)?;
    if slow.is_of_one_thread {
        return Some(format!(
            " Taking it is slow for this machine even when nobody holds it: half of {} such calls \
             take {} or more, {} times what a free lock needs here ({}).",
            slow.calls,
            wording::seconds(slow.median_seconds),
            quantity::ratio(slow.median_seconds / expected),
            wording::seconds(expected),
        ));
    }
    Some(format!(
        " It is slow for this machine: half of its {} calls take {} or more from the moment when \
         the last thread has come, {} times what {threads} threads need here ({}).",
        slow.calls,
        wording::seconds(slow.median_seconds),
        quantity::ratio(slow.median_seconds / expected),
        wording::seconds(expected),
    ))
}
