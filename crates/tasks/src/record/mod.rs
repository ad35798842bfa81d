//! Feeds the recorder of pgastool with what tasks do. Each processor is a thread of the experiment.
//!
//! Without `pgastool run` there is no recorder, and an event costs a look at whether there is one.

mod calls;
pub mod functions;
mod strings;

use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::events::{Call, Event};
use crate::identity::Identity;
use crate::place::Place;
use calls::Recorder;

/// Numbers of regions in `pgas_measure.h`.
mod region {
    use std::ffi::c_int;

    pub const SEND: c_int = 83;
    pub const RECEIVE: c_int = 84;
    pub const SELECT: c_int = 85;
    pub const IDLE: c_int = 86;
    pub const CLOSE: c_int = 87;
    pub const INPUT_DELETE: c_int = 88;
}

/// Why a processor leaves a task, in `pgas_measure.h`.
mod reason {
    use std::ffi::c_int;

    pub const YIELDED: c_int = 0;
    pub const RECEIVES: c_int = 1;
    pub const SENDS: c_int = 2;
    pub const SELECTS: c_int = 3;
    pub const ENDED: c_int = 4;
}

/// What a processor has to know for its recorder.
struct Here {
    /// Null if nothing is recorded.
    recorder: Cell<*const Recorder>,
    /// Whether a task runs. Operations outside of tasks, as when a program has failed and what
    /// tasks have is dropped, are not recorded.
    runs_task: Cell<bool>,
    /// What the task that runs has begun to wait for.
    reason: Cell<c_int>,
}

thread_local! {
    static HERE: Here = const {
        Here {
            recorder: Cell::new(ptr::null()),
            runs_task: Cell::new(false),
            reason: Cell::new(reason::YIELDED),
        }
    };
}

/// The recording of a run's processors.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// Threads of an experiment are recorded once.
    is_first: bool,
}

impl Run {
    /// A run begins in this process.
    pub fn begin() -> Self {
        static ANY: AtomicBool = AtomicBool::new(false);
        Self {
            is_first: !ANY.swap(true, Ordering::Relaxed),
        }
    }

    /// Records this thread as processor `me`, if somebody wants that, until the result is dropped.
    pub fn open(self, me: usize, processors: usize) -> Processor {
        if self.is_first {
            let (me, processors) = (me as c_int, processors as c_int);
            // SAFETY: the name is a string that stays.
            let recorder = unsafe {
                calls::pgas_name_runtime(c"tasks".as_ptr());
                calls::pgas_open(me, processors)
            };
            HERE.with(|here| here.recorder.set(recorder));
        }
        Processor(())
    }
}

/// A processor that is recorded while this exists.
pub(crate) struct Processor(());

impl Drop for Processor {
    fn drop(&mut self) {
        let recorder = HERE.with(|here| here.recorder.replace(ptr::null()));
        // SAFETY: it is null or this thread's, which does not use it any more.
        unsafe { calls::pgas_finish(recorder) };
    }
}

/// The recorder of this thread; null if it has none.
#[inline]
fn recorder() -> *const Recorder {
    HERE.with(|here| here.recorder.get())
}

/// Whether the process runs under `pgastool run`, which sets this variable for the recorder.
pub(crate) fn is_wanted() -> bool {
    std::env::var_os("PGAS_EXPERIMENT").is_some_and(|directory| !directory.is_empty())
}

/// Why several processes are not recorded: a process that sends to a channel of another one does
/// not know the numbers of its messages in the channel.
pub(crate) const ALONE: &str = "programs of tasks are recorded on one process only: found several, \
    by PGAS_TASK_PROCESSES, Program::processes or an MPI job; run it on one, whose threads are its \
    processors, or without pgastool";

/// Whether this thread is recorded.
#[inline]
pub(crate) fn is_on() -> bool {
    !recorder().is_null()
}

/// The time, if this thread is recorded.
#[inline]
pub(crate) fn now() -> u64 {
    HERE.with(|here| match here.recorder.get() {
        recorder if recorder.is_null() => 0,
        // SAFETY: it is this thread's.
        recorder => unsafe { calls::pgas_record_clock(recorder) },
    })
}

/// Records an event: an operation since `began`, or something that happens now.
#[inline]
pub(crate) fn event(began: u64, event: &Event) {
    HERE.with(|here| {
        let recorder = here.recorder.get();
        if !recorder.is_null() {
            here.take(recorder, began, event);
        }
    });
}

