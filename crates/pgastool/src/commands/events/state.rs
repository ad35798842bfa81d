//! The three states at a time, for a person.

use std::io::Write;

use pgas_base::models::Words;
use pgas_earl::access::{EventTrace, Pending, States};
use pgas_report::printable;

use super::Stop;
use super::names::{list, lock_name, place};
use crate::experiment::times::Times;

/// Operations of the queues that are listed; a thread that is far ahead of another has left many.
pub const AT_MOST: usize = 20;

pub fn write<'t>(
    out: &mut dyn Write,
    trace: &EventTrace<'t>,
    states: &States<'t>,
    threads: &[bool],
    times: Times,
    occasion: &str,
    words: &Words,
) -> Result<(), Stop> {
    let now = states.cut.time;
    writeln!(out, "The state at {} s{occasion}", times.show(now))?;
    let since = |time: u64| {
        let ago = times.length(now.saturating_sub(time));
        format!("since {} ({ago})", times.show(time))
    };

    writeln!(out, "\nRegions")?;
    for (thread, state) in states.threads.iter().enumerate() {
        if !threads.get(thread).copied().unwrap_or(false) {
            continue;
        }
        writeln!(out, "  {}", words.name(thread as u32))?;
        for (depth, open) in state.stack.iter().enumerate() {
            let name = printable(open.region.region_name(), true);
            let indentation = 4 + 2 * depth.min(20);
            let begin = open.enter.map(|(_, time)| since(time)).unwrap_or_default();
            let line = format!(
                "{:<40}  {:<20}  {begin}",
                format!("{:indentation$}{name}", ""),
                place(open.region)
            );
            writeln!(out, "{}", line.trim_end())?;
        }
        if state.stack.is_empty() {
            writeln!(out, "    in no region")?;
        }
    }

    let has_numbers = |count: Option<u64>| count.is_some();
    let all_known = states
        .threads
        .iter()
        .all(|state| has_numbers(state.barriers) && has_numbers(state.collectives));
    writeln!(out, "\nWhat all {} do together", words.many)?;
    let barriers = states.pending_barriers(AT_MOST);
    let collectives = trace.pending_collectives(states, AT_MOST)?;
    for pending in &barriers {
        writeln!(out, "  barrier {}: {}", pending.number, who(pending, words))?;
    }
    for pending in &collectives {
        let name = pending.operation.name();
        let number = pending.number;
        writeln!(
            out,
            "  {name} (collective {number}): {}",
            who(pending, words)
        )?;
    }
    if !all_known {
        writeln!(out, "  not known, since events are missing before")?;
    } else if barriers.is_empty() && collectives.is_empty() {
        writeln!(out, "  nothing that only some have come to")?;
    }

    writeln!(out, "\nLocks")?;
    let mut is_any = false;
    for lock in states.locks.locks() {
        is_any = true;
        let holder = match (states.locks.owner(lock), states.locks.released(lock)) {
            (Some(owner), _) => {
                format!("{} has it {}", words.name(owner.thread), since(owner.since))
            }
            (None, Some(last)) => format!("free; {} had it last", words.name(last.thread)),
            (None, None) => "free".to_owned(),
        };
        let waiting = states.locks.waiting(lock);
        let waiting = match waiting.is_empty() {
            true => String::new(),
            false => format!("; waiting: {}", list(waiting, words)),
        };
        writeln!(out, "  {}: {holder}{waiting}", lock_name(lock))?;
    }
    if !is_any {
        writeln!(out, "  none was used")?;
    }
    if !states.locks.is_complete() {
        writeln!(
            out,
            "  (events are missing before: owners may have changed)"
        )?;
    }
    writeln!(out)?;
    Ok(())
}

fn who(pending: &Pending, words: &Words) -> String {
    let parts = [
        ("inside", &pending.inside),
        ("left by", &pending.left),
        ("not yet there", &pending.missing),
    ];
    let parts = parts.iter().filter(|(_, threads)| !threads.is_empty());
    let parts: Vec<String> = parts
        .map(|(word, threads)| format!("{word}: {}", list(threads, words)))
        .collect();
    parts.join("; ")
}
