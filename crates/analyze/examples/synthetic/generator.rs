//! Writes the experiment of the program in [`super::program`], stream by stream and without holding
//! any of them, and adds up what each thread waits for: the truth, by the arithmetic of the program
//! and the definitions of the wait states, with nothing of the analysis in it.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use pgas_trace::experiment::create;
use pgas_trace::format::header::FileHeader;
use pgas_trace::metadata::Metadata;
use pgas_trace::model::{Attributes, Operation, Site, SiteId, SyncMode};
use pgas_trace::names::{self, STREAMS};
use pgas_trace::writer::{StreamOptions, StreamWriter};
use pgas_trace::{CalibrationPair, ClockKind};
use rayon::prelude::*;

use super::program::{self, CALL, EVENTS_OF_A_CALL, Meeting, Part, ROUND, meeting, part, parts};

type Failure = Box<dyn Error + Send + Sync>;

/// By metric: nanoseconds, bytes or numbers, by thread.
pub type Truth = BTreeMap<&'static str, Vec<u64>>;

/// A file in the experiment: metric, thread, value.
const TRUTH: &str = "truth.tsv";
const SOURCE: &str = "synthetic.upc";

/// Meeting of all threads at the end of a round: its kind, and its times in nanoseconds.
#[derive(Debug, Clone)]
struct Facts {
    meeting: Meeting,
    last_arrival: u64,
    first_exit: u64,
    /// Of the root, or of thread 0 for an allocation.
    root_arrival: u64,
    /// Of the other threads.
    first_of_others: u64,
    last_of_others: u64,
    /// For a prefix reduction: the last arrival among the threads before, by thread.
    last_before: Box<[u64]>,
}

/// Enter of the wait of a split phase, after the notify: the transfer lies between.
fn wait_enter(arrival: u64) -> u64 {
    arrival + 100
}

impl Facts {
    fn new(round: u64, threads: u64) -> Self {
        let meeting = meeting(round, threads);
        let root = match meeting {
            Meeting::Broadcast { root } | Meeting::Gather { root } => root,
            _ => 0,
        };
        let mut facts = Facts {
            meeting,
            last_arrival: 0,
            first_exit: u64::MAX,
            root_arrival: 0,
            first_of_others: u64::MAX,
            last_of_others: 0,
            last_before: Box::default(),
        };
        let mut least_linger = u64::MAX;
        let mut before = Vec::new();
        for (thread, part) in (0..threads).zip(parts(round, threads)) {
            if meeting == Meeting::PrefixReduce {
                before.push(facts.last_arrival);
            }
            facts.last_arrival = facts.last_arrival.max(part.arrival);
            least_linger = least_linger.min(part.linger);
            if thread == root {
                facts.root_arrival = part.arrival;
            } else {
                facts.first_of_others = facts.first_of_others.min(part.arrival);
                facts.last_of_others = facts.last_of_others.max(part.arrival);
            }
        }
        facts.last_before = before.into();
        facts.first_exit = facts.exit(least_linger);
        facts
    }

    /// When a thread leaves. All have entered then.
    fn exit(&self, linger: u64) -> u64 {
        let entered = match self.meeting {
            Meeting::SplitBarrier => wait_enter(self.last_arrival),
            _ => self.last_arrival,
        };
        entered + 50 + linger
    }
}

/// Number of rounds, with `calls` calls each, that make about `events` events.
pub fn rounds(threads: u32, events: u64, calls: u64) -> u64 {
    // Enter and Exit of the function, eight transfers, lock, unlock, meeting.
    let of_a_round = 24 + calls * EVENTS_OF_A_CALL;
    (events / u64::from(threads) / of_a_round).max(1)
}

