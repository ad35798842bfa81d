//! Converts the events of one thread to records. A native event is spread over several records
//! here: a transfer becomes its Start and End, a lock its acquisition at the end of the operation.

use pgas_trace::messages::Messages;
use pgas_trace::model::{
    Attributes, Event, EventKind, Operation, Site, SiteId, TaskReason, ThreadId,
};
use pgas_trace::{Experiment, Stream};
use rustc_hash::FxHashMap;

use super::definitions::Definitions;
use super::loss::Losses;
use crate::format::{CallSite, EventKind as Record};
use crate::names;
use crate::notes;
use crate::tasks;

/// A record at a location; the time is that of the event that it comes from.
pub type Placed = (u32, Record);

/// Region and place in the file of a site of the stream.
#[derive(Debug, Clone, Copy)]
struct Target {
    operation: Operation,
    region: u32,
    /// File and line of the call.
    place: Option<(Option<u32>, Option<u32>)>,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    operation: Operation,
    region: u32,
    /// A transfer out of that thread's memory, with its number.
    get: Option<(ThreadId, u32)>,
    /// A transfer into that thread's memory.
    put: Option<(ThreadId, u32)>,
    lock: Option<u32>,
    /// The message that the operation received.
    received: Option<Record>,
}

/// The state of one thread.
#[derive(Debug)]
pub struct Translator<'a> {
    location: u32,
    threads: u32,
    sites: &'a [Site],
    targets: Vec<Target>,
    /// By site, region entered and region left.
    call_sites: FxHashMap<(SiteId, u32, Option<u32>), u32>,
    messages: &'a Messages,
    /// Exits of tasks that begin no wait.
    task_exits: u64,
    /// Those of them after which the task was to run on.
    yields: Vec<u64>,
    stack: Vec<Frame>,
    next_transfer: u32,
    /// Ticks behind which Exits say that the thread was ended in a region, not that it left it.
    interrupted_after: u64,
    /// `None` while locks have no numbers yet.
    locks: Option<&'a FxHashMap<u64, u32>>,
}

impl<'a> Translator<'a> {
    pub fn new(
        experiment: &Experiment,
        stream: &'a Stream,
        messages: &'a Messages,
        threads: u32,
        definitions: &mut Definitions,
        locks: Option<&'a FxHashMap<u64, u32>>,
    ) -> Self {
        let clocks = experiment.clocks();
        let reference = |ticks| clocks.to_reference(stream.thread(), ticks);
        let targets = stream.sites().iter().map(|site| Target {
            operation: site.operation,
            region: definitions.region(site),
            place: definitions.place(site),
        });
        Translator {
            location: stream.thread(),
            threads,
            sites: stream.sites(),
            targets: targets.collect(),
            messages,
            task_exits: 0,
            yields: Vec::new(),
            call_sites: FxHashMap::default(),
            stack: Vec::new(),
            next_transfer: 0,
            interrupted_after: stream.interrupted_after().map_or(u64::MAX, reference),
            locks,
        }
    }

