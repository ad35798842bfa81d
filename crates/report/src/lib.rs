//! What a person, or a person's script, looks at: the result of an analysis as text for a terminal, as JSON, and as a
//! CUBE file. Everything comes from the [`AnalysisResult`] alone; nothing is measured or computed anew here but sums,
//! shares and orders.

mod figures;
mod json;
mod names;
mod quantity;
mod text;

use pgas_cube::cube3::InvalidCube;
use pgas_cube::AnalysisResult;

pub use json::json;
pub use names::printable;
pub use text::{text, TextOptions};

/// The severities as a CUBE 3 file.
///
/// # Errors
/// [`InvalidCube`] for a result that was not loaded from a file and breaks the rules of the format.
pub fn cube(result: &AnalysisResult) -> Result<String, InvalidCube> {
    pgas_cube::cube3::to_string(&result.cube)
}
