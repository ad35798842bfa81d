//! The file of a thread's live page, which other processes map.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use pgas_live::page::{
    self, Header, LENGTH, LONGEST_PATH, MAGIC, NAMES_AT, NAMES_STEP, PROVIDED, ROWS_AT, RUNNING,
    VERSION,
};
use pgas_live::place::{self, PLACE};
use pgas_trace_format::buffers::Identity;
use std::sync::atomic::Ordering;

use crate::buffer_file::provide;
use crate::clock::since_epoch;
use crate::config::Config;
use crate::metrics;
use crate::node;
use crate::partners::BETWEEN_LOOKS;
use crate::recorder::{Gate, Recorder};
use crate::runtime;
use crate::test_clock;

impl Recorder {
    /// Puts the live page into a file, if there is to be one, before anything is recorded. If that
    /// is not possible, says why, and there is no page. Called with signals blocked.
    pub(crate) fn show(&mut self, config: &Config, thread: u32) -> Result<(), &'static str> {
        if self.state.get_mut().live.is_none() {
            return Ok(());
        }
        let shown = self.try_to_show(config, thread);
        if shown.is_err() {
            self.state.get_mut().live = None;
        }
        shown
    }

    fn try_to_show(&mut self, config: &Config, thread: u32) -> Result<(), &'static str> {
        if test_clock::of(thread).is_some() {
            return Err("its clock is that of a test");
        }
        let identity = Identity::of_this_process().ok_or("/proc is not there")?;
        let header = self.live_header(config, thread, &identity);
        let key = place::key(
            config.run.as_deref(),
            config.experiment.as_os_str().as_bytes(),
        );
        metrics::open_inbox(&key);
        let path = place::file(Path::new(PLACE), &key, thread);
        let path = CString::new(path.as_os_str().as_bytes()).map_err(|_| "no name")?;
        // A child of a fork finds nothing at the gate. The system knows that since Linux 4.14.
        const MADV_WIPEONFORK: libc::c_int = 18;
        let gate = (&raw mut self.gate).cast();
        // SAFETY: the range is that of the gate, which fills its pages.
        if unsafe { libc::madvise(gate, size_of::<Gate>(), MADV_WIPEONFORK) } != 0 {
            return Err("the system is too old");
        }
        let file = create(&path)?;
        // SAFETY: no pointers.
        let is_long = unsafe { libc::ftruncate(file, LENGTH as libc::off_t) } == 0;
        let is_shown = is_long && provide(file, 0, PROVIDED) && self.map_live(file, &path);
        // SAFETY: the descriptor is this function's own; what was mapped stays.
        unsafe { libc::close(file) };
        if !is_shown {
            // SAFETY: a C string.
            unsafe { libc::unlink(path.as_ptr()) };
            return Err("no room for it in /dev/shm");
        }
        let state = self.state.get_mut();
        state.stack.describe(header);
        let between_looks = state.ticks(BETWEEN_LOOKS);
        if let Some(live) = &mut state.live {
            live.partners.key = key;
            live.partners.between_looks = between_looks;
            live.file = Some(path);
            live.names_provided = NAMES_STEP;
        }
        let page = state.stack.page();
        let start = state.start.ticks;
        page.computes_since.store(start, Ordering::Relaxed);
        page.state.store(RUNNING, Ordering::Release);
        Ok(())
    }

    fn map_live(&mut self, file: libc::c_int, path: &CString) -> bool {
        let state = self.state.get_mut();
        let Some(live) = &mut state.live else {
            return false;
        };
        live.rows.map(file, ROWS_AT as u64)
            && live.names.map(file, NAMES_AT as u64)
            && live.tasks.area.map(file, path)
            && state.stack.share(file)
    }

    fn live_header(&mut self, config: &Config, thread: u32, process: &Identity) -> Header {
        let state = self.state.get_mut();
        let experiment = std::path::absolute(&config.experiment);
        let experiment = experiment.as_deref().unwrap_or(&config.experiment);
        let experiment = experiment.as_os_str().as_bytes();
        let experiment = match experiment.len() <= LONGEST_PATH {
            true => experiment,
            false => &[],
        };
        let mut path = [0; LONGEST_PATH];
        path[..experiment.len()].copy_from_slice(experiment);
        let mut header = Header {
            magic: MAGIC,
            version: VERSION,
            thread,
            threads: state.threads,
            process: process.process,
            process_start: process.start,
            namespace: process.namespace,
            start_ticks: state.start.ticks,
            start_nanoseconds: state.start.nanoseconds,
            start_unix: since_epoch(),
            length: LENGTH as u64,
            clock: u32::from(state.clock.kind().number()),
            path_length: experiment.len() as u32,
            run: page::name(config.run.as_deref().unwrap_or_default()),
            host: page::name(&node::host_name(thread)),
            node: page::name(&node::clock_name(thread)),
            runtime: page::name(&runtime::name().unwrap_or_default()),
            path,
            checksum: 0,
        };
        header.checksum = header.right_checksum();
        header
    }
}

/// Makes the file. One of a process that is gone is in nobody's way; one of a process that is there
/// stays.
fn create(path: &CString) -> Result<libc::c_int, &'static str> {
    let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC | libc::O_NOFOLLOW;
    // SAFETY: a C string.
    let open = || unsafe { libc::open(path.as_ptr(), flags, 0o600) };
    let mut file = open();
    if file < 0 && is_stale(path) {
        // SAFETY: a C string.
        unsafe { libc::unlink(path.as_ptr()) };
        file = open();
    }
    match file {
        0.. => Ok(file),
        _ => Err("cannot create its file in /dev/shm, or another program of this run has it"),
    }
}

fn is_stale(path: &CString) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let path = Path::new(std::ffi::OsStr::from_bytes(path.to_bytes()));
    let page = pgas_live::LivePage::open(path);
    page.is_ok_and(|page| !page.process().is_alive())
}
