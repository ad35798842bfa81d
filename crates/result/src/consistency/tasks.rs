//! Loads of processors, tasks and channels against each other.

use super::Check;
use crate::model::tasks::{ProcessorLoad, TaskLoad, Tasks};

impl Check<'_> {
    pub(super) fn tasks(&self) {
        let Some(tasks) = &self.summary.tasks else {
            return;
        };
        for processor in &tasks.processors {
            self.processor(processor);
        }
        for task in &tasks.tasks {
            self.task(task);
        }
        self.tasks_of_processors(tasks);
        let processors = tasks.processors.len() as f64;
        self.equal(tasks.speedup, tasks.efficiency * processors, || {
            "speedup, and efficiency times processors".into()
        });
    }

    fn processor(&self, load: &ProcessorLoad) {
        let thread = load.thread;
        let parts = [load.computing, load.communicating, load.idle, load.rest];
        self.must(parts.iter().all(|&part| part >= 0.0), || {
            format!("a part of the time of processor {thread} is negative")
        });
        self.equal(parts.iter().sum(), load.run_time, || {
            format!("parts of the time of processor {thread}, and its run time")
        });
    }

    fn task(&self, load: &TaskLoad) {
        let parts = load.computing
            + load.communicating
            + load.waiting_input
            + load.blocked_in_send
            + load.waiting_processor;
        self.at_most(parts, load.end - load.begin, || {
            format!("times of task {} between its begin and end", load.task)
        });
    }

    /// Tasks of one processor compute and communicate no longer than it does.
    fn tasks_of_processors(&self, tasks: &Tasks) {
        for processor in &tasks.processors {
            let own = tasks.tasks.iter();
            let own = own.filter(|task| task.processor == processor.thread);
            let (computing, communicating) = own.fold((0.0, 0.0), |sums, task| {
                (sums.0 + task.computing, sums.1 + task.communicating)
            });
            let thread = processor.thread;
            self.at_most(computing, processor.computing, || {
                format!("computing of tasks on processor {thread}")
            });
            self.at_most(communicating, processor.communicating, || {
                format!("communicating of tasks on processor {thread}")
            });
        }
    }
}
