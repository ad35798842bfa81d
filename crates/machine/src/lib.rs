//! Costs of a machine's operations, as `pgastool time --machine` measures them and analyses use
//! them: what a block transfer, a lock or a barrier takes when nobody comes late.

mod error;
mod expected;
mod file;
mod model;
mod transfer;

pub use error::Error;
pub use expected::{Expected, Group, Question};
pub use file::FILE;
pub use model::{Distance, FORMAT, Host, Machine, Measured, Point, Role};
pub use transfer::Transfer;
