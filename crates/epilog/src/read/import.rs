//! Converts records to the events of threads. One event of the model is spread over several records
//! in EPILOG, so an Enter is held back until it is complete: that of a transfer until the thread
//! does something else, that of a lock until the lock is taken.

use std::collections::VecDeque;
use std::path::Path;

use pgas_trace::model::{Attributes, Operation, Site, SiteId, SyncMode, TaskReason};
use pgas_trace::models::Model;
use pgas_trace::properties::{NODE, RUNTIME};
use pgas_trace::writer::StreamWriter;
use rustc_hash::{FxHashMap, FxHashSet};

use super::leftovers::Leftovers;
use super::stream::{AppendedFile, Ticks, begin};
use super::tables::Tables;
use super::{Happening, Taken};
use crate::error::Error;
use crate::format::fields::Problem;
use crate::format::{Event, EventKind, Foreign, ForeignEvent, Region, RegionType};
use crate::names;
use crate::notes;
use crate::tasks;

/// Most events of a thread that are held back; a lock that takes longer to be taken is not known.
const HELD_AT_MOST: usize = 256;

/// Stands for the region in which the measurement of the file's tool took time.
const TRACING: (u32, (bool, u32)) = (u32::MAX, (false, u32::MAX));

/// An event of the model that may still lack something.
#[derive(Debug)]
struct Held {
    time: u64,
    /// `None` is an Exit.
    enter: Option<SiteId>,
    attributes: Attributes,
}

/// Information that an Enter that is held back lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lacks {
    Transfer(Operation),
    Lock,
    Unlock,
    Message,
}

#[derive(Debug)]
struct Question {
    /// Number of the event.
    event: u64,
    /// Of the region, from 1.
    depth: usize,
    lacks: Lacks,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    operation: Operation,
    acquired: bool,
    /// Whether it is a task with its number, whose Exit says why it is left.
    is_task: bool,
}

#[derive(Debug, Default)]
struct Thread {
    writer: Option<StreamWriter<AppendedFile>>,
    /// By whether it is a call site, and number.
    sites: FxHashMap<(bool, u32), SiteId>,
    stack: Vec<Frame>,
    held: VecDeque<Held>,
    /// Events that are written, which is the number of the first one that is held.
    written: u64,
    questions: VecDeque<Question>,
    cut_after: Option<u64>,
    /// The wait that the last operation began.
    wait: Option<TaskReason>,
    /// Exits of tasks that began no wait.
    task_exits: u64,
}

/// Takes all events of a file.
pub struct Importer<'a> {
    tables: &'a Tables,
    operations: FxHashMap<u32, Operation>,
    /// Attributes that descriptions of regions say.
    described: FxHashMap<u32, Attributes>,
    /// Bytes of messages under way, by channel and number.
    under_way: FxHashMap<(u64, u64), u64>,
    /// Messages in each channel.
    queued: FxHashMap<u64, u64>,
    directory: &'a Path,
    ticks: Ticks,
    ours: bool,
    /// Whether operations have names of their own, as those of other models than UPC do; those of
    /// UPC may be written under names of SHMEM.
    has_own_names: bool,
    threads: Vec<Thread>,
    leftovers: Leftovers,
    partial: usize,
}

impl<'a> Importer<'a> {
    /// For a file with these definitions, of whose regions those in `partial` are left by a part of
    /// the threads.
    pub fn new(tables: &'a Tables, partial: &FxHashSet<u32>, directory: &'a Path) -> Self {
        let ours = tables.experiment.is_some();
        let operation = |(id, region): (&u32, &Region)| {
            let operation = match partial.contains(id) {
                true => Operation::Function,
                false => operation(tables, region, ours),
            };
            (*id, operation)
        };
        let threads = (0..tables.locations.len() as u32).map(|thread| Thread {
            cut_after: tables.threads.get(&thread).and_then(|note| note.cut_after),
            ..Thread::default()
        });
        Importer {
            tables,
            operations: tables.regions.iter().map(operation).collect(),
            described: described(tables, ours),
            under_way: FxHashMap::default(),
            queued: FxHashMap::default(),
            directory,
            ticks: Ticks::of(tables.experiment.as_ref()),
            ours,
            has_own_names: has_own_names(tables),
            threads: threads.collect(),
            leftovers: Leftovers::default(),
            partial: partial.len(),
        }
    }

    /// Takes the next event, which was checked.
    pub fn take(&mut self, event: &Happening) -> Result<(), Taken> {
        match event {
            Happening::Ours(event) => self.event(event),
            Happening::Foreign(event) => self.foreign(event),
            Happening::Attribute => {
                self.leftovers.attributes += 1;
                Ok(())
            }
        }
    }

