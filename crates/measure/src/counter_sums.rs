//! Sums of a thread's counters by call path: counts between two boundaries of regions belong to the
//! path of the innermost open region. Sums lie beside the nodes of the call tree, in memory that
//! takes no room until it is used.

use std::ffi::CString;

use pgas_trace_format::buffers::page::PAGE;
use pgas_trace_format::buffers::sums::MAX_NODES;

use crate::buffer::Reserved;
use crate::buffer_file::{provide_in, write_in};
use crate::counters::Counters;
use crate::node_id::{NodeId, ROOT, UNPLACED};

/// The counters of a thread and their sums.
pub(crate) struct CounterSums {
    counters: Counters,
    /// As many numbers for each node of the call tree as there are counters.
    memory: Reserved,
    has_changed: bool,
    /// They cannot be read any more.
    has_ended: bool,
    /// Nodes whose numbers can be written without the system having to find room for them.
    provided: usize,
    /// The file that the numbers lie in, and where the names and they begin; `None` if nobody else
    /// can read them.
    file: Option<(CString, [u64; 2])>,
}

/// Bytes of the names' area in a file.
pub(crate) const NAMES: usize = PAGE;
/// Bytes that are provided for numbers at a time.
pub(crate) const STEP: usize = 16 << 10;

impl CounterSums {
    /// `None` if there is no address space left.
    pub(crate) fn new(counters: Counters) -> Option<Self> {
        let length = MAX_NODES * counters.names().len() * size_of::<u64>();
        Some(CounterSums {
            memory: Reserved::new(length)?,
            counters,
            has_changed: false,
            has_ended: false,
            provided: MAX_NODES,
            file: None,
        })
    }

    /// Bytes of the numbers' area in a file.
    pub(crate) fn length(&self) -> usize {
        self.memory.length()
    }

    /// Puts the numbers, of which none counts, into an area of a file whose first [`STEP`] bytes
    /// are provided, and the names into another one. If that fails, everything is as it was.
    pub(crate) fn share(
        &mut self,
        descriptor: libc::c_int,
        file: CString,
        offsets: [u64; 2],
    ) -> bool {
        let mut names = self.names().join(",").into_bytes();
        names.push(0);
        let is_mapped = names.len() <= NAMES
            && write_in(&file, offsets[0], &names)
            && self.memory.map(descriptor, offsets[1]);
        if is_mapped {
            self.provided = STEP / self.row_bytes();
            self.file = Some((file, offsets));
        }
        is_mapped
    }

    /// Bytes of a node's numbers.
    fn row_bytes(&self) -> usize {
        self.names().len().max(1) * size_of::<u64>()
    }

    /// Provides memory for the numbers of a node in the file, or else for all of them in the
    /// process's own. Whether there is any.
    #[cold]
    fn provide(&mut self, node: NodeId) -> bool {
        let Some((file, [names, numbers])) = &self.file else {
            return false;
        };
        let row = self.row_bytes();
        let length = ((node as usize + 1) * row).next_multiple_of(STEP);
        let length = length.min(self.memory.length());
        if provide_in(file, *numbers, length) {
            self.provided = length / row;
            return true;
        }
        // Others find no counters here from now on.
        let is_own = write_in(file, *names, &[0]) && self.memory.take_back(self.provided * row);
        if is_own {
            self.file = None;
            self.provided = MAX_NODES;
        }
        is_own
    }

    pub(crate) fn names(&self) -> &[String] {
        self.counters.names()
    }

    /// Whether there are sums that no block has carried yet.
    pub(crate) fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Whether the counters stopped counting before the end.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Adds what was counted since the last reading to a node; [`ROOT`] and [`UNPLACED`] for
    /// nobody.
    pub(crate) fn charge(&mut self, node: NodeId) {
        if self.has_ended {
            return;
        }
        let width = self.names().len();
        let has_room = |sums: &mut Self| (node as usize) < sums.provided || sums.provide(node);
        let is_nobody = node == ROOT || node == UNPLACED || !has_room(self);
        let Some(counted) = self.counters.read() else {
            self.has_ended = true;
            return;
        };
        if is_nobody {
            counted.for_each(drop);
            return;
        }
        // SAFETY: the memory is this value's own, and holds as many numbers for each node; it comes
        // zeroed.
        let sums = unsafe { row(&self.memory, node, width) };
        for (sum, count) in sums.iter_mut().zip(counted) {
            *sum = sum.wrapping_add(count);
        }
        self.has_changed = true;
    }

    /// The sums of the first `used` nodes.
    pub(crate) fn rows(&self, used: usize) -> Vec<u64> {
        let width = self.names().len();
        let mut rows = vec![0; used * width];
        for (node, to) in rows
            .chunks_exact_mut(width.max(1))
            .enumerate()
            .take(self.provided)
        {
            // SAFETY: as in `charge`.
            to.copy_from_slice(unsafe { row(&self.memory, node as NodeId, width) });
        }
        rows
    }

    /// All of them were written, and begin at zero again.
    pub(crate) fn clear(&mut self, used: u32) {
        let width = self.names().len();
        for node in 0..used.min(self.provided as u32) {
            // SAFETY: as in `charge`.
            unsafe { row(&self.memory, node, width) }.fill(0);
        }
        self.has_changed = false;
    }
}

/// # Safety
/// The memory holds `width` numbers for each of [`MAX_NODES`] nodes, and nobody else refers to
/// them.
#[allow(clippy::mut_from_ref)] // the borrow of the whole value is what keeps others out
unsafe fn row(memory: &Reserved, node: NodeId, width: usize) -> &mut [u64] {
    let node = node as usize;
    assert!(node < MAX_NODES && MAX_NODES * width * size_of::<u64>() <= memory.length());
    // SAFETY: within the memory, as was just checked; zeros are numbers.
    unsafe {
        let first = memory.pointer().cast::<u64>().add(node * width);
        std::slice::from_raw_parts_mut(first, width)
    }
}
