//! Definition records: what the numbers in events stand for.

use super::fields::{Problem, Unpacker};
use super::kind;

/// What kind of code a region is. EARL takes the types of collective operations from here, EXPERT goes by names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum RegionType {
    Unknown = 0,
    Function = 1,
    Loop = 2,
    User = 3,
    Barrier = 4,
    OneToAll = 5,
    AllToOne = 6,
    AllToAll = 7,
    OtherCollective = 8,
}

impl RegionType {
    fn from_number(number: u8) -> Option<Self> {
        use RegionType::*;
        let all = [
            Unknown,
            Function,
            Loop,
            User,
            Barrier,
            OneToAll,
            AllToOne,
            AllToAll,
            OtherCollective,
        ];
        all.get(usize::from(number)).copied()
    }
}

/// A function, an operation of a runtime, or another piece of code. Numbers are those of strings and files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    pub name: u32,
    pub file: Option<u32>,
    pub begin_line: Option<u32>,
    pub end_line: Option<u32>,
    pub description: Option<u32>,
    pub kind: RegionType,
}

/// Where a region is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallSite {
    pub file: Option<u32>,
    pub line: Option<u32>,
    /// The region that is called.
    pub entered: u32,
    /// The region that calls.
    pub left: Option<u32>,
}

/// A thread, and where it ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    pub machine: u32,
    pub node: u32,
    pub process: u32,
    pub thread: u32,
}

/// One definition record. Strings and communicators may take several of them.
#[derive(Debug, Clone, PartialEq)]
pub enum Definition<'a> {
    String {
        id: u32,
        continuations: u8,
        bytes: &'a [u8],
    },
    StringContinuation {
        bytes: &'a [u8],
    },
    Machine {
        id: u32,
        nodes: u32,
        name: Option<u32>,
    },
    Node {
        id: u32,
        machine: u32,
        processors: u32,
        name: Option<u32>,
        /// Hertz.
        clock_rate: f64,
    },
    Process {
        id: u32,
        name: Option<u32>,
    },
    Thread {
        id: u32,
        process: u32,
        name: Option<u32>,
    },
    Location {
        id: u32,
        location: Location,
    },
    File {
        id: u32,
        name: u32,
    },
    Region {
        id: u32,
        region: Region,
    },
    Metric {
        id: u32,
    },
    Communicator {
        id: u32,
        mode: u8,
        /// Bytes of the group, also those in continuations.
        group_bytes: u32,
        /// Bit i, least significant first, says whether process i belongs to it.
        group: &'a [u8],
    },
    CommunicatorContinuation {
        group: &'a [u8],
    },
    /// How a clock stood against another one, in seconds.
    Offset {
        local_time: f64,
        offset: f64,
    },
    LastDefinition,
    NumberOfEvents(u32),
    CallSite {
        id: u32,
        call_site: CallSite,
    },
}

impl<'a> Definition<'a> {
    /// Reads the body of a record of type `number`; `None` if there is no such type of definition.
    ///
    /// # Errors
    /// A [`Problem`] if the body has not the length that it should have, or a field a value that it cannot have.
    pub fn unpack(number: u8, mut body: Unpacker<'a>) -> Result<Option<Self>, Problem> {
        let definition = match number {
            kind::STRING => Definition::String {
                id: body.u4()?,
                continuations: body.u1()?,
                bytes: body.rest(),
            },
            kind::STRING_CNT => Definition::StringContinuation { bytes: body.rest() },
            kind::MACHINE => Definition::Machine {
                id: body.u4()?,
                nodes: body.u4()?,
                name: body.option()?,
            },
            kind::NODE => Definition::Node {
                id: body.u4()?,
                machine: body.u4()?,
                processors: body.u4()?,
                name: body.option()?,
                clock_rate: body.d8()?,
            },
            kind::PROCESS => Definition::Process {
                id: body.u4()?,
                name: body.option()?,
            },
            kind::THREAD => Definition::Thread {
                id: body.u4()?,
                process: body.u4()?,
                name: body.option()?,
            },
            kind::LOCATION => Definition::Location {
                id: body.u4()?,
                location: Location {
                    machine: body.u4()?,
                    node: body.u4()?,
                    process: body.u4()?,
                    thread: body.u4()?,
                },
            },
            kind::FILE => Definition::File {
                id: body.u4()?,
                name: body.u4()?,
            },
            kind::REGION => region(&mut body)?,
            kind::METRIC => {
                let id = body.u4()?;
                // Its values are in attribute records, which are not read.
                let (_name, _description) = (body.u4()?, body.u4()?);
                let (_type, _mode, _interval) = (body.u1()?, body.u1()?, body.u1()?);
                Definition::Metric { id }
            }
            kind::MPI_COMM => Definition::Communicator {
                id: body.u4()?,
                mode: body.u1()?,
                group_bytes: body.u4()?,
                group: body.rest(),
            },
            kind::MPI_COMM_CNT => Definition::CommunicatorContinuation { group: body.rest() },
            kind::OFFSET => Definition::Offset {
                local_time: body.d8()?,
                offset: body.d8()?,
            },
            kind::LAST_DEF => Definition::LastDefinition,
            kind::NUM_EVENTS => Definition::NumberOfEvents(body.u4()?),
            kind::CALL_SITE => Definition::CallSite {
                id: body.u4()?,
                call_site: CallSite {
                    file: body.option()?,
                    line: body.option()?,
                    entered: body.u4()?,
                    left: body.option()?,
                },
            },
            _ => return Ok(None),
        };
        body.end()?;
        Ok(Some(definition))
    }
}

fn region(body: &mut Unpacker) -> Result<Definition<'static>, Problem> {
    let id = body.u4()?;
    let name = body.u4()?;
    let file = body.option()?;
    let begin_line = body.option()?;
    let end_line = body.option()?;
    let description = body.option()?;
    let number = body.u1()?;
    let kind = RegionType::from_number(number)
        .ok_or_else(|| Problem::new(format!("region type {number}"), "0 to 8"))?;
    Ok(Definition::Region {
        id,
        region: Region {
            name,
            file,
            begin_line,
            end_line,
            description,
            kind,
        },
    })
}
