//! Random programs whose waiting is known: threads are simulated tick by tick, and every tick that
//! a thread loses is noted by the simulation itself, not by the formulas under test.

use std::collections::BTreeMap;

use pgas_earl::StreamBuilder;
use pgas_trace::model::{Attributes, GroupFlow, Operation, SyncMode, ThreadId};

use super::numbers::Numbers;
use super::{FILE, collective, lock};

/// Claims that come after time without a core.
const AFTER_WAITING: [&str; 4] = [
    "barrier_completion",
    "nxn_completion",
    "collective_sync_out",
    "wait_inside_collective",
];

/// One thread's time in an operation.
#[derive(Clone, Default)]
struct Part {
    enter: u64,
    exit: u64,
    /// A stall of the measurement inside.
    stall: Option<(u64, u64)>,
    /// When the thread had no core, up to the exit.
    no_core: Option<(u64, u64)>,
    /// For each claim, in order of precedence: the metric and the part of time it is about.
    claims: Vec<(&'static str, u64, u64)>,
    /// The thread that the first claim waits for.
    late: Option<usize>,
    waited_at: WaitedAt,
    /// When all threads were in the operation, if nobody could leave before.
    together: Option<u64>,
}

/// Object that a thread waited at: an instance of an operation, or a lock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WaitedAt {
    Instance(usize),
    Lock(u64),
}

impl Default for WaitedAt {
    fn default() -> Self {
        WaitedAt::Instance(0)
    }
}

/// A thread waited for another that was late, or that had a lock.
#[derive(Clone, Debug)]
pub struct Waited {
    pub thread: usize,
    pub late: usize,
    pub at: WaitedAt,
    pub begin: u64,
    /// When the other one came.
    pub end: u64,
    /// When the thread left the operation.
    pub leave: u64,
    /// The ticks that it waited; not those that something else took.
    pub ticks: Vec<u64>,
}

/// A thread had a lock.
#[derive(Clone, Debug)]
pub struct Held {
    pub lock: u64,
    pub thread: usize,
    pub asked: u64,
    pub released: u64,
    pub unlock_line: u32,
}

/// Steps of a simulation are numbers below this.
pub const KINDS_OF_STEPS: u8 = 9;

pub struct Simulation {
    threads: usize,
    clocks: Vec<u64>,
    pub streams: Vec<StreamBuilder>,
    /// (metric, thread) -> ticks. Wait states, and "computation", "measurement", "visits".
    pub truth: BTreeMap<(&'static str, usize), u64>,
    /// By lock: when it was last released, and by whom.
    released: BTreeMap<u64, (u64, usize)>,
    instances: usize,
    pub waits: Vec<Waited>,
    /// In the order of releases.
    pub holds: Vec<Held>,
    /// By thread: when it left an operation in which all were together, and when that was.
    pub together: Vec<Vec<(u64, u64)>>,
    /// By thread: moments at which it may depend on others.
    pub cuts: Vec<Vec<u64>>,
    /// By thread: transfers that were begun and need not be done.
    under_way: Vec<u64>,
}

const FUNCTIONS: [&str; 3] = ["smooth", "exchange", "norm"];

impl Simulation {
    pub fn run(threads: usize, steps: &[(u8, u64)]) -> Self {
        let mut simulation = Simulation {
            threads,
            clocks: vec![0; threads],
            streams: vec![StreamBuilder::new(); threads],
            truth: BTreeMap::new(),
            released: BTreeMap::new(),
            instances: 0,
            waits: Vec::new(),
            holds: Vec::new(),
            together: vec![Vec::new(); threads],
            cuts: vec![Vec::new(); threads],
            under_way: vec![0; threads],
        };
        let mut numbers = Numbers(threads as u64);
        for thread in 0..threads {
            simulation.clocks[thread] = numbers.below(20);
            let start = simulation.clocks[thread];
            simulation.streams[thread].call(start, "main", FILE, 1);
        }
        for &(kind, seed) in steps {
            simulation.step(kind, Numbers(seed));
        }
        for thread in 0..threads {
            let end = simulation.clocks[thread];
            simulation.streams[thread].leave(end);
        }
        simulation
    }

    fn note(&mut self, metric: &'static str, thread: usize, ticks: u64) {
        *self.truth.entry((metric, thread)).or_insert(0) += ticks;
    }

