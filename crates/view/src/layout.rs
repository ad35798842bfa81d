//! Layout of a screen of some size. Drawing and clicking use the same places.

use ratatui::layout::{Position, Rect};

use crate::state::Pane;

/// Columns from which parts stand side by side.
const WIDE: u16 = 100;
/// Lines from which parts stand below each other.
const HIGH: u16 = 16;
/// Columns that a tree needs to be of use.
const TREE: u16 = 36;

/// Columns between two trees: a line and a space.
const GAP: u16 = 2;

/// The parts of every screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    pub tabs: Rect,
    pub body: Rect,
    pub footer: Rect,
}

pub fn frame(screen: Rect) -> Frame {
    let (tabs, rest) = split_top(screen, 1);
    let (body, footer) = split_top(rest, rest.height.saturating_sub(1));
    Frame { tabs, body, footer }
}

/// A list and what is said about the selected entry. On a small screen only the one that has the
/// focus is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListAndDetail {
    pub list: Option<Rect>,
    pub detail: Option<Rect>,
    /// They are side by side, with a column between them.
    pub side_by_side: bool,
}

/// `entries` in the list; at the side it takes `percent` of the columns.
pub fn list_and_detail(
    body: Rect,
    entries: usize,
    percent: u16,
    detail_focused: bool,
) -> ListAndDetail {
    if body.width >= WIDE {
        let columns = (u32::from(body.width) * u32::from(percent) / 100) as u16;
        let (list, rest) = split_left(body, columns);
        let (_, detail) = split_left(rest, 1);
        return ListAndDetail {
            list: Some(list),
            detail: Some(detail),
            side_by_side: true,
        };
    }
    if body.height >= HIGH {
        let most = body.height * 2 / 5;
        let lines = u16::try_from(entries).unwrap_or(u16::MAX).clamp(1, most);
        let (list, rest) = split_top(body, lines);
        let (_, detail) = split_top(rest, 1);
        return ListAndDetail {
            list: Some(list),
            detail: Some(detail),
            side_by_side: false,
        };
    }
    let (list, detail) = match detail_focused {
        true => (None, Some(body)),
        false => (Some(body), None),
    };
    ListAndDetail {
        list,
        detail,
        side_by_side: false,
    }
}

/// The trees that have room, from left to right, with the focused one among them, and the lines
/// below them that say what is selected.
pub fn trees(body: Rect, focus: Pane) -> (Vec<(Pane, Rect)>, Rect) {
    let below = match body.height {
        0..=7 => 0,
        8..=15 => 1,
        _ => 3,
    };
    let (panes, selection) = split_top(body, body.height - below);
    let count = usize::from((panes.width / TREE).clamp(1, 3));
    let last = (focus as usize).max(count - 1);
    let shown = &Pane::ALL[last + 1 - count..=last];
    let weights: u32 = shown.iter().map(|pane| weight(*pane)).sum();
    let gaps = GAP * (count as u16 - 1);
    let room = u32::from(panes.width.saturating_sub(gaps));
    let mut rest = panes;
    let mut out = Vec::new();
    for (index, pane) in shown.iter().enumerate() {
        let columns = match index + 1 == count {
            true => rest.width,
            false => (room * weight(*pane) / weights) as u16,
        };
        let (area, after) = split_left(rest, columns);
        out.push((*pane, area));
        (_, rest) = split_left(after, GAP);
    }
    (out, selection)
}

/// How much of the columns a tree needs: call paths have the longest names, and places beside them.
fn weight(pane: Pane) -> u32 {
    match pane {
        Pane::Calls => 4,
        Pane::Metrics | Pane::System => 3,
    }
}

/// The lines of a tree below its heading.
pub fn tree_lines(pane: Rect) -> Rect {
    split_top(pane, 1).1
}

/// A list with a heading and, where there is room, what is said about the selected entry below it.
pub fn heading_list_detail(body: Rect, heading: u16, detail: u16) -> (Rect, Rect, Option<Rect>) {
    let heading = heading.min(body.height / 3);
    let (top, rest) = split_top(body, heading);
    if rest.height < detail * 2 + 1 {
        return (top, rest, None);
    }
    let (list, below) = split_top(rest, rest.height - detail);
    (top, list, Some(below))
}

/// A window in the middle, and its inside.
pub fn window(screen: Rect, columns: u16, rows: u16) -> (Rect, Rect) {
    let width = columns.saturating_add(4).min(screen.width);
    let height = rows.saturating_add(2).min(screen.height);
    let outer = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    };
    let inner = Rect {
        x: outer.x + 2.min(outer.width / 2),
        y: outer.y + 1.min(outer.height / 2),
        width: outer.width.saturating_sub(4),
        height: outer.height.saturating_sub(2),
    };
    (outer, inner)
}

/// Which line of an area is at a place of the screen.
pub fn line_at(area: Rect, column: u16, row: u16) -> Option<usize> {
    let inside = area.contains(Position { x: column, y: row });
    inside.then(|| usize::from(row - area.y))
}

/// The first `lines` lines, and the others.
pub fn split_top(area: Rect, lines: u16) -> (Rect, Rect) {
    let lines = lines.min(area.height);
    let top = Rect {
        height: lines,
        ..area
    };
    let rest = Rect {
        y: area.y + lines,
        height: area.height - lines,
        ..area
    };
    (top, rest)
}

/// The first `columns` columns, and the others.
pub fn split_left(area: Rect, columns: u16) -> (Rect, Rect) {
    let columns = columns.min(area.width);
    let left = Rect {
        width: columns,
        ..area
    };
    let rest = Rect {
        x: area.x + columns,
        width: area.width - columns,
        ..area
    };
    (left, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_lies_on_the_screen_however_small_it_is() {
        for width in 0..130 {
            for height in 0..60 {
                let screen = Rect::new(0, 0, width, height);
                let Frame { tabs, body, footer } = frame(screen);
                let mut areas = vec![tabs, body, footer];
                for focused in [true, false] {
                    let both = list_and_detail(body, 7, 40, focused);
                    areas.extend(both.list.into_iter().chain(both.detail));
                }
                for focus in Pane::ALL {
                    let (panes, selection) = trees(body, focus);
                    assert!(panes.iter().any(|(pane, _)| *pane == focus));
                    areas.extend(panes.iter().map(|(_, area)| tree_lines(*area)));
                    areas.push(selection);
                }
                let (top, list, below) = heading_list_detail(body, 4, 6);
                areas.extend([top, list].into_iter().chain(below));
                let (outer, inner) = window(screen, 60, 20);
                areas.extend([outer, inner]);
                for area in areas {
                    assert_eq!(area.intersection(screen), area, "{area:?} on {screen:?}");
                }
            }
        }
    }
}
