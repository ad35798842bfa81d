//! Operations of tasks that are recorded when they are over, and stretches of tasks.

use std::sync::atomic::Ordering;

use pgas_trace_format::encode;
use pgas_trace_format::model::Operation;

use super::Recorder;
use super::flags::{BUSY, OFF};
use crate::attributes::Packed;
use crate::dictionary::{FIRST_MARK, Place};
use crate::thread_state::ThreadState;

impl Recorder {
    /// Now, in ticks, for [`Recorder::record_since`].
    #[inline(always)]
    pub(crate) unsafe fn now(&self) -> u64 {
        // SAFETY: the thread itself never changes its clock.
        unsafe { (*self.state.get()).clock }.now()
    }

    /// A region at `place` from `began` until now.
    ///
    /// # Safety
    /// As for [`Recorder::enter`].
    #[inline(always)]
    pub(crate) unsafe fn record_since(&self, began: u64, place: Place, attributes: Packed) {
        if self.gate.flags.load(Ordering::Relaxed) == 0 {
            self.set_flags(BUSY);
            // SAFETY: this is the recorder's thread, and BUSY keeps out what interrupts it.
            let state = unsafe { &mut *self.state.get() };
            let site = state.dictionary.find(place).site;
            let has_room = state.page.position < self.gate.limit.load(Ordering::Relaxed)
                && state.stack.has_room();
            // Before anything is written, so that this does not count as the program's time.
            let ended = match place.number() == RECEIVE {
                // It ends after the send of its message has begun.
                true => state.clock.now_in_order(),
                false => state.clock.now(),
            };
            if site < FIRST_MARK && has_room && !state.is_long_after(ended) {
                state.append_operation((began, ended), place, site, attributes);
                self.set_flags(0);
                return;
            }
            self.set_flags(0);
        }
        // SAFETY: promised by the caller.
        unsafe { self.record_the_long_way(began, place, attributes) };
    }

    #[cold]
    #[inline(never)]
    unsafe fn record_the_long_way(&self, began: u64, place: Place, attributes: Packed) {
        if self.gate.flags.load(Ordering::Relaxed) & (BUSY | OFF) == 0 {
            // SAFETY: as above.
            unsafe { (*self.state.get()).began = began };
        }
        // SAFETY: promised by the caller.
        unsafe {
            self.enter_the_long_way(place.number(), place, attributes);
            // One that is not recorded has not looked at it.
            (*self.state.get()).began = 0;
            self.exit_the_long_way(place.number(), place.name, Packed::NONE);
        }
    }

    /// The end of the stretch of a task, and of all regions inside of it that are open.
    ///
    /// # Safety
    /// As for [`Recorder::enter`].
    pub(crate) unsafe fn leave_task(&self, attributes: Packed) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 || self.is_a_copy() {
            self.count_lost(flags);
            return;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: as in `enter`.
        let state = unsafe { &mut *self.state.get() };
        if self.has_ended() {
            self.count_lost(OFF);
            self.set_flags(OFF);
            return;
        }
        state.stack.forget_beyond();
        let is_task = |index: &usize| state.stack.at(*index).operation() == TASK;
        let mut goes_on = true;
        if let Some(task) = (0..state.stack.depth()).rev().find(is_task) {
            while goes_on && state.stack.depth() > task + 1 {
                goes_on = self.leave(state, Packed::NONE);
            }
            goes_on = goes_on && self.leave(state, attributes);
        }
        self.set_flags_after(state, goes_on);
    }
}

const TASK: u8 = Operation::Task.number();
const RECEIVE: u8 = Operation::ChannelReceive.number();

impl ThreadState {
    /// Enter and Exit of an operation, for which there is room.
    #[inline(always)]
    fn append_operation(
        &mut self,
        (began, ended): (u64, u64),
        place: Place,
        site: u32,
        attributes: Packed,
    ) {
        let operation = place.number();
        self.record_enter(began, operation, place.name, site, attributes);
        let difference = self.advance(ended);
        let position = self.page.position;
        let end = encode::exit(self.bytes(), position, difference);
        self.end_record(end);
        self.show_exit(operation, Packed::NONE, self.page.last_time);
        self.stack.pop();
    }

    /// When a region that is entered now began: now, unless it is recorded when it is over.
    #[inline(always)]
    pub(crate) fn begin_time(&mut self) -> u64 {
        match std::mem::take(&mut self.began) {
            0 => self.clock.now(),
            began => began,
        }
    }
}
