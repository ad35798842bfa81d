//! Compact encoding of addresses of shared data: a loop that walks through an array enters the same
//! site again and again, a constant stride further each time, so the next address of a site is
//! predicted and only what differs is written. Writers and readers keep the same [`Tracks`] for
//! each site within a block.

use crate::model::{Address, Attributes};

/// The addresses of one side of a site's Enters so far in a block. The first prediction is 0, so
/// that an address that was never seen is written in full.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Track {
    /// The last address; 0 is none.
    last: u64,
    /// From the last address to the next one, as predicted.
    stride: u64,
    /// From the address before the last one to that.
    difference: u64,
}

/// One [`Track`] for each side: of a transfer only the first, of a copy the source and then the
/// destination.
pub type Tracks = [Track; 2];

impl Track {
    /// The address that is predicted.
    #[inline(always)]
    pub fn next(&self) -> u64 {
        self.last.wrapping_add(self.stride)
    }

    /// How far `address` is from the last one.
    #[inline(always)]
    pub fn distance_to(&self, address: u64) -> i64 {
        address.wrapping_sub(self.last) as i64
    }

    /// Goes on to the address that is predicted, and returns it.
    #[inline(always)]
    pub fn follow(&mut self) -> u64 {
        self.last = self.next();
        self.difference = self.stride;
        self.last
    }

    /// Goes on to `address`; returns how far that is from the last one. The same distance twice in
    /// a row is the stride from then on: a single jump, as at the end of a row, leaves it as it
    /// was.
    #[inline(always)]
    pub fn move_to(&mut self, address: u64) -> i64 {
        let difference = self.distance_to(address);
        self.last = address;
        if difference as u64 == self.difference {
            self.stride = self.difference;
        }
        self.difference = difference as u64;
        difference
    }

    /// Goes on by a distance from the last address, and returns the new one. The reverse of
    /// [`Track::move_to`].
    #[inline(always)]
    pub fn move_by(&mut self, difference: i64) -> u64 {
        let address = self.last.wrapping_add(difference as u64);
        self.move_to(address);
        address
    }
}

/// The attributes that an Enter has without being told, where the site's Enter before it had
/// `last`: the same, each address one stride further.
#[inline(always)]
pub fn predicted(tracks: &Tracks, last: &Attributes) -> Attributes {
    let mut attributes = *last;
    follow(&mut { *tracks }, &mut attributes);
    attributes
}

/// Makes the attributes of a site's last Enter those of the next one, as [`predicted`].
#[inline(always)]
pub fn follow([first, second]: &mut Tracks, attributes: &mut Attributes) {
    match attributes {
        Attributes::Transfer {
            address: address @ Some(_),
            ..
        } => *address = Address::new(first.follow()),
        Attributes::Copy {
            source_address,
            destination_address,
            ..
        } if source_address.is_some() || destination_address.is_some() => {
            *source_address = Address::new(first.follow());
            *destination_address = Address::new(second.follow());
        }
        _ => {}
    }
}

/// 0 for no address.
#[inline(always)]
pub(super) fn number(address: Option<Address>) -> u64 {
    address.map_or(0, Address::number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which addresses have to be written.
    fn written(addresses: &[u64]) -> Vec<bool> {
        let mut track = Track::default();
        let mut reader = Track::default();
        let steps = addresses.iter().map(|&address| {
            let is_written = track.next() != address;
            if is_written {
                let difference = track.move_to(address);
                assert_eq!(reader.move_by(difference), address);
            } else {
                track.follow();
                assert_eq!(reader.follow(), address);
            }
            assert_eq!(track, reader);
            is_written
        });
        steps.collect()
    }

    #[test]
    fn a_walk_costs_nothing_once_its_stride_is_known() {
        const YES: bool = true;
        let walk: Vec<u64> = (0..8).map(|i| 0x1000 + 16 * i).collect();
        let known = [YES, YES, YES, false, false, false, false, false];
        assert_eq!(written(&walk), known);
        let backwards: Vec<u64> = walk.iter().rev().copied().collect();
        assert_eq!(written(&backwards), known);
        assert_eq!(written(&[64, 64, 64]), [YES, false, false]);
    }

    #[test]
    fn a_jump_to_the_next_row_is_written_alone() {
        let rows = [0x100, 0x1000, 0x8000].map(|row| [row, row + 8, row + 16, row + 24]);
        let first = [true, true, true, false];
        let others = [true, false, false, false];
        assert_eq!(written(&rows.concat()), [first, others, others].concat());
    }

    #[test]
    fn differences_wrap_around() {
        written(&[u64::MAX, 1, u64::MAX, 1, 0, 0, 1 << 63, 5]);
    }
}
