//! The result: severities over (metric tree) x (call tree) x (system tree), and the files that carry it.
//!
//! [`model`] and [`summary`] are what an analysis builds; [`AnalysisResult`] is both together, as they lie in an experiment
//! directory. [`values`] are the sums over the trees that a viewer shows. [`cube3`] writes, reads and checks the CUBE 3 files
//! that other tools of the field open, [`cubex`] writes and reads CUBE 4. [`algebra`] computes with results, [`comparison`]
//! tells what changed between runs and what is noise, and [`matching`] finds again what was edited in between.

pub mod accesses;
pub mod algebra;
mod atomic;
pub mod causes;
mod check;
pub mod clocks;
pub mod communication;
pub mod comparison;
pub mod consistency;
pub mod cube3;
pub mod cubex;
pub mod distribution;
mod error;
pub mod grid;
pub mod inflation;
pub mod matching;
pub mod model;
mod open;
pub mod phases;
pub mod recording;
mod result;
mod roles;
mod seal;
pub mod sources;
pub mod summary;
mod summary_file;
pub mod synchronization;
pub mod timeline;
pub mod topology;
mod unzip;
pub mod values;
pub mod vocabulary;
pub mod withheld;
mod xml;

pub use check::{check_file, Violation};
pub use cube3::{read_cube3, write_cube3};
pub use cubex::{read_cubex, write_cubex, Cubex, CubexOptions};
pub use error::Error;
pub use inflation::Inflation;
pub use open::{read_any, FileFormat};
pub use pgas_base::quantity;
pub use result::AnalysisResult;
pub use summary_file::{parse_summary, read_summary, write_summary};
