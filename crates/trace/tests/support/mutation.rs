//! Damage to files of any format: bytes that are changed, copied elsewhere, removed or inserted.

use super::numbers::Numbers;

/// Changes a file once, behind its first `from` bytes, up to `longest` bytes in a row. A file that
/// has become very short stays as it is.
pub fn mutate(bytes: &mut Vec<u8>, from: usize, longest: usize, numbers: &mut Numbers) {
    if bytes.len() < from + 16 {
        return;
    }
    let at = from + numbers.index(bytes.len() - from);
    let length = 1 + numbers.index(longest.min(bytes.len() - at));
    match numbers.below(6) {
        0 => bytes[at] ^= 1 << numbers.below(8),
        1 => bytes[at] = numbers.below(256) as u8,
        2 => bytes[at..at + length].fill(numbers.of(&[0, 0xff, 0x7f, 0x80])),
        3 => {
            let to = from + numbers.index(bytes.len() - from - length + 1);
            bytes.copy_within(at..at + length, to);
        }
        4 => {
            bytes.drain(at..at + length);
        }
        _ => {
            let inserted = bytes[at..at + length].to_vec();
            bytes.splice(at..at, inserted);
        }
    }
}
