//! Counts what one stream holds of each site: its events with their bytes and times, and its sums
//! of calls. Blocks are counted independently, by as many threads as there are cores.

use std::collections::{BTreeMap, HashSet};
use std::ops::AddAssign;

use pgas_filter::Unseen;
use pgas_trace::model::{CallSums, EventKind, Operation, Profile, ProfileScope, SiteId};
use pgas_trace::properties::UNSEEN;
use pgas_trace::{Error, Stream};
use rayon::prelude::*;

/// Bytes are shares of compressed blocks; they are counted in this part of a byte, in integers, so
/// that sums do not depend on their order.
pub(crate) const PARTS_OF_BYTE: u64 = 1024;

/// Totals of one site in a stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SiteTally {
    pub(crate) events: u64,
    /// In [`PARTS_OF_BYTE`].
    pub(crate) bytes: u64,
    /// Calls whose Enter is an event.
    pub(crate) recorded: u64,
    /// Calls that were counted instead of recorded, and how many of them were timed.
    pub(crate) throttled: u64,
    pub(crate) throttled_timed: u64,
    /// Calls of a function that the program counted by itself.
    pub(crate) counted: u64,
    /// Accesses here are counted by the iterations of their loop, which costs nothing.
    pub(crate) is_counted_at_end: bool,
    /// Calls of a time of which there is no trace.
    pub(crate) beyond: u64,
    /// Ticks, without what was called inside. Estimates of sums can make it negative.
    pub(crate) exclusive: i128,
    /// Ticks from Enter to Exit, summed over all calls.
    pub(crate) inclusive: u128,
    /// Whether an operation of the runtime happened inside.
    pub(crate) communicates: bool,
}

impl SiteTally {
    /// Calls that were throttled, and those that the program counted by itself: of throttled ones
    /// some are timed.
    pub(crate) fn calls_by_way(&self) -> (u64, u64) {
        match self.throttled_timed {
            0 => (0, self.throttled + self.counted),
            _ => (self.throttled, self.counted),
        }
    }
}

impl AddAssign for SiteTally {
    fn add_assign(&mut self, other: Self) {
        self.events += other.events;
        self.bytes += other.bytes;
        self.recorded += other.recorded;
        self.throttled += other.throttled;
        self.throttled_timed += other.throttled_timed;
        self.counted += other.counted;
        self.beyond += other.beyond;
        self.exclusive += other.exclusive;
        self.inclusive += other.inclusive;
        self.communicates |= other.communicates;
    }
}

/// Totals of a stream by site; index is the site.
pub(crate) fn tally(
    stream: &Stream,
    block_done: &(dyn Fn(u64) + Sync),
) -> Result<Vec<SiteTally>, Error> {
    let unseen = stream
        .property(UNSEEN)
        .map(Unseen::parse)
        .unwrap_or_default();
    let at_end: HashSet<String> = unseen.counted_at_end.into_iter().collect();
    let empty = || vec![SiteTally::default(); stream.sites().len()];
    let mut sites = (0..stream.blocks().len())
        .into_par_iter()
        .try_fold(empty, |mut sites, block| {
            tally_block(stream, block, &mut sites)?;
            block_done(stream.blocks()[block].events.into());
            Ok(sites)
        })
        .try_reduce(empty, |mut sum, part| {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum += part;
            }
            Ok(sum)
        })?;
    tally_sums(stream, &mut sites)?;
    for (tally, site) in sites.iter_mut().zip(stream.sites()) {
        let is_access = matches!(site.operation, Operation::Get | Operation::Put);
        tally.is_counted_at_end =
            is_access && at_end.contains(&format!("{}:{}", site.file, site.line));
    }
    Ok(sites)
}

/// Whether functions in which this happens are the way to something that an analysis looks at.
fn is_communication(operation: Operation) -> bool {
    operation >= Operation::Notify
        && !matches!(
            operation,
            Operation::Task | Operation::Forall | Operation::InputOutput | Operation::LibraryCall
        )
}

struct Frame {
    site: usize,
    entered: u64,
    communicates: bool,
}

fn tally_block(stream: &Stream, index: usize, sites: &mut [SiteTally]) -> Result<(), Error> {
    let info = &stream.blocks()[index];
    // The time between two blocks belongs to what was open then, unless it is not known.
    let begin = match index.checked_sub(1) {
        Some(before) if !info.gap => stream.blocks()[before].last_time,
        _ => info.first_time,
    };
    let mut events = stream.block_events(index)?;
    let mut stack: Vec<Frame> = events
        .stack()
        .iter()
        .map(|site| Frame {
            site: site.0 as usize,
            entered: begin,
            communicates: false,
        })
        .collect();
    let mut now = begin;
    let mut position = events.position();
    let (stored, raw) = (
        u128::from(info.stored_bytes()) * u128::from(PARTS_OF_BYTE),
        u128::from(info.raw_bytes()).max(1),
    );
    while let Some(event) = events.next() {
        let event = event?;
        if let Some(top) = stack.last() {
            sites[top.site].exclusive += i128::from(event.time.saturating_sub(now));
        }
        now = event.time.max(now);
        let site = match event.kind {
            EventKind::Enter { site, .. } => {
                let communicates = is_communication(stream.site(site).operation);
                if communicates {
                    // All frames below one that is marked are marked already.
                    for frame in stack.iter_mut().rev().take_while(|f| !f.communicates) {
                        frame.communicates = true;
                        sites[frame.site].communicates = true;
                    }
                }
                let site = site.0 as usize;
                stack.push(Frame {
                    site,
                    entered: now,
                    communicates,
                });
                sites[site].recorded += 1;
                site
            }
            EventKind::Exit { site, .. } => {
                if let Some(frame) = stack.pop() {
                    sites[frame.site].inclusive += u128::from(now - frame.entered);
                }
                site.0 as usize
            }
        };
        let after = events.position();
        let length = (after - position) as u128;
        position = after;
        sites[site].events += 1;
        sites[site].bytes += u64::try_from(length * stored / raw).unwrap_or(u64::MAX);
    }
    for frame in stack {
        sites[frame.site].inclusive += u128::from(now - frame.entered);
    }
    Ok(())
}

