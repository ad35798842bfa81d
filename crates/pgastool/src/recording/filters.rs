//! Filter files as the commands take them: read before anything is done, and kept with what was
//! recorded, together with those that the program was compiled with.

use crate::failure::Failure;
use crate::launch::target::Target;
use crate::recording::functions;
use crate::terminal::Ui;
use pgas_filter::{AllOf, Filter, FunctionSet};
use pgas_instrument::program::CompiledFilter;
use pgas_measure::settings::{FILTER, FUNCTIONS_BESIDE_FILTER};
use pgas_trace::metadata::{FilterInEffect, FilterStage};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The rules of the run, in the experiment, where the recorder reads them.
const KEPT: &str = "run.filter";

/// A filter file that was found to be one.
pub struct FilterFile {
    /// Its name as it was given.
    pub name: String,
    pub text: String,
    pub filter: Filter,
}

impl FilterFile {
    /// Reads the filter at `path`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::new(format!("cannot read the filter {name}: {error}")))?;
        let filter = Filter::parse(&text, &name)?;
        Ok(FilterFile { name, text, filter })
    }

    /// Wait states that a report cannot distinguish because of the filter.
    pub fn losses(&self) -> Vec<String> {
        self.filter
            .losses()
            .iter()
            .map(ToString::to_string)
            .collect()
    }
}

/// The filters of one run; by default none.
#[derive(Default)]
pub struct Filters {
    of_run: Option<FilterFile>,
    compiled: Vec<CompiledFilter>,
}

impl Filters {
    /// The filter that was given with the command, else the one that the environment names, and
    /// those that the program was `compiled` with.
    pub fn of(given: Option<&Path>, compiled: &[CompiledFilter]) -> Result<Self, Failure> {
        let named = std::env::var_os(FILTER).filter(|name| !name.is_empty());
        let of_run = match (given, named) {
            (Some(path), _) => Some(FilterFile::read(path)?),
            (None, Some(name)) => Some(FilterFile::read(Path::new(&name)).map_err(|failure| {
                failure.help(format!("the environment variable {FILTER} names this file"))
            })?),
            (None, None) => None,
        };
        Ok(Filters {
            of_run,
            compiled: compiled.to_vec(),
        })
    }

    /// Wait states that reports cannot distinguish because of these filters, each thing once.
    pub fn losses(&self) -> Vec<String> {
        // A filter that cannot be parsed was written by another version.
        let compiled = self
            .compiled
            .iter()
            .filter_map(|filter| Filter::parse(&filter.rules, &filter.name).ok());
        let mut losses: Vec<String> = compiled
            .flat_map(|filter| filter.losses())
            .map(|loss| loss.to_string())
            .chain(self.of_run.iter().flat_map(FilterFile::losses))
            .collect();
        let mut seen = std::collections::HashSet::new();
        losses.retain(|loss| seen.insert(loss.clone()));
        losses
    }

    /// Remarks on these filters for readers of the report.
    pub fn remarks(&self) -> Vec<String> {
        const MEANING: &str = "what it excludes counts as part of its callers";
        let compiled = self.compiled.iter();
        let compiled =
            compiled.map(|filter| format!("compiled with the filter {}: {MEANING}", filter.name));
        let of_run = self.of_run.iter();
        let of_run =
            of_run.map(|file| format!("recorded with the filter {}: {MEANING}", file.name));
        compiled.chain(of_run).chain(self.losses()).collect()
    }

    /// For the description of the experiment.
    pub fn described(&self) -> Vec<FilterInEffect> {
        let compiled = self.compiled.iter().map(|filter| FilterInEffect {
            stage: FilterStage::Compile,
            file: filter.name.clone(),
            rules: filter.rules.clone(),
        });
        let of_run = self.of_run.iter().map(|file| FilterInEffect {
            stage: FilterStage::Run,
            file: file.name.clone(),
            rules: file.text.clone(),
        });
        compiled.chain(of_run).collect()
    }

    /// Leaves the rules that hold for the run of `target` in the experiment, with the functions that
    /// they exclude by their addresses, and returns the variable by which the recorder finds them.
    pub fn hand_over(
        &self,
        experiment: &Path,
        target: &Target,
        ui: &Ui,
    ) -> Result<Option<(&'static str, OsString)>, Failure> {
        let (rules, functions) = self.for_recorder(target, ui);
        if rules.is_empty() && functions == FunctionSet::default() {
            return Ok(None);
        }
        let path: PathBuf = experiment.join(KEPT);
        let mut beside = OsString::from(&path);
        beside.push(FUNCTIONS_BESIDE_FILTER);
        for (path, text) in [(&path, rules), (&beside.into(), functions.to_text())] {
            crate::output::write_file(path, text.as_bytes()).map_err(|error| {
                Failure::new(format!("cannot write {}: {error}", path.display()))
            })?;
        }
        Ok(Some((FILTER, path.into())))
    }

    /// The rules that the recorder goes by, and the functions that all rules exclude by address.
    fn for_recorder(&self, target: &Target, ui: &Ui) -> (String, FunctionSet) {
        let of_run = self.of_run.iter().map(|file| &*file.text);
        let compiled = self.compiled.iter().map(|filter| &*filter.rules);
        // A filter that cannot be parsed was written by another version.
        let all = AllOf::parse(&AllOf::text(of_run.clone().chain(compiled.clone())), KEPT);
        let functions = all.map(|all| excluded(&all, &target.file, ui));
        // Compilers of UPC have left out what their filter excludes.
        let compiled = compiled.filter(|_| target.model.is_some());
        let rules = AllOf::text(of_run.chain(compiled));
        (rules, functions.unwrap_or_default())
    }
}

/// The functions that rules exclude, of a program that reports functions by their addresses.
fn excluded(rules: &AllOf, program: &Path, ui: &Ui) -> FunctionSet {
    const CONSEQUENCE: &str = "are recorded even if the filter excludes them";
    if rules.is_empty() {
        return FunctionSet::default();
    }
    let is_excluded = |name: &str, files: &[&str]| !rules.includes_function_of(name, files);
    functions::find(&is_excluded, program, CONSEQUENCE, ui)
}