    fn time(&self, seconds: f64) -> Result<u64, Taken> {
        self.ticks.at(seconds).ok_or_else(|| {
            let found = format!("time {seconds}");
            Taken::Problem(Problem::new(found, "a time that a run can last"))
        })
    }

    fn foreign(&mut self, event: &ForeignEvent) -> Result<(), Taken> {
        let time = self.time(event.time)?;
        let location = event.location;
        let left = &mut self.leftovers;
        match event.kind {
            Foreign::Fork => left.teams += 1,
            Foreign::Request => left.requests += 1,
            Foreign::WindowLock { .. } => left.window_locks += 1,
            Foreign::WindowGetAtTarget { .. } => left.transfers += 1,
            Foreign::Join | Foreign::WindowTransfer { .. } | Foreign::PutEndAtOrigin { .. } => {}
            Foreign::Acquire { lock } => {
                let lock = self.of_process(location, lock);
                self.lock(location, lock, Lacks::Lock);
            }
            Foreign::Release { lock } => {
                let lock = self.of_process(location, lock);
                self.lock(location, lock, Lacks::Unlock);
            }
            Foreign::WindowPut { target, bytes, .. } => {
                self.transfer(location, target, bytes, true);
            }
            Foreign::WindowGet { target, bytes, .. }
            | Foreign::GetStartAtOrigin { target, bytes, .. } => {
                self.transfer(location, target, bytes, false);
            }
            Foreign::WindowCollectiveExit { .. } | Foreign::ExitTracing => {
                self.exit(location, time, None)?;
            }
            Foreign::EnterTracing => {
                self.enter_operation(location, time, Operation::MeasurementStall, TRACING)?;
            }
        }
        Ok(())
    }

    /// Locks of one number in two processes are two.
    fn of_process(&self, location: u32, lock: u32) -> u64 {
        let process = self.tables.locations[location as usize].process;
        u64::from(process) << 32 | u64::from(lock)
    }

    fn event(&mut self, event: &Event) -> Result<(), Taken> {
        let time = self.time(event.time)?;
        let location = event.location;
        match event.kind {
            EventKind::Enter { region } => self.enter(location, time, region, (false, region))?,
            EventKind::EnterCallSite { call_site } => {
                let site = self.tables.call_sites.get(&call_site);
                let region = site.map_or(0, |site| site.entered);
                self.enter(location, time, region, (true, call_site))?;
            }
            EventKind::Exit => self.exit(location, time, None)?,
            EventKind::CollectiveExit {
                root,
                communicator,
                sent,
                received,
            } => {
                let modes = match self.ours {
                    true => notes::modes(communicator),
                    false => Some((SyncMode::Mine, SyncMode::Mine)),
                };
                let attributes = modes.map(|(sync_in, sync_out)| Attributes::Collective {
                    root,
                    sent: sent.into(),
                    received: received.into(),
                    sync_in,
                    sync_out,
                });
                self.exit(location, time, attributes)?;
            }
            EventKind::PutStart { target, bytes, .. } => {
                self.transfer(location, target, bytes, true);
            }
            EventKind::GetStart { origin, bytes, .. } => {
                self.transfer(origin, location, bytes, false);
            }
            EventKind::PutEnd { .. } | EventKind::GetEnd { .. } => {}
            EventKind::Acquire { lock } => self.lock(location, lock.into(), Lacks::Lock),
            EventKind::Release { lock } => self.lock(location, lock.into(), Lacks::Unlock),
            EventKind::Send {
                communicator,
                tag,
                bytes,
                ..
            } => self.sent(location, (communicator, tag), bytes),
            EventKind::Receive {
                communicator, tag, ..
            } => self.received(location, (communicator, tag)),
            EventKind::LogOff => self.leftovers.switched_off += 1,
            EventKind::LogOn => {}
        }
        Ok(())
    }

    /// Ends all streams. Returns what a reader of the experiment must know.
    pub fn finish(mut self, path: &Path) -> Result<Vec<String>, Error> {
        for number in 0..self.threads.len() {
            let noted = self.tables.threads.contains_key(&(number as u32));
            if self.threads[number].writer.is_none() && (noted || !self.ours) {
                self.writer(number as u32)?;
            }
            let thread = &mut self.threads[number];
            thread.questions.clear();
            thread.flush()?;
            let Some(writer) = thread.writer.take() else {
                continue;
            };
            match thread.cut_after {
                None => writer.finish()?,
                Some(_) => writer.abandon()?,
            };
        }
        Ok(self
            .leftovers
            .remarks(path, self.partial, self.tables.counters))
    }

