//! This process as one of several that run a program.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::{Condvar, Mutex};
use serde::Serialize;

use crate::failure::Failure;
use crate::identity::Identity;
use crate::remote::detector::{Detector, Next};
use crate::remote::frame::{After, Control, Counts, Failed, Frame, Notice, Step};
use crate::remote::objects::{Address, Object, Objects};
use crate::remote::wire::{HEAD, Intake, Wire};
use crate::wait::WaitingTask;

static NODE: OnceLock<Node> = OnceLock::new();

thread_local! {
    /// The process for which this thread packs a message.
    static DESTINATION: Cell<Option<u32>> = const { Cell::new(None) };
}

/// This process, if the program runs on several.
pub(crate) fn node() -> Option<&'static Node> {
    NODE.get()
}

/// The process for which a message is being packed.
pub(crate) fn destination() -> Option<u32> {
    DESTINATION.get()
}

/// A message or arguments as bytes for a process. Ports move there with it.
pub(crate) fn pack<T: Serialize>(to: u32, value: &T) -> Result<Vec<u8>, String> {
    let before = DESTINATION.replace(Some(to));
    let bytes = postcard::to_stdvec(value);
    DESTINATION.set(before);
    bytes.map_err(|error| {
        let name = std::any::type_name::<T>();
        format!("a value of type {name} cannot be sent to another process: {error}")
    })
}

/// What a node does in its own process.
pub(crate) trait Local: Send + Sync {
    /// Something runs here.
    fn hold(&self);
    /// It has ended; whether nothing else runs.
    fn release(&self) -> bool;
    fn is_idle(&self) -> bool;
    /// Nothing will ever arrive any more.
    fn quiet(&self);
    fn fail(&self, failure: Failure);
    /// Begins a task that was created elsewhere.
    fn begin(&self, identity: Identity, function: u64, arguments: &[u8]) -> Result<(), String>;
}

/// This process and its links.
pub(crate) struct Node {
    pub me: u32,
    /// Processors of each process.
    processors: Vec<Range<usize>>,
    executable: u64,
    wire: Box<dyn Wire>,
    links: Vec<Link>,
    objects: Objects,
    next: AtomicU64,
    ending: AtomicBool,
    local: OnceLock<Arc<dyn Local>>,
    detector: Mutex<Detector>,
    end: Mutex<End>,
    end_changed: Condvar,
}

#[derive(Default)]
struct Link {
    sent: Mutex<u64>,
    accepted: Mutex<u64>,
    accepted_changed: Condvar,
    /// The process says that it ends.
    leaving: AtomicBool,
    created: Mutex<Created>,
}

/// Tasks that this process has created elsewhere, for reports.
#[derive(Default)]
struct Created {
    first: Vec<Identity>,
    count: usize,
}

/// Tasks that a report lists.
const LISTED: usize = 20;

#[derive(Default)]
struct End {
    described: usize,
    waiting: Vec<WaitingTask>,
    bye: bool,
    failed: bool,
}

