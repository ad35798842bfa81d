//! Own affinity: accesses to the thread's own part of shared data, which a pointer to private would
//! make plain loads and stores. They are recorded only on request (`pgastool compile
//! --inst-local`).

use pgas_result::accesses::{OwnAffinity, ThreadOwn};

use super::Basis;

/// Call paths whose own accesses are worth a word.
pub(super) fn search(basis: &Basis) -> Vec<OwnAffinity> {
    let mut found = Vec::new();
    for (path, operation) in basis.paths() {
        let own = basis.at(path).filter_map(|(thread, at)| {
            let own = at.own(thread, operation);
            if own.accesses == 0 {
                return None;
            }
            let left = own.accesses as f64 * basis.private_access();
            let measured = at.recorded_own.accesses as f64 * basis.clock(thread);
            let saved = (own.ticks as f64 - left - measured).max(0.0);
            Some(ThreadOwn {
                thread,
                accesses: own.accesses,
                bytes: own.bytes,
                seconds: basis.seconds(own.ticks as f64),
                saves_seconds: basis.seconds(saved),
            })
        });
        let threads: Vec<ThreadOwn> = own.collect();
        let spent: f64 = threads.iter().map(|own| own.seconds).sum();
        if basis.is_notable(spent / basis.times.per_tick) {
            found.push(OwnAffinity {
                call_path: basis.place(path),
                threads,
            });
        }
    }
    found
}
