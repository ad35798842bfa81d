//! The event model, the native trace format (writer, reader, definitions) and the experiment directory.

pub mod model;
