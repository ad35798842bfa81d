//! Strict reader.
