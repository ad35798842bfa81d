//! Applies a command of the user to the state.

use ratatui::layout::Rect;

use crate::draw;
use crate::keys::Command;
use crate::state::{State, Tab};

/// Action that a command asks of the event loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Continue,
    Quit,
    Suspend,
}

impl State {
    pub fn update(&mut self, command: Command) -> Next {
        match command {
            Command::Quit => return Next::Quit,
            Command::Suspend => return Next::Suspend,
            Command::Back => self.is_help = false,
            Command::Help => self.is_help = !self.is_help,
            Command::Show(tab) => self.show(tab),
            Command::NextTab => {
                let tabs = self.tabs();
                let at = tabs.iter().position(|tab| *tab == self.tab);
                self.show(tabs[(at.unwrap_or(0) + 1) % tabs.len()]);
            }
            Command::Move(lines) => self.go(lines),
            Command::Page(pages) => self.go(pages * draw::list_height(self).max(1) as isize),
            Command::First => self.go(isize::MIN / 2),
            Command::Last => self.go(isize::MAX / 2),
            Command::Order => self.order = self.order.next(),
            Command::Hold => self.is_held = !self.is_held,
            Command::Resize { columns, rows } => self.area = Rect::new(0, 0, columns, rows),
        }
        self.settle();
        Next::Continue
    }

    fn show(&mut self, tab: Tab) {
        self.is_help = false;
        if self.tab != tab && self.tabs().contains(&tab) {
            (self.tab, self.selected, self.top) = (tab, 0, 0);
        }
    }

    fn go(&mut self, lines: isize) {
        self.selected = self.selected.saturating_add_signed(lines);
    }

    /// Limits the selection to the list and scrolls it into view.
    pub fn settle(&mut self) {
        let (lines, height) = (draw::list_length(self), draw::list_height(self));
        self.selected = self.selected.min(lines.saturating_sub(1));
        let least = (self.selected + 1).saturating_sub(height);
        self.top = self.top.clamp(least, self.selected.max(least));
    }
}
