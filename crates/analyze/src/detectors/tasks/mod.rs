//! Tasks and channels: which message joins which operations, what each task waited for, and which
//! operation ended an idle period of a processor.
//!
//! Records of all processors are taken in the order of the times at which their regions began, so
//! that the state of every channel and task is known at each moment: a message is in its channel
//! before its receiver goes on, though the send may last longer. Memory depends on messages on
//! their way and on tasks that have not ended.

mod channel;
pub mod costs;
pub mod idle;
mod readiness;
pub mod tally;
mod task;

use pgas_earl::{PathId, PostId, Span};
use pgas_trace::model::{TaskReason, ThreadId};
use rustc_hash::FxHashMap;

use crate::model::paths::CallPaths;
use crate::threads::batch::Batch;
use crate::threads::tasks::{Message, TaskAction, TaskRecord};
use channel::Channel;
use costs::Costs;
use idle::{IdlePeriod, WaitedIn, Wake};
use readiness::Readiness;
use tally::{ChannelSums, Largest, TaskSums};
use task::{State, Task};

/// What was found, in the order of time; posts are named as by [`pgas_earl::Postings`].
#[derive(Debug)]
pub enum Told<'a> {
    /// A processor was idle.
    Idle(&'a IdlePeriod),
    /// This post may end an idle period that has not ended yet.
    Kept(PostId),
    /// It did not.
    Dropped(PostId),
}

/// A processor.
#[derive(Debug, Default)]
struct Processor {
    running: Option<u64>,
    since: u64,
    /// Idle periods of which it is not known what ended them, the last ones before the task that
    /// runs now.
    idle: Vec<IdlePeriod>,
    tasks: u64,
}

/// Tasks and channels of all processors.
#[derive(Debug)]
pub struct Tasks {
    pending: Vec<(ThreadId, TaskRecord)>,
    open_since: Option<u64>,
    processed: u64,
    processors: Vec<Processor>,
    tasks: FxHashMap<u64, Task>,
    channels: FxHashMap<u64, Channel>,
    /// Messages of this stretch that may still be on their way.
    fresh: Vec<(u64, u64)>,
    readiness: Readiness,
    ended_tasks: Largest<TaskSums>,
    ended_channels: Largest<ChannelSums>,
    /// By call path of the stretches and processor: tasks that are alike.
    alike: FxHashMap<(PathId, ThreadId), u64>,
    /// By the operation in which a task waited, and the one that ended that: ticks of idle time.
    culprits: FxHashMap<PathId, FxHashMap<PathId, u64>>,
    costs: Costs,
    /// Ticks of the latest record.
    latest: u64,
}

impl Tasks {
    /// Of that number of processors.
    pub fn new(processors: usize) -> Self {
        Tasks {
            pending: Vec::new(),
            open_since: None,
            processed: 0,
            processors: (0..processors).map(|_| Processor::default()).collect(),
            tasks: FxHashMap::default(),
            channels: FxHashMap::default(),
            fresh: Vec::new(),
            readiness: Readiness::new(processors),
            ended_tasks: Largest::default(),
            ended_channels: Largest::default(),
            alike: FxHashMap::default(),
            culprits: FxHashMap::default(),
            costs: Costs::default(),
            latest: 0,
        }
    }

    /// Takes the records of a processor.
    pub fn batch(&mut self, thread: usize, batch: &mut Batch, paths: &CallPaths) {
        if let Some(since) = batch.tasks_since {
            self.open_since = Some(self.open_since.map_or(since, |other| other.min(since)));
        }
        for mut record in batch.tasks.drain(..) {
            record.path = paths.translate(thread, record.path);
            if let TaskAction::HasIdled(wait) = &mut record.action {
                wait.path = paths.translate(thread, wait.path);
            }
            self.pending.push((thread as ThreadId, record));
        }
    }

    /// Goes on to `time` (ticks; `None`: the end), before which no event can come any more. All
    /// records of the stretch were taken.
    pub fn advance(&mut self, time: Option<u64>, mut tell: impl FnMut(Told)) {
        let open_since = self.open_since.take();
        let until = time.map(|time| open_since.map_or(time, |since| since.min(time)));
        self.processed = self.processed.max(until.unwrap_or(u64::MAX));
        self.pending
            .sort_by_key(|(thread, record)| (record.span.begin, *thread));
        let ready = until.map_or(self.pending.len(), |until| {
            self.pending
                .partition_point(|(_, record)| record.span.begin < until)
        });
        let later = self.pending.split_off(ready);
        for (thread, record) in std::mem::replace(&mut self.pending, later) {
            self.take(thread, record, &mut tell);
        }
        self.keep_all(&mut tell);
        if time.is_none() {
            self.finish(&mut tell);
        }
    }