/// Writes the experiment `directory` with about `events` events of `threads` threads, which
/// synchronise after `calls` calls each time, and its truth into it.
pub fn write(directory: &Path, threads: u32, events: u64, calls: u64) -> Result<(), Failure> {
    let rounds = rounds(threads, events, calls);
    let mut metadata = Metadata::new("synthetic", &[], threads);
    // No machine ran it.
    metadata.cores = None;
    metadata.end(Ok(0), (rounds * (ROUND + calls * CALL)) as f64 * 1e-9);
    create(directory, &metadata)?;
    let facts: Vec<Facts> = (0..rounds)
        .into_par_iter()
        .map(|round| Facts::new(round, u64::from(threads)))
        .collect();
    let written: Result<Vec<Sums>, Failure> = (0..threads)
        .into_par_iter()
        .map(|thread| {
            let path = directory.join(STREAMS).join(names::of_thread(thread));
            let file = BufWriter::new(File::create_new(path)?);
            Stream::new(file, thread, threads)?.write(&facts, calls)
        })
        .collect();
    let mut truth = Truth::new();
    for (thread, sums) in written?.into_iter().enumerate() {
        for (metric, value) in sums.0 {
            let by_thread = truth
                .entry(metric)
                .or_insert_with(|| vec![0; threads as usize]);
            by_thread[thread] = value;
        }
    }
    let mut file = BufWriter::new(File::create_new(directory.join(TRUTH))?);
    for (metric, by_thread) in &truth {
        for (thread, value) in by_thread.iter().enumerate() {
            writeln!(file, "{metric}\t{thread}\t{value}")?;
        }
    }
    file.flush()?;
    Ok(())
}

/// Expected values that were stored with the experiment: metric, thread, value.
pub fn truth(directory: &Path) -> Result<Vec<(String, usize, u64)>, Failure> {
    let text = std::fs::read_to_string(directory.join(TRUTH))?;
    let line = |line: &str| {
        let mut words = line.split('\t');
        let mut next = || words.next().ok_or_else(|| format!("{TRUTH}: {line:?}"));
        Ok((next()?.to_owned(), next()?.parse()?, next()?.parse()?))
    };
    text.lines().map(line).collect()
}

