//! What others can see of a thread while it runs: its operations, where it stores to its page
//! (`pgas_live`). Open regions need no store of their own: the stack itself can be seen.
//!
//! Only the outermost of nested operations is timed, so that times of operations add up to no more
//! than has passed.

use pgas_live::page::{self, NAMES, NAMES_AT, NAMES_STEP, ROW_AREA};
use pgas_live::row::{OPERATION_ROWS, Partner, SHARED, SITE_ROWS, add};
use pgas_live::{Page, Row};
use pgas_trace_format::model::Operation;

use std::ffi::CString;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::attributes::{FIRST_WITH_ATTRIBUTES, Message, Packed};
use crate::buffer::Reserved;
use crate::buffer_file::provide_in;
use crate::kept_metrics::Metrics;
use crate::live_tasks::LiveTasks;
use crate::partners::Partners;

/// A place that has no row: a region in which the thread computes.
const NO_ROW: u16 = u16::MAX;

/// Marks the depth of an operation that has more to do at its end, on a lock or of tasks: the ends of
/// all others need not ask.
const HAS_MORE: usize = 1 << (usize::BITS - 1);

/// Counters of a thread that others can see.
pub(crate) struct Live {
    pub(crate) rows: Reserved,
    pub(crate) names: Reserved,
    /// Bytes of names that can be written.
    pub(crate) names_provided: usize,
    /// By place.
    rows_of_places: Vec<u16>,
    /// By operation.
    rows_of_operations: [u16; 256],
    /// Depth at which the outermost operation is open, 0 if none is, with [`HAS_MORE`] if it has
    /// more to do at its end; and its row.
    timed: usize,
    timed_row: *const Row,
    last: LastTransfer,
    /// The lock that the thread tries to take.
    attempted: u64,
    /// Since the recorder holds the thread up, or the program has switched recording off: that is
    /// counted.
    pub(crate) is_stall_open: bool,
    pub(crate) is_pause_open: bool,
    thread: u32,
    threads: u32,
    pub(crate) partners: Partners,
    pub(crate) metrics: Metrics,
    pub(crate) tasks: LiveTasks,
    /// The file that all this is in, once it is.
    pub(crate) file: Option<CString>,
}

impl Live {
    /// For a thread; `None` if there is no memory. Nobody sees it yet.
    pub(crate) fn new(thread: u32, threads: u32) -> Option<Self> {
        Some(Live {
            rows: Reserved::new(ROW_AREA)?,
            names: Reserved::new(NAMES)?,
            names_provided: NAMES,
            rows_of_places: Vec::new(),
            rows_of_operations: [NO_ROW; 256],
            timed: 0,
            timed_row: std::ptr::null(),
            last: LastTransfer::NONE,
            attempted: 0,
            is_stall_open: false,
            is_pause_open: false,
            thread,
            threads,
            partners: Partners::new(thread, threads),
            metrics: Metrics::default(),
            tasks: LiveTasks::new()?,
            file: None,
        })
    }

    /// Forgets everything.
    pub(crate) fn reset(&mut self, page: &Page) {
        page.reset();
        self.metrics.reset();
        self.tasks.reset();
        self.rows.map_anew();
        self.rows_of_places.clear();
        self.rows_of_operations = [NO_ROW; 256];
        self.timed = 0;
        self.last = LastTransfer::NONE;
    }

    #[inline(always)]
    pub(crate) fn row(&self, number: u16) -> &Row {
        debug_assert!(usize::from(number) < page::ROW_AREA / size_of::<Row>());
        // SAFETY: rows have numbers below their number; the memory has room for all of them, is
        // aligned, and zeros are a row.
        unsafe { &*self.rows.pointer().cast::<Row>().add(usize::from(number)) }
    }

    #[inline(always)]
    pub(crate) fn row_of(&self, site: u32) -> Option<u16> {
        let row = self.rows_of_places.get(site as usize).copied();
        row.filter(|&row| row != NO_ROW)
    }

    /// Takes note of a place that is new, the next one after those that are known.
    pub(crate) fn define(&mut self, page: &Page, operation: u8, definition: &[u8]) {
        self.add_name(page, definition);
        let site = self.rows_of_places.len() as u32;
        let row = match is_timed(operation) {
            true => self.new_row(page, site, operation),
            false => NO_ROW,
        };
        self.rows_of_places.push(row);
    }

