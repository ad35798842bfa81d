//! Calls that do not become events: those of throttled sites, and all while no trace is written.
//! Their figures are summed in the thread's call tree, and taken from there into blocks of sums
//! about once a second.

use std::ffi::c_char;
use std::sync::atomic::{Ordering, compiler_fence};

use pgas_trace_format::clock::CalibrationPair;
use pgas_trace_format::model::{Operation, ProfileScope};

use crate::attributes::FIRST_WITH_ATTRIBUTES;
use crate::attributes::Packed;
use crate::buffer::Filled;
use crate::buffer_file::BufferFile;
use crate::clock::monotonic;
use crate::dictionary::FILTERED;
use crate::node_id::{NodeId, ROOT, UNPLACED};
use crate::stack::{Open, State};
use crate::test_kill;
use crate::thread_state::ThreadState;
use crate::throttle::may_be_throttled;

/// Nanoseconds between two blocks of sums, at least. A little less than the time after which the
/// helper asks.
const BETWEEN_SUMS: u64 = 900_000_000;
/// How many times as long as throttled calls may take on average a single one takes that is not
/// typical of them: the thread slept in it, say. Its time counts, but not for the calls that were
/// not timed.
const LONG_CALL: u64 = 100;

impl ThreadState {
    /// Enter of a region whose calls are throttled.
    #[inline(always)]
    pub(crate) fn enter_throttled(
        &mut self,
        operation: u8,
        name: *const c_char,
        site: u32,
        attributes: Packed,
    ) {
        self.left_out.count_changing(operation);
        let node = self.node_for(site, attributes);
        let watch = self.dictionary.watch(site);
        watch.until_timed -= 1;
        let is_sampled = watch.until_timed == 0 || self.tree.is_new(node);
        if is_sampled {
            watch.until_timed = self.lots.draw();
        }
        self.counted += 1;
        let mut open = if is_sampled {
            Open::new(State::Sampled, operation, name, site, self.clock.now())
        } else {
            Open::new(State::Counted, operation, name, site, 0)
        };
        open.node = node;
        if operation < FIRST_WITH_ATTRIBUTES {
            self.stack.push(open);
        } else {
            self.stack.push_with(open, attributes);
            match is_sampled {
                true => self.show_enter(operation, site, attributes, open.begin),
                false => self.show_counted(site, attributes),
            }
        }
    }

    /// Exit of the innermost region, which is throttled.
    #[inline(always)]
    pub(crate) fn exit_throttled(&mut self, open: Open) {
        let mut is_timed = open.state() == State::Sampled;
        let time = match is_timed {
            true => self.exit_time(open.operation()),
            false => 0,
        };
        // A call that lost its core is not typical, and what it lost has been noted.
        if is_timed && time.saturating_sub(open.begin) >= self.long_gap {
            is_timed = !self.after_gap(time);
        }
        let bytes = if open.operation() < FIRST_WITH_ATTRIBUTES {
            0
        } else {
            // SAFETY: `enter_throttled` has given it attributes.
            unsafe { self.stack.top_attributes() }.bytes()
        };
        self.show_exit_of_throttled(open.operation(), time);
        self.stack.pop();
        self.counted -= 1;
        if is_timed {
            let ticks = time.saturating_sub(open.begin);
            let ticks = ticks.saturating_sub(self.empty_call);
            if ticks < self.long_call {
                self.tree.count_timed(open.node, bytes, ticks);
            } else {
                self.tree.count_long(open.node, bytes, ticks);
            }
        } else {
            self.tree.count(open.node, bytes);
        }
    }

    /// Enter of a region that a filter excludes. It is remembered so that its Exit ends no other
    /// region.
    pub(crate) fn enter_filtered(&mut self, operation: u8, name: *const c_char) {
        self.left_out.count_filtered(operation);
        let mut open = Open::new(State::Filtered, operation, name, FILTERED, 0);
        open.node = self.stack.top().map_or(ROOT, |caller| caller.node);
        self.stack.push(open);
    }

