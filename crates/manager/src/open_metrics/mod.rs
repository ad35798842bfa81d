//! What is known of a run in the OpenMetrics text format 1.0, which Prometheus reads.

mod families;
mod writer;

use crate::store::Store;
use writer::Writer;

/// Type of the text.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// All metrics.
pub(crate) fn text(store: &Store) -> String {
    let mut writer = Writer::default();
    families::run(&mut writer, store);
    families::threads(&mut writer, store);
    families::own(&mut writer, store);
    families::operations(&mut writer, store);
    families::locks(&mut writer, store);
    families::tasks(&mut writer, store);
    writer.finish()
}

#[cfg(test)]
mod tests;
