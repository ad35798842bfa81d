//! Finds a filter that keeps the overhead of every thread below a share, and loses as little as
//! possible by it.
//!
//! Records of a function are worth most if its calls are long, and cost the same if they are short.
//! So functions go in the order of the time of a call, the shortest first, until the overhead is
//! low enough; then those whose absence turns out not to be needed come back, beginning with those
//! that cost least. Functions on the way to communication go only after all others with short calls
//! and only if their own calls are short, since an analysis names wait states by them. `main` never
//! goes, and operations only if that was asked for.

use std::collections::BTreeMap;

use pgas_trace::model::Operation;

use crate::score::{Balance, Kind, Load, Region, Score};

/// Calls that take less than this, in seconds, are short: as many as would be throttled.
const SHORT_CALL: f64 = 10e-6;
/// A part of the allowed overhead that is not worth losing anything for.
const NEGLIGIBLE: f64 = 0.1;

/// Requirements of a filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProposalOptions {
    /// The largest overhead of a thread, as a share: 0.01 is 1 %.
    pub max_overhead: f64,
    /// Whether one-sided operations and others that no wait state is found by may be left out.
    pub operations: bool,
}

/// A filter that is proposed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proposal {
    /// Names of functions and operations to leave out, in the order of their cost.
    pub names: Vec<String>,
    /// Whether the overhead is then as low as it was asked to be.
    pub sufficient: bool,
}

/// Candidate to leave out: all regions of one name, since filters go by names.
struct Candidate<'a> {
    name: &'a str,
    regions: Vec<&'a Region>,
    rank: Rank,
    seconds_per_call: f64,
    /// Seconds over all threads.
    cost: f64,
}

/// In which order candidates go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    ShortUser,
    ShortCommunicating,
    LongUser,
    Operation,
}

/// Proposes a filter for the regions that `keeps` names; all others are left out already.
pub fn propose(
    score: &Score,
    options: ProposalOptions,
    keeps: impl Fn(&Region) -> bool,
) -> Proposal {
    let balance = Balance::new(score);
    let mut loads = vec![Load::default(); score.threads.len()];
    let recorded = |region: &&Region| region.kind == Kind::Measurement || keeps(region);
    for region in score.regions.iter().filter(recorded) {
        change(&mut loads, region, 1.0);
    }
    let worst = |loads: &[Load]| balance.overhead(score, loads).worst;

    let mut left_out: Vec<Candidate> = Vec::new();
    let mut candidates = candidates(score, options, &keeps).into_iter();
    while worst(&loads) > options.max_overhead {
        let Some(candidate) = candidates.next() else {
            break;
        };
        for region in &candidate.regions {
            change(&mut loads, region, -1.0);
        }
        left_out.push(candidate);
    }
    let reached = worst(&loads);
    let sufficient = reached <= options.max_overhead;
    // If that cannot be reached, nothing goes for a gain that nobody would notice.
    let bearable = if sufficient {
        options.max_overhead
    } else {
        reached + options.max_overhead * NEGLIGIBLE
    };

    left_out.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    left_out.retain(|candidate| {
        let mut with = loads.clone();
        for region in &candidate.regions {
            change(&mut with, region, 1.0);
        }
        let needed = worst(&with) > bearable;
        if !needed {
            loads = with;
        }
        needed
    });
    left_out.reverse();
    Proposal {
        names: left_out.iter().map(|c| c.name.to_owned()).collect(),
        sufficient,
    }
}

fn change(loads: &mut [Load], region: &Region, sign: f64) {
    if region.kind == Kind::Measurement {
        return;
    }
    for (load, figures) in loads.iter_mut().zip(&region.threads) {
        let part = Load::of(figures);
        load.cost += sign * part.cost;
        load.bytes += sign * part.bytes;
    }
}

fn candidates<'a>(
    score: &'a Score,
    options: ProposalOptions,
    keeps: &impl Fn(&Region) -> bool,
) -> Vec<Candidate<'a>> {
    let mut by_name: BTreeMap<&str, Vec<&Region>> = BTreeMap::new();
    for region in score.regions.iter().filter(|region| keeps(region)) {
        by_name.entry(&region.name).or_default().push(region);
    }
    let mut candidates: Vec<Candidate> = by_name
        .into_iter()
        .filter_map(|(name, regions)| {
            let total = |value: fn(&Region) -> f64| regions.iter().map(|r| value(r)).sum::<f64>();
            let calls = total(|region| region.total().calls as f64);
            let seconds_per_call =
                total(|region| region.total().inclusive_seconds) / calls.max(1.0);
            Some(Candidate {
                name,
                rank: rank(name, &regions, seconds_per_call, options.operations)?,
                seconds_per_call,
                cost: total(|region| region.total().cost_seconds),
                regions,
            })
        })
        .collect();
    candidates.sort_by(|a, b| {
        let by_rank = a.rank.cmp(&b.rank);
        by_rank.then(a.seconds_per_call.total_cmp(&b.seconds_per_call))
    });
    candidates
}

/// `None` if it must stay.
fn rank(name: &str, regions: &[&Region], seconds_per_call: f64, operations: bool) -> Option<Rank> {
    let all = |kind: Kind| regions.iter().all(|region| region.kind == kind);
    let short = seconds_per_call < SHORT_CALL;
    if regions.iter().all(|region| region.kind.is_of_program()) {
        // Regions named by the program are there because somebody wants to see them.
        let functions = regions.iter().all(|r| r.operation == Operation::Function);
        return match (functions && name != "main" && is_name(name), short) {
            (false, _) => None,
            (true, true) if all(Kind::User) => Some(Rank::ShortUser),
            (true, true) => Some(Rank::ShortCommunicating),
            (true, false) if all(Kind::User) => Some(Rank::LongUser),
            (true, false) => None,
        };
    }
    let dispensable = regions
        .iter()
        .all(|region| is_dispensable(region.operation));
    (operations && dispensable).then_some(Rank::Operation)
}

/// Whether a filter can name it: what nobody knows the name of, it cannot.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name != Operation::Function.name()
}

/// Operations that no wait state is found by.
fn is_dispensable(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Malloc
            | Operation::Realloc
            | Operation::MallocFree
            | Operation::Fence
            | Operation::Forall
            | Operation::Alloc
            | Operation::Free
            | Operation::Memcpy
            | Operation::Memget
            | Operation::Memput
            | Operation::Memset
            | Operation::Get
            | Operation::Put
            | Operation::NonBlockingGet
            | Operation::NonBlockingPut
            | Operation::NonBlockingSync
            | Operation::InputOutput
    )
}

impl Proposal {
    /// The filter file, in Score-P's format; `comment` is put at its beginning, line by line.
    pub fn filter_file(&self, comment: &str) -> String {
        let mut text = String::new();
        for line in comment.lines() {
            text += &format!("# {line}\n");
        }
        text += "SCOREP_REGION_NAMES_BEGIN\n";
        for name in &self.names {
            text += &format!("  EXCLUDE {}\n", escaped(name));
        }
        text += "SCOREP_REGION_NAMES_END\n";
        text
    }
}

/// A pattern that matches `name` and nothing else.
fn escaped(name: &str) -> String {
    let mut pattern = String::new();
    for c in name.chars() {
        if c.is_whitespace() || matches!(c, '*' | '?' | '[' | ']' | '\\' | '#') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}