    /// Enter of a region while sums are all that is kept.
    #[inline(always)]
    pub(crate) fn enter_profiled(
        &mut self,
        operation: u8,
        name: *const c_char,
        site: u32,
        attributes: Packed,
    ) {
        let now = self.begin_time();
        if self.is_only_live {
            let open = Open::new(State::Shown, operation, name, site, now);
            self.stack.push(open);
            self.show_enter(operation, site, attributes, now);
            return;
        }
        self.after_gap_of_sums(now);
        let node = self.node_for(site, attributes);
        self.tree.count(node, attributes.bytes());
        self.tree.note_timed(node);
        self.tree.note_begin(node, now);
        let mut open = Open::new(State::Profiled, operation, name, site, now);
        open.node = node;
        self.stack.push(open);
        self.show_enter(operation, site, attributes, now);
        self.note_open(node);
    }

    /// The innermost open region, while sums are all that is kept: if the process is killed, its
    /// time and that of its callers is added up to the last event. Regions without a node count as
    /// their callers.
    #[inline(always)]
    fn note_open(&mut self, node: NodeId) {
        compiler_fence(Ordering::Release);
        if node != UNPLACED {
            self.page.sums.open_node = node;
        }
        compiler_fence(Ordering::Release);
    }

    /// Exit of the innermost region, which is profiled.
    #[inline(always)]
    pub(crate) fn exit_profiled(&mut self, time: u64, open: Open, attributes: Packed) {
        self.after_gap_of_sums(time);
        self.stack.pop();
        // While the program has switched recording off, time does not count.
        if !self.is_paused {
            let caller = self.stack.top_or_bottom().node;
            let ticks = time.saturating_sub(open.begin);
            self.note_open(caller);
            self.tree.add_ticks_below(caller, open.node, ticks);
        }
        if attributes != Packed::NONE {
            self.tree.add_bytes(open.node, attributes.bytes());
        }
    }

    /// Looks whether a site is to be throttled, after as many calls as that takes.
    #[cold]
    pub(crate) fn look_at(&mut self, site: u32, operation: u8) {
        let Some(throttle) = self.throttle else {
            return;
        };
        let watch = self.dictionary.watch(site);
        let ticks = std::mem::take(&mut watch.ticks);
        watch.left = throttle.calls;
        let is_new = !watch.is_throttled();
        let is_allowed = Operation::from_number(operation).is_some_and(may_be_throttled);
        let is_short = {
            let limit = u64::from(throttle.calls) * u64::from(throttle.microseconds);
            self.nanoseconds(ticks) / 1000 < limit
        };
        if is_new && is_allowed && is_short {
            let until_timed = self.lots.draw();
            self.dictionary.throttle(site, until_timed);
            let microseconds = LONG_CALL * u64::from(throttle.microseconds);
            self.long_call = self.ticks(1000 * microseconds);
        }
    }

    /// A number of ticks in nanoseconds, at the rate since the beginning.
    fn nanoseconds(&self, ticks: u64) -> u64 {
        let (passed, nanoseconds) = self.passed();
        u64::try_from(u128::from(ticks) * nanoseconds / passed).unwrap_or(u64::MAX)
    }

    /// The reverse.
    pub(crate) fn ticks(&self, nanoseconds: u64) -> u64 {
        let (passed, in_nanoseconds) = self.passed();
        u64::try_from(u128::from(nanoseconds) * passed / in_nanoseconds).unwrap_or(u64::MAX)
    }

    /// Ticks and nanoseconds since the beginning, at least one of each.
    fn passed(&self) -> (u128, u128) {
        let now = self.clock.pair();
        let since = |now: u64, start: u64| u128::from(now.saturating_sub(start).max(1));
        let ticks = since(now.ticks, self.start.ticks);
        (ticks, since(now.nanoseconds, self.start.nanoseconds))
    }

