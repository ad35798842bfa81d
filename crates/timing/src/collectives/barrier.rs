//! Barrier by dissemination: in round r each thread hears from the one 2^r before it.

use crate::processes::Processes;

/// Returns when all threads have called it.
pub(crate) fn barrier<P: Processes + ?Sized>(processes: &P) {
    let (thread, threads) = (processes.thread(), processes.threads());
    let mut distance = 1;
    while distance < threads {
        processes.send((thread + distance) % threads, &[0]);
        processes.receive((thread + threads - distance) % threads, &mut [0]);
        distance *= 2;
    }
}
