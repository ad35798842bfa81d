//! Definition records: what the numbers in events stand for.

use super::fields::{Problem, Unpacker};
use super::kind;

/// Kind of code of a region. EARL takes the types of collective operations from here, EXPERT goes
/// by names.
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
    OmpParallel = 11,
    OmpLoop = 12,
    OmpSections = 13,
    OmpSection = 14,
    OmpWorkshare = 15,
    OmpSingle = 16,
    OmpMaster = 17,
    OmpCritical = 18,
    OmpAtomic = 19,
    OmpBarrier = 20,
    OmpImplicitBarrier = 21,
    OmpFlush = 22,
    OmpCriticalBlock = 23,
    OmpSingleBlock = 24,
    OmpOrdered = 25,
    OmpOrderedBlock = 26,
}

impl RegionType {
    const ALL: [RegionType; 25] = {
        use RegionType::*;
        [
            Unknown,
            Function,
            Loop,
            User,
            Barrier,
            OneToAll,
            AllToOne,
            AllToAll,
            OtherCollective,
            OmpParallel,
            OmpLoop,
            OmpSections,
            OmpSection,
            OmpWorkshare,
            OmpSingle,
            OmpMaster,
            OmpCritical,
            OmpAtomic,
            OmpBarrier,
            OmpImplicitBarrier,
            OmpFlush,
            OmpCriticalBlock,
            OmpSingleBlock,
            OmpOrdered,
            OmpOrderedBlock,
        ]
    };

    fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == number)
    }
}

/// A function, an operation of a runtime, or another piece of code. Numbers are those of strings
/// and files.
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

/// Bit of a group's mode: it has all processes.
const GROUP_WORLD: u8 = 1;

/// Numbers of processes in a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Members<'a>(Unpacker<'a>);

impl Members<'_> {
    /// Appends them.
    ///
    /// # Errors
    /// A [`Problem`] if the record ends within one.
    pub fn append_to(&self, all: &mut Vec<u32>) -> Result<(), Problem> {
        let mut left = self.0.clone();
        while !left.is_empty() {
            all.push(left.u4()?);
        }
        Ok(())
    }
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
    /// Processes, by number.
    Group {
        id: u32,
        /// All processes, which are not listed then.
        is_world: bool,
        /// Processes, also those in continuations.
        members: u32,
        listed: Members<'a>,
    },
    GroupContinuation {
        listed: Members<'a>,
    },
    /// A communicator of the processes of a group.
    CommunicatorOfGroup {
        id: u32,
        group: u32,
    },
    /// A communicator of which the file says how many processes it has.
    CommunicatorOfSize {
        id: u32,
        processes: u32,
    },
    /// Memory that the processes of a communicator share.
    Window {
        id: u32,
        communicator: u32,
    },
    /// Something that says nothing about events: topologies, statistics, tables of parallel tools.
    Other,
    /// How a clock stood against another one, in seconds.
    Offset {
        local_time: f64,
        offset: f64,
    },
    Last,
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
    /// A [`Problem`] if the body has not the length that it should have, or a field a value that it
    /// cannot have. `minor` is the file's version after the dot.
    pub fn unpack(number: u8, minor: u8, mut body: Unpacker<'a>) -> Result<Option<Self>, Problem> {
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
                clock_rate: if minor >= 1 { body.d8()? } else { 1.0 },
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
                let (_name, _description) = (body.u4()?, body.u4()?);
                let (_type, _mode, _interval) = (body.u1()?, body.u1()?, body.u1()?);
                Definition::Metric { id }
            }
            kind::MPI_COMM => Definition::Communicator {
                id: body.u4()?,
                mode: if minor >= 3 { body.u1()? } else { 0 },
                group_bytes: body.u4()?,
                group: body.rest(),
            },
            kind::MPI_COMM_CNT => Definition::CommunicatorContinuation { group: body.rest() },
            kind::MPI_GROUP => {
                let (id, mode, members) = (body.u4()?, body.u1()?, body.u4()?);
                Definition::Group {
                    id,
                    is_world: mode & GROUP_WORLD != 0,
                    members,
                    listed: Members(body.split()),
                }
            }
            kind::MPI_GROUP_CNT => Definition::GroupContinuation {
                listed: Members(body.split()),
            },
            kind::MPI_COMM_REF => Definition::CommunicatorOfGroup {
                id: body.u4()?,
                group: body.u4()?,
            },
            kind::MPI_COMM_DIST => {
                let id = body.u4()?;
                let (_root, _local, _rank) = (body.u4()?, body.u4()?, body.u4()?);
                let processes = body.u4()?;
                Definition::CommunicatorOfSize { id, processes }
            }
            kind::MPI_WIN => Definition::Window {
                id: body.u4()?,
                communicator: body.u4()?,
            },
            kind::CART_TOPOLOGY | kind::CART_COORDS | kind::CALL_PATH..=kind::IDMAP_CNT => {
                body.rest();
                Definition::Other
            }
            kind::OFFSET => Definition::Offset {
                local_time: body.d8()?,
                offset: body.d8()?,
            },
            kind::LAST_DEF => Definition::Last,
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
        .ok_or_else(|| Problem::new(format!("region type {number}"), "0 to 8, or 11 to 26"))?;
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