    fn new_row(&mut self, page: &Page, site: u32, operation: u8) -> u16 {
        let next = |used: &AtomicU64, first: usize, most: usize| {
            let number = used.load(Ordering::Relaxed) as usize;
            (number < most).then_some((first + number) as u16)
        };
        if let Some(row) = next(&page.site_rows, 0, SITE_ROWS) {
            self.row(row).begin(site, operation);
            page.site_rows.store(u64::from(row) + 1, Ordering::Release);
            return row;
        }
        let known = self.rows_of_operations[usize::from(operation)];
        if known != NO_ROW {
            return known;
        }
        let Some(row) = next(&page.operation_rows, SITE_ROWS, OPERATION_ROWS) else {
            return NO_ROW;
        };
        self.row(row).begin(SHARED, operation);
        add(&page.operation_rows, 1);
        self.rows_of_operations[usize::from(operation)] = row;
        row
    }

    fn add_name(&mut self, page: &Page, definition: &[u8]) {
        if page.names_cut.load(Ordering::Relaxed) != 0 {
            return;
        }
        let begin = page.name_bytes.load(Ordering::Relaxed) as usize;
        let end = begin + definition.len();
        if end > NAMES || end > self.names_provided && !self.provide_names(end) {
            page.names_cut.store(1, Ordering::Relaxed);
            return;
        }
        // SAFETY: the area is that long, what was provided can be written, and only this thread
        // writes it.
        unsafe {
            let place = self.names.pointer().add(begin);
            std::ptr::copy_nonoverlapping(definition.as_ptr(), place, definition.len());
        }
        page.name_bytes.store(end as u64, Ordering::Release);
        let count = page.name_count.load(Ordering::Relaxed);
        page.name_count.store(count + 1, Ordering::Release);
    }

    /// Definitions of the places so far.
    pub(crate) fn known_names(&self, page: &Page) -> &[u8] {
        let length = page.name_bytes.load(Ordering::Relaxed) as usize;
        // SAFETY: the area is that long at least, and only this thread writes it.
        unsafe { std::slice::from_raw_parts(self.names.pointer(), length.min(NAMES)) }
    }

    fn provide_names(&mut self, end: usize) -> bool {
        let length = end.next_multiple_of(NAMES_STEP).min(NAMES);
        let provide = |file: &CString| provide_in(file, NAMES_AT as u64, length);
        let is_there = self.file.as_ref().is_some_and(provide);
        if is_there {
            self.names_provided = length;
        }
        is_there
    }

    /// The thread has entered an operation at `depth`, where the outermost region has 1.
    #[inline(always)]
    pub(crate) fn enter(
        &mut self,
        page: &Page,
        depth: usize,
        operation: u8,
        site: u32,
        attributes: Packed,
        time: u64,
    ) {
        if self.timed == 0 && self.last.is_alike(site, attributes) {
            // SAFETY: rows stay where they are as long as this value.
            let (row, moved) = unsafe { (&*self.last.row, &*self.last.moved) };
            self.timed = depth;
            if !std::ptr::eq(self.timed_row, row) {
                self.timed_row = row;
            }
            row.enter(time);
            row.count();
            add(moved, attributes.transferred());
            return;
        }
        self.enter_other(page, depth, operation, site, attributes, time);
    }

    /// A message of a channel, in an operation that no other one encloses.
    #[inline]
    fn enter_message(
        &mut self,
        depth: usize,
        operation: u8,
        number: u16,
        message: Message,
        time: u64,
    ) {
        let row: *const Row = self.row(number);
        (self.timed, self.timed_row) = (depth | HAS_MORE, row);
        // SAFETY: rows stay where they are as long as this value.
        let row = unsafe { &*row };
        row.enter(time);
        row.count();
        row.count_bytes(Partner::Unknown, message.bytes);
        self.tasks.enter_message(operation, message, time);
    }

    #[inline(never)]
    fn enter_other(
        &mut self,
        page: &Page,
        depth: usize,
        operation: u8,
        site: u32,
        attributes: Packed,
        time: u64,
    ) {
        if let Some(message) = attributes.channel_message() {
            if let (Some(number), 0) = (self.row_of(site), self.timed) {
                return self.enter_message(depth, operation, number, message, time);
            }
        }
        if is_of_tasks(operation) {
            if self.tasks.area.provide(0) {
                page.has_tasks.store(1, Ordering::Release);
            }
            self.tasks
                .enter_operation(operation, site, attributes, time);
        }
        let Some(number) = self.row_of(site) else {
            return;
        };
        if self.timed == 0 {
            self.timed = match is_about_lock(operation) || is_of_tasks(operation) {
                true => depth | HAS_MORE,
                false => depth,
            };
            self.timed_row = self.row(number);
            self.row(number).enter(time);
        }
        self.row(number).count();
        self.count_bytes(number, attributes, time);
        self.note_transfer(number, site, attributes);
        if is_about_lock(operation) {
            self.enter_lock(page, operation, attributes);
        }
    }

