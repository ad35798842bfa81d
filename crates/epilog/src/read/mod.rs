//! Reads EPILOG files, ours and foreign ones of either byte order, plain or compressed.
//!
//! A file is read twice: first to check all of it, so that nothing is made of one that turns out to
//! be damaged, then to write the streams. Everything in it is untrusted. Memory goes with the
//! definitions, which may not exceed [`MOST_DEFINITIONS`] bytes, with locations, and with regions
//! and transfers that are open at a time, which have limits too.

mod check;
mod groups;
mod import;
mod input;
mod leftovers;
mod stream;
mod tables;

use std::path::Path;

use pgas_trace::Interruption;
use pgas_trace::{Metadata, State, experiment};
use rustc_hash::FxHashSet;

use crate::error::Error;
use crate::format::fields::Problem;
use crate::format::{ByteOrder, Event, EventKind, Foreign, ForeignEvent, Record, RecordReader};
use check::Checker;
use import::Importer;
use tables::{Builder, Tables};

/// Most bytes before the first event.
pub(crate) const MOST_DEFINITIONS: u64 = 64 << 20;

/// An event of either kind.
#[derive(Debug, Clone, Copy)]
enum Happening {
    Ours(Event),
    Foreign(ForeignEvent),
    /// An attribute of the next event.
    Attribute,
}

/// Size and origin of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Byte order of the numbers in the file.
    pub byte_order: ByteOrder,
    /// Number of locations, each of which becomes a thread.
    pub locations: u32,
    /// Event records.
    pub events: u64,
    /// Whether it has notes of pgastool beside EPILOG.
    pub ours: bool,
}

/// Result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// Size and origin of the file.
    pub contents: Contents,
    /// Parts that are not in the experiment, or not for certain: sentences for people.
    pub remarks: Vec<String>,
}

/// Reads a whole file without making anything of it.
///
/// # Errors
/// [`Error::NotEpilog`], [`Error::Version`], [`Error::Malformed`], [`Error::Io`].
pub fn check(path: &Path) -> Result<Contents, Error> {
    pass(path, &Interruption::default(), &|_| {}, |_, _, _| Ok(())).map(|(contents, _)| contents)
}

/// Makes the new experiment `directory` of the file `path`. `progress` is told the share that is
/// done, 0 to 1.
///
/// # Errors
/// As for [`check`]; [`Error::Trace`] if the experiment exists or cannot be written. No directory
/// is left then.
pub fn read_file(path: &Path, directory: &Path, progress: &dyn Fn(f64)) -> Result<Imported, Error> {
    read_file_until(path, directory, &Interruption::default(), progress)
}

/// The same, which ends with [`pgas_trace::Error::Interrupted`] and leaves nothing once
/// `interruption` is requested.
///
/// # Errors
/// As for [`read_file`].
pub fn read_file_until(
    path: &Path,
    directory: &Path,
    interruption: &Interruption,
    progress: &dyn Fn(f64),
) -> Result<Imported, Error> {
    let mut partial = FxHashSet::default();
    let mut stacks = Vec::new();
    let half = |share: f64| progress(share / 2.0);
    let (contents, tables) = pass(path, interruption, &half, |tables, _, event| {
        note_partial(tables, event, &mut stacks, &mut partial);
        Ok(())
    })?;
    drop(stacks);

    let metadata = metadata(path, &tables);
    experiment::create(directory, &metadata)?;
    let second_half = |share: f64| progress(0.5 + share / 2.0);
    let read = |importer: &mut Importer| {
        pass(path, interruption, &second_half, |_, _, event| {
            importer.take(event)
        })
    };
    let imported = import(path, directory, &tables, &partial, metadata, read);
    if imported.is_err() {
        // Remove the incomplete experiment; if that fails, the first failure is still the one to
        // report.
        let _ = std::fs::remove_dir_all(directory);
    }
    Ok(Imported {
        contents,
        remarks: imported?,
    })
}

fn import(
    path: &Path,
    directory: &Path,
    tables: &Tables,
    partial: &FxHashSet<u32>,
    mut metadata: Metadata,
    read: impl FnOnce(&mut Importer) -> Result<(Contents, Tables), Error>,
) -> Result<Vec<String>, Error> {
    let mut importer = Importer::new(tables, partial, directory);
    let (_, again) = read(&mut importer)?;
    if again.locations.len() != tables.locations.len() {
        return Err(Error::Changed {
            path: path.to_owned(),
        });
    }
    let remarks = importer.finish(path)?;
    if tables.experiment.is_none() {
        metadata.remarks.extend(remarks.iter().cloned());
        metadata.save(directory)?;
    }
    Ok(remarks)
}

