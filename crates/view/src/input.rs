//! Meaning of keys and mouse. Keys are those of `less` and `vi`, and their equivalents on other
//! keyboards.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// Commands of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    Quit,
    Suspend,
    /// Out of the innermost state: a window, a search, a part of the screen.
    Back,
    Help,
    /// By number, from 0.
    Screen(usize),
    NextPane,
    PreviousPane,
    Move(Motion),
    Left,
    Right,
    Enter,
    /// Open and close, or mark.
    Toggle,
    OpenAll,
    CloseAll,
    Search,
    NextMatch,
    PreviousMatch,
    ChooseMetric,
    ChooseFile,
    Order,
    Values,
    Extent,
    Zeros,
    ShowSource,
    ShowTrees,
    Explain,
    NextHot,
    PreviousHot,
}

/// Where to go in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    By(isize),
    /// Half pages.
    Pages(isize),
    First,
    Last,
}

/// Input of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    Command(Command),
    /// A letter of a text that is being typed.
    Letter(char),
    EraseLetter,
    EraseAll,
    Click {
        column: u16,
        row: u16,
    },
    /// Lines, downwards.
    Scroll {
        column: u16,
        row: u16,
        lines: isize,
    },
    Resize {
        columns: u16,
        rows: u16,
    },
}

/// Lines that one turn of the wheel moves.
const WHEEL: isize = 3;

/// Input that an event of the terminal stands for; `typing` while a text is being entered.
pub fn input(event: &Event, typing: bool) -> Option<Input> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => match typing {
            true => typed(key),
            false => command(key).map(Input::Command),
        },
        Event::Mouse(mouse) => mouse_input(mouse),
        Event::Resize(columns, rows) => Some(Input::Resize {
            columns: *columns,
            rows: *rows,
        }),
        _ => None,
    }
}

fn typed(key: &KeyEvent) -> Option<Input> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c') if control => Input::Command(Command::Quit),
        KeyCode::Char('u') if control => Input::EraseAll,
        KeyCode::Char('h') if control => Input::EraseLetter,
        KeyCode::Char(_) if control => return None,
        KeyCode::Char(c) => Input::Letter(c),
        KeyCode::Backspace => Input::EraseLetter,
        KeyCode::Enter => Input::Command(Command::Enter),
        KeyCode::Esc => Input::Command(Command::Back),
        KeyCode::Down => Input::Command(Command::NextMatch),
        KeyCode::Up => Input::Command(Command::PreviousMatch),
        _ => return None,
    })
}

fn command(key: &KeyEvent) -> Option<Command> {
    use Command::{Enter, Left, Move, Quit, Right};
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return Some(match key.code {
            KeyCode::Char('c') => Quit,
            KeyCode::Char('z') => Command::Suspend,
            KeyCode::Char('d') => Move(Motion::Pages(1)),
            KeyCode::Char('u') => Move(Motion::Pages(-1)),
            KeyCode::Char('f') => Move(Motion::Pages(2)),
            KeyCode::Char('b') => Move(Motion::Pages(-2)),
            KeyCode::Char('e' | 'n') => Move(Motion::By(1)),
            KeyCode::Char('y' | 'p') => Move(Motion::By(-1)),
            _ => return None,
        });
    }
    Some(match key.code {
        KeyCode::Char(digit @ '1'..='6') => Command::Screen(digit as usize - '1' as usize),
        KeyCode::Char('q' | 'Q') => Quit,
        KeyCode::Esc => Command::Back,
        KeyCode::Char('?') | KeyCode::F(1) => Command::Help,
        KeyCode::Tab => Command::NextPane,
        KeyCode::BackTab => Command::PreviousPane,
        KeyCode::Char('j') | KeyCode::Down => Move(Motion::By(1)),
        KeyCode::Char('k') | KeyCode::Up => Move(Motion::By(-1)),
        KeyCode::PageDown => Move(Motion::Pages(2)),
        KeyCode::PageUp => Move(Motion::Pages(-2)),
        KeyCode::Char('g') | KeyCode::Home => Move(Motion::First),
        KeyCode::Char('G') | KeyCode::End => Move(Motion::Last),
        KeyCode::Char('h') | KeyCode::Left => Left,
        KeyCode::Char('l') | KeyCode::Right => Right,
        KeyCode::Enter => Enter,
        KeyCode::Char(' ') => Command::Toggle,
        KeyCode::Char('+' | '*') => Command::OpenAll,
        KeyCode::Char('-') => Command::CloseAll,
        KeyCode::Char('/') => Command::Search,
        KeyCode::Char('n') => Command::NextMatch,
        KeyCode::Char('N') => Command::PreviousMatch,
        KeyCode::Char('m') => Command::ChooseMetric,
        KeyCode::Char('f') => Command::ChooseFile,
        KeyCode::Char('o') => Command::Order,
        KeyCode::Char('v') => Command::Values,
        KeyCode::Char('x') => Command::Extent,
        KeyCode::Char('z') => Command::Zeros,
        KeyCode::Char('s') => Command::ShowSource,
        KeyCode::Char('t') => Command::ShowTrees,
        KeyCode::Char('e') => Command::Explain,
        KeyCode::Char(']') => Command::NextHot,
        KeyCode::Char('[') => Command::PreviousHot,
        _ => return None,
    })
}

fn mouse_input(mouse: &MouseEvent) -> Option<Input> {
    let (column, row) = (mouse.column, mouse.row);
    let scroll = |lines| Input::Scroll { column, row, lines };
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => Some(Input::Click { column, row }),
        MouseEventKind::ScrollDown => Some(scroll(WHEEL)),
        MouseEventKind::ScrollUp => Some(scroll(-WHEEL)),
        _ => None,
    }
}
