//! Which threads share memory with this one: those whose live pages are on this node.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use pgas_live::place::{self, PLACE};
use pgas_live::row::{PARTNERS, Partner};

use crate::clock::monotonic;
use crate::signals::without_signals;

/// Nanoseconds for which a thread whose page is not there yet may be about to make it.
const STARTING: u64 = 2_000_000_000;
/// Nanoseconds between two looks for pages that are not there yet.
pub(crate) const BETWEEN_LOOKS: u64 = 10_000_000;

const OWN: usize = Partner::Own as usize;
const NEAR: usize = Partner::Near as usize;

/// Whose memory the memory of each thread is.
pub(crate) struct Partners {
    /// By thread: the number of a [`Partner`], or more where that is not known yet.
    known: Vec<u8>,
    /// What names the files of the run.
    pub(crate) key: String,
    /// Nanoseconds of the system's clock: when the thread began.
    began: u64,
    /// Ticks: when to look again for those that are not known, and between two looks.
    next_look: u64,
    pub(crate) between_looks: u64,
}

impl Partners {
    pub(crate) fn new(thread: u32, threads: u32) -> Self {
        let mut known = vec![u8::MAX; threads as usize];
        if let Some(own) = known.get_mut(thread as usize) {
            *own = Partner::Own as u8;
        }
        Partners {
            known,
            key: String::new(),
            began: monotonic(),
            next_look: 0,
            between_looks: 0,
        }
    }

    /// What is known of a thread, as the number of a [`Partner`].
    #[inline(always)]
    pub(crate) fn known(&self, thread: u32) -> Option<usize> {
        let known = self.known.get(thread as usize).copied();
        known.map(usize::from).filter(|&known| known < PARTNERS)
    }

    /// Whose memory that of a thread is, by its number plus 1; 0 is none. It may be found out at
    /// `time` (ticks).
    pub(crate) fn of(&mut self, partner: u32, time: u64) -> Partner {
        let Some(thread) = partner.checked_sub(1) else {
            return Partner::Unknown;
        };
        match self.known(thread) {
            Some(OWN) => Partner::Own,
            Some(NEAR) => Partner::Near,
            Some(_) => Partner::Far,
            None if time >= self.next_look => self.find(thread, time),
            None => Partner::Unknown,
        }
    }

    /// Looks whether the thread has a page on this node. While it may still be about to make one,
    /// nothing is concluded.
    #[cold]
    #[inline(never)]
    fn find(&mut self, thread: u32, time: u64) -> Partner {
        if self.key.is_empty() {
            return Partner::Unknown;
        }
        let found = match self.has_page(thread) {
            true => Partner::Near,
            false if monotonic().saturating_sub(self.began) > STARTING => Partner::Far,
            false => {
                self.next_look = time.saturating_add(self.between_looks);
                return Partner::Unknown;
            }
        };
        if let Some(known) = self.known.get_mut(thread as usize) {
            *known = found as u8;
        }
        found
    }

    fn has_page(&self, thread: u32) -> bool {
        without_signals(|| {
            let file = place::file(Path::new(PLACE), &self.key, thread);
            let file = CString::new(file.as_os_str().as_bytes());
            // SAFETY: a C string.
            file.is_ok_and(|file| unsafe { libc::access(file.as_ptr(), libc::F_OK) } == 0)
        })
    }
}