impl Here {
    #[inline]
    fn take(&self, recorder: *const Recorder, began: u64, event: &Event) {
        match event {
            Event::Begin(task) => begin(recorder, task),
            Event::Resume(task) => self.resume(recorder, task),
            Event::Pause(_) => self.leave(recorder, self.reason.get()),
            Event::End(_) => self.leave(recorder, reason::ENDED),
            // SAFETY: the recorder is this thread's, and null is allowed for strings.
            Event::Idle { .. } => unsafe {
                calls::pgas_enter(recorder, region::IDLE, ptr::null(), 0, ptr::null());
            },
            // SAFETY: as above.
            Event::Busy { .. } => unsafe {
                calls::pgas_exit(recorder, region::IDLE, ptr::null());
            },
            _ if self.runs_task.get() => self.operation(recorder, began, event),
            _ => {}
        }
    }

    fn resume(&self, recorder: *const Recorder, task: &Identity) {
        self.runs_task.set(true);
        self.reason.set(reason::YIELDED);
        let (file, line) = strings::place(&task.created);
        let name = strings::terminated(task.name);
        // SAFETY: the recorder is this thread's, and strings are never freed.
        unsafe { calls::pgas_enter_task(recorder, file, line, name, task.number) };
    }

    fn leave(&self, recorder: *const Recorder, reason: c_int) {
        self.runs_task.set(false);
        // SAFETY: the recorder is this thread's.
        unsafe { calls::pgas_exit_task(recorder, reason) };
    }

    /// Of the task that runs.
    #[inline]
    fn operation(&self, recorder: *const Recorder, began: u64, event: &Event) {
        match event {
            Event::Create(task) => create(recorder, began, task),
            Event::Channel {
                channel,
                capacity,
                place,
            } => create_channel(recorder, began, *channel, *capacity, place),
            Event::Send(call) => message(recorder, began, region::SEND, call),
            Event::Receive(call) => message(recorder, began, region::RECEIVE, call),
            Event::SendWaits(call) => {
                self.reason.set(reason::SENDS);
                of_channel(
                    recorder,
                    began,
                    region::SEND,
                    call.channel,
                    Some(&call.place),
                );
            }
            Event::ReceiveWaits(call) => {
                self.reason.set(reason::RECEIVES);
                let place = Some(&call.place);
                of_channel(recorder, began, region::RECEIVE, call.channel, place);
            }
            Event::SelectWaits { inputs, place } => {
                self.reason.set(reason::SELECTS);
                select_waits(recorder, began, *inputs, place);
            }
            Event::Select { channel, place, .. } => {
                of_channel(recorder, began, region::SELECT, *channel, Some(place));
            }
            Event::Close { channel } => {
                of_channel(recorder, began, region::CLOSE, *channel, None);
            }
            Event::Abandon { channel } => {
                of_channel(recorder, began, region::INPUT_DELETE, *channel, None);
            }
            _ => {}
        }
    }
}

/// The main task is created before there are processors.
fn begin(recorder: *const Recorder, task: &Identity) {
    if task.parent == task.number {
        create(recorder, now(), task);
    }
}

fn create(recorder: *const Recorder, began: u64, task: &Identity) {
    let (file, line) = strings::place(&task.created);
    let (name, number, processor) = (strings::terminated(task.name), task.number, task.processor);
    // SAFETY: the recorder is this thread's, and strings are never freed.
    unsafe {
        calls::pgas_record_task_create(recorder, began, file, line, name, number, processor);
    }
}

fn create_channel(
    recorder: *const Recorder,
    began: u64,
    channel: u64,
    capacity: Option<usize>,
    place: &Place,
) {
    let (file, line) = strings::place(place);
    let capacity = capacity.map_or(u64::MAX, |capacity| capacity as u64);
    // SAFETY: as in `create`.
    unsafe {
        calls::pgas_record_channel_create(recorder, began, file, line, channel, capacity);
    }
}

#[inline]
fn message(recorder: *const Recorder, began: u64, region: c_int, call: &Call) {
    let (file, line) = strings::place(&call.place);
    let (bytes, queued) = (call.bytes as u64, call.queued as u64);
    // SAFETY: as in `create`.
    unsafe {
        calls::pgas_record_channel_message(
            recorder,
            region,
            began,
            file,
            line,
            call.channel,
            call.message,
            bytes,
            queued,
        );
    }
}

fn of_channel(
    recorder: *const Recorder,
    began: u64,
    region: c_int,
    channel: u64,
    place: Option<&Place>,
) {
    let (file, line) = place.map_or((ptr::null(), 0), strings::place);
    let began = if began == 0 { now() } else { began };
    // SAFETY: as in `create`; null is allowed.
    unsafe {
        calls::pgas_record_channel_operation(recorder, region, began, file, line, channel);
    }
}

fn select_waits(recorder: *const Recorder, began: u64, inputs: usize, place: &Place) {
    let (file, line) = strings::place(place);
    let inputs = u32::try_from(inputs).unwrap_or(u32::MAX);
    // SAFETY: as in `create`.
    unsafe { calls::pgas_record_select_wait(recorder, began, file, line, inputs) };
}
