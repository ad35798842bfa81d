//! Summary of the period: efficiency now and over time, shares of time, waiting threads, and the most
//! urgent alarm or finding.

use pgas_base::quantity;
use pgas_monitor::{Picture, Times, text};
use pgas_report::figures::{FAIR, GOOD};
use pgas_screen::pencil::{Row, bar, draw_rows};
use pgas_screen::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::state::State;

/// Max lines of the shares of time.
const SHARES: usize = 2;
/// Columns of the bar of efficiency.
const BAR: usize = 12;
/// Column at which the curve over time begins.
const CURVE: usize = 36;

pub fn draw(state: &State, picture: &Picture, buffer: &mut Buffer, area: Rect) {
    let theme = &state.theme;
    let columns = usize::from(area.width.saturating_sub(2));
    let plain = |line: &str| Row::new().to(1).plain(line);
    let mut rows = vec![efficiency(state, picture, columns)];
    let shares = theme.wrap(&shares(&picture.times, theme.glyphs().separator), columns);
    rows.extend(shares.iter().take(SHARES).map(|line| plain(line)));
    let waits = text::waits(picture, &state.words);
    let rates = format!(
        "{waits}{}{} calls/s, {}/s",
        theme.glyphs().separator,
        quantity::count(picture.calls_per_second.round()),
        quantity::bytes(all_bytes(picture)),
    );
    rows.push(plain(&theme.beginning(&rates, columns)));
    rows.push(warning(state, picture, columns));
    draw_rows(buffer, area, rows);
}

fn all_bytes(picture: &Picture) -> f64 {
    let bytes = &picture.bytes_per_second;
    bytes.own + bytes.near + bytes.far + bytes.unknown
}

/// Role of an efficiency.
pub fn judged(efficiency: f64) -> Role {
    match efficiency {
        share if share >= GOOD => Role::Good,
        share if share >= FAIR => Role::Fair,
        _ => Role::Bad,
    }
}

fn efficiency(state: &State, picture: &Picture, columns: usize) -> Row {
    let theme = &state.theme;
    let Some(share) = picture.efficiency else {
        return Row::new().to(1).plain("efficiency   ? %");
    };
    let style = theme.style(judged(share));
    let row = Row::new()
        .to(1)
        .plain("efficiency ")
        .add(style, format!("{:3.0} %", 100.0 * share))
        .plain("  ")
        .add(style, bar(theme, share, BAR))
        .to(CURVE);
    row.append(curve(state, columns.saturating_sub(CURVE)))
}

/// Efficiency of the whole run, a column for each stretch of time.
fn curve(state: &State, columns: usize) -> Row {
    let theme = &state.theme;
    let heights = theme.glyphs().curve;
    let mut row = Row::new();
    for share in state.history.columns(columns) {
        row = match share {
            Some(share) => {
                let step = (share * heights.len() as f64) as usize;
                let height = heights[step.min(heights.len() - 1)];
                row.add(theme.style(judged(share)), height.to_string())
            }
            None => row.plain(" "),
        };
    }
    row
}

/// "computing 41 % · waiting 52 % (barrier 40 %, lock 12 %) · communicating 7 % (one sided 7 %)".
fn shares(times: &Times, separator: &str) -> String {
    let rest = [("recording", times.recording), ("paused", times.paused)];
    let all = times.program() + times.recording + times.paused;
    let percent = |seconds: f64| quantity::percent(100.0 * seconds / all.max(f64::MIN_POSITIVE));
    let mut text = format!("computing {}", percent(times.computing));
    for (name, seconds, kinds) in [
        ("waiting", times.all_waiting(), &times.waiting),
        (
            "communicating",
            times.all_communicating(),
            &times.communicating,
        ),
    ] {
        text += &format!("{separator}{name} {}", percent(seconds));
        let mut kinds: Vec<_> = kinds
            .iter()
            .filter(|(_, seconds)| **seconds > 0.0)
            .collect();
        kinds.sort_by(|a, b| b.1.total_cmp(a.1));
        let kinds = kinds
            .iter()
            .map(|(kind, seconds)| format!("{} {}", kind.replace('_', " "), percent(**seconds)));
        let kinds: Vec<String> = kinds.collect();
        if !kinds.is_empty() {
            text += &format!(" ({})", kinds.join(", "));
        }
    }
    for (name, seconds) in rest.iter().filter(|(_, seconds)| *seconds > 0.0) {
        text += &format!("{separator}{name} {}", percent(*seconds));
    }
    text
}

/// End of the program, else the first alarm or problem, else the most specific finding.
fn warning(state: &State, picture: &Picture, columns: usize) -> Row {
    let theme: &Theme = &state.theme;
    let alarms = text::alarms(picture, &state.words);
    let (role, text) = match (&state.over, alarms.first(), picture.problems.first()) {
        (Some(why), ..) => (Role::Strong, why.clone()),
        (None, Some(alarm), _) => (Role::Bad, alarm.clone()),
        (None, None, Some(problem)) => (Role::Fair, problem.clone()),
        (None, None, None) => match state.findings.last() {
            Some(finding) => (Role::Fair, finding.clone()),
            None => return Row::new(),
        },
    };
    Row::new()
        .to(1)
        .add(theme.style(role), theme.beginning(&text, columns))
}
