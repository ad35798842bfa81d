//! Call paths that are the same: below the same caller, a call of the same region in the same line,
//! or in the line that this one has become.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use pgas_cube::model::{CallPath, Cube};

use super::files::LineMap;
use super::functions::{by_name, is_function, moved_files};
use super::pairs::{Pairs, Partners};
use super::renames;
use super::sites::{Shift, Site, align};
use super::{Side, Tolerance};

/// Finds what of the earlier run is what of the later one. Renamed functions are found from the
/// call paths around them, and then bring more call paths with them.
pub(super) fn partners(
    before: Side<'_>,
    after: Side<'_>,
    tolerance: Tolerance,
    notes: &mut Vec<String>,
) -> Partners {
    if let Some(partners) = same_trees(before, after) {
        return partners;
    }
    let mut regions = by_name(before, after, tolerance, notes);
    loop {
        let mut ambiguous = Vec::new();
        let lines = Lines::of(before, after, &regions, tolerance, &mut ambiguous);
        let call_paths = descend(before.cube, after.cube, &regions, &lines);
        let partners = Partners {
            regions,
            call_paths,
        };
        let found = match tolerance {
            Tolerance::Exact => Vec::new(),
            Tolerance::Edited => renames::find(before, after, &partners, &mut ambiguous),
        };
        if found.is_empty() {
            notes.append(&mut ambiguous);
            if tolerance == Tolerance::Edited {
                note_without_partner(before.cube, after.cube, &partners, notes);
            }
            return partners;
        }
        regions = partners.regions;
        for rename in found {
            if regions.join(rename.before, rename.after) {
                notes.push(rename.note(before.cube, after.cube));
            }
        }
    }
}

/// If both trees are the same in every detail, and the text does not say that this is by accident.
fn same_trees(before: Side<'_>, after: Side<'_>) -> Option<Partners> {
    let texts_differ = matches!((before.sources, after.sources), (Some(b), Some(a)) if b != a);
    let (b, a) = (before.cube, after.cube);
    if texts_differ || b.regions != a.regions || b.call_paths != a.call_paths {
        return None;
    }
    let identity = |count: usize| {
        let mut pairs = Pairs::new(count, count);
        for index in 0..count {
            pairs.join(index, index);
        }
        pairs
    };
    Some(Partners {
        regions: identity(b.regions.len()),
        call_paths: identity(b.call_paths.len()),
    })
}

/// Where a call path's last step is named: by its line, unless that is only where the callee
/// begins.
fn call_line<'a>(cube: &'a Cube, path: &'a CallPath) -> Option<(&'a str, u32)> {
    let region = &cube.regions[path.region.0];
    let definition =
        is_function(region) && path.line == region.begin_line && path.file == region.module;
    (path.line > 0 && !definition).then_some((path.file.as_str(), path.line))
}

/// Calls by the region that they stand in and the file, each once however many call paths lead
/// there. A call path without a caller stands in none.
type Calls<'a> = BTreeMap<(Option<usize>, &'a str), BTreeSet<(u32, usize)>>;

fn calls(cube: &Cube) -> Calls<'_> {
    let mut calls = Calls::new();
    for path in &cube.call_paths {
        if let Some((file, line)) = call_line(cube, path) {
            let caller = path.parent.map(|parent| cube.call_paths[parent.0].region.0);
            let known = calls.entry((caller, file)).or_default();
            known.insert((line, path.region.0));
        }
    }
    calls
}

/// A call of the earlier side: the region that it stands in, its file and line, and the region that
/// is called.
type Call<'a> = (Option<usize>, &'a str, u32, usize);

/// Lines of the later side that the calls of the earlier side moved to.
struct Lines<'a> {
    /// File and line on the later side.
    partners: HashMap<Call<'a>, (&'a str, u32)>,
}

