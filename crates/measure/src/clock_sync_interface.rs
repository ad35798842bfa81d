//! Comparisons of clocks in a running program: when the decoder of events sees that all threads are
//! there, each calls [`pgas_compare_clocks`] with access to the program's shared memory, and what
//! comes out goes into its stream.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pgas_trace_format::checksum;

use crate::clock_sync::{Cells, Outcome, Participant, ROUNDS};
use crate::message::say;
use crate::node;
use crate::process;
use crate::recorder::Recorder;

/// `pgas_cells` of the C interface.
#[repr(C)]
pub struct SharedCells {
    read: extern "C" fn(thread: c_int, cell: c_int) -> u64,
    write: extern "C" fn(thread: c_int, cell: c_int, value: u64),
}

impl Cells for SharedCells {
    fn read(&self, thread: u32, cell: u32) -> u64 {
        (self.read)(thread as c_int, cell as c_int)
    }

    fn write(&self, thread: u32, cell: u32, value: u64) {
        (self.write)(thread as c_int, cell as c_int, value);
    }
}

/// Whether there is anything to compare at a later time.
///
/// # Safety
/// `recorder` is null or the calling thread's; `cells` is null or valid during the call. All
/// threads call it at about the same time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_compare_clocks(
    recorder: *const Recorder,
    thread: c_int,
    threads: c_int,
    round: c_int,
    cells: *const SharedCells,
) -> c_int {
    let (Ok(thread), Ok(threads), Ok(round)) = (
        u32::try_from(thread),
        u32::try_from(threads),
        u32::try_from(round),
    ) else {
        return 0;
    };
    // SAFETY: promised by the caller.
    let (recorder, cells) = unsafe { (recorder.as_ref(), cells.as_ref()) };
    let Some(cells) = cells.filter(|_| round < ROUNDS && thread < threads) else {
        return 0;
    };
    let compared = catch_unwind(AssertUnwindSafe(|| {
        compare(recorder, thread, threads, round, cells)
    }));
    c_int::from(compared.unwrap_or(false))
}

fn compare(
    recorder: Option<&Recorder>,
    thread: u32,
    threads: u32,
    round: u32,
    cells: &SharedCells,
) -> bool {
    // A thread whose own recording failed answers the others all the same.
    let Some((settings, clock)) = process::clock_settings(thread) else {
        return false;
    };
    let begin = clock.now();
    let participant = Participant {
        cells,
        now: || clock.now_in_order(),
        thread,
        threads,
        round,
        identity: checksum(node::clock_name(thread).as_bytes()) | 1,
        settings,
    };
    match participant.run() {
        Outcome::OneNode => return false,
        Outcome::Compared(comparison) => {
            if let (Some(recorder), Some(comparison)) = (recorder, comparison) {
                recorder.lock_sink().note_comparison(&comparison);
            }
        }
        Outcome::GivenUp(silent) => {
            if thread == 0 {
                say(&format!(
                    "the clocks of this run's nodes could not be compared at its {}, since thread \
                     {silent} did not answer; the program goes on",
                    ["beginning", "end"][round as usize]
                ));
            }
        }
    }
    if let Some(recorder) = recorder {
        // SAFETY: this is the recorder's thread.
        unsafe { recorder.stood_still(begin) };
    }
    true
}
