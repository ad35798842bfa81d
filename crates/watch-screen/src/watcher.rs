//! Event loop: samples the program once a period, applies keys, and redraws after changes.

use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pgas_base::models::Words;
use pgas_monitor::Picture;
use pgas_screen::{Screen, Theme, keyboard, terminal, watchdog};
use ratatui::crossterm::event;

use crate::draw::draw;
use crate::keys::command;
use crate::state::State;
use crate::update::Next;

/// Max time between two checks for a signal.
const TURN: Duration = Duration::from_millis(200);

/// The program, and functions that the view calls.
pub struct Options<'a> {
    /// Colours and characters that the terminal can show.
    pub theme: Theme,
    /// What the program's model calls its threads.
    pub words: Words,
    /// What the program is called.
    pub program: String,
    /// Time between two pictures.
    pub period: Duration,
    /// Whether a signal asks the view to end.
    pub stop: fn() -> bool,
    /// Ends the process by that signal; for the case that the view does not come to ask.
    pub abandon: fn(),
    /// Gives the terminal back to the shell until the user comes back.
    pub suspend: &'a dyn Fn() -> io::Result<()>,
}

/// Shows a program until the user quits. `look` returns the picture of the last period and the
/// findings so far, or the reason for which no more pictures follow; the last picture then stays.
/// Standard input and output must be a terminal.
///
/// # Errors
/// Those of `look`, and if the terminal cannot be used.
pub fn watch<E: From<io::Error>>(
    options: &Options,
    mut look: impl FnMut() -> Result<ControlFlow<String, Option<(Box<Picture>, Vec<String>)>>, E>,
) -> Result<(), E> {
    let mut screen = Screen::take()?;
    let abandon = options.abandon;
    watchdog::start(options.stop, move || {
        terminal::leave();
        abandon();
    });
    let program = options.program.clone();
    let mut state = State::new(options.theme, options.words, program, screen.area()?);
    let mut next = Instant::now();
    let mut is_changed = true;
    while !(options.stop)() {
        if Instant::now() >= next && state.over.is_none() {
            is_changed = true;
            match look()? {
                ControlFlow::Continue(Some((picture, findings))) => state.take(*picture, findings),
                ControlFlow::Continue(None) => {}
                ControlFlow::Break(why) => state.over = Some(why),
            }
            state.settle();
            // A period that took too long is not made up for.
            next = (next + options.period).max(Instant::now());
        }
        if std::mem::take(&mut is_changed) {
            screen.draw(|buffer| draw(&state, buffer))?;
        }
        let longest = match state.over {
            Some(_) => TURN,
            None => TURN.min(next.saturating_duration_since(Instant::now())),
        };
        if !keyboard::wait(longest)? {
            // The terminal is gone.
            return Ok(());
        }
        while event::poll(Duration::ZERO)? {
            let Some(command) = command(&event::read()?) else {
                continue;
            };
            is_changed = true;
            match state.update(command) {
                Next::Continue => {}
                Next::Quit => return Ok(()),
                Next::Suspend => {
                    screen.suspend(options.suspend)?;
                    state.area = screen.area()?;
                }
            }
        }
    }
    Ok(())
}
