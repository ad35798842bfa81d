//! Findings on single accesses: small ones that a block transfer would replace, the thread's own
//! data behind a pointer-to-shared, data that lies with another thread than the one that uses it.

use std::collections::BTreeMap;

use pgas_earl::PathId;
use pgas_result::accesses::{
    Accesses, BlockTransfer, CostSource, FineGrained, LayoutUse, Misplaced, OwnAffinity, WrongSide,
};
use pgas_result::summary::{Finding, FindingKind};
use pgas_trace::model::{Operation, Site};

use super::Evidence;
use crate::conclude::means::Means;
use crate::model::wording;
use crate::threads::one_sided::direction;
use crate::threads::one_sided::traffic::Direction;

/// Share of an access's time from which on that of recording it is mentioned.
const MUCH_RECORDING: f64 = 0.1;
/// Pairs of threads up to which each is named.
const NAMED: usize = 3;

/// Findings by call path: those of one path concern different seconds.
pub(super) fn findings(evidence: &Evidence, accesses: &Accesses) -> BTreeMap<PathId, Vec<Finding>> {
    let mut paths = vec![PathId::PROGRAM; evidence.places.len()];
    for (number, place) in evidence.places.iter().enumerate() {
        paths[place.0] = PathId(number as u32);
    }
    let mut findings: BTreeMap<PathId, Vec<Finding>> = BTreeMap::new();
    for runs in &accesses.fine_grained {
        let path = paths[runs.call_path];
        let finding = fine_grained(evidence, path, runs);
        findings.entry(path).or_default().extend(finding);
    }
    for data in &accesses.wrong_side {
        let path = paths[data.call_path];
        let of_path = findings.entry(path).or_default();
        match of_path.first_mut() {
            // The same accesses: another thing that would help.
            Some(runs) => {
                let (who, advice) = wrong_side_words(evidence, path, data);
                runs.cause = format!("{} {who}.", runs.cause);
                runs.advice = format!("{} Or: {advice}", runs.advice);
            }
            None => of_path.extend(wrong_side(evidence, path, data)),
        }
    }
    for layout in &accesses.layout {
        let path = paths[layout.call_path];
        let of_path = findings.entry(path).or_default();
        let (cause, advice) = layout_words(layout.used);
        let spent: f64 = layout.threads.iter().map(|thread| thread.seconds).sum();
        let shares = layout.threads.iter().map(|t| (t.thread, t.seconds));
        let (thread, longest) = most(shares);
        let mut finding = evidence.finding("one_sided", path, ticks(evidence, spent));
        finding.kind = FindingKind::WrongSide;
        finding.saves_seconds = Some(longest);
        finding.culprit_thread = Some(thread);
        (finding.cause, finding.advice) = (cause.into(), advice.into());
        // With another layout there is nothing left to transfer or to shift.
        *of_path = vec![finding];
    }
    for own in &accesses.own_affinity {
        let path = paths[own.call_path];
        let finding = own_affinity(evidence, path, own);
        findings.entry(path).or_default().extend(finding);
    }
    findings
}

/// Seconds as ticks, which findings are made from.
pub(super) fn ticks(evidence: &Evidence, seconds: f64) -> f64 {
    seconds / evidence.times.per_tick
}

/// The longest of some threads' savings, and the thread that it is of: the run cannot become
/// shorter by more.
pub(super) fn most(savings: impl Iterator<Item = (u32, f64)>) -> (u32, f64) {
    let longest = savings.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    longest.unwrap_or((0, 0.0))
}