    /// The trace ends with the last event: what is open and what follows is only summed.
    pub(crate) fn begin_profile(&mut self) {
        let time = self.page.last_time;
        self.page.sums.since = time;
        self.page.sums.last_time = time;
        self.summed_until = CalibrationPair {
            ticks: time,
            nanoseconds: monotonic(),
        };
        self.node_of_top();
        for index in 0..self.stack.depth() {
            let open = *self.stack.at(index);
            match open.state() {
                State::Recorded => {}
                State::Counted | State::Sampled => {
                    self.tree.count(open.node, 0);
                    self.tree.note_timed(open.node);
                }
                State::Unrecorded | State::Filtered | State::Profiled | State::Shown => continue,
            }
            self.tree.note_begin(open.node, time);
            let open = self.stack.at_mut(index);
            open.set_state(State::Profiled);
            open.begin = time;
        }
        self.counted = 0;
        self.is_profile = true;
        self.page.sums.scope = self.scope();
        self.note_open(self.stack.top_or_bottom().node);
    }

    /// The program switches recording off: while it is off, no time is summed.
    pub(crate) fn pause(&mut self) {
        if self.is_profile {
            let now = self.clock.now();
            self.sum_open(now);
            self.note_open(ROOT);
        }
        self.charge_counters();
        self.is_paused = true;
    }

    /// The program switches recording on again, while sums are all that is kept.
    pub(crate) fn resume_profile(&mut self) {
        self.is_paused = false;
        let now = self.clock.now();
        for index in 0..self.stack.depth() {
            let mut open = *self.stack.at(index);
            let caller = if index == 0 {
                ROOT
            } else {
                self.stack.at(index - 1).node
            };
            if open.state() == State::Filtered {
                open.node = caller;
            } else if open.state() == State::Unrecorded {
                open.node = self.tree.child(caller, open.site, 0);
                open.set_state(State::Profiled);
                self.tree.count(open.node, 0);
                self.tree.note_timed(open.node);
            }
            open.begin = now;
            self.tree.note_begin(open.node, now);
            *self.stack.at_mut(index) = open;
        }
        self.page.sums.last_time = now;
        self.note_open(self.stack.top_or_bottom().node);
    }

    /// A wait for a buffer while sums are all that is kept.
    pub(crate) fn sum_stall(&mut self, begin: u64) {
        if self.is_only_live {
            return;
        }
        if let Some(site) = self.stall_site() {
            let node = self.node_for(site, Packed::NONE);
            let ticks = self.clock.now().saturating_sub(begin);
            self.tree.count_timed(node, 0, ticks);
        }
    }

    /// Whether there is something to be written, and the last time is so long ago that it should
    /// be.
    pub(crate) fn are_sums_due(&self) -> bool {
        self.has_sums() && monotonic().saturating_sub(self.summed_until.nanoseconds) >= BETWEEN_SUMS
    }

    /// Whether there is something to be written.
    pub(crate) fn has_sums(&self) -> bool {
        self.is_profile && !self.is_only_live || self.tree.has_changed() || self.has_counted()
    }

    fn has_counted(&self) -> bool {
        let mut counters = self.counters.iter();
        counters.any(|counters| counters.has_changed())
    }

    /// Bytes that the sums take at most when they are written.
    pub(crate) fn sums_size(&self) -> usize {
        let counters = self.counters.as_deref().map_or(0, |c| c.names().len());
        // Collections grow by doubling.
        2 * self.tree.size() * (1 + counters)
    }

    /// Number of the scope of what is summed, as a collector knows it.
    pub(crate) fn scope(&self) -> u32 {
        u32::from(self.sums_scope().number())
    }

    fn sums_scope(&self) -> ProfileScope {
        match self.is_profile {
            true => ProfileScope::Beyond,
            false => ProfileScope::Within,
        }
    }

