//! Definitions of metrics as the commands take them: parsed before anything is done, and handed to
//! the recorder with the functions that they name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use pgas_measure::settings::{METRIC_FUNCTIONS, METRICS};
use pgas_metrics::{Definitions, Region, parse_file};

use crate::failure::Failure;
use crate::recording::functions;
use crate::terminal::Ui;

/// The definitions of the run, in the experiment.
const KEPT: &str = "run.metrics";

/// Definitions that are valid.
#[derive(Debug, Default)]
pub struct MetricDefinitions {
    /// One each line.
    text: String,
    definitions: Definitions,
}

impl MetricDefinitions {
    /// The definitions in a file and on the command line.
    ///
    /// # Errors
    /// If one of them is not valid, with its place.
    pub fn of(file: Option<&Path>, given: &[String]) -> Result<Self, Failure> {
        let mut all = MetricDefinitions::default();
        if let Some(path) = file {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(path)
                .map_err(|error| Failure::new(format!("cannot read {name}: {error}")))?;
            parse_file(&text, &name, &mut all.definitions).map_err(invalid)?;
            all.text = text;
            all.text.push('\n');
        }
        for definition in given {
            all.definitions.add(definition).map_err(invalid)?;
            all.text += &format!("{definition}\n");
        }
        Ok(all)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.definitions.all.is_empty()
    }

    /// The names of the metrics.
    pub fn names(&self) -> Vec<String> {
        let all = self.definitions.all.iter();
        all.map(|definition| definition.name.clone()).collect()
    }

    /// Leaves them in the experiment for the run of `program`, and returns the variable by which the
    /// recorder finds them.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn hand_over(
        &self,
        experiment: &Path,
        program: &Path,
        ui: &Ui,
    ) -> Result<Option<(&'static str, OsString)>, Failure> {
        if self.is_empty() {
            return Ok(None);
        }
        let path = experiment.join(KEPT);
        self.write(&path, &self.text, program, ui)?;
        Ok(Some((METRICS, path.into())))
    }

    /// Adds them to those in a file that the recorder looks for while the program runs.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add_to(&self, path: &Path, program: &Path, ui: &Ui) -> Result<(), Failure> {
        let before = std::fs::read_to_string(path).unwrap_or_default();
        let mut lines: Vec<&str> = before.lines().chain(self.text.lines()).collect();
        let mut seen = std::collections::HashSet::new();
        lines.retain(|line| seen.insert(*line));
        self.write(path, &(lines.join("\n") + "\n"), program, ui)
    }

    /// The functions come first: the recorder reads both when the definitions have changed.
    fn write(&self, path: &Path, text: &str, program: &Path, ui: &Ui) -> Result<(), Failure> {
        let mut beside = OsString::from(path);
        beside.push(METRIC_FUNCTIONS);
        let beside = PathBuf::from(beside);
        let known = std::fs::read_to_string(&beside).unwrap_or_default();
        let functions = known + &self.functions(program, ui);
        for (path, text) in [(&*beside, &*functions), (path, text)] {
            crate::output::write_file(path, text.as_bytes()).map_err(|error| {
                Failure::new(format!("cannot write {}: {error}", path.display()))
            })?;
        }
        Ok(())
    }

    /// The functions that regions name, by address: a line `region NAME` before those of each.
    fn functions(&self, program: &Path, ui: &Ui) -> String {
        const CONSEQUENCE: &str = "are not seen by metrics";
        let of = |region: &Region| {
            let is_named = |name: &str, _: &[&str]| region.pattern.matches(name);
            let found = functions::find(&is_named, program, CONSEQUENCE, ui);
            format!("region {}\n{}", region.text, found.to_text())
        };
        self.definitions.regions.iter().map(of).collect()
    }
}

fn invalid(error: pgas_metrics::DefinitionError) -> Failure {
    Failure::new(format!("this definition of a metric is not valid: {error}"))
        .help("docs/metrics.md has the grammar")
}
