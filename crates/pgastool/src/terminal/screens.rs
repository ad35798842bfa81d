//! Theme and signal handling for full-screen views.

use std::io;

use pgas_screen::{Colours, Theme};

use super::{Ui, name, unicode_locale};
use crate::process::interrupt;

/// Colours and characters of this terminal.
pub fn theme(ui: &Ui) -> Theme {
    let colours = match ui.color_on_stdout() {
        true => {
            let colorterm = std::env::var("COLORTERM").unwrap_or_default();
            Colours::of_terminal(&name(), &colorterm)
        }
        false => Colours::None,
    };
    Theme {
        colours,
        unicode: unicode_locale(),
    }
}

/// Whether a signal asks the view to end.
pub fn is_to_stop() -> bool {
    interrupt::received().is_some()
}

/// Ends the process by the signal that asked for it.
pub fn abandon() {
    let signal = interrupt::received().unwrap_or(signal_hook::consts::SIGTERM);
    interrupt::end(signal);
    // Where a signal does not end it, with the status that a shell would show.
    std::process::exit(128 + signal);
}

/// Stops the process, as Ctrl-Z does.
pub fn suspend() -> io::Result<()> {
    signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)
}
