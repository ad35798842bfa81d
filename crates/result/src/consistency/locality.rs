//! Sums by distance and by node against each other and against those by thread.

use super::Check;
use crate::model::locality::Reach;

impl Check<'_> {
    pub(super) fn locality(&self) {
        let Some(communication) = &self.summary.communication else {
            return;
        };
        let Some(locality) = &communication.locality else {
            return;
        };
        let mut threads = Reach::default();
        for (thread, (distances, flow)) in locality
            .by_thread
            .iter()
            .zip(&communication.by_thread)
            .enumerate()
        {
            let all = distances.all();
            threads.add(&all);
            let what = || format!("operations of thread {thread} by distance, and its own");
            self.at_most(all.seconds.unwrap_or(0.0), flow.seconds, what);
            self.must(all.operations <= flow.operations, what);
            self.must(all.timed_operations <= all.operations, what);
        }
        let all = locality.all.all();
        self.same(&all, &threads, "by distance");
        let mut nodes = Reach::default();
        locality
            .node_pairs
            .iter()
            .for_each(|pair| nodes.add(&pair.reach));
        match locality.complete {
            true => self.same(&all, &nodes, "by node"),
            false => self.must(nodes.operations <= all.operations, || {
                "operations by node".to_owned()
            }),
        }
    }

    fn same(&self, all: &Reach, parts: &Reach, by: &str) {
        let what = |figure: &str| format!("{figure} of one-sided operations {by}, and their sum");
        self.must(all.operations == parts.operations, || what("number"));
        self.must(all.timed_operations == parts.timed_operations, || {
            what("timed number")
        });
        self.must(all.bytes == parts.bytes, || what("bytes"));
        let seconds = [all, parts].map(|reach| reach.seconds.unwrap_or(0.0));
        self.equal(seconds[0], seconds[1], || what("time"));
    }
}
