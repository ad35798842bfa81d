//! List of the metrics that the program or the user defined, over all threads.

use pgas_base::quantity;
use pgas_monitor::Picture;
use pgas_monitor::totals::{self, MetricTotal};
use pgas_screen::pencil::{Row, draw_rows, heading, highlight};
use pgas_screen::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Areas;
use crate::state::State;

/// End columns of the sum, the mean, the maximum and the increase per second.
const COLUMNS: [usize; 4] = [13, 25, 37, 51];

pub fn draw(state: &State, picture: &Picture, buffer: &mut Buffer, areas: &Areas) {
    let theme = &state.theme;
    let columns = usize::from(areas.list.width);
    let style = theme.style(Role::Heading);
    let names = ["sum", "mean", "maximum", "per second"];
    let heads = names
        .iter()
        .zip(COLUMNS)
        .fold(Row::new(), |row, (name, column)| {
            row.right(style, (*name).to_owned(), column)
        });
    let heads = heads.plain("  ");
    let room = columns.saturating_sub(heads.width());
    let rest = heading(theme, "metric", room, true);
    draw_rows(buffer, areas.heading, [heads.append(rest)]);
    let all = totals::metrics(picture);
    let visible = all
        .iter()
        .skip(state.top)
        .take(usize::from(areas.list.height));
    let rows: Vec<Row> = visible.map(|total| line(state, total, columns)).collect();
    if rows.is_empty() {
        let text = "no metrics: the program defines none (docs/metrics.md)";
        let text = Row::new().to(1).add(theme.style(Role::Dim), text);
        return draw_rows(buffer, areas.list, [text]);
    }
    draw_rows(buffer, areas.list, rows);
    let values = Rect {
        width: (COLUMNS[3] as u16 + 1).min(areas.list.width),
        ..areas.list
    };
    let selected = state.selected.saturating_sub(state.top);
    highlight(buffer, values, selected, theme.style(Role::Selected));
}

fn line(state: &State, total: &MetricTotal, columns: usize) -> Row {
    let theme = &state.theme;
    let plain = theme.style(Role::Plain);
    let rate = total
        .rate
        .map_or_else(String::new, |rate| match total.unit {
            "seconds" => {
                let share = rate / f64::from(total.threads.max(1));
                quantity::percent(100.0 * share)
            }
            unit => shown(unit, rate),
        });
    let values = [total.sum, total.mean(), total.most].map(|value| shown(total.unit, value));
    let [sum, mean, most] = values;
    let cells = [sum, mean, most, rate].into_iter().zip(COLUMNS);
    let row = cells.fold(Row::new(), |row, (text, column)| {
        row.right(plain, text, column)
    });
    let row = row.plain("  ");
    let text = match total.least == total.most {
        true => total.name.clone(),
        false => format!(
            "{} (most: {})",
            total.name,
            state.words.name(total.most_thread)
        ),
    };
    let room = columns.saturating_sub(row.width() + 1);
    row.add(plain, theme.short(&text, room))
}

fn shown(unit: &str, value: f64) -> String {
    match unit {
        "seconds" => quantity::seconds(value, true),
        "bytes" => quantity::bytes(value),
        _ => quantity::count((10.0 * value).round() / 10.0),
    }
}
