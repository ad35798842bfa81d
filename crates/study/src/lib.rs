//! Studies of the tool: what recording costs, how large traces are, and what following its advice
//! brings to real programs. Each study goes from source to figures with `pgastool` as a user would
//! call it, and writes a page with tables and charts.
//!
//! [`programs`] and `published` are tables: the programs of each study, and earlier publications
//! about them. `tool` calls `pgastool`, and `model` knows what differs between programming models. `gain`, `cost` and `size` are the three kinds of study;
//! they hand their figures to `page` and `charts`.

mod charts;
mod cost;
mod error;
mod figures;
mod gain;
mod machine;
mod model;
mod output;
mod page;
pub mod programs;
mod published;
pub mod settings;
mod size;
mod statistics;
mod tool;

pub use error::Error;
use programs::Subject;
use settings::Settings;
use tool::Tool;

/// Runs a study and writes its page and charts; returns the names of the files.
pub fn run(name: &str, settings: &Settings) -> Result<Vec<std::path::PathBuf>, Error> {
    let study = programs::STUDIES
        .iter()
        .find(|study| study.name == name)
        .ok_or_else(|| Error::UnknownStudy(name.to_string()))?;
    let model = study.model();
    model.demand()?;
    let tool = Tool::new(settings, model)?;
    let written = match &study.subject {
        Subject::Cost => cost::run(study, &tool, settings)?,
        Subject::Size => size::run(study, &tool, settings)?,
        Subject::Gain(versions) => gain::run(study, versions, &tool, settings)?,
    };
    written.store(&settings.out)
}
