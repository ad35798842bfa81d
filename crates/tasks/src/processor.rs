//! A processor: runs its tasks in turns, and takes part in ending a program.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Barrier};
use std::task::Waker;
use std::thread;

use slab::Slab;

use crate::failure::Failure;
use crate::here::{self, Parcel, Ready, Unbegun};
use crate::identity::Identity;
use crate::machine::Machine;
use crate::observe::{Event, emit};
use crate::transport::Arrival;
use crate::wait::WaitingTask;

pub(crate) struct Processor {
    machine: Arc<Machine<Parcel>>,
    me: usize,
    all_described: Arc<Barrier>,
    /// Tasks of this processor that have begun.
    tasks: Slab<Living>,
}

/// A task between its begin and its end.
struct Living {
    /// Reaches the task when nobody else can.
    waker: Waker,
    children: u32,
}

impl Processor {
    /// This thread as processor `me`; all have the same barrier.
    pub fn new(machine: Arc<Machine<Parcel>>, me: usize, all_described: Arc<Barrier>) -> Self {
        here::become_processor(&machine, me as u32);
        Self {
            machine,
            me,
            all_described,
            tasks: Slab::new(),
        }
    }

    /// Runs until no task is left that can run, or until the program is ended: the tasks that wait
    /// for each other.
    pub fn run(mut self) -> Vec<WaitingTask> {
        let arrival = self.work();
        let waiting = if arrival == Arrival::Quiet {
            self.waiting()
        } else {
            Vec::new()
        };
        if arrival == Arrival::Quiet {
            // Tasks that are dropped close channels of others, which would not wait any more.
            self.all_described.wait();
        }
        self.drop_tasks();
        waiting
    }

    fn work(&mut self) -> Arrival {
        loop {
            here::collect(&self.machine, self.me);
            if self.machine.stopping() {
                return Arrival::Stopped;
            }
            if let Some(parcel) = here::with_ready(|queue| queue.pop_front()) {
                match parcel {
                    Parcel::Begin(task) => self.begin_task(task),
                    Parcel::GoOn(ready) => self.run_task(ready),
                }
                continue;
            }
            let arrival = self.wait();
            if arrival != Arrival::Parcels {
                return arrival;
            }
        }
    }

    fn wait(&self) -> Arrival {
        let processor = self.me;
        emit(|| Event::Idle { processor });
        let mut arrived = Default::default();
        let arrival = self.machine.transport.wait(processor, &mut arrived);
        here::with_ready(|queue| queue.append(&mut arrived));
        emit(|| Event::Busy { processor });
        arrival
    }

    fn begin_task(&mut self, task: Box<dyn Unbegun>) {
        let entry = self.tasks.vacant_entry();
        emit(|| Event::Begin(task.identity()));
        let ready = task.begin(Arc::clone(&self.machine), entry.key());
        entry.insert(Living {
            waker: ready.waker(),
            children: 0,
        });
        self.run_task(ready);
    }

    fn run_task(&mut self, ready: Ready) {
        let (identity, key) = (ready.metadata().identity, ready.metadata().key);
        here::enter(identity, self.tasks[key].children);
        emit(|| Event::Resume(identity));
        let result = catch_unwind(AssertUnwindSafe(|| ready.run()));
        let (children, ended) = here::leave();
        self.tasks[key].children = children;
        emit(|| {
            if ended || result.is_err() {
                Event::End(identity)
            } else {
                Event::Pause(identity)
            }
        });
        if let Err(panic) = &result {
            self.panicked(identity, &**panic);
        }
        if ended || result.is_err() {
            self.tasks.remove(key);
        }
    }

    fn panicked(&self, task: Identity, panic: &(dyn Any + Send)) {
        let place = here::take_panic_place().unwrap_or_else(|| "an unknown place".to_owned());
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let message = message.unwrap_or_else(|| "no message".to_owned());
        self.machine.fail(Failure::Panic {
            task,
            place,
            message,
        });
    }

    /// Lets each task say what it waits in: polled again, its operations do.
    fn waiting(&mut self) -> Vec<WaitingTask> {
        self.wake_all();
        let tasks = here::with_ready(std::mem::take);
        tasks
            .into_iter()
            .filter_map(|parcel| self.describe(parcel))
            .collect()
    }

    fn wake_all(&self) {
        self.tasks
            .iter()
            .for_each(|(_, living)| living.waker.wake_by_ref());
    }

    /// Drops what tasks have, on their own thread. That may wake others, and those of other
    /// processors, too. A task that another processor has just woken is still on its way here.
    fn drop_tasks(&mut self) {
        self.wake_all();
        loop {
            here::collect(&self.machine, self.me);
            match here::with_ready(|queue| queue.pop_front()) {
                Some(parcel) => self.drop_parcel(parcel),
                None if self.tasks.is_empty() => return,
                None => thread::yield_now(),
            }
        }
    }

    fn drop_parcel(&mut self, parcel: Parcel) {
        if let Parcel::GoOn(ready) = &parcel {
            self.tasks.remove(ready.metadata().key);
        }
        drop(parcel);
    }

    fn describe(&mut self, parcel: Parcel) -> Option<WaitingTask> {
        let Parcel::GoOn(ready) = parcel else {
            return None;
        };
        let (task, key) = (ready.metadata().identity, ready.metadata().key);
        here::enter(task, 0);
        here::gather();
        let result = catch_unwind(AssertUnwindSafe(|| ready.run()));
        let (_, ended) = here::leave();
        if ended || result.is_err() {
            self.tasks.remove(key);
        }
        Some(WaitingTask {
            task,
            waits: here::gathered(),
        })
    }
}
