//! What a channel keeps when other processes have to do with it.

use std::collections::BTreeSet;

use crate::remote::frame::{After, Notice, Step};
use crate::remote::{Address, node};

/// What other processes have to do with a channel.
pub(in crate::channel) struct Remote {
    /// Number of the object, by which others know it.
    pub number: u64,
    /// Where steps go: this is a proxy, or the input moved. It never changes again.
    pub target: Option<Target>,
    /// Whether others send to this: it is, or was, a home.
    pub entry: bool,
    /// What the channel holds; a proxy holds nothing itself.
    pub capacity: Option<usize>,
    /// Proxies that have sent here.
    pub sources: BTreeSet<Address>,
}

/// Where steps go.
#[derive(Clone, Copy)]
pub(in crate::channel) struct Target {
    pub to: Address,
    /// The frames that must have arrived there before.
    pub after: Option<After>,
}

impl Remote {
    /// Of a channel at home, or one whose input moves.
    pub fn home(number: u64, capacity: Option<usize>) -> Self {
        Self {
            number,
            target: None,
            entry: true,
            capacity,
            sources: BTreeSet::new(),
        }
    }

    /// Does something to the channel, if that is elsewhere.
    pub fn pass_on(&self, step: Step<'_>) -> bool {
        let (Some(target), Some(node)) = (self.target, node()) else {
            return false;
        };
        node.step(target.to, self.number, target.after, step);
        true
    }

    /// Says something to all proxies.
    pub fn notify(&self, notice: Notice) {
        if let Some(node) = node() {
            self.sources
                .iter()
                .for_each(|source| node.notify(*source, notice));
        }
    }
}
