//! Divides the streams among processes.

use std::ops::Range;

/// Work of the leading process besides reading, as a fraction of the work of reading all streams:
/// it decodes messages from others, matches, judges and replays. It depends on how often a program
/// synchronises. Measured as processor time of two processes with half of the streams each,
/// (leading - helping) / (2 * helping), for the experiments of `scripts/bench mpi` with 64 threads,
/// the minimum of five runs: 0.03 with 1,000 calls between two barriers, 0.11 with 100, 0.45 with
/// 10, and 0.8 with none. With this value in between, two processes need at most 1.14 times as long
/// as with the best value for 10 to 100 calls, and 1.31 times at the extremes. If the fraction is
/// smaller or larger in reality, processes wait for each other, and nothing else changes.
const LEADING: f64 = 0.25;

/// The threads that each of `processes` reads: consecutive ones, with about as many events for each
/// process, but fewer for process 0. `events` are those of each thread.
pub(super) fn divide(events: &[u64], processes: usize) -> Vec<Range<usize>> {
    // Even the shortest stream has to be opened and followed to the end.
    let weights: Vec<f64> = events.iter().map(|&n| n as f64 + 1000.0).collect();
    let all: f64 = weights.iter().sum();
    let others = processes.saturating_sub(1) as f64;
    // Both shares take as long: own + LEADING = other, and own + others * other = 1.
    let own = ((1.0 - others * LEADING) / (others + 1.0)).max(0.0);
    let other = (1.0 - own) / others.max(1.0);
    let mut parts = Vec::with_capacity(processes);
    let (mut next, mut reached, mut wanted) = (0, 0.0, 0.0);
    for process in 0..processes {
        wanted += all * if process == 0 { own } else { other };
        let begin = next;
        let is_last = process + 1 == processes;
        // A thread belongs to the share in which its middle lies.
        while next < weights.len() && (is_last || reached + weights[next] / 2.0 < wanted) {
            reached += weights[next];
            next += 1;
        }
        parts.push(begin..next);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(events: &[u64], processes: usize) -> Vec<Range<usize>> {
        let parts = divide(events, processes);
        assert_eq!(parts.len(), processes);
        let mut next = 0;
        for part in &parts {
            assert_eq!(part.start, next);
            next = part.end;
        }
        assert_eq!(next, events.len());
        parts
    }

    #[test]
    fn every_thread_belongs_to_one_process() {
        for processes in 1..9 {
            for threads in 0..20 {
                check(&vec![0; threads], processes);
                let events: Vec<u64> = (0..threads as u64).map(|n| n * n * 10_000).collect();
                check(&events, processes);
            }
        }
    }

    #[test]
    fn the_process_that_leads_reads_less() {
        let parts = check(&[1_000_000; 64], 2);
        assert!(parts[0].len() < parts[1].len() && !parts[0].is_empty());
        // With many helpers, it only leads.
        let parts = check(&[1_000_000; 64], 9);
        assert!(parts[0].is_empty());
        assert!(parts[1..].iter().all(|part| part.len() == 8));
    }

    #[test]
    fn long_streams_count_more() {
        // Of as many events as each other, the half of the threads that has long streams is a tenth
        // of all threads.
        let mut events = vec![1_000_000; 40];
        events[36..].fill(9_000_000);
        let parts = check(&events, 5);
        let events_of = |part: &Range<usize>| events[part.clone()].iter().sum::<u64>();
        let longest = parts[1..].iter().map(events_of).max().unwrap();
        let shortest = parts[1..].iter().map(events_of).min().unwrap();
        assert!(longest - shortest <= 9_000_000, "{parts:?}");
        assert!(parts[4].len() <= 3 && parts[1].len() > 10, "{parts:?}");
    }
}
