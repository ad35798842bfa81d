//! Enters of transfers and copies with addresses, which are recorded on request. Nearly every one
//! has attributes that its site did not have before, so none of them goes the shortest way of
//! `fast_path`: a record leaves out what a reader predicts (`pgas_trace_format::addresses`), and
//! that takes a memory of its own for each site.

use pgas_trace_format::addresses::follow;
use pgas_trace_format::encode;
use pgas_trace_format::tags::RecordTag;

use crate::attributes::Packed;
use crate::dictionary::SiteCode;
use crate::known_addresses::Known;
use crate::thread_state::ThreadState;

impl ThreadState {
    /// Appends an Enter whose attributes have addresses. Below the limit, as here, a few records
    /// have room.
    #[inline(never)]
    pub(crate) fn put_enter_at(&mut self, time: u64, site: u32, attributes: Packed) {
        let difference = self.advance(time);
        let block = self.block;
        let last = &mut self.dictionary.last_of(site).enter;
        // Whether the site's Enter before this one had addresses, too, so that a reader goes on
        // from them.
        let continues = *last == (block, Packed::ADDRESSED);
        *last = (block, Packed::ADDRESSED);
        if let Some(address) = attributes.address() {
            let known = self.dictionary.known_addresses.of(site, block);
            let track = &mut known.tracks[0];
            let code = SiteCode::new(site);
            if continues && track.next() == address && known.last.is_alike(&attributes) {
                track.follow();
                // SAFETY: there is room, and this is the first record since that was found out.
                unsafe {
                    self.put(
                        RecordTag::Enter.head(difference),
                        code.bytes(),
                        code.length(),
                    )
                };
                return;
            }
            if let Some((word, length)) = attributes.word_at(track.distance_to(address)) {
                track.move_to(address);
                known.last = attributes;
                // SAFETY: as above.
                unsafe {
                    self.put(
                        RecordTag::EnterWith.head(difference),
                        code.bytes(),
                        code.length(),
                    );
                    let place = self.buffer.add(self.page.position).cast::<u64>();
                    place.write_unaligned(word.to_le());
                }
                self.end_record(self.page.position + length);
                return;
            }
        }
        self.put_in_full(difference, site, continues, attributes);
    }

    /// The same for attributes of any form and size: those of copies, mainly.
    fn put_in_full(&mut self, difference: u64, site: u32, continues: bool, attributes: Packed) {
        let known = *self.dictionary.known_addresses.of(site, self.block);
        let now = attributes.unpacked();
        let mut tracks = known.tracks;
        let mut predicted = known.last.unpacked();
        follow(&mut tracks, &mut predicted);
        let position = self.page.position;
        let end = if continues && predicted == now {
            encode::enter(self.bytes(), position, difference, site)
        } else {
            tracks = known.tracks;
            let bytes = self.bytes();
            encode::enter_with(bytes, position, difference, site, &now, &mut tracks)
        };
        self.end_record(end);
        *self.dictionary.known_addresses.of(site, self.block) = Known {
            last: attributes,
            tracks,
            ..known
        };
    }
}
