//! Functions that got another name: the old name is gone, a new one has appeared where the old one
//! was called, and what it does looks alike. A score from 0 to 1 says how much.

use std::collections::{BTreeMap, BTreeSet};

use similar::TextDiff;

use pgas_cube::model::{CallPathId, Cube, MetricId, RegionId};

use super::Side;
use super::files::LineMap;
use super::functions::is_function;
use super::pairs::Partners;

/// From this score on, two functions are taken for the same.
const THRESHOLD: f64 = 0.75;
/// By so much a score must be above that with any other partner.
const MARGIN: f64 = 0.1;
/// Beyond that many functions on either side, a program is not an edited one but another one.
const MOST_FUNCTIONS: usize = 500;

/// A function and its new name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rename {
    /// Region of the earlier side.
    pub before: usize,
    /// Region of the later side.
    pub after: usize,
    pub score: f64,
}

impl Rename {
    pub fn note(&self, before: &Cube, after: &Cube) -> String {
        let (b, a) = (&before.regions[self.before], &after.regions[self.after]);
        let place = match b.module == a.module {
            true => a.module.clone(),
            false => format!("{}, then {}", b.module, a.module),
        };
        format!(
            "{} is taken for {} under its new name ({place}; likeness {:.2} of 1)",
            a.name, b.name, self.score
        )
    }
}

/// Functions that can be recognised as renamed now; more may follow from them. Functions that fit
/// in several ways are noted.
pub(super) fn find(
    before: Side<'_>,
    after: Side<'_>,
    partners: &Partners,
    notes: &mut Vec<String>,
) -> Vec<Rename> {
    let names = |cube: &Cube| -> BTreeSet<String> {
        let functions = cube.regions.iter().filter(|region| is_function(region));
        functions.map(|region| region.name.clone()).collect()
    };
    let (earlier_names, later_names) = (names(before.cube), names(after.cube));
    let free = |cube: &Cube, free: Vec<usize>, others: &BTreeSet<String>| -> Vec<usize> {
        let candidate = |&index: &usize| {
            is_function(&cube.regions[index]) && !others.contains(&cube.regions[index].name)
        };
        free.into_iter().filter(candidate).collect()
    };
    let gone: Vec<usize> = partners.regions.free_before().collect();
    let gone = free(before.cube, gone, &later_names);
    let new: Vec<usize> = partners.regions.free_after().collect();
    let new = free(after.cube, new, &earlier_names);
    if gone.is_empty() || new.is_empty() || gone.len().max(new.len()) > MOST_FUNCTIONS {
        return Vec::new();
    }
    let translate = |path: usize| partners.call_paths.after(path);
    let earlier = portraits(before.cube, &gone, translate, |region| {
        partners.regions.after(region)
    });
    let later = portraits(after.cube, &new, Some, |region| {
        partners.regions.before(region).map(|_| region)
    });
    let mut maps: BTreeMap<(&str, &str), Option<LineMap>> = BTreeMap::new();
    let mut scores: Vec<Rename> = Vec::new();
    for (b, portrait) in &earlier {
        for (a, other) in &later {
            let (from, to) = (&before.cube.regions[*b], &after.cube.regions[*a]);
            let map = maps.entry((&from.module, &to.module)).or_insert_with(|| {
                LineMap::of(before.sources, &from.module, after.sources, &to.module)
            });
            let place = match map {
                Some(map) => f64::from(u8::from(map.allows(from.begin_line, to.begin_line))),
                None => f64::from(u8::from(from.module == to.module)),
            };
            let name = TextDiff::from_chars(from.name.as_str(), to.name.as_str()).ratio();
            if let Some(score) = portrait.likeness(other, f64::from(name), place) {
                scores.push(Rename {
                    before: *b,
                    after: *a,
                    score,
                });
            }
        }
    }
    let (clear, doubtful): (Vec<Rename>, Vec<Rename>) = scores
        .iter()
        .filter(|rename| rename.score >= THRESHOLD)
        .partition(|rename| {
            let rivals = scores
                .iter()
                .filter(|other| (other.before == rename.before) != (other.after == rename.after));
            rivals
                .map(|other| other.score)
                .all(|score| score <= rename.score - MARGIN)
        });
    let settled = |rename: &&Rename| {
        let same = |other: &&Rename| other.before == rename.before || other.after == rename.after;
        clear.iter().find(same).is_none()
    };
    let mut candidates: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for rename in doubtful.iter().filter(settled) {
        candidates
            .entry(rename.before)
            .or_default()
            .insert(rename.after);
    }
    for (b, a) in candidates {
        let names: Vec<&str> = a
            .iter()
            .map(|&index| after.cube.regions[index].name.as_str())
            .collect();
        notes.push(format!(
            "{} may be called {} now; since that is not clear, they are shown apart",
            before.cube.regions[b].name,
            names.join(" or ")
        ));
    }
    clear
}

