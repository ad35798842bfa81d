//! What a thread does in one launch.

use crate::operation::Operation;
use crate::processes::Processes;

/// The timed part of a launch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Body {
    /// The operation.
    Whole,
    /// Its first half, computation for some seconds, its second half.
    Around(f64),
}

impl Body {
    #[inline]
    pub(super) fn perform<P: Processes + ?Sized>(
        self,
        processes: &P,
        operation: &mut dyn Operation,
        launch: u64,
    ) {
        match self {
            Body::Whole => operation.run(launch),
            Body::Around(seconds) => {
                operation.start(launch);
                processes.compute(seconds);
                operation.complete(launch);
            }
        }
    }
}