    fn note_transfer(&mut self, number: u16, site: u32, attributes: Packed) {
        let transfer = attributes.transfer();
        let known = transfer.and_then(|(partner, _)| self.partners.known(partner));
        if let Some(known) = known {
            let row = self.row(number);
            self.last = LastTransfer {
                site,
                kind: attributes.kind(),
                row,
                moved: &row.bytes[known],
            };
        }
    }

    /// It is about to leave it.
    pub(crate) fn leave(
        &mut self,
        page: &Page,
        depth: usize,
        operation: u8,
        attributes: Packed,
        time: u64,
    ) {
        if self.timed == depth {
            if let Some(collective) = attributes.collective() {
                // SAFETY: as in `stop`.
                unsafe { &*self.timed_row }.note_collective(collective);
            }
            self.stop(page, time);
            return;
        }
        self.leave_other(page, depth, operation, attributes, time);
    }

    /// As [`Live::leave`] without attributes, at a time that is not before that of any event so
    /// far.
    #[inline(always)]
    pub(crate) fn leave_in_order(&mut self, page: &Page, depth: usize, operation: u8, time: u64) {
        if self.timed == depth {
            // SAFETY: as in `stop`.
            unsafe { &*self.timed_row }.leave_in_order(time);
            page.computes_since.store(time, Ordering::Release);
            self.timed = 0;
            return;
        }
        self.leave_other(page, depth, operation, Packed::NONE, time);
    }

    #[inline(never)]
    fn leave_other(
        &mut self,
        page: &Page,
        depth: usize,
        operation: u8,
        attributes: Packed,
        time: u64,
    ) {
        if self.timed == depth | HAS_MORE {
            self.stop(page, time);
        }
        if is_of_tasks(operation) {
            self.tasks.leave_operation(operation, attributes, time);
        }
        if is_about_lock(operation) {
            self.leave_lock(page, operation, attributes);
        }
    }

    /// Whether the outermost operation is the region at `depth`.
    pub(crate) fn is_timed_at(&self, depth: usize) -> bool {
        self.timed & !HAS_MORE == depth
    }

    /// Whether an operation is open whose region is none of the `depth` outermost ones.
    pub(crate) fn is_timed_beyond(&self, depth: usize) -> bool {
        self.timed & !HAS_MORE > depth
    }

    /// Whether no operation is open.
    pub(crate) fn computes(&self) -> bool {
        self.timed == 0
    }

    /// The outermost operation ends.
    pub(crate) fn stop(&mut self, page: &Page, time: u64) {
        // SAFETY: an operation is timed, so that this is its row; rows stay where they are.
        unsafe { &*self.timed_row }.leave(time);
        page.computes_since.store(time, Ordering::Release);
        self.timed = 0;
    }

    #[inline(always)]
    pub(crate) fn count_bytes(&mut self, row: u16, attributes: Packed, time: u64) {
        if let Some((partner, bytes)) = attributes.transfer() {
            if let Some(known) = self.partners.known(partner) {
                add(&self.row(row).bytes[known], bytes);
                return;
            }
        }
        if attributes.moves_data() {
            self.count_bytes_slowly(row, attributes, time);
        }
    }

    #[inline(never)]
    fn count_bytes_slowly(&mut self, row: u16, attributes: Packed, time: u64) {
        let partner = attributes.partner(self.thread, self.threads);
        let partner = self.partners.of(partner, time);
        self.row(row).count_bytes(partner, attributes.bytes());
    }

    #[cold]
    #[inline(never)]
    fn enter_lock(&mut self, page: &Page, operation: u8, attributes: Packed) {
        let Some(lock) = attributes.lock() else {
            return;
        };
        if operation == Operation::Lock as u8 {
            let wanted = lock.wrapping_add(1);
            page.wanted.store(wanted, Ordering::Release);
        } else if operation == Operation::Unlock as u8 {
            page.release(lock);
        } else {
            self.attempted = lock;
        }
    }

    #[cold]
    #[inline(never)]
    fn leave_lock(&mut self, page: &Page, operation: u8, attributes: Packed) {
        if operation == Operation::Lock as u8 {
            let wanted = page.wanted.load(Ordering::Relaxed);
            if let Some(lock) = wanted.checked_sub(1) {
                page.hold(lock);
            }
            page.wanted.store(0, Ordering::Release);
        } else if attributes.has_acquired() {
            page.hold(self.attempted);
        }
    }

