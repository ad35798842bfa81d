//! Place of the user and selection. Nothing here knows of a terminal or of how things are drawn.

mod app;
mod findings;
mod list;
mod list_and_text;
mod matrix;
mod popup;
mod source;
mod threads;
mod tree_pane;
mod trees;

pub use app::{App, Next, Screen};
pub(crate) use app::{Places, Prompt};
pub(crate) use findings::search as search_findings;
pub use list::Cursor;
pub use list_and_text::ListAndText;
pub use matrix::{Amount, Matrix};
pub(crate) use popup::Closed;
pub use popup::{Choice, Chooser, Popup};
pub use source::Source;
pub(crate) use source::line_count as source_lines;
pub use threads::{ThreadOrder, Threads};
pub use tree_pane::{Order, Pane, Row};
pub use trees::{Scale, Trees};
