//! The search itself: all streams are read side by side, one stretch of time after another; what
//! they contribute is matched while the next stretch is read, and replayed while the next one is
//! matched. Nothing is kept per event.

use pgas_earl::{EventSource, PathId};
use pgas_trace::Clocks;
use pgas_trace::model::{Operation, ThreadId};
use rayon::prelude::*;

use crate::detectors::delay::critical::Critical;
use crate::detectors::iterations::calls::CallLoops;
pub use crate::detectors::wait_states::patterns::{Formula, PATTERNS};
use crate::detectors::wait_states::severities::Entry;
use crate::pipeline::contribution::StreamFailure;
use crate::pipeline::distributed::Lead;
use crate::pipeline::matcher::InstanceMatcher;
use crate::pipeline::reading::{Failure, Reader};
pub use crate::pipeline::schedule::Stretch;
use crate::pipeline::thread_profile::profile;
use crate::pipeline::workers::{Done, Stop, Workers};
pub use crate::threads::profile::{Oddity, ThreadProfile};
use crate::threads::stacks::ThreadStacks;

/// Everything that was found, in ticks.
#[derive(Debug)]
pub struct Found {
    /// Index is the thread.
    pub threads: Vec<ThreadProfile>,
    /// Call paths of all threads, and what each detector has found.
    pub matcher: InstanceMatcher,
    /// The critical path, the imbalance on it, and what the run would gain without each loss.
    pub critical: Critical,
    /// Loops whose iterations are calls.
    pub call_loops: CallLoops,
    /// By thread: where samples found it; empty before they were read.
    pub stacks: Vec<ThreadStacks>,
    /// Names of the counters that sums have.
    pub counters: Vec<String>,
}

/// Reads all streams (index is the thread) to their ends; their times are those of `clocks`'
/// reference. `progress` gets the number of events read so far. As many cores take part as the
/// current pool of [`rayon`] has threads.
pub fn search<S>(
    sources: Vec<S>,
    clocks: &Clocks,
    stretch: Stretch,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Found, StreamFailure<S::Error>>
where
    S: EventSource + Send,
    S::Error: Send,
{
    search_with(sources, None, (clocks, true), stretch, progress).map_err(|stop| match stop {
        Stop::Stream(failure) => failure,
        // There is nobody to exchange anything with.
        Stop::Exchange(error) => StreamFailure {
            thread: 0,
            failure: Failure::Elsewhere(error.to_string()),
        },
    })
}

/// As [`search`], where `sources` are those of the first threads, and other processes that `lead`
/// knows read the streams of all others. With a lead, its cores take part, and the calling thread
/// exchanges messages. With `clocks` comes whether the lengths of operations are compared with a
/// machine's, and so have to be collected.
pub(crate) fn search_with<S>(
    sources: Vec<S>,
    mut lead: Option<&mut Lead>,
    (clocks, compares): (&Clocks, bool),
    stretch: Stretch,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Found, Stop<S::Error>>
where
    S: EventSource + Send,
    S::Error: Send,
{
    let elsewhere = lead.as_ref().map_or(0, |lead| lead.threads());
    let threads = sources.len() + elsewhere;
    let cores = match &lead {
        Some(lead) => lead.cores().current_num_threads(),
        None => rayon::current_num_threads(),
    };
    let groups = groups(sources, GROUPS * cores);
    let per_thread = stretch.per_thread.max(1);
    let away = match &mut lead {
        Some(lead) => lead
            .open(groups.len(), per_thread)
            .map_err(Stop::Exchange)?,
        None => 0,
    };
    let mut matcher = InstanceMatcher::new(threads, clocks);
    if !compares {
        matcher.ignore_lengths();
    }
    let workers = Workers::new(groups, away, matcher, stretch, progress);
    let all = &workers;
    match &mut lead {
        Some(lead) => lead.cores().in_place_scope(|scope| {
            for core in 0..cores {
                scope.spawn(move |_| all.work(core));
            }
            if let Err(error) = lead.relay(all) {
                all.give_up(error);
            }
        }),
        None => rayon::scope(|scope| {
            for core in 0..cores {
                scope.spawn(move |_| all.work(core));
            }
        }),
    }
    let Done {
        mut matcher,
        replay,
        mut readers,
    } = workers.finish()?;
    let path = matcher.conclude(replay);
    let paths = matcher.paths();
    if let Some(lead) = &mut lead {
        lead.ask_for_profiles(paths).map_err(Stop::Exchange)?;
    }
    let mut threads: Vec<ThreadProfile> = readers
        .par_iter_mut()
        .enumerate()
        .map(|(thread, reader)| profile(reader, paths.names(thread), paths.len()))
        .collect();
    if let Some(lead) = &mut lead {
        threads.extend(lead.profiles().map_err(Stop::Exchange)?);
    }
    move_idle_time(&matcher, &mut threads);
    let critical = Critical::of(path, matcher.severities(), &threads);
    let call_loops = CallLoops::of(matcher.detectors().iterations.calls(), &threads, paths);
    Ok(Found {
        call_loops,
        threads,
        matcher,
        critical,
        stacks: Vec::new(),
        counters: Vec::new(),
    })
}

/// Moves idle time of processors to the operations in which their tasks waited meanwhile.
fn move_idle_time(matcher: &InstanceMatcher, threads: &mut [ThreadProfile]) {
    let paths = matcher.paths();
    let all = (0..paths.len()).map(|number| PathId(number as u32));
    let is_idle = |path: &PathId| paths.operation(*path) == Some(Operation::Idle);
    let idle: Vec<PathId> = all.filter(is_idle).collect();
    let severities = matcher.severities();
    let patterns = PATTERNS.iter().enumerate();
    let of_idle = patterns.filter(|(_, pattern)| matches!(pattern.formula, Formula::Idle(_)));
    let mut entries: Vec<(PathId, &Entry)> = of_idle
        .flat_map(|(number, _)| severities.entries(number))
        .filter(|(path, _)| !is_idle(path))
        .collect();
    entries.sort_by_key(|(path, _)| *path);
    for (path, entry) in entries {
        for (profile, &ticks) in threads.iter_mut().zip(&entry.ticks) {
            let mut left = ticks;
            for from in &idle {
                let own = &mut profile.totals[from.index()].ticks;
                let moved = left.min(*own);
                *own -= moved;
                left -= moved;
                profile.totals[path.index()].ticks += moved;
            }
        }
    }
}

/// Groups of readers for each core.
const GROUPS: usize = 16;

/// Readers of the first threads, in at most `most` groups. A group is taken on by one core
/// together, so that a thousand threads do not mean as many tasks; groups are small enough that no
/// core has to wait long for another one's.
fn groups<S: EventSource>(sources: Vec<S>, most: usize) -> Vec<Vec<Reader<S>>> {
    let size = sources.len().div_ceil(most).max(1);
    let mut groups: Vec<Vec<Reader<S>>> = Vec::new();
    for (number, source) in sources.into_iter().enumerate() {
        if number % size == 0 {
            groups.push(Vec::with_capacity(size));
        }
        if let Some(group) = groups.last_mut() {
            group.push(Reader::new(number as ThreadId, source));
        }
    }
    groups
}
