//! Bounded FIFO between two pipeline stages.

use std::collections::VecDeque;

/// Pieces that wait for the next stage, at most: enough that neither stage waits for the other
/// because one piece takes longer than another.
const MOST: usize = 2;

/// Pieces of work on their way to the next stage.
#[derive(Debug)]
pub struct HandoffQueue<T> {
    waiting: VecDeque<T>,
    /// Emptied pieces, whose memory is used again.
    spare: Vec<T>,
    busy: bool,
}

impl<T> Default for HandoffQueue<T> {
    fn default() -> Self {
        HandoffQueue {
            waiting: VecDeque::new(),
            spare: Vec::new(),
            busy: false,
        }
    }
}

impl<T: Default> HandoffQueue<T> {
    /// An empty piece to be filled.
    pub fn empty(&mut self) -> T {
        self.spare.pop().unwrap_or_default()
    }

    /// Whether one more may be added.
    pub fn has_room(&self) -> bool {
        self.waiting.len() < MOST
    }

    /// Adds the next piece.
    pub fn add(&mut self, piece: T) {
        self.waiting.push_back(piece);
    }

    /// The piece that comes next; `None` if there is none, or while another one is being worked on.
    pub fn pick(&mut self) -> Option<T> {
        if self.busy {
            return None;
        }
        let piece = self.waiting.pop_front();
        self.busy = piece.is_some();
        piece
    }

    /// The piece that was picked is done with, and empty.
    pub fn done(&mut self, piece: T) {
        self.busy = false;
        self.spare.push(piece);
    }

    /// Whether nothing is waiting or being worked on.
    pub fn is_idle(&self) -> bool {
        !self.busy && self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_taken_one_after_another_in_order() {
        let mut relay: HandoffQueue<Vec<u8>> = HandoffQueue::default();
        assert!(relay.is_idle() && relay.pick().is_none());
        for number in 0..MOST as u8 {
            assert!(relay.has_room());
            relay.add(vec![number]);
        }
        assert!(!relay.has_room());
        let first = relay.pick().expect("a piece");
        assert_eq!(first, [0]);
        assert!(relay.has_room() && relay.pick().is_none());
        relay.done(Vec::with_capacity(100));
        // Its memory is used again.
        assert!(relay.empty().capacity() >= 100);
        let second = relay.pick().expect("a piece");
        assert_eq!(second, [1]);
        assert!(!relay.is_idle());
        relay.done(Vec::new());
        assert!(relay.is_idle());
    }
}
