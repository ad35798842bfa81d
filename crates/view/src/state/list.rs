//! A place in a list of which only some lines are visible.

use crate::input::Motion;

/// The selected entry and the first visible one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    pub selected: usize,
    pub top: usize,
}

impl Cursor {
    /// Moves the selection in a list of `count` entries, of which `height` are visible.
    pub fn go(&mut self, motion: Motion, count: usize, height: usize) {
        let last = count.saturating_sub(1);
        let by = |lines: isize| self.selected.saturating_add_signed(lines).min(last);
        let half = (height / 2).max(1) as isize;
        self.selected = match motion {
            Motion::By(lines) => by(lines),
            Motion::Pages(halves) => by(halves * half),
            Motion::First => 0,
            Motion::Last => last,
        };
        self.settle(count, height);
    }

    /// Scrolls without moving the selection further than needed to keep it visible.
    pub fn scroll(&mut self, lines: isize, count: usize, height: usize) {
        let lowest = count.saturating_sub(height);
        self.top = self.top.saturating_add_signed(lines).min(lowest);
        let bottom = self.top + height.max(1) - 1;
        self.selected = self
            .selected
            .clamp(self.top, bottom)
            .min(count.saturating_sub(1));
    }

    /// Keeps the selection in the list and visible, and the list in its window.
    pub fn settle(&mut self, count: usize, height: usize) {
        let height = height.max(1);
        self.selected = self.selected.min(count.saturating_sub(1));
        let first = (self.selected + 1).saturating_sub(height);
        self.top = self
            .top
            .clamp(first, self.selected.max(first))
            .min(count.saturating_sub(height));
    }

    /// Selects an entry and brings it to the middle if it is out of sight.
    pub fn show(&mut self, entry: usize, count: usize, height: usize) {
        self.selected = entry;
        if entry < self.top || entry >= self.top + height {
            self.top = entry.saturating_sub(height / 2);
        }
        self.settle(count, height);
    }
}

/// First visible line of a text after a motion: `lines` lines, of which `height` are visible.
pub fn scroll_text(top: usize, motion: Motion, lines: usize, height: usize) -> usize {
    let mut place = Cursor { selected: top, top };
    place.go(motion, (lines + 1).saturating_sub(height), height);
    place.selected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selection_stays_in_the_list_and_in_sight() {
        let mut cursor = Cursor::default();
        cursor.go(Motion::By(-1), 100, 10);
        assert_eq!(
            cursor,
            Cursor {
                selected: 0,
                top: 0
            }
        );
        cursor.go(Motion::Last, 100, 10);
        assert_eq!(
            cursor,
            Cursor {
                selected: 99,
                top: 90
            }
        );
        cursor.go(Motion::Pages(-1), 100, 10);
        assert_eq!(
            cursor,
            Cursor {
                selected: 94,
                top: 90
            }
        );
        cursor.scroll(-30, 100, 10);
        assert_eq!(
            cursor,
            Cursor {
                selected: 69,
                top: 60
            }
        );
        cursor.settle(5, 10);
        assert_eq!(
            cursor,
            Cursor {
                selected: 4,
                top: 0
            }
        );
        cursor.show(50, 100, 10);
        assert_eq!(
            cursor,
            Cursor {
                selected: 50,
                top: 45
            }
        );
        for motion in [
            Motion::By(1),
            Motion::Pages(-3),
            Motion::First,
            Motion::Last,
        ] {
            cursor.go(motion, 0, 0);
            assert_eq!(cursor, Cursor::default());
        }
    }
}
