//! Parts that the harnesses share: taking stream files apart and putting them together again
//! ([`assembly`]), mutations that keep a file's form ([`mutation`]), and reading everything that a
//! file says ([`reading`]).

pub mod assembly;
pub mod mutation;
#[path = "../../tests/support/numbers.rs"]
pub mod numbers;
pub mod reading;
