//! The kernel's interface to counters, `perf_event_open`: opening, reading by a system call, and
//! reading in the program itself where the processor and the kernel allow that.

use std::io;
use std::ptr::NonNull;
use std::sync::atomic::{Ordering, compiler_fence};

use super::event::Event;
use crate::descriptor::move_up;

const FLAG_CLOSE_ON_EXEC: libc::c_ulong = 8;
const IOC_ID: libc::c_ulong = 0x8008_2407;
/// Bits of `flags` in the attributes.
const PINNED: u64 = 1 << 2;
const EXCLUDE_USER: u64 = 1 << 4;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
/// Bits of `read_format`.
const FORMAT_ID: u64 = 1 << 2;
const FORMAT_GROUP: u64 = 1 << 3;

/// Counters of one group at most.
pub(super) const MOST: usize = 16;

/// The first version of the attributes, which every kernel knows.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_kind: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_kind: u32,
    config1: u64,
}

/// Opens an event that signals each `period` (nanoseconds) of the calling thread's CPU time, in user
/// mode only. It is disabled.
///
/// # Errors
/// Those of `perf_event_open`.
pub(crate) fn software_event(period: u64) -> io::Result<libc::c_int> {
    const SOFTWARE: u32 = 1;
    const TASK_CLOCK: u64 = 1;
    const DISABLED: u64 = 1;
    open(
        &Attributes {
            kind: SOFTWARE,
            size: size_of::<Attributes>() as u32,
            config: TASK_CLOCK,
            sample_period: period,
            flags: DISABLED | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR,
            wakeup_events: 1,
            ..Attributes::default()
        },
        -1,
    )
}

/// A descriptor for an event of the calling thread, on any processor.
fn open(attributes: &Attributes, group: libc::c_int) -> io::Result<libc::c_int> {
    let this_thread: libc::pid_t = 0;
    let any_processor: libc::c_int = -1;
    // SAFETY: the kernel reads the attributes, whose size they contain.
    let opened = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            std::ptr::from_ref(attributes),
            this_thread,
            any_processor,
            group,
            FLAG_CLOSE_ON_EXEC,
        )
    };
    match opened {
        ..0 => Err(io::Error::last_os_error()),
        _ => Ok(opened as libc::c_int),
    }
}

/// One counter of the calling thread. It counts from the beginning on.
pub(super) struct Counter {
    descriptor: libc::c_int,
    /// The kernel's number of it, by which it knows itself in what is read.
    id: u64,
    page: Option<Page>,
}

impl Counter {
    /// Opens a counter, in the group of `leader` if there is one. The group is pinned: it counts
    /// all the time or not at all, so that nothing needs to be extrapolated.
    ///
    /// # Errors
    /// Those of `perf_event_open`.
    pub(super) fn open(
        event: &Event,
        exclude_kernel: bool,
        leader: Option<&Counter>,
    ) -> io::Result<Self> {
        let flag = |is_set: bool, bits: u64| if is_set { bits } else { 0 };
        let attributes = Attributes {
            kind: event.kind,
            size: size_of::<Attributes>() as u32,
            config: event.config,
            read_format: FORMAT_GROUP | FORMAT_ID,
            flags: flag(leader.is_none(), PINNED)
                | flag(event.exclude_user, EXCLUDE_USER)
                | flag(exclude_kernel, EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR),
            ..Attributes::default()
        };
        let opened = open(&attributes, leader.map_or(-1, |leader| leader.descriptor))?;
        let mut counter = Counter {
            descriptor: move_up(opened),
            id: 0,
            page: None,
        };
        counter.id = counter.ask_id().ok_or_else(io::Error::last_os_error)?;
        counter.page = Page::map(counter.descriptor);
        Ok(counter)
    }

    /// The number of the counter behind the descriptor; `None` if the program has put something
    /// else there.
    fn ask_id(&self) -> Option<u64> {
        let mut id = 0u64;
        // SAFETY: for a counter, the kernel writes a number of 64 bits; for anything else it
        // refuses.
        let result =
            unsafe { libc::ioctl(self.descriptor, IOC_ID as _, std::ptr::from_mut(&mut id)) };
        (result == 0).then_some(id)
    }
}

#[cfg(test)]
impl Counter {
    pub(super) fn descriptor(&self) -> libc::c_int {
        self.descriptor
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.page = None;
        if self.ask_id() == Some(self.id) {
            // SAFETY: the descriptor is still the counter's, so nobody else uses it.
            unsafe { libc::close(self.descriptor) };
        }
    }
}

/// Reads a group, of which the first is the leader, by a system call. False if it does not count
/// any more: another user has taken the processor's counters, or the program has closed the
/// descriptor.
pub(super) fn read(group: &[Counter], values: &mut [u64; MOST]) -> bool {
    let Some(leader) = group.first() else {
        return true;
    };
    // The program may close descriptors that it does not know and open files under their numbers.
    // Nothing of such a file may be taken away.
    if leader.ask_id() != Some(leader.id) {
        return false;
    }
    // How many there are, then value and number of each.
    let mut buffer = [0u64; 1 + 2 * MOST];
    let expected = (1 + 2 * group.len()) * size_of::<u64>();
    // SAFETY: the kernel writes at most as many bytes as the buffer has.
    let length = unsafe {
        libc::read(
            leader.descriptor,
            buffer.as_mut_ptr().cast(),
            size_of_val(&buffer),
        )
    };
    if length != expected as isize || buffer[0] != group.len() as u64 {
        return false;
    }
    let pairs = buffer[1..].chunks_exact(2);
    for ((value, pair), counter) in values.iter_mut().zip(pairs).zip(group) {
        if pair[1] != counter.id {
            return false;
        }
        *value = pair[0];
    }
    true
}

