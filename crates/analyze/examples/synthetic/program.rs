//! The program that a synthetic experiment is of, as arithmetic: what every thread does in every
//! round, and when. All times follow from the number of the thread, the number of the round, and a
//! hash of both; no state is kept from round to round.
//!
//! A round: as many calls of a small function as are wanted, with an access in each; a function
//! with a few transfers, a critical section under a lock that four threads share, and one operation
//! of all threads. The threads of a lock take it in the order of their numbers.

use super::numbers::Numbers;

/// Nanoseconds from the beginning of a round to that of the next one. No thread needs longer.
pub const ROUND: u64 = 16_000;
/// Nanoseconds that the calls at the beginning of a round add to it, each.
pub const CALL: u64 = 100;
/// Events of a call: Enter and Exit of the function and of the access inside.
pub const EVENTS_OF_A_CALL: u64 = 4;
/// Threads that share a lock.
const SHARERS: u64 = 4;
/// Transfers of a thread in one round, at most.
pub const MOST_TRANSFERS: usize = 12;

/// Operation in which all threads take part at the end of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    Barrier,
    /// A notify, a transfer, and a wait.
    SplitBarrier,
    /// With IN_MYSYNC and OUT_MYSYNC, as the following ones.
    Broadcast {
        root: u64,
    },
    Gather {
        root: u64,
    },
    GatherAll,
    /// With IN_MYSYNC and OUT_NOSYNC.
    PrefixReduce,
    /// With IN_ALLSYNC and OUT_ALLSYNC.
    Exchange,
    Allocation,
}

/// The meeting at the end of a round of `threads` threads.
pub fn meeting(round: u64, threads: u64) -> Meeting {
    let root = round / 16 % threads;
    match round % 16 {
        3 => Meeting::SplitBarrier,
        5 => Meeting::Broadcast { root },
        6 => Meeting::Gather { root },
        9 => Meeting::GatherAll,
        10 => Meeting::PrefixReduce,
        12 => Meeting::Exchange,
        15 => Meeting::Allocation,
        _ => Meeting::Barrier,
    }
}

/// One transfer: Enter, Exit, and what it moves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Transfer {
    pub begin: u64,
    pub end: u64,
    pub put: bool,
    /// Which of the lines of the program.
    pub line: u32,
    pub partner: u64,
    pub bytes: u64,
}

/// Activity of one thread in one round, up to the meeting. Times are nanoseconds since the
/// beginning of the run.
#[derive(Debug, Clone)]
pub struct Part {
    /// Enter and Exit of the function.
    pub function: (u64, u64),
    transfers: [Transfer; MOST_TRANSFERS],
    count: usize,
    /// Enter of the lock's operation.
    pub request: u64,
    /// Exit of it.
    pub acquired: u64,
    /// Enter of the unlock.
    pub released: u64,
    /// When the thread that had the lock before in this round released it.
    pub released_before: Option<u64>,
    pub unlocked: u64,
    /// Enter of the meeting.
    pub arrival: u64,
    /// How much later than the first of them the thread leaves the meeting, at most.
    pub linger: u64,
}

impl Part {
    pub fn transfers(&self) -> &[Transfer] {
        &self.transfers[..self.count]
    }
}

/// Durations of the accesses inside of the calls that a thread makes in a round, in nanoseconds: at
/// most `CALL` less 40.
pub fn accesses(thread: u64, round: u64, calls: u64) -> impl Iterator<Item = u64> {
    let mut numbers = Numbers(thread << 40 ^ round ^ 0x5bd1_e995);
    (0..calls).map(move |_| between(&mut numbers, 10, CALL - 40))
}

/// The lock of a thread, from 1.
pub fn lock(thread: u64) -> u64 {
    thread / SHARERS + 1
}

/// The part of `thread` in `round`.
pub fn part(thread: u64, round: u64, threads: u64) -> Part {
    let first = thread / SHARERS * SHARERS;
    let mut released_before = None;
    for other in first..thread {
        released_before = Some(alone(other, round, threads, released_before).released);
    }
    alone(thread, round, threads, released_before)
}

/// The parts of all threads in a round, in the order of threads.
pub fn parts(round: u64, threads: u64) -> impl Iterator<Item = Part> {
    let mut released_before = None;
    (0..threads).map(move |thread| {
        let before = released_before.filter(|_| thread % SHARERS != 0);
        let part = alone(thread, round, threads, before);
        released_before = Some(part.released);
        part
    })
}

fn alone(thread: u64, round: u64, threads: u64, released_before: Option<u64>) -> Part {
    let mut numbers = Numbers(thread << 40 ^ round);
    let mut now = round * ROUND + between(&mut numbers, 1, 200);
    let begin = now;
    let mut transfers = [Transfer::default(); MOST_TRANSFERS];
    let count = between(&mut numbers, 4, MOST_TRANSFERS as u64) as usize;
    for (number, transfer) in transfers[..count].iter_mut().enumerate() {
        let begin = now + between(&mut numbers, 5, 60);
        now = begin + between(&mut numbers, 20, 300);
        *transfer = Transfer {
            begin,
            end: now,
            put: number % 4 == 3,
            line: number as u32 / 3,
            partner: (thread + between(&mut numbers, 0, 1)) % threads,
            bytes: 8 << (number % 3),
        };
    }
    let function = (begin, now + between(&mut numbers, 5, 40));
    let request = function.1 + between(&mut numbers, 5, 40);
    let free = released_before.unwrap_or(0) + 20;
    let acquired = free.max(request + between(&mut numbers, 20, 60));
    let released = acquired + between(&mut numbers, 50, 300);
    let unlocked = released + between(&mut numbers, 10, 30);
    // Most threads come about at the same time, a few a good deal later.
    let late = if between(&mut numbers, 0, 7) == 0 {
        3_000
    } else {
        400
    };
    Part {
        function,
        transfers,
        count,
        request,
        acquired,
        released,
        released_before,
        unlocked,
        arrival: unlocked + between(&mut numbers, 10, late),
        linger: between(&mut numbers, 0, 60),
    }
}

/// A number from `least` to `most`.
fn between(numbers: &mut Numbers, least: u64, most: u64) -> u64 {
    least + numbers.below(most - least + 1)
}
