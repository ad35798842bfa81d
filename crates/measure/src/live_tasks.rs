//! What others can see of the tasks and channels of a processor while it runs: its thread stores to
//! rows of its live file (`pgas_live::tasks`) when it goes on with a task, when it leaves it, and
//! at each operation on a channel.
//!
//! An operation finds its row without a search if it is on the channel that the task used last in
//! this direction.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use pgas_live::row::{add, begin_stretch, end_stretch};
use pgas_live::tasks::{INPUT, PORTS, RECEIVES, RUNS, SELECTS, SENDS, TASKS};
use rustc_hash::FxHashMap;

use crate::attributes::Message;
use crate::live_task_area::{NO_ROW, TaskArea};

/// Tasks and channels of a thread.
pub(crate) struct LiveTasks {
    pub(crate) area: TaskArea,
    /// Rows by the number of the task.
    rows: FxHashMap<u64, u16>,
    /// Rows of ports by task, channel and direction.
    ports: FxHashMap<(u64, u64, u64), u16>,
    /// By row of a task.
    tasks: Vec<Task>,
    /// By row of a port: the next one of the same task.
    next_ports: Vec<u16>,
    /// Rows of tasks that have ended, and of their ports.
    free_tasks: Vec<u16>,
    free_ports: VecDeque<u16>,
    current: Current,
}

/// A task that has a row.
#[derive(Clone, Copy)]
struct Task {
    /// The channel and the row of the port that it used last, by direction.
    last: [(u64, u16); 2],
    /// The first of its ports.
    first_port: u16,
    /// The port at which it waits.
    waits_at: u16,
    /// Ticks: since when it has been waiting in a select, and after that, for how long it was.
    /// 0 if that was counted.
    selected: u64,
}

const NEW_TASK: Task = Task {
    last: [(u64::MAX, NO_ROW); 2],
    first_port: NO_ROW,
    waits_at: NO_ROW,
    selected: 0,
};

/// The task that runs.
#[derive(Clone, Copy)]
struct Current {
    number: u64,
    row: u16,
    /// Begin of its operation, and the port of that.
    began: u64,
    port: u16,
    /// Direction and channel of the wait that it is about to begin.
    wait: Option<(u64, u64)>,
}

const NOBODY: Current = Current {
    number: u64::MAX,
    row: NO_ROW,
    began: 0,
    port: NO_ROW,
    wait: None,
};

impl LiveTasks {
    /// `None` if there is no memory. Nobody sees it yet.
    pub(crate) fn new() -> Option<Self> {
        Some(LiveTasks {
            area: TaskArea::new()?,
            rows: FxHashMap::default(),
            ports: FxHashMap::default(),
            tasks: Vec::new(),
            next_ports: Vec::new(),
            free_tasks: Vec::new(),
            free_ports: VecDeque::new(),
            current: NOBODY,
        })
    }

    /// Forgets everything.
    pub(crate) fn reset(&mut self) {
        self.area.reset();
        self.rows.clear();
        self.ports.clear();
        self.free_tasks.clear();
        self.free_ports.clear();
        self.current = NOBODY;
    }

    /// The processor begins to run a task, or goes on with it.
    pub(crate) fn enter(&mut self, number: u64, site: u32, time: u64) {
        let row = match self.rows.get(&number) {
            Some(&row) => row,
            None => self.begin(number, site),
        };
        self.current = Current {
            number,
            row,
            ..NOBODY
        };
        if row != NO_ROW {
            self.end_wait(row, time);
            let task = self.area.task(row);
            task.turn(RUNS, None, time);
            begin_stretch(&task.running, time);
            add(&task.runs, 1);
        }
    }

    /// The processor leaves the task, which is in this state then; `None` if it has ended.
    pub(crate) fn leave(&mut self, state: Option<u64>, time: u64) {
        let Current { number, row, .. } = self.current;
        if state.is_none() {
            self.area.count(|head| &head.ended);
        }
        if row != NO_ROW {
            end_stretch(&self.area.task(row).running, time);
            match state {
                Some(state) => self.begin_wait(row, state, time),
                None => self.end(number, row),
            }
        }
        self.current = NOBODY;
    }

    /// The running task creates another one.
    pub(crate) fn create_task(&mut self) {
        self.area.count(|head| &head.created);
    }

    /// It deletes the input of a channel.
    pub(crate) fn delete_input(&mut self) {
        self.area.count(|head| &head.closed);
    }

    /// It is about to wait for this channel.
    pub(crate) fn announce_wait(&mut self, direction: u64, channel: u64) {
        self.current.wait = Some((direction, channel));
    }

