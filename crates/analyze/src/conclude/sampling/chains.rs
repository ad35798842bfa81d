//! From the addresses of a sample to functions and lines, up to the innermost recorded function.

use std::collections::HashMap;
use std::sync::Arc;

use pgas_result::sampling::CodePlace;
use pgas_symbols::{Frame, ModuleName, Symbols};
use pgas_trace::model::Site;

use crate::model::paths::CallPaths;
use crate::threads::stacks::CodeAddress;

/// Beginning of the names of the embedded compiler's runtime.
pub(super) const RUNTIME: &str = "upcr_";
/// Of its functions, those that count accesses and calls.
const COUNTING: &str = "upcr_count";
/// Those, and operations that are events.
const NO_ACCESS: [&str; 2] = [COUNTING, "upcr_i_"];

/// Beginnings of the names of functions that record: samples within them are none of the program.
const RECORDER: [&str; 6] = [
    "pgas_measure::",
    "pgas_sample",
    "pgas_next_sample",
    "pgas_counted",
    "upcr_i_sample",
    "upcr_function_",
];
/// Directories of system libraries. Time inside them is reported by function, not by line.
const OF_THE_SYSTEM: [&str; 3] = ["/lib/", "/lib64/", "/usr/lib"];

/// A function of a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub place: CodePlace,
    /// The module; `None` for an unknown one.
    pub module: Option<u32>,
}

impl Step {
    /// Whether its source line is known.
    pub fn has_line(&self) -> bool {
        self.place.line > 0 && !self.place.file.is_empty()
    }
}

/// The functions of a sample, innermost first, the innermost recorded function last if it was
/// found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Chain {
    pub steps: Vec<Step>,
    /// The last step is the recorded function.
    pub is_complete: bool,
    /// It is in the code of an access to shared data.
    pub is_access: bool,
    /// It is in code that counts accesses or calls.
    pub is_counting: bool,
    /// It is in the recorder.
    pub is_recording: bool,
}

/// Names of files and functions as call paths have them.
pub(super) struct Namer<'a> {
    symbols: &'a Symbols,
    /// Files of call paths.
    files: Vec<&'a str>,
    /// By file of the debug information: as it is called here.
    known: HashMap<Arc<str>, String>,
}

impl<'a> Namer<'a> {
    pub fn new(symbols: &'a Symbols, paths: &'a CallPaths) -> Self {
        let all = (0..paths.len()).map(|number| pgas_earl::PathId(number as u32));
        let files = all.filter_map(|path| paths.site(path));
        let mut files: Vec<&str> = files.map(|site| site.file.as_str()).collect();
        files.sort_unstable_by_key(|file| (std::cmp::Reverse(file.len()), *file));
        files.dedup();
        files.retain(|file| !file.is_empty());
        Namer {
            symbols,
            files,
            known: HashMap::new(),
        }
    }

    /// The functions of a stack, below the recorded function `within`.
    pub fn chain(
        &mut self,
        frames: &[CodeAddress],
        modules: &[ModuleName],
        within: Option<&Site>,
    ) -> Chain {
        let mut chain = Chain::default();
        'all: for frame in frames {
            let module = frame.module.map(|module| &modules[module as usize]);
            let symbols = self.symbols;
            let known = module.map_or(&[][..], |module| symbols.frames(module, frame.address));
            if known.is_empty() {
                chain.steps.push(Step {
                    place: CodePlace::default(),
                    module: frame.module,
                });
            }
            let is_systems = module.is_some_and(is_of_the_system);
            for function in known {
                let place = match is_systems {
                    true => library(function),
                    false => self.place(function),
                };
                let name = place.function.as_str();
                chain.is_recording |= RECORDER.iter().any(|own| name.starts_with(own));
                let is_last = within.is_some_and(|site| is_function(&place, site));
                chain.steps.push(Step {
                    place,
                    module: frame.module,
                });
                if is_last {
                    chain.is_complete = true;
                    break 'all;
                }
            }
        }
        chain.leave_runtime();
        chain
    }

    fn place(&mut self, frame: &Frame) -> CodePlace {
        CodePlace {
            function: frame.function.as_deref().unwrap_or("").to_owned(),
            file: frame
                .file
                .as_ref()
                .map_or_else(String::new, |f| self.file(f)),
            line: frame.line,
        }
    }

    fn file(&mut self, file: &Arc<str>) -> String {
        if let Some(known) = self.known.get(file) {
            return known.clone();
        }
        let is_same = |site: &&&str| {
            let site = site.trim_start_matches("./");
            file.strip_suffix(site)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let site = self.files.iter().find(is_same);
        let name = site.map_or_else(|| file.to_string(), |site| (*site).to_owned());
        self.known.insert(file.clone(), name.clone());
        name
    }
}

