//! Writes event records into a buffer that the caller owns: the recorder's hot path, so no
//! allocation and no loop.
//!
//! Every function writes at a position and returns the position after the record. It may overwrite
//! up to [`MAX_RECORD`] bytes from there on, so a caller keeps that many free.

use crate::addresses::{self, Track, Tracks};
use crate::model::Attributes;
use crate::tags::{AttributesTag, RecordTag};
use crate::varint;

/// Bytes that must be free before a record is written.
pub const MAX_RECORD: usize = 64;

/// Largest difference of time that a record can hold; a larger one needs a new block.
pub const MAX_DIFFERENCE: u64 = RecordTag::MAX_DIFFERENCE;

/// Enter of `site`, `difference` ticks after the event before it, with the attributes of the site's
/// previous Enter in the same block (none if this is the first).
///
/// # Panics
/// If fewer than [`MAX_RECORD`] bytes are free; likewise for the other functions.
#[inline(always)]
pub fn enter(buffer: &mut [u8], at: usize, difference: u64, site: u32) -> usize {
    let at = varint::put(buffer, at, RecordTag::Enter.head(difference));
    varint::put(buffer, at, u64::from(site))
}

/// Enter of `site` with attributes of its own. `tracks` are those of the site's Enters in the same
/// block; they go on to its addresses, if it has some.
#[inline(always)]
pub fn enter_with(
    buffer: &mut [u8],
    at: usize,
    difference: u64,
    site: u32,
    attributes: &Attributes,
    tracks: &mut Tracks,
) -> usize {
    let at = varint::put(buffer, at, RecordTag::EnterWith.head(difference));
    let at = varint::put(buffer, at, u64::from(site));
    put_attributes(buffer, at, attributes, tracks)
}

/// Exit of the innermost open region, with the attributes of its site's previous Exit in the same
/// block (none if this is the first).
#[inline(always)]
pub fn exit(buffer: &mut [u8], at: usize, difference: u64) -> usize {
    varint::put(buffer, at, RecordTag::Exit.head(difference))
}

/// Exit of the innermost open region with attributes of its own.
#[inline(always)]
pub fn exit_with(buffer: &mut [u8], at: usize, difference: u64, attributes: &Attributes) -> usize {
    let at = varint::put(buffer, at, RecordTag::ExitWith.head(difference));
    put_attributes(buffer, at, attributes, &mut Tracks::default())
}

/// Attributes of a transfer without address in one word, and how many bytes of it they take; `None`
/// if they are more than a word has.
#[inline(always)]
pub fn transfer_word(partner: u32, bytes: u64) -> Option<(u64, usize)> {
    word_of(AttributesTag::Transfer, partner, bytes)
}

/// The same with an address, as its distance in bytes from that of the site's Enter before.
#[inline(always)]
pub fn transfer_at_word(partner: u32, bytes: u64, difference: i64) -> Option<(u64, usize)> {
    let (word, length) = word_of(AttributesTag::TransferAt, partner, bytes)?;
    let difference = varint::zigzag(difference);
    if length == 8 || difference >= 1 << (7 * (8 - length)) {
        return None;
    }
    let (difference, difference_length) = varint::word(difference);
    Some((
        word | difference << (8 * length),
        length + difference_length,
    ))
}

/// Kind, partner and bytes in one word.
#[inline(always)]
fn word_of(kind: AttributesTag, partner: u32, bytes: u64) -> Option<(u64, usize)> {
    if partner >= 1 << 21 || bytes >= 1 << 28 {
        return None;
    }
    let (kind, begin) = varint::word(kind.number());
    let (partner, length) = varint::word(u64::from(partner));
    let (bytes, bytes_length) = varint::word(bytes);
    let end = begin + length;
    let word = kind | partner << (8 * begin) | bytes << (8 * end);
    Some((word, end + bytes_length))
}