/// Characteristics of a function apart from its name; regions and call paths by their numbers on
/// the later side.
#[derive(Debug, Default)]
struct Portrait {
    /// Call paths that it is called from, where they have a partner.
    callers: BTreeSet<usize>,
    /// How many call sites of which region it has; those without a partner are all alike.
    callees: BTreeMap<Option<usize>, usize>,
    /// Mean over threads, if visits are counted.
    visits: Option<f64>,
    /// Exclusive, mean over threads.
    seconds: f64,
}

fn portraits(
    cube: &Cube,
    functions: &[usize],
    path: impl Fn(usize) -> Option<usize>,
    region: impl Fn(usize) -> Option<usize>,
) -> BTreeMap<usize, Portrait> {
    let mut portraits: BTreeMap<usize, Portrait> = BTreeMap::new();
    for &function in functions {
        portraits.insert(function, Portrait::default());
    }
    let mut sites = BTreeSet::new();
    let mean = |metric: Option<MetricId>, index: usize| {
        let row = metric.and_then(|metric| cube.row(metric, CallPathId(index)));
        let threads = cube.threads.len().max(1) as f64;
        row.map_or(0.0, |values| values.iter().sum::<f64>() / threads)
    };
    let (visits, time) = (cube.metric("visits"), cube.metric("time"));
    for (index, node) in cube.call_paths.iter().enumerate() {
        let RegionId(callee) = node.region;
        if let Some(portrait) = portraits.get_mut(&callee) {
            portrait.callers.extend(node.parent.and_then(|p| path(p.0)));
            portrait.seconds += mean(time, index);
            if visits.is_some() {
                let sum = portrait.visits.get_or_insert(0.0);
                *sum += mean(visits, index);
            }
        }
        let caller = node.parent.map(|parent| cube.call_paths[parent.0].region.0);
        if let Some(portrait) = caller.and_then(|caller| portraits.get_mut(&caller)) {
            if sites.insert((caller, callee, &node.file, node.line)) {
                // A function that calls itself does so under either name.
                let callee = (Some(callee) != caller).then(|| region(callee));
                *portrait.callees.entry(callee.flatten()).or_default() += 1;
            }
        }
    }
    portraits
}

impl Portrait {
    /// 0 to 1: a weighted mean of how alike they are in who calls them, what they call, how often
    /// they are called, how long they take (which says least, since that is what changes),
    /// their names, and their places in the source. `None` if nothing that calls the one calls the
    /// other.
    fn likeness(&self, other: &Portrait, name: f64, place: f64) -> Option<f64> {
        let shared = self.callers.intersection(&other.callers).count();
        if shared == 0 {
            return None;
        }
        let callers = shared as f64 / self.callers.union(&other.callers).count() as f64;
        let mut parts = vec![
            (0.2, callers),
            (0.05, ratio(self.seconds, other.seconds)),
            (0.15, name),
            (0.15, place),
        ];
        if let (Some(a), Some(b)) = (self.visits, other.visits) {
            parts.push((0.2, ratio(a, b)));
        }
        if !self.callees.is_empty() || !other.callees.is_empty() {
            let count = |portrait: &Portrait, callee: &Option<usize>| {
                portrait.callees.get(callee).copied().unwrap_or(0)
            };
            let all: BTreeSet<_> = self.callees.keys().chain(other.callees.keys()).collect();
            let of_both = |pick: fn(usize, usize) -> usize| {
                let counts = all.iter().map(|c| pick(count(self, c), count(other, c)));
                counts.sum::<usize>() as f64
            };
            parts.push((0.3, of_both(usize::min) / of_both(usize::max)));
        }
        let weights: f64 = parts.iter().map(|(weight, _)| weight).sum();
        Some(
            parts
                .iter()
                .map(|(weight, part)| weight * part)
                .sum::<f64>()
                / weights,
        )
    }
}

/// The smaller by the larger; two that are nothing are alike.
fn ratio(a: f64, b: f64) -> f64 {
    let (small, large) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
    if large > 0.0 { small / large } else { 1.0 }
}