    fn enter(
        &mut self,
        location: u32,
        time: u64,
        region: u32,
        key: (bool, u32),
    ) -> Result<(), Taken> {
        let operation = self.operations.get(&region).copied();
        let operation = operation.unwrap_or(Operation::Function);
        let is_team_barrier = |region: &Region| {
            matches!(
                region.kind,
                RegionType::OmpBarrier | RegionType::OmpImplicitBarrier
            )
        };
        if self
            .tables
            .regions
            .get(&region)
            .is_some_and(is_team_barrier)
        {
            self.leftovers.team_barriers += 1;
        }
        self.enter_operation(location, time, operation, (region, key))
    }

    fn enter_operation(
        &mut self,
        location: u32,
        time: u64,
        operation: Operation,
        (region, key): (u32, (bool, u32)),
    ) -> Result<(), Taken> {
        let thread = &self.threads[location as usize];
        if thread.is_over() {
            let problem = Problem::new(
                "another ENTER of a thread whose note says that its events end before",
                "EXITs alone",
            );
            return Err(Taken::Problem(problem));
        }
        let site = match thread.sites.get(&key) {
            Some(&site) => site,
            None => {
                let site = self.site(region, operation, key);
                let site = self.writer(location).map_err(Taken::Error)?.site(&site);
                let sites = &mut self.threads[location as usize].sites;
                sites.insert(key, site);
                site
            }
        };
        let known = self.described.get(&region).copied();
        let thread = &mut self.threads[location as usize];
        thread.settle();
        thread.wait = known.and_then(|known| wait(operation, &known));
        let lacks = match operation {
            Operation::Lock | Operation::LockAttempt => Some(Lacks::Lock),
            Operation::Unlock => Some(Lacks::Unlock),
            Operation::ChannelSend | Operation::ChannelReceive if known.is_none() => {
                Some(Lacks::Message)
            }
            _ if names::is_transfer(operation) => Some(Lacks::Transfer(operation)),
            _ => None,
        };
        thread.stack.push(Frame {
            operation,
            acquired: false,
            is_task: matches!(known, Some(Attributes::Task { .. })),
        });
        if let Some(lacks) = lacks {
            thread.questions.push_back(Question {
                event: thread.written + thread.held.len() as u64,
                depth: thread.stack.len(),
                lacks,
            });
        }
        thread.held.push_back(Held {
            time,
            enter: Some(site),
            attributes: known.unwrap_or(notes::at_enter(operation)),
        });
        thread.flush()?;
        Ok(())
    }

    fn exit(
        &mut self,
        location: u32,
        time: u64,
        collective: Option<Attributes>,
    ) -> Result<(), Taken> {
        let thread = &mut self.threads[location as usize];
        thread.settle();
        let depth = thread.stack.len();
        if thread.questions.back().is_some_and(|q| q.depth == depth) {
            thread.questions.pop_back();
        }
        // The check before has seen to it that there is one.
        let Some(frame) = thread.stack.pop() else {
            return Ok(());
        };
        if thread.is_over() {
            return Ok(());
        }
        let attributes = match (collective, frame.operation) {
            _ if frame.is_task => thread.task_left(self.tables.threads.get(&location)),
            (_, Operation::LockAttempt) => Attributes::LockAttempt {
                acquired: frame.acquired,
            },
            (Some(collective), operation) if self.ours || names::is_collective(operation) => {
                collective
            }
            _ => Attributes::None,
        };
        thread.held.push_back(Held {
            time,
            enter: None,
            attributes,
        });
        thread.flush()?;
        Ok(())
    }

    /// A transfer by `origin` begins.
    fn transfer(&mut self, origin: u32, target: u32, bytes: u32, is_put: bool) {
        let thread = &mut self.threads[origin as usize];
        let Some((operation, attributes)) = thread.lacking_transfer() else {
            self.leftovers.transfers += 1;
            return;
        };
        let count = u64::from(bytes);
        let fits = is_put != names::is_get(operation) || operation == Operation::Memcpy;
        let known = match (*attributes, operation, is_put) {
            _ if !fits => None,
            (Attributes::None, Operation::Memcpy, false) => {
                Some(Attributes::copy(target, origin, count))
            }
            (Attributes::None, Operation::Memcpy, true) => {
                Some(Attributes::copy(origin, target, count))
            }
            // The second half of a copy.
            (Attributes::Copy { source, bytes, .. }, _, true) => {
                Some(Attributes::copy(source, target, bytes))
            }
            (Attributes::None, ..) => Some(Attributes::transfer(target, count)),
            // An operation that a library does in several steps.
            (Attributes::Transfer { partner, bytes, .. }, ..) if partner == target => {
                Some(Attributes::transfer(partner, bytes.saturating_add(count)))
            }
            _ => None,
        };
        match known {
            Some(known) => *attributes = known,
            None => self.leftovers.transfers += 1,
        }
    }

