//! The definitions of metrics of this process: from the file that the run was started with, from
//! the program, and from those who watch it. They only become more.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pgas_filter::FunctionSet;
use pgas_live::metric::{BYTES, COUNTER, TIMER};
use pgas_metrics::{Definitions, Measure};
use pgas_trace_format::code_address::CodeAddress;
use pgas_trace_format::model::{Operation, Site};

use super::names;

/// Definitions, with what the recorder needs to evaluate them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given {
    pub(crate) definitions: Definitions,
    texts: Vec<String>,
    /// By definition: the number of its metric.
    pub(crate) metrics: Vec<usize>,
    /// Functions that are known by their address, with the text of the region that they are of.
    functions: Vec<(String, FunctionSet)>,
}

static GIVEN: Mutex<Option<Arc<Given>>> = Mutex::new(None);
/// Number of definitions, to see without locking whether there are new ones.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// All definitions, if there are more than `known`.
pub(crate) fn beyond(known: usize) -> Option<Arc<Given>> {
    if COUNT.load(Ordering::Acquire) <= known {
        return None;
    }
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Adds a definition. One that is known stays as it is.
pub(crate) fn add(text: &str) -> Result<(), String> {
    let mut lock = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut given = lock.as_deref().cloned().unwrap_or_default();
    if given.texts.iter().any(|known| known == text) {
        return Ok(());
    }
    given.add(text)?;
    let count = given.metrics.len();
    *lock = Some(Arc::new(given));
    COUNT.store(count, Ordering::Release);
    Ok(())
}

/// Adds functions that definitions name.
pub(crate) fn note_functions(text: &str) {
    let functions = functions_of(text);
    if functions.is_empty() {
        return;
    }
    let mut lock = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut given = lock.as_deref().cloned().unwrap_or_default();
    given.functions.extend(functions);
    *lock = Some(Arc::new(given));
}

/// Functions by region: lines `region TEXT`, each with a [`FunctionSet`] after it.
fn functions_of(text: &str) -> Vec<(String, FunctionSet)> {
    let parts = text.split("region ").filter(|part| !part.is_empty());
    let parts = parts.filter_map(|part| {
        let (region, functions) = part.split_once('\n')?;
        Some((region.to_owned(), FunctionSet::parse(functions).ok()?))
    });
    parts.collect()
}

impl Given {
    fn add(&mut self, text: &str) -> Result<(), String> {
        self.definitions
            .add(text)
            .map_err(|error| format!("metric: {error}"))?;
        let Some(last) = self.definitions.all.last() else {
            return Ok(());
        };
        let kind = match last.measure {
            Measure::Time(_) => TIMER,
            Measure::Count(_) => COUNTER,
            Measure::Bytes(_) => BYTES,
        };
        let number = names::register(&last.name, kind).map_err(|refusal| refusal.to_string())?;
        self.metrics.push(number);
        self.texts.push(text.to_owned());
        Ok(())
    }

    /// Set of the regions that a place is of, as bits.
    pub(crate) fn regions_of(&self, site: &Site) -> u64 {
        let is_unnamed = site.operation == Operation::Function && site.name.is_empty();
        match CodeAddress::of(site).filter(|_| is_unnamed) {
            None => self.definitions.regions_named(site.region_name()),
            Some(code) => self.regions_of_code(&code),
        }
    }

    fn regions_of_code(&self, code: &CodeAddress) -> u64 {
        let is_of = |text: &str| {
            let mut sets = self.functions.iter().filter(|(region, _)| region == text);
            sets.any(|(_, set)| set.contains(&code.build_id, &code.path, code.address))
        };
        let regions = self.definitions.regions.iter().enumerate();
        let found = regions.filter(|(_, region)| is_of(&region.text));
        found.fold(0, |set, (bit, _)| set | 1 << bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_trace_format::code_address::CODE_LINE;

    #[test]
    fn functions_are_known_by_name_and_by_address() {
        let mut given = Given::default();
        given
            .definitions
            .add("a = time(solve) if inside(main)")
            .unwrap();
        given.functions =
            functions_of("region main\nmodule ab\n10\nregion solve\nmodule ab\n20\n30\n");
        assert_eq!(given.regions_of(&Site::function("solve", "a.upc", 3)), 1);
        let at = |address| {
            let code = CodeAddress {
                address,
                build_id: "ab".into(),
                path: "/p".into(),
            };
            given.regions_of(&Site::function("", &code.to_text(), CODE_LINE))
        };
        assert_eq!([at(0x10), at(0x20), at(0x30), at(0x40)], [2, 1, 1, 0]);
    }

    #[test]
    fn a_definition_that_is_not_valid_is_refused() {
        let mut given = Given::default();
        let error = given.add("a = tim(x)").unwrap_err();
        assert!(error.contains("      ^"), "{error}");
    }
}