    /// Exits of tasks for the note on the thread.
    pub fn yields(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.yields)
    }

    /// Number of open regions.
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Appends the records of the next event.
    pub fn event(
        &mut self,
        event: &Event,
        definitions: &mut Definitions,
        losses: &mut Losses,
        out: &mut Vec<Placed>,
    ) {
        match event.kind {
            EventKind::Enter { site, attributes } => {
                self.enter(site, &attributes, definitions, losses, out);
            }
            EventKind::Exit { .. } if event.time > self.interrupted_after => self.leave(out),
            EventKind::Exit { attributes, .. } => self.exit(&attributes, losses, out),
        }
    }

    /// Appends the Exits of regions that are still open: EPILOG's regions must all be left.
    pub fn end(&mut self, out: &mut Vec<Placed>) {
        while !self.stack.is_empty() {
            self.leave(out);
        }
    }

    /// Appends the end of a region that was not left: it takes no lock and completes no collective
    /// operation. Transfers end with it, since EPILOG has none without an end.
    fn leave(&mut self, out: &mut Vec<Placed>) {
        if let Some(frame) = self.stack.pop() {
            self.end_transfers(&frame, out);
            out.extend(frame.received.map(|record| (self.location, record)));
            out.push((self.location, Record::Exit));
        }
    }

    fn enter(
        &mut self,
        site: SiteId,
        attributes: &Attributes,
        definitions: &mut Definitions,
        losses: &mut Losses,
        out: &mut Vec<Placed>,
    ) {
        let me = self.location;
        let mut target = self.targets[site.0 as usize];
        if let Some(description) = tasks::description(target.operation, attributes) {
            let site = &self.sites[site.0 as usize];
            target.region = definitions.described_region(site, Some(description));
        }
        let left = self.stack.last().map(|frame| frame.region);
        let record = match target.place {
            None => Record::Enter {
                region: target.region,
            },
            Some((file, line)) => {
                let known = self.call_sites.entry((site, target.region, left));
                let call_site = *known.or_insert_with(|| {
                    definitions.call_site(CallSite {
                        file,
                        line,
                        entered: target.region,
                        left,
                    })
                });
                Record::EnterCallSite { call_site }
            }
        };
        out.push((me, record));
        let mut frame = Frame {
            operation: target.operation,
            region: target.region,
            get: None,
            put: None,
            lock: None,
            received: None,
        };
        let operation = target.operation;
        losses.addresses += u64::from(attributes.has_addresses());
        losses.waits += u64::from(names::waits_for_a_post(operation));
        match *attributes {
            Attributes::None | Attributes::Barrier { value: None } => {}
            Attributes::Transfer { partner, bytes, .. }
                if names::is_transfer(operation) && operation != Operation::Memcpy =>
            {
                match names::is_get(operation) {
                    true => self.get(&mut frame, partner, bytes, losses, out),
                    false => self.put(&mut frame, partner, bytes, losses, out),
                }
            }
            Attributes::Copy {
                source,
                destination,
                bytes,
                ..
            } if operation == Operation::Memcpy => {
                self.get(&mut frame, source, bytes, losses, out);
                self.put(&mut frame, destination, bytes, losses, out);
            }
            Attributes::Lock { lock } => match operation {
                Operation::Lock | Operation::LockAttempt => frame.lock = Some(self.lock(lock)),
                Operation::Unlock => {
                    let lock = self.lock(lock);
                    out.push((me, Record::Release { lock }));
                }
                _ => losses.freed_locks += 1,
            },
            Attributes::Barrier { value: Some(_) } => losses.barrier_values += 1,
            Attributes::Allocation { .. } => losses.allocations += 1,
            Attributes::Exit { .. } => losses.exit_statuses += 1,
            Attributes::Group { .. } => losses.groups += 1,
            Attributes::Message { .. } => losses.messages += 1,
            Attributes::ChannelMessage { .. } => {
                let message = self.message(operation, attributes, losses);
                match operation {
                    Operation::ChannelSend => out.extend(message.map(|record| (me, record))),
                    _ => frame.received = message,
                }
            }
            // The description of the region says them.
            Attributes::Task { .. }
            | Attributes::TaskCreate { .. }
            | Attributes::ChannelCreate { .. }
            | Attributes::Channel { .. }
            | Attributes::SelectWait { .. } => {}
            // Waits are counted, and posts are there for these alone.
            Attributes::Object { .. } => {}
            Attributes::Transfer { .. } if names::waits_for_a_post(operation) => {}
            _ => losses.attributes += 1,
        }
        self.stack.push(frame);
    }

    fn exit(&mut self, attributes: &Attributes, losses: &mut Losses, out: &mut Vec<Placed>) {
        let me = self.location;
        // The reader of streams gives no Exit without its Enter.
        let Some(frame) = self.stack.pop() else {
            return;
        };
        self.end_transfers(&frame, out);
        out.extend(frame.received.map(|record| (me, record)));
        let mut record = match frame.operation {
            Operation::Barrier => Record::CollectiveExit {
                root: None,
                communicator: 0,
                sent: 0,
                received: 0,
            },
            _ => Record::Exit,
        };
        let mut acquired = frame.operation == Operation::Lock;
        match *attributes {
            Attributes::None => {}
            Attributes::LockAttempt { acquired: taken }
                if frame.operation == Operation::LockAttempt =>
            {
                acquired = taken;
                losses.failed_attempts += u64::from(!taken);
            }
            Attributes::Collective {
                root,
                sent,
                received,
                sync_in,
                sync_out,
            } => {
                record = Record::CollectiveExit {
                    root: root.filter(|&root| losses.check_thread(root, self.threads)),
                    communicator: notes::communicator(sync_in, sync_out),
                    sent: losses.cap(sent),
                    received: losses.cap(received),
                };
            }
            Attributes::TaskLeft { reason } => self.left(reason),
            // Counted when the operation was entered.
            Attributes::Message { .. } => {}
            _ => losses.attributes += 1,
        }
        if let (true, Some(lock)) = (acquired, frame.lock) {
            out.push((me, Record::Acquire { lock }));
        }
        out.push((me, record));
    }

    /// A message has the communicator of its channel, and its number in the channel as its tag.
    fn message(
        &self,
        operation: Operation,
        attributes: &Attributes,
        losses: &mut Losses,
    ) -> Option<Record> {
        let Attributes::ChannelMessage {
            channel,
            message,
            bytes,
            ..
        } = *attributes
        else {
            return None;
        };
        losses.queues += 1;
        let ends = self.messages.ends(channel, message);
        let (Some(ends), Ok(tag)) = (ends, u32::try_from(message)) else {
            losses.loose_messages += 1;
            return None;
        };
        let communicator = notes::COMMUNICATORS + ends.channel;
        Some(match operation {
            Operation::ChannelSend => Record::Send {
                to: ends.receiver,
                communicator,
                tag,
                bytes: losses.cap(bytes),
            },
            _ => Record::Receive {
                from: ends.sender,
                communicator,
                tag,
            },
        })
    }

    /// Whether a task waits is seen from its last operation; whether it ended is not.
    fn left(&mut self, reason: TaskReason) {
        match reason {
            TaskReason::Yielded => self.yields.push(self.task_exits),
            TaskReason::Ended => {}
            TaskReason::Receives | TaskReason::Sends | TaskReason::Selects => return,
        }
        self.task_exits += 1;
    }

    fn get(
        &mut self,
        frame: &mut Frame,
        target: ThreadId,
        bytes: u64,
        losses: &mut Losses,
        out: &mut Vec<Placed>,
    ) {
        let Some((transfer, bytes)) = self.transfer(target, bytes, losses) else {
            return;
        };
        let record = Record::GetStart {
            origin: self.location,
            transfer,
            bytes,
        };
        out.push((target, record));
        frame.get = Some((target, transfer));
    }

    fn put(
        &mut self,
        frame: &mut Frame,
        target: ThreadId,
        bytes: u64,
        losses: &mut Losses,
        out: &mut Vec<Placed>,
    ) {
        let Some((transfer, bytes)) = self.transfer(target, bytes, losses) else {
            return;
        };
        let record = Record::PutStart {
            target,
            transfer,
            bytes,
        };
        out.push((self.location, record));
        frame.put = Some((target, transfer));
    }

    fn end_transfers(&self, frame: &Frame, out: &mut Vec<Placed>) {
        if let Some((target, transfer)) = frame.get {
            out.push((self.location, Record::GetEnd { target, transfer }));
        }
        if let Some((target, transfer)) = frame.put {
            let origin = self.location;
            out.push((target, Record::PutEnd { origin, transfer }));
        }
    }

    /// A number that no transfer of this thread has that is under way (very few are at a time: they
    /// nest), and the bytes that are written of it; `None` if there is no thread `target`.
    fn transfer(
        &mut self,
        target: ThreadId,
        bytes: u64,
        losses: &mut Losses,
    ) -> Option<(u32, u32)> {
        if !losses.check_thread(target, self.threads) {
            return None;
        }
        let number = self.next_transfer;
        self.next_transfer = number.wrapping_add(1);
        Some((number, losses.cap(bytes)))
    }

    fn lock(&self, lock: u64) -> u32 {
        let number = self.locks.and_then(|locks| locks.get(&lock));
        number.copied().unwrap_or(0)
    }
}
