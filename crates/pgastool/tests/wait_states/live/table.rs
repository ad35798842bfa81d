//! The table of the comparison for people.

use super::verdict::Line;

pub fn heading() -> String {
    format!(
        "{:<44} {:>7}  {:<38} {:>6}  {:<44} {:>9}  {:<22} {:>7}  {:>7} {:>7}  {}",
        "program",
        "threads",
        "place",
        "share",
        "pattern of the analysis",
        "culprit",
        "pattern, live",
        "culprit",
        "after s",
        "after s",
        "verdict"
    )
}

/// The lines of one run; one that says so if there is nothing to compare.
pub fn text(title: &str, threads: u32, lines: &[Line]) -> String {
    if lines.is_empty() {
        return format!("{title:<44} {threads:>7}  nobody waits, nothing was found\n");
    }
    let line = |line: &Line| {
        let text = format!(
            "{title:<44} {threads:>7}  {:<38} {}  {}  {}",
            line.place,
            analysed(line),
            live(line),
            line.verdict.text()
        );
        text + "\n"
    };
    lines.iter().map(line).collect()
}

fn analysed(line: &Line) -> String {
    let Some(found) = &line.analysed else {
        return format!("{:>6}  {:<44} {:>9}", "-", "-", "-");
    };
    let thread = |thread: Option<u32>| thread.map_or("changes".into(), |t| t.to_string());
    let culprit = match found.root {
        Some(root) => format!("{} < {root}", thread(found.culprit)),
        None => thread(found.culprit),
    };
    let patterns = found.patterns.join(", ");
    format!("{:>4.0} %  {patterns:<44} {culprit:>9}", found.percent)
}

fn live(line: &Line) -> String {
    let Some(found) = &line.live else {
        return format!("{:<22} {:>7}  {:>7} {:>7}", "-", "-", "-", "-");
    };
    let culprits = found.culprits.iter().map(|(thread, _)| thread.to_string());
    let culprits = match found.culprits.is_empty() {
        true => "-".to_owned(),
        false => culprits.collect::<Vec<_>>().join(", "),
    };
    let last = found.culprits.iter().map(|(_, after)| *after);
    let last = last.reduce(f64::max);
    let last = last.map_or("-".to_owned(), |after| format!("{after:.1}"));
    format!(
        "{:<22} {culprits:>7}  {:>7.1} {last:>7}",
        found.pattern.as_ref().unwrap_or(&found.kind),
        found.after
    )
}
