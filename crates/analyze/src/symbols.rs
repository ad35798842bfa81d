//! Names of the addresses that samples have: those that were found right after the run, or those
//! that are found now.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pgas_symbols::{ModuleName, Symbols};
use pgas_trace::Experiment;

use crate::pipeline::error::Error;
use crate::pipeline::streams::read_stacks;
use crate::threads::stacks::ThreadStacks;

/// Looks up all addresses of an experiment's samples in the files that they come from. Files that
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
    let mut addresses: BTreeMap<&ModuleName, BTreeSet<u64>> = BTreeMap::new();
    for thread in stacks {
        for frame in thread.stacks.iter().flat_map(|stack| &stack.frames) {
            if let Some(module) = frame.module {
                let module = &thread.modules[module as usize];
                addresses.entry(module).or_default().insert(frame.address);
            }
        }
    }
    let started = started(experiment);
    for (module, addresses) in addresses {
        if !symbols.has(module) {
            symbols.resolve(module, addresses, started);
        }
    }
}

fn started(experiment: &Experiment) -> Option<SystemTime> {
    let since_epoch = Duration::from_nanos(experiment.metadata().started_unix_ns);
    UNIX_EPOCH.checked_add(since_epoch)
}