    fn step(&mut self, kind: u8, mut numbers: Numbers) {
        self.instances += 1;
        match kind % KINDS_OF_STEPS {
            0 => self.compute(&mut numbers),
            1 => self.barrier(&mut numbers, false),
            2 => self.barrier(&mut numbers, true),
            3 => self.allocation(&mut numbers),
            4 => self.critical(&mut numbers),
            5 => self.collective(&mut numbers),
            6 => self.pipeline(&mut numbers),
            7 => self.partners(&mut numbers),
            _ => self.groups(&mut numbers),
        }
    }

    /// Threads compute for different times, in functions that nest at random.
    fn compute(&mut self, numbers: &mut Numbers) {
        for thread in 0..self.threads {
            let before = self.clocks[thread];
            let mut now = before;
            for _ in 0..numbers.below(3) {
                let name = FUNCTIONS[numbers.below(3) as usize];
                self.streams[thread].call(now, name, FILE, 100);
                now += numbers.below(30);
            }
            now += numbers.below(5);
            let mut transferring = 0;
            while numbers.chance(2) {
                let (length, is_fence) = (numbers.below(4), numbers.chance(2));
                self.complete_transfers(thread, now, length, is_fence);
                now += length;
                transferring += length;
            }
            while numbers.chance(2) {
                let (operation, line) = match numbers.below(3) {
                    0 => (Operation::Get, 61),
                    1 => (Operation::Memput, 62),
                    _ => (Operation::NonBlockingGet, 64),
                };
                self.under_way[thread] += u64::from(operation != Operation::Get);
                let (partner, bytes) = (
                    numbers.below(self.threads as u64) as ThreadId,
                    1 + numbers.below(100),
                );
                // In few places, so that some follow each other; some are not known.
                let transfer = Attributes::transfer_at(partner, bytes, bytes * numbers.below(4));
                let stream = &mut self.streams[thread];
                stream.begin(now, operation, FILE, line, transfer);
                let length = numbers.below(4);
                now += length;
                transferring += length;
                stream.leave(now);
                self.note("one_sided", thread, length);
            }
            let depth = self.streams[thread].depth();
            for _ in 1..depth {
                self.streams[thread].leave(now);
                now += numbers.below(3);
            }
            self.clocks[thread] = now;
            self.note("computation", thread, now - before - transferring);
        }
    }

    /// A call that waits for all transfers of the thread, or for one of them.
    fn complete_transfers(&mut self, thread: usize, begin: u64, length: u64, is_fence: bool) {
        let (operation, line, metric) = match is_fence {
            true => (Operation::Fence, 60, "fence_wait"),
            false => (Operation::NonBlockingSync, 65, "completion_wait"),
        };
        self.streams[thread].operation(begin, begin + length, operation, FILE, line);
        let under_way = &mut self.under_way[thread];
        if *under_way > 0 {
            *under_way = if is_fence { 0 } else { *under_way - 1 };
            self.note(metric, thread, length);
        }
        let class = if is_fence { "fence" } else { "one_sided" };
        self.note(class, thread, length);
    }

    /// A barrier, in which each thread may split its part, if `split`.
    fn barrier(&mut self, numbers: &mut Numbers, split: bool) {
        let line = 10 + numbers.below(2) as u32;
        let arrivals: Vec<u64> = self.clocks.clone();
        let last = *arrivals.iter().max().unwrap();
        let late = arrivals.iter().position(|&arrival| arrival == last);
        let mut parts = Vec::new();
        let mut splits = Vec::new();
        for (thread, &arrival) in arrivals.iter().enumerate() {
            let splits_it = split && !numbers.chance(3);
            let mut part = Part {
                enter: arrival,
                late,
                together: Some(last),
                waited_at: WaitedAt::Instance(self.instances),
                ..Part::default()
            };
            self.cuts[thread].push(arrival);
            let mut metric = "wait_at_barrier";
            if splits_it {
                metric = "split_phase_wait";
                let notified = arrival + numbers.below(3);
                part.enter = notified + numbers.below(60);
                let stream = &mut self.streams[thread];
                stream.operation(arrival, notified, Operation::Notify, FILE, line);
                self.note("computation", thread, part.enter - notified);
            }
            part.exit = part.enter.max(last) + numbers.below(6);
            self.stall(&mut part, numbers);
            part.claims.push((metric, part.enter, last));
            parts.push(part);
            splits.push(splits_it);
        }
        let start = parts.iter().map(|p| p.exit).min().unwrap().max(last);
        self.under_way.fill(0);
        for (thread, mut part) in parts.into_iter().enumerate() {
            let exit = part.exit;
            part.claims.push(("barrier_completion", start, exit));
            match (splits[thread], numbers.chance(2)) {
                (true, _) => {
                    // A different line, so that it is a split phase even without work between.
                    self.emit(
                        thread,
                        part,
                        Operation::Wait,
                        line + 5,
                        Attributes::None,
                        Attributes::None,
                    );
                }
                (false, true) => {
                    self.emit(
                        thread,
                        part,
                        Operation::Barrier,
                        line,
                        Attributes::None,
                        Attributes::None,
                    );
                }
                (false, false) => self.emit_in_halves(thread, part, line, numbers),
            }
        }
    }

