//! Everything about what the user sees beside results: what the terminal is, messages on it, and
//! what must not reach it.

mod environment;
mod escape;
mod messages;
mod options;
mod progress;
pub mod screens;

pub use environment::{is_stdout, name, not_interactive, unicode_locale, width};
pub use escape::visible;
pub use messages::Ui;
pub use options::Global;
pub use progress::Progress;
