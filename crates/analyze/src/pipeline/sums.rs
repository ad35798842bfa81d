//! Adds up the blocks of sums of one thread: calls, bytes, estimated time and counters of each call
//! path, for each of the three relations that sums can have to the events. Call paths get the same
//! names as a walker gives to those of events, so that both parts of a recording meet in one call
//! tree.

use pgas_earl::{CallTree, Error, PathId, PathNode, SiteTable, SourceSite, Span};
use pgas_trace::model::{CallSums, Operation, Profile, ProfileScope, Site, ThreadId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::model::time_class::{Bytes, Class};
use crate::threads::one_sided::traffic::Totals;

/// Sums of one call path (and partner) over all blocks.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    scope: ProfileScope,
    path: PathId,
    partner: Option<ThreadId>,
    calls: u64,
    timed_calls: u64,
    ticks: u64,
    bytes: u64,
    /// By number of the counter; shorter where the last ones counted nothing.
    counters: Vec<u64>,
}

/// The blocks of sums of one thread, added up.
#[derive(Debug)]
pub struct ThreadSums {
    thread: ThreadId,
    sites: SiteTable,
    tree: CallTree,
    entries: Vec<Entry>,
    numbers: FxHashMap<(ProfileScope, PathId, Option<ThreadId>), usize>,
    counters: Vec<String>,
    unplaced: u64,
    beyond: Option<Span>,
}

/// [`ThreadSums`] to be sent to another process, without what only serves to find something in
/// them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct PlainSums {
    sites: Vec<Site>,
    nodes: Vec<PathNode>,
    entries: Vec<Entry>,
    counters: Vec<String>,
    unplaced: u64,
    beyond: Option<Span>,
}

/// Figures of one call path of one thread from sums alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathSums {
    /// Number of calls.
    pub calls: u64,
    /// Of these, those that were timed.
    pub timed_calls: u64,
    /// Of these, calls of a function that the program counted by itself: their time is in their
    /// caller's.
    pub counted_calls: u64,
    /// Estimated ticks of the other calls, with what they called.
    pub ticks: u64,
    /// Bytes that one-sided calls moved.
    pub bytes: Bytes,
    /// By number of the counter, with what was called inside; shorter where the last ones counted
    /// nothing.
    pub counters: Vec<u64>,
}

impl PathSums {
    /// Nothing was called here that is new: the path only leads to others.
    pub fn is_way(&self) -> bool {
        self.calls == 0 && self.ticks == 0
    }

    fn add(&mut self, other: &PathSums) {
        self.calls = self.calls.saturating_add(other.calls);
        self.timed_calls = self.timed_calls.saturating_add(other.timed_calls);
        self.counted_calls = self.counted_calls.saturating_add(other.counted_calls);
        self.ticks = self.ticks.saturating_add(other.ticks);
        self.bytes.add(&other.bytes);
        add_counters(&mut self.counters, &other.counters);
    }
}

/// Call paths with their sums, in an order in which callers come before those whom they call.
pub type SumsByPath = Vec<(PathId, PathSums)>;

impl ThreadSums {
    /// Sums of `thread`, before any block of them was read.
    pub fn new(thread: ThreadId) -> Self {
        ThreadSums {
            thread,
            sites: SiteTable::default(),
            tree: CallTree::default(),
            entries: Vec::new(),
            numbers: FxHashMap::default(),
            counters: Vec::new(),
            unplaced: 0,
            beyond: None,
        }
    }

    pub(crate) fn into_plain(self) -> PlainSums {
        let sites = (0..self.sites.len() as u32).map(SourceSite);
        PlainSums {
            sites: sites.map(|site| self.sites.site(site).clone()).collect(),
            nodes: self.tree.nodes().to_vec(),
            entries: self.entries,
            counters: self.counters,
            unplaced: self.unplaced,
            beyond: self.beyond,
        }
    }

