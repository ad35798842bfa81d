//! The shortest path of all: calls of functions and user regions, which have no attributes and wait for nobody. They are
//! the most frequent events by far, so here every instruction counts: no call is made that something has to be saved
//! for, the record is one store, and everything else (other clocks, full buffers, states) is looked at elsewhere.

use std::ffi::c_char;
use std::sync::atomic::Ordering;

use pgas_trace::format::encode::MAX_RECORD;
use pgas_trace::format::varint;
use pgas_trace::model::Attributes;

use crate::clock::read_counter;
use crate::dictionary::{Place, FILTERED, FIRST_MARK, NOT_FOUND, THROTTLED};
use crate::hot::{Hot, FIRST_WITH_ATTRIBUTES};
use crate::recorder::{flags_of, Recorder, BUSY, COUNTED};
use crate::stack::{Open, State};

/// Tags of records without attributes.
const ENTER: u64 = 0;
const EXIT: u64 = 1;

impl Recorder {
    /// [`Recorder::enter`] of an operation below [`FIRST_WITH_ATTRIBUTES`].
    #[inline(always)]
    pub(crate) unsafe fn enter_function(&self, operation: u8, place: Place) {
        debug_assert!(operation < FIRST_WITH_ATTRIBUTES);
        let flags = self.flags.load(Ordering::Relaxed);
        if flags & !COUNTED == 0 {
            self.set_flags(BUSY);
            // SAFETY: this is the recorder's thread, and BUSY keeps out what interrupts it.
            let hot = unsafe { &mut *self.hot.get() };
            let found = hot.dictionary.find(place);
            let has_room =
                hot.position < self.limit.load(Ordering::Relaxed) && hot.stack.has_room();
            if found.site < FIRST_MARK && flags == 0 && has_room {
                let time = read_counter();
                let difference = hot.advance(time);
                // SAFETY: below the limit, a few records have room.
                unsafe {
                    hot.put(
                        difference << 2 | ENTER,
                        found.code.bytes(),
                        found.code.length(),
                    )
                };
                let open = Open::new(
                    State::Recorded,
                    operation,
                    place.name,
                    found.site,
                    hot.last_time,
                );
                // SAFETY: there is room.
                unsafe { hot.stack.push_unchecked(open) };
                self.set_flags(0);
                return;
            }
            if found.site >= FIRST_MARK && found.site != NOT_FOUND && has_room {
                // SAFETY: promised by the caller.
                unsafe { self.enter_counted(operation, place.name, found.site) };
                return;
            }
            self.set_flags(flags);
        }
        // SAFETY: promised by the caller.
        unsafe { self.enter_the_long_way(operation, place, Attributes::None) };
    }

    /// [`Recorder::exit`] of an operation below [`FIRST_WITH_ATTRIBUTES`].
    #[inline(always)]
    pub(crate) unsafe fn exit_function(&self, operation: u8, name: *const c_char) {
        debug_assert!(operation < FIRST_WITH_ATTRIBUTES);
        let flags = self.flags.load(Ordering::Relaxed);
        if flags & !COUNTED == 0 {
            self.set_flags(BUSY);
            // SAFETY: as in `enter_function`.
            let hot = unsafe { &mut *self.hot.get() };
            let open = *hot.stack.top_or_bottom();
            if open.name == name {
                if open.is(operation, State::Recorded) {
                    let time = read_counter();
                    let difference = hot.advance(time);
                    // SAFETY: there is always room for one record: the limit lies that much before the end.
                    unsafe { hot.put(difference << 2 | EXIT, 0, 0) };
                    hot.stack.pop();
                    let took = hot.last_time.wrapping_sub(open.begin);
                    let is_due = hot.dictionary.watch(open.site).note(took);
                    if is_due || hot.position >= self.limit.load(Ordering::Relaxed) {
                        self.look_up_after(is_due, open.site, operation);
                        return;
                    }
                    // No call is open that is only counted: those lie above the ones that are recorded.
                    self.set_flags(0);
                    return;
                }
                if open.is(operation, State::Counted) {
                    hot.stack.pop();
                    hot.counted -= 1;
                    hot.tree.count(open.node, 0);
                    let is_due = hot.position >= self.limit.load(Ordering::Relaxed);
                    if is_due {
                        self.look_up_after(false, open.site, operation);
                        return;
                    }
                    self.set_flags(if hot.counted > 0 { COUNTED } else { 0 });
                    return;
                }
            }
            self.set_flags(flags);
        }
        // SAFETY: promised by the caller.
        unsafe { self.exit_the_long_way(operation, name, Attributes::None) };
    }

    /// Enter of a site with marks, while BUSY is set, with room in the buffer and on the stack: mostly of a throttled
    /// one, from where it was called before, and not to be timed.
    #[inline(never)]
    unsafe fn enter_counted(&self, operation: u8, name: *const c_char, marked: u32) {
        // SAFETY: as in `enter_function`.
        let hot = unsafe { &mut *self.hot.get() };
        if marked == FILTERED {
            hot.enter_filtered(operation, name);
            self.set_flags(flags_of(hot));
            return;
        }
        let site = marked ^ THROTTLED;
        let caller = hot.stack.top_or_bottom().node;
        let known = hot.tree.known_child(caller, site);
        if let (Some(node), true) = (known, site < FIRST_MARK) {
            let watch = hot.dictionary.watch(site);
            if watch.until_timed > 1 {
                watch.until_timed -= 1;
                hot.counted += 1;
                let mut open = Open::new(State::Counted, operation, name, site, 0);
                open.node = node;
                // SAFETY: there is room.
                unsafe { hot.stack.push_unchecked(open) };
                self.set_flags(COUNTED);
                return;
            }
        }
        // SAFETY: promised by the caller.
        unsafe { self.enter_marked(operation, name, marked) };
    }

    /// Enter of a site with marks, while BUSY is set, with room in the buffer and on the stack.
    #[inline(never)]
    unsafe fn enter_marked(&self, operation: u8, name: *const c_char, marked: u32) {
        // SAFETY: as in `enter_function`.
        let hot = unsafe { &mut *self.hot.get() };
        self.enter_site(hot, operation, name, marked, Attributes::None);
        self.set_flags(flags_of(hot));
    }

    /// The rest of an Exit, while BUSY is set, if the site's calls are to be looked at or the buffer is full.
    #[cold]
    #[inline(never)]
    fn look_up_after(&self, is_due: bool, site: u32, operation: u8) {
        // SAFETY: as in `enter_function`, whose reference is not used any more.
        let hot = unsafe { &mut *self.hot.get() };
        if is_due {
            hot.look_at(site, operation);
        }
        let is_full = hot.position >= self.limit.load(Ordering::Relaxed);
        let after = if is_full {
            self.look_up(hot)
        } else {
            flags_of(hot)
        };
        self.set_flags(after);
    }
}

impl Hot {
    /// Appends a record: its first integer, and up to three more bytes.
    ///
    /// # Safety
    /// [`MAX_RECORD`] bytes are free.
    #[inline(always)]
    unsafe fn put(&mut self, first: u64, more: u64, more_length: usize) {
        debug_assert!(self.position + MAX_RECORD <= self.capacity);
        // SAFETY: promised by the caller: the position is within the buffer, which is the thread's own.
        let place = unsafe { self.buffer.add(self.position) };
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
        self.position += length + more_length;
    }
}