impl Node {
    /// Makes this process number `me` of those that the wire connects.
    pub fn install(
        me: u32,
        processors: Vec<Range<usize>>,
        executable: u64,
        wire: Box<dyn Wire>,
    ) -> Option<&'static Self> {
        let processes = processors.len();
        let node = Self {
            me,
            links: (0..processes).map(|_| Link::default()).collect(),
            processors,
            executable,
            wire,
            objects: Objects::default(),
            next: AtomicU64::new((u64::from(me) << 40) + 1),
            ending: AtomicBool::new(false),
            local: OnceLock::new(),
            detector: Mutex::new(Detector::new(processes)),
            end: Mutex::default(),
            end_changed: Condvar::new(),
        };
        NODE.set(node).ok()?;
        NODE.get()
    }

    /// Begins to take part in the run.
    pub fn start(&'static self, local: Arc<dyn Local>) {
        let _ = self.local.set(local);
        self.tell_all(&Control::Hello {
            executable: self.executable,
            processors: self.total(),
        });
        self.wire.listen(Arc::new(Arrivals(self)));
    }

    fn total(&self) -> usize {
        self.processors.last().map_or(0, |last| last.end)
    }

    /// The process that has a processor.
    pub fn process_of(&self, processor: usize) -> u32 {
        self.processors
            .partition_point(|range| range.end <= processor) as u32
    }

    pub fn own_processors(&self) -> Range<usize> {
        self.processors[self.me as usize].clone()
    }

    fn local(&self) -> Option<&Arc<dyn Local>> {
        self.local.get()
    }

    // Sending.

    /// Frames to the process until now.
    pub fn frames_to(&self, to: u32) -> u64 {
        *self.links[to as usize].sent.lock()
    }

    fn send(&self, to: u32, frame: &Frame<'_>) {
        if self.ending.load(Ordering::Relaxed) {
            return;
        }
        let mut sent = self.links[to as usize].sent.lock();
        *sent += 1;
        self.put(to, frame);
    }

    fn put(&self, to: u32, frame: &Frame<'_>) {
        // Frames of this crate can be written always.
        if let Ok(bytes) = postcard::to_extend(frame, vec![0; HEAD]) {
            self.wire.send(to, bytes);
        }
    }

    /// Does something to a channel elsewhere.
    pub fn step(&self, to: Address, source: u64, after: Option<After>, step: Step<'_>) {
        let object = to.object;
        self.send(
            to.process,
            &Frame::Step {
                object,
                source,
                after,
                step,
            },
        );
    }

    /// Says something to a proxy.
    pub fn notify(&self, to: Address, notice: Notice) {
        let object = to.object;
        self.send(to.process, &Frame::Notice { object, notice });
    }

    /// Begins a task in another process.
    pub fn begin(&self, to: u32, identity: Identity, function: u64, arguments: &[u8]) {
        let mut created = self.links[to as usize].created.lock();
        created.count += 1;
        if created.first.len() < LISTED {
            created.first.push(identity);
        }
        drop(created);
        let arguments = Cow::Borrowed(arguments);
        self.send(
            to,
            &Frame::Begin {
                identity,
                function,
                arguments,
            },
        );
    }

    fn tell(&self, to: u32, control: Control) {
        if to == self.me {
            self.control(to, control);
        } else {
            self.put(to, &Frame::Control(control));
        }
    }

    fn tell_all(&self, control: &Control) {
        let others = (0..self.links.len() as u32).filter(|other| *other != self.me);
        let Ok(bytes) = postcard::to_stdvec(&ControlRef::Control(control)) else {
            return;
        };
        others.for_each(|other| {
            let mut frame = vec![0; HEAD];
            frame.extend_from_slice(&bytes);
            self.wire.send(other, frame);
        });
    }

    // Objects.

    /// A number for an object.
    pub fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Others may send to an object from now on, and may have done so already.
    pub fn add_home(&self, number: u64, object: Arc<dyn Object>) {
        for (from, step) in self.objects.add_home(number, Arc::clone(&object)) {
            self.check(Arc::clone(&object).accept(from, step));
        }
    }

    /// Others may send to an object of this process from now on.
    pub fn keep_home(&self, number: u64, object: Arc<dyn Object>) {
        self.objects.add_home(number, object);
    }

    pub fn add_proxy(&self, number: u64, object: Weak<dyn Object>) {
        self.objects.add_proxy(number, object);
    }

    #[must_use]
    pub fn remove(&self, number: u64) -> Option<Arc<dyn Object>> {
        self.objects.remove(number)
    }

    pub fn home(&self, number: u64) -> Option<Arc<dyn Object>> {
        self.objects.home(number)
    }

    // Arrival.

    /// Whether the frame was taken. If not, it is to be given again later.
    fn arrive(&self, from: u32, bytes: &[u8], wait: bool) -> bool {
        match postcard::from_bytes(bytes) {
            Ok(Frame::Control(control)) => self.control(from, control),
            Ok(Frame::Step { after, .. }) if !wait && !self.has_come(after) => return false,
            Ok(frame) => self.take(from, frame),
            Err(error) => self.check(Err(format!("process {from} sent nonsense: {error}"))),
        }
        true
    }

    fn has_come(&self, after: Option<After>) -> bool {
        let Some(after) = after.filter(|after| after.process != self.me) else {
            return true;
        };
        let accepted = *self.links[after.process as usize].accepted.lock();
        accepted >= after.frames || self.ending.load(Ordering::Relaxed)
    }

    /// Takes a frame of the program. It counts as running meanwhile.
    fn take(&self, from: u32, frame: Frame<'_>) {
        let Some(local) = self.local() else { return };
        local.hold();
        if !self.ending.load(Ordering::Relaxed) {
            self.check(self.perform(from, frame));
        }
        let link = &self.links[from as usize];
        *link.accepted.lock() += 1;
        link.accepted_changed.notify_all();
        if local.release() {
            self.report_idle();
        }
    }

    fn perform(&self, from: u32, frame: Frame<'_>) -> Result<(), String> {
        match frame {
            Frame::Begin {
                identity,
                function,
                arguments,
            } => match self.local() {
                Some(local) => local.begin(identity, function, &arguments),
                None => Ok(()),
            },
            Frame::Step {
                object,
                source,
                after,
                step,
            } => {
                self.await_frames(after);
                let from = Address {
                    process: from,
                    object: source,
                };
                match self.objects.home_or_keep(object, from, step) {
                    Some((object, step)) => object.accept(from, step),
                    None => Ok(()),
                }
            }
            Frame::Notice { object, notice } => {
                if let Some(object) = self.objects.any(object) {
                    object.notice(notice);
                }
                Ok(())
            }
            Frame::Control(_) => Ok(()),
        }
    }

    fn await_frames(&self, after: Option<After>) {
        let Some(after) = after.filter(|after| after.process != self.me) else {
            return;
        };
        let link = &self.links[after.process as usize];
        let mut accepted = link.accepted.lock();
        while *accepted < after.frames && !self.ending.load(Ordering::Relaxed) {
            link.accepted_changed.wait(&mut accepted);
        }
    }

    fn check(&self, result: Result<(), String>) {
        if let (Err(text), Some(local)) = (result, self.local()) {
            local.fail(Failure::Process {
                process: self.me as usize,
                text,
            });
        }
    }

    // The end.

    fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for link in &self.links {
            counts.sent += *link.sent.lock();
            counts.accepted += *link.accepted.lock();
        }
        counts
    }

    /// Nothing runs here now.
    pub fn report_idle(&self) {
        self.tell(0, Control::Idle(self.counts()));
    }

    fn control(&self, from: u32, control: Control) {
        match control {
            Control::Hello {
                executable,
                processors,
            } => self.compare(from, executable, processors),
            Control::Idle(counts) => {
                let next = self.detector.lock().report(from as usize, counts);
                self.go_on(next);
            }
            Control::Probe(round) => {
                let idle = self.local().is_some_and(|local| local.is_idle());
                self.tell(0, Control::Reply(round, idle.then(|| self.counts())));
            }
            Control::Reply(round, counts) => {
                let next = self.detector.lock().reply(from as usize, round, counts);
                self.go_on(next);
            }
            Control::Quiet => {
                // Tasks that are dropped here must not wake those that wait elsewhere.
                self.stop_sending();
                self.local().into_iter().for_each(|local| local.quiet());
            }
            Control::Described(waiting) => self.change_end(|end| {
                end.waiting.extend(waiting);
                end.described += 1;
            }),
            Control::Bye => self.change_end(|end| end.bye = true),
            Control::Failed(failed) => self.failed_elsewhere(from, failed),
            Control::Stopping => self.links[from as usize]
                .leaving
                .store(true, Ordering::Relaxed),
        }
    }

    fn go_on(&self, next: Next) {
        match next {
            Next::Nothing => {}
            Next::Ask(round) => {
                self.tell_all(&Control::Probe(round));
                self.tell(0, Control::Probe(round));
            }
            Next::Quiet => {
                self.tell_all(&Control::Quiet);
                self.tell(0, Control::Quiet);
            }
        }
    }

    fn compare(&self, from: u32, executable: u64, processors: usize) {
        if executable != self.executable {
            self.check(Err(format!(
                "process {from} runs another executable than process {}: all must run the same \
                 build",
                self.me
            )));
        } else if processors != self.total() {
            self.check(Err(format!(
                "process {from} has {processors} processors in all, and process {} {}: all must \
                 be given the same number",
                self.me,
                self.total()
            )));
        }
    }

    fn change_end(&self, change: impl FnOnce(&mut End)) {
        change(&mut self.end.lock());
        self.end_changed.notify_all();
    }

    fn failed_elsewhere(&self, from: u32, failed: Failed) {
        self.links[from as usize]
            .leaving
            .store(true, Ordering::Relaxed);
        let failure = match failed {
            Failed::Panic {
                task,
                place,
                message,
            } => Failure::Panic {
                task,
                place,
                message,
            },
            Failed::Other(text) => Failure::Process {
                process: from as usize,
                text,
            },
        };
        if let Some(local) = self.local() {
            local.fail(failure);
        }
    }

    /// The process ended without a word.
    fn lost(&self, process: u32) {
        let link = &self.links[process as usize];
        let over = self.over();
        if over || link.leaving.load(Ordering::Relaxed) {
            return;
        }
        let created = std::mem::take(&mut *link.created.lock());
        if let Some(local) = self.local() {
            local.fail(Failure::Lost {
                process: process as usize,
                processors: self.processors[process as usize].clone(),
                tasks: created.first,
                more: created.count.saturating_sub(LISTED),
                how: None,
            });
        }
    }

    /// Whether the run has ended in all processes.
    fn over(&self) -> bool {
        let end = self.end.lock();
        end.bye || (self.me == 0 && end.described + 1 == self.links.len())
    }

    /// Tells others of a failure, the first one here. No more frames are sent.
    pub fn tell_failure(&self, failure: &Failure) {
        let told = self.stop_sending();
        self.change_end(|end| end.failed = true);
        if told {
            return;
        }
        self.tell_all(&match failure {
            Failure::Panic {
                task,
                place,
                message,
            } if self.own_processors().contains(&(task.processor as usize)) => {
                Control::Failed(Failed::Panic {
                    task: *task,
                    place: place.clone(),
                    message: message.clone(),
                })
            }
            Failure::Process { process, text } if *process == self.me as usize => {
                Control::Failed(Failed::Other(text.clone()))
            }
            Failure::Processor { .. } => Control::Failed(Failed::Other(failure.to_string())),
            _ => Control::Stopping,
        });
    }

    /// Whether that was so already.
    pub fn stop_sending(&self) -> bool {
        let before = self.ending.swap(true, Ordering::SeqCst);
        for link in &self.links {
            let _accepted = link.accepted.lock();
            link.accepted_changed.notify_all();
        }
        before
    }

    /// Waits until the run has ended in all processes: in process 0, adds the tasks that wait in
    /// the others.
    pub fn settle(&self, waiting: &mut Vec<WaitingTask>) {
        self.stop_sending();
        if self.me == 0 {
            self.gather(waiting);
        } else {
            self.describe(std::mem::take(waiting));
        }
    }

    /// In process 0: waits until all have said which tasks wait there, or the run has failed.
    fn gather(&self, waiting: &mut Vec<WaitingTask>) {
        let mut end = self.end.lock();
        while end.described + 1 < self.links.len() && !end.failed {
            self.end_changed.wait(&mut end);
        }
        waiting.append(&mut end.waiting);
        let failed = end.failed;
        drop(end);
        // After a failure, the others must learn of it, and not take this for a good end.
        if !failed {
            self.tell_all(&Control::Bye);
        }
        self.wire.flush();
    }

    /// In the others: says which tasks wait here, and waits until all have ended.
    fn describe(&self, waiting: Vec<WaitingTask>) {
        self.put(0, &Frame::Control(Control::Described(waiting)));
        let mut end = self.end.lock();
        while !end.bye && !end.failed {
            self.end_changed.wait(&mut end);
        }
    }

    /// Drops what is left, and waits until all frames have gone.
    pub fn finish(&self) {
        drop(self.objects.clear());
        // Others may notice the end of this process before they are told of that of the program.
        self.tell_all(&Control::Stopping);
        self.wire.flush();
        self.wire.close();
    }
}

/// What arrives at a node.
struct Arrivals(&'static Node);

impl Intake for Arrivals {
    fn take(&self, from: u32, frame: &[u8]) {
        self.0.arrive(from, frame, true);
    }

    #[cfg(feature = "mpi")]
    fn try_take(&self, from: u32, frame: &[u8]) -> bool {
        self.0.arrive(from, frame, false)
    }

    fn lost(&self, from: u32) {
        self.0.lost(from);
    }
}

/// As [`Frame::Control`], of which it has the place, for one that is sent several times.
#[derive(Serialize)]
#[allow(dead_code, reason = "the places of the others")]
enum ControlRef<'a> {
    Begin,
    Step,
    Notice,
    Control(&'a Control),
}