    fn allocation(&mut self, numbers: &mut Numbers) {
        let work = self.clocks[0];
        let done = work + numbers.below(20);
        let enters = self.clocks.clone();
        let exits: Vec<u64> = (0..self.threads)
            .map(|thread| match thread {
                0 => done,
                _ => enters[thread].max(done) + numbers.below(4),
            })
            .collect();
        // Where nobody leaves before all have come, all have waited for the last one.
        let last = *enters.iter().max().unwrap_or(&0);
        let together = exits.iter().all(|&exit| exit >= last);
        let (late, arrival) = match together {
            true => (enters.iter().position(|&e| e == last).unwrap_or(0), last),
            false => (0, work),
        };
        for thread in 0..self.threads {
            let (enter, exit) = (enters[thread], exits[thread]);
            let mut part = Part {
                enter,
                exit,
                late: Some(late),
                waited_at: WaitedAt::Instance(self.instances),
                ..Part::default()
            };
            self.stall(&mut part, numbers);
            part.claims.push(("wait_at_alloc", enter, arrival));
            let bytes = Attributes::Allocation { bytes: 64 };
            self.emit(
                thread,
                part,
                Operation::AllAlloc,
                20,
                bytes,
                Attributes::None,
            );
        }
    }

    /// Every thread once takes a lock for some time, in the order in which they ask.
    fn critical(&mut self, numbers: &mut Numbers) {
        let id = numbers.below(2);
        let mut order: Vec<usize> = (0..self.threads).collect();
        order.sort_by_key(|&thread| (self.clocks[thread], thread));
        for thread in order {
            if numbers.chance(4) {
                continue;
            }
            let enter = self.clocks[thread];
            let free = self.released.get(&id).copied();
            let (free, owner) = match free {
                Some((free, owner)) => (Some(free), Some(owner)),
                None => (None, None),
            };
            let mut part = Part {
                enter,
                exit: enter.max(free.unwrap_or(0)) + numbers.below(3),
                late: owner,
                waited_at: WaitedAt::Lock(id),
                ..Part::default()
            };
            self.stall(&mut part, numbers);
            part.claims
                .push(("lock_contention", enter, free.unwrap_or(0)));
            self.emit(
                thread,
                part,
                Operation::Lock,
                30,
                lock(id),
                Attributes::None,
            );
            let held = 1 + numbers.below(25);
            self.note("computation", thread, held);
            let release = self.clocks[thread] + held;
            self.released.insert(id, (release, thread));
            self.cuts[thread].push(release);
            self.holds.push(Held {
                lock: id,
                thread,
                asked: enter,
                released: release,
                unlock_line: 33,
            });
            let done = release + numbers.below(4);
            let stream = &mut self.streams[thread];
            stream
                .begin(release, Operation::Unlock, FILE, 33, lock(id))
                .leave(done);
            self.clocks[thread] = done;
        }
    }