/// One reading of a file. `take` gets each event after it was checked, with the place of its
/// record.
fn pass(
    path: &Path,
    interruption: &Interruption,
    progress: &dyn Fn(f64),
    mut take: impl FnMut(&Tables, (u64, u8), &Happening) -> Result<(), Taken>,
) -> Result<(Contents, Tables), Error> {
    let (input, share) = input::open(path)?;
    let mut reader = RecordReader::new(input, path)?;
    let mut builder = Builder::default();
    let tables = loop {
        let place = (reader.position(), 0);
        if place.0 > MOST_DEFINITIONS {
            let found = format!("more than {MOST_DEFINITIONS} bytes of definitions");
            return Err(reader.error(Problem::new(found, "LAST_DEF")));
        }
        let Some(record) = reader.next_record()? else {
            let problem = Problem::new("the end of the file", "LAST_DEF");
            return Err(reader.error_at(place, problem));
        };
        let outcome = match record {
            Record::Definition(definition) => builder.take(place.0, &definition),
            Record::Event(_) | Record::Foreign(_) | Record::Attribute => {
                Err(Problem::new("an event", "LAST_DEF before it"))
            }
        };
        match outcome {
            Ok(false) => {}
            Ok(true) => {
                let finished = builder.finish();
                break finished.map_err(|(place, problem)| reader.error_at(place, problem))?;
            }
            Err(problem) => return Err(reader.error(problem)),
        }
    };

    let mut checker = Checker::new(&tables);
    loop {
        let event = match reader.next_record()? {
            None => break,
            Some(Record::Event(event)) => Happening::Ours(event),
            Some(Record::Foreign(event)) => Happening::Foreign(event),
            Some(Record::Attribute) => Happening::Attribute,
            Some(Record::Definition(_)) => {
                let problem = Problem::new("a definition", "events after LAST_DEF");
                return Err(reader.error(problem));
            }
        };
        let checked = match &event {
            Happening::Ours(event) => checker.event(event),
            Happening::Foreign(event) => checker.foreign(event),
            Happening::Attribute => Ok(()),
        };
        checked.map_err(|problem| reader.error(problem))?;
        take(&tables, reader.place(), &event).map_err(|taken| match taken {
            Taken::Problem(problem) => reader.error(problem),
            Taken::Error(error) => error,
        })?;
        if checker.events() % (1 << 16) == 0 {
            interruption.check()?;
            progress(share.get());
        }
    }
    let end = (reader.position(), 0);
    let finished = checker.finish();
    finished.map_err(|problem| reader.error_at(end, problem))?;
    let contents = Contents {
        byte_order: reader.byte_order(),
        locations: tables.locations.len() as u32,
        events: checker.events(),
        ours: tables.experiment.is_some(),
    };
    Ok((contents, tables))
}

/// Why an event could not be taken.
enum Taken {
    /// It is wrong.
    Problem(Problem),
    /// The experiment cannot be written.
    Error(Error),
}

impl From<pgas_trace::Error> for Taken {
    fn from(error: pgas_trace::Error) -> Self {
        Taken::Error(error.into())
    }
}

/// Notes regions that not all threads leave together: collective operations of a part of them,
/// which the model does not know. `stacks` are the regions open on each location.
fn note_partial(
    tables: &Tables,
    event: &Happening,
    stacks: &mut Vec<Vec<u32>>,
    partial: &mut FxHashSet<u32>,
) {
    stacks.resize_with(tables.locations.len(), Vec::new);
    let mut leave = |stack: &mut Vec<u32>, communicator: u32| {
        let region = stack.pop();
        if tables.communicators.get(&communicator) == Some(&false) {
            partial.extend(region);
        }
    };
    let event = match event {
        Happening::Attribute => return,
        Happening::Ours(event) => event,
        Happening::Foreign(event) => {
            let stack = &mut stacks[event.location as usize];
            match event.kind {
                // No region has this number, or nobody enters it with other intentions.
                Foreign::EnterTracing => stack.push(u32::MAX),
                Foreign::ExitTracing => drop(stack.pop()),
                Foreign::WindowCollectiveExit { window } => {
                    leave(
                        stack,
                        tables.windows.get(&window).copied().unwrap_or(u32::MAX),
                    );
                }
                _ => {}
            }
            return;
        }
    };
    let stack = &mut stacks[event.location as usize];
    match event.kind {
        EventKind::Enter { region } => stack.push(region),
        EventKind::EnterCallSite { call_site } => {
            stack.push(tables.call_sites.get(&call_site).map_or(0, |s| s.entered));
        }
        EventKind::Exit => {
            stack.pop();
        }
        EventKind::CollectiveExit { communicator, .. } => leave(stack, communicator),
        _ => {}
    }
}

/// A description of the run, as far as the file says something about it.
fn metadata(path: &Path, tables: &Tables) -> Metadata {
    let threads = tables.locations.len() as u32;
    if let Some(note) = &tables.experiment {
        let mut metadata = note.metadata.clone();
        metadata.threads = threads;
        return metadata;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let program = name.trim_end_matches(".gz").trim_end_matches(".elg");
    let mut metadata = Metadata::new(program, &[], threads);
    metadata.cores = None;
    if let Some(machine) = &tables.machine {
        metadata.host.clone_from(machine);
    }
    metadata.state = State::Finished;
    metadata.remarks = vec![format!(
        "made from the EPILOG file {name}, which does not say when the program ran and with which \
         arguments"
    )];
    metadata
}
