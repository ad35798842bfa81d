//! Integers of one to nine bytes whose first byte tells the length.
//!
//! The number of trailing zero bits of the first byte, plus one, is the number of bytes; seven bits
//! of each byte are value. Unlike LEB128 this needs no loop: writing is a shift and one store,
//! reading is one load and a shift, which keeps the recorder's hot path free of branches that
//! depend on the data. A first byte of zero announces eight bytes of value.

/// Longest encoding, in bytes.
pub const MAX_LENGTH: usize = 9;

/// Writes `value` at `at` and returns the position after it.
///
/// Up to [`MAX_LENGTH`] bytes from `at` on may be overwritten, whatever the length of the value.
///
/// # Panics
/// If fewer than [`MAX_LENGTH`] bytes are left in `buffer`.
#[inline(always)]
pub fn put(buffer: &mut [u8], at: usize, value: u64) -> usize {
    if value < 1 << 56 {
        let (word, length) = word(value);
        buffer[at..at + 8].copy_from_slice(&word.to_le_bytes());
        at + length
    } else {
        buffer[at] = 0;
        buffer[at + 1..at + 9].copy_from_slice(&value.to_le_bytes());
        at + 9
    }
}

/// The encoding of a value below 2^56: up to eight bytes, the first in the lowest place, and how
/// many they are.
#[inline(always)]
pub fn word(value: u64) -> (u64, usize) {
    debug_assert!(value < 1 << 56);
    let bits = 64 - (value | 1).leading_zeros() as usize;
    let length = bits.div_ceil(7);
    ((value << length) | (1 << (length - 1)), length)
}

/// Appends `value` to `bytes`.
pub fn push(bytes: &mut Vec<u8>, value: u64) {
    let mut buffer = [0; MAX_LENGTH];
    let length = put(&mut buffer, 0, value);
    bytes.extend_from_slice(&buffer[..length]);
}

/// Reads the integer at `at` and returns it with the position after it; `None` if `bytes` end
/// within it.
#[inline(always)]
pub fn get(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let Some(window) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
        return get_near_end(bytes, at);
    };
    let word = u64::from_le_bytes(*window);
    let length = word.trailing_zeros() as usize + 1;
    if length <= 8 {
        // Shifts the bytes after the integer out at the top, then the length at the bottom. No sum
        // can overflow: eight bytes from `at` on are there.
        let kept = word << (64 - 8 * length);
        Some((kept >> (64 - 7 * length), at.wrapping_add(length)))
    } else {
        get_near_end(bytes, at)
    }
}

/// The last bytes of a payload, and the long form: rare, so kept out of the inlined reader.
#[cold]
fn get_near_end(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let first = *bytes.get(at)?;
    let length = if first == 0 {
        9
    } else {
        first.trailing_zeros() as usize + 1
    };
    let encoded = bytes.get(at..at.checked_add(length)?)?;
    let mut word = [0; 8];
    let value = if length == 9 {
        word.copy_from_slice(&encoded[1..]);
        u64::from_le_bytes(word)
    } else {
        word[..length].copy_from_slice(encoded);
        u64::from_le_bytes(word) >> length
    };
    Some((value, at + length))
}

/// Maps signed integers of small magnitude to small unsigned ones: 0, -1, 1, -2, ... become 0, 1,
/// 2, 3, ...
#[inline(always)]
pub fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// The reverse of [`zigzag`].
#[inline(always)]
pub fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edges() -> impl Strategy<Value = u64> {
        (0u32..64, -1i64..=1).prop_map(|(bit, around)| (1u64 << bit).wrapping_add_signed(around))
    }

    proptest! {
        #[test]
        fn reads_back_what_it_wrote(values in proptest::collection::vec(prop_oneof![any::<u64>(), edges(), 0u64..300], 1..50)) {
            let mut bytes = Vec::new();
            for &value in &values {
                push(&mut bytes, value);
            }
            let mut at = 0;
            for &value in &values {
                let (read, after) = get(&bytes, at).expect("complete");
                prop_assert_eq!(read, value);
                at = after;
            }
            prop_assert_eq!(at, bytes.len());
            prop_assert_eq!(get(&bytes, at), None);
        }

        #[test]
        fn cut_short_is_none(value in prop_oneof![any::<u64>(), edges()]) {
            let mut bytes = Vec::new();
            push(&mut bytes, value);
            for length in 0..bytes.len() {
                prop_assert_eq!(get(&bytes[..length], 0), None);
            }
        }

        #[test]
        fn zigzag_is_reversible(value in any::<i64>()) {
            prop_assert_eq!(unzigzag(zigzag(value)), value);
        }
    }

    #[test]
    fn lengths_are_as_documented() {
        for (value, length) in [
            (0, 1),
            (127, 1),
            (128, 2),
            ((1 << 14) - 1, 2),
            (1 << 14, 3),
            ((1 << 56) - 1, 8),
            (1 << 56, 9),
            (u64::MAX, 9),
        ] {
            let mut bytes = Vec::new();
            push(&mut bytes, value);
            assert_eq!(bytes.len(), length, "{value}");
        }
    }
}
