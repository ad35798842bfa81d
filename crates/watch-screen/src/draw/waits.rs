//! List of waits: each place with its waiting threads and the threads that they wait for, stuck
//! threads, and findings of the online search.

use pgas_monitor::{Now, Picture, Wait, text};
use pgas_screen::pencil::{Row, draw_rows, heading, highlight};
use pgas_screen::theme::Role;
use ratatui::buffer::Buffer;

use super::Areas;
use super::threads::activity;
use crate::state::State;

/// Max number of threads in a line.
const NAMED: usize = 6;
/// Max number of lines for the threads that others wait for.
const MISSING: usize = 8;

pub fn draw(state: &State, picture: &Picture, buffer: &mut Buffer, areas: &Areas) {
    let theme = &state.theme;
    let columns = usize::from(areas.list.width);
    let title = "Who waits for whom";
    draw_rows(
        buffer,
        areas.heading,
        [heading(theme, title, columns, true)],
    );
    let lines = lines(state, picture);
    let visible = lines.into_iter().skip(state.top);
    let rows: Vec<Row> = visible.take(usize::from(areas.list.height)).collect();
    draw_rows(buffer, areas.list, rows);
    let selected = state.selected.saturating_sub(state.top);
    highlight(buffer, areas.list, selected, theme.style(Role::Marked));
}

/// The lines of the list.
pub fn lines(state: &State, picture: &Picture) -> Vec<Row> {
    let theme = &state.theme;
    let columns = usize::from(state.area.width).saturating_sub(4);
    let line = |role, indent: usize, text: &str| {
        let text = theme.beginning(text, columns.saturating_sub(indent));
        Row::new().to(1 + indent).add(theme.style(role), text)
    };
    let mut rows = Vec::new();
    for alarm in text::alarms(picture, &state.words) {
        let parts = theme.wrap(&alarm, columns);
        rows.extend(parts.iter().map(|part| line(Role::Bad, 0, part)));
    }
    for wait in &picture.waits {
        rows.push(line(Role::Waiting, 0, &head(state, picture, wait)));
        let causes = missing(picture, wait);
        let more = causes.len().saturating_sub(MISSING);
        for now in causes.into_iter().take(MISSING) {
            let relation = match wait.kind {
                "lock" => "held by",
                _ => "missing:",
            };
            let name = state.words.name(now.thread);
            let text = format!("{relation} {name}, which {}", activity(state, now));
            rows.push(line(Role::Plain, 4, &text));
        }
        if more > 0 {
            rows.push(line(
                Role::Dim,
                4,
                &format!("{} more", state.words.count(more)),
            ));
        }
    }
    if rows.is_empty() {
        rows.push(line(Role::Dim, 0, "nobody waits"));
    }
    if !state.findings.is_empty() {
        rows.push(Row::new());
        rows.push(line(Role::Heading, 0, "Confirmed"));
        let findings = state.findings.iter();
        let wrapped = findings.flat_map(|finding| theme.wrap(finding, columns));
        rows.extend(wrapped.map(|text| line(Role::Plain, 0, &text)));
    }
    rows
}

/// "2 of 3 wait up to 812 ms in upc_barrier at heat.upc:41: thread 0, thread 1".
fn head(state: &State, picture: &Picture, wait: &Wait) -> String {
    let named = wait.threads.iter().take(NAMED);
    let mut names: Vec<String> = named.map(|thread| state.words.name(*thread)).collect();
    if wait.threads.len() > NAMED {
        names.push(format!("{} more", wait.threads.len() - NAMED));
    }
    format!(
        "{} of {} wait up to {} in {}: {}",
        wait.threads.len(),
        picture.seen,
        state.theme.seconds(wait.longest),
        wait.place.shown(),
        names.join(", "),
    )
}

/// Threads that a wait may be for: holders of the lock, or threads that have not entered the barrier
/// or collective operation.
fn missing<'a>(picture: &'a Picture, wait: &Wait) -> Vec<&'a Now> {
    let of_wait = |now: &&Now| wait.threads.contains(&now.thread);
    match wait.kind {
        "lock" => {
            let waiting = picture.now.iter().filter(of_wait);
            let mut holders: Vec<&Now> = waiting
                .filter_map(|now| picture.holder(now.wanted?))
                .collect();
            holders.sort_by_key(|now| now.thread);
            holders.dedup_by_key(|now| now.thread);
            holders
        }
        "barrier" | "collective" => {
            let others = picture.now.iter().filter(|now| !of_wait(now));
            others.filter(|now| now.activity != "ended").collect()
        }
        _ => Vec::new(),
    }
}
