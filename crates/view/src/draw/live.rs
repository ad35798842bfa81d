//! Findings of the online search: a line of the list, and the text of the selected one.

use pgas_report::live::{name, share, thread_share, times};
use pgas_report::{figures, names};
use pgas_result::live::{LiveFinding, LivePlace};

use super::labelled::{Text, excerpt};
use crate::document::Document;
use crate::state::App;
use pgas_screen::pencil::Row;
use pgas_screen::theme::Role;

/// Columns of the list.
pub(super) struct Columns {
    /// End of the number of a finding of the trace.
    pub(super) number: usize,
    /// End of the share.
    pub(super) share: usize,
    /// Begin of the name.
    pub(super) name: usize,
    /// Width of the list.
    pub(super) all: usize,
}

/// "live 55 % 5.50 s: upc_barrier heat.upc:12".
pub(super) fn row(app: &App, document: &Document, finding: &LiveFinding, columns: &Columns) -> Row {
    let theme = &app.theme;
    let dim = theme.style(Role::Dim);
    let row = Row::new()
        .right(dim, "-", columns.number)
        .right(dim, share(finding).unwrap_or_default(), columns.share)
        .to(columns.name);
    let place = finding.place.as_ref().map(short_place).unwrap_or_default();
    let room = columns.all.saturating_sub(row.width() + 1);
    let place = theme.short(&place, room * 2 / 5);
    let room = room.saturating_sub(names::width(&place) + 1);
    let known = theme.seconds(finding.known_after_seconds);
    let known = theme.short(&format!("live {known}: "), room);
    let room = room.saturating_sub(names::width(&known));
    let name = theme.short(&name(finding, document.summary), room);
    row.plain(known + &name)
        .right(dim, place, columns.all.saturating_sub(1))
}

/// "heat.upc:12", with the last part of the path.
fn short_place(place: &LivePlace) -> String {
    let base = place.file.rsplit('/').next().unwrap_or(&place.file);
    figures::place(base, place.line)
}

/// The finding in full, in lines of at most `columns` columns.
pub(super) fn lines(
    app: &App,
    document: &Document,
    finding: &LiveFinding,
    columns: usize,
) -> Vec<Row> {
    let mut text = Text::new(app, columns);
    let ascii = app.theme.ascii();
    let strong = app.theme.style(Role::Strong);
    for line in app.theme.wrap(&finding.text, text.columns) {
        text.rows.push(Row::new().to(1).add(strong, line));
    }
    text.blank();
    let known = format!("while it ran, {}", times(finding, ascii));
    text.label("known", Role::Plain, &known);
    if let Some(share) = thread_share(finding).or_else(|| share(finding)) {
        text.label("share", Role::Plain, &share);
    }
    if let Some(meanwhile) = &finding.meanwhile {
        text.label("mostly", Role::Plain, meanwhile);
    }
    if let Some(place) = &finding.place {
        text.label("where", Role::Plain, &full_place(place));
    }
    if let Some(same) = same_findings(document, finding) {
        text.label("the same", Role::Plain, &same);
    }
    if let (Some(profile), Some(place)) = (&document.profile, &finding.place) {
        excerpt(&mut text, profile, &place.file, place.line);
    }
    text.rows
}

/// "upc_barrier, src/heat.upc:12".
fn full_place(place: &LivePlace) -> String {
    match figures::place(&place.file, place.line) {
        at if at.is_empty() => place.region.clone(),
        at => format!("{}, {at}", place.region),
    }
}

/// "finding 1, finding 3" of the trace, about the same place.
fn same_findings(document: &Document, finding: &LiveFinding) -> Option<String> {
    let same = pgas_report::live::same_place(finding, document.findings());
    let names: Vec<String> = same.iter().map(|i| format!("finding {}", i + 1)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
