//! Bounds of what is remembered.

use pgas_monitor::Level;

/// Objects of a level that are remembered; those beyond are left out.
pub(crate) fn most_objects(level: Level) -> usize {
    match level {
        Level::Thread | Level::Process => 65_536,
        Level::Operation => 4_096,
        Level::Path => 2_048,
        _ => 1_024,
    }
}
