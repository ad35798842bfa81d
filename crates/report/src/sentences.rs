//! Sentences about findings and iterations, for results in another form than the terminal's report.
//! Nothing in them is safe to print before [`printable`](crate::printable).

pub use crate::text::findings::{distinguishing_path, instances, overlaps, saves, waited_for};
pub use crate::text::phases::{
    development, development_within, imbalance, marked_sparkline, marks, oddities, place, shown,
    title,
};
