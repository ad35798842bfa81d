//! Builds the stream of one thread in memory, for tests and synthetic traces whose truth is known.

use pgas_trace::model::{Attributes, Event, EventKind, Operation, Site, SiteId};
use rustc_hash::FxHashMap;

use crate::source::MemorySource;

/// Sites and events of one thread, in the order in which they are added.
#[derive(Debug, Clone, Default)]
pub struct StreamBuilder {
    sites: Vec<Site>,
    ids: FxHashMap<Site, SiteId>,
    events: Vec<Event>,
    open: Vec<SiteId>,
}

impl StreamBuilder {
    /// A stream without sites or events.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sites used so far; an event's site number is an index into them.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Events added since the last [`StreamBuilder::take_events`].
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Removes and returns what was added since the last call: a long stream need not be held as a
    /// whole.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Enters a region at `time` (ticks).
    pub fn enter(&mut self, time: u64, site: Site, attributes: Attributes) -> &mut Self {
        let id = match self.ids.get(&site) {
            Some(&id) => id,
            None => {
                let id = SiteId(self.sites.len() as u32);
                self.sites.push(site.clone());
                self.ids.insert(site, id);
                id
            }
        };
        self.open.push(id);
        self.push(
            time,
            EventKind::Enter {
                site: id,
                attributes,
            },
        )
    }

    /// Leaves the innermost open region at `time` (ticks); nothing if none is open.
    pub fn exit(&mut self, time: u64, attributes: Attributes) -> &mut Self {
        match self.open.pop() {
            Some(site) => self.push(time, EventKind::Exit { site, attributes }),
            None => self,
        }
    }

    /// Number of regions that are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Adds an event as it is, for streams that must be wrong.
    pub fn push(&mut self, time: u64, kind: EventKind) -> &mut Self {
        self.events.push(Event { time, kind });
        self
    }

    /// Enters a function, defined at `file:line`.
    pub fn call(&mut self, time: u64, name: &str, file: &str, line: u32) -> &mut Self {
        let site = Site {
            operation: Operation::Function,
            file: file.into(),
            line,
            name: name.into(),
        };
        self.enter(time, site, Attributes::None)
    }

    /// Returns from a function, or leaves any region that has no attributes.
    pub fn leave(&mut self, time: u64) -> &mut Self {
        self.exit(time, Attributes::None)
    }

    /// Enters a runtime operation that is called at `file:line`.
    pub fn begin(
        &mut self,
        time: u64,
        operation: Operation,
        file: &str,
        line: u32,
        attributes: Attributes,
    ) -> &mut Self {
        self.enter(time, operation_site(operation, file, line), attributes)
    }

    /// A whole runtime operation without attributes, from `begin` to `end` (ticks).
    pub fn operation(
        &mut self,
        begin: u64,
        end: u64,
        operation: Operation,
        file: &str,
        line: u32,
    ) -> &mut Self {
        self.begin(begin, operation, file, line, Attributes::None)
            .leave(end)
    }

    /// A copy of the stream, to be read from its first event.
    pub fn source(&self) -> MemorySource {
        MemorySource::new(self.sites.clone(), self.events.clone())
    }
}

/// The site of a runtime operation that is called at `file:line`.
pub fn operation_site(operation: Operation, file: &str, line: u32) -> Site {
    Site {
        operation,
        file: file.into(),
        line,
        name: String::new(),
    }
}
