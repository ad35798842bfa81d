//! Memory of the rows of tasks and channels in a thread's live file (`pgas_live::tasks`). The
//! system provides a page of it when its first row is used.

use std::ffi::CString;
use std::sync::atomic::{AtomicU64, Ordering};

use pgas_live::page::{PAGE, TASK_AREA_AT};
use pgas_live::row::add;
use pgas_live::tasks::{
    AREA, CHANNELS, CHANNELS_AT, ChannelRow, PORTS, PORTS_AT, PortRow, TASKS, TASKS_AT, TaskRow,
    TasksHead,
};

use crate::buffer::Reserved;
use crate::buffer_file::provide_in;

/// A task or port without a row.
pub(crate) const NO_ROW: u16 = u16::MAX;

/// The area of a thread.
pub(crate) struct TaskArea {
    memory: Reserved,
    /// The file that it is in, once it is; pages of it that can be written, a bit each.
    file: Option<CString>,
    provided: [u64; AREA.div_ceil(PAGE * 64)],
}

impl TaskArea {
    /// `None` if there is no memory. Nobody sees it yet.
    pub(crate) fn new() -> Option<Self> {
        Some(TaskArea {
            memory: Reserved::new(AREA)?,
            file: None,
            provided: [0; AREA.div_ceil(PAGE * 64)],
        })
    }

    /// Puts it into the live file with this descriptor and path.
    pub(crate) fn map(&mut self, descriptor: libc::c_int, file: &CString) -> bool {
        self.file = Some(file.clone());
        self.memory.map(descriptor, TASK_AREA_AT as u64)
    }

    /// Forgets everything, and is seen by nobody any more.
    pub(crate) fn reset(&mut self) {
        self.memory.map_anew();
        self.file = None;
    }

    /// Makes sure that the page with this byte of the area, and its begin, can be written.
    pub(crate) fn provide(&mut self, at: usize) -> bool {
        self.provide_page(0) && self.provide_page(at / PAGE)
    }

    fn provide_page(&mut self, page: usize) -> bool {
        let Some(file) = &self.file else {
            return true;
        };
        let (word, bit) = (page / 64, 1 << (page % 64));
        if self.provided[word] & bit == 0 {
            let begin = (TASK_AREA_AT + page * PAGE) as u64;
            if !provide_in(file, begin, PAGE) {
                return false;
            }
            self.provided[word] |= bit;
        }
        true
    }

    fn at<T>(&self, offset: usize) -> &T {
        debug_assert!(offset + size_of::<T>() <= AREA);
        // SAFETY: callers ask for rows where the layout has them: within the area, aligned, and
        // of atomic words, for which zeros are valid.
        unsafe { &*self.memory.pointer().add(offset).cast::<T>() }
    }

    pub(crate) fn head(&self) -> &TasksHead {
        self.at(0)
    }

    #[inline(always)]
    pub(crate) fn task(&self, row: u16) -> &TaskRow {
        self.at(TASKS_AT + usize::from(row) * size_of::<TaskRow>())
    }

    #[inline(always)]
    pub(crate) fn port(&self, row: u16) -> &PortRow {
        self.at(PORTS_AT + usize::from(row) * size_of::<PortRow>())
    }

    /// A row of a task that nobody has had; [`NO_ROW`] if there is none.
    pub(crate) fn new_task(&mut self) -> u16 {
        let used = self.used(|head| &head.task_rows);
        let at = TASKS_AT + used * size_of::<TaskRow>();
        if used >= TASKS || !self.provide(at) {
            return NO_ROW;
        }
        add(&self.head().task_rows, 1);
        used as u16
    }

    /// Likewise of a port.
    pub(crate) fn new_port(&mut self) -> u16 {
        let used = self.used(|head| &head.port_rows);
        let at = PORTS_AT + used * size_of::<PortRow>();
        if used >= PORTS || !self.provide(at) {
            return NO_ROW;
        }
        add(&self.head().port_rows, 1);
        used as u16
    }

    /// Takes note of a new channel, in place of the one that has been known for longest if there
    /// are too many.
    pub(crate) fn add_channel(&mut self, channel: u64, capacity: Option<u64>, site: u32) {
        let used = self.used(|head| &head.channels);
        let at = CHANNELS_AT + used % CHANNELS * size_of::<ChannelRow>();
        if self.provide(at) {
            let row: &ChannelRow = self.at(at);
            row.begin(channel, capacity, site);
            add(&self.head().channels, 1);
        }
    }

    /// Adds one to a count.
    pub(crate) fn count(&mut self, count: fn(&TasksHead) -> &AtomicU64) {
        if self.provide(0) {
            add(count(self.head()), 1);
        }
    }

    fn used(&mut self, count: fn(&TasksHead) -> &AtomicU64) -> usize {
        match self.provide(0) {
            true => count(self.head()).load(Ordering::Relaxed) as usize,
            false => usize::MAX,
        }
    }
}