    /// `None` if it contradicts itself.
    pub(crate) fn from_plain(thread: ThreadId, plain: PlainSums) -> Option<Self> {
        let mut sums = ThreadSums::new(thread);
        for site in &plain.sites {
            sums.sites.intern(site);
        }
        for (number, node) in plain.nodes.iter().enumerate().skip(1) {
            let site = node
                .site
                .filter(|site| (site.0 as usize) < sums.sites.len())?;
            if node.parent.index() >= number || sums.tree.child(node.parent, site).index() != number
            {
                return None;
            }
        }
        let paths = sums.tree.len();
        for (number, entry) in plain.entries.iter().enumerate() {
            let is_known = entry.path.index() < paths;
            let key = (entry.scope, entry.path, entry.partner);
            if !is_known || sums.numbers.insert(key, number).is_some() {
                return None;
            }
        }
        sums.entries = plain.entries;
        sums.counters = plain.counters;
        sums.unplaced = plain.unplaced;
        sums.beyond = plain.beyond;
        Some(sums)
    }

    /// Adds one block; `sites` are those of its stream.
    ///
    /// # Errors
    /// [`Error::UnknownSite`].
    pub fn add(&mut self, profile: &Profile, sites: &[Site]) -> Result<(), Error> {
        self.unplaced = self.unplaced.saturating_add(profile.unplaced_calls);
        if profile.scope == ProfileScope::Beyond {
            let (begin, end) = (profile.first_time, profile.last_time);
            let end = end.max(begin);
            self.beyond = Some(match self.beyond {
                Some(span) => Span::new(span.begin.min(begin), span.end.max(end)),
                None => Span::new(begin, end),
            });
        }
        let counters: Vec<usize> = profile
            .counters
            .iter()
            .map(|name| number_of(&mut self.counters, name))
            .collect();
        let mut paths: Vec<PathId> = Vec::with_capacity(profile.entries.len());
        for (number, sums) in profile.entries.iter().enumerate() {
            let site = self
                .sites
                .resolve(sums.site, |id| sites.get(id.0 as usize))
                .ok_or(Error::UnknownSite {
                    thread: self.thread,
                    event: number as u64,
                    site: sums.site,
                })?;
            let caller = sums.parent.and_then(|caller| paths.get(caller as usize));
            let caller = caller.copied().unwrap_or(PathId::PROGRAM);
            let path = self.tree.child(caller, site);
            paths.push(path);
            self.add_entry(profile.scope, path, sums, &counters);
            if self.tree.node(path).parent != caller && profile.scope != ProfileScope::Within {
                self.take_from_callers(profile.scope, caller, path, sums, &counters);
            }
        }
        Ok(())
    }

    fn add_entry(
        &mut self,
        scope: ProfileScope,
        path: PathId,
        sums: &CallSums,
        counters: &[usize],
    ) {
        let key = (scope, path, sums.partner);
        let number = *self.numbers.entry(key).or_insert(self.entries.len());
        if number == self.entries.len() {
            self.entries.push(Entry {
                scope,
                path,
                partner: sums.partner,
                calls: 0,
                timed_calls: 0,
                ticks: 0,
                bytes: 0,
                counters: Vec::new(),
            });
        }
        let entry = &mut self.entries[number];
        entry.calls = entry.calls.saturating_add(sums.calls);
        entry.timed_calls = entry.timed_calls.saturating_add(sums.timed_calls);
        entry.ticks = entry.ticks.saturating_add(sums.ticks);
        entry.bytes = entry.bytes.saturating_add(sums.bytes);
        for (&counter, &value) in counters.iter().zip(&sums.counters) {
            if value == 0 {
                continue;
            }
            if counter >= entry.counters.len() {
                entry.counters.resize(counter + 1, 0);
            }
            entry.counters[counter] = entry.counters[counter].saturating_add(value);
        }
    }

