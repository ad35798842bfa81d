//! The definitions of a file, checked: every number is defined once, and everything that is
//! referred to is defined.

use rustc_hash::{FxHashMap, FxHashSet};

use super::groups::{Group, has_all};
use crate::format::fields::Problem;
use crate::format::{CallSite, Definition, Location, Region, kind};
use crate::notes::{self, ExperimentNote, ThreadNote};
use crate::write::MOST_LOCATIONS;

/// A place for error messages: offset and type of a record.
type Place = (u64, u8);

/// Definitions that the numbers in events refer to.
#[derive(Debug, Default)]
pub struct Tables {
    pub strings: FxHashMap<u32, String>,
    /// Name of the first machine.
    pub machine: Option<String>,
    /// Names of nodes.
    pub nodes: FxHashMap<u32, Option<u32>>,
    /// By number, without gaps.
    pub locations: Vec<Location>,
    pub files: FxHashMap<u32, u32>,
    pub regions: FxHashMap<u32, Region>,
    /// Whether all locations belong to it.
    pub communicators: FxHashMap<u32, bool>,
    /// The communicator of each window.
    pub windows: FxHashMap<u32, u32>,
    /// Number of counters whose values events have.
    pub counters: usize,
    pub call_sites: FxHashMap<u32, CallSite>,
    /// How many events the file says it has.
    pub events: u32,
    pub experiment: Option<ExperimentNote>,
    /// Channels in the order of their communicators.
    pub channels: Vec<u64>,
    pub threads: FxHashMap<u32, ThreadNote>,
}

impl Tables {
    /// The text of a string.
    pub fn text(&self, id: Option<u32>) -> &str {
        let text = id.and_then(|id| self.strings.get(&id));
        text.map_or("", String::as_str)
    }

    /// The name of a file.
    pub fn file(&self, id: Option<u32>) -> &str {
        self.text(id.and_then(|id| self.files.get(&id).copied()))
    }
}

/// Something that one definition says another one defines.
#[derive(Debug, Clone, Copy)]
enum Reference {
    String(u32),
    Machine(u32),
    Node(u32),
    Process(u32),
    Thread(u32, u32),
    File(u32),
    Region(u32),
    Group(u32),
    Communicator(u32),
}

/// A definition that continues in the next record.
#[derive(Debug)]
enum Open {
    String {
        id: u32,
        continuations: u8,
        bytes: Vec<u8>,
    },
    Communicator {
        id: u32,
        group_bytes: u32,
        group: Vec<u8>,
    },
    Group {
        id: u32,
        members: u32,
        listed: Vec<u32>,
    },
}

/// Takes in one definition after the other.
#[derive(Debug, Default)]
pub struct Builder {
    tables: Tables,
    open: Option<(Place, Open)>,
    machines: FxHashSet<u32>,
    processes: FxHashSet<u32>,
    threads: FxHashSet<(u32, u32)>,
    locations: FxHashMap<u32, (Place, Location)>,
    groups: FxHashMap<u32, Group>,
    communicators: FxHashMap<u32, Group>,
    metrics: FxHashSet<u32>,
    events: Option<u32>,
    references: Vec<(Place, Reference)>,
}

