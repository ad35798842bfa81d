//! An operation of a driver, prepared for one case.

use crate::arguments::Told;
use crate::interface::{Case, Launched, Operation};
use pgas_timing::operation::Operation as _;
use std::ffi::{c_int, c_long, c_void};

/// The operation with its state, which `finish` must give back.
pub struct Prepared<'a> {
    functions: &'a Operation,
    state: *mut c_void,
    /// Number of the launch that goes on, and of the next one. The driver counts by itself, since
    /// the method begins anew with each measurement, and buffers that the last one has used are in
    /// the cache.
    launch: u64,
    next: u64,
}

impl<'a> Prepared<'a> {
    /// Prepares it on this thread; `None` if it could not, for reasons in `told`.
    ///
    /// # Safety
    /// `functions` are as `pgas_operation.h` says, and `case` belongs to `told` and lives until
    /// `finish`.
    pub unsafe fn new(functions: &'a Operation, case: &Case, told: &Told) -> Option<Self> {
        let state = match functions.prepare {
            // SAFETY: as the caller promises.
            Some(prepare) => unsafe { prepare(case) },
            None => std::ptr::null_mut(),
        };
        let failed = functions.prepare.is_some() && state.is_null();
        (!failed && !told.has_complaints()).then_some(Prepared {
            functions,
            state,
            launch: 0,
            next: 0,
        })
    }

    /// Performs a launch of this number, after which the next one follows.
    pub fn perform(&mut self, number: u64) {
        self.next = number;
        self.ready(number);
        self.run(number);
        self.done(number);
    }

    /// Whether the result of the last launch is right; `None` if there is no check.
    pub fn check(&mut self) -> Option<bool> {
        let launch = self.launch;
        // SAFETY: the state is what `prepare` returned.
        let check = |check: unsafe extern "C" fn(*mut c_void, c_long) -> c_int| unsafe {
            check(self.state, launch as c_long) == 0
        };
        self.functions.check.map(check)
    }

    pub fn finish(self) {
        if let Some(finish) = self.functions.finish {
            // SAFETY: the state is what `prepare` returned, and it is not used again.
            unsafe { finish(self.state) }
        }
    }

    fn call(&mut self, function: Launched) {
        let launch = self.launch;
        if let Some(function) = function {
            // SAFETY: the state is what `prepare` returned.
            unsafe { function(self.state, launch as c_long) }
        }
    }
}

impl pgas_timing::operation::Operation for Prepared<'_> {
    fn ready(&mut self, _launch: u64) {
        self.launch = self.next;
        self.next += 1;
        self.call(self.functions.ready);
    }

    fn run(&mut self, _launch: u64) {
        match self.functions.run {
            Some(_) => self.call(self.functions.run),
            None => {
                self.call(self.functions.start);
                self.call(self.functions.complete);
            }
        }
    }

    fn done(&mut self, _launch: u64) {
        self.call(self.functions.done);
    }

    fn waits(&self) -> bool {
        self.functions.independent == 0
    }

    fn has_halves(&self) -> bool {
        self.functions.start.is_some() && self.functions.complete.is_some()
    }

    fn start(&mut self, _launch: u64) {
        self.call(self.functions.start);
    }

    fn complete(&mut self, _launch: u64) {
        self.call(self.functions.complete);
    }
}
