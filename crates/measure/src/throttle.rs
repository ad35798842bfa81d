//! Which places are called so often and for so short a time that recording each call would slow the
//! program down: from then on their calls are only summed, and a sample of them is timed.

use pgas_trace_format::model::Operation;

/// Figures of a thread about the calls of a site, for throttling.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watch {
    /// Ticks that the calls since the last look took.
    pub(crate) ticks: u64,
    /// Calls until the next look.
    pub(crate) left: u32,
    /// 0 unless the site is throttled; then calls until the next one that is timed, that one
    /// included.
    pub(crate) until_timed: u32,
}

impl Watch {
    /// Nothing is known yet; the first look comes after `calls` (0 stands for four billion).
    pub(crate) fn new(calls: u32) -> Self {
        Watch {
            ticks: 0,
            left: calls,
            until_timed: 0,
        }
    }

    #[inline(always)]
    pub(crate) fn is_throttled(&self) -> bool {
        self.until_timed != 0
    }

    /// Notes a call of that many ticks; whether it is time for a look.
    #[inline(always)]
    pub(crate) fn note(&mut self, ticks: u64) -> bool {
        self.ticks = self.ticks.wrapping_add(ticks);
        self.left = self.left.wrapping_sub(1);
        self.left == 0
    }
}

/// Whether calls of an operation may be missing in a trace. Wait states are found from the single
/// instances of what waits for other threads, so these never are.
pub(crate) fn may_be_throttled(operation: Operation) -> bool {
    use Operation::*;
    match operation {
        Function | UserRegion | Malloc | Realloc | MallocFree | Fence | Forall | Alloc | Free
        | Memcpy | Memget | Memput | Memset | Get | Put | NonBlockingGet | NonBlockingPut
        | NonBlockingSync | RemoteGet | RemotePut | Atomic | InputOutput | LibraryCall | Send
        | Receive => true,
        MeasurementStall | NoCore | Notify | Wait | Barrier | GlobalAlloc | AllAlloc | AllFree
        | GlobalLockAlloc | AllLockAlloc | LockFree | AllLockFree | Lock | LockAttempt | Unlock
        | Broadcast | Scatter | Gather | GatherAll | Exchange | Permute | Reduce | PrefixReduce
        | CollectiveExit | NoncollectiveExit | FlagWait | SignalWait | EventWait | Post
        | PartnerSync | GroupCollective | Task | TaskCreate | ChannelCreate | ChannelSend
        | ChannelReceive | Select | Idle | ChannelClose | InputDelete => false,
    }
}

/// Draws how many calls later the next one is timed: 1 to 64 at random, since a fixed distance
/// could fall into step with the program. The generator is Marsaglia's xorshift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lots {
    state: u64,
}

impl Lots {
    pub(crate) fn new(thread: u32) -> Self {
        Lots {
            state: 0x9e37_79b9_7f4a_7c15 ^ u64::from(thread) << 32,
        }
    }

    #[inline(always)]
    pub(crate) fn draw(&mut self) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        1 + (self.state >> 58) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lots_are_even() {
        let mut lots = Lots::new(3);
        let mut seen = [0; 65];
        for _ in 0..64_000 {
            seen[lots.draw() as usize] += 1;
        }
        assert_eq!(seen[0], 0);
        assert!(
            seen[1..].iter().all(|count| (800..1200).contains(count)),
            "{seen:?}"
        );
    }

    #[test]
    fn looks_come_after_that_many_calls() {
        let mut watch = Watch::new(3);
        assert_eq!(
            [5, 6, 7].map(|ticks| watch.note(ticks)),
            [false, false, true]
        );
        assert_eq!(watch.ticks, 18);
        let mut never = Watch::new(0);
        assert!(!never.note(1) && !never.note(1));
    }
}
