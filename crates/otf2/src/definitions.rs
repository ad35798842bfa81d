//! Definitions that the numbers in events refer to: strings, regions, places in the source;
//! numbered while events are written, written after them.

use pgas_trace::Numbered;
use pgas_trace::model::{Operation, Site, SyncMode};
use pgas_trace::models::{Model, Words, of_site};

use crate::archive::{Archive, AttributeType, NONE, Paradigm, Role};
use crate::error::Error;

/// Attributes of events.
pub mod attribute {
    pub const CALL_SITE: u32 = 0;
    pub const BARRIER_VALUE: u32 = 1;
    pub const ALLOCATED_BYTES: u32 = 2;
    pub const EXIT_STATUS: u32 = 3;
    pub const SYNCHRONISATION: u32 = 4;
    pub const LOCK: u32 = 5;
    pub const ADDRESS: u32 = 6;
    pub const TASK: u32 = 7;
    pub const PROCESSOR: u32 = 8;
    pub const REASON: u32 = 9;
    pub const CHANNEL: u32 = 10;
    pub const CAPACITY: u32 = 11;
    pub const MESSAGE: u32 = 12;
    pub const QUEUED: u32 = 13;
    pub const INPUTS: u32 = 14;
}

type AttributeDefinition = (u32, AttributeType, &'static str, &'static str);

const ATTRIBUTES: [AttributeDefinition; 7] = [
    (
        attribute::CALL_SITE,
        AttributeType::Place,
        "call site",
        "where the operation is called",
    ),
    (
        attribute::BARRIER_VALUE,
        AttributeType::Int32,
        "barrier value",
        "the expression of the barrier",
    ),
    (
        attribute::ALLOCATED_BYTES,
        AttributeType::Uint64,
        "allocated bytes",
        "what is asked for, over all threads",
    ),
    (
        attribute::EXIT_STATUS,
        AttributeType::Int32,
        "exit status",
        "status with which the program ends",
    ),
    (
        attribute::SYNCHRONISATION,
        AttributeType::String,
        "synchronisation",
        "the modes that the collective operation was called with",
    ),
    (
        attribute::LOCK,
        AttributeType::Uint64,
        "lock",
        "the lock that is freed",
    ),
    (
        attribute::ADDRESS,
        AttributeType::Uint64,
        "address",
        "where the data lies in the shared memory of the remote thread",
    ),
];

/// Attributes of programs of tasks; archives of others do not define them.
const OF_TASKS: [AttributeDefinition; 8] = [
    (
        attribute::TASK,
        AttributeType::Uint64,
        "task",
        "number of the task that runs, or that is created",
    ),
    (
        attribute::PROCESSOR,
        AttributeType::Uint64,
        "processor",
        "the processor that will run the new task",
    ),
    (
        attribute::REASON,
        AttributeType::String,
        "reason",
        "why the processor leaves the task",
    ),
    (
        attribute::CHANNEL,
        AttributeType::Uint64,
        "channel",
        "number of the channel",
    ),
    (
        attribute::CAPACITY,
        AttributeType::Uint64,
        "capacity",
        "messages that the channel holds before senders wait",
    ),
    (
        attribute::MESSAGE,
        AttributeType::Uint64,
        "message",
        "number of the message in its channel, from 0",
    ),
    (
        attribute::QUEUED,
        AttributeType::Uint64,
        "queued",
        "messages in the channel after the operation",
    ),
    (
        attribute::INPUTS,
        AttributeType::Uint64,
        "inputs",
        "channels that the task begins to wait for",
    ),
];

/// A place in the source: the number of the file's name, or none, and the line, or none.
type Place = (u32, u32);

/// Definitions so far.
#[derive(Debug, Default)]
pub struct Definitions {
    strings: Numbered<String>,
    regions: Numbered<Site>,
    places: Numbered<Place>,
}

impl Definitions {
    pub fn string(&mut self, text: &str) -> u32 {
        self.strings.number(text)
    }

    /// The region that a site enters.
    pub fn region(&mut self, site: &Site) -> u32 {
        self.regions.number(&site.region())
    }

    /// Where an operation is called, if that is known.
    pub fn call_site(&mut self, site: &Site) -> Option<u32> {
        if site.operation.is_user() || site.file.is_empty() {
            return None;
        }
        let place = self.place(&site.file, site.line);
        Some(self.places.number(&place))
    }

    /// How the modes of a collective operation are written in a program.
    pub fn modes(&mut self, sync_in: SyncMode, sync_out: SyncMode) -> u32 {
        let text = format!("UPC_IN_{} | UPC_OUT_{}", sync_in.name(), sync_out.name());
        self.string(&text)
    }

    fn place(&mut self, file: &str, line: u32) -> Place {
        let file = match file {
            "" => NONE,
            file => self.string(file),
        };
        (file, if line == 0 { NONE } else { line })
    }

