//! The machine that runs a program: its transport, its mapping, the numbers it gives, its failure.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::failure::Failure;
use crate::mapping::Mapping;
use crate::remote;
use crate::transport::Transport;

/// Shared by all processors of a process. `P` is what the transport carries.
pub(crate) struct Machine<P> {
    pub transport: Box<dyn Transport<P>>,
    pub mapping: Mapping,
    tasks: AtomicU64,
    stopping: AtomicBool,
    failure: Mutex<Option<Failure>>,
}

impl<P> Machine<P> {
    pub fn new(transport: Box<dyn Transport<P>>, mapping: Mapping, process: u32) -> Self {
        Self {
            transport,
            mapping,
            tasks: AtomicU64::new(u64::from(process) << 32),
            stopping: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    /// Number of the next task.
    pub fn number_task(&self) -> u64 {
        self.tasks.fetch_add(1, Ordering::Relaxed)
    }

    /// Ends all tasks; the first failure is the one that is reported.
    pub fn fail(&self, failure: Failure) {
        if let Some(node) = remote::node() {
            node.tell_failure(&failure);
        }
        self.failure.lock().get_or_insert(failure);
        self.stopping.store(true, Ordering::Relaxed);
        self.transport.stop();
    }

    /// Whether tasks are being ended.
    pub fn stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// The failure, if there was one.
    pub fn take_failure(&self) -> Option<Failure> {
        self.failure.lock().take()
    }
}
