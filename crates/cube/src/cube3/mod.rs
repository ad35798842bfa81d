//! CUBE 3 files (`.cube`): one XML document that holds the three trees and, per metric and call
//! path, one value per thread. Written in the narrow form that CUBE 3's own parser accepts, read in
//! the wider form that other tools write, and [checked](check()) against the narrow one.
//!
//! Values are printed with as many digits as identify the number, so that a file read back gives
//! the same values bit for bit, and sums that agree in memory agree in the file.

mod check;
mod names;
mod read;
mod write;

pub use crate::xml::Limits;
pub use check::{Violation, check};
pub use read::{parse_cube3, read_cube3, read_file};
pub use write::{InvalidCube, Writable, to_string, write_cube3};
