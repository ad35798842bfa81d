//! Event records: a location, a time, and the kind of event.

use super::fields::{Packer, Problem, Unpacker};
use super::{NONE, kind};

/// One event of one location.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// The location (a thread) in whose sequence the event stands.
    pub location: u32,
    /// Seconds since the first event of the file.
    pub time: f64,
    pub kind: EventKind,
}

/// Kind of an event record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    Enter {
        region: u32,
    },
    /// An Enter of which the file says where the call is.
    EnterCallSite {
        call_site: u32,
    },
    Exit,
    /// A transfer into `target`'s memory begins; stands at its origin.
    PutStart {
        target: u32,
        transfer: u32,
        bytes: u32,
    },
    /// It has arrived; stands at the target.
    PutEnd {
        origin: u32,
        transfer: u32,
    },
    /// A transfer out of this location's memory begins; stands at the target, whose memory is read.
    GetStart {
        origin: u32,
        transfer: u32,
        bytes: u32,
    },
    /// It has arrived; stands at the origin.
    GetEnd {
        target: u32,
        transfer: u32,
    },
    /// Exit of a collective operation. Bytes are those sent and received by this location.
    CollectiveExit {
        root: Option<u32>,
        communicator: u32,
        sent: u32,
        received: u32,
    },
    Acquire {
        lock: u32,
    },
    Release {
        lock: u32,
    },
    /// A message to `to`.
    Send {
        to: u32,
        communicator: u32,
        tag: u32,
        bytes: u32,
    },
    /// A message from `from`.
    Receive {
        from: u32,
        communicator: u32,
        tag: u32,
    },
    /// Recording is switched off from here on.
    LogOff,
    LogOn,
}

impl EventKind {
    /// The type of the record.
    pub fn number(&self) -> u8 {
        match self {
            EventKind::Enter { .. } => kind::ENTER,
            EventKind::EnterCallSite { .. } => kind::ENTER_CS,
            EventKind::Exit => kind::EXIT,
            EventKind::PutStart { .. } => kind::PUT_1TS,
            EventKind::PutEnd { .. } => kind::PUT_1TE,
            EventKind::GetStart { .. } => kind::GET_1TS,
            EventKind::GetEnd { .. } => kind::GET_1TE,
            EventKind::CollectiveExit { .. } => kind::COLLEXIT,
            EventKind::Acquire { .. } => kind::ALOCK,
            EventKind::Release { .. } => kind::RLOCK,
            EventKind::Send { .. } => kind::MPI_SEND,
            EventKind::Receive { .. } => kind::MPI_RECV,
            EventKind::LogOff => kind::LOG_OFF,
            EventKind::LogOn => kind::LOG_ON,
        }
    }
}

impl Event {
    /// Makes `packer` hold the record.
    pub fn pack(&self, packer: &mut Packer) {
        packer
            .begin(self.kind.number())
            .u4(self.location)
            .d8(self.time);
        match self.kind {
            EventKind::Enter { region: id }
            | EventKind::EnterCallSite { call_site: id }
            | EventKind::Acquire { lock: id }
            | EventKind::Release { lock: id } => packer.u4(id),
            EventKind::Exit | EventKind::LogOff | EventKind::LogOn => packer,
            EventKind::PutStart {
                target: other,
                transfer,
                bytes,
            }
            | EventKind::GetStart {
                origin: other,
                transfer,
                bytes,
            } => packer.u4(other).u4(transfer).u4(bytes),
            EventKind::PutEnd {
                origin: other,
                transfer,
            }
            | EventKind::GetEnd {
                target: other,
                transfer,
            } => packer.u4(other).u4(transfer),
            EventKind::CollectiveExit {
                root,
                communicator,
                sent,
                received,
            } => packer
                .u4(root.unwrap_or(NONE))
                .u4(communicator)
                .u4(sent)
                .u4(received),
            EventKind::Send {
                to,
                communicator,
                tag,
                bytes,
            } => packer.u4(to).u4(communicator).u4(tag).u4(bytes),
            EventKind::Receive {
                from,
                communicator,
                tag,
            } => packer.u4(from).u4(communicator).u4(tag),
        };
    }

    /// Reads what follows location, time and counters in a record of type `number`; `None` if there
    /// is no such type of event.
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
            kind::ENTER => EventKind::Enter { region: body.u4()? },
            kind::ENTER_CS => EventKind::EnterCallSite {
                call_site: body.u4()?,
            },
            kind::PUT_1TS => EventKind::PutStart {
                target: body.u4()?,
                transfer: body.u4()?,
                bytes: body.u4()?,
            },
            kind::PUT_1TE => EventKind::PutEnd {
                origin: body.u4()?,
                transfer: body.u4()?,
            },
            kind::GET_1TS => EventKind::GetStart {
                origin: body.u4()?,
                transfer: body.u4()?,
                bytes: body.u4()?,
            },
            kind::GET_1TE => EventKind::GetEnd {
                target: body.u4()?,
                transfer: body.u4()?,
            },
            kind::COLLEXIT | kind::MPI_COLLEXIT => EventKind::CollectiveExit {
                root: body.option()?,
                communicator: body.u4()?,
                sent: body.u4()?,
                received: body.u4()?,
            },
            kind::MPI_SEND => EventKind::Send {
                to: body.u4()?,
                communicator: body.u4()?,
                tag: body.u4()?,
                bytes: body.u4()?,
            },
            kind::MPI_RECV => EventKind::Receive {
                from: body.u4()?,
                communicator: body.u4()?,
                tag: body.u4()?,
            },
            kind::ALOCK => EventKind::Acquire { lock: body.u4()? },
            kind::RLOCK => EventKind::Release { lock: body.u4()? },
            kind::LOG_OFF => EventKind::LogOff,
            kind::LOG_ON => EventKind::LogOn,
            // Of a team's construct.
            kind::EXIT | kind::OMP_COLLEXIT => EventKind::Exit,
            // Of an operation on a window that some of those do who share it.
            kind::MPI_WINEXIT => {
                let (_window, _communicator, _synchronised) = (body.u4()?, body.u4()?, body.u1()?);
                EventKind::Exit
            }
            _ => return Ok(None),
        };
        Ok(Some(Event {
            location,
            time,
            kind,
        }))
    }
}
