//! Binomial tree of threads.

/// The thread above, with the number of threads from `thread` on that hang below it; `None` for
/// thread 0.
pub(super) fn parent(thread: usize) -> Option<usize> {
    (thread != 0).then(|| thread & (thread - 1))
}

/// Threads below, the nearest first.
pub(super) fn children(thread: usize, threads: usize) -> impl DoubleEndedIterator<Item = usize> {
    let bits = match thread {
        0 => usize::BITS - 1,
        _ => thread.trailing_zeros(),
    };
    let all = (0..bits).map(move |bit| thread + (1 << bit));
    let many = all.clone().take_while(|&child| child < threads).count();
    (0..many).map(move |bit| thread + (1 << bit))
}

/// Number of threads in the tree whose root is this thread.
pub(super) fn size(thread: usize, threads: usize) -> usize {
    match thread {
        0 => threads,
        _ => (1 << thread.trailing_zeros()).min(threads - thread),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_hangs_below_exactly_one_other_and_sizes_add_up() {
        for threads in 1..40 {
            let mut above = vec![None; threads];
            for thread in 0..threads {
                let below: Vec<usize> = children(thread, threads).collect();
                let sum: usize = below.iter().map(|&child| size(child, threads)).sum();
                assert_eq!(size(thread, threads), 1 + sum);
                for child in below {
                    assert_eq!(above[child].replace(thread), None);
                }
            }
            let expected: Vec<_> = (0..threads).map(parent).collect();
            assert_eq!(above, expected);
        }
    }
}