    /// Writes the sums since the last time as payloads of blocks, and puts them into the file of
    /// the buffers until they are written.
    pub(crate) fn take_sums(&mut self, filled: &mut Filled, file: Option<&BufferFile>) {
        let now = self.clock.pair();
        filled.sums_span = (
            self.summed_until.ticks,
            now.ticks.max(self.summed_until.ticks),
        );
        self.summed_until = now;
        test_kill::point("sums: begun");
        if self.is_profile && !self.is_paused {
            self.sum_open(now.ticks);
        }
        let (scope, tree) = (self.sums_scope(), &mut self.tree);
        let mut counters = self.counters.as_deref_mut();
        if self.is_profile {
            let counters = counters.as_deref_mut();
            filled.sums_entries = tree.write(scope, counters, &mut filled.sums);
        } else {
            if tree.has_changed() {
                filled.sums_entries = tree.write(scope, None, &mut filled.sums);
            }
            counters = counters.filter(|counters| counters.has_changed());
            if let Some(counters) = counters.as_deref_mut() {
                let payload = &mut filled.counters;
                filled.counters_entries =
                    tree.write(ProfileScope::Counters, Some(counters), payload);
            }
        }
        test_kill::point("sums: written");
        if let Some(file) = file {
            file.put_sums(self.current, &mut self.page.sums, filled);
        }
        if !filled.sums.is_empty() {
            tree.clear(scope);
        }
        if let Some(counters) = counters {
            counters.clear(tree.used());
        }
        test_kill::point("sums: cleared");
        self.page.sums.since = now.ticks;
        compiler_fence(Ordering::SeqCst);
        test_kill::point("sums: dated");
        // Sums from here on are in no block.
        self.page.sums.nodes_after = self.page.sums.blocks;
        compiler_fence(Ordering::SeqCst);
        test_kill::point("sums: over");
    }

    /// At a boundary of regions: charges counts since the last one to the innermost open region.
    #[inline(always)]
    pub(crate) fn charge_counters(&mut self) {
        if self.counters.is_some() && !self.is_paused {
            self.charge_innermost();
        }
    }

    /// Charges the counts since the last boundary to no region.
    pub(crate) fn skip_counters(&mut self) {
        if let Some(counters) = &mut self.counters {
            counters.charge(ROOT);
        }
    }

    #[inline(never)]
    fn charge_innermost(&mut self) {
        let mut node = self.node_of_top();
        if node == UNPLACED {
            // As with time: what finds no room in the tree stays with the caller.
            let mut callers = self.stack.iter().rev().map(|open| open.node);
            node = callers.find(|&node| node != UNPLACED).unwrap_or(ROOT);
        }
        if let Some(counters) = &mut self.counters {
            counters.charge(node);
        }
    }

    /// Adds the time until now of regions that are open and profiled.
    fn sum_open(&mut self, now: u64) {
        self.page.sums.last_time = now;
        let mut caller = ROOT;
        for index in 0..self.stack.depth() {
            let open = self.stack.at_mut(index);
            let node = open.node;
            if open.state() == State::Profiled {
                let ticks = now.saturating_sub(open.begin);
                open.begin = open.begin.max(now);
                self.tree.note_begin(node, open.begin);
                compiler_fence(Ordering::Release);
                test_kill::point("sums: open region");
                self.tree.add_ticks_below(caller, node, ticks);
            }
            caller = node;
        }
    }

    /// The node of a call of `site` from the innermost open region.
    #[inline(always)]
    pub(crate) fn node_for(&mut self, site: u32, attributes: Packed) -> NodeId {
        let partner = attributes.partner(self.thread, self.threads);
        self.node_below_top(site, partner)
    }

    /// The same with a thread as partner, plus 1, or 0.
    #[inline(always)]
    pub(crate) fn node_below_top(&mut self, site: u32, partner: u32) -> NodeId {
        let caller = match self.stack.top() {
            Some(open) if open.node != ROOT => open.node,
            _ => self.node_of_top(),
        };
        self.tree.child(caller, site, partner)
    }

    /// The node of the innermost open region. Regions that are recorded get theirs only when
    /// something asks.
    #[inline(never)]
    pub(crate) fn node_of_top(&mut self) -> NodeId {
        let depth = self.stack.depth();
        let known = (0..depth)
            .rev()
            .find(|&index| self.stack.at(index).node != ROOT);
        let (mut node, first) = match known {
            Some(index) => (self.stack.at(index).node, index + 1),
            None => (ROOT, 0),
        };
        for index in first..depth {
            let open = *self.stack.at(index);
            if open.state() != State::Filtered {
                node = self.tree.child(node, open.site, 0);
            }
            self.stack.at_mut(index).node = node;
        }
        node
    }
}
