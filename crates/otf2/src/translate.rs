//! From the events of one thread to OTF2's records.

use std::collections::VecDeque;

use pgas_trace::Stream;
use pgas_trace::messages::{Ends, Messages};
use pgas_trace::model::{Address, Attributes, Event, EventKind, Operation, SiteId, SyncMode};

use crate::archive::{Collective, Record, Synchronises, Value};
use crate::definitions::{Definitions, attribute};

/// Record for an event, or attribute of one; written in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// An attribute of the record after it.
    Attribute(u32, Value),
    Record(Record),
}

#[derive(Debug, Clone, Copy)]
struct Target {
    operation: Operation,
    region: u32,
    call_site: Option<u32>,
}

#[derive(Debug)]
struct Frame {
    operation: Operation,
    region: u32,
    /// Numbers of the transfers that end with the operation: the first of them, and how many there
    /// are.
    transfers: (u64, u64),
    lock: Option<u64>,
    /// The message that the operation received.
    received: Option<Record>,
}

/// The state of one thread.
#[derive(Debug)]
pub struct Translator<'a> {
    messages: &'a Messages,
    threads: u32,
    targets: Vec<Target>,
    stack: Vec<Frame>,
    next_transfer: u64,
    /// Non-blocking transfers under way, the oldest first.
    pending: VecDeque<u64>,
    strangers: u64,
    /// Ticks behind which the thread was ended in the regions that it is in.
    interrupted_after: u64,
}

impl<'a> Translator<'a> {
    /// For a stream of a program of `threads` threads with these `messages`.
    pub fn new(
        stream: &Stream,
        threads: u32,
        messages: &'a Messages,
        definitions: &mut Definitions,
    ) -> Self {
        let targets = stream.sites().iter().map(|site| Target {
            operation: site.operation,
            region: definitions.region(site),
            call_site: definitions.call_site(site),
        });
        Translator {
            messages,
            threads,
            targets: targets.collect(),
            stack: Vec::new(),
            next_transfer: 0,
            pending: VecDeque::new(),
            strangers: 0,
            interrupted_after: u64::MAX,
        }
    }

    /// States that Exits behind a time (ticks, as events have them) only say that the thread was
    /// still there: OTF2's regions are left then, but no lock is taken and no operation
    /// completed.
    pub fn interrupt_after(&mut self, ticks: u64) {
        self.interrupted_after = ticks;
    }

    /// How many transfers and roots were with threads that do not exist.
    pub fn strangers(&self) -> u64 {
        self.strangers
    }

    /// Appends what the next event becomes.
    pub fn event(&mut self, event: &Event, definitions: &mut Definitions, out: &mut Vec<Output>) {
        match event.kind {
            EventKind::Enter { site, attributes } => self.enter(site, &attributes, out),
            EventKind::Exit { .. } if event.time > self.interrupted_after => {
                if let Some(frame) = self.stack.pop() {
                    let region = frame.region;
                    out.extend(frame.received.map(Output::Record));
                    out.push(Output::Record(Record::Leave { region }));
                }
            }
            EventKind::Exit { attributes, .. } => self.exit(&attributes, definitions, out),
        }
    }

    /// Appends the ends of what is still open: OTF2's regions must all be left.
    pub fn end(&mut self, out: &mut Vec<Output>) {
        while let Some(frame) = self.stack.pop() {
            complete(frame.transfers, out);
            out.extend(frame.received.map(Output::Record));
            let region = frame.region;
            out.push(Output::Record(Record::Leave { region }));
        }
        self.complete_pending(out);
    }

