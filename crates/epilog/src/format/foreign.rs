//! Events of MPI and OpenMP programs, which this tool reads and never writes.

use super::fields::{Problem, Unpacker};
use super::kind;

/// One event of one location.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForeignEvent {
    /// The location in whose sequence the event stands.
    pub location: u32,
    /// Seconds since the first event of the file.
    pub time: f64,
    pub kind: Foreign,
}

/// Kind of an event of MPI or OpenMP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foreign {
    /// An OpenMP team begins.
    Fork,
    /// An OpenMP team ends.
    Join,
    /// A lock of OpenMP, of this location's process.
    Acquire {
        lock: u32,
    },
    Release {
        lock: u32,
    },
    /// A transfer into `target`'s window begins; stands at its origin.
    WindowPut {
        target: u32,
        window: u32,
        bytes: u32,
    },
    /// A transfer out of `target`'s window, of which all stands at the origin.
    WindowGet {
        target: u32,
        window: u32,
        bytes: u32,
    },
    /// A transfer out of this location's window begins; its bytes are known here alone.
    WindowGetAtTarget {
        origin: u32,
        window: u32,
    },
    /// The end of a transfer to or from a window, or the call that asks for one.
    WindowTransfer {
        other: Option<u32>,
        window: Option<u32>,
    },
    /// Exit of an operation that all do who share a window.
    WindowCollectiveExit {
        window: u32,
    },
    /// The memory of `target` in a window is locked or released.
    WindowLock {
        target: u32,
        window: u32,
    },
    /// As PUT_1TE, but at the origin.
    PutEndAtOrigin {
        target: u32,
        transfer: u32,
    },
    /// As GET_1TS, but at the origin.
    GetStartAtOrigin {
        target: u32,
        transfer: u32,
        bytes: u32,
    },
    /// A request of a non-blocking operation was made, tested, completed or cancelled.
    Request,
    /// The measurement itself takes time from here on.
    EnterTracing,
    ExitTracing,
}

impl ForeignEvent {
    /// Reads what follows location, time and counters in a record of type `number`; `None` if there
    /// is no such type.
    ///
    /// # Errors
    /// A [`Problem`] if the body is too short.
    pub fn unpack(
        number: u8,
        location: u32,
        time: f64,
        body: &mut Unpacker,
    ) -> Result<Option<Self>, Problem> {
        let kind = match number {
            kind::OMP_FORK => Foreign::Fork,
            kind::OMP_JOIN => Foreign::Join,
            kind::OMP_ALOCK => Foreign::Acquire { lock: body.u4()? },
            kind::OMP_RLOCK => Foreign::Release { lock: body.u4()? },
            kind::MPI_PUT_1TS | kind::MPI_GET_1TS | kind::MPI_GET_1TS_REMOTE => {
                let (other, window) = (body.u4()?, body.u4()?);
                let (_transfer, bytes) = (body.u4()?, body.u4()?);
                match number {
                    kind::MPI_PUT_1TS => Foreign::WindowPut {
                        target: other,
                        window,
                        bytes,
                    },
                    kind::MPI_GET_1TS => Foreign::WindowGetAtTarget {
                        origin: other,
                        window,
                    },
                    _ => Foreign::WindowGet {
                        target: other,
                        window,
                        bytes,
                    },
                }
            }
            kind::MPI_PUT_1TE | kind::MPI_GET_1TE | kind::MPI_PUT_1TE_REMOTE => {
                let (other, window, _transfer) = (body.u4()?, body.u4()?, body.u4()?);
                Foreign::WindowTransfer {
                    other: Some(other),
                    window: Some(window),
                }
            }
            kind::MPI_GET_1TO => {
                let _transfer = body.u4()?;
                Foreign::WindowTransfer {
                    other: None,
                    window: None,
                }
            }
            kind::MPI_WINCOLLEXIT => Foreign::WindowCollectiveExit { window: body.u4()? },
            kind::MPI_WIN_LOCK => {
                let (target, window, _mode) = (body.u4()?, body.u4()?, body.u1()?);
                Foreign::WindowLock { target, window }
            }
            kind::MPI_WIN_UNLOCK => Foreign::WindowLock {
                target: body.u4()?,
                window: body.u4()?,
            },
            kind::PUT_1TE_REMOTE => Foreign::PutEndAtOrigin {
                target: body.u4()?,
                transfer: body.u4()?,
            },
            kind::GET_1TS_REMOTE => Foreign::GetStartAtOrigin {
                target: body.u4()?,
                transfer: body.u4()?,
                bytes: body.u4()?,
            },
            kind::MPI_SEND_COMPLETE..=kind::MPI_CANCELLED => {
                let _request = body.u4()?;
                Foreign::Request
            }
            kind::ENTER_TRACING => Foreign::EnterTracing,
            kind::EXIT_TRACING => Foreign::ExitTracing,
            _ => return Ok(None),
        };
        Ok(Some(ForeignEvent {
            location,
            time,
            kind,
        }))
    }
}
