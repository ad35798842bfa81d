//! Where a thread tells its live page (`live`) what it does: at the boundaries of operations, when
//! the recorder holds it up, and when the program switches recording off.

use std::sync::atomic::AtomicI64;

use pgas_live::row::{add, begin_stretch, end_stretch};

use crate::attributes::Packed;
use crate::thread_state::ThreadState;

impl ThreadState {
    /// An operation was entered, and is the innermost region now.
    #[inline(always)]
    pub(crate) fn show_enter(&mut self, operation: u8, site: u32, attributes: Packed, time: u64) {
        if let Some(live) = &mut self.live {
            let depth = self.stack.depth();
            live.enter(self.stack.page(), depth, operation, site, attributes, time);
        }
    }

    /// The innermost region, which was recorded, is about to be left, at a time that is not before
    /// that of any event so far.
    #[inline(always)]
    pub(crate) fn show_exit_in_order(&mut self, operation: u8, time: u64) {
        if let Some(live) = &mut self.live {
            let depth = self.stack.depth();
            live.leave_in_order(self.stack.page(), depth, operation, time);
        }
    }

    /// The innermost region is about to be left.
    #[inline(always)]
    pub(crate) fn show_exit(&mut self, operation: u8, attributes: Packed, time: u64) {
        if let Some(live) = &mut self.live {
            let depth = self.stack.depth();
            if attributes.moves_data() {
                let site = self.stack.top_or_bottom().site;
                if let Some(row) = live.row_of(site) {
                    live.count_bytes(row, attributes, time);
                }
            }
            live.leave(self.stack.page(), depth, operation, attributes, time);
        }
    }

    /// An operation was entered that is only counted.
    #[inline(always)]
    pub(crate) fn show_counted(&mut self, site: u32, attributes: Packed) {
        if let Some(live) = &mut self.live {
            let Some(number) = live.row_of(site) else {
                return;
            };
            live.row(number).count();
            add(&self.stack.page().untimed[usize::from(number)], 1);
            live.count_bytes(number, attributes, 0);
        }
    }

    /// A throttled operation is about to be left, at `time` if it was timed, else 0. If it is no
    /// more, though it was when it was entered, the clock is read.
    #[inline(always)]
    pub(crate) fn show_exit_of_throttled(&mut self, operation: u8, time: u64) {
        if let Some(live) = &mut self.live {
            let depth = self.stack.depth();
            if live.is_timed_at(depth) {
                let time = match time {
                    0 => self.clock.now(),
                    time => time,
                };
                live.leave(self.stack.page(), depth, operation, Packed::NONE, time);
            }
        }
    }

    /// Regions were left without notice.
    pub(crate) fn show_return(&mut self) {
        let depth = self.stack.depth();
        if let Some(live) = &mut self.live {
            if live.is_timed_beyond(depth) {
                live.stop(self.stack.page(), self.clock.now());
            }
        }
    }

    /// From now on the recorder holds the thread up, or does so no more. Within an operation, that
    /// is the operation's time.
    #[inline(never)]
    pub(crate) fn show_stall(&mut self, is_held: bool) {
        let Some(live) = &mut self.live else {
            return;
        };
        let is_counted = is_held && live.computes() && !live.is_pause_open;
        let word = &self.stack.page().stalled;
        if is_counted != live.is_stall_open {
            live.is_stall_open = is_counted;
            turn(word, is_counted, self.clock.now());
        }
    }

    /// The program switches recording off, or on again.
    pub(crate) fn show_pause(&mut self, is_paused: bool) {
        let Some(live) = &mut self.live else {
            return;
        };
        let is_counted = is_paused && live.computes();
        if is_counted != live.is_pause_open {
            live.is_pause_open = is_counted;
            turn(&self.stack.page().paused, is_counted, self.clock.now());
        }
    }
}

fn turn(word: &AtomicI64, begins: bool, now: u64) {
    match begins {
        true => begin_stretch(word, now),
        false => end_stretch(word, now),
    }
}