impl<'a> Lines<'a> {
    fn of(
        before: Side<'a>,
        after: Side<'a>,
        regions: &Pairs,
        tolerance: Tolerance,
        notes: &mut Vec<String>,
    ) -> Self {
        let files = moved_files(before.cube, after.cube, regions);
        let later = calls(after.cube);
        let mut maps: HashMap<(&str, &str), Option<LineMap>> = HashMap::new();
        let mut partners = HashMap::new();
        for ((caller, file), earlier_calls) in calls(before.cube) {
            let new_caller = caller.map(|caller| regions.after(caller));
            if new_caller == Some(None) {
                continue;
            }
            let new_caller = new_caller.flatten();
            let functions = caller.zip(new_caller).map(|(b, a)| {
                let (b, a) = (&before.cube.regions[b], &after.cube.regions[a]);
                (b, a)
            });
            let target = match functions {
                Some((b, a)) if b.module == file => a.module.as_str(),
                _ => files.get(file).copied().unwrap_or(file),
            };
            let Some(((_, target), later_calls)) = later.get_key_value(&(new_caller, target))
            else {
                continue;
            };
            let map = maps
                .entry((file, target))
                .or_insert_with(|| LineMap::of(before.sources, file, after.sources, target));
            let known = |line: u32| (line > 0).then_some(i64::from(line));
            let start =
                functions.and_then(|(b, a)| Some(known(a.begin_line)? - known(b.begin_line)?));
            let shift = Shift {
                start: start.unwrap_or(0),
                lines: map.as_ref(),
                exact: tolerance == Tolerance::Exact,
            };
            let with_partner = earlier_calls.iter().filter_map(|&(line, region)| {
                let region = regions.after(region)?;
                Some(Site { line, region })
            });
            let mut b: Vec<Site> = with_partner.collect();
            b.sort_unstable();
            let a: Vec<Site> = later_calls
                .iter()
                .map(|&(line, region)| Site { line, region })
                .collect();
            let alignment = align(&b, &a, shift);
            for (site, partner) in alignment.pairs {
                if let Some(callee) = regions.before(site.region) {
                    partners.insert((caller, file, site.line, callee), (*target, partner.line));
                }
            }
            if !alignment.ambiguous.is_empty() {
                let function = functions.map_or("the program", |(b, _)| b.name.as_str());
                let lines: BTreeSet<u32> = alignment.ambiguous.iter().map(|s| s.line).collect();
                let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
                notes.push(format!(
                    "calls in {function} that were in {file}:{} could be several of those that \
                     are there now, so that they are shown apart",
                    lines.join(", ")
                ));
            }
        }
        Lines { partners }
    }
}

/// From the roots down: what is called alike below partners are partners. Of several that cannot be
/// distinguished, the first is the first.
fn descend(before: &Cube, after: &Cube, regions: &Pairs, lines: &Lines<'_>) -> Pairs {
    type Key<'k> = (Option<usize>, usize, Option<(&'k str, u32)>);
    let mut later: HashMap<Key<'_>, VecDeque<usize>> = HashMap::new();
    for (index, path) in after.call_paths.iter().enumerate() {
        let parent = path.parent.map(|parent| parent.0);
        let key = (parent, path.region.0, call_line(after, path));
        later.entry(key).or_default().push_back(index);
    }
    let mut pairs = Pairs::new(before.call_paths.len(), after.call_paths.len());
    for (index, path) in before.call_paths.iter().enumerate() {
        let parent = match path.parent {
            None => None,
            Some(parent) => match pairs.after(parent.0) {
                Some(parent) => Some(parent),
                None => continue,
            },
        };
        let Some(region) = regions.after(path.region.0) else {
            continue;
        };
        let place = match call_line(before, path) {
            None => None,
            Some((file, line)) => {
                let caller = path
                    .parent
                    .map(|parent| before.call_paths[parent.0].region.0);
                match lines.partners.get(&(caller, file, line, path.region.0)) {
                    Some(&place) => Some(place),
                    None => continue,
                }
            }
        };
        let candidates = later.get_mut(&(parent, region, place));
        if let Some(partner) = candidates.and_then(VecDeque::pop_front) {
            pairs.join(index, partner);
        }
    }
    pairs
}

/// Functions that only one run has are worth a note; single calls are seen in the comparison.
fn note_without_partner(before: &Cube, after: &Cube, partners: &Partners, notes: &mut Vec<String>) {
    let names = |cube: &Cube, free: Vec<usize>| -> Vec<String> {
        let functions = free.into_iter().map(|index| &cube.regions[index]);
        let functions = functions.filter(|region| is_function(region));
        functions
            .map(|region| format!("{} ({})", region.name, region.module))
            .collect()
    };
    let gone = names(before, partners.regions.free_before().collect());
    let new = names(after, partners.regions.free_after().collect());
    for (names, what) in [(gone, "only before"), (new, "only after")] {
        const SHOWN: usize = 8;
        if names.is_empty() {
            continue;
        }
        let more = match names.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let shown = names[..names.len().min(SHOWN)].join(", ");
        notes.push(format!("functions {what}: {shown}{more}"));
    }
}
