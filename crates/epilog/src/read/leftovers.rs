//! Records of a file that have no place in the experiment, counted, and the remarks about them.

use std::path::Path;

/// Numbers of records that could not be converted, by kind.
#[derive(Debug, Default)]
pub struct Leftovers {
    pub transfers: u64,
    pub locks: u64,
    pub switched_off: u64,
    pub messages: u64,
    pub message_bytes: u64,
    pub teams: u64,
    pub team_barriers: u64,
    pub requests: u64,
    pub window_locks: u64,
    pub attributes: u64,
}

impl Leftovers {
    /// Sentences for people. Operations of a part of the threads became functions at `partial`
    /// regions.
    pub fn remarks(&self, path: &Path, partial: usize, counters: usize) -> Vec<String> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut remarks = Vec::new();
        let mut say = |count: u64, what: &str| {
            if count > 0 {
                remarks.push(format!("{name}: {what} ({count})"));
            }
        };
        let bytes = self.message_bytes;
        let messages = format!(
            "messages of MPI, with {bytes} bytes, are left out: operations that send and receive \
             them are functions"
        );
        say(self.messages, &messages);
        say(
            self.transfers,
            "transfers are not counted, since they do not begin a one-sided operation, or are not \
             its first",
        );
        say(
            self.locks,
            "changes of locks are not known, since they are not in an operation on locks",
        );
        say(
            self.switched_off,
            "recording was switched off; barriers and collective operations after that may be \
             matched wrongly",
        );
        say(
            self.team_barriers,
            "barriers of OpenMP teams are regions of the program: waiting in them is not judged",
        );
        say(
            self.teams,
            "beginnings and ends of OpenMP teams are left out",
        );
        say(
            self.requests,
            "requests of non-blocking operations of MPI are left out",
        );
        say(
            self.window_locks,
            "locks of MPI's windows are left out: waiting for them is not judged",
        );
        say(self.attributes, "attributes of events are left out");
        say(counters as u64, "values of hardware counters are left out");
        say(
            partial as u64,
            "collective operations of a part of the threads are taken for functions",
        );
        remarks
    }
}