    /// Ticks before which every idle period has been explained.
    pub fn horizon(&self) -> u64 {
        let periods = self.processors.iter().flat_map(|p| &p.idle);
        let open = periods.map(|period| period.wait.span.end).min();
        open.map_or(self.processed, |open| open.min(self.processed))
    }

    /// Whether the program has tasks.
    pub fn has_tasks(&self) -> bool {
        !self.ended_tasks.kept().is_empty()
    }

    /// Times of the tasks.
    pub fn tasks(&self) -> &Largest<TaskSums> {
        &self.ended_tasks
    }

    /// Messages of the channels.
    pub fn channels(&self) -> &Largest<ChannelSums> {
        &self.ended_channels
    }

    /// By processor: tasks that ran on it.
    pub fn tasks_by_processor(&self) -> impl Iterator<Item = u64> + '_ {
        self.processors.iter().map(|processor| processor.tasks)
    }

    /// Times of sends and receives.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// How many tasks have stretches of this call path on this processor.
    pub fn alike(&self, place: (PathId, ThreadId)) -> u64 {
        self.alike.get(&place).copied().unwrap_or(0)
    }

    /// The operation that ended most of the idle time of tasks that waited in an operation, and the
    /// ticks of that.
    pub fn culprit(&self, waited_in: PathId) -> Option<(PathId, u64)> {
        let all = self.culprits.get(&waited_in)?.iter();
        let all = all.map(|(&path, &ticks)| (path, ticks));
        all.max_by_key(|&(path, ticks)| (ticks, std::cmp::Reverse(path)))
    }

    fn take(&mut self, thread: ThreadId, record: TaskRecord, tell: &mut impl FnMut(Told)) {
        self.count(thread, &record);
        let wake = self.wake_of(thread, &record);
        match record.action {
            TaskAction::Enters { task } => self.enter(thread, task, &record, tell),
            TaskAction::Leaves { reason } => self.leave(thread, reason, record.span.end, tell),
            TaskAction::Creates { task, processor } => self.create(task, processor, wake, tell),
            TaskAction::CreatesChannel { channel, capacity } => {
                let sums = &mut self.channel(channel).sums;
                sums.created_at = Some(record.path);
                sums.capacity = capacity;
            }
            TaskAction::Sends(message) => self.send(message, record.span, wake, tell),
            TaskAction::Receives(message) => {
                self.receive((thread, record.span), message, wake, tell)
            }
            TaskAction::Selects { channel } => self.select(thread, channel, record.path, tell),
            TaskAction::Waits { channel } => self.wait(thread, channel, record.path),
            TaskAction::Closes { channel } | TaskAction::DeletesInput { channel } => {
                self.close(channel, record.span.begin, wake, tell);
            }
            TaskAction::Idles => {
                self.explain(thread, None, None, tell);
                self.readiness.idles(record.span.begin, thread);
            }
            TaskAction::HasIdled(wait) => {
                let others_ready = self.readiness.has_idled(record.span.begin, thread);
                self.processors[thread as usize].idle.push(IdlePeriod {
                    thread,
                    wait: *wait,
                    others_ready,
                    wake: None,
                    waited_in: None,
                });
            }
            TaskAction::Other => {}
        }
    }

    /// Counts the time of an operation to the task that executes it.
    fn count(&mut self, thread: ThreadId, record: &TaskRecord) {
        self.latest = self.latest.max(record.span.end);
        let running = self.processors[thread as usize].running;
        if let Some(task) = running.and_then(|task| self.tasks.get_mut(&task)) {
            task.sums.communicating += match record.action {
                TaskAction::HasIdled(_) => 0,
                _ => record.span.length(),
            };
        }
    }

    fn wake_of(&self, thread: ThreadId, record: &TaskRecord) -> Wake {
        Wake {
            thread,
            task: self.processors[thread as usize].running,
            time: record.span.end,
            path: record.path,
            post: record.post.map(|number| (thread, number)),
        }
    }

    fn channel(&mut self, channel: u64) -> &mut Channel {
        let new = || Channel::new(channel);
        self.channels.entry(channel).or_insert_with(new)
    }

    fn create(
        &mut self,
        number: u64,
        processor: ThreadId,
        wake: Wake,
        tell: &mut impl FnMut(Told),
    ) {
        if processor as usize >= self.processors.len() {
            return;
        }
        let mut task = Task::new(number, processor, wake.time);
        task.sums.created_at = Some(wake.path);
        task.sums.parent = wake.task;
        task.state = State::Ready { since: wake.time };
        keep(wake, tell);
        task.wake = Some(wake);
        self.tasks.insert(number, task);
        self.readiness.becomes_ready(wake.time, number, processor);
    }

    fn enter(
        &mut self,
        thread: ThreadId,
        number: u64,
        record: &TaskRecord,
        tell: &mut impl FnMut(Told),
    ) {
        let time = record.span.begin;
        self.readiness.runs(time, number, thread);
        let new = || Task::new(number, thread, time);
        let task = self.tasks.entry(number).or_insert_with(new);
        if task.sums.path.replace(record.path).is_none() {
            task.sums.processor = thread;
            self.processors[thread as usize].tasks += 1;
            *self.alike.entry((record.path, thread)).or_default() += 1;
        }
        let processor = &mut self.processors[thread as usize];
        (processor.running, processor.since) = (Some(number), time);
        let waited_in = task.waited_in();
        let wake = task.wake.take();
        if matches!(task.state, State::Waiting { .. }) && wake.is_none() {
            task.resumed = Some(time);
            return;
        }
        task.resume(wake, time, &mut self.channels);
        self.explain(thread, wake, waited_in, tell);
        drop_kept(wake, tell);
    }

    /// What ended the wait of the task that runs now became known only after it went on.
    fn learn(&mut self, thread: ThreadId, wake: Option<Wake>, tell: &mut impl FnMut(Told)) {
        let running = self.processors[thread as usize].running;
        let Some(task) = running.and_then(|task| self.tasks.get_mut(&task)) else {
            return;
        };
        let Some(time) = task.resumed.take() else {
            return;
        };
        let waited_in = task.waited_in();
        task.resume(wake, time, &mut self.channels);
        self.explain(thread, wake, waited_in, tell);
    }

    fn leave(
        &mut self,
        thread: ThreadId,
        reason: TaskReason,
        time: u64,
        tell: &mut impl FnMut(Told),
    ) {
        self.learn(thread, None, tell);
        let processor = &mut self.processors[thread as usize];
        let Some(number) = processor.running.take() else {
            return;
        };
        let ran = time - processor.since;
        let Some(task) = self.tasks.get_mut(&number) else {
            return;
        };
        task.sums.running += ran;
        task.sums.end = time;
        match reason {
            TaskReason::Ended => self.end(number),
            TaskReason::Yielded => {
                task.state = State::Ready { since: time };
                self.readiness.becomes_ready(time, number, thread);
            }
            TaskReason::Receives | TaskReason::Selects | TaskReason::Sends => {
                task.state = State::Waiting { since: time };
                self.begin_wait(number, reason, time, tell);
            }
        }
    }

    fn end(&mut self, number: u64) {
        if let Some(mut task) = self.tasks.remove(&number) {
            task.sums.stuck = self.readiness.ended(number);
            self.ended_tasks.add(task.sums);
        }
    }

    /// Notes where a task begins to wait; it leaves its processor next.
    fn wait(&mut self, thread: ThreadId, channel: Option<u64>, path: PathId) {
        let running = self.processors[thread as usize].running;
        if let Some(task) = running.and_then(|task| self.tasks.get_mut(&task)) {
            task.waits_in = Some(path);
            task.waits_for = channel;
        }
    }

    /// A task waits; what it waits for may have come in the meantime.
    fn begin_wait(
        &mut self,
        number: u64,
        reason: TaskReason,
        time: u64,
        tell: &mut impl FnMut(Told),
    ) {
        let Some(task) = self.tasks.get_mut(&number) else {
            return;
        };
        task.to_send = reason == TaskReason::Sends;
        let sent = task.sent.filter(|_| task.to_send);
        let awaited = task.waits_for.filter(|_| reason == TaskReason::Receives);
        if let Some((channel, message)) = sent {
            let channel = self.channels.get_mut(&channel);
            channel.map(|channel| channel.block(message, number));
        }
        let Some(channel) = awaited.and_then(|channel| self.channels.get_mut(&channel)) else {
            return;
        };
        match channel.front() {
            Some(message) => {
                let wake = message.sent;
                self.awake(number, time, wake, tell);
            }
            None => channel.waiting = Some(number),
        }
    }

    /// A task that waits can go on.
    fn awake(&mut self, number: u64, time: u64, wake: Wake, tell: &mut impl FnMut(Told)) {
        let Some(task) = self.tasks.get_mut(&number) else {
            return;
        };
        let is_waiting = matches!(task.state, State::Waiting { .. }) && task.resumed.is_none();
        if is_waiting && task.wake.is_none() {
            keep(wake, tell);
            task.wake = Some(wake);
            let processor = task.sums.processor;
            self.readiness.becomes_ready(time, number, processor);
        }
    }

    fn send(&mut self, message: Message, span: Span, wake: Wake, tell: &mut impl FnMut(Told)) {
        let time = span.begin;
        if let Some(task) = wake.task.and_then(|task| self.tasks.get_mut(&task)) {
            task.sent = Some((message.channel, message.number));
        }
        let channel = self.channel(message.channel);
        let sums = &mut channel.sums;
        sums.messages += 1;
        sums.bytes = sums.bytes.saturating_add(message.bytes);
        sums.note_queued(message.queued);
        if let Some(task) = wake.task {
            sums.note_sender(task);
        }
        let senders = sums.senders.len() as u64;
        channel.send(message.number, wake);
        let waiting = channel.waiting.take();
        let chosen_by = channel.chosen_by;
        self.costs.send(span.length(), message.bytes, senders);
        self.fresh.push((message.channel, message.number));
        if let Some(task) = waiting {
            self.awake(task, time, wake, tell);
        } else if let Some((task, path)) = chosen_by {
            self.make_ready(task, path, time);
        }
    }

    /// A message has come for a task that waits in a select which chose its channel before.
    fn make_ready(&mut self, number: u64, path: PathId, time: u64) {
        let Some(task) = self.tasks.get(&number) else {
            return;
        };
        let is_waiting = matches!(task.state, State::Waiting { .. }) && task.resumed.is_none();
        if is_waiting && task.waits_in == Some(path) && task.waits_for.is_none() {
            let processor = task.sums.processor;
            self.readiness.becomes_ready(time, number, processor);
        }
    }

    fn receive(
        &mut self,
        (thread, span): (ThreadId, Span),
        message: Message,
        wake: Wake,
        tell: &mut impl FnMut(Told),
    ) {
        let channel = self.channel(message.channel);
        channel.sums.note_queued(message.queued);
        channel.sums.receiver = wake.task;
        let senders = channel.sums.senders.len() as u64;
        let received = channel.receive(message.number);
        self.costs.receive(span.length(), message.bytes, senders);
        self.explain_by(thread, message.channel, received, tell);
        self.unblock(message.channel, wake, tell);
    }

    /// The message that a task has received may be the one that it waited for.
    fn explain_by(
        &mut self,
        thread: ThreadId,
        channel: u64,
        received: Option<channel::InFlight>,
        tell: &mut impl FnMut(Told),
    ) {
        let running = self.processors[thread as usize].running;
        if let Some(task) = running.and_then(|task| self.tasks.get_mut(&task)) {
            if task.resumed.is_some() {
                task.waits_for = Some(channel);
            }
        }
        self.learn(thread, received.map(|message| message.sent), tell);
        let kept = received.filter(|message| message.is_kept);
        drop_kept(kept.map(|message| message.sent), tell);
    }

    /// Senders whose messages have a place now can go on.
    fn unblock(&mut self, channel: u64, wake: Wake, tell: &mut impl FnMut(Told)) {
        while let Some(task) = self.channel(channel).unblock() {
            self.awake(task, wake.time, wake, tell);
        }
    }

    fn select(&mut self, thread: ThreadId, number: u64, path: PathId, tell: &mut impl FnMut(Told)) {
        let running = self.processors[thread as usize].running;
        let channel = self.channel(number);
        channel.chosen_by = running.map(|task| (task, path));
        let Some(message) = channel.front() else {
            return;
        };
        let sent = message.sent;
        let task = running.and_then(|task| self.tasks.get_mut(&task));
        if let Some(task) = task.filter(|task| task.resumed.is_some()) {
            task.waits_for = Some(number);
            self.learn(thread, Some(sent), tell);
        }
    }

    fn close(&mut self, number: u64, time: u64, wake: Wake, tell: &mut impl FnMut(Told)) {
        let Some(channel) = self.channels.get_mut(&number) else {
            return;
        };
        channel.closed = true;
        if let Some(task) = channel.waiting.take() {
            self.awake(task, time, wake, tell);
        }
        self.unblock(number, wake, tell);
        if self.channel(number).is_over() {
            let over = self.channels.remove(&number);
            over.into_iter()
                .for_each(|channel| self.ended_channels.add(channel.sums));
        }
    }

    /// The idle periods before the task that runs now were ended by `wake`.
    fn explain(
        &mut self,
        thread: ThreadId,
        wake: Option<Wake>,
        waited_in: Option<WaitedIn>,
        tell: &mut impl FnMut(Told),
    ) {
        let mut periods = std::mem::take(&mut self.processors[thread as usize].idle);
        let count = periods.len();
        for (number, mut period) in periods.drain(..).enumerate() {
            period.wake = wake;
            if let Some(wake) = period.wake.as_mut().filter(|_| number + 1 < count) {
                // It has come later than the processor stopped looking for a task.
                wake.post = None;
            }
            period.waited_in = waited_in;
            note_culprit(&mut self.culprits, &period);
            if let Some(wake) = period.wake {
                keep(wake, tell);
            }
            tell(Told::Idle(&period));
        }
        self.processors[thread as usize].idle = periods;
    }

    /// Names posts that may end idle periods of later stretches.
    fn keep_all(&mut self, tell: &mut impl FnMut(Told)) {
        let channels = &mut self.channels;
        for (channel, number) in self.fresh.drain(..) {
            let channel = channels.get_mut(&channel);
            if let Some(message) = channel.and_then(|channel| channel.message(number)) {
                if !message.is_kept {
                    keep(message.sent, tell);
                    message.is_kept = true;
                }
            }
        }
    }

    /// All streams have ended.
    fn finish(&mut self, tell: &mut impl FnMut(Told)) {
        for thread in 0..self.processors.len() {
            self.learn(thread as ThreadId, None, tell);
            self.explain(thread as ThreadId, None, None, tell);
        }
        let end = self.latest;
        for processor in &self.processors {
            let running = processor.running.and_then(|task| self.tasks.get_mut(&task));
            if let Some(task) = running {
                task.sums.running_since = Some(processor.since);
                task.state = State::Running;
            }
        }
        let mut left: Vec<u64> = self.tasks.keys().copied().collect();
        left.sort_unstable();
        for number in left {
            if let Some(task) = self.tasks.get_mut(&number) {
                task.cut(end, &mut self.channels);
            }
            self.end(number);
        }
        for (_, channel) in self.channels.drain() {
            self.ended_channels.add(channel.sums);
        }
        self.ended_tasks.limit();
        self.ended_channels.limit();
    }
}

fn note_culprit(culprits: &mut FxHashMap<PathId, FxHashMap<PathId, u64>>, period: &IdlePeriod) {
    let (Some(wake), Some(until)) = (period.wake, period.woken()) else {
        return;
    };
    let Some(waited) = period.waited_in else {
        return;
    };
    let others = period.others_ready.iter();
    let others = others.map(|part| part.end.min(until).saturating_sub(part.begin));
    let ticks = period.ticks_until(until).saturating_sub(others.sum());
    if ticks > 0 {
        let of_path = culprits.entry(waited.path).or_default();
        *of_path.entry(wake.path).or_default() += ticks;
    }
}

/// Names a post that may end an idle period.
fn keep(wake: Wake, tell: &mut impl FnMut(Told)) {
    if let Some(post) = wake.post {
        tell(Told::Kept(post));
    }
}

/// Ends that a post is kept, once for each time that it was named.
fn drop_kept(wake: Option<Wake>, tell: &mut impl FnMut(Told)) {
    if let Some(post) = wake.and_then(|wake| wake.post) {
        tell(Told::Dropped(post));
    }
}
