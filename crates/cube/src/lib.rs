//! The result: severities over (metric tree) x (call tree) x (system tree), and the files that carry it.

pub mod model;
pub mod summary;
