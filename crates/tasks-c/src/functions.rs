//! Functions of C and C++ within tasks, as `-finstrument-functions` reports them, for the recorder.
//!
//! A processor that leaves a task leaves the functions that the task is in, too. So each task keeps
//! a list of them, from which they are entered again when it goes on.

use std::cell::RefCell;

use pgas_tasks::recorded;

/// Addresses of a function, and of where it returns to.
type Call = (usize, usize);

/// The functions that a task is in, outermost first.
#[derive(Default)]
pub(crate) struct Functions(RefCell<Vec<Call>>);

impl Functions {
    /// The task enters one.
    pub fn enter(&self, call: Call) {
        self.0.borrow_mut().push(call);
        recorded::enter_function(call.0, call.1);
    }

    /// Functions inside of it that were left without notice, as by an exception, end with it.
    pub fn leave(&self, call: Call) {
        let mut calls = self.0.borrow_mut();
        if let Some(depth) = calls.iter().rposition(|open| *open == call) {
            calls.truncate(depth);
            recorded::exit_function(call.0, call.1);
        }
    }

    /// The task goes on.
    pub fn enter_again(&self) {
        for (function, caller) in self.0.borrow().iter() {
            recorded::enter_function(*function, *caller);
        }
    }
}