    /// The channel of a message of ours.
    fn channel(&self, communicator: u32) -> Option<u64> {
        let index = communicator.checked_sub(notes::COMMUNICATORS)?;
        self.tables.channels.get(index as usize).copied()
    }

    fn sent(&mut self, location: u32, (communicator, tag): (u32, u32), bytes: u32) {
        let Some(channel) = self.channel(communicator) else {
            self.leftovers.messages += 1;
            self.leftovers.message_bytes += u64::from(bytes);
            return;
        };
        let queued = self.queued.entry(channel).or_default();
        *queued += 1;
        let message = Attributes::ChannelMessage {
            channel,
            message: tag.into(),
            bytes: bytes.into(),
            queued: *queued,
        };
        self.under_way.insert((channel, tag.into()), bytes.into());
        self.message(location, message);
    }

    fn received(&mut self, location: u32, (communicator, tag): (u32, u32)) {
        let Some(channel) = self.channel(communicator) else {
            return;
        };
        let queued = self.queued.entry(channel).or_default();
        *queued = queued.saturating_sub(1);
        let message = Attributes::ChannelMessage {
            channel,
            message: tag.into(),
            bytes: self.under_way.remove(&(channel, tag.into())).unwrap_or(0),
            queued: *queued,
        };
        self.message(location, message);
    }

    /// Completes the Enter of the innermost region, if it lacks a message.
    fn message(&mut self, location: u32, message: Attributes) {
        let thread = &mut self.threads[location as usize];
        let depth = thread.stack.len();
        let question = thread.questions.back();
        let question = question.filter(|q| q.depth == depth && q.lacks == Lacks::Message);
        let index = question.map(|question| (question.event - thread.written) as usize);
        match index.and_then(|index| thread.held.get_mut(index)) {
            Some(held) => held.attributes = message,
            None => self.leftovers.messages += 1,
        }
    }

    /// A lock is taken or given back.
    fn lock(&mut self, location: u32, lock: u64, lacks: Lacks) {
        let thread = &mut self.threads[location as usize];
        let depth = thread.stack.len();
        let first = thread.written;
        let question = thread.questions.back();
        let question = question.filter(|q| q.depth == depth && q.lacks == lacks);
        let index = question.map(|question| (question.event - first) as usize);
        let Some(held) = index.and_then(|index| thread.held.get_mut(index)) else {
            self.leftovers.locks += 1;
            return;
        };
        held.attributes = Attributes::Lock { lock };
        if let Some(frame) = thread.stack.last_mut() {
            frame.acquired = lacks == Lacks::Lock;
        }
    }

    fn site(&self, region: u32, operation: Operation, (is_call_site, id): (bool, u32)) -> Site {
        let tables = self.tables;
        if operation.is_user() {
            let Some(region) = tables.regions.get(&region) else {
                return Site::operation(operation, "", 0);
            };
            return Site {
                operation,
                file: tables.file(region.file).to_owned(),
                line: region.begin_line.unwrap_or(0),
                name: tables.text(Some(region.name)).to_owned(),
            };
        }
        let call = match is_call_site {
            true => tables.call_sites.get(&id),
            false => None,
        };
        let site = call.map_or(Site::operation(operation, "", 0), |call| {
            Site::operation(operation, tables.file(call.file), call.line.unwrap_or(0))
        });
        // Calls of libraries have names of their own.
        let name = tables.regions.get(&region);
        let name = name.map_or("", |region| tables.text(Some(region.name)));
        let is_translated = !self.has_own_names && names::is_written(operation, name);
        let is_own = self.ours && !operation.is_standstill() && !is_translated;
        Site {
            name: if is_own {
                name.to_owned()
            } else {
                String::new()
            },
            ..site
        }
    }