/// Reads a group without a system call. False if that is not possible at this moment.
#[inline]
pub(super) fn read_in_place(group: &[Counter], values: &mut [u64; MOST]) -> bool {
    group.iter().zip(values).all(|(counter, value)| {
        let read = counter.page.as_ref().and_then(Page::read);
        read.map(|read| *value = read).is_some()
    })
}

/// The beginning of the page in which the kernel tells where a counter is (`perf_event_mmap_page`).
#[repr(C)]
struct PageHead {
    version: u32,
    compatible_version: u32,
    /// Odd or changed while the kernel is at it.
    lock: u32,
    /// The processor's counter plus 1; 0 while there is none.
    index: u32,
    /// Number to be added to the processor's counter.
    offset: i64,
    time_enabled: u64,
    time_running: u64,
    capabilities: u64,
    /// Bits of the processor's counter.
    width: u16,
}

/// The bit of `capabilities` that allows a program to read the counter.
const USER_MAY_READ: u64 = 1 << 2;

struct Page(NonNull<PageHead>);

// SAFETY: the page is only read, and belongs to the counter of one recorder.
unsafe impl Send for Page {}
// SAFETY: as above.
unsafe impl Sync for Page {}

impl Page {
    fn map(descriptor: libc::c_int) -> Option<Self> {
        if !cfg!(target_arch = "x86_64") {
            return None;
        }
        // SAFETY: a new mapping at an address that the system chooses touches nothing that exists.
        let pointer = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                page_size(),
                libc::PROT_READ,
                libc::MAP_SHARED,
                descriptor,
                0,
            )
        };
        if pointer == libc::MAP_FAILED {
            return None;
        }
        Some(Page(NonNull::new(pointer.cast())?))
    }

    #[inline]
    fn read(&self) -> Option<u64> {
        let head = self.0.as_ptr();
        loop {
            // SAFETY: the page stays mapped as long as this value lives; the kernel changes it at
            // any time, so every field is read by a volatile access and used only if
            // nothing has changed meanwhile.
            unsafe {
                let lock = (&raw const (*head).lock).read_volatile();
                compiler_fence(Ordering::SeqCst);
                let index = (&raw const (*head).index).read_volatile();
                let offset = (&raw const (*head).offset).read_volatile();
                let width = (&raw const (*head).width).read_volatile();
                let capabilities = (&raw const (*head).capabilities).read_volatile();
                if capabilities & USER_MAY_READ == 0 || index == 0 {
                    return None;
                }
                let counter = read_processor(index - 1)?;
                compiler_fence(Ordering::SeqCst);
                if (&raw const (*head).lock).read_volatile() == lock {
                    return Some(value(counter, offset, width));
                }
            }
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own.
        unsafe { libc::munmap(self.0.as_ptr().cast(), page_size()) };
    }
}

/// The count: the processor's counter, which has `width` bits and a sign, and what the kernel has
/// added up before.
fn value(counter: u64, offset: i64, width: u16) -> u64 {
    let unused = 64 - u32::from(width.clamp(1, 64));
    let signed = (counter << unused) as i64 >> unused;
    offset.wrapping_add(signed) as u64
}

/// Reads a counter of the processor.
///
/// # Safety
/// The kernel has allowed it, and the counter exists.
#[cfg(target_arch = "x86_64")]
#[inline]
unsafe fn read_processor(index: u32) -> Option<u64> {
    let (low, high): (u32, u32);
    // SAFETY: promised by the caller; the instruction changes nothing but these registers.
    unsafe {
        std::arch::asm!(
            "rdpmc",
            in("ecx") index,
            out("eax") low,
            out("edx") high,
            options(nomem, nostack, preserves_flags)
        );
    }
    Some(u64::from(high) << 32 | u64::from(low))
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn read_processor(_index: u32) -> Option<u64> {
    None
}

fn page_size() -> usize {
    // SAFETY: no pointers.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processors_counter_has_a_sign_and_fewer_bits() {
        // As the kernel does it: the counter starts below zero, and the offset makes up for that.
        let width = 48;
        let start = (1u64 << 48) - (1 << 31);
        assert_eq!(value(start, 1 << 31, width), 0);
        assert_eq!(value(start + 1000, 1 << 31, width), 1000);
        assert_eq!(value(5, (1 << 31) + 7, width), (1 << 31) + 12);
        assert_eq!(value(u64::MAX, 1, 64), 0);
        // Values that no kernel gives must not overflow either.
        value(1, i64::MAX, 0);
        value(1, i64::MIN, u16::MAX);
    }

    #[test]
    fn the_layouts_are_the_kernels() {
        assert_eq!(size_of::<Attributes>(), 64);
        assert_eq!(std::mem::offset_of!(Attributes, read_format), 32);
        assert_eq!(std::mem::offset_of!(Attributes, flags), 40);
        assert_eq!(std::mem::offset_of!(PageHead, index), 12);
        assert_eq!(std::mem::offset_of!(PageHead, offset), 16);
        assert_eq!(std::mem::offset_of!(PageHead, capabilities), 40);
        assert_eq!(std::mem::offset_of!(PageHead, width), 48);
    }
}
