//! What a request asks for.

use pgas_monitor::Wanted;
use serde::{Deserialize, Serialize};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Selection {
    /// Everything that a picture is made of.
    Picture,
    /// Values of these objects.
    Cells(Wanted),
}