    fn enter(&mut self, site: SiteId, attributes: &Attributes, out: &mut Vec<Output>) {
        let target = self.targets[site.0 as usize];
        let mut attribute = |id, value| out.push(Output::Attribute(id, value));
        if let Some(call_site) = target.call_site {
            attribute(attribute::CALL_SITE, Value::Place(call_site));
        }
        match *attributes {
            Attributes::Barrier { value: Some(value) } => {
                attribute(attribute::BARRIER_VALUE, Value::Int32(value));
            }
            Attributes::Allocation { bytes } => {
                attribute(attribute::ALLOCATED_BYTES, Value::Uint64(bytes));
            }
            Attributes::Exit { status } => attribute(attribute::EXIT_STATUS, Value::Int32(status)),
            Attributes::Lock { lock } if target.operation == Operation::LockFree => {
                attribute(attribute::LOCK, Value::Uint64(lock));
            }
            _ => of_tasks(attributes, &mut attribute),
        }
        let region = target.region;
        out.push(Output::Record(Record::Enter { region }));

        let first = self.next_transfer;
        let mut lock_of = None;
        let mut received = None;
        match *attributes {
            // What a wait is for is no transfer.
            Attributes::Transfer { .. }
                if matches!(
                    target.operation,
                    Operation::FlagWait | Operation::SignalWait
                ) => {}
            Attributes::Transfer {
                partner,
                bytes,
                address,
            } => {
                let get = matches!(
                    target.operation,
                    Operation::Memget
                        | Operation::Get
                        | Operation::RemoteGet
                        | Operation::NonBlockingGet
                );
                self.transfer(get, (partner, address), bytes, out);
            }
            Attributes::Copy {
                source,
                destination,
                bytes,
                source_address,
                destination_address,
            } => {
                self.transfer(true, (source, source_address), bytes, out);
                self.transfer(false, (destination, destination_address), bytes, out);
            }
            Attributes::Lock { lock } => match target.operation {
                Operation::Lock => {
                    out.push(Output::Record(Record::RequestLock { lock }));
                    lock_of = Some(lock);
                }
                // It does not wait: there is a record when it ends, successfully or not.
                Operation::LockAttempt => lock_of = Some(lock),
                Operation::Unlock => out.push(Output::Record(Record::ReleaseLock { lock })),
                _ => {}
            },
            Attributes::ChannelMessage { .. } => match target.operation {
                Operation::ChannelSend => out.extend(self.sent(attributes).map(Output::Record)),
                _ => received = self.received(attributes),
            },
            _ => {}
        }
        if collective(target.operation).is_some() {
            out.push(Output::Record(Record::CollectiveBegin));
        }
        let mut transfers = (first, self.next_transfer - first);
        let non_blocking = [Operation::NonBlockingGet, Operation::NonBlockingPut];
        if non_blocking.contains(&target.operation) {
            self.pending.extend(first..self.next_transfer);
            transfers.1 = 0;
        }
        self.stack.push(Frame {
            operation: target.operation,
            region,
            transfers,
            lock: lock_of,
            received,
        });
    }

    fn exit(
        &mut self,
        attributes: &Attributes,
        definitions: &mut Definitions,
        out: &mut Vec<Output>,
    ) {
        // The reader of streams gives no Exit without its Enter.
        let Some(frame) = self.stack.pop() else {
            return;
        };
        complete(frame.transfers, out);
        out.extend(frame.received.map(Output::Record));
        if let Attributes::TaskLeft { reason } = *attributes {
            let reason = Value::String(definitions.string(reason.name()));
            out.push(Output::Attribute(attribute::REASON, reason));
        }
        if frame.operation == Operation::NonBlockingSync {
            self.complete_pending(out);
        }
        if let Some(lock) = frame.lock {
            let failed = *attributes == Attributes::LockAttempt { acquired: false };
            out.push(Output::Record(match failed {
                true => Record::TryLock { lock },
                false => Record::AcquireLock { lock },
            }));
        }
        if let Some((collective, synchronises)) = collective(frame.operation) {
            let mut end = (None, 0, 0, synchronises);
            if let Attributes::Collective {
                root,
                sent,
                received,
                sync_in,
                sync_out,
            } = *attributes
            {
                let root = root.filter(|&root| self.exists(root));
                let modes = definitions.modes(sync_in, sync_out);
                let modes = Value::String(modes);
                out.push(Output::Attribute(attribute::SYNCHRONISATION, modes));
                end = (root, sent, received, strongest(sync_in, sync_out));
            }
            let (root, sent, received, synchronises) = end;
            out.push(Output::Record(Record::CollectiveEnd {
                collective,
                synchronises,
                root,
                sent,
                received,
            }));
        }
        let region = frame.region;
        out.push(Output::Record(Record::Leave { region }));
    }

    fn transfer(
        &mut self,
        get: bool,
        (remote, address): (u32, Option<Address>),
        bytes: u64,
        out: &mut Vec<Output>,
    ) {
        if !self.exists(remote) {
            return;
        }
        if let Some(address) = address {
            let address = Value::Uint64(address.number());
            out.push(Output::Attribute(attribute::ADDRESS, address));
        }
        let number = self.next_transfer;
        self.next_transfer += 1;
        out.push(Output::Record(match get {
            true => Record::Get {
                remote,
                bytes,
                number,
            },
            false => Record::Put {
                remote,
                bytes,
                number,
            },
        }));
    }