/// Sums of the calls of one site by one caller.
#[derive(Debug, Default)]
struct Pair {
    calls: u64,
    timed: u64,
    ticks: u128,
}

/// By caller and site.
type Pairs = BTreeMap<(Option<SiteId>, SiteId), Pair>;

impl Pair {
    /// The best estimate of the time of all calls, in ticks.
    fn time(&self) -> u128 {
        match self.timed {
            0 => self.ticks,
            timed => self.ticks.saturating_mul(self.calls.max(timed).into()) / u128::from(timed),
        }
    }
}

/// Whether an entry is of calls of a function that the program counted by itself: other calls of
/// functions have no thread as partner.
fn is_counted(stream: &Stream, entry: &CallSums) -> bool {
    let site = stream.sites().get(entry.site.0 as usize);
    entry.partner.is_some() && site.is_some_and(|site| site.operation == Operation::Function)
}

/// Adds the sums of calls that the events do not show. They are first added up by caller and site,
/// since the time of calls is known from samples, and one block may have none.
fn tally_sums(stream: &Stream, sites: &mut [SiteTally]) -> Result<(), Error> {
    let mut within = Pairs::new();
    let mut beyond = Pairs::new();
    // Callers of what is within, in the order in which they appear: nobody before who calls him.
    let mut callers = vec![None];
    let mut seen = vec![false; sites.len()];
    for profile in stream.profiles() {
        let profile = profile?;
        let pairs = match profile.scope {
            ProfileScope::Within => &mut within,
            ProfileScope::Beyond => &mut beyond,
            ProfileScope::Counters => continue,
        };
        for entry in &profile.entries {
            if is_counted(stream, entry) {
                sites[entry.site.0 as usize].counted += entry.calls;
                continue;
            }
            let caller = entry
                .parent
                .map(|index| profile.entries[index as usize].site);
            let pair = pairs.entry((caller, entry.site)).or_default();
            pair.calls += entry.calls;
            pair.timed += entry.timed_calls;
            pair.ticks += u128::from(entry.ticks);
            let index = entry.site.0 as usize;
            let site = &mut sites[index];
            match profile.scope {
                ProfileScope::Within => {
                    if !std::mem::replace(&mut seen[index], true) {
                        callers.push(Some(entry.site));
                    }
                    site.throttled += entry.calls;
                    site.throttled_timed += entry.timed_calls;
                }
                _ => site.beyond += entry.calls,
            }
        }
        mark_communication(stream, &profile, sites);
    }
    for ((caller, site), pair) in &beyond {
        move_time(sites, *caller, *site, pair.time());
    }
    // Outer callers first, so that what they have is known when it is divided.
    for caller in callers {
        let of_caller = (caller, SiteId(0))..=(caller, SiteId(u32::MAX));
        let called = || {
            within
                .range(of_caller.clone())
                .filter(|((_, s), _)| Some(*s) != caller)
        };
        let estimated: u128 = called().map(|(_, pair)| pair.time()).sum();
        // Estimates from samples can be beyond what there was; callers have no time to give that
        // they did not have.
        let available = match caller {
            Some(caller) => u128::try_from(sites[caller.0 as usize].exclusive).unwrap_or(0),
            None => estimated,
        };
        for ((_, site), pair) in called() {
            let time = match estimated > available {
                true => share(pair.time(), available, estimated),
                false => pair.time(),
            };
            move_time(sites, caller, *site, time);
        }
        // A recursive call takes its time from its own site.
        if let Some(pair) = caller.and_then(|site| within.get(&(caller, site))) {
            let inclusive = &mut sites[caller.map_or(0, |site| site.0 as usize)].inclusive;
            *inclusive = inclusive.saturating_add(pair.time());
        }
    }
    Ok(())
}

/// `part` * `of` / `whole`, of numbers that need not be exact.
fn share(part: u128, of: u128, whole: u128) -> u128 {
    (part as f64 * (of as f64 / whole.max(1) as f64)) as u128
}

/// Calls of `site` by `caller` took `time` ticks.
fn move_time(sites: &mut [SiteTally], caller: Option<SiteId>, site: SiteId, time: u128) {
    let signed = i128::try_from(time).unwrap_or(i128::MAX);
    let tally = &mut sites[site.0 as usize];
    tally.inclusive = tally.inclusive.saturating_add(time);
    tally.exclusive = tally.exclusive.saturating_add(signed);
    if let Some(caller) = caller {
        let caller = &mut sites[caller.0 as usize];
        caller.exclusive = caller.exclusive.saturating_sub(signed);
    }
}

fn mark_communication(stream: &Stream, profile: &Profile, sites: &mut [SiteTally]) {
    let mut marked = vec![false; profile.entries.len()];
    let happened = |entry: &CallSums| {
        (entry.calls > 0 || entry.ticks > 0) && is_communication(stream.site(entry.site).operation)
    };
    for entry in profile.entries.iter().filter(|entry| happened(entry)) {
        let mut caller = entry.parent;
        while let Some(index) = caller.map(|index| index as usize) {
            if std::mem::replace(&mut marked[index], true) {
                break;
            }
            sites[profile.entries[index].site.0 as usize].communicates = true;
            caller = profile.entries[index].parent;
        }
    }
}
