//! Events of an experiment that EPILOG cannot carry: counted while writing, reported once at the
//! end.

use pgas_trace::Stream;
use pgas_trace::model::{ProfileScope, ThreadId};

/// Occurrences of each kind of loss.
#[derive(Debug, Default)]
pub struct Losses {
    pub barrier_values: u64,
    pub allocations: u64,
    pub exit_statuses: u64,
    pub freed_locks: u64,
    pub failed_attempts: u64,
    /// Transfers and copies that had some.
    pub addresses: u64,
    /// Waits for flags, signals, events and partners, whose ends EPILOG does not explain.
    pub waits: u64,
    /// Collective operations of teams and communicators.
    pub groups: u64,
    /// Messages with their partners.
    pub messages: u64,
    /// Messages of channels without their other end, or numbered beyond 32 bits.
    pub loose_messages: u64,
    /// Lengths of queues.
    pub queues: u64,
    /// Attributes of operations that cannot have them.
    pub attributes: u64,
    capped: u64,
    strangers: u64,
    comparisons: u64,
    /// Samples of where threads computed.
    samples: u64,
    /// Threads with events missing in the middle.
    gaps: Vec<ThreadId>,
    /// Threads with sums of calls that are not in the trace.
    within: u64,
    beyond: u64,
    counters: u64,
}

impl Losses {
    /// A number of bytes as far as 32 bits go.
    pub fn cap(&mut self, bytes: u64) -> u32 {
        u32::try_from(bytes).unwrap_or_else(|_| {
            self.capped += 1;
            u32::MAX
        })
    }

    /// Whether there is such a thread.
    pub fn check_thread(&mut self, thread: ThreadId, threads: u32) -> bool {
        self.strangers += u64::from(thread >= threads);
        thread < threads
    }

    /// Counts what lies beside the events.
    pub fn of_streams(&mut self, streams: &[&Stream]) {
        for stream in streams {
            if stream.blocks().iter().any(|block| block.gap) {
                self.gaps.push(stream.thread());
            }
            self.comparisons += stream.clock_comparisons().len() as u64;
            let blocks = stream.stack_samples().flatten();
            self.samples += blocks.map(|block| block.samples.len() as u64).sum::<u64>();
            let mut seen = [false; 3];
            // A block that cannot be read is the business of whoever needs it.
            for profile in stream.profiles().flatten() {
                seen[usize::from(profile.scope.number())] = true;
            }
            let scope = |scope: ProfileScope| u64::from(seen[usize::from(scope.number())]);
            self.within += scope(ProfileScope::Within);
            self.beyond += scope(ProfileScope::Beyond);
            self.counters += scope(ProfileScope::Counters);
        }
    }

    /// Losses that change the meaning of the events and that an analysis of the file must consider.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if !self.gaps.is_empty() {
            let first: Vec<String> = self.gaps.iter().take(8).map(ToString::to_string).collect();
            let more = if self.gaps.len() > 8 { ", ..." } else { "" };
            remarks.push(format!(
                "events are missing in the middle of the trace of {} (thread {}{more}), which \
                 EPILOG cannot say: from there on barriers and collective operations may be \
                 matched wrongly",
                threads(self.gaps.len() as u64),
                first.join(", ")
            ));
        }
        if self.within > 0 {
            remarks.push(format!(
                "calls and accesses that were only counted on {}, by throttling or by the program, \
                 are not in EPILOG; their time is their callers'",
                threads(self.within)
            ));
        }
        if self.beyond > 0 {
            remarks.push(format!(
                "what {} did without a trace, of which there are only sums, is not in EPILOG",
                threads(self.beyond)
            ));
        }
        remarks
    }

    /// Everything, for the person who converts.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = self.remarks();
        let counted = [
            (self.barrier_values, "values of barriers"),
            (self.allocations, "sizes of allocations"),
            (self.exit_statuses, "exit statuses"),
            (self.freed_locks, "locks that were freed"),
            (self.failed_attempts, "locks that were not obtained"),
            (self.addresses, "addresses of transfers"),
            (
                self.waits,
                "ends of waits for flags, signals, events or partners",
            ),
            (self.groups, "groups of collective operations"),
            (self.messages, "partners of messages"),
            (
                self.loose_messages,
                "messages of which the trace has one end",
            ),
            (
                self.queues,
                "lengths of queues, which are counted anew when the file is read",
            ),
            (self.comparisons, "comparisons of clocks"),
            (self.samples, "samples of computing"),
        ];
        let counted: Vec<String> = counted
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{what} ({count})"))
            .collect();
        if !counted.is_empty() {
            sentences.push(format!("EPILOG has no place for {}", counted.join(", ")));
        }
        if self.counters > 0 {
            sentences.push(format!(
                "sums of hardware counters of {} are not in EPILOG",
                threads(self.counters)
            ));
        }
        if self.capped > 0 {
            sentences.push(format!(
                "amounts of data of 4 GiB or more are written as 4 GiB - 1 ({})",
                self.capped
            ));
        }
        if self.strangers > 0 {
            sentences.push(format!(
                "transfers and roots with threads that the program does not have are left out ({})",
                self.strangers
            ));
        }
        if self.attributes > 0 {
            sentences.push(format!(
                "attributes that an operation cannot have are left out ({})",
                self.attributes
            ));
        }
        sentences
    }
}

fn threads(count: u64) -> String {
    match count {
        1 => "1 thread".to_owned(),
        _ => format!("{count} threads"),
    }
}