    /// Subtracts time and counters of calls from their callers' sums, which include them: calls
    /// from `caller` that have the path `moved`, which is not below `caller`.
    fn take_from_callers(
        &mut self,
        scope: ProfileScope,
        caller: PathId,
        moved: PathId,
        sums: &CallSums,
        counters: &[usize],
    ) {
        let common = self.tree.node(moved).parent;
        let mut from = caller;
        while from != common && from != PathId::PROGRAM {
            if let Some(&number) = self.numbers.get(&(scope, from, None)) {
                let entry = &mut self.entries[number];
                entry.ticks = entry.ticks.saturating_sub(sums.ticks);
                for (&counter, &value) in counters.iter().zip(&sums.counters) {
                    if let Some(sum) = entry.counters.get_mut(counter) {
                        *sum = sum.saturating_sub(value);
                    }
                }
            }
            from = self.tree.node(from).parent;
        }
    }

    /// Calls on paths that are as long as paths can be, where longer ones are cut, and the site of
    /// one of them.
    pub fn deepest(&self) -> Option<(u64, &Site)> {
        let entries = self.entries.iter();
        let mut deepest = entries.filter(|entry| self.tree.is_deepest(entry.path));
        let first = deepest.next()?;
        let site = self.sites.site(self.tree.node(first.path).site?);
        let calls = deepest.fold(first.calls, |sum, entry| sum.saturating_add(entry.calls));
        (calls > 0).then_some((calls, site))
    }

    /// Whether the blocks of sums hold nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.beyond.is_none() && self.unplaced == 0
    }

    /// Names of the counters, by their number.
    pub fn counters(&self) -> &[String] {
        &self.counters
    }

    /// Calls for which the recorder's call tree had no room.
    pub fn unplaced(&self) -> u64 {
        self.unplaced
    }

    /// The time of which there is nothing but sums, in ticks.
    pub fn beyond(&self) -> Option<Span> {
        self.beyond
    }

    /// Adds this thread's call paths to a tree; `child` finds or adds the path that leads from a
    /// caller to a site. Returns the number in that tree for each of [`ThreadSums::by_path`]'s
    /// paths.
    pub fn name_paths(&self, mut child: impl FnMut(PathId, &Site) -> PathId) -> Vec<PathId> {
        let barriers = self.whole_barriers();
        let mut names = vec![PathId::PROGRAM; self.tree.len()];
        for (number, node) in self.tree.nodes().iter().enumerate().skip(1) {
            let Some(site) = node.site else { continue };
            let caller = names[node.parent.index()];
            let site = self.sites.site(site);
            names[number] = match barriers.contains(&PathId(number as u32)) {
                true => child(
                    caller,
                    &Site {
                        operation: Operation::Barrier,
                        ..site.clone()
                    },
                ),
                false => child(caller, site),
            };
        }
        names
    }

    /// A notify and a wait that are called from the same line are one barrier, as in the events
    /// (see [`pgas_earl::Walker`]): the paths of such halves.
    fn whole_barriers(&self) -> rustc_hash::FxHashSet<PathId> {
        let mut halves: FxHashMap<(PathId, &str, u32), [Option<PathId>; 2]> = FxHashMap::default();
        for (number, node) in self.tree.nodes().iter().enumerate().skip(1) {
            let Some(site) = node.site else { continue };
            let half = match self.sites.operation(site) {
                Operation::Notify => 0,
                Operation::Wait => 1,
                _ => continue,
            };
            let site = self.sites.site(site);
            let place = (node.parent, site.file.as_str(), site.line);
            halves.entry(place).or_default()[half] = Some(PathId(number as u32));
        }
        let whole = halves
            .into_values()
            .filter_map(|[notify, wait]| Some([notify?, wait?]));
        whole.flatten().collect()
    }

    /// The sums of one scope; paths are named by `names` (see [`ThreadSums::name_paths`]).
    pub fn by_path(&self, scope: ProfileScope, names: &[PathId]) -> SumsByPath {
        let means = self.means(scope);
        let barriers = self.whole_barriers();
        let mut sums: FxHashMap<PathId, PathSums> = FxHashMap::default();
        for entry in self.entries.iter().filter(|entry| entry.scope == scope) {
            let Some(site) = self.tree.node(entry.path).site else {
                continue;
            };
            let operation = self.sites.operation(site);
            let first_half = operation == Operation::Notify && barriers.contains(&entry.path);
            let is_counted = operation == Operation::Function && entry.partner.is_some();
            let own = PathSums {
                // A barrier is counted once, where it ends.
                calls: if first_half { 0 } else { entry.calls },
                timed_calls: match first_half || is_counted {
                    true => 0,
                    false => entry.timed_calls,
                },
                counted_calls: if is_counted { entry.calls } else { 0 },
                ticks: match is_counted {
                    true => 0,
                    false => entry.estimate(means.get(&site).copied()),
                },
                bytes: Bytes::of_operation(operation, self.thread, entry.partner, entry.bytes),
                counters: entry.counters.iter().map(|&n| entry.of_all(n)).collect(),
            };
            sums.entry(names[entry.path.index()]).or_default().add(&own);
        }
        let mut sums: SumsByPath = sums.into_iter().collect();
        sums.sort_unstable_by_key(|&(path, _)| path);
        sums
    }

    /// One-sided operations of which there are no events: path, operation, the other thread, and
    /// what all calls come to. Paths are named by `names` (see [`ThreadSums::name_paths`]).
    pub fn accesses<'a>(
        &'a self,
        names: &'a [PathId],
    ) -> impl Iterator<Item = (PathId, Operation, Option<ThreadId>, Totals)> + 'a {
        let scopes = [ProfileScope::Within, ProfileScope::Beyond];
        let of_scope = move |scope| {
            let means = self.means(scope);
            let entries = self.entries.iter().filter(move |e| e.scope == scope);
            entries.filter_map(move |entry| {
                let site = self.tree.node(entry.path).site?;
                let operation = self.sites.operation(site);
                let moves = operation != Operation::NonBlockingSync
                    && Class::of(Some(operation)) == Class::OneSided;
                let totals = Totals {
                    accesses: entry.calls,
                    bytes: entry.bytes,
                    ticks: entry.estimate(means.get(&site).copied()),
                };
                let path = names[entry.path.index()];
                let known = moves && !totals.is_zero();
                known.then_some((path, operation, entry.partner, totals))
            })
        };
        scopes.into_iter().flat_map(of_scope)
    }

    /// By site: ticks and number of the calls that were timed.
    fn means(&self, scope: ProfileScope) -> FxHashMap<SourceSite, (u64, u64)> {
        let mut means = FxHashMap::default();
        let timed = |entry: &&Entry| entry.scope == scope && entry.timed_calls > 0;
        for entry in self.entries.iter().filter(timed) {
            let Some(site) = self.tree.node(entry.path).site else {
                continue;
            };
            let (ticks, calls): &mut (u64, u64) = means.entry(site).or_default();
            *ticks = ticks.saturating_add(entry.ticks);
            *calls = calls.saturating_add(entry.timed_calls);
        }
        means
    }
}

