//! Finds synchronisation that the run did not need, from what lies around all instances of a call
//! path. The claims are such that all of them can be followed at once, unless they are those about
//! addresses: each of these is about one barrier, with all others in place.

use pgas_earl::PathId;
use pgas_trace::model::{Operation, Site, SyncMode};
use pgas_trace::models::Model;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::conclude::means::Means;
use crate::conclude::result::waiting;
use crate::detectors::sync_necessity::sequence::Open;
use crate::detectors::sync_necessity::tally::{BarrierTally, Beside, CollectiveTally, Side};
use crate::detectors::wait_states::patterns::PATTERNS;
use crate::model::clock::Times;
use crate::model::histogram::Histogram;
use crate::model::paths::CallPaths;
use crate::model::time_class::Class;
use crate::pipeline::search::Found;
use crate::threads::epochs::effects::Effects;

/// A barrier and an operation are beside each other if threads mostly spend no longer between them,
/// in seconds: the median, since one that lost its core in between says nothing about the program.
const BESIDE: f64 = 2e-6;

const BARRIER: [&str; 3] = ["wait_at_barrier", "split_phase_wait", "barrier_completion"];
const ENTRY: [&str; 5] = [
    "collective_sync_in",
    "late_broadcast",
    "early_gather_receiver",
    "early_prefix_reduce",
    "wait_at_nxn",
];
const EXIT: [&str; 3] = [
    "collective_sync_out",
    "nxn_completion",
    "early_gather_sender",
];

/// Synchronisation that the run did not need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Of the modes on entry, the second would have been enough.
    Entry(SyncMode, SyncMode),
    /// Of the modes on exit, the second would have been enough.
    Exit(SyncMode, SyncMode),
    /// A barrier right after another.
    Repeated,
    /// A barrier around which each thread touched its own data alone.
    OwnData,
    /// A barrier after which no thread depends on what others did before it, by the addresses of
    /// accesses.
    Unrelated,
}

impl Claim {
    /// Whether its advice can be followed: modes of synchronisation are UPC's.
    pub fn is_possible(self, found: &Found, path: PathId, runtime: Option<Model>) -> bool {
        match self {
            Claim::Entry(..) | Claim::Exit(..) => {
                Means::at(found.matcher.paths(), path, runtime).has_sync_modes
            }
            Claim::Repeated | Claim::OwnData | Claim::Unrelated => true,
        }
    }
}

/// A claim about one call path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advice {
    pub path: PathId,
    pub claim: Claim,
    /// All of which the surroundings are known.
    pub instances: u64,
    /// The metric that `ticks` belong to: of one wait state, or of all in the operation if there
    /// are several.
    pub metric: &'static str,
    /// Ticks that all threads lost there.
    pub ticks: u64,
    /// Ticks of the thread that lost most there, summed over instances.
    pub longest: u64,
    /// The barrier beside it, without which the claim does not hold.
    pub barrier: Option<PathId>,
    /// Ticks from or to that barrier, of a thread in an instance: the median.
    pub apart: u64,
}

/// All claims, in the order of call paths, as if all accesses had been seen: see
/// [`crate::conclude::coverage`].
pub fn advice(found: &Found, times: &Times) -> Vec<Advice> {
    let threads = found.threads.len();
    if threads < 2 {
        return Vec::new();
    }
    let necessity = &found.matcher.detectors().sync_necessity;
    let context = Context {
        found,
        times,
        own_data: necessity
            .barriers()
            .filter(|(path, tally)| is_own_data(found.matcher.paths(), *path, tally))
            .map(|(path, _)| path)
            .collect(),
    };
    let mut all = Vec::new();
    for (path, tally) in necessity.barriers() {
        all.extend(context.barrier(path, tally));
    }
    for (path, tally) in necessity.collectives() {
        all.extend(context.entry(path, tally));
        all.extend(context.exit(path, tally));
    }
    let rest = found.threads.iter().map(|thread| thread.rest);
    let open = necessity.open(rest.fold(Effects::NONE, |all, rest| all | rest));
    all.retain(|advice| !is_refuted_at_the_end(advice, &open));
    let mut all = whole_lines(found, all);
    let order = found.matcher.paths().order();
    all.sort_by_key(|advice| {
        (
            order[advice.path.index()],
            matches!(advice.claim, Claim::Exit(..)),
        )
    });
    all
}