/// Of one thread.
#[derive(Default)]
struct Sums(BTreeMap<&'static str, u64>);

impl Sums {
    fn add(&mut self, metric: &'static str, value: u64) {
        *self.0.entry(metric).or_default() += value;
    }
}

/// The stream of one thread in the making.
struct Stream<W: Write> {
    out: StreamWriter<W>,
    thread: u64,
    threads: u64,
    sites: Sites,
    sums: Sums,
    /// Nanoseconds by which earlier calls have shifted the times of the program.
    shift: u64,
}

struct Sites {
    main: SiteId,
    step: SiteId,
    access: SiteId,
    work: SiteId,
    gets: Vec<SiteId>,
    puts: Vec<SiteId>,
    lock: SiteId,
    unlock: SiteId,
    barrier: SiteId,
    notify: SiteId,
    between: SiteId,
    wait: SiteId,
    broadcast: SiteId,
    gather: SiteId,
    gather_all: SiteId,
    prefix_reduce: SiteId,
    exchange: SiteId,
    allocation: SiteId,
}

impl<W: Write> Stream<W> {
    fn new(out: W, thread: u32, threads: u32) -> Result<Self, Failure> {
        let header = FileHeader {
            clock: ClockKind::Nanoseconds,
            thread,
            threads,
            process: 0,
            start: CalibrationPair::default(),
            start_unix: 0,
        };
        let mut out = StreamWriter::new(out, header, StreamOptions::default())?;
        let lines = 0..program::MOST_TRANSFERS as u32 / 3;
        let mut site = |operation, line| out.site(&Site::operation(operation, SOURCE, line));
        let sites = Sites {
            gets: lines
                .clone()
                .map(|l| site(Operation::Get, 12 + l))
                .collect(),
            puts: lines.map(|l| site(Operation::Put, 12 + l)).collect(),
            access: site(Operation::Get, 6),
            lock: site(Operation::Lock, 20),
            unlock: site(Operation::Unlock, 22),
            barrier: site(Operation::Barrier, 30),
            notify: site(Operation::Notify, 31),
            between: site(Operation::Memget, 32),
            wait: site(Operation::Wait, 33),
            broadcast: site(Operation::Broadcast, 34),
            gather: site(Operation::Gather, 35),
            gather_all: site(Operation::GatherAll, 36),
            prefix_reduce: site(Operation::PrefixReduce, 37),
            exchange: site(Operation::Exchange, 38),
            allocation: site(Operation::AllAlloc, 39),
            main: out.site(&Site::function("main", SOURCE, 1)),
            step: out.site(&Site::function("step", SOURCE, 5)),
            work: out.site(&Site::function("work", SOURCE, 10)),
        };
        Ok(Stream {
            out,
            thread: u64::from(thread),
            threads: u64::from(threads),
            sites,
            sums: Sums::default(),
            shift: 0,
        })
    }

    fn enter(&mut self, time: u64, site: SiteId, attributes: Attributes) -> Result<(), Failure> {
        Ok(self.out.enter(time + self.shift, site, attributes)?)
    }

    fn exit(&mut self, time: u64, attributes: Attributes) -> Result<(), Failure> {
        Ok(self.out.exit(time + self.shift, attributes)?)
    }

    fn write(mut self, facts: &[Facts], calls: u64) -> Result<Sums, Failure> {
        let none = Attributes::None;
        let end = facts.len() as u64 * (ROUND + calls * CALL);
        self.enter(0, self.sites.main, none)?;
        for (round, facts) in facts.iter().enumerate() {
            self.calls(round as u64, calls)?;
            let part = part(self.thread, round as u64, self.threads);
            self.work(&part)?;
            let begin = part.arrival;
            let exit = facts.exit(part.linger);
            let inside = match facts.meeting {
                Meeting::SplitBarrier => self.split_barrier(begin, exit, facts)?,
                Meeting::Barrier => self.barrier(begin, exit, facts)?,
                _ => self.collective(begin, exit, facts)?,
            };
            self.sums.add("pgas", inside);
        }
        self.shift = 0;
        self.exit(end, none)?;
        self.sums.add("time", end);
        let inside = self.sums.0.remove("pgas").unwrap_or(0);
        self.sums.add("computation", end - inside);
        self.out.finish()?.flush()?;
        Ok(self.sums)
    }

    /// The calls at the beginning of a round.
    fn calls(&mut self, round: u64, calls: u64) -> Result<(), Failure> {
        const BYTES: u64 = 8;
        let none = Attributes::None;
        let partner = (self.thread + round) % self.threads;
        let mut begin = round * ROUND;
        let mut inside = 0;
        for access in program::accesses(self.thread, round, calls) {
            self.enter(begin, self.sites.step, none)?;
            let attributes = Attributes::transfer(partner as u32, BYTES);
            self.enter(begin + 10, self.sites.access, attributes)?;
            self.exit(begin + 10 + access, none)?;
            self.exit(begin + 20 + access, none)?;
            inside += access;
            begin += CALL;
        }
        self.shift += calls * CALL;
        self.sums.add("one_sided", inside);
        self.sums.add("pgas", inside);
        self.sums.add("bytes_get", calls * BYTES);
        Ok(())
    }

    /// The part of a round before the meeting.
    fn work(&mut self, part: &Part) -> Result<(), Failure> {
        let none = Attributes::None;
        self.enter(part.function.0, self.sites.work, none)?;
        for transfer in part.transfers() {
            let sites = if transfer.put {
                &self.sites.puts
            } else {
                &self.sites.gets
            };
            let site = sites[transfer.line as usize];
            self.transfer(
                (transfer.begin, transfer.end),
                site,
                transfer.partner,
                transfer.bytes,
                transfer.put,
            )?;
        }
        self.exit(part.function.1, none)?;
        let lock = Attributes::Lock {
            lock: program::lock(self.thread),
        };
        self.enter(part.request, self.sites.lock, lock)?;
        self.exit(part.acquired, none)?;
        self.enter(part.released, self.sites.unlock, lock)?;
        self.exit(part.unlocked, none)?;
        let locked = (part.acquired - part.request) + (part.unlocked - part.released);
        self.sums.add("pgas", locked);
        let contention = part
            .released_before
            .unwrap_or(0)
            .saturating_sub(part.request);
        self.sums.add("lock_contention", contention);
        Ok(())
    }

    fn transfer(
        &mut self,
        (begin, end): (u64, u64),
        site: SiteId,
        partner: u64,
        bytes: u64,
        put: bool,
    ) -> Result<(), Failure> {
        let attributes = Attributes::transfer(partner as u32, bytes);
        self.enter(begin, site, attributes)?;
        self.exit(end, Attributes::None)?;
        self.sums
            .add(if put { "bytes_put" } else { "bytes_get" }, bytes);
        self.sums.add("one_sided", end - begin);
        self.sums.add("pgas", end - begin);
        Ok(())
    }

    /// Ticks inside of it, as the following ones.
    fn barrier(&mut self, begin: u64, exit: u64, facts: &Facts) -> Result<u64, Failure> {
        let value = Attributes::Barrier { value: None };
        self.enter(begin, self.sites.barrier, value)?;
        self.exit(exit, Attributes::None)?;
        self.sums.add("wait_at_barrier", facts.last_arrival - begin);
        self.sums.add("barrier_completion", exit - facts.first_exit);
        Ok(exit - begin)
    }

    fn split_barrier(&mut self, begin: u64, exit: u64, facts: &Facts) -> Result<u64, Failure> {
        let none = Attributes::None;
        let value = Attributes::Barrier { value: None };
        let wait = wait_enter(begin);
        self.enter(begin, self.sites.notify, value)?;
        self.exit(begin + 15, none)?;
        let partner = (self.thread + 1) % self.threads;
        self.transfer(
            (begin + 20, begin + 80),
            self.sites.between,
            partner,
            4096,
            false,
        )?;
        self.enter(wait, self.sites.wait, value)?;
        self.exit(exit, none)?;
        let waited = facts.last_arrival.saturating_sub(wait);
        self.sums.add("split_phase_wait", waited);
        self.sums.add("barrier_completion", exit - facts.first_exit);
        Ok(15 + (exit - wait))
    }

    fn collective(&mut self, begin: u64, exit: u64, facts: &Facts) -> Result<u64, Failure> {
        use SyncMode::{All, Mine, None};
        let sites = &self.sites;
        let (site, root, sync_in, sync_out) = match facts.meeting {
            Meeting::Broadcast { root } => (sites.broadcast, Some(root), Mine, Mine),
            Meeting::Gather { root } => (sites.gather, Some(root), Mine, Mine),
            Meeting::GatherAll => (sites.gather_all, Option::None, Mine, Mine),
            Meeting::PrefixReduce => (sites.prefix_reduce, Option::None, Mine, None),
            Meeting::Exchange => (sites.exchange, Option::None, All, All),
            Meeting::Allocation => (sites.allocation, Option::None, All, All),
            Meeting::Barrier | Meeting::SplitBarrier => return Ok(0),
        };
        let allocation = facts.meeting == Meeting::Allocation;
        let (enter, leave) = match allocation {
            true => (Attributes::Allocation { bytes: 1 << 20 }, Attributes::None),
            false => (
                Attributes::None,
                Attributes::Collective {
                    root: root.map(|root| root as u32),
                    sent: 64,
                    received: 64,
                    sync_in,
                    sync_out,
                },
            ),
        };
        // The root leaves before the others, so that it is alone only before they come.
        let exit = match root == Some(self.thread) {
            true => facts.first_exit - 5,
            false => exit,
        };
        self.enter(begin, site, enter)?;
        self.exit(exit, leave)?;
        let sums = &mut self.sums;
        let is_root = root == Some(self.thread);
        match facts.meeting {
            // Without others there is nobody to wait for.
            Meeting::Broadcast { .. } if is_root && self.threads == 1 => {}
            Meeting::Broadcast { .. } if is_root => {
                let alone = facts.first_of_others.min(exit).saturating_sub(begin);
                sums.add("wait_inside_collective", alone);
            }
            Meeting::Broadcast { .. } => {
                sums.add("late_broadcast", facts.root_arrival.saturating_sub(begin));
            }
            Meeting::Gather { .. } if is_root => {
                let waited = facts.last_of_others.saturating_sub(begin);
                sums.add("early_gather_receiver", waited);
            }
            Meeting::Gather { .. } => {
                let waited = facts.root_arrival.saturating_sub(begin);
                sums.add("early_gather_sender", waited);
            }
            Meeting::GatherAll => {
                sums.add("wait_at_nxn", facts.last_arrival - begin);
                sums.add("nxn_completion", exit - facts.first_exit);
            }
            Meeting::PrefixReduce => {
                let before = facts.last_before[self.thread as usize];
                sums.add("early_prefix_reduce", before.saturating_sub(begin));
            }
            Meeting::Exchange => {
                sums.add("collective_sync_in", facts.last_arrival - begin);
                sums.add("collective_sync_out", exit - facts.first_exit);
            }
            Meeting::Allocation => {
                // Nobody leaves before all have come.
                sums.add("wait_at_alloc", facts.last_arrival - begin);
            }
            Meeting::Barrier | Meeting::SplitBarrier => {}
        }
        Ok(exit - begin)
    }
}