impl Entry {
    /// Ticks of all calls; `mean` are the ticks and number of timed calls of the same site anywhere
    /// on the thread.
    fn estimate(&self, mean: Option<(u64, u64)>) -> u64 {
        match (self.timed_calls, self.ticks) {
            (0, 0) => mean.map_or(0, |(ticks, timed)| scale(ticks, self.calls, timed)),
            // Regions that were entered earlier have time, but no calls.
            (_, ticks) => self.of_all(ticks),
        }
    }

    /// From what the timed calls took or counted to what all calls did.
    fn of_all(&self, value: u64) -> u64 {
        match self.timed_calls {
            0 => value,
            timed if timed >= self.calls => value,
            timed => scale(value, self.calls, timed),
        }
    }
}

/// `value * numerator / denominator`, rounded to the nearest; `value` if the denominator is 0.
fn scale(value: u64, numerator: u64, denominator: u64) -> u64 {
    if denominator == 0 {
        return value;
    }
    let (numerator, denominator) = (u128::from(numerator), u128::from(denominator));
    let scaled = (u128::from(value) * numerator + denominator / 2) / denominator;
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

/// Adds values by number of the counter.
pub fn add_counters(sums: &mut Vec<u64>, values: &[u64]) {
    if values.len() > sums.len() {
        sums.resize(values.len(), 0);
    }
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = sum.saturating_add(*value);
    }
}