impl Builder {
    /// Takes the definition at `offset`; true after the last one.
    ///
    /// # Errors
    /// A [`Problem`] of this record.
    pub fn take(&mut self, offset: u64, definition: &Definition) -> Result<bool, Problem> {
        if self.open.is_some() {
            self.continuation(definition)?;
            return Ok(false);
        }
        let tables = &mut self.tables;
        match *definition {
            Definition::String {
                id,
                continuations,
                bytes,
            } => {
                once(!tables.strings.contains_key(&id), "string", id)?;
                let open = Open::String {
                    id,
                    continuations,
                    bytes: bytes.to_vec(),
                };
                self.open = Some(((offset, kind::STRING), open));
                self.close()?;
            }
            Definition::Communicator {
                id,
                group_bytes,
                group,
                ..
            } => {
                once(!self.communicators.contains_key(&id), "communicator", id)?;
                let open = Open::Communicator {
                    id,
                    group_bytes,
                    group: group.to_vec(),
                };
                self.open = Some(((offset, kind::MPI_COMM), open));
                self.close()?;
            }
            Definition::Group {
                id,
                is_world,
                members,
                ref listed,
            } => {
                once(!self.groups.contains_key(&id), "group", id)?;
                if is_world {
                    self.groups.insert(id, Group::Everyone);
                    return Ok(false);
                }
                let mut all = Vec::new();
                listed.append_to(&mut all)?;
                let open = Open::Group {
                    id,
                    members,
                    listed: all,
                };
                self.open = Some(((offset, kind::MPI_GROUP), open));
                self.close()?;
            }
            Definition::CommunicatorOfGroup { id, group } => {
                once(!self.communicators.contains_key(&id), "communicator", id)?;
                self.communicators.insert(id, Group::Of(group));
                self.refer((offset, kind::MPI_COMM_REF), Some(Reference::Group(group)));
            }
            Definition::CommunicatorOfSize { id, processes } => {
                once(!self.communicators.contains_key(&id), "communicator", id)?;
                self.communicators.insert(id, Group::Size(processes));
            }
            Definition::Window { id, communicator } => {
                once(
                    tables.windows.insert(id, communicator).is_none(),
                    "window",
                    id,
                )?;
                let reference = Reference::Communicator(communicator);
                self.refer((offset, kind::MPI_WIN), Some(reference));
            }
            Definition::Other => {}
            Definition::GroupContinuation { .. } => {
                return Err(Problem::new("a continuation", "an MPI_GROUP before it"));
            }
            Definition::StringContinuation { .. } => {
                return Err(Problem::new("a continuation", "a STRING before it"));
            }
            Definition::CommunicatorContinuation { .. } => {
                return Err(Problem::new("a continuation", "an MPI_COMM before it"));
            }
            Definition::Machine { id, name, .. } => {
                once(self.machines.insert(id), "machine", id)?;
                self.refer((offset, kind::MACHINE), name.map(Reference::String));
                if let (None, Some(name)) = (&self.tables.machine, name) {
                    let name = self.tables.strings.get(&name);
                    self.tables.machine = name.cloned();
                }
            }
            Definition::Node {
                id, machine, name, ..
            } => {
                once(tables.nodes.insert(id, name).is_none(), "node", id)?;
                let place = (offset, kind::NODE);
                self.refer(place, name.map(Reference::String));
                self.refer(place, Some(Reference::Machine(machine)));
            }
            Definition::Process { id, name } => {
                once(self.processes.insert(id), "process", id)?;
                self.refer((offset, kind::PROCESS), name.map(Reference::String));
            }
            Definition::Thread { id, process, name } => {
                once(self.threads.insert((process, id)), "thread", id)?;
                let place = (offset, kind::THREAD);
                self.refer(place, name.map(Reference::String));
                self.refer(place, Some(Reference::Process(process)));
            }
            Definition::Location { id, location } => {
                let place = (offset, kind::LOCATION);
                let before = self.locations.insert(id, (place, location));
                once(before.is_none(), "location", id)?;
                if self.locations.len() > MOST_LOCATIONS as usize {
                    let found = format!("{} locations", self.locations.len());
                    return Err(Problem::new(found, format!("at most {MOST_LOCATIONS}")));
                }
                let thread = Reference::Thread(location.process, location.thread);
                for reference in [
                    Reference::Machine(location.machine),
                    Reference::Node(location.node),
                    Reference::Process(location.process),
                    thread,
                ] {
                    self.refer(place, Some(reference));
                }
            }
            Definition::File { id, name } => {
                once(tables.files.insert(id, name).is_none(), "file", id)?;
                self.refer((offset, kind::FILE), Some(Reference::String(name)));
            }
            Definition::Region { id, region } => {
                once(tables.regions.insert(id, region).is_none(), "region", id)?;
                let place = (offset, kind::REGION);
                self.refer(place, Some(Reference::String(region.name)));
                self.refer(place, region.description.map(Reference::String));
                self.refer(place, region.file.map(Reference::File));
            }
            Definition::Metric { id } => {
                once(self.metrics.insert(id), "metric", id)?;
                tables.counters += 1;
            }
            Definition::Offset { local_time, offset } => {
                if !local_time.is_finite() || !offset.is_finite() {
                    let found = format!("times {local_time} and {offset}");
                    return Err(Problem::new(found, "finite numbers"));
                }
            }
            Definition::CallSite { id, call_site } => {
                let before = tables.call_sites.insert(id, call_site);
                once(before.is_none(), "call site", id)?;
                let place = (offset, kind::CALL_SITE);
                self.refer(place, call_site.file.map(Reference::File));
                self.refer(place, Some(Reference::Region(call_site.entered)));
                self.refer(place, call_site.left.map(Reference::Region));
            }
            Definition::NumberOfEvents(count) => {
                if self.events.replace(count).is_some() {
                    return Err(Problem::new("a second number of events", "one"));
                }
            }
            Definition::Last => {
                if self.events.is_none() {
                    return Err(Problem::new("no number of events", "NUM_EVENTS before it"));
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn refer(&mut self, place: Place, reference: Option<Reference>) {
        self.references
            .extend(reference.map(|reference| (place, reference)));
    }

    /// Takes the next part of the definition that is open.
    fn continuation(&mut self, definition: &Definition) -> Result<(), Problem> {
        match (&mut self.open, definition) {
            (
                Some((
                    _,
                    Open::String {
                        continuations,
                        bytes,
                        ..
                    },
                )),
                Definition::StringContinuation { bytes: more },
            ) => {
                *continuations -= 1;
                bytes.extend_from_slice(more);
            }
            (
                Some((_, Open::Communicator { group, .. })),
                Definition::CommunicatorContinuation { group: more },
            ) if !more.is_empty() => group.extend_from_slice(more),
            (
                Some((_, Open::Group { listed, .. })),
                Definition::GroupContinuation { listed: more },
            ) => {
                let before = listed.len();
                more.append_to(listed)?;
                if listed.len() == before {
                    return Err(Problem::new("an empty continuation", "members of a group"));
                }
            }
            (Some((_, Open::String { id, .. })), _) => {
                let expected = format!("STRING_CNT, string {id} is not complete");
                return Err(Problem::new("this record", expected));
            }
            (Some((_, Open::Communicator { id, .. })), _) => {
                let expected = format!("MPI_COMM_CNT, communicator {id} is not complete");
                return Err(Problem::new("this record", expected));
            }
            (Some((_, Open::Group { id, .. })), _) => {
                let expected = format!("MPI_GROUP_CNT, group {id} is not complete");
                return Err(Problem::new("this record", expected));
            }
            (None, _) => {}
        }
        self.close()
    }

    /// Takes the definition that is open into the tables, if it is complete.
    fn close(&mut self) -> Result<(), Problem> {
        match self.open.take() {
            Some((
                _,
                Open::String {
                    id,
                    continuations: 0,
                    bytes,
                },
            )) => {
                let Some((0, text)) = bytes.split_last() else {
                    return Err(Problem::new("a string without a NUL", "a NUL at its end"));
                };
                // Old files are in whatever encoding the sources were.
                let text = String::from_utf8_lossy(text).replace('\0', "");
                self.note(&text)?;
                self.tables.strings.insert(id, text);
            }
            Some((
                place,
                Open::Communicator {
                    id,
                    group_bytes,
                    group,
                },
            )) => match group.len().cmp(&(group_bytes as usize)) {
                std::cmp::Ordering::Greater => {
                    let found = format!("{} bytes of a group", group.len());
                    return Err(Problem::new(found, format!("{group_bytes}")));
                }
                std::cmp::Ordering::Equal => {
                    self.communicators.insert(id, Group::Bits(group));
                }
                std::cmp::Ordering::Less => {
                    self.open = Some((
                        place,
                        Open::Communicator {
                            id,
                            group_bytes,
                            group,
                        },
                    ));
                }
            },
            Some((
                place,
                Open::Group {
                    id,
                    members,
                    listed,
                },
            )) => match listed.len().cmp(&(members as usize)) {
                std::cmp::Ordering::Greater => {
                    let found = format!("{} members of a group", listed.len());
                    return Err(Problem::new(found, format!("{members}")));
                }
                std::cmp::Ordering::Equal => {
                    self.groups.insert(id, Group::Listed(listed));
                }
                std::cmp::Ordering::Less => {
                    let open = Open::Group {
                        id,
                        members,
                        listed,
                    };
                    self.open = Some((place, open));
                }
            },
            unfinished => self.open = unfinished,
        }
        Ok(())
    }

    /// Takes a string that is a note of ours.
    fn note(&mut self, text: &str) -> Result<(), Problem> {
        let wrong = |error: serde_json::Error| {
            Problem::new(
                format!("a note of pgastool that is none ({error})"),
                "what pgastool writes",
            )
        };
        if let Some(text) = text.strip_prefix(notes::EXPERIMENT) {
            let note: ExperimentNote = serde_json::from_str(text).map_err(wrong)?;
            note.check()?;
            self.tables.experiment = Some(note);
        } else if let Some(text) = text.strip_prefix(notes::THREAD) {
            let note: ThreadNote = serde_json::from_str(text).map_err(wrong)?;
            let thread = note.thread;
            let before = self.tables.threads.insert(thread, note);
            once(before.is_none(), "note on thread", thread)?;
        }
        if let Some(text) = text.strip_prefix(notes::CHANNELS) {
            let channels: Vec<u64> = serde_json::from_str(text).map_err(wrong)?;
            self.tables.channels.extend(channels);
        }
        Ok(())
    }

    /// The tables, when all definitions were taken.
    ///
    /// # Errors
    /// A [`Problem`] of the definition at a place.
    pub fn finish(mut self) -> Result<Tables, (Place, Problem)> {
        let references = std::mem::take(&mut self.references);
        for (place, reference) in references {
            self.check(reference).map_err(|problem| (place, problem))?;
        }
        let mut tables = self.tables;
        let count = self.locations.len();
        for number in 0..count {
            match self.locations.get(&(number as u32)) {
                Some((_, location)) => tables.locations.push(*location),
                None => {
                    let last = self.locations.values().max_by_key(|(place, _)| place.0);
                    let place = last.map_or((0, kind::LOCATION), |(place, _)| *place);
                    let found = format!("{count} locations without number {number}");
                    return Err((place, Problem::new(found, "numbers from 0 without gaps")));
                }
            }
        }
        let processes: FxHashSet<u32> = tables.locations.iter().map(|l| l.process).collect();
        // One thread of a process takes part for all, which the model does not know.
        let is_each_alone = processes.len() == tables.locations.len();
        for (id, group) in &self.communicators {
            let everyone = is_each_alone && has_all(group, &self.groups, &processes);
            tables.communicators.insert(*id, everyone);
        }
        tables.events = self.events.unwrap_or(0);
        Ok(tables)
    }

    fn check(&self, reference: Reference) -> Result<(), Problem> {
        let tables = &self.tables;
        let (defined, what, id) = match reference {
            Reference::String(id) => (tables.strings.contains_key(&id), "string", id),
            Reference::Machine(id) => (self.machines.contains(&id), "machine", id),
            Reference::Node(id) => (tables.nodes.contains_key(&id), "node", id),
            Reference::Process(id) => (self.processes.contains(&id), "process", id),
            Reference::Thread(process, id) => (self.threads.contains(&(process, id)), "thread", id),
            Reference::File(id) => (tables.files.contains_key(&id), "file", id),
            Reference::Region(id) => (tables.regions.contains_key(&id), "region", id),
            Reference::Group(id) => (self.groups.contains_key(&id), "group", id),
            Reference::Communicator(id) => {
                (self.communicators.contains_key(&id), "communicator", id)
            }
        };
        match defined {
            true => Ok(()),
            false => Err(undefined(what, id)),
        }
    }
}

/// Something refers to what is not there.
pub fn undefined(what: &str, id: u32) -> Problem {
    Problem::new(
        format!("{what} {id}, which is not defined"),
        "a defined one",
    )
}

fn once(first: bool, what: &str, id: u32) -> Result<(), Problem> {
    match first {
        true => Ok(()),
        false => Err(Problem::new(format!("a second {what} {id}"), "one")),
    }
}
