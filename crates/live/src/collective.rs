//! Root and synchronisation modes of a thread's last collective operation at a place, in the bits of
//! a row's word that its place and operation leave free.

use pgas_trace_format::model::SyncMode;

/// Root and synchronisation modes of a collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collective {
    /// The root; `None` for operations without one.
    pub root: Option<u32>,
    /// Synchronisation mode on entry.
    pub sync_in: SyncMode,
    /// Synchronisation mode on exit.
    pub sync_out: SyncMode,
}

/// First bit of the word that is free.
const FIRST: u32 = 40;
const KNOWN: u64 = 1 << FIRST;
const SYNC_IN: u32 = FIRST + 1;
const SYNC_OUT: u32 = FIRST + 3;
/// Number of the root plus 1.
const ROOT: u32 = FIRST + 5;

impl Collective {
    /// In the upper bits of a word; 0 if the number of the root is too large.
    pub(crate) fn bits(self) -> u64 {
        let root = self.root.map_or(0, |root| u64::from(root) + 1);
        if root << ROOT >> ROOT != root {
            return 0;
        }
        let mode = |mode: SyncMode, bit: u32| u64::from(mode.number()) << bit;
        KNOWN | mode(self.sync_in, SYNC_IN) | mode(self.sync_out, SYNC_OUT) | root << ROOT
    }

    /// Of a row's word. `None` where nothing is known, an error where it says nothing valid.
    pub(crate) fn of(word: u64) -> Result<Option<Self>, ()> {
        if word >> FIRST == 0 {
            return Ok(None);
        }
        let mode = |bit: u32| SyncMode::from_number(word >> bit & 3).ok_or(());
        if word & KNOWN == 0 {
            return Err(());
        }
        Ok(Some(Collective {
            root: (word >> ROOT).checked_sub(1).map(|root| root as u32),
            sync_in: mode(SYNC_IN)?,
            sync_out: mode(SYNC_OUT)?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_what_was_put_into_it() {
        for root in [None, Some(0), Some(3), Some(1000), Some((1 << 19) - 2)] {
            for (sync_in, sync_out) in [
                (SyncMode::None, SyncMode::All),
                (SyncMode::Mine, SyncMode::Mine),
                (SyncMode::All, SyncMode::None),
            ] {
                let collective = Collective {
                    root,
                    sync_in,
                    sync_out,
                };
                let word = collective.bits() | 0xff_1234_5678;
                assert_eq!(Collective::of(word), Ok(Some(collective)));
            }
        }
        assert_eq!(Collective::of(0xff_1234_5678), Ok(None));
    }

    #[test]
    fn a_root_that_has_no_room_is_unknown_and_a_damaged_word_an_error() {
        let collective = Collective {
            root: Some(1 << 20),
            sync_in: SyncMode::All,
            sync_out: SyncMode::All,
        };
        assert_eq!(collective.bits(), 0);
        assert_eq!(Collective::of(3 << SYNC_IN | KNOWN), Err(()));
        assert_eq!(Collective::of(1 << ROOT), Err(()));
    }
}
