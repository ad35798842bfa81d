//! Names of the addresses that samples and sites have: those that were found right after the run, or those
//! that are found now.

use pgas_symbols::{Symbols, Wanted};
use pgas_trace::Experiment;
use pgas_trace::places;

use crate::pipeline::error::Error;
use crate::pipeline::streams::read_stacks;
use crate::threads::stacks::ThreadStacks;

/// Looks up all addresses of an experiment's samples and sites in the files that they come from. Files that
/// are not those that ran give no names.
///
/// # Errors
/// [`Error::Trace`] if a stream is damaged.
pub fn resolve(experiment: &Experiment) -> Result<Symbols, Error> {
    let streams = experiment.streams().iter();
    let stacks = streams.map(|stream| read_stacks(Some(stream)));
    let stacks = stacks.collect::<Result<Vec<ThreadStacks>, Error>>()?;
    let mut symbols = Symbols::default();
    complete(&mut symbols, experiment, &stacks);
    Ok(symbols)
}

/// The names that are kept with the experiment, or are found now.
///
/// # Errors
/// [`Error::Trace`] if a stream is damaged.
pub fn kept_or_resolved(experiment: &Experiment) -> Result<Symbols, Error> {
    match Symbols::load(experiment.directory()) {
        Ok(Some(kept)) => Ok(kept),
        _ => resolve(experiment),
    }
}

/// The names that are kept with the experiment, and those of modules that are not in there; with a
/// remark, if the kept ones cannot be read.
pub(crate) fn load(experiment: &Experiment, stacks: &[ThreadStacks]) -> (Symbols, Option<String>) {
    if stacks.iter().all(|thread| thread.stacks.is_empty()) {
        return (Symbols::default(), None);
    }
    let (mut symbols, remark) = match Symbols::load(experiment.directory()) {
        Ok(kept) => (kept.unwrap_or_default(), None),
        Err(error) => {
            let remark = format!("names of sampled functions are looked up anew: {error}");
            (Symbols::default(), Some(remark))
        }
    };
    complete(&mut symbols, experiment, stacks);
    (symbols, remark)
}

fn complete(symbols: &mut Symbols, experiment: &Experiment, stacks: &[ThreadStacks]) {
    // Files are opened once, so places of sites are looked up together with those of samples.
    let mut wanted = experiment.code_places().clone();
    for thread in stacks {
        for frame in thread.stacks.iter().flat_map(|stack| &stack.frames) {
            if let Some(module) = frame.module {
                let module = &thread.modules[module as usize];
                if !wanted.contains_key(module) {
                    wanted.insert(module.clone(), Wanted::default());
                }
                if let Some(wanted) = wanted.get_mut(module) {
                    wanted.code.insert(frame.address);
                }
            }
        }
    }
    let started = places::started(experiment.metadata());
    for (module, wanted) in wanted {
        symbols.complete(&module, &wanted, started);
    }
}
