//! Reports for people and their scripts: the result of an analysis as text for a terminal, as a
//! page for a browser, as JSON, and as a CUBE file. Everything comes from the [`AnalysisResult`]
//! alone; nothing is measured or computed anew here but sums, shares and orders.

mod bar;
mod comparison_json;
mod escape;
pub mod figures;
pub mod html;
mod inflated;
mod json;
pub mod live;
pub mod names;
pub mod reference;
pub mod sentences;
mod text;

use pgas_cube::cube3::InvalidCube;
use pgas_result::AnalysisResult;

pub use bar::bar;
pub use comparison_json::comparison_json;
pub use html::html;
pub use inflated::{InflationMarks, share as share_of_recording};
pub use json::json;
pub use names::printable;
pub use pgas_base::quantity;
pub use text::{TextOptions, comparison_text, text, text_with_sources};

/// The severities as a CUBE 3 file.
///
/// # Errors
/// [`InvalidCube`] for a result that was not loaded from a file and breaks the rules of the format.
pub fn cube(result: &AnalysisResult) -> Result<String, InvalidCube> {
    pgas_cube::cube3::to_string(&result.cube)
}