/// Whether what threads did after their last synchronisation refutes a claim about that.
fn is_refuted_at_the_end(advice: &Advice, open: &Open) -> bool {
    let path = Some(advice.path);
    match advice.claim {
        Claim::Repeated => false,
        Claim::OwnData => path == open.barrier && !open.effects.is_private(),
        Claim::Unrelated => path == open.unrelated && !open.effects.is_none(),
        // The operation may still use a thread's own data.
        Claim::Exit(_, SyncMode::None) => path == open.collective && !open.effects.is_none(),
        Claim::Entry(..) | Claim::Exit(..) => path == open.collective && !open.effects.is_private(),
    }
}

/// Attribution that hold for every call path of their line of source: who follows one changes the
/// line, for all callers.
fn whole_lines(found: &Found, all: Vec<Advice>) -> Vec<Advice> {
    let paths = found.matcher.paths();
    let necessity = &found.matcher.detectors().sync_necessity;
    let barriers = necessity.barriers().map(|(path, _)| path);
    let collectives = necessity.collectives().map(|(path, _)| path);
    let mut lines: FxHashMap<&Site, Vec<PathId>> = FxHashMap::default();
    for path in barriers.chain(collectives) {
        if let Some(site) = paths.site(path) {
            lines.entry(site).or_default().push(path);
        }
    }
    let mut claims: FxHashMap<PathId, Vec<Claim>> = FxHashMap::default();
    for advice in &all {
        claims.entry(advice.path).or_default().push(advice.claim);
    }
    let same = |one: Claim, other: Claim| match (one, other) {
        (Claim::Repeated | Claim::OwnData, Claim::Repeated | Claim::OwnData) => true,
        // Each of these is about one barrier, with all others in place.
        (Claim::Unrelated, _) | (_, Claim::Unrelated) => false,
        (one, other) => one == other,
    };
    let holds = |advice: &Advice| {
        let line = paths.site(advice.path).and_then(|site| lines.get(site));
        line.is_none_or(|line| {
            let mut others = line.iter().filter(|&&path| path != advice.path);
            others.all(|path| {
                let claims = claims.get(path).into_iter().flatten();
                claims.copied().any(|claim| same(advice.claim, claim))
            })
        })
    };
    // Fewer barriers that go take nothing from other claims.
    all.iter().filter(|advice| holds(advice)).copied().collect()
}

fn is_own_data(paths: &CallPaths, path: PathId, tally: &BarrierTally) -> bool {
    tally.settled > 0 && tally.is_private && !ends_program(paths, path)
}

/// Whether it is the barrier in which a program ends, which is not in its source.
fn ends_program(paths: &CallPaths, path: PathId) -> bool {
    let is_end = |path| paths.operation(path) == Some(Operation::CollectiveExit);
    is_end(path) || is_end(paths.node(path).parent)
}

struct Context<'a> {
    found: &'a Found,
    times: &'a Times,
    /// Barriers that can be left out because each thread touches its own data alone around them.
    own_data: FxHashSet<PathId>,
}

