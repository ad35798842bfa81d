//! The terminal: whether there is one, its width, its characters and colours.

use std::io::{self, IsTerminal};

/// The terminal report never grows beyond this, however wide the terminal is.
const WIDEST: usize = 100;
const NARROWEST: usize = 60;

/// Whether standard output is a terminal.
pub fn is_stdout() -> bool {
    io::stdout().is_terminal()
}

/// Columns that text for people may take.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(WIDEST, |(terminal_size::Width(columns), _)| {
        usize::from(columns).clamp(NARROWEST, WIDEST)
    })
}

/// Whether the environment says that text is shown in UTF-8. Without any locale (containers, batch
/// systems) it mostly is; a locale that names another encoding, as `C` does, is believed.
pub fn unicode_locale() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Why nothing can be shown to walk through, if so.
pub fn not_interactive() -> Option<&'static str> {
    if !io::stdin().is_terminal() || !is_stdout() {
        return Some("standard input and output are no terminal");
    }
    (name() == "dumb").then_some("this terminal (TERM=dumb) cannot show it")
}

/// `$TERM`, empty if it is not set.
pub fn name() -> String {
    std::env::var("TERM").unwrap_or_default()
}
