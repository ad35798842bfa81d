//! Draws the screen: tabs, summary of the period, the list of the current tab, and keys. Each part
//! draws only what fits into its area.

mod frame;
mod help;
mod metrics;
mod operations;
mod summary;
mod tasks;
mod threads;
mod waits;

use pgas_monitor::totals;
use pgas_screen::pencil::{Row, draw_rows};
use pgas_screen::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::state::{State, Tab};

/// Lines of the summary.
const SUMMARY: u16 = 5;
/// Lines about the selected thread.
const DETAIL: u16 = 5;
/// Min height of a screen with these.
const HIGH: u16 = 18;

struct Areas {
    tabs: Rect,
    summary: Rect,
    heading: Rect,
    list: Rect,
    detail: Rect,
    keys: Rect,
}

fn areas(state: &State) -> Areas {
    let whole = state.area;
    let mut top = whole.y;
    let mut left = whole.height;
    let mut take = |lines: u16| {
        let lines = lines.min(left);
        let area = Rect {
            y: top,
            height: lines,
            ..whole
        };
        top += lines;
        left -= lines;
        area
    };
    let detail = match state.tab {
        Tab::Threads if whole.height >= HIGH => DETAIL,
        _ => 0,
    };
    let fixed = 1 + SUMMARY + 1 + detail + 1;
    Areas {
        tabs: take(1),
        summary: take(SUMMARY),
        heading: take(1),
        list: take(whole.height.saturating_sub(fixed)),
        detail: take(detail),
        keys: take(1),
    }
}

/// Lines that the list of the tab has.
pub fn list_length(state: &State) -> usize {
    let Some(picture) = &state.picture else {
        return 0;
    };
    match state.tab {
        Tab::Threads => picture.now.len(),
        Tab::Waits => waits::lines(state, picture).len(),
        Tab::Operations => operations::entries(picture).len(),
        Tab::Metrics => totals::metrics(picture).len(),
        Tab::Tasks => tasks::lines(state, picture).len(),
    }
}

/// Lines of it that are visible.
pub fn list_height(state: &State) -> usize {
    usize::from(areas(state).list.height)
}

/// Draws the whole screen.
pub fn draw(state: &State, buffer: &mut Buffer) {
    let areas = areas(state);
    frame::draw_tabs(state, buffer, areas.tabs);
    frame::draw_keys(state, buffer, areas.keys);
    match &state.picture {
        None => sentence(state, buffer, areas.summary),
        Some(picture) => {
            summary::draw(state, picture, buffer, areas.summary);
            match state.tab {
                Tab::Threads => threads::draw(state, buffer, &areas),
                Tab::Waits => waits::draw(state, picture, buffer, &areas),
                Tab::Operations => operations::draw(state, picture, buffer, &areas),
                Tab::Metrics => metrics::draw(state, picture, buffer, &areas),
                Tab::Tasks => tasks::draw(state, picture, buffer, &areas),
            }
        }
    }
    if state.is_help {
        help::draw(state, buffer);
    }
}

/// Message in place of the first picture.
fn sentence(state: &State, buffer: &mut Buffer, area: Rect) {
    let text = match &state.over {
        Some(why) => why,
        None => "Looking for the program's threads ...",
    };
    let style = state.theme.style(Role::Dim);
    let columns = usize::from(area.width.saturating_sub(2));
    let lines = state.theme.wrap(text, columns).into_iter();
    let rows = lines.map(|line| Row::new().to(1).add(style, line));
    draw_rows(buffer, area, std::iter::once(Row::new()).chain(rows));
}
