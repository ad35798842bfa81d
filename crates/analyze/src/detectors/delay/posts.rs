//! Posts of one thread for which others may have waited: each keeps where the thread was in its
//! chain, until nobody can have waited for it any more.

use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use super::stretches::StretchId;
use super::what_if::Kept;

/// A post that was replayed.
#[derive(Debug)]
pub(super) struct Post {
    /// Ticks.
    pub time: u64,
    /// Where the chain of the thread was.
    pub stretch: Option<StretchId>,
    /// State that a thread that waited for it depends on.
    pub kept: Kept,
    /// How many waits it may have ended.
    uses: u32,
}

/// Posts of one thread, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Posts {
    /// Those that are replayed: all below this number.
    pub replayed: u64,
    /// Of posts that are to come: how many waits each may end.
    wanted: FxHashMap<u64, u32>,
    kept: FxHashMap<u64, Post>,
    /// Threads that wait for a post, and its number.
    pub blocked: Vec<(u64, ThreadId)>,
}

impl Posts {
    /// A wait may have been ended by a post.
    pub fn want(&mut self, number: u64) {
        match self.kept.get_mut(&number) {
            Some(post) => post.uses += 1,
            None if number >= self.replayed => *self.wanted.entry(number).or_default() += 1,
            None => {}
        }
    }

    /// One of the waits is over, or was ended by another post. Returns the post if there are no
    /// more.
    #[must_use]
    pub fn release(&mut self, number: u64) -> Option<Post> {
        if let Some(uses) = self.wanted.get_mut(&number) {
            *uses = uses.saturating_sub(1);
            if *uses == 0 {
                self.wanted.remove(&number);
            }
            return None;
        }
        let post = self.kept.get_mut(&number)?;
        post.uses = post.uses.saturating_sub(1);
        match post.uses {
            0 => self.kept.remove(&number),
            _ => None,
        }
    }

    /// Whether somebody may have waited for a post that is replayed now.
    pub fn is_wanted(&self, number: u64) -> bool {
        self.wanted.contains_key(&number)
    }

    /// Keeps a wanted post that is replayed now.
    pub fn keep(&mut self, number: u64, time: u64, stretch: Option<StretchId>, kept: Kept) {
        let uses = self.wanted.remove(&number).unwrap_or(1);
        self.kept.insert(
            number,
            Post {
                time,
                stretch,
                kept,
                uses,
            },
        );
    }

    /// A post that is kept.
    pub fn get(&self, number: u64) -> Option<&Post> {
        self.kept.get(&number)
    }
}