    /// Each thread waits for what the one before it in some order posts when it is ready.
    fn pipeline(&mut self, numbers: &mut Numbers) {
        let (wait, metric) = [
            (Operation::FlagWait, "flag_wait"),
            (Operation::SignalWait, "signal_wait"),
            (Operation::EventWait, "event_wait"),
        ][numbers.below(3) as usize];
        let first = numbers.below(self.threads as u64) as usize;
        let mut posted: Option<(u64, usize)> = None;
        let threads = self.threads;
        for thread in (0..threads).map(|next| (first + next) % threads) {
            let place = |thread: usize| 0x10_0000 + (self.instances * 1024 + thread * 8) as u64;
            let (own, next) = (place(thread), place((thread + 1) % self.threads));
            let about = |object: u64, owner: usize| match wait {
                Operation::EventWait => Attributes::Object { object, units: 1 },
                _ => Attributes::transfer_at(owner as ThreadId, 8, object),
            };
            if let Some((time, late)) = posted {
                let enter = self.clocks[thread];
                let mut part = Part {
                    enter,
                    exit: enter.max(time) + numbers.below(3),
                    late: Some(late),
                    waited_at: WaitedAt::Instance(self.instances * 1024 + thread),
                    ..Part::default()
                };
                self.stall(&mut part, numbers);
                part.claims.push((metric, enter, time));
                self.emit(thread, part, wait, 70, about(own, thread), Attributes::None);
            }
            if numbers.chance(4) {
                let worked = numbers.below(20);
                self.clocks[thread] += worked;
                self.note("computation", thread, worked);
            }
            let time = self.clocks[thread];
            let post = match wait {
                Operation::EventWait => Operation::Post,
                _ => Operation::Put,
            };
            let length = numbers.below(3);
            let owner = (thread + 1) % self.threads;
            let stream = &mut self.streams[thread];
            stream.begin(time, post, FILE, 71, about(next, owner));
            stream.leave(time + length);
            if post == Operation::Put {
                self.under_way[thread] += 1;
                self.note("one_sided", thread, length);
            }
            self.cuts[thread].push(time);
            self.clocks[thread] = time + length;
            posted = Some((time, thread));
        }
    }

    /// Pairs of threads synchronise with each other.
    fn partners(&mut self, numbers: &mut Numbers) {
        for first in (0..self.threads - self.threads % 2).step_by(2) {
            let enters = [self.clocks[first], self.clocks[first + 1]];
            for (own, other) in [(0, 1), (1, 0)] {
                let (thread, late) = (first + own, first + other);
                let (enter, come) = (enters[own], enters[other]);
                let part = Part {
                    enter,
                    exit: enter.max(come) + numbers.below(3),
                    claims: vec![("partner_wait", enter, come)],
                    late: Some(late),
                    waited_at: WaitedAt::Instance(self.instances * 1024 + thread),
                    ..Part::default()
                };
                let pair = |from: usize, to: usize| Attributes::Object {
                    object: 1 << 63 | (from as u64) << 31 | to as u64,
                    units: 1,
                };
                let (exit, line) = (part.exit, 72);
                let stream = &mut self.streams[thread];
                stream.begin(enter, Operation::PartnerSync, FILE, line, Attributes::None);
                stream.begin(enter, Operation::Post, FILE, line, pair(thread, late));
                stream.leave(enter);
                stream.begin(exit, Operation::EventWait, FILE, line, pair(late, thread));
                stream.leave(exit);
                stream.leave(exit);
                self.settle(thread, part);
            }
        }
    }

    /// Every second thread, or all those below one, are a group that executes an operation.
    fn groups(&mut self, numbers: &mut Numbers) {
        let by_parity = numbers.chance(2);
        let border = numbers.below(self.threads as u64) as usize;
        let kind_of = |thread: usize| match by_parity {
            true => (0, thread % 2),
            false => (1 + border, usize::from(thread < border)),
        };
        for side in 0..2 {
            let threads = 0..self.threads;
            let members: Vec<usize> = threads
                .filter(|&thread| kind_of(thread).1 == side)
                .collect();
            let group = (kind_of(0).0 * 2 + side) as u64;
            if !members.is_empty() {
                self.group_operation(group, &members, numbers);
            }
        }
    }

    fn group_operation(&mut self, group: u64, members: &[usize], numbers: &mut Numbers) {
        let flow = GroupFlow::ALL[numbers.below(4) as usize];
        let root = members[numbers.below(members.len() as u64) as usize];
        let enters: Vec<u64> = members.iter().map(|&thread| self.clocks[thread]).collect();
        for (&thread, &enter) in members.iter().zip(&enters) {
            let needed = |other: usize| match flow {
                GroupFlow::Unknown => false,
                GroupFlow::All => true,
                GroupFlow::FromRoot => thread != root && other == root,
                GroupFlow::ToRoot => thread == root && other != root,
            };
            let others = members.iter().zip(&enters);
            let needed = others.filter(|(other, _)| needed(**other));
            let last = needed.max_by_key(|(other, come)| (**come, **other));
            let come = last.map_or(enter, |(_, come)| *come);
            let part = Part {
                enter,
                exit: enter.max(come) + numbers.below(3),
                claims: vec![("group_wait", enter, come)],
                late: last.map(|(other, _)| *other),
                waited_at: WaitedAt::Instance(self.instances * 1024 + thread),
                ..Part::default()
            };
            let attributes = Attributes::Group {
                group,
                members: members.len() as u32,
                flow,
                root: Some(root as ThreadId),
            };
            let stream = &mut self.streams[thread];
            stream.begin(enter, Operation::GroupCollective, FILE, 73, attributes);
            stream.leave(part.exit);
            self.settle(thread, part);
        }
    }

