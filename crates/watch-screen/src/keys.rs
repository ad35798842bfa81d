//! Maps keys and the mouse wheel to commands, with the keys of `pgastool view`.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEventKind,
};

use crate::state::Tab;

/// A command of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    Quit,
    Suspend,
    /// Out of the help.
    Back,
    Help,
    Show(Tab),
    NextTab,
    /// Lines, downwards.
    Move(isize),
    /// Pages, downwards.
    Page(isize),
    First,
    Last,
    Order,
    /// Stop the picture, and let it go on.
    Hold,
    Resize {
        columns: u16,
        rows: u16,
    },
}

/// Lines that one turn of the wheel moves.
const WHEEL: isize = 3;

/// Command of a terminal event.
pub fn command(event: &Event) -> Option<Command> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(key),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::ScrollDown => Some(Command::Move(WHEEL)),
            MouseEventKind::ScrollUp => Some(Command::Move(-WHEEL)),
            _ => None,
        },
        Event::Resize(columns, rows) => Some(Command::Resize {
            columns: *columns,
            rows: *rows,
        }),
        _ => None,
    }
}

fn of_key(key: &KeyEvent) -> Option<Command> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return Some(match key.code {
            KeyCode::Char('c') => Command::Quit,
            KeyCode::Char('z') => Command::Suspend,
            KeyCode::Char('f') => Command::Page(1),
            KeyCode::Char('b') => Command::Page(-1),
            _ => return None,
        });
    }
    Some(match key.code {
        KeyCode::Char('q' | 'Q') => Command::Quit,
        KeyCode::Esc => Command::Back,
        KeyCode::Char('?') | KeyCode::F(1) => Command::Help,
        KeyCode::Char('1') => Command::Show(Tab::Threads),
        KeyCode::Char('2') => Command::Show(Tab::Waits),
        KeyCode::Char('3') => Command::Show(Tab::Operations),
        KeyCode::Char('4') => Command::Show(Tab::Metrics),
        KeyCode::Char('5') => Command::Show(Tab::Tasks),
        KeyCode::Tab => Command::NextTab,
        KeyCode::Char('j') | KeyCode::Down => Command::Move(1),
        KeyCode::Char('k') | KeyCode::Up => Command::Move(-1),
        KeyCode::PageDown => Command::Page(1),
        KeyCode::PageUp => Command::Page(-1),
        KeyCode::Char('g') | KeyCode::Home => Command::First,
        KeyCode::Char('G') | KeyCode::End => Command::Last,
        KeyCode::Char('o') => Command::Order,
        KeyCode::Char(' ' | 'p') => Command::Hold,
        _ => return None,
    })
}
