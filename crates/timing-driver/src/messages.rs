//! Bytes of any length from thread 0 to all, and from all to thread 0.

use crate::threads::Threads;

/// The bytes of thread 0, on every thread. They travel along a binary tree.
pub fn broadcast(threads: Threads, bytes: Vec<u8>) -> Vec<u8> {
    let own = threads.own();
    let bytes = match own {
        0 => bytes,
        _ => receive(threads, (own - 1) / 2),
    };
    for child in [2 * own + 1, 2 * own + 2] {
        if child < threads.number() {
            send(threads, child, &bytes);
        }
    }
    bytes
}

/// The bytes of all threads, on thread 0.
pub fn gather(threads: Threads, bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    if !threads.is_first() {
        send(threads, 0, bytes);
        return None;
    }
    let others = (1..threads.number()).map(|thread| receive(threads, thread));
    Some(std::iter::once(bytes.to_vec()).chain(others).collect())
}

/// The length, then the bytes in whole words.
fn send(threads: Threads, to: usize, bytes: &[u8]) {
    threads.send(to, &[bytes.len() as u64]);
    let words: Vec<u64> = bytes.chunks(8).map(word).collect();
    threads.send(to, &words);
}

fn word(bytes: &[u8]) -> u64 {
    let mut whole = [0; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(whole)
}

fn receive(threads: Threads, from: usize) -> Vec<u8> {
    let mut length = [0];
    threads.receive(from, &mut length);
    let length = length[0] as usize;
    let mut words = vec![0; length.div_ceil(8)];
    threads.receive(from, &mut words);
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(length);
    bytes
}