#[inline(always)]
fn put_attributes(
    buffer: &mut [u8],
    at: usize,
    attributes: &Attributes,
    tracks: &mut Tracks,
) -> usize {
    match *attributes {
        Attributes::None => put_tag(buffer, at, AttributesTag::None),
        Attributes::Barrier { value: None } => put_tag(buffer, at, AttributesTag::Barrier),
        Attributes::Barrier { value: Some(value) } => {
            let at = put_tag(buffer, at, AttributesTag::BarrierValue);
            varint::put(buffer, at, varint::zigzag(i64::from(value)))
        }
        Attributes::Transfer {
            partner,
            bytes,
            address,
        } => {
            let kind = match address {
                None => AttributesTag::Transfer,
                Some(_) => AttributesTag::TransferAt,
            };
            let at = put_tag(buffer, at, kind);
            let at = varint::put(buffer, at, u64::from(partner));
            let at = varint::put(buffer, at, bytes);
            match address {
                None => at,
                Some(address) => put_address(buffer, at, address.number(), &mut tracks[0]),
            }
        }
        Attributes::Copy {
            source,
            destination,
            bytes,
            source_address,
            destination_address,
        } => {
            let from = addresses::number(source_address);
            let to = addresses::number(destination_address);
            let is_known = from | to != 0;
            let kind = match is_known {
                false => AttributesTag::Copy,
                true => AttributesTag::CopyAt,
            };
            let at = put_tag(buffer, at, kind);
            let at = varint::put(buffer, at, u64::from(source));
            let at = varint::put(buffer, at, u64::from(destination));
            let at = varint::put(buffer, at, bytes);
            if !is_known {
                return at;
            }
            let at = put_address(buffer, at, from, &mut tracks[0]);
            put_address(buffer, at, to, &mut tracks[1])
        }
        Attributes::Allocation { bytes } => {
            let at = put_tag(buffer, at, AttributesTag::Allocation);
            varint::put(buffer, at, bytes)
        }
        Attributes::Lock { lock } => {
            let at = put_tag(buffer, at, AttributesTag::Lock);
            varint::put(buffer, at, lock)
        }
        Attributes::Object { object, units } => {
            let at = put_tag(buffer, at, AttributesTag::Object);
            let at = varint::put(buffer, at, object);
            varint::put(buffer, at, units)
        }
        Attributes::Group {
            group,
            members,
            flow,
            root,
        } => {
            let at = put_tag(buffer, at, AttributesTag::Group);
            let at = varint::put(buffer, at, group);
            let at = varint::put(buffer, at, u64::from(members));
            let at = varint::put(buffer, at, u64::from(flow.number()));
            varint::put(buffer, at, root.map_or(0, |root| u64::from(root) + 1))
        }
        Attributes::Message {
            partner,
            bytes,
            group,
        } => {
            let at = put_tag(buffer, at, AttributesTag::Message);
            let at = varint::put(buffer, at, u64::from(partner));
            let at = varint::put(buffer, at, bytes);
            varint::put(buffer, at, group)
        }
        Attributes::LockAttempt { acquired: false } => {
            put_tag(buffer, at, AttributesTag::AttemptFailed)
        }
        Attributes::LockAttempt { acquired: true } => {
            put_tag(buffer, at, AttributesTag::AttemptAcquired)
        }
        Attributes::Collective {
            root,
            sent,
            received,
            sync_in,
            sync_out,
        } => {
            let modes = u64::from(sync_in.number()) | u64::from(sync_out.number()) << 2;
            let at = put_tag(buffer, at, AttributesTag::Collective);
            let at = varint::put(buffer, at, modes);
            let at = varint::put(buffer, at, root.map_or(0, |thread| u64::from(thread) + 1));
            let at = varint::put(buffer, at, sent);
            varint::put(buffer, at, received)
        }
        Attributes::Exit { status } => {
            let at = put_tag(buffer, at, AttributesTag::Exit);
            varint::put(buffer, at, varint::zigzag(i64::from(status)))
        }
        Attributes::Skipped {
            barriers,
            collectives,
        } => {
            let at = put_tag(buffer, at, AttributesTag::Skipped);
            let at = varint::put(buffer, at, barriers);
            varint::put(buffer, at, collectives)
        }
        Attributes::Task { task } => put_numbered(buffer, at, AttributesTag::Task, task),
        Attributes::TaskLeft { reason } => {
            let at = put_tag(buffer, at, AttributesTag::TaskLeft);
            varint::put(buffer, at, u64::from(reason.number()))
        }
        Attributes::TaskCreate { task, processor } => {
            let at = put_numbered(buffer, at, AttributesTag::TaskCreate, task);
            varint::put(buffer, at, u64::from(processor))
        }
        Attributes::ChannelCreate { channel, capacity } => {
            let at = put_numbered(buffer, at, AttributesTag::ChannelCreate, channel);
            // A capacity of 2^64 - 1 is none.
            let capacity = capacity.map_or(0, |capacity| capacity.wrapping_add(1));
            varint::put(buffer, at, capacity)
        }
        Attributes::ChannelMessage {
            channel,
            message,
            bytes,
            queued,
        } => {
            let at = put_numbered(buffer, at, AttributesTag::ChannelMessage, channel);
            let at = varint::put(buffer, at, message);
            let at = varint::put(buffer, at, bytes);
            varint::put(buffer, at, queued)
        }
        Attributes::Channel { channel } => {
            put_numbered(buffer, at, AttributesTag::Channel, channel)
        }
        Attributes::SelectWait { inputs } => {
            let at = put_tag(buffer, at, AttributesTag::SelectWait);
            varint::put(buffer, at, u64::from(inputs))
        }
    }
}

