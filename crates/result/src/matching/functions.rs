//! Regions that are the same by their names: in the same file, shifted within it, or moved with it
//! or out of it.

use std::collections::BTreeMap;

use pgas_cube::model::{Cube, Region};

use super::files::{LineMap, base_name};
use super::pairs::Pairs;
use super::{Side, Tolerance};

/// Something that the program's source defines, and not an operation of a library.
pub(super) fn is_function(region: &Region) -> bool {
    region.begin_line > 0 && !region.module.is_empty()
}

/// Regions that are the same by their names.
pub(super) fn by_name(
    before: Side<'_>,
    after: Side<'_>,
    tolerance: Tolerance,
    notes: &mut Vec<String>,
) -> Pairs {
    let (earlier, later) = (&before.cube.regions, &after.cube.regions);
    let mut pairs = Pairs::new(earlier.len(), later.len());
    // The same place and name.
    let key = |region: &Region| (region.name.clone(), region.module.clone());
    for (b, a) in groups(earlier, later, &pairs, key) {
        if tolerance == Tolerance::Exact {
            pair_same_lines(earlier, later, &b, &a, &mut pairs);
        } else {
            pair_shifted(before, after, &b, &a, &mut pairs);
        }
    }
    if tolerance == Tolerance::Exact {
        return pairs;
    }
    pair_programs(before.cube, after.cube, &mut pairs, notes);
    // A file of the same name in another directory, then any other file.
    let key = |region: &Region| {
        let file = base_name(&region.module).to_owned();
        is_function(region).then(|| (region.name.clone(), file))
    };
    pair_moved(before, after, key, &mut pairs, notes);
    let key = |region: &Region| is_function(region).then(|| region.name.clone());
    pair_moved(before, after, key, &mut pairs, notes);
    pairs
}

/// Regions of both sides that are still free, by key, with their numbers in the order of lines.
fn groups<K: Ord>(
    before: &[Region],
    after: &[Region],
    pairs: &Pairs,
    key: impl Fn(&Region) -> K,
) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut groups: BTreeMap<K, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for index in pairs.free_before() {
        groups.entry(key(&before[index])).or_default().0.push(index);
    }
    for index in pairs.free_after() {
        groups.entry(key(&after[index])).or_default().1.push(index);
    }
    let groups = groups.into_values().map(|(mut b, mut a)| {
        b.sort_by_key(|&index| before[index].begin_line);
        a.sort_by_key(|&index| after[index].begin_line);
        (b, a)
    });
    groups
        .filter(|(b, a)| !b.is_empty() && !a.is_empty())
        .collect()
}

/// Pairs what begins in the same line; of several that do, the first with the first.
fn pair_same_lines(
    before: &[Region],
    after: &[Region],
    b: &[usize],
    a: &[usize],
    pairs: &mut Pairs,
) {
    for &b in b {
        let same = a
            .iter()
            .find(|&&a| before[b].begin_line == after[a].begin_line && pairs.before(a).is_none());
        if let Some(&a) = same {
            pairs.join(b, a);
        }
    }
}

/// Regions of one name in one file: mostly one on each side. Static functions of included files, or
/// of alternatives that the preprocessor chooses from, make it several, whose order stays.
fn pair_shifted(before: Side<'_>, after: Side<'_>, b: &[usize], a: &[usize], pairs: &mut Pairs) {
    let (earlier, later) = (&before.cube.regions, &after.cube.regions);
    if b.len() == a.len() {
        for (&b, &a) in b.iter().zip(a) {
            pairs.join(b, a);
        }
        return;
    }
    let module = &earlier[b[0]].module;
    let map = LineMap::of(before.sources, module, after.sources, module);
    let Some(map) = map else {
        return pair_same_lines(earlier, later, b, a, pairs);
    };
    let allowed = |b: usize, a: usize| map.allows(earlier[b].begin_line, later[a].begin_line);
    for &region in b {
        let mut possible = a.iter().filter(|&&a| allowed(region, a));
        if let (Some(&only), None) = (possible.next(), possible.next()) {
            if b.iter().filter(|&&b| allowed(b, only)).count() == 1 {
                pairs.join(region, only);
            }
        }
    }
}

/// The root of a call tree bears the program's name, which may be another one without meaning
/// anything.
fn pair_programs(before: &Cube, after: &Cube, pairs: &mut Pairs, notes: &mut Vec<String>) {
    let only_root = |cube: &Cube| {
        let mut roots = cube.call_paths.iter().filter(|path| path.parent.is_none());
        let region = roots.next()?.region.0;
        (roots.next().is_none() && !is_function(&cube.regions[region])).then_some(region)
    };
    if let (Some(b), Some(a)) = (only_root(before), only_root(after)) {
        if pairs.join(b, a) {
            notes.push(format!(
                "the program is called {:?} before and {:?} after",
                before.regions[b].name, after.regions[a].name
            ));
        }
    }
}

/// Pairs free functions that are the only ones of their key on both sides.
fn pair_moved<K: Ord>(
    before: Side<'_>,
    after: Side<'_>,
    key: impl Fn(&Region) -> Option<K>,
    pairs: &mut Pairs,
    notes: &mut Vec<String>,
) {
    let (earlier, later) = (&before.cube.regions, &after.cube.regions);
    let mut moved: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for (b, a) in groups(earlier, later, pairs, |region| key(region)) {
        let (&[b], &[a]) = (b.as_slice(), a.as_slice()) else {
            continue;
        };
        if key(&earlier[b]).is_some() && pairs.join(b, a) {
            moved
                .entry((&earlier[b].module, &later[a].module))
                .or_default()
                .push(&earlier[b].name);
        }
    }
    for ((from, to), names) in moved {
        notes.push(match names.as_slice() {
            [name] => format!("{name} moved from {from} to {to}"),
            names => format!("{} functions moved from {from} to {to}", names.len()),
        });
    }
}

/// For each file of the earlier side, that which most of its functions are in now.
pub(super) fn moved_files<'a>(
    before: &'a Cube,
    after: &'a Cube,
    pairs: &Pairs,
) -> BTreeMap<&'a str, &'a str> {
    let mut votes: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (b, a) in pairs.joined() {
        let (b, a) = (&before.regions[b], &after.regions[a]);
        if is_function(b) && is_function(a) {
            let of_file = votes.entry(&b.module).or_default();
            *of_file.entry(&a.module).or_default() += 1;
        }
    }
    let most = |of_file: BTreeMap<&'a str, usize>| {
        let most = of_file.into_iter().max_by_key(|&(_, count)| count);
        most.map(|(file, _)| file)
    };
    let files = votes.into_iter();
    files
        .filter_map(|(file, of_file)| Some((file, most(of_file)?)))
        .collect()
}
