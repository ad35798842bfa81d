//! How a thread's full buffer, and the sums that it has meanwhile collected, come to whoever writes
//! them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{Ordering, compiler_fence, fence};
use std::sync::{MutexGuard, PoisonError};

use pgas_trace_format::buffers::page::BufferState;
use pgas_trace_format::properties::{INTERRUPTED_AFTER, SIGNAL, SIGNAL_TIME};
use pgas_trace_format::samples::SharedArray;
use pgas_trace_format::varint;

use crate::buffer::Buffer;
use crate::clock::thread_time;
use crate::helper;
use crate::memory;
use crate::placement::this_core;
use crate::recorder::{Recorder, UNKNOWN_CORE};
use crate::signals::without_signals;
use crate::sink::Sink;
use crate::stack::{Stack, State};
use crate::test_kill;
use crate::thread_state::ThreadState;

/// Bytes that samples and arrays take in a stream's properties at most, while they are written.
const LONG_PROPERTIES: usize = 4 << 20;

impl Recorder {
    /// Tells the thread to stop at its next event.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.gate.limit.store(0, Ordering::SeqCst);
    }

    /// Whether the thread was told to stop. Asked while BUSY is set and before anything is changed:
    /// from then on the end of the process may read what the thread had.
    pub(crate) fn has_ended(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Provides the memory of the buffers, so that the thread need not do it page by page. For the
    /// helper: a short run that fills little of it shall not wait for all.
    pub(crate) fn populate(&self) {
        if self.has_events {
            for buffer in &self.buffers {
                buffer.populate(self.size, || !self.has_ended());
            }
        }
    }

    /// Whether there is something to be written.
    pub(crate) fn has_full_buffer(&self) -> bool {
        self.buffers.iter().any(Buffer::is_full)
    }

    /// The core that the thread was on when it last handed over a buffer.
    pub(crate) fn core(&self) -> Option<usize> {
        let core = self.core.load(Ordering::Relaxed);
        (core != UNKNOWN_CORE).then_some(core)
    }

    /// Writes the buffers that are full, if nobody else does at this moment. For the helper.
    pub(crate) fn write_full_buffers(&self) {
        if self.has_full_buffer() {
            self.drain(&mut self.lock_sink());
        }
    }

    /// Number of blocks handed over so far.
    pub(crate) fn handed_over(&self) -> u32 {
        self.handed_over.load(Ordering::Relaxed)
    }

    /// Asks the thread to hand its buffer over at its next event, full or not.
    pub(crate) fn request_block(&self) {
        self.gate.limit.store(0, Ordering::Relaxed);
    }

    pub(crate) fn lock_sink(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Called where the position has reached the limit: hands the buffer over, or finds out that
    /// recording is to stop: false.
    #[cold]
    pub(crate) fn make_room(&self, state: &mut ThreadState) -> bool {
        if self.closed.load(Ordering::SeqCst) || !self.is_of_this_process() {
            return false;
        }
        state.adopt_metrics();
        if state.page.events == 0 && !state.are_sums_due() && !self.are_samples_due() {
            // The helper asked for a block, but there is nothing in it yet.
            self.set_limit(state);
            return !self.closed.load(Ordering::SeqCst);
        }
        without_signals(|| catch_unwind(AssertUnwindSafe(|| self.hand_over(state)))).unwrap_or_else(
            |_| {
                self.close();
                false
            },
        )
    }

    pub(crate) fn hand_over(&self, state: &mut ThreadState) -> bool {
        state.charge_counters();
        let begin = state.clock.now().max(state.page.last_time);
        // The next event's difference is one to the beginning of the next block.
        state.after_gap(begin);
        let ends_trace =
            !state.is_profile && self.written.load(Ordering::Relaxed) >= self.trace_limit;
        self.core
            .store(this_core().unwrap_or(UNKNOWN_CORE), Ordering::Relaxed);
        // SAFETY: this is the owner of the current buffer, which is not full.
        unsafe { self.fill_current(state, ends_trace) };
        let other = 1 - state.current;
        let is_stalled = self.is_synchronous || self.buffers[other].is_full();
        state.show_stall(is_stalled);
        if self.is_synchronous {
            self.drain(&mut self.lock_sink());
        } else {
            helper::wake();
            if is_stalled {
                // Wait for the helper if it is at work on one of them, and do the rest instead of
                // it.
                self.drain(&mut self.lock_sink());
            }
        }
        state.show_stall(false);
        if self.closed.load(Ordering::SeqCst) {
            return false;
        }
        if ends_trace {
            state.begin_profile();
            self.limit_reached.store(true, Ordering::Relaxed);
        }
        self.begin_block(state, other, begin);
        if is_stalled {
            self.note_stall(state, begin);
        }
        // The recorder's work here is not the program's.
        state.skip_counters();
        if is_stalled {
            state.skip_no_core();
        }
        true
    }

    /// The thread has waited from `begin` on.
    pub(crate) fn note_stall(&self, state: &mut ThreadState, begin: u64) {
        if state.is_profile {
            state.sum_stall(begin);
            return;
        }
        // The stall will be seen in what is recorded around it. The times of calls that are not
        // must not have it too.
        for index in 0..state.stack.depth() {
            let open = state.stack.at_mut(index);
            if open.state() == State::Sampled {
                open.set_state(State::Counted);
            }
        }
        state.append_stall(begin);
    }

    /// Ends the stream with all that was not written yet. The recorder is closed, and its thread
    /// appends no more.
    pub(crate) fn write_the_rest(&self, state: &mut ThreadState) {
        let began = thread_time();
        self.end_sampling();
        let mut sink = self.lock_sink();
        self.drain(&mut sink);
        sink.begin_end();
        if state.page.events > 0 || state.has_sums() || self.has_samples() {
            // SAFETY: nothing is full after `drain`, and the thread does not touch its buffer any
            // more.
            unsafe { self.fill_current(state, true) };
            self.drain(&mut sink);
        }
        self.release_written(state);
        let mut properties = Vec::new();
        if state
            .counters
            .as_ref()
            .is_some_and(|counters| counters.has_ended())
        {
            let reason = "they stopped counting during the run".to_owned();
            properties.push(("counters_refused", reason));
        }
        properties.extend(self.sampling_properties());
        if state.unmatched_ends > 0 {
            properties.push(("unmatched_ends", state.unmatched_ends.to_string()));
        }
        let left_out = state.what_was_left_out();
        properties.extend(left_out.map(|(key, value)| (key, value.to_string())));
        properties.push(("set_up_cpu_time", state.set_up.to_string()));
        let within = state.set_up_within.to_string();
        properties.push(("set_up_within_cpu_time", within));
        let finish = thread_time().saturating_sub(began);
        properties.push(("finish_cpu_time", finish.to_string()));
        properties.push(("helper_cpu_time", helper::claim_time().to_string()));
        if let Some(ticks) = state.interrupted_after {
            properties.push((INTERRUPTED_AFTER, ticks.to_string()));
        }
        let time = state.page.signal_time;
        if time != 0 {
            if state.page.signal != 0 {
                properties.push((SIGNAL, state.page.signal.to_string()));
            }
            properties.push((SIGNAL_TIME, time.to_string()));
        }
        if let Some(used) = self.core_use(state) {
            properties.extend(used.properties());
        }
        // Long properties need memory that the program may not have left.
        let has_memory = memory::has(LONG_PROPERTIES);
        if let Some(text) = state.samples.text().filter(|_| has_memory) {
            properties.push((pgas_trace_format::samples::SAMPLES, text));
        }
        if !state.arrays.is_empty() && has_memory {
            let lines: Vec<String> = state.arrays.iter().map(SharedArray::to_text).collect();
            properties.push((pgas_trace_format::samples::ARRAYS, lines.join("\n")));
        }
        sink.add_properties(&properties);
        test_kill::point("end: sealed");
        sink.finish(self.lost(), self.limit_reached.load(Ordering::Relaxed));
        test_kill::point("end: written");
        self.note_closed();
        self.release_buffers(state);
        if let Some(file) = &self.buffer_file {
            file.remove();
        }
        if let Some(live) = &state.live {
            live.remove();
        }
    }

    /// Releases all memory but the last block, which must outlive a kill of the process until it is
    /// in the file. This way, most of the cost of the release counts as the recorder's.
    fn release_written(&self, state: &mut ThreadState) {
        let last = state.current;
        state.page.buffers[1 - last].block = 0;
        compiler_fence(Ordering::SeqCst);
        self.buffers[1 - last].release();
        let unwritten = state.page.buffers[last].length as usize;
        self.buffers[last].release_beyond(unwritten);
    }

    /// All that was in the buffers is in the stream.
    fn release_buffers(&self, state: &mut ThreadState) {
        for (buffer, noted) in self.buffers.iter().zip(&mut state.page.buffers) {
            // Other processes that read the shared buffer find no block here.
            noted.block = 0;
            compiler_fence(Ordering::SeqCst);
            buffer.release();
        }
    }

    /// There is nothing in the buffers that could still be written.
    fn note_closed(&self) {
        // SAFETY: the field is for those who read from outside; nobody here reads it, and no
        // reference to it is used.
        unsafe {
            let state = self.state.get();
            (&raw mut (*state).page.closed).write_volatile(1);
            Stack::note_end(&raw const (*state).stack);
        }
    }

    /// Hands over the current buffer, with the sums if it is time for them or `all` is to be handed
    /// over.
    ///
    /// # Safety
    /// The caller owns the current buffer, which is not full.
    unsafe fn fill_current(&self, state: &mut ThreadState, all: bool) {
        let buffer = &self.buffers[state.current];
        // The block is whole: that can be seen from outside before the next one is begun.
        let noted = &mut state.page.buffers[state.current];
        if state.page.events > 0 {
            noted.length = state.page.position as u64;
            state.blocks_before += 1;
        } else {
            noted.block = 0;
        }
        compiler_fence(Ordering::Release);
        // SAFETY: promised by the caller.
        unsafe {
            buffer.fill(|filled| {
                filled.length = state.page.position;
                filled.events = state.page.events;
                filled.first_time = state.first_time;
                filled.last_time = state.page.last_time;
                filled.sites_before = state.sites_before;
                filled.block = state.block;
                filled.definitions.clear();
                filled.sums.clear();
                filled.counters.clear();
                filled.stack_samples.clear();
                let has_memory = memory::has(state.sums_size());
                if has_memory && (state.are_sums_due() || all && state.has_sums()) {
                    state.take_sums(filled, self.buffer_file.as_ref());
                }
                if self.are_samples_due() || all && self.has_samples() {
                    self.take_samples(state, filled);
                }
                std::mem::swap(&mut filled.definitions, &mut state.dictionary.new);
                filled.definition_count = std::mem::take(&mut state.dictionary.new_count);
            });
        }
        state.page.events = 0;
        state.sites_before = state.dictionary.defined();
        self.handed_over.fetch_add(1, Ordering::Relaxed);
    }

    /// Begins a block at time `begin` in buffer `index` with the regions that are open.
    pub(crate) fn begin_block(&self, state: &mut ThreadState, index: usize, begin: u64) {
        // Other processes that read the shared buffer find no block here until its header is
        // written.
        state.page.buffers[index].block = 0;
        compiler_fence(Ordering::SeqCst);
        let depth = state.stack.depth();
        if let Some(file) = &self.buffer_file {
            file.provide(index, &self.buffers[index], self.size, depth);
        }
        state.current = index;
        state.page.current = index as u32;
        state.buffer = self.buffers[index].pointer();
        state.capacity = self.buffers[index].capacity();
        state.block += 1;
        state.first_time = begin;
        state.page.last_time = begin;
        let open = state.stack.iter().filter(|open| open.is_recorded()).count();
        state.page.position = varint::put(state.bytes(), 0, open as u64);
        for index in 0..state.stack.depth() {
            let open = *state.stack.at(index);
            if open.is_recorded() {
                let position = state.page.position;
                state.page.position = varint::put(state.bytes(), position, u64::from(open.site));
            }
        }
        compiler_fence(Ordering::SeqCst);
        let is_shared = self.buffers[index].is_shared();
        state.page.buffers[index] = BufferState {
            block: 0,
            blocks_before: state.blocks_before,
            length: 0,
            first_time: begin,
        };
        compiler_fence(Ordering::SeqCst);
        if is_shared {
            state.page.buffers[index].block = state.block;
        }
        self.set_limit(state);
    }

    /// Sets the limit for a block that holds nothing but its prefix.
    fn set_limit(&self, state: &ThreadState) {
        self.gate
            .limit
            .store(state.page.position + self.size, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if self.closed.load(Ordering::SeqCst) {
            self.gate.limit.store(0, Ordering::SeqCst);
        }
    }

    /// Writes the buffers that are full, the older one first.
    fn drain(&self, sink: &mut Sink) {
        while let Some(buffer) = self.oldest_full() {
            // SAFETY: the caller holds the sink's lock, and the buffer is full.
            unsafe {
                let (filled, bytes) = buffer.filled();
                sink.write(filled, bytes);
                buffer.empty();
            }
            self.written.store(sink.length(), Ordering::Relaxed);
            if sink.is_stopped() {
                self.close();
                self.note_closed();
            }
        }
    }

    fn oldest_full(&self) -> Option<&Buffer> {
        self.buffers
            .iter()
            .filter(|buffer| buffer.is_full())
            // SAFETY: called with the sink's lock held, for full buffers.
            .min_by_key(|buffer| unsafe { buffer.filled() }.0.block)
    }
}
