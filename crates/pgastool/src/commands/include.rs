//! `pgastool include`: where the header for programs is.

use clap::Args;

use crate::failure::Outcome;
use crate::{installation, output};

/// Print the directory of pgas_metrics.h, for the include path of a compiler
///
/// pgas-upcc finds the header by itself.
#[derive(Debug, Args)]
#[command(after_help = "Example: pgastool compile cc -I \"$(pgastool include)\" -c solver.c")]
pub struct Arguments {}

pub fn include(_: &Arguments) -> Outcome {
    let (runtime, _) = installation::runtime()?;
    output::deliver(&runtime.user_dir.display().to_string(), None)?;
    Ok(0)
}