fn fine_grained(evidence: &Evidence, path: PathId, found: &FineGrained) -> Option<Finding> {
    let site = evidence.paths().site(path)?;
    let gets = direction(site.operation) == Direction::Get;
    let (mut runs, mut accesses, mut bytes) = (0u64, 0u64, 0u64);
    let (mut spent, mut saved) = (0.0, 0.0);
    for thread in &found.threads {
        runs += thread.runs;
        accesses += thread.accesses;
        bytes = bytes.saturating_add(thread.bytes);
        spent += thread.seconds;
        saved += thread.saves_seconds;
    }
    if !evidence.is_notable(ticks(evidence, saved)) {
        return None;
    }
    let (thread, longest) = most(found.threads.iter().map(|t| (t.thread, t.saves_seconds)));
    let mut finding = evidence.finding("one_sided", path, ticks(evidence, spent));
    finding.kind = FindingKind::FineGrained;
    finding.saves_seconds = Some(longest);
    finding.culprit_thread = Some(thread);
    let how = match (found.assumed, found.stride) {
        (true, _) => "to data of one thread that nothing interrupts".to_owned(),
        (_, Some(stride)) => format!(
            "through data of one thread, {} apart",
            wording::bytes(stride as f64)
        ),
        _ => "through data of one thread that lies side by side".to_owned(),
    };
    finding.cause = format!(
        "{accesses} {} of {} each form {} {how} ({:.0} in a run on average, {} at most), and take \
         {} each.",
        if gets { "reads" } else { "writes" },
        wording::bytes(bytes as f64 / accesses.max(1) as f64),
        counted(runs, "run"),
        accesses as f64 / runs.max(1) as f64,
        found.longest,
        wording::seconds(spent / accesses.max(1) as f64),
    );
    finding.cause += &recording_part(evidence, spent / accesses.max(1) as f64);
    if found.assumed {
        finding.cause +=
            " That it lies side by side is assumed; `pgastool run --addresses` would show it.";
    }
    if evidence.is_throttled(path) {
        finding.cause +=
            " The calls were throttled, so runs are seen up to there, and may be longer.";
    }
    finding.cause += &evidence.far_part(std::iter::once(path));
    let loop_place = loop_place(evidence, path, site);
    let is_repeated = evidence.sampled.use_at(site).is_repeated();
    if is_repeated {
        finding.cause += " They go to the same elements again and again.";
    }
    let means = evidence.means(path);
    finding.advice = match gets {
        true => fetch_runs(means, &loop_place, found.stride.is_some(), is_repeated),
        false => send_runs(means, &loop_place, found.stride.is_some()),
    };
    finding.advice += &format!(
        " Of {} in these accesses, {} would be saved at most: {}.",
        wording::seconds(spent),
        wording::seconds(saved),
        block_cost(&found.block)
    );
    Some(finding)
}

/// Advice on reads that form runs, in a loop at `loop_place`.
fn fetch_runs(means: &Means, loop_place: &str, is_strided: bool, is_repeated: bool) -> String {
    let Means { get, private, .. } = means;
    match (is_strided, means.strided_get) {
        (false, _) if is_repeated => format!(
            "Fetch what lies with one thread with {get} into {private}, once after each \
             synchronization, and read it there."
        ),
        (false, _) => format!(
            "Fetch each run with {get} into {private} before {loop_place}, and read it there."
        ),
        (true, None) => format!(
            "Fetch the range of each run, gaps included, with {get} before {loop_place}; or let \
             the owner put what is needed side by side first."
        ),
        (true, Some(strided)) => format!(
            "Fetch each run with {strided} before {loop_place}; or let the owner put what is \
             needed side by side first."
        ),
    }
}

/// The same on writes.
fn send_runs(means: &Means, loop_place: &str, is_strided: bool) -> String {
    let Means { put, private, .. } = means;
    match is_strided {
        false => {
            format!("Collect each run in {private} and send it with {put} after {loop_place}.")
        }
        true => format!(
            "Collect each run in {private}, send it with {put} after {loop_place}, and let the \
             owner distribute it; or lay the data out so that the run has no gaps."
        ),
    }
}

