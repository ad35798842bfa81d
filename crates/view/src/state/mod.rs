//! Place of the user and selection. Nothing here knows of a terminal: a command and a state give
//! the next state, and whatever depends on the size of the screen takes it from [`crate::layout`].

mod app;
mod findings;
mod go;
mod list;
mod list_and_text;
mod matrix;
mod mouse;
mod popup;
mod sizes;
mod source;
mod threads;
mod tree_pane;
mod trees;

pub use app::{App, Next, Screen};
pub use list::Cursor;
pub use list_and_text::ListAndText;
pub use matrix::{Amount, Matrix};
pub use popup::{Choice, Chooser, Popup};
pub(crate) use source::line_count as source_lines;
pub use source::Source;
pub use threads::{ThreadOrder, Threads};
pub use tree_pane::{Order, Pane, Row, TreePane};
pub use trees::{Scale, Trees};