fn is_of_the_system(module: &ModuleName) -> bool {
    OF_THE_SYSTEM
        .iter()
        .any(|directory| module.path.starts_with(directory))
}

/// A function of a system's library, without the marks of its own other names: `qsort_r`, not
/// `__GI___qsort_r`.
fn library(frame: &Frame) -> CodePlace {
    let name = frame.function.as_deref().unwrap_or("");
    let name = name.strip_prefix("__GI_").unwrap_or(name);
    let plain = name.split('.').next().unwrap_or("").trim_start_matches('_');
    CodePlace {
        function: if plain.is_empty() { name } else { plain }.to_owned(),
        ..CodePlace::default()
    }
}

/// Clones and parts that a C compiler makes of a function have a suffix.
fn is_function(place: &CodePlace, site: &Site) -> bool {
    let plain = place.function.split('.').next().unwrap_or("");
    !plain.is_empty() && plain == site.region_name()
}

impl Chain {
    /// Takes away the runtime's functions at the inner end, which are part of the line that they
    /// were inlined into. A chain of runtime functions alone keeps their names, without lines of the
    /// runtime's source.
    fn leave_runtime(&mut self) {
        let is_runtime = |step: &Step| step.place.function.starts_with(RUNTIME);
        let own = self
            .steps
            .iter()
            .take_while(|step| is_runtime(step))
            .count();
        if own == 0 {
            return;
        }
        if own == self.steps.len() {
            for step in &mut self.steps {
                (step.place.file, step.place.line) = (String::new(), 0);
            }
            return;
        }
        let is_access = |step: &Step| {
            let name = step.place.function.as_str();
            !NO_ACCESS.iter().any(|other| name.starts_with(other))
        };
        let is_counting = |step: &Step| step.place.function.starts_with(COUNTING);
        self.is_access = self.steps[..own].iter().all(is_access);
        self.is_counting = self.steps[..own].iter().any(is_counting);
        self.steps.drain(..own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(function: &str) -> Step {
        Step {
            place: CodePlace {
                function: function.into(),
                file: "a.upc".into(),
                line: 3,
            },
            module: Some(0),
        }
    }

    fn left(functions: &[&str]) -> (Vec<String>, bool) {
        let mut chain = Chain {
            steps: functions.iter().map(|function| step(function)).collect(),
            ..Chain::default()
        };
        chain.leave_runtime();
        let names = chain.steps.into_iter().map(|step| step.place.function);
        (names.collect(), chain.is_access)
    }

    #[test]
    fn the_runtimes_functions_belong_to_the_line_that_uses_them() {
        let names = |names: &[&str]| {
            names
                .iter()
                .map(|name| name.to_string())
                .collect::<Vec<_>>()
        };
        let access = ["upcr_read_double", "main"];
        assert_eq!(left(&access), (names(&["main"]), true));
        let address = ["upcr_divide", "upcr_elem_blocked", "f", "main"];
        assert_eq!(left(&address), (names(&["f", "main"]), true));
        let count = ["upcr_count", "main"];
        assert_eq!(left(&count), (names(&["main"]), false));
        assert_eq!(left(&["f", "upcr_x"]), (names(&["f", "upcr_x"]), false));
        assert_eq!(left(&["upcr_x"]), (names(&["upcr_x"]), false));
    }

    #[test]
    fn no_line_of_the_runtimes_source_is_shown() {
        let mut chain = Chain {
            steps: vec![step("upcr_read_double")],
            ..Chain::default()
        };
        chain.leave_runtime();
        assert!(!chain.steps[0].has_line());
    }

    #[test]
    fn clones_of_a_function_are_the_function() {
        let site = Site::function("sweep", "a.upc", 1);
        let place = |function: &str| step(function).place;
        assert!(is_function(&place("sweep"), &site));
        assert!(is_function(&place("sweep.constprop.0"), &site));
        assert!(!is_function(&place("sweeper"), &site));
        assert!(!is_function(&place(""), &site));
    }
}