    /// Nobody is to find the page any more.
    pub(crate) fn remove(&self) {
        if let Some(file) = &self.file {
            // SAFETY: a C string.
            unsafe { libc::unlink(file.as_ptr()) };
        }
    }
}

/// The transfer that a thread has entered last: the next one like it needs no search for its row.
struct LastTransfer {
    site: u32,
    /// Kind and partner ([`Packed::kind`]).
    kind: u64,
    row: *const Row,
    /// Bytes moved from or to that partner's class.
    moved: *const AtomicU64,
}

impl LastTransfer {
    const NONE: LastTransfer = LastTransfer {
        site: u32::MAX,
        kind: 0,
        row: std::ptr::null(),
        moved: std::ptr::null(),
    };

    /// Whether these are of the same place, kind and partner. Their bytes may differ.
    #[inline(always)]
    fn is_alike(&self, site: u32, attributes: Packed) -> bool {
        self.site == site && self.kind == attributes.kind()
    }
}

/// Whether the time of an operation is shown. The program computes in the others.
fn is_timed(operation: u8) -> bool {
    use Operation::*;
    let computes = [Malloc, Realloc, MallocFree, Forall, Task];
    operation >= FIRST_WITH_ATTRIBUTES && !computes.iter().any(|&other| other as u8 == operation)
}

/// Whether it is a stretch of a task, or an operation of one.
#[inline(always)]
fn is_of_tasks(operation: u8) -> bool {
    const TASK: u8 = Operation::Task as u8;
    const INPUT_DELETE: u8 = Operation::InputDelete as u8;
    matches!(operation, TASK..=INPUT_DELETE)
}

#[inline(always)]
fn is_about_lock(operation: u8) -> bool {
    const LOCK: u8 = Operation::Lock as u8;
    const UNLOCK: u8 = Operation::Unlock as u8;
    matches!(operation, LOCK..=UNLOCK)
}

const _: () = assert!(Partner::Unknown as usize + 1 == pgas_live::row::PARTNERS);

#[cfg(test)]
mod tests {
    use pgas_trace_format::model::Attributes;

    use super::*;

    fn get(partner: u32, bytes: u64) -> Packed {
        let address = None;
        Packed::from(Attributes::Transfer {
            partner,
            bytes,
            address,
        })
    }

    #[test]
    fn transfers_of_changing_sizes_and_partners_are_counted_as_they_are() {
        let (page, get_number) = (Page::default(), Operation::Memget as u8);
        let mut live = Live::new(0, 3).unwrap();
        live.define(&page, get_number, b"first");
        live.define(&page, get_number, b"second");
        let calls = [
            (0, 0, 8),
            (0, 0, 8),
            (0, 0, 16),
            (0, 1, 5),
            (1, 0, 100),
            (0, 0, 1),
        ];
        for (at, (site, partner, bytes)) in calls.into_iter().enumerate() {
            let begin = 1000 * at as u64 + 1000;
            live.enter(&page, 1, get_number, site, get(partner, bytes), begin);
            live.leave(&page, 1, get_number, Packed::NONE, begin + 10);
        }
        let of = |row: u16| {
            let row = live.row(row);
            let load = |word: &AtomicU64| word.load(Ordering::Relaxed);
            let own = load(&row.bytes[Partner::Own as usize]);
            let unknown = load(&row.bytes[Partner::Unknown as usize]);
            let time = row.time.load(Ordering::Relaxed);
            (load(&row.calls), own, unknown, time)
        };
        assert_eq!(of(0), (5, 33, 5, 50));
        assert_eq!(of(1), (1, 100, 0, 10));
    }

    #[test]
    fn a_transfer_within_another_operation_is_counted_but_not_timed() {
        let (page, outer, inner) = (Page::default(), Operation::Broadcast, Operation::Memget);
        let mut live = Live::new(0, 2).unwrap();
        live.define(&page, outer as u8, b"outer");
        live.define(&page, inner as u8, b"inner");
        for begin in [1000, 2000] {
            live.enter(&page, 1, inner as u8, 1, get(0, 8), begin);
            live.leave(&page, 1, inner as u8, Packed::NONE, begin + 10);
        }
        live.enter(&page, 1, outer as u8, 0, Packed::NONE, 3000);
        live.enter(&page, 2, inner as u8, 1, get(0, 8), 3100);
        live.leave(&page, 2, inner as u8, Packed::NONE, 3200);
        live.leave(&page, 1, outer as u8, Packed::NONE, 3300);
        let time = |row: u16| live.row(row).time.load(Ordering::Relaxed);
        assert_eq!((time(0), time(1)), (300, 20));
        assert_eq!(live.row(1).calls.load(Ordering::Relaxed), 3);
    }
}