    fn collective(&mut self, numbers: &mut Numbers) {
        use Operation::*;
        const OPERATIONS: [Operation; 8] = [
            Broadcast,
            Scatter,
            Gather,
            GatherAll,
            Exchange,
            Permute,
            Reduce,
            PrefixReduce,
        ];
        const MODES: [SyncMode; 3] = [SyncMode::None, SyncMode::Mine, SyncMode::All];
        let operation = OPERATIONS[numbers.below(8) as usize];
        let sync_in = MODES[numbers.below(3) as usize];
        let sync_out = MODES[numbers.below(3) as usize];
        let spreads = matches!(operation, Broadcast | Scatter);
        let collects = matches!(operation, Gather | Reduce);
        let all_to_all = matches!(operation, GatherAll | Exchange);
        let rooted = spreads || collects;
        let root = numbers.below(self.threads as u64) as usize;
        let enter = self.clocks.clone();
        let last = *enter.iter().max().unwrap();
        let others = (0..self.threads)
            .filter(|&t| t != root)
            .map(|t| enter[t])
            .max();
        let mut parts = Vec::new();
        for thread in 0..self.threads {
            let own = enter[thread];
            let first_at = |time: u64, mut among: Vec<usize>| {
                among.retain(|&t| enter[t] == time);
                among.first().copied()
            };
            let everybody = || (0..self.threads).collect();
            let mut late = first_at(last, everybody());
            // When the thread has what it needs, and what that is called.
            let (start, metric) = match sync_in {
                SyncMode::None => (own, None),
                SyncMode::All => (last, Some("collective_sync_in")),
                SyncMode::Mine if spreads => {
                    late = Some(root);
                    (own.max(enter[root]), Some("late_broadcast"))
                }
                SyncMode::Mine if collects && thread == root => {
                    let senders = (0..self.threads).filter(|&t| t != root).collect();
                    late = others.and_then(|time| first_at(time, senders));
                    (
                        own.max(others.unwrap_or(own)),
                        Some("early_gather_receiver"),
                    )
                }
                SyncMode::Mine if collects && sync_out != SyncMode::None => {
                    late = Some(root);
                    (own.max(enter[root]), Some("early_gather_sender"))
                }
                SyncMode::Mine if operation == PrefixReduce => {
                    let before = enter[..=thread].iter().max().unwrap();
                    late = first_at(*before, everybody());
                    (*before, Some("early_prefix_reduce"))
                }
                SyncMode::Mine if all_to_all => (last, Some("wait_at_nxn")),
                SyncMode::Mine => (own, None),
            };
            let all_to_all_at_once = all_to_all && sync_in == SyncMode::Mine;
            let at_once = all_to_all_at_once || [sync_in, sync_out].contains(&SyncMode::All);
            let mut part = Part {
                enter: own,
                exit: start + numbers.below(15),
                late,
                together: at_once.then_some(last),
                waited_at: WaitedAt::Instance(self.instances),
                ..Part::default()
            };
            if metric.is_none() {
                part.late = None;
            }
            part.claims
                .extend(metric.map(|metric| (metric, own, start)));
            parts.push(part);
        }
        if sync_out == SyncMode::All {
            let done = parts.iter().map(|p| p.exit).max().unwrap();
            parts
                .iter_mut()
                .for_each(|p| p.exit = done + numbers.below(5));
        }
        let first_exit = parts.iter().map(|p| p.exit).min().unwrap();
        let completion = match sync_out {
            SyncMode::All => Some("collective_sync_out"),
            SyncMode::Mine if all_to_all => Some("nxn_completion"),
            _ => None,
        };
        for part in &mut parts {
            let exit = part.exit;
            part.claims
                .extend(completion.map(|m| (m, first_exit.max(last), exit)));
        }
        if rooted && sync_in == SyncMode::Mine && self.threads > 1 {
            let lonely: Vec<u64> = (parts[root].enter..parts[root].exit)
                .filter(|&tick| {
                    let inside = |t: usize| parts[t].enter <= tick && tick < parts[t].exit;
                    (0..self.threads).all(|t| t == root || !inside(t))
                })
                .collect();
            for tick in lonely {
                parts[root]
                    .claims
                    .push(("wait_inside_collective", tick, tick + 1));
            }
        }
        for (thread, mut part) in parts.into_iter().enumerate() {
            self.stall(&mut part, numbers);
            let root = rooted.then_some(root as ThreadId);
            let exit = collective(root, sync_in, sync_out);
            self.emit(thread, part, operation, 40, Attributes::None, exit);
        }
    }