    /// The record of a message that the channel takes, if it is received.
    fn sent(&self, attributes: &Attributes) -> Option<Record> {
        let (ends, bytes) = self.message(attributes)?;
        Some(Record::Send {
            receiver: ends.receiver,
            tag: ends.channel,
            bytes,
        })
    }

    /// The record of a message that is received, if the trace knows who sent it.
    fn received(&self, attributes: &Attributes) -> Option<Record> {
        let (ends, bytes) = self.message(attributes)?;
        Some(Record::Receive {
            sender: ends.sender,
            tag: ends.channel,
            bytes,
        })
    }

    fn message(&self, attributes: &Attributes) -> Option<(Ends, u64)> {
        let Attributes::ChannelMessage {
            channel,
            message,
            bytes,
            ..
        } = *attributes
        else {
            return None;
        };
        Some((self.messages.ends(channel, message)?, bytes))
    }

    fn exists(&mut self, thread: u32) -> bool {
        self.strangers += u64::from(thread >= self.threads);
        thread < self.threads
    }

    /// The trace does not say which transfers a completion is of; after it, all are taken to be
    /// done.
    fn complete_pending(&mut self, out: &mut Vec<Output>) {
        for number in self.pending.drain(..) {
            let blocking = false;
            out.push(Output::Record(Record::Complete { number, blocking }));
        }
    }
}

/// What the Enter of an operation on tasks and channels says, as attributes.
fn of_tasks(attributes: &Attributes, put: &mut impl FnMut(u32, Value)) {
    let mut put = |id, number| put(id, Value::Uint64(number));
    match *attributes {
        Attributes::Task { task } => put(attribute::TASK, task),
        Attributes::TaskCreate { task, processor } => {
            put(attribute::TASK, task);
            put(attribute::PROCESSOR, processor.into());
        }
        Attributes::ChannelCreate { channel, capacity } => {
            put(attribute::CHANNEL, channel);
            if let Some(capacity) = capacity {
                put(attribute::CAPACITY, capacity);
            }
        }
        Attributes::ChannelMessage {
            channel,
            message,
            queued,
            ..
        } => {
            put(attribute::CHANNEL, channel);
            put(attribute::MESSAGE, message);
            put(attribute::QUEUED, queued);
        }
        Attributes::Channel { channel } => put(attribute::CHANNEL, channel),
        Attributes::SelectWait { inputs } => put(attribute::INPUTS, inputs.into()),
        _ => {}
    }
}

fn complete((first, count): (u64, u64), out: &mut Vec<Output>) {
    for number in first..first + count {
        let blocking = true;
        out.push(Output::Record(Record::Complete { number, blocking }));
    }
}

/// Which collective operation of OTF2's it is, and what it synchronises when it has no modes.
fn collective(operation: Operation) -> Option<(Collective, Synchronises)> {
    use Operation::*;
    let kind = match operation {
        Barrier | CollectiveExit => Collective::Barrier,
        Broadcast => Collective::Broadcast,
        Scatter => Collective::Scatter,
        Gather => Collective::Gather,
        GatherAll => Collective::AllGather,
        Exchange | Permute => Collective::AllToAll,
        Reduce => Collective::Reduce,
        PrefixReduce => Collective::Scan,
        AllAlloc => Collective::Allocate,
        AllFree => Collective::Deallocate,
        AllLockAlloc => Collective::CreateHandle,
        AllLockFree => Collective::DestroyHandle,
        _ => return None,
    };
    let synchronises = match kind {
        Collective::Barrier => Synchronises::ProcessesAndMemory,
        _ => Synchronises::Nothing,
    };
    Some((kind, synchronises))
}

/// MYSYNC is about the data of the operation, ALLSYNC about all threads.
fn strongest(sync_in: SyncMode, sync_out: SyncMode) -> Synchronises {
    match [sync_in, sync_out] {
        modes if modes.contains(&SyncMode::All) => Synchronises::ProcessesAndMemory,
        modes if modes.contains(&SyncMode::Mine) => Synchronises::Memory,
        _ => Synchronises::Nothing,
    }
}
