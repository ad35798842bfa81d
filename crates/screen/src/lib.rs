//! Shared parts of full-screen terminal views: the terminal itself ([`terminal`]), keys
//! ([`keyboard`]), colours and characters ([`theme`]), and lines of styled text ([`pencil`]).

pub mod keyboard;
pub mod pencil;
pub mod terminal;
pub mod theme;
pub mod watchdog;

pub use terminal::Screen;
pub use theme::{Colours, Role, Theme};
