//! Looks for a text in the findings.

use super::ListAndText;
use crate::document::Document;
use crate::lines;

/// Selects the next finding (or the one before, or the selected one if it may `stay`) with a text;
/// whether there is one.
pub fn search(
    list: &mut ListAndText,
    document: &Document,
    wanted: &str,
    (forward, stay): (bool, bool),
) -> bool {
    let findings = document.findings();
    let is_match = |index: usize| {
        let Some(finding) = findings.get(index) else {
            let live = document.live(index);
            return live.is_some_and(|live| lines::matches(&live.text, wanted));
        };
        let place = format!("{}:{}", finding.file, finding.line);
        [
            document.title(finding),
            &finding.metric,
            &finding.region,
            &finding.function,
            &place,
            &finding.cause,
            &finding.advice,
        ]
        .iter()
        .any(|text| lines::matches(text, wanted))
    };
    let found = lines::find(
        document.entries(),
        list.cursor.selected,
        forward,
        stay,
        is_match,
    );
    if let Some(index) = found {
        list.select(index);
    }
    found.is_some()
}
