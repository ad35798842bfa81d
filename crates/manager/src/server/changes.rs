//! The stream of events for one client.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use futures_util::stream::{self, Stream};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::timeout;

use super::Shared;

/// Silence after which a comment shows that the connection is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

struct Follower {
    shared: Arc<Shared>,
    news: watch::Receiver<u64>,
    /// Number of the last event that was taken.
    last: u64,
    /// Parts of events that are to be sent next.
    parts: VecDeque<Bytes>,
    is_over: bool,
    /// Its place among the clients that may follow.
    _place: OwnedSemaphorePermit,
}

/// Events after the one with the number `last`; without it, the last picture and what follows.
pub(super) fn stream(
    shared: Arc<Shared>,
    place: OwnedSemaphorePermit,
    last: Option<u64>,
) -> impl Stream<Item = Result<Bytes, Infallible>> {
    let begin = {
        let journal = &shared.store().journal;
        // A number from another run says nothing.
        let last = last.filter(|&last| last <= journal.last());
        last.unwrap_or_else(|| journal.begin())
    };
    let follower = Follower {
        news: shared.news.subscribe(),
        shared,
        last: begin,
        // Headers are sent with the first part.
        parts: VecDeque::from([Bytes::from_static(b": events of a run\n\n")]),
        is_over: false,
        _place: place,
    };
    stream::unfold(follower, |mut follower| async {
        let part = follower.next().await?;
        Some((Ok(part), follower))
    })
}

impl Follower {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(part) = self.parts.pop_front() {
                return Some(part);
            }
            if self.is_over {
                return None;
            }
            self.news.borrow_and_update();
            self.take();
            if self.parts.is_empty() && !self.is_over {
                match timeout(KEEP_ALIVE, self.news.changed()).await {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => self.is_over = true,
                    Err(_) => self.parts.push_back(Bytes::from_static(b": alive\n\n")),
                }
            }
        }
    }

    /// Takes the next event. A client that reads slowly gets the newest picture when it is ready.
    fn take(&mut self) {
        let store = self.shared.store();
        match store.journal.after(self.last).into_iter().next() {
            Some(event) => {
                self.last = event.number;
                self.parts.extend(event.parts());
            }
            None => self.is_over = store.is_stopping || store.journal.has_ended(),
        }
    }
}
