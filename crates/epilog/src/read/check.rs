//! Checks that events fit together: times do not run backwards, regions are left that were entered,
//! transfers end that began.

use rustc_hash::FxHashMap;

use super::tables::{Tables, undefined};
use crate::format::fields::Problem;
use crate::format::{Event, EventKind, Foreign, ForeignEvent};

/// Most regions open at a time, on all locations together.
const MOST_OPEN: u64 = 1 << 24;
/// Most transfers under way at a time.
const MOST_TRANSFERS: usize = 1 << 20;

/// A transfer under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Transfer {
    is_put: bool,
    target: u32,
}

/// The state of all locations.
#[derive(Debug)]
pub struct Checker<'a> {
    tables: &'a Tables,
    /// By location: open regions.
    depths: Vec<u64>,
    open: u64,
    /// By origin and number.
    transfers: FxHashMap<(u32, u32), Transfer>,
    time: f64,
    events: u64,
}

impl<'a> Checker<'a> {
    pub fn new(tables: &'a Tables) -> Self {
        Checker {
            tables,
            depths: vec![0; tables.locations.len()],
            open: 0,
            transfers: FxHashMap::default(),
            time: 0.0,
            events: 0,
        }
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// A [`Problem`] of this event.
    pub fn event(&mut self, event: &Event) -> Result<(), Problem> {
        self.begin_event(event.location, event.time)?;
        let tables = self.tables;
        match event.kind {
            EventKind::Enter { region } => self.enter(event.location, region),
            EventKind::EnterCallSite { call_site } => match tables.call_sites.get(&call_site) {
                Some(site) => self.enter(event.location, site.entered),
                None => Err(undefined("call site", call_site)),
            },
            EventKind::Exit => self.exit(event.location),
            EventKind::CollectiveExit {
                root, communicator, ..
            } => {
                if let Some(root) = root {
                    self.location(root)?;
                }
                self.communicator(communicator)?;
                self.exit(event.location)
            }
            EventKind::PutStart {
                target, transfer, ..
            } => {
                self.location(target)?;
                let is_put = true;
                self.begin((event.location, transfer), Transfer { is_put, target })
            }
            EventKind::GetStart {
                origin, transfer, ..
            } => {
                self.location(origin)?;
                let transfer_key = (origin, transfer);
                let target = event.location;
                let is_put = false;
                self.begin(transfer_key, Transfer { is_put, target })
            }
            EventKind::PutEnd { origin, transfer } => {
                let target = event.location;
                let is_put = true;
                self.end((origin, transfer), Transfer { is_put, target })
            }
            EventKind::GetEnd { target, transfer } => {
                let is_put = false;
                self.end((event.location, transfer), Transfer { is_put, target })
            }
            EventKind::Send {
                to: other,
                communicator,
                ..
            }
            | EventKind::Receive {
                from: other,
                communicator,
                ..
            } => {
                self.location(other)?;
                self.communicator(communicator)
            }
            EventKind::Acquire { .. }
            | EventKind::Release { .. }
            | EventKind::LogOff
            | EventKind::LogOn => Ok(()),
        }
    }

    /// Takes the next event, of an MPI or OpenMP program.
    ///
    /// # Errors
    /// A [`Problem`] of this event.
    pub fn foreign(&mut self, event: &ForeignEvent) -> Result<(), Problem> {
        self.begin_event(event.location, event.time)?;
        let location = event.location;
        match event.kind {
            Foreign::WindowPut { target, window, .. }
            | Foreign::WindowGet { target, window, .. }
            | Foreign::WindowLock { target, window } => {
                self.location(target)?;
                self.window(window)
            }
            Foreign::WindowGetAtTarget { origin, window } => {
                self.location(origin)?;
                self.window(window)
            }
            Foreign::WindowTransfer { other, window } => {
                other.map_or(Ok(()), |other| self.location(other))?;
                window.map_or(Ok(()), |window| self.window(window))
            }
            Foreign::WindowCollectiveExit { window } => {
                self.window(window)?;
                self.exit(location)
            }
            Foreign::PutEndAtOrigin { target, transfer } => {
                self.location(target)?;
                let is_put = true;
                self.end((location, transfer), Transfer { is_put, target })
            }
            Foreign::GetStartAtOrigin {
                target, transfer, ..
            } => {
                self.location(target)?;
                let is_put = false;
                self.begin((location, transfer), Transfer { is_put, target })
            }
            Foreign::EnterTracing => self.open(location),
            Foreign::ExitTracing => self.exit(location),
            Foreign::Fork
            | Foreign::Join
            | Foreign::Acquire { .. }
            | Foreign::Release { .. }
            | Foreign::Request => Ok(()),
        }
    }

    /// Checks that there may be another event, where and when it is.
    fn begin_event(&mut self, location: u32, time: f64) -> Result<(), Problem> {
        self.events += 1;
        let announced = self.tables.events;
        if self.events > u64::from(announced) {
            let found = "more events than announced";
            return Err(Problem::new(found, format!("{announced}, by NUM_EVENTS")));
        }
        self.location(location)?;
        if !time.is_finite() || time < 0.0 {
            let found = format!("time {time}");
            return Err(Problem::new(found, "seconds since the first event"));
        }
        if time < self.time {
            let expected = format!("no time before {}, that of the event before it", self.time);
            return Err(Problem::new(format!("time {time}"), expected));
        }
        self.time = time;
        Ok(())
    }

    fn communicator(&self, id: u32) -> Result<(), Problem> {
        match self.tables.communicators.contains_key(&id) {
            true => Ok(()),
            false => Err(undefined("communicator", id)),
        }
    }

    fn window(&self, id: u32) -> Result<(), Problem> {
        match self.tables.windows.contains_key(&id) {
            true => Ok(()),
            false => Err(undefined("window", id)),
        }
    }

    /// To be called after the last event.
    ///
    /// # Errors
    /// A [`Problem`] of the end of the file.
    pub fn finish(&self) -> Result<(), Problem> {
        let announced = self.tables.events;
        if self.events < u64::from(announced) {
            return Err(Problem::new(
                format!("the end of the file after {} events", self.events),
                format!("{announced}, by NUM_EVENTS"),
            ));
        }
        if let Some(location) = self.depths.iter().position(|&depth| depth > 0) {
            return Err(Problem::new(
                format!(
                    "{} regions open on location {location}",
                    self.depths[location]
                ),
                "an EXIT for each ENTER",
            ));
        }
        if let Some((origin, transfer)) = self.transfers.keys().min() {
            return Err(Problem::new(
                format!("transfer {transfer} of location {origin} under way"),
                "an end for each transfer",
            ));
        }
        Ok(())
    }

    fn location(&self, location: u32) -> Result<(), Problem> {
        match (location as usize) < self.depths.len() {
            true => Ok(()),
            false => Err(undefined("location", location)),
        }
    }

    fn enter(&mut self, location: u32, region: u32) -> Result<(), Problem> {
        if !self.tables.regions.contains_key(&region) {
            return Err(undefined("region", region));
        }
        self.open(location)
    }

    fn open(&mut self, location: u32) -> Result<(), Problem> {
        if self.open == MOST_OPEN {
            return Err(Problem::new(
                "another open region",
                format!("at most {MOST_OPEN} at a time"),
            ));
        }
        self.open += 1;
        self.depths[location as usize] += 1;
        Ok(())
    }

    fn exit(&mut self, location: u32) -> Result<(), Problem> {
        let depth = &mut self.depths[location as usize];
        if *depth == 0 {
            let found = format!("an exit while no region is open on location {location}");
            return Err(Problem::new(found, "an ENTER before it"));
        }
        *depth -= 1;
        self.open -= 1;
        Ok(())
    }

    fn begin(&mut self, key: (u32, u32), transfer: Transfer) -> Result<(), Problem> {
        if self.transfers.len() == MOST_TRANSFERS {
            return Err(Problem::new(
                "another transfer under way",
                format!("at most {MOST_TRANSFERS} at a time"),
            ));
        }
        match self.transfers.insert(key, transfer) {
            None => Ok(()),
            Some(_) => Err(Problem::new(
                format!("transfer {} of location {} again", key.1, key.0),
                "its end before it",
            )),
        }
    }

    fn end(&mut self, key: (u32, u32), transfer: Transfer) -> Result<(), Problem> {
        match self.transfers.remove(&key) {
            Some(begun) if begun == transfer => Ok(()),
            Some(begun) => {
                let what = if begun.is_put { "put to" } else { "get from" };
                Err(Problem::new(
                    format!("the end of transfer {} of location {}", key.1, key.0),
                    format!("that of the {what} location {} that it is", begun.target),
                ))
            }
            None => Err(Problem::new(
                format!("the end of transfer {} of location {}", key.1, key.0),
                "its beginning before it",
            )),
        }
    }
}