/// An address as its distance from the one before it.
#[inline(always)]
fn put_address(buffer: &mut [u8], at: usize, address: u64, track: &mut Track) -> usize {
    varint::put(buffer, at, varint::zigzag(track.move_to(address)))
}

/// A kind, and the number of a task or a channel: that in its process, and the process, so that
/// both are short.
#[inline(always)]
fn put_numbered(buffer: &mut [u8], at: usize, tag: AttributesTag, number: u64) -> usize {
    let at = put_tag(buffer, at, tag);
    let at = varint::put(buffer, at, number & u64::from(u32::MAX));
    varint::put(buffer, at, number >> 32)
}

#[inline(always)]
fn put_tag(buffer: &mut [u8], at: usize, tag: AttributesTag) -> usize {
    varint::put(buffer, at, tag.number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_in_a_word_is_the_same_as_in_bytes() {
        let check = |attributes: Attributes, word: Option<(u64, usize)>| {
            let mut expected = [0; MAX_RECORD];
            let length = put_attributes(&mut expected, 0, &attributes, &mut Tracks::default());
            let (word, word_length) = word.unwrap();
            assert_eq!(word_length, length, "{attributes:?}");
            assert_eq!(word.to_le_bytes()[..length], expected[..length]);
        };
        for partner in [0, 1, 127, 128, 16_383, 16_384, (1 << 21) - 1] {
            for bytes in [0, 8, 127, 128, 1 << 14, 1 << 21, (1 << 28) - 1] {
                check(
                    Attributes::transfer(partner, bytes),
                    transfer_word(partner, bytes),
                );
                if bytes < 1 << 21 {
                    check(
                        Attributes::transfer_at(partner, bytes, 63),
                        transfer_at_word(partner, bytes, 63),
                    );
                }
            }
        }
        for address in [1, 64, 1 << 13, (1 << 33) + 5, (1 << 34) - 1] {
            let attributes = Attributes::transfer_at(3, 8, address);
            check(attributes, transfer_at_word(3, 8, address as i64));
        }
        assert_eq!(transfer_word(1 << 21, 0), None);
        assert_eq!(transfer_word(0, 1 << 28), None);
        assert_eq!(transfer_at_word(3, 8, 1 << 34), None);
        assert_eq!(transfer_at_word(3, 8, i64::MIN), None);
        assert_eq!(transfer_at_word(1 << 20, 1 << 21, 0), None);
    }

    #[test]
    fn no_record_is_longer_than_was_promised() {
        let mut buffer = [0; MAX_RECORD];
        let longest =
            Attributes::copy_at((u32::MAX, u64::MAX / 2), (u32::MAX, u64::MAX / 2), u64::MAX);
        let message = Attributes::ChannelMessage {
            channel: u64::MAX,
            message: u64::MAX,
            bytes: u64::MAX,
            queued: u64::MAX,
        };
        for attributes in [longest, message] {
            let tracks = &mut Tracks::default();
            let length = enter_with(
                &mut buffer,
                0,
                MAX_DIFFERENCE,
                u32::MAX,
                &attributes,
                tracks,
            );
            // The last integer may write as many bytes as the longest one has.
            assert!(length <= MAX_RECORD, "{length}");
        }
    }
}