/// Text on the assumed cost of a block transfer and the source of that figure.
fn block_cost(block: &BlockTransfer) -> String {
    let rate = match block.bytes_per_second {
        Some(rate) => format!("{}/s", wording::bytes(rate)),
        None => "no time for bytes".to_owned(),
    };
    let latency = wording::seconds(block.latency_seconds);
    match block.source {
        CostSource::Machine => {
            format!(
                "on this machine a block transfer of about this size takes {latency} and then {rate}"
            )
        }
        CostSource::Fitted => {
            format!("this run's own block transfers take {latency} and then {rate}")
        }
        CostSource::Rate => format!(
            "a block transfer is taken to need {latency}, as the fastest of these accesses, and \
             then {rate}, as this run's own block transfers do"
        ),
        CostSource::Assumed => format!(
            "a block transfer is taken to need {latency}, as the fastest of these accesses, and \
             then {rate}"
        ),
    }
}

/// Text on the part of recording in the time of an access of `each` seconds, if it is large.
/// Without recording, the saving is smaller.
fn recording_part(evidence: &Evidence, each: f64) -> String {
    let events = evidence.costs.iter().flatten().map(|cost| cost.event);
    let event = events.max().unwrap_or(0) as f64 * 1e-12;
    match event >= MUCH_RECORDING * each {
        true => format!(
            " Up to {} of that is recording, and not there without it.",
            wording::seconds(event.min(each))
        ),
        false => String::new(),
    }
}

fn own_affinity(evidence: &Evidence, path: PathId, own: &OwnAffinity) -> Option<Finding> {
    let site = evidence.paths().site(path)?;
    let (mut accesses, mut spent, mut saved) = (0u64, 0.0, 0.0);
    for thread in &own.threads {
        accesses += thread.accesses;
        spent += thread.seconds;
        saved += thread.saves_seconds;
    }
    if !evidence.is_notable(ticks(evidence, saved)) {
        return None;
    }
    let (thread, longest) = most(own.threads.iter().map(|t| (t.thread, t.saves_seconds)));
    let mut finding = evidence.finding("one_sided", path, ticks(evidence, spent));
    finding.kind = FindingKind::OwnAffinity;
    finding.saves_seconds = Some(longest);
    finding.culprit_thread = Some(thread);
    let threads = counted(own.threads.len() as u64, "thread");
    finding.cause = format!(
        "{accesses} accesses here are to data with affinity to the accessing thread itself \
         ({threads}), and take {} each.",
        wording::seconds(spent / accesses.max(1) as f64)
    );
    finding.cause += &recording_part(evidence, spent / accesses.max(1) as f64);
    let loop_place = loop_place(evidence, path, site);
    let single = matches!(
        site.operation,
        Operation::Get | Operation::Put | Operation::NonBlockingGet | Operation::NonBlockingPut
    );
    finding.advice = match single {
        true => format!(
            "{}: all but 1 ns of each access would be saved at most, {} together.",
            evidence
                .means(path)
                .own_single
                .replace("{loop}", &loop_place),
            wording::seconds(saved)
        ),
        false => format!(
            "{}: {} would be saved at most.",
            evidence.means(path).own_block,
            wording::seconds(saved)
        ),
    };
    Some(finding)
}

fn wrong_side(evidence: &Evidence, path: PathId, found: &WrongSide) -> Option<Finding> {
    let spent: f64 = found.data.iter().map(|data| data.seconds).sum();
    if !evidence.is_notable(ticks(evidence, spent)) {
        return None;
    }
    let mut by_thread: BTreeMap<u32, f64> = BTreeMap::new();
    for data in &found.data {
        *by_thread.entry(data.thread).or_default() += data.seconds;
    }
    let (thread, longest) = most(by_thread.into_iter());
    let mut finding = evidence.finding("one_sided", path, ticks(evidence, spent));
    finding.kind = FindingKind::WrongSide;
    finding.saves_seconds = Some(longest);
    finding.culprit_thread = Some(thread);
    let (who, advice) = wrong_side_words(evidence, path, found);
    let accesses: u64 = found.data.iter().map(|data| data.accesses).sum();
    let bytes: f64 = found.data.iter().map(|data| data.bytes as f64).sum();
    let weighted = |data: &Misplaced| data.percent / 100.0 * data.bytes as f64;
    let share: f64 = found.data.iter().map(weighted).sum::<f64>() / bytes.max(1.0);
    let known = match found.own_recorded {
        true => "what its owner does included",
        false => "not counting what its owner does, which was not recorded",
    };
    finding.cause = format!(
        "{who}: {accesses} accesses, {} of all bytes moved there ({known}).",
        wording::percent(share)
    );
    finding.advice = advice;
    Some(finding)
}

