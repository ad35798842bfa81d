//! Events for those who follow a run: the last picture, and the last changes of the findings. Each
//! follower has only a number, so that a slow one loses old events and takes no memory.

use std::collections::VecDeque;

use axum::body::Bytes;

/// Changes that are kept.
const CHANGES: usize = 1_024;

/// An event as it is sent, with its number.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) number: u64,
    name: &'static str,
    /// JSON.
    data: Bytes,
}

impl Event {
    /// The event in the form of server-sent events, in parts: the data is not copied.
    pub(crate) fn parts(&self) -> [Bytes; 3] {
        let begin = format!("id: {}\nevent: {}\ndata: ", self.number, self.name);
        [begin.into(), self.data.clone(), Bytes::from_static(b"\n\n")]
    }
}

/// Events of a run.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    last: u64,
    picture: Option<Event>,
    changes: VecDeque<Event>,
    end: Option<Event>,
}

impl Journal {
    /// A new picture, as JSON.
    pub(crate) fn picture(&mut self, data: Bytes) {
        self.picture = Some(self.event("picture", data));
    }

    /// A change of the findings, `found` or `gone`, as JSON.
    pub(crate) fn change(&mut self, name: &'static str, data: Bytes) {
        let event = self.event(name, data);
        if self.changes.len() == CHANGES {
            self.changes.pop_front();
        }
        self.changes.push_back(event);
    }

    /// The end of the run; nothing comes after it.
    pub(crate) fn end(&mut self, data: Bytes) {
        self.end = Some(self.event("end", data));
    }

    /// Whether the run has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Number after which a new follower begins: the last picture is the first that it gets.
    pub(crate) fn begin(&self) -> u64 {
        match &self.picture {
            Some(picture) => picture.number - 1,
            None => self.last,
        }
        .min(self.end.as_ref().map_or(u64::MAX, |end| end.number - 1))
    }

    /// Number of the last event.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// The events after a number that are still there, the oldest first.
    pub(crate) fn after(&self, number: u64) -> Vec<Event> {
        let all = self.changes.iter().chain(&self.picture).chain(&self.end);
        let mut events: Vec<Event> = all.filter(|one| one.number > number).cloned().collect();
        events.sort_by_key(|event| event.number);
        events
    }

    fn event(&mut self, name: &'static str, data: Bytes) -> Event {
        self.last += 1;
        Event {
            number: self.last,
            name,
            data,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(journal: &Journal, after: u64) -> Vec<&'static str> {
        let events = journal.after(after).into_iter();
        events.map(|event| event.name).collect()
    }

    #[test]
    fn a_new_follower_begins_with_the_last_picture() {
        let mut journal = Journal::default();
        journal.change("found", Bytes::from_static(b"1"));
        journal.picture(Bytes::from_static(b"2"));
        journal.change("gone", Bytes::from_static(b"3"));
        assert_eq!(names(&journal, journal.begin()), ["picture", "gone"]);
        journal.end(Bytes::from_static(b"4"));
        assert_eq!(names(&journal, journal.begin()), ["picture", "gone", "end"]);
    }

    #[test]
    fn a_slow_follower_loses_pictures_and_then_changes() {
        let mut journal = Journal::default();
        for _ in 0..2 * CHANGES {
            journal.change("found", Bytes::from_static(b"1"));
            journal.picture(Bytes::from_static(b"2"));
        }
        let names = names(&journal, 0);
        assert_eq!(names.len(), CHANGES + 1);
        assert_eq!(names.last(), Some(&"picture"));
    }
}
