//! The hot path: what nearly all events take. Every instruction counts here: no call is made that
//! something has to be saved for, the record is mostly one store, and everything else (other
//! clocks, full buffers, sums, calls that do not nest) is looked at elsewhere.
//!
//! Functions and user regions have a path of their own (`HAS_ATTRIBUTES` is false): they are the
//! most frequent by far, have no attributes and wait for nobody.

use std::ffi::c_char;
use std::sync::atomic::Ordering;

use pgas_trace_format::encode::MAX_RECORD;
use pgas_trace_format::tags::RecordTag;
use pgas_trace_format::varint;

use crate::attributes::Packed;
use crate::clock::{read_counter, wait_for_memory};
use crate::dictionary::{FILTERED, FIRST_MARK, NOT_FOUND, Place, SiteCode, THROTTLED};
use crate::recorder::{BUSY, COUNTED, Recorder, flags_of};
use crate::stack::{Open, State};
use crate::thread_state::{ThreadState, has_exit_attributes, repeats, waits_for_others};

impl Recorder {
    /// Enter of a region.
    ///
    /// # Safety
    /// For this and all unsafe methods that follow, here and in `recorder`, unless they say
    /// otherwise: the caller is the recorder's thread, and strings are null or end with a zero byte
    /// and stay where they are.
    #[inline(always)]
    pub(crate) unsafe fn enter<const HAS_ATTRIBUTES: bool>(
        &self,
        place: Place,
        attributes: Packed,
    ) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & !COUNTED == 0 {
            self.set_flags(BUSY);
            // SAFETY: this is the recorder's thread, and BUSY keeps out what interrupts it.
            let state = unsafe { &mut *self.state.get() };
            let found = state.dictionary.find(place);
            let has_room = state.page.position < self.gate.limit.load(Ordering::Relaxed)
                && state.stack.has_room();
            if found.site < FIRST_MARK && flags == 0 && has_room {
                let time = read_counter();
                if !state.is_long_after(time) {
                    if HAS_ATTRIBUTES {
                        let block = state.block;
                        let last = &mut state.dictionary.last_of(found.site).enter;
                        if !repeats(last, block, attributes) {
                            let (operation, name) = (place.number(), place.name);
                            self.enter_with(time, operation, found.site, name, attributes);
                            return;
                        }
                    }
                    let difference = state.advance(time);
                    let (code, length) = (found.code.bytes(), found.code.length());
                    // SAFETY: below the limit, a few records have room.
                    unsafe { state.put(RecordTag::Enter.head(difference), code, length) };
                    let open = Open::new(
                        State::Recorded,
                        place.number(),
                        place.name,
                        found.site,
                        state.page.last_time,
                    );
                    // SAFETY: there is room.
                    unsafe { state.stack.push_unchecked(open) };
                    if HAS_ATTRIBUTES {
                        state.show_enter(place.number(), found.site, attributes, open.begin);
                    }
                    self.set_flags(0);
                    return;
                }
            }
            if found.site >= FIRST_MARK && found.site != NOT_FOUND && has_room {
                self.enter_marked::<HAS_ATTRIBUTES>(
                    place.number(),
                    found.site,
                    place.name,
                    attributes,
                );
                return;
            }
            self.set_flags(flags);
        }
        // SAFETY: promised by the caller.
        unsafe { self.enter_in_parts(place.parts(), place.file, place.name, attributes) };
    }

    /// Exit of the innermost open region of this operation and name, which has no attributes at its
    /// end.
    #[inline(always)]
    pub(crate) unsafe fn exit<const HAS_ATTRIBUTES: bool>(
        &self,
        operation: u8,
        name: *const c_char,
    ) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & !COUNTED == 0 && !(HAS_ATTRIBUTES && has_exit_attributes(operation)) {
            self.set_flags(BUSY);
            // SAFETY: as in `enter`.
            let state = unsafe { &mut *self.state.get() };
            let open = *state.stack.top_or_bottom();
            let limit = self.gate.limit.load(Ordering::Relaxed);
            // Zero where somebody else wants the thread to look up, perhaps since the recording has
            // ended.
            if open.name == name && limit != 0 {
                if open.is(operation, State::Recorded) {
                    if HAS_ATTRIBUTES && waits_for_others(operation) {
                        wait_for_memory();
                    }
                    let time = read_counter();
                    if !state.is_long_after(time) {
                        let difference = state.advance(time);
                        // SAFETY: there is always room for one record: the limit lies that much
                        // before the end.
                        unsafe { state.put(RecordTag::Exit.head(difference), 0, 0) };
                        if HAS_ATTRIBUTES {
                            let time = state.page.last_time;
                            state.show_exit_in_order(operation, time);
                        }
                        state.stack.pop();
                        let took = state.page.last_time.wrapping_sub(open.begin);
                        let is_due = state.dictionary.watch(open.site).note(took);
                        if is_due || state.page.position >= limit {
                            self.look_up_after(is_due, open.site, operation);
                            return;
                        }
                        // No call is open that is only counted: those lie above the ones that are
                        // recorded.
                        self.set_flags(0);
                        return;
                    }
                }
                if open.is(operation, State::Counted) {
                    let bytes = if HAS_ATTRIBUTES {
                        // SAFETY: calls of these operations are counted with their attributes.
                        unsafe { state.stack.top_attributes() }.bytes()
                    } else {
                        0
                    };
                    if HAS_ATTRIBUTES {
                        state.show_exit_of_throttled(operation, 0);
                    }
                    state.stack.pop();
                    state.counted -= 1;
                    state.tree.count(open.node, bytes);
                    if state.page.position >= limit {
                        self.look_up_after(false, open.site, operation);
                        return;
                    }
                    self.set_flags(if state.counted > 0 { COUNTED } else { 0 });
                    return;
                }
                if open.is(operation, State::Filtered) {
                    state.stack.pop();
                    self.set_flags(flags);
                    return;
                }
            }
            self.set_flags(flags);
        }
        // SAFETY: promised by the caller.
        unsafe { self.exit_the_long_way(operation, name, Packed::NONE) };
    }

    /// The rest of an Enter, while BUSY is set, whose attributes differ from those that the site
    /// had before.
    #[inline(never)]
    fn enter_with(
        &self,
        time: u64,
        operation: u8,
        site: u32,
        name: *const c_char,
        attributes: Packed,
    ) {
        // SAFETY: as in `enter`, whose reference is not used any more.
        let state = unsafe { &mut *self.state.get() };
        match attributes.word() {
            Some((word, length)) => {
                let difference = state.advance(time);
                let code = SiteCode::new(site);
                // SAFETY: below the limit, a few records have room, and this is the first.
                unsafe {
                    state.put(
                        RecordTag::EnterWith.head(difference),
                        code.bytes(),
                        code.length(),
                    );
                    let place = state.buffer.add(state.page.position).cast::<u64>();
                    place.write_unaligned(word.to_le());
                }
                state.end_record(state.page.position + length);
            }
            None => state.put_enter_with(time, site, attributes),
        }
        state.stack.push(Open::new(
            State::Recorded,
            operation,
            name,
            site,
            state.page.last_time,
        ));
        state.show_enter(operation, site, attributes, state.page.last_time);
        self.set_flags(0);
    }

    /// Enter of a site with marks, while BUSY is set, with room in the buffer and on the stack:
    /// mostly of a throttled one, from where it was called before, and not to be timed.
    #[inline(never)]
    fn enter_marked<const HAS_ATTRIBUTES: bool>(
        &self,
        operation: u8,
        marked: u32,
        name: *const c_char,
        attributes: Packed,
    ) {
        // SAFETY: as in `enter`, whose reference is not used any more.
        let state = unsafe { &mut *self.state.get() };
        if marked == FILTERED {
            state.enter_filtered(operation, name);
            self.set_flags(flags_of(state));
            return;
        }
        let site = marked ^ THROTTLED;
        let caller = state.stack.top_or_bottom().node;
        let partner = if HAS_ATTRIBUTES {
            attributes.partner(state.thread, state.threads)
        } else {
            0
        };
        let known = state.tree.known_child(caller, site, partner);
        if let (Some(node), true) = (known, site < FIRST_MARK) {
            let watch = state.dictionary.watch(site);
            if watch.until_timed > 1 {
                watch.until_timed -= 1;
                state.counted += 1;
                let mut open = Open::new(State::Counted, operation, name, site, 0);
                open.node = node;
                // SAFETY: there is room.
                unsafe {
                    if HAS_ATTRIBUTES {
                        state.stack.push_with_unchecked(open, attributes);
                        state.show_counted(site, attributes);
                    } else {
                        state.stack.push_unchecked(open);
                    }
                }
                self.set_flags(COUNTED);
                return;
            }
        }
        self.enter_marked_slowly(operation, marked, name, attributes);
    }

    #[inline(never)]
    fn enter_marked_slowly(
        &self,
        operation: u8,
        marked: u32,
        name: *const c_char,
        attributes: Packed,
    ) {
        // SAFETY: as in `enter_marked`.
        let state = unsafe { &mut *self.state.get() };
        self.enter_site(state, operation, name, marked, attributes);
        self.set_flags(flags_of(state));
    }

    /// The rest of an Exit, while BUSY is set, if the site's calls are to be looked at or the
    /// buffer is full.
    #[cold]
    #[inline(never)]
    fn look_up_after(&self, is_due: bool, site: u32, operation: u8) {
        // SAFETY: as in `enter`, whose reference is not used any more.
        let state = unsafe { &mut *self.state.get() };
        if is_due {
            state.look_at(site, operation);
        }
        let is_full = state.page.position >= self.gate.limit.load(Ordering::Relaxed);
        let after = if is_full {
            self.look_up(state)
        } else {
            flags_of(state)
        };
        self.set_flags(after);
    }

    /// An Enter that is not simply recorded. The place comes in parts, which fit into registers.
    #[inline(never)]
    unsafe fn enter_in_parts(
        &self,
        parts: u64,
        file: *const c_char,
        name: *const c_char,
        attributes: Packed,
    ) {
        let place = Place::of_parts(parts, file, name);
        // SAFETY: promised by the caller.
        unsafe { self.enter_the_long_way(place.number(), place, attributes) };
    }
}

impl ThreadState {
    /// Appends a record: its first integer, and up to three more bytes.
    ///
    /// # Safety
    /// [`MAX_RECORD`] bytes are free.
    #[inline(always)]
    pub(crate) unsafe fn put(&mut self, first: u64, more: u64, more_length: usize) {
        debug_assert!(self.page.position + MAX_RECORD <= self.capacity);
        // SAFETY: promised by the caller: the position is within the buffer, which is the thread's
        // own.
        let place = unsafe { self.buffer.add(self.page.position) };
        // Differences of some microseconds and less, in which one store makes the whole record.
        const SHORT: u64 = 1 << 14;
        let (word, length) = if first < SHORT {
            ((first << 2 | 2) | more << 16, 2)
        } else {
            // SAFETY: promised by the caller.
            let bytes = unsafe { std::slice::from_raw_parts_mut(place, MAX_RECORD) };
            let length = varint::put(bytes, 0, first);
            (more, length)
        };
        let begin = if first < SHORT { 0 } else { length };
        // SAFETY: promised by the caller; no record is longer than that.
        unsafe { place.add(begin).cast::<u64>().write_unaligned(word.to_le()) };
        self.end_record(self.page.position + length + more_length);
    }
}
