//! Parts that the harnesses share: taking stream files apart and putting them together again
//! ([`assembly`]), mutations that keep a file's form ([`mutation`]), and reading everything that a
//! file says ([`reading`]); with the tests' numbers and samples.

pub mod assembly;
pub mod mutation;
#[path = "../../tests/support/numbers.rs"]
pub mod numbers;
pub mod reading;
#[path = "../../tests/support/stack_samples.rs"]
pub mod stack_samples;
