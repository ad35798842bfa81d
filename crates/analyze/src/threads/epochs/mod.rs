//! Accesses and other effects of one thread between two synchronisations with all others, from
//! which it follows whether these are needed.

pub mod effects;
pub mod ranges;
pub mod watcher;

pub use effects::Effects;
pub use watcher::{Epochs, Watcher};
