//! Collective operations of the method itself, over messages of at most [`MESSAGE_WORDS`] words.
//!
//! Trees are binomial with thread 0 as their root: thread t is the root of the threads from t to
//! t + 2^b - 1, b being the number of zeros at the end of t, and hangs below t - 2^b.
//!
//! [`MESSAGE_WORDS`]: crate::processes::MESSAGE_WORDS

mod barrier;
mod broadcast;
mod gather;
mod maximum;
mod message;
mod scatter;
mod tree;

pub(crate) use barrier::barrier;
pub(crate) use broadcast::broadcast;
pub(crate) use gather::gather;
pub(crate) use maximum::maximum;
pub(crate) use scatter::scatter;