impl Context<'_> {
    fn barrier(&self, path: PathId, tally: &BarrierTally) -> Option<Advice> {
        let apart = median(&tally.apart);
        let (claim, instances, barrier) = if self.own_data.contains(&path) {
            (Claim::OwnData, tally.settled, None)
        } else if tally.instances > 0
            && tally.beside_barrier
            && self.is_short(apart)
            && self.rests_on(path, tally.barrier)
            && !ends_program(self.found.matcher.paths(), path)
        {
            (
                Claim::Repeated,
                tally.instances,
                tally.barrier.map(|b| b.path),
            )
        } else if ends_program(self.found.matcher.paths(), path) {
            return None;
        } else {
            let unrelated = self
                .found
                .matcher
                .detectors()
                .sync_necessity
                .unrelated(path);
            (Claim::Unrelated, unrelated?, None)
        };
        let (metric, ticks) = self.lost(&BARRIER, path);
        Some(Advice {
            path,
            claim,
            instances,
            metric,
            ticks,
            longest: tally.longest,
            barrier,
            apart,
        })
    }

    fn entry(&self, path: PathId, tally: &CollectiveTally) -> Option<Advice> {
        let mode = self.enough(path, tally.operation, &tally.entry, &tally.exit)?;
        Some(self.side(
            path,
            Claim::Entry(tally.entry.mode, mode),
            &tally.entry,
            &ENTRY,
        ))
    }

    fn exit(&self, path: PathId, tally: &CollectiveTally) -> Option<Advice> {
        let mode = self.enough(path, tally.operation, &tally.exit, &tally.entry)?;
        Some(self.side(path, Claim::Exit(tally.exit.mode, mode), &tally.exit, &EXIT))
    }

    /// The weakest mode that is enough for a side, if it is weaker than the one that was asked for.
    fn enough(
        &self,
        path: PathId,
        operation: Operation,
        side: &Side,
        other: &Side,
    ) -> Option<SyncMode> {
        if side.instances == 0 || side.mode == SyncMode::None {
            return None;
        }
        let apart = median(&side.apart);
        if side.beside_barrier && self.is_short(apart) && self.rests_on(path, side.barrier) {
            return Some(SyncMode::None);
        }
        // The other side is a synchronisation of all threads that stays, or there is nothing for
        // which one is needed.
        let rests = other.instances > 0 && (other.is_private || other.mode == SyncMode::All);
        let waits_for_all = matches!(operation, Operation::GatherAll | Operation::Exchange);
        let weaker = side.mode == SyncMode::All && side.is_private && rests && !waits_for_all;
        weaker.then_some(SyncMode::Mine)
    }

    fn side(&self, path: PathId, claim: Claim, side: &Side, metrics: &[&'static str]) -> Advice {
        let (metric, ticks) = self.lost(metrics, path);
        let rests_on_barrier = matches!(
            claim,
            Claim::Entry(_, SyncMode::None) | Claim::Exit(_, SyncMode::None)
        );
        Advice {
            path,
            claim,
            instances: side.instances,
            metric,
            ticks,
            longest: side.longest,
            barrier: side.barrier.filter(|_| rests_on_barrier).map(|b| b.path),
            apart: median(&side.apart),
        }
    }

    fn is_short(&self, ticks: u64) -> bool {
        self.times.length(ticks as f64) <= BESIDE
    }

    /// Whether a claim about `path` may rest on the barrier beside it: one that is the same in all
    /// instances, is not to be left out itself, and between which and `path` there is no line
    /// of source that could touch data unseen.
    fn rests_on(&self, path: PathId, barrier: Option<Beside>) -> bool {
        let Some(barrier) = barrier.filter(|barrier| barrier.is_only) else {
            return false;
        };
        let paths = self.found.matcher.paths();
        let of_one_function = paths.node(path).parent == paths.node(barrier.path).parent;
        let are_neighbours = match (paths.site(path), paths.site(barrier.path)) {
            (Some(a), Some(b)) if of_one_function => {
                a.file == b.file && a.line > 0 && b.line > 0 && a.line.abs_diff(b.line) <= 1
            }
            // One function ends here, or another begins; what lies between has no lines that are
            // known.
            (a, b) => a.is_some() && b.is_some(),
        };
        are_neighbours && !self.own_data.contains(&barrier.path)
    }

    /// The metric of some wait states at a call path, and the ticks of all of them.
    fn lost(&self, metrics: &[&'static str], path: PathId) -> (&'static str, u64) {
        let mut metric = None;
        let mut sum = 0u64;
        for (number, lost) in waiting(self.found, path) {
            let pattern = PATTERNS[number];
            if !metrics.contains(&pattern.id) {
                continue;
            }
            let ticks = lost.iter().sum();
            sum = sum.saturating_add(ticks);
            if ticks > 0 {
                let operation = Class::of(self.found.matcher.paths().operation(path));
                metric = Some(metric.map_or(pattern.id, |_| operation.metric()));
            }
        }
        (metric.unwrap_or(metrics[0]), sum)
    }
}

fn median(histogram: &Histogram) -> u64 {
    let [median] = histogram.quantiles([50]);
    median
}
