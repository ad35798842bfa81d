//! Where threads computed, by samples: time by source line within and below recorded functions, of
//! libraries, of accesses that are counted, and of functions that are no events.
//!
//! A sample belongs to the call path of its innermost recorded region. The time of the call path
//! is distributed to its samples: a line with k of a call path's n samples has the share k/n of it,
//! with Wilson's interval of 95 % for a share of n observations.

mod accesses;
mod chains;
mod collect;
mod functions;
mod paths;
mod times;

use pgas_cube::model::CallPathId;
use pgas_result::sampling::{SampledModule, Sampling, SamplingClock};
use pgas_symbols::{Detail, ModuleName, Symbols};
use pgas_trace::model::SampleClock;

use self::collect::{Collected, collect};
use self::times::PathTimes;
use crate::conclude::missing_samples::Missing;
use crate::model::clock::Times;
use crate::pipeline::search::Found;

/// Entries of a list, at most.
const AT_MOST: usize = 500;
/// Share of the computing time from which on a line has an entry of its own.
const LEAST_SHARE: f64 = 0.001;

/// All that samples say; `None` if there are none.
pub(super) fn sampling(
    found: &Found,
    times: &Times,
    places: &[CallPathId],
    symbols: &Symbols,
    missing: &Missing,
) -> Option<Sampling> {
    let clock = found.stacks.iter().find_map(|thread| thread.clock)?;
    let collected = collect(found, symbols);
    let of_paths = PathTimes::new(found, times, &collected, missing.seconds);
    let threads = || found.stacks.iter().filter(|thread| thread.clock.is_some());
    let period = threads().map(|thread| thread.period_nanoseconds).max();
    let sum = |of: fn(&crate::threads::stacks::ThreadStacks) -> u64| {
        threads().map(of).fold(0, u64::saturating_add)
    };
    let total = of_paths.total();
    let (lines, other_lines) = times::lines(&collected, &of_paths, places, total);
    Some(Sampling {
        clock: match clock {
            SampleClock::UserTime => SamplingClock::UserTime,
            SampleClock::TickTime => SamplingClock::TickTime,
            SampleClock::WallTime => SamplingClock::WallTime,
        },
        period_seconds: period.unwrap_or(0) as f64 * 1e-9,
        samples: sum(|thread| thread.stacks.iter().map(|stack| stack.samples).sum()),
        lost: sum(|thread| thread.lost),
        within_recorder: sum(|thread| thread.within_recorder).saturating_add(collected.recording),
        missing_seconds: missing.seconds,
        elsewhere: collected.elsewhere,
        modules: modules(&collected, symbols),
        call_paths: of_paths.summary(places),
        lines,
        other_lines,
        places: times::places(&collected, &of_paths, total),
        libraries: times::libraries(&collected, &of_paths, places, total),
        accesses: accesses::search(found, &collected, &of_paths, places),
        functions: functions::search(found, &collected, &of_paths, total),
        stacks: times::stacks(&collected, &of_paths, places),
    })
}

fn modules(collected: &Collected, symbols: &Symbols) -> Vec<SampledModule> {
    let entry = |(name, samples): (&ModuleName, &u64)| {
        let (_, known) = symbols.modules().find(|(known, _)| *known == name)?;
        Some(SampledModule {
            path: name.path.clone(),
            detail: match known.detail {
                Detail::Lines => "lines",
                Detail::Functions => "functions",
                Detail::Nothing => "nothing",
            }
            .into(),
            note: known.note.clone(),
            samples: *samples,
        })
    };
    let mut modules: Vec<SampledModule> = collected.modules.iter().filter_map(entry).collect();
    modules.sort_by(|a, b| (b.samples, &a.path).cmp(&(a.samples, &b.path)));
    modules
}