    /// The stream of a thread, which is begun if there was none.
    fn writer(&mut self, location: u32) -> Result<&mut StreamWriter<AppendedFile>, Error> {
        let count = self.threads.len() as u32;
        let thread = &mut self.threads[location as usize];
        if thread.writer.is_none() {
            let mut writer = begin(self.directory, location, count, &self.ticks)?;
            match self.tables.threads.get(&location) {
                Some(note) => {
                    for (key, value) in &note.properties {
                        writer.property(key, value)?;
                    }
                }
                None => {
                    let node = self.tables.locations[location as usize].node;
                    let name = self.tables.nodes.get(&node).copied().flatten();
                    writer.property("host", self.tables.text(name))?;
                    writer.property(NODE, notes::ONE_CLOCK)?;
                }
            }
            thread.writer = Some(writer);
        }
        match &mut thread.writer {
            Some(writer) => Ok(writer),
            None => unreachable!("it was just made"),
        }
    }
}

impl Thread {
    /// Whether its events have ended and what follows are the Exits that EPILOG wants.
    fn is_over(&self) -> bool {
        let events = self.written + self.held.len() as u64;
        self.cut_after.is_some_and(|cut| events >= cut)
    }

    /// The thread does something else: what was not said of its last Enter will not be said.
    fn settle(&mut self) {
        if self
            .questions
            .back()
            .is_some_and(|q| !matches!(q.lacks, Lacks::Lock | Lacks::Message))
        {
            self.questions.pop_back();
        }
        if self.held.len() >= HELD_AT_MOST {
            self.questions.clear();
        }
    }

    /// Why a task is left: for the wait that its last operation began, or else as the note says.
    fn task_left(&mut self, note: Option<&notes::ThreadNote>) -> Attributes {
        let reason = self.wait.take().unwrap_or_else(|| {
            let exit = self.task_exits;
            self.task_exits += 1;
            match note.is_some_and(|note| note.yields.binary_search(&exit).is_ok()) {
                true => TaskReason::Yielded,
                false => TaskReason::Ended,
            }
        });
        Attributes::TaskLeft { reason }
    }

    /// The innermost region's Enter, if it is a transfer's and can still be told more.
    fn lacking_transfer(&mut self) -> Option<(Operation, &mut Attributes)> {
        let question = self.questions.back()?;
        let Lacks::Transfer(operation) = question.lacks else {
            return None;
        };
        let index = (question.event - self.written) as usize;
        let held = self.held.get_mut(index)?;
        Some((operation, &mut held.attributes))
    }

    /// Writes what lacks nothing.
    fn flush(&mut self) -> Result<(), pgas_trace::Error> {
        let until = self.questions.front().map(|question| question.event);
        while self.held.front().is_some() && until.is_none_or(|until| self.written < until) {
            let (Some(held), Some(writer)) = (self.held.pop_front(), &mut self.writer) else {
                break;
            };
            match held.enter {
                Some(site) => writer.enter(held.time, site, held.attributes)?,
                None => writer.exit(held.time, held.attributes)?,
            }
            self.written += 1;
        }
        Ok(())
    }
}

/// Attributes that descriptions of regions of ours say.
fn described(tables: &Tables, ours: bool) -> FxHashMap<u32, Attributes> {
    let regions = tables.regions.iter().filter(|_| ours);
    let known = regions.filter_map(|(id, region)| {
        let (_, attributes) = tasks::described(tables.text(region.description))?;
        Some((*id, attributes))
    });
    known.collect()
}

/// The wait that an operation begins.
fn wait(operation: Operation, attributes: &Attributes) -> Option<TaskReason> {
    match (operation, attributes) {
        (Operation::ChannelSend, Attributes::Channel { .. }) => Some(TaskReason::Sends),
        (Operation::ChannelReceive, Attributes::Channel { .. }) => Some(TaskReason::Receives),
        (Operation::Select, Attributes::SelectWait { .. }) => Some(TaskReason::Selects),
        _ => None,
    }
}

/// Whether the experiment says that it is of another runtime than UPC's.
fn has_own_names(tables: &Tables) -> bool {
    let notes = tables.threads.values();
    let mut properties = notes.flat_map(|note| &note.properties);
    properties.any(|(key, value)| {
        key == RUNTIME && Model::from_id(value).is_some_and(|model| model != Model::Upc)
    })
}

/// Operation that a region stands for.
fn operation(tables: &Tables, region: &Region, ours: bool) -> Operation {
    let described = match ours {
        true => notes::described(tables.text(region.description)).or_else(|| {
            tasks::described(tables.text(region.description)).map(|(operation, _)| operation)
        }),
        false => None,
    };
    described.unwrap_or_else(|| names::recognise(tables.text(Some(region.name)), region.kind))
}
