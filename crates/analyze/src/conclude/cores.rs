//! Whether threads had cores to run on: what a reader must know of a busy machine.

use pgas_earl::PathId;
use pgas_trace::CoreUse;

use crate::detectors::wait_states::patterns::{Formula, PATTERNS};
use crate::model::time_class::Class;
use crate::model::wording;
use crate::pipeline::search::Found;

/// Had threads a core for less than this share of the time in which they could have used one, that
/// is worth a word.
const NOTABLE: f64 = 0.95;
/// Context switches against a thread's will in a second of its time on a core from which on it
/// surely missed some.
const MANY_SWITCHES: f64 = 20.0;

/// By thread: ticks without a core.
fn without_core(found: &Found) -> Vec<u64> {
    let paths = found.matcher.paths();
    let is_region = |path: usize| Class::of(paths.operation(PathId(path as u32))) == Class::NoCore;
    let regions: Vec<usize> = (0..paths.len()).filter(|&path| is_region(path)).collect();
    let of_thread = |thread: &crate::pipeline::search::ThreadProfile| -> u64 {
        let ticks = regions.iter().map(|&path| thread.totals[path].ticks);
        ticks.fold(0, u64::saturating_add)
    };
    let mut without: Vec<u64> = found.threads.iter().map(of_thread).collect();
    let after_waiting = |number: &usize| matches!(PATTERNS[*number].formula, Formula::Any(_));
    for number in (0..PATTERNS.len()).filter(after_waiting) {
        for (_, entry) in found.matcher.severities().entries(number) {
            for (sum, ticks) in without.iter_mut().zip(&entry.ticks) {
                *sum = sum.saturating_add(*ticks);
            }
        }
    }
    without
}

/// Says for which share of the time threads had a core, if that was notably less than all of it.
/// `used` is by thread; `cores` are those of the run, if all threads shared them; `per_tick` the
/// seconds of a tick.
pub(crate) fn remark(
    found: &Found,
    used: &[Option<CoreUse>],
    cores: Option<u32>,
    per_tick: f64,
) -> Option<String> {
    let threads = used.len();
    let shared = cores.filter(|&cores| (cores as usize) < threads);
    let shared = shared.map(|cores| match cores {
        1 => format!("{threads} threads shared one core"),
        n => format!("{threads} threads shared {n} cores"),
    });
    let is_known = |used: &Option<CoreUse>| used.is_some_and(|used| used.run_queue_wait.is_some());
    if !used.iter().any(is_known) {
        return unknown(used, shared);
    }
    // By thread: seconds with a core, and those without.
    let seconds =
        |used: &Option<CoreUse>| used.filter(|_| is_known(used)).map(|u| u.cpu as f64 * 1e-9);
    let without = without_core(found);
    let by_thread: Vec<(f64, f64)> = used
        .iter()
        .zip(without)
        .filter_map(|(used, ticks)| Some((seconds(used)?, ticks as f64 * per_tick)))
        .collect();
    let share = |(with, without): (f64, f64)| match with + without > 0.0 {
        true => with / (with + without),
        false => 1.0,
    };
    let (with, without) = by_thread
        .iter()
        .fold((0.0, 0.0), |(a, b), &(with, without)| {
            (a + with, b + without)
        });
    let all = share((with, without));
    if all >= NOTABLE {
        return None;
    }
    let least = by_thread
        .iter()
        .map(|&part| share(part))
        .fold(1.0, f64::min);
    let least = match least < all - 0.05 {
        true => format!(" (one of them for {})", wording::percent(least)),
        false => String::new(),
    };
    let why = shared.unwrap_or_else(|| "something else ran on the cores".to_owned());
    Some(format!(
        "threads had a core for {} of the time in which they could have used one{least}: {why}. \
         The {} without one are \"No core\", neither computation nor waiting, but threads that \
         waited for others waited longer for it",
        wording::percent(all),
        wording::seconds(without)
    ))
}

/// The kernel does not say how long threads had no core.
fn unknown(used: &[Option<CoreUse>], shared: Option<String>) -> Option<String> {
    let consequence = "a thread that has to wait for a core shows as one that computes longer, \
                       and waiting for it as waiting at barriers and locks";
    if let Some(shared) = shared {
        return Some(format!(
            "{shared}: {consequence}; with a core for each thread there is less of both"
        ));
    }
    let (switches, cpu) = used
        .iter()
        .flatten()
        .fold((0.0, 0.0), |(switches, cpu), used| {
            (
                switches + used.involuntary_switches as f64,
                cpu + used.cpu as f64 * 1e-9,
            )
        });
    (switches > MANY_SWITCHES * cpu && switches > MANY_SWITCHES).then(|| {
        format!(
            "threads lost their cores {switches} times, and the kernel does not say for how long \
             (no /proc/*/schedstat): {consequence}"
        )
    })
}
