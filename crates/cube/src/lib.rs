//! Cubes: severities over (metric tree) x (call tree) x (system tree), and the files of other tools
//! that carry them.
//!
//! [`model`] is a cube in memory, [`values`] are the sums over its trees that a viewer shows,
//! [`algebra`] computes with several. [`cube3`] writes, reads and checks CUBE 3 files, [`cubex`]
//! writes and reads CUBE 4.

pub mod algebra;
mod check;
pub mod cube3;
pub mod cubex;
mod error;
pub mod model;
mod open;
mod roles;
pub mod topology;
mod unzip;
pub mod values;
mod xml;

pub use check::{Violation, check_file};
pub use cube3::{read_cube3, write_cube3};
pub use cubex::{Cubex, CubexOptions, read_cubex, write_cubex};
pub use error::Error;
pub use open::{FileFormat, read_any};
