//! Several workers fail at random: no worker is left waiting, and the reported failure does not
//! depend on which worker was faster: it is the first one by stretch and then by group, as a single
//! worker would have met it.

use super::*;

/// Splitmix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (z ^ z >> 31) % limit
    }
}

const GROUPS: usize = 6;
/// Stretches after which a group that has not failed is at its end.
const LENGTH: u64 = 9;

/// The stretch in which each group fails, if it does.
type Failures = [Option<u64>; GROUPS];

fn failures(numbers: &mut Numbers) -> Failures {
    std::array::from_fn(|_| (numbers.below(3) > 0).then(|| numbers.below(LENGTH)))
}

/// Stretch and group of the failure that is reported by `workers` workers, which take turns at
/// random.
fn reported(failures: &Failures, workers: usize, numbers: &mut Numbers) -> Option<(u64, usize)> {
    let mut schedule = Schedule::new([1; GROUPS].into_iter(), 0, Stretch::default());
    let mut doing: Vec<Option<Task>> = (0..workers).map(|_| None).collect();
    let mut first: Option<(u64, usize)> = None;
    for _ in 0..100_000 {
        if schedule.finished() {
            return first;
        }
        let worker = numbers.below(workers as u64) as usize;
        match doing[worker].take() {
            None => {
                doing[worker] = schedule.pick(worker);
                let somebody = doing.iter().any(Option::is_some);
                assert!(
                    somebody,
                    "nobody can go on: {failures:?}, {workers} workers"
                );
            }
            Some(Task::Match { batches, .. }) => schedule.has_matched(batches),
            Some(Task::Read {
                group,
                stretch,
                until,
                batches,
            }) => {
                if failures[group] == Some(stretch) {
                    schedule.has_failed(group, stretch);
                    let found = (stretch, group);
                    first = Some(first.map_or(found, |known| known.min(found)));
                } else {
                    let left = (stretch + 1 < LENGTH).then_some(until + 1);
                    schedule.has_read(group, batches, 1, left);
                }
                if first.is_some() && schedule.stopped() {
                    schedule.stop();
                }
            }
        }
    }
    panic!("no end: {failures:?}, {workers} workers");
}

#[test]
fn whoever_is_faster_the_first_failure_is_reported_and_nobody_waits_for_ever() {
    let mut numbers = Numbers(7);
    let mut several = 0;
    for _ in 0..400 {
        let failures = failures(&mut numbers);
        let expected = (0..GROUPS)
            .filter_map(|group| Some((failures[group]?, group)))
            .min();
        several += usize::from(failures.iter().flatten().count() > 1);
        for workers in [1, 2, 3, 5, 8] {
            let found = reported(&failures, workers, &mut numbers);
            assert_eq!(found, expected, "{failures:?}, {workers} workers");
        }
    }
    assert!(several > 200, "{several}");
}