/// The number of `name` in a list of distinct names, to which it is added if it is new.
pub fn number_of(names: &mut Vec<String>, name: &str) -> usize {
    match names.iter().position(|known| known == name) {
        Some(number) => number,
        None => {
            names.push(name.to_owned());
            names.len() - 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_trace::model::SiteId;

    fn call(parent: Option<u32>, site: u32, calls: u64, timed: u64, ticks: u64) -> CallSums {
        CallSums {
            parent,
            site: SiteId(site),
            partner: None,
            calls,
            timed_calls: timed,
            ticks,
            bytes: 0,
            counters: Vec::new(),
        }
    }

    fn within(entries: Vec<CallSums>) -> Profile {
        Profile {
            scope: ProfileScope::Within,
            first_time: 0,
            last_time: 9,
            unplaced_calls: 0,
            counters: Vec::new(),
            entries,
        }
    }

    /// (line of the last site, calls, ticks) by path.
    fn sums(blocks: &[Profile], sites: &[Site]) -> Vec<(Operation, u32, u64, u64)> {
        let mut sums = ThreadSums::new(0);
        for block in blocks {
            sums.add(block, sites).unwrap();
        }
        let (mut table, mut tree) = (SiteTable::default(), CallTree::default());
        let names = sums.name_paths(|caller, site| tree.child(caller, table.intern(site)));
        sums.by_path(ProfileScope::Within, &names)
            .into_iter()
            .map(|(path, sums)| {
                let site = table.site(tree.node(path).site.unwrap());
                (site.operation, site.line, sums.calls, sums.ticks)
            })
            .collect()
    }

    #[test]
    fn blocks_add_up_before_anything_is_estimated() {
        let sites = [
            Site::function("main", "a.upc", 1),
            Site::function("f", "a.upc", 2),
        ];
        // 10 of 40 calls were timed, in whichever block.
        let blocks = [
            within(vec![call(None, 0, 0, 0, 0), call(Some(0), 1, 30, 10, 500)]),
            within(vec![call(None, 0, 0, 0, 0), call(Some(0), 1, 10, 0, 0)]),
        ];
        let f = Operation::Function;
        assert_eq!(sums(&blocks, &sites), [(f, 1, 0, 0), (f, 2, 40, 2000)]);
    }

    #[test]
    fn calls_that_were_never_timed_take_what_others_of_the_function_take() {
        let sites = [
            Site::function("f", "a.upc", 1),
            Site::function("g", "a.upc", 2),
        ];
        let blocks = [within(vec![
            call(None, 0, 4, 2, 100),
            call(Some(0), 0, 3, 0, 0),
            call(Some(0), 1, 7, 0, 0),
        ])];
        let f = Operation::Function;
        assert_eq!(
            sums(&blocks, &sites),
            [(f, 1, 4, 200), (f, 1, 3, 150), (f, 2, 7, 0)]
        );
    }

    #[test]
    fn a_notify_and_a_wait_of_one_line_are_a_barrier() {
        let sites = [
            Site::operation(Operation::Notify, "a.upc", 5),
            Site::operation(Operation::Wait, "a.upc", 5),
            Site::operation(Operation::Wait, "a.upc", 6),
        ];
        let blocks = [within(vec![
            call(None, 0, 3, 3, 10),
            call(None, 1, 3, 3, 20),
            call(None, 2, 1, 1, 40),
        ])];
        assert_eq!(
            sums(&blocks, &sites),
            [(Operation::Barrier, 5, 3, 30), (Operation::Wait, 6, 1, 40)]
        );
    }

    #[test]
    fn estimates_do_not_overflow() {
        assert_eq!(scale(u64::MAX, u64::MAX, 1), u64::MAX);
        assert_eq!(scale(u64::MAX, 7, 7), u64::MAX);
        assert_eq!(scale(5, 3, 2), 8);
        assert_eq!(scale(5, 3, 0), 5);
    }
}