    /// Writes everything; `threads` are the names of the threads' nodes and the numbers of their
    /// events, `models` the models of the program and that of its runtime.
    pub fn write(
        mut self,
        archive: &mut Archive,
        machine: &str,
        threads: &[(&str, u64)],
        (models, runtime): (&[Model], Option<Model>),
    ) -> Result<(), Error> {
        let words = Words::of(models);
        // All strings must be known before the first is written.
        let machine = self.string(machine);
        let (machine_class, node_class) = (self.string("machine"), self.string("node"));
        let window = self.string("shared memory");
        let mut nodes = Numbered::<u32>::default();
        let threads: Vec<_> = threads
            .iter()
            .enumerate()
            .map(|(number, (node, events))| {
                let name = self.string(&words.title(number as u32));
                let node = self.string(node);
                // Number 0 is the machine.
                (name, 1 + nodes.number(&node), *events)
            })
            .collect();
        let has_tasks = models.contains(&Model::Tasks);
        let of_tasks: &[AttributeDefinition] = if has_tasks { &OF_TASKS } else { &[] };
        let attributes: Vec<_> = ATTRIBUTES
            .iter()
            .chain(of_tasks)
            .map(|&(id, kind, name, text)| (id, self.string(name), self.string(text), kind))
            .collect();
        let sites = std::mem::take(&mut self.regions).into_values();
        let regions: Vec<_> = sites
            .iter()
            .map(|site| {
                (
                    self.string(site.region_name()),
                    self.place(&site.file, site.line),
                )
            })
            .collect();

        // A trace of no operations at all is one of UPC.
        let models = if models.is_empty() {
            &[Model::Upc][..]
        } else {
            models
        };
        let mut used: Vec<(Paradigm, u32)> = models
            .iter()
            .map(|&model| (of_model(model), self.string(model.name())))
            .collect();
        let mut first = of_model(models[0]);
        if has_tasks {
            // Readers expect the records of messages in a communicator of MPI.
            first = Paradigm::Mpi;
            if !models.contains(&Model::Mpi) {
                used.push((first, self.string("messages of channels")));
            }
        }

        for (id, text) in self.strings.values().enumerate() {
            archive.string(id as u32, text)?;
        }
        for (paradigm, name) in used {
            archive.paradigm(paradigm, name)?;
        }
        for (id, name, description, kind) in attributes {
            archive.define_attribute(id, name, description, kind)?;
        }
        archive.tree_node(0, machine, machine_class, NONE)?;
        for (id, &name) in nodes.values().enumerate() {
            archive.tree_node(1 + id as u32, name, node_class, 0)?;
        }
        for (thread, &(name, node, events)) in threads.iter().enumerate() {
            archive.thread(thread as u32, name, node, events)?;
        }
        for (id, (site, (name, place))) in sites.iter().zip(regions).enumerate() {
            let (role, paradigm) = (role(site.operation), self::paradigm(site, runtime));
            archive.region(id as u32, name, role, paradigm, place)?;
        }
        for (id, place) in self.places.values().enumerate() {
            archive.place(id as u32, *place)?;
        }
        archive.window(window, first, threads.len() as u32)
    }
}

fn paradigm(site: &Site, runtime: Option<Model>) -> Paradigm {
    match (of_site(site, runtime), site.operation) {
        (Some(model), _) => of_model(model),
        (None, Operation::UserRegion) => Paradigm::User,
        (None, Operation::MeasurementStall | Operation::NoCore) => Paradigm::Measurement,
        (None, _) => Paradigm::Compiler,
    }
}

fn of_model(model: Model) -> Paradigm {
    match model {
        Model::Upc => Paradigm::Upc,
        Model::OpenShmem => Paradigm::Shmem,
        Model::Coarrays => Paradigm::Coarrays,
        Model::Mpi => Paradigm::Mpi,
        Model::Tasks => Paradigm::User,
    }
}

fn role(operation: Operation) -> Role {
    use Operation::*;
    match operation {
        Function | NoncollectiveExit | LibraryCall | Task | TaskCreate => Role::Function,
        UserRegion => Role::Code,
        MeasurementStall | NoCore | Idle => Role::Artificial,
        Forall => Role::Loop,
        Malloc | GlobalAlloc | AllAlloc | Alloc | GlobalLockAlloc | AllLockAlloc
        | ChannelCreate => Role::Allocate,
        Realloc => Role::Reallocate,
        MallocFree | Free | AllFree | LockFree | AllLockFree | ChannelClose | InputDelete => {
            Role::Deallocate
        }
        Notify | Wait | Barrier => Role::Barrier,
        Fence => Role::Flush,
        Lock | LockAttempt | Unlock => Role::Critical,
        Memcpy | Memget | Memput | Memset | Get | Put | NonBlockingGet | NonBlockingPut
        | NonBlockingSync | RemoteGet | RemotePut => Role::Rma,
        Atomic => Role::Atomic,
        FlagWait | SignalWait | EventWait | Post | PartnerSync | Send | Receive | ChannelSend
        | ChannelReceive | Select => Role::PointToPoint,
        Broadcast | Scatter => Role::OneToAll,
        Gather | Reduce => Role::AllToOne,
        GatherAll | Exchange | Permute => Role::AllToAll,
        PrefixReduce | CollectiveExit | GroupCollective => Role::OtherCollective,
        InputOutput => Role::FileIo,
    }
}