    /// It begins an operation, which is over soon.
    #[inline(always)]
    pub(crate) fn begin_operation(&mut self, time: u64) {
        (self.current.began, self.current.port) = (time, NO_ROW);
    }

    /// It sends or receives a message.
    #[inline]
    pub(crate) fn pass(&mut self, direction: u64, message: Message) {
        let port = self.port(message.channel, direction);
        self.current.port = port;
        if port != NO_ROW {
            let row = self.area.port(port);
            row.count(message.number, message.bytes, message.queued);
            let selected = &mut self.tasks[usize::from(self.current.row)].selected;
            if direction == INPUT && *selected != 0 {
                lengthen(&row.time, std::mem::take(selected));
            }
        }
    }

    /// Its operation is over.
    #[inline]
    pub(crate) fn end_operation(&mut self, time: u64) {
        if self.current.row == NO_ROW {
            return;
        }
        let took = time.saturating_sub(self.current.began);
        add(&self.area.task(self.current.row).communicating, took);
        if self.current.port != NO_ROW {
            lengthen(&self.area.port(self.current.port).time, took);
        }
    }

    /// Gives a row to a task that begins; [`NO_ROW`] if there is none.
    fn begin(&mut self, number: u64, site: u32) -> u16 {
        let row = match self.free_tasks.pop() {
            Some(row) => row,
            None => self.area.new_task(),
        };
        if row != NO_ROW {
            self.tasks.resize(self.tasks.len().max(TASKS), NEW_TASK);
            self.tasks[usize::from(row)] = NEW_TASK;
            self.rows.insert(number, row);
            self.area.task(row).begin(number, site);
        }
        row
    }

    /// The task has ended. Its ports are shown until others need their rows.
    fn end(&mut self, number: u64, row: u16) {
        self.rows.remove(&number);
        let mut port = self.tasks[usize::from(row)].first_port;
        while port != NO_ROW {
            let shown = self.area.port(port);
            let channel = shown.channel.load(Ordering::Relaxed).wrapping_sub(1);
            let direction = shown.direction.load(Ordering::Relaxed);
            self.ports.remove(&(number, channel, direction));
            self.free_ports.push_back(port);
            port = self.next_ports[usize::from(port)];
        }
        self.area.task(row).number.store(0, Ordering::Release);
        self.free_tasks.push(row);
    }

    fn begin_wait(&mut self, row: u16, state: u64, time: u64) {
        let is_at_port = matches!(state, RECEIVES | SENDS);
        let wait = self.current.wait.filter(|_| is_at_port);
        let port = wait.map_or(NO_ROW, |(direction, channel)| self.port(channel, direction));
        if port != NO_ROW {
            begin_stretch(&self.area.port(port).time, time);
        }
        let task = &mut self.tasks[usize::from(row)];
        task.waits_at = port;
        if state == SELECTS {
            task.selected = time;
        }
        let channel = wait.map(|(_, channel)| channel);
        self.area.task(row).turn(state, channel, time);
    }

    fn end_wait(&mut self, row: u16, time: u64) {
        let task = &mut self.tasks[usize::from(row)];
        let port = std::mem::replace(&mut task.waits_at, NO_ROW);
        if port != NO_ROW {
            end_stretch(&self.area.port(port).time, time);
        }
        let state = self.area.task(row).state.load(Ordering::Relaxed);
        if state == SELECTS {
            task.selected = time.saturating_sub(task.selected);
        }
    }

    /// The running task's port of a channel; [`NO_ROW`] if it has no row.
    #[inline]
    fn port(&mut self, channel: u64, direction: u64) -> u16 {
        let Some(task) = self.tasks.get(usize::from(self.current.row)) else {
            return NO_ROW;
        };
        match task.last[direction as usize & 1] {
            (last, row) if last == channel && row != NO_ROW => row,
            _ => self.other_port(channel, direction),
        }
    }

    #[inline(never)]
    fn other_port(&mut self, channel: u64, direction: u64) -> u16 {
        let key = (self.current.number, channel, direction);
        let port = match self.ports.get(&key) {
            Some(&port) => port,
            None => self.new_port(key),
        };
        self.tasks[usize::from(self.current.row)].last[direction as usize & 1] = (channel, port);
        port
    }

