//! Random access to the events of one thread: a block is decoded up to the page that was asked for,
//! and pages that were used lately are kept. Reading on forwards goes on where decoding stopped.

use std::collections::VecDeque;
use std::sync::Arc;

use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use super::cursor::{Cursor, Step};
use super::error::AccessError;
use super::index::ThreadIndex;

/// Events of a page.
pub(crate) const PAGE: u64 = 512;
/// Pages that are kept at least: some 15 MB of them.
const PAGES_KEPT: usize = 256;
/// Blocks in which decoding can go on, each of the size that the recorder's buffer had.
const BLOCKS_KEPT: usize = 16;

/// Events of one thread that stand together, within one block.
#[derive(Debug)]
pub(crate) struct Page {
    pub steps: Vec<Step>,
}

/// Thread, block, and number of the page in the block.
type Key = (ThreadId, usize, u64);

/// The pages used last, of all threads.
#[derive(Debug)]
pub(crate) struct Pages<'t> {
    /// With the time of its last use, as [`Pages::clock`] counts it.
    pages: FxHashMap<Key, (u64, Arc<Page>)>,
    keep: usize,
    clock: u64,
    /// Where decoding stopped, the most recent last.
    open: VecDeque<(ThreadId, usize, Cursor<'t>)>,
}

impl<'t> Pages<'t> {
    pub fn new(threads: usize) -> Self {
        Pages {
            pages: FxHashMap::default(),
            // One for each thread, so that all can be compared at one time.
            keep: PAGES_KEPT.max(threads + threads / 4),
            clock: 0,
            open: VecDeque::new(),
        }
    }

    /// The page that holds event `number` (which must exist), and the event's place in it.
    pub fn page(
        &mut self,
        index: &Arc<ThreadIndex<'t>>,
        number: u64,
    ) -> Result<(Arc<Page>, usize), AccessError> {
        let block = index.block_of(number);
        let within = number - index.first_of(block);
        let key = (index.thread, block, within / PAGE);
        self.clock += 1;
        let place = (within % PAGE) as usize;
        if let Some((used, page)) = self.pages.get_mut(&key) {
            *used = self.clock;
            return Ok((page.clone(), place));
        }
        let page = Arc::new(self.read(index, block, within / PAGE)?);
        if self.pages.len() >= self.keep {
            self.forget_half();
        }
        self.pages.insert(key, (self.clock, page.clone()));
        Ok((page, place))
    }

    fn read(
        &mut self,
        index: &Arc<ThreadIndex<'t>>,
        block: usize,
        page: u64,
    ) -> Result<Page, AccessError> {
        let begin = index.first_of(block) + page * PAGE;
        let end = (begin + PAGE).min(index.first_of(block + 1));
        let known = self.open.iter().position(|(thread, at, cursor)| {
            (*thread, *at) == (index.thread, block) && cursor.number() <= begin
        });
        let mut cursor = match known.and_then(|place| self.open.remove(place)) {
            Some((_, _, cursor)) => cursor,
            None => Cursor::at_block(index, block)?,
        };
        while cursor.number() < begin && cursor.next_step()?.is_some() {}
        let mut steps = Vec::with_capacity((end - begin) as usize);
        while cursor.number() < end {
            match cursor.next_step()? {
                Some(step) => steps.push(step),
                None => break,
            }
        }
        if cursor.number() < index.first_of(block + 1) {
            self.open.push_back((index.thread, block, cursor));
            if self.open.len() > BLOCKS_KEPT {
                self.open.pop_front();
            }
        }
        Ok(Page { steps })
    }

    /// Makes room at a cost that is small for each page.
    fn forget_half(&mut self) {
        let mut uses: Vec<u64> = self.pages.values().map(|(used, _)| *used).collect();
        let middle = uses.len() / 2;
        let (_, &mut median, _) = uses.select_nth_unstable(middle);
        self.pages.retain(|_, (used, _)| *used > median);
    }
}
