//! Which accesses a program orders, by vector clocks over all of its accesses: those that were
//! recorded and those that were not. A barrier is needed if two accesses of different threads to
//! one place, one of them a write, are ordered with it, and not without it.

use pgas_trace::model::SyncMode;

use super::program::{DESTINATION, Item, Program, SOURCE};

/// A change of the program that advice asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// The barriers of a line go.
    Remove(u32),
    /// The collective operation of a line asks for less.
    Entry(u32, SyncMode),
    Exit(u32, SyncMode),
}

type Clock = Vec<u64>;

/// When something happens.
enum When {
    /// By a thread: its clock then.
    Thread(usize, Clock),
    /// Within a collective operation, to data of a thread. By thread: the clock at its arrival, and
    /// after its departure.
    Collective {
        owner: usize,
        entry: SyncMode,
        exit: SyncMode,
        arrivals: Vec<Clock>,
        departures: Vec<Clock>,
    },
}

struct Touch {
    is_write: bool,
    owner: usize,
    place: u64,
    when: When,
}

/// Touches of the program with `changes` applied. Their order does not depend on the changes.
fn touches(program: &Program, changes: &[Change]) -> Vec<Touch> {
    let threads = program.threads as usize;
    let mut clocks = vec![vec![0u64; threads]; threads];
    let mut all = Vec::new();
    for (number, gap) in program.gaps.iter().enumerate() {
        for (thread, accesses) in gap.iter().enumerate() {
            for access in accesses {
                clocks[thread][thread] += 1;
                all.push(Touch {
                    is_write: access.is_write,
                    owner: access.owner as usize,
                    place: access.place,
                    when: When::Thread(thread, clocks[thread].clone()),
                });
            }
        }
        match program.items.get(number) {
            Some(&Item::Barrier { line, .. }) if changes.contains(&Change::Remove(line)) => {}
            Some(&Item::Barrier { .. }) => join(&mut clocks),
            Some(&Item::Collective { line, entry, exit }) => {
                let (mut sync_in, mut sync_out) = (entry, exit);
                for change in changes {
                    match *change {
                        Change::Entry(at, mode) if at == line => sync_in = mode,
                        Change::Exit(at, mode) if at == line => sync_out = mode,
                        _ => {}
                    }
                }
                tick(&mut clocks);
                let arrivals = clocks.clone();
                if sync_in == SyncMode::All {
                    join(&mut clocks);
                }
                tick(&mut clocks);
                if sync_out == SyncMode::All {
                    join(&mut clocks);
                }
                let departures = clocks.clone();
                let data = (0..threads).map(|owner| (false, owner, SOURCE));
                for (is_write, owner, place) in data.chain([(true, 0, DESTINATION)]) {
                    all.push(Touch {
                        is_write,
                        owner,
                        place,
                        when: When::Collective {
                            owner,
                            entry: sync_in,
                            exit: sync_out,
                            arrivals: arrivals.clone(),
                            departures: departures.clone(),
                        },
                    });
                }
            }
            None => {}
        }
    }
    all
}

fn tick(clocks: &mut [Clock]) {
    for (thread, clock) in clocks.iter_mut().enumerate() {
        clock[thread] += 1;
    }
}

fn join(clocks: &mut [Clock]) {
    tick(clocks);
    let all = (0..clocks.len()).map(|of| clocks.iter().map(|clock| clock[of]).max().unwrap_or(0));
    let all: Clock = all.collect();
    clocks.fill(all);
}

/// Whether something surely happens before something else.
fn is_before(one: &When, other: &When) -> bool {
    match other {
        When::Thread(_, clock) => is_before_clocks(one, &[clock]),
        When::Collective {
            owner,
            entry,
            arrivals,
            ..
        } => match entry {
            // All have come.
            SyncMode::All => is_before_clocks(one, &arrivals.iter().collect::<Vec<_>>()),
            SyncMode::Mine => is_before_clocks(one, &[&arrivals[*owner]]),
            // At least one thread has arrived, but not a particular one.
            SyncMode::None => arrivals
                .iter()
                .all(|one_of| is_before_clocks(one, &[one_of])),
        },
    }
}

/// Whether something surely happens before what comes after all of some clocks.
fn is_before_clocks(one: &When, clocks: &[&Clock]) -> bool {
    let reaches = |thread: usize, time: u64| clocks.iter().any(|clock| clock[thread] >= time);
    match one {
        When::Thread(thread, clock) => reaches(*thread, clock[*thread]),
        When::Collective {
            owner,
            exit,
            departures,
            ..
        } => {
            let left = |thread: usize| reaches(thread, departures[thread][thread]);
            let mut all = 0..departures.len();
            match exit {
                SyncMode::All => all.any(left),
                SyncMode::Mine => left(*owner),
                SyncMode::None => all.all(left),
            }
        }
    }
}

/// Whether the program orders something that it does not order any more when it is changed so.
pub fn breaks(program: &Program, changes: &[Change]) -> bool {
    let (before, after) = (touches(program, &[]), touches(program, changes));
    let is_one = |one: &Touch, other: &Touch| match (&one.when, &other.when) {
        (When::Thread(one, _), When::Thread(other, _)) => one == other,
        _ => false,
    };
    (0..before.len()).any(|second| {
        (0..second).any(|first| {
            let (one, other) = (&before[first], &before[second]);
            let meet = (one.owner, one.place) == (other.owner, other.place);
            meet && (one.is_write || other.is_write)
                && !is_one(one, other)
                && is_before(&one.when, &other.when)
                && !is_before(&after[first].when, &after[second].when)
        })
    })
}
