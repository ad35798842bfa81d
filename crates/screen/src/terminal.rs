//! Takes the terminal over for a full-screen view, and restores it however the view ends.

use std::io::{self, Write};
use std::sync::Once;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use ratatui::layout::Rect;

/// The terminal while a view has it; given back when dropped, and also after a panic.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<io::Stdout>>,
}

impl Screen {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// If standard input and output are no terminal that allows it.
    pub fn take() -> io::Result<Self> {
        restore_after_panic();
        enter()?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()));
        match terminal {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(error) => {
                leave();
                Err(error)
            }
        }
    }

    /// The whole terminal.
    ///
    /// # Errors
    /// If the terminal does not say how large it is.
    pub fn area(&self) -> io::Result<Rect> {
        let size = self.terminal.size()?;
        Ok(Rect::new(0, 0, size.width, size.height))
    }

    /// Shows what `draw` draws into an empty buffer.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        self.terminal.draw(|frame| draw(frame.buffer_mut()))?;
        Ok(())
    }

    /// Gives the terminal back to the shell until `suspend` returns, as Ctrl-Z does.
    ///
    /// # Errors
    /// If the terminal does not take it, or `suspend` fails.
    pub fn suspend(&mut self, suspend: &dyn Fn() -> io::Result<()>) -> io::Result<()> {
        leave();
        let suspended = suspend();
        enter()?;
        self.terminal.clear()?;
        suspended
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    let entered = execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        cursor::Hide
    );
    if entered.is_err() {
        leave();
    }
    entered
}

/// Gives the terminal back, if the process ends without dropping [`Screen`]. There is nobody to tell
/// if the terminal does not take it.
pub fn leave() {
    let mut out = io::stdout();
    let _ = execute!(out, DisableMouseCapture, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
    let _ = out.flush();
}

/// A message of a panic must be readable, and the shell usable.
fn restore_after_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            leave();
            previous(panic);
        }));
    });
}