/// Cause and advice.
fn layout_words(used: LayoutUse) -> (&'static str, &'static str) {
    match used {
        LayoutUse::InTurn => (
            "Each thread uses every THREADS-th element of an array of which each thread owns a \
             whole piece.",
            "Declare the array with block size 1, or let each thread do the piece that it owns.",
        ),
        LayoutUse::InPieces => (
            "Each thread uses a piece of an array whose elements belong to the threads in turn.",
            "Declare the array with one block for each thread ([*], or the size of such a piece), \
             or let each thread do every THREADS-th element, those that it owns.",
        ),
    }
}

/// Text on the threads that use the data and those that own it, and advice.
fn wrong_side_words(evidence: &Evidence, path: PathId, found: &WrongSide) -> (String, String) {
    let threads = evidence.found.threads.len() as u32;
    let users: Vec<u32> = found.data.iter().map(|data| data.thread).collect();
    let only_user = users
        .first()
        .filter(|&&first| users.iter().all(|&user| user == first));
    let (who, advice) = if let Some(shift) = found.shift {
        let whose = match (threads, shift > threads / 2) {
            (2, _) => "the other one".to_owned(),
            (_, true) => format!("the thread before it (number - {})", threads - shift),
            (_, false) => format!("the thread after it (number + {shift})"),
        };
        (
            format!(
                "{} each use the data of {whose}",
                counted(found.data.len() as u64, "thread")
            ),
            match found.own_recorded {
                true => {
                    "Shift the index by as many blocks, in the loop or in the layout, so that each \
                     thread uses its own."
                }
                false => {
                    "Shift the index by as many blocks, in the loop or in the layout, so that each \
                     thread uses its own; `pgastool compile --inst-local` shows whether the owners \
                     use it, too."
                }
            }
            .to_owned(),
        )
    } else if let (Some(user), 2..) = (only_user, found.data.len()) {
        let site = evidence.paths().site(path);
        let place = site.map_or_else(String::new, |site| loop_place(evidence, path, site));
        (
            format!(
                "Thread {user} alone uses the data of {} others",
                found.data.len()
            ),
            format!(
                "Let each thread do its own part of {place} (upc_forall with the affinity of the \
                 data), or give the data to thread {user}."
            ),
        )
    } else {
        let pairs = found.data.iter().take(NAMED);
        let pairs: Vec<String> = pairs
            .map(|data| format!("thread {} that of thread {}", data.thread, data.owner))
            .collect();
        let more = match found.data.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        (
            format!(
                "Data is used by another thread than its owner: {}{more}",
                pairs.join(", ")
            ),
            "Give the data to the thread that uses it: another block size, or a shift of the \
             index."
                .to_owned(),
        )
    };
    (who, advice)
}

/// "the upc_forall at a.upc:7", or "the loop around line 9 in f".
fn loop_place(evidence: &Evidence, path: PathId, site: &Site) -> String {
    let paths = evidence.paths();
    let mut around = paths.node(path).parent;
    while let Some(outer) = paths.site(around) {
        match outer.operation {
            Operation::Forall => return format!("the upc_forall at {}", wording::line(outer)),
            operation if operation.is_user() => break,
            _ => around = paths.node(around).parent,
        }
    }
    let function = paths.function(path);
    let inside = function.map_or_else(String::new, |f| format!(" in {}", f.region_name()));
    match site.line {
        0 => format!("the loop{inside}"),
        line => format!("the loop around line {line}{inside}"),
    }
}

/// "1 run", "12 runs".
fn counted(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