    fn new_port(&mut self, key: (u64, u64, u64)) -> u16 {
        let port = match self.area.new_port() {
            NO_ROW => self.free_ports.pop_front().unwrap_or(NO_ROW),
            port => port,
        };
        if port == NO_ROW {
            return port;
        }
        let (task, channel, direction) = key;
        self.area.port(port).begin(channel, task, direction);
        self.ports.insert(key, port);
        self.next_ports
            .resize(self.next_ports.len().max(PORTS), NO_ROW);
        let first = &mut self.tasks[usize::from(self.current.row)].first_port;
        self.next_ports[usize::from(port)] = std::mem::replace(first, port);
        port
    }
}

/// Adds to a time whose stretch is over.
#[inline(always)]
fn lengthen(word: &std::sync::atomic::AtomicI64, ticks: u64) {
    let sum = word.load(Ordering::Relaxed).wrapping_add(ticks as i64);
    word.store(sum, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use pgas_live::tasks::{OUTPUT, READY};

    use super::*;

    fn message(channel: u64, number: u64) -> Message {
        Message {
            channel,
            number,
            bytes: 8,
            queued: 1,
        }
    }

    /// Channel, task, messages and ticks of the ports that have had a row.
    fn ports(tasks: &LiveTasks) -> Vec<(u64, u64, u64, i64)> {
        let used = tasks.area.head().port_rows.load(Ordering::Relaxed);
        let shown = (0..used as u16).map(|row| tasks.area.port(row));
        let of = |port: &pgas_live::tasks::PortRow| {
            let [channel, task, calls] =
                [&port.channel, &port.task, &port.calls].map(|word| word.load(Ordering::Relaxed));
            (channel - 1, task, calls, port.time.load(Ordering::Relaxed))
        };
        shown.map(of).collect()
    }

    fn send(tasks: &mut LiveTasks, channel: u64, number: u64, time: u64) {
        tasks.begin_operation(time);
        tasks.pass(OUTPUT, message(channel, number));
        tasks.end_operation(time + 10);
    }

    #[test]
    fn a_wait_is_time_of_its_port_and_not_of_its_task() {
        let mut tasks = LiveTasks::new().unwrap();
        tasks.enter(7, 1, 1000);
        send(&mut tasks, 3, 0, 1100);
        tasks.announce_wait(OUTPUT, 3);
        tasks.leave(Some(SENDS), 1200);
        let waits = tasks.area.port(0).time.load(Ordering::Relaxed);
        assert_eq!(waits + 1500, 10 + 300, "the wait is seen while it lasts");
        tasks.enter(7, 1, 2200);
        tasks.leave(Some(READY), 2300);
        assert_eq!(ports(&tasks), [(3, 7, 1, 1010)]);
        let task = tasks.area.task(0);
        assert_eq!(task.running.load(Ordering::Relaxed), 300);
        assert_eq!(task.communicating.load(Ordering::Relaxed), 10);
        assert_eq!(task.state.load(Ordering::Relaxed), READY);
    }

    #[test]
    fn a_wait_for_several_inputs_is_time_of_the_one_that_was_chosen() {
        let mut tasks = LiveTasks::new().unwrap();
        tasks.enter(0, 0, 1000);
        tasks.leave(Some(SELECTS), 1100);
        tasks.enter(0, 0, 1600);
        for (channel, time) in [(4, 1600), (5, 1700)] {
            tasks.begin_operation(time);
            tasks.pass(INPUT, message(channel, 0));
            tasks.end_operation(time + 20);
        }
        assert_eq!(ports(&tasks), [(4, 0, 1, 520), (5, 0, 1, 20)]);
    }

    #[test]
    fn rows_of_tasks_that_have_ended_are_used_again_and_too_many_tasks_are_left_out() {
        let mut tasks = LiveTasks::new().unwrap();
        for number in 0..3 * TASKS as u64 {
            tasks.enter(number, 0, 10 * number);
            send(&mut tasks, number, 0, 10 * number);
            tasks.leave(None, 10 * number + 5);
        }
        assert_eq!(tasks.area.head().task_rows.load(Ordering::Relaxed), 1);
        assert_eq!(
            tasks.area.head().ended.load(Ordering::Relaxed),
            3 * TASKS as u64
        );
        assert_eq!(ports(&tasks).len(), PORTS);
        for number in 10_000..10_000 + 2 * TASKS as u64 {
            tasks.enter(number, 0, number);
            tasks.leave(Some(READY), number);
        }
        assert_eq!(
            tasks.area.head().task_rows.load(Ordering::Relaxed),
            TASKS as u64
        );
        tasks.enter(10_000, 0, 50_000);
        assert_eq!(tasks.current.row, 0, "the first ones keep their rows");
    }
}