    /// Sometimes the buffer is full just when the operation was entered.
    fn stall(&mut self, part: &mut Part, numbers: &mut Numbers) {
        let room = part.exit - part.enter;
        if room > 1 && numbers.chance(8) {
            part.stall = Some((part.enter, part.enter + 1 + numbers.below(room - 1)));
        } else if room > 1 && numbers.chance(6) {
            part.no_core = Some((part.exit - 1 - numbers.below(room), part.exit));
        }
    }

    fn emit(
        &mut self,
        thread: usize,
        part: Part,
        operation: Operation,
        line: u32,
        enter: Attributes,
        exit: Attributes,
    ) {
        let stream = &mut self.streams[thread];
        stream.begin(part.enter, operation, FILE, line, enter);
        if let Some((begin, end)) = part.stall {
            stream.operation(begin, end, Operation::MeasurementStall, "", 0);
        }
        if let Some((begin, end)) = part.no_core {
            assert_ne!(operation, Operation::LockAttempt, "it does not wait");
            stream.operation(begin, end, Operation::NoCore, "", 0);
        }
        stream.exit(part.exit, exit);
        self.settle(thread, part);
    }

    fn emit_in_halves(&mut self, thread: usize, mut part: Part, line: u32, numbers: &mut Numbers) {
        let stream = &mut self.streams[thread];
        stream.begin(part.enter, Operation::Notify, FILE, line, Attributes::None);
        let notified = match part.stall {
            Some((begin, end)) => {
                stream.operation(begin, end, Operation::MeasurementStall, "", 0);
                end
            }
            None => part.enter,
        };
        stream.leave(notified);
        let wait = notified + numbers.below(part.exit - notified + 1);
        stream.begin(wait, Operation::Wait, FILE, line, Attributes::None);
        if let Some((begin, end)) = &mut part.no_core {
            *begin = wait.max(*begin);
            stream.operation(*begin, *end, Operation::NoCore, "", 0);
        }
        stream.leave(part.exit);
        self.settle(thread, part);
    }

    /// Gives every tick of the operation to the first claim on it.
    fn settle(&mut self, thread: usize, part: Part) {
        self.cuts[thread].extend([part.enter, part.exit]);
        let mut waited = Vec::new();
        for tick in part.enter..part.exit {
            let stalled = part
                .stall
                .is_some_and(|(begin, end)| begin <= tick && tick < end);
            let claim = part
                .claims
                .iter()
                .find(|(_, begin, end)| *begin <= tick && tick < *end);
            // While a thread waits for others, it has no use for a core; when all have come, it
            // has.
            let waits = claim.is_some_and(|(metric, ..)| !AFTER_WAITING.contains(metric));
            let without = part
                .no_core
                .is_some_and(|(begin, end)| begin <= tick && tick < end);
            if stalled {
                self.note("measurement", thread, 1);
            } else if without && !waits {
                self.note("no_core_after_wait", thread, 1);
            } else if let Some((metric, ..)) = claim {
                self.note(metric, thread, 1);
                if part.late.is_some() && claim == part.claims.first() {
                    waited.push(tick);
                }
            }
        }
        if let (Some(late), false) = (part.late, waited.is_empty()) {
            let (_, begin, end) = part.claims[0];
            let end = end.min(part.exit);
            self.cuts[thread].push(end);
            self.waits.push(Waited {
                thread,
                late,
                at: part.waited_at,
                begin,
                end,
                leave: part.exit,
                ticks: waited,
            });
        }
        if let Some(time) = part.together {
            self.together[thread].push((part.exit, time));
        }
        self.clocks[thread] = part.exit;
    }
}
