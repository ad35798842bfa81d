//! Keeps what was found out about blocks in a file, so that the states in the middle of a long
//! trace are known the next time without reading what lies before.
//!
//! The file is a cache: it is written beside the trace, may be deleted at any time, and is passed
//! over if it does not belong to exactly these streams (their blocks, checksums, and times as
//! corrected), is damaged, or is of another version. All numbers are the variable-length integers
//! of the trace format:
//!
//! ```text
//! 8 bytes   magic; the last one is the version
//! 8 bytes   key: checksum of what the streams are
//! 8 bytes   checksum of the rest
//! by thread, by block:
//!   0 if nothing is known; else 1 and
//!   regions kept, regions opened, barriers, collectives,
//!   notified (0 as before the block, 1 no, 2 + n: by event n), 1 if a wait is undecided else 0,
//!   number of locks, and of each: its id, and twice (taken, given back): 0, or 1 + number of the event, and its time
//! ```

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use pgas_trace::format::{MAX_DEPTH, checksum, varint};

use super::EventTrace;
use super::count::{Counter, Notified};
use super::cursor::Place;
use super::index::ThreadIndex;
use super::summary::{BlockSummary, Change, LockUse};

const MAGIC: [u8; 8] = *b"PGASIDX\x01";
/// Bytes before what is known about blocks.
const FRONT: usize = 24;

impl EventTrace<'_> {
    /// How many events before `time` (ticks) have to be read to know the states at that time: those
    /// of the blocks of which nothing is known yet.
    pub fn unread_before(&self, time: u64) -> u64 {
        let unread = |index: &Arc<ThreadIndex>| -> u64 {
            let unknown = (0..index.block_to(Place::Time(time)))
                .filter(|&block| index.known_summary(block).is_none());
            unknown
                .map(|block| index.first_of(block + 1) - index.first_of(block))
                .sum()
        };
        self.threads.iter().map(unread).sum()
    }

    /// Takes over what [`EventTrace::keep_summaries`] has written of the same streams. False if
    /// there is no such file, or one that is of no use.
    pub fn recall_summaries(&self, path: &Path) -> bool {
        match pgas_files::read(path) {
            Ok(bytes) => self.recall(&bytes).is_some(),
            Err(_) => false,
        }
    }

    /// Writes what is known about blocks by now to a file, for [`EventTrace::recall_summaries`].
    /// Some 20 bytes a block, and as much for each lock that was used in it.
    ///
    /// # Errors
    /// If the file cannot be written. A file that was there is replaced as a whole or stays as it
    /// is.
    pub fn keep_summaries(&self, path: &Path) -> io::Result<()> {
        let mut known = Vec::new();
        for index in &self.threads {
            for block in 0..index.blocks() {
                put_block(&mut known, index.known_summary(block));
            }
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.key().to_le_bytes());
        bytes.extend(checksum(&known).to_le_bytes());
        bytes.extend(known);
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        pgas_files::replace(path, |file| file.write_all(&bytes))
    }

    fn recall(&self, bytes: &[u8]) -> Option<()> {
        let (front, known) = bytes.split_at_checked(FRONT)?;
        let is_right = front[..8] == MAGIC
            && front[8..16] == self.key().to_le_bytes()
            && front[16..] == checksum(known).to_le_bytes();
        if !is_right {
            return None;
        }
        let mut numbers = Numbers {
            bytes: known,
            at: 0,
        };
        // All or nothing: first read, then take over.
        let mut found: Vec<(&Arc<ThreadIndex>, usize, BlockSummary)> = Vec::new();
        for index in &self.threads {
            for block in 0..index.blocks() {
                if numbers.flag()? {
                    found.push((index, block, numbers.block()?));
                }
            }
        }
        if numbers.at != known.len() {
            return None;
        }
        for (index, block, summary) in found {
            index.take_summary(block, summary);
        }
        Some(())
    }

    /// Checksum that distinguishes these streams from all others.
    fn key(&self) -> u64 {
        let mut facts = Vec::new();
        for index in &self.threads {
            facts.extend(u64::from(index.thread).to_le_bytes());
            let blocks = index.stream.map_or(&[][..], |stream| stream.blocks());
            for (number, block) in blocks.iter().enumerate() {
                for fact in [
                    block.offset,
                    block.checksum(),
                    index.first_of(number + 1),
                    index.first_time(number),
                    index.last_time(number),
                ] {
                    facts.extend(fact.to_le_bytes());
                }
            }
        }
        checksum(&facts)
    }
}

fn put_block(bytes: &mut Vec<u8>, summary: Option<&BlockSummary>) {
    let Some(summary) = summary else {
        return varint::push(bytes, 0);
    };
    let counter = &summary.counter;
    let notified = match counter.notified {
        Notified::Unchanged => 0,
        Notified::No => 1,
        Notified::Yes(number) => number.saturating_add(2),
    };
    for number in [
        1,
        summary.kept as u64,
        summary.opened as u64,
        counter.barriers,
        counter.collectives,
        notified,
        u64::from(counter.undecided_wait),
        summary.locks.len() as u64,
    ] {
        varint::push(bytes, number);
    }
    for (lock, used) in &summary.locks {
        varint::push(bytes, *lock);
        for change in [used.acquired, used.released] {
            match change {
                None => varint::push(bytes, 0),
                Some(change) => {
                    varint::push(bytes, change.number.saturating_add(1));
                    varint::push(bytes, change.time);
                }
            }
        }
    }
}

/// Numbers from a file.
struct Numbers<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Numbers<'_> {
    fn next(&mut self) -> Option<u64> {
        let (number, at) = varint::get(self.bytes, self.at)?;
        self.at = at;
        Some(number)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.next()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// A number of open regions.
    fn depth(&mut self) -> Option<usize> {
        let depth = usize::try_from(self.next()?).ok()?;
        (depth <= MAX_DEPTH).then_some(depth)
    }

    fn block(&mut self) -> Option<BlockSummary> {
        let (kept, opened) = (self.depth()?, self.depth()?);
        let counter = Counter {
            barriers: self.next()?,
            collectives: self.next()?,
            notified: match self.next()? {
                0 => Notified::Unchanged,
                1 => Notified::No,
                number => Notified::Yes(number - 2),
            },
            undecided_wait: self.flag()?,
        };
        let count = self.next()?;
        let mut locks = Vec::new();
        for _ in 0..count {
            let lock = self.next()?;
            let used = LockUse {
                acquired: self.change()?,
                released: self.change()?,
            };
            if locks.last().is_some_and(|(last, _)| *last >= lock) {
                return None;
            }
            locks.push((lock, used));
        }
        Some(BlockSummary {
            kept,
            opened,
            counter,
            locks: locks.into(),
        })
    }

    /// The outer `None` is the end of the file.
    fn change(&mut self) -> Option<Option<Change>> {
        Some(match self.next()? {
            0 => None,
            number => Some(Change {
                number: number - 1,
                time: self.next()?,
            }),
        })
    }
}
