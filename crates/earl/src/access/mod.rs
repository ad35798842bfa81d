//! Random access to the events of an experiment: by number, by place in the order of time, and by
//! time; the states at any event; the events that an event points to; and compound events by their
//! number.
//!
//! [`Walker`](crate::Walker) reads every event of a thread once, from the first to the last, and is
//! what an analysis of the whole run needs. An [`EventTrace`] answers questions about single
//! places. It follows the interface of EARL (F. Wolf, "EARL - A Programmable and Extensible Toolkit
//! for Analyzing Event Traces of Message Passing Programs", 1998; F. Wolf, B. Mohr, "Specifying
//! performance properties of parallel applications using compound events", 2001), but no events are
//! kept in memory: a stream's index says which block an event lies in, that block is decoded, and
//! some pages of events are kept in case that their neighbours are asked for.
//!
//! ```
//! use pgas_earl::access::{EventId, EventTrace, EventType};
//! use pgas_trace::model::{Attributes, Operation, Site};
//! use pgas_trace::{Experiment, ExperimentBuilder};
//!
//! let main = Site::function("main", "heat.upc", 1);
//! let [take, give, barrier] = [Operation::Lock, Operation::Unlock, Operation::Barrier]
//!     .map(|operation| Site::operation(operation, "heat.upc", 7));
//! let lock = Attributes::Lock { lock: 5 };
//! let mut builder = ExperimentBuilder::new("heat", 2);
//! for (thread, taken) in [(0, 20), (1, 60)] {
//!     builder
//!         .thread(thread)
//!         .enter(0, &main, Attributes::None)
//!         .enter(10 + u64::from(thread), &take, lock)
//!         .exit(taken, Attributes::None)
//!         .enter(taken + 35, &give, lock)
//!         .exit(taken + 36, Attributes::None)
//!         .enter(taken + 37, &barrier, Attributes::None)
//!         .exit(99, Attributes::None)
//!         .exit(100, Attributes::None);
//! }
//! let directory = tempfile::tempdir()?;
//! builder.write(&directory.path().join("experiment"))?;
//!
//! let experiment = Experiment::open(&directory.path().join("experiment"))?;
//! let trace = EventTrace::new(&experiment)?;
//! // The third event of thread 1: it has got the lock, and its pointers say when it asked for it and who had it.
//! let taken = trace.event(EventId::new(1, 2))?;
//! assert_eq!(taken.event_type, EventType::LockAcquired { lock: 5 });
//! assert_eq!(trace.enter_pointer(taken.id)?, Some(EventId::new(1, 1)));
//! let given = trace.lock_pointer(taken.id)?.ok_or("nobody had it")?;
//! assert_eq!((given, trace.event(given)?.time), (EventId::new(0, 3), 55));
//!
//! // The states at time 40: thread 0 has the lock, thread 1 waits for it.
//! let states = trace.states_at(40)?;
//! assert_eq!(states.locks.owner(5).map(|owner| owner.thread), Some(0));
//! assert_eq!(states.locks.waiting(5), [1]);
//! assert_eq!(states.threads[1].stack.len(), 2);
//!
//! // A compound event, the first barrier: when each thread came. At time 60 only thread 0 is there.
//! let barrier = trace.barrier(0)?;
//! let arrivals: Vec<_> = barrier.members.iter().flatten().filter_map(|m| m.arrival).collect();
//! assert_eq!(arrivals, [EventId::new(0, 5), EventId::new(1, 5)]);
//! assert_eq!(trace.event(arrivals[1])?.time, 97);
//! let pending = &trace.states_at(60)?.pending_barriers(1)[0];
//! assert_eq!((&pending.inside[..], &pending.missing[..]), (&[0][..], &[1][..]));
//!
//! // All events from time 55 on, whatever thread they are of.
//! let mut times = Vec::new();
//! for event in trace.events_between(55, u64::MAX)? {
//!     times.push(event?.time);
//! }
//! assert_eq!(times, [55, 56, 57, 60, 95, 96, 97, 99, 99, 100, 100]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | question | answer |
//! |---|---|
//! | an event by its number, or by its place in time | [`EventTrace::event`], [`EventTrace::event_in_time`], [`EventTrace::position_at`] |
//! | where an event stands in time | [`EventTrace::number_in_time`], [`EventTrace::cut_before`] |
//! | the region stack, the collective queue and the locks | [`EventTrace::states_at`], [`EventTrace::states_after`] |
//! | `enterptr`, `lockptr` | [`EventTrace::enter_pointer`], [`EventTrace::lock_pointer`] |
//! | compound events | [`EventTrace::barrier`], [`EventTrace::collective`] |
//! | the events of one thread from a time on | [`EventTrace::thread_events`] |
//! | a stretch of time with all that is known | [`EventTrace::replay`], which `examples/lock_convoys.rs` writes a pattern on |

mod compound;
mod count;
mod cursor;
mod error;
mod event;
mod history;
mod index;
mod kept;
mod locks;
mod order;
mod page;
mod pointers;
mod replay;
mod states;
mod summary;
mod thread_events;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pgas_trace::model::{Attributes, EventKind, Operation, Site, SiteId, ThreadId};
use pgas_trace::{Experiment, Stream};

pub use compound::{CompoundEvent, Member};
pub use error::AccessError;
pub use event::{EventId, EventType, TypedEvent};
pub use locks::{LockTable, Owner};
pub use order::Cut;
pub use replay::{History, Occurrence, Replay};
pub use states::{OpenRegion, Pending, States, ThreadState};
pub use thread_events::{Inherited, ThreadEvents};

use cursor::Step;
use index::ThreadIndex;
use page::Pages;

/// A description that says more threads is taken to be damaged.
const MOST_THREADS: u32 = 1 << 20;

/// The events of an experiment, in any order.
///
/// Times are those of the reference clock ([`Experiment::clocks`]). Events are numbered from 0 on
/// each thread. Over all threads they are ordered by time; of events at the same time on
/// different threads those that take a lock come last, since it was given back before, and then the
/// number of the thread decides. Where blocks of a stream are missing, the events that bridge the
/// gap are numbered too.
///
/// An answer costs decoding the block that the event lies in, or nothing if the event lies near one
/// that was asked for before; a method that may read more says so. Memory: the index (some hundred
/// bytes a block), at most some 15 MB of decoded events (60 KB for each thread beyond 200), and 16
/// blocks in decoding.
#[derive(Debug)]
pub struct EventTrace<'t> {
    experiment: &'t Experiment,
    threads: Vec<Arc<ThreadIndex<'t>>>,
    pages: Mutex<Pages<'t>>,
}

impl<'t> EventTrace<'t> {
    /// Reads the index: no event is decoded, unless blocks are missing from a stream or the clock
    /// of a node was set during the run.
    ///
    /// # Errors
    /// [`AccessError::UnknownThread`], [`AccessError::TooManyThreads`] if streams and description
    /// contradict each other; [`AccessError::Trace`] if a block beside a gap is damaged.
    pub fn new(experiment: &'t Experiment) -> Result<Self, AccessError> {
        let count = experiment.metadata().threads;
        if count > MOST_THREADS {
            return Err(AccessError::TooManyThreads {
                path: experiment.directory().to_owned(),
                found: count,
                limit: MOST_THREADS,
            });
        }
        let mut streams: Vec<Option<&Stream>> = vec![None; count as usize];
        for stream in experiment.streams() {
            match streams.get_mut(stream.thread() as usize) {
                Some(place) => *place = Some(stream),
                None => {
                    return Err(AccessError::UnknownThread {
                        path: stream.path().to_owned(),
                        thread: stream.thread(),
                        threads: count,
                    });
                }
            }
        }
        let threads = streams
            .into_iter()
            .enumerate()
            .map(|(thread, stream)| {
                let thread = thread as ThreadId;
                let correction = experiment.clocks().correction(thread);
                Ok(Arc::new(ThreadIndex::new(thread, stream, correction)?))
            })
            .collect::<Result<Vec<_>, AccessError>>()?;
        let pages = Mutex::new(Pages::new(threads.len()));
        Ok(EventTrace {
            experiment,
            threads,
            pages,
        })
    }

    /// The experiment whose streams are read.
    pub fn experiment(&self) -> &'t Experiment {
        self.experiment
    }

    /// Number of threads of the program; one that recorded nothing has no events.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Events of all threads.
    pub fn events(&self) -> u64 {
        self.threads.iter().map(|thread| thread.events()).sum()
    }

    /// Events of one thread.
    ///
    /// # Errors
    /// [`AccessError::NoSuchThread`]
    pub fn events_of(&self, thread: ThreadId) -> Result<u64, AccessError> {
        Ok(self.index(thread)?.events())
    }

    /// The event with that number on its thread.
    ///
    /// # Errors
    /// [`AccessError::NoSuchThread`], [`AccessError::NoSuchEvent`]; [`AccessError::Trace`] if its
    /// block is damaged.
    pub fn event(&self, id: EventId) -> Result<TypedEvent<'t>, AccessError> {
        let step = self.step(id)?;
        let takes_or_gives = matches!(
            step.operation,
            Operation::Lock | Operation::LockAttempt | Operation::Unlock
        );
        let lock = match takes_or_gives {
            true => self.lock_of(id.thread, &step)?,
            false => None,
        };
        Ok(self.typed(id.thread, &step, lock))
    }

    /// Number of the first event of `thread` at or after `time` (ticks); its number of events if
    /// there is none.
    ///
    /// # Errors
    /// [`AccessError::NoSuchThread`]; [`AccessError::Trace`] if the block is damaged.
    pub fn position_at(&self, thread: ThreadId, time: u64) -> Result<u64, AccessError> {
        let index = self.index(thread)?;
        let block = index.block_at(time);
        if block >= index.blocks() {
            return Ok(index.events());
        }
        let begin = index.first_of(block);
        if index.first_time(block) >= time || begin == index.first_of(block + 1) {
            return Ok(begin);
        }
        // The last page that begins before that time.
        let times = &index.end(block)?.page_times;
        let page = times.partition_point(|&first| first < time).max(1) as u64 - 1;
        let begin = begin + page * page::PAGE;
        let (page, _) = self.pages().page(index, begin)?;
        let within = page.steps.partition_point(|step| step.event.time < time);
        Ok(begin + within as u64)
    }

    /// Times of the first and the last event of all threads, in ticks; `None` if there are no
    /// events.
    pub fn time_range(&self) -> Option<(u64, u64)> {
        let with_events = self.threads.iter().filter(|thread| thread.blocks() > 0);
        let ranges =
            with_events.map(|thread| (thread.first_time(0), thread.last_time(thread.blocks() - 1)));
        ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// Ticks of the first request to end the program before its own end, and the signal if it was
    /// one; `None` if there was no request, or no thread noticed it. Later activity is
    /// only cleanup.
    pub fn asked_to_end(&self) -> Option<(u64, Option<i32>)> {
        let clocks = self.experiment().clocks();
        let asked = self.experiment().streams().iter().filter_map(|stream| {
            let (time, signal) = stream.asked_to_end()?;
            Some((clocks.to_reference(stream.thread(), time), signal))
        });
        asked.min_by_key(|(time, _)| *time)
    }

    /// The definition of a site of `thread`.
    pub(crate) fn site(&self, thread: ThreadId, site: SiteId) -> &'t Site {
        static UNDEFINED: Site = Site {
            operation: Operation::Function,
            file: String::new(),
            line: 0,
            name: String::new(),
        };
        // The reader has checked that the sites of events are defined.
        let stream = self
            .threads
            .get(thread as usize)
            .and_then(|index| index.stream);
        let sites = stream.map_or(&[][..], Stream::sites);
        sites.get(site.0 as usize).unwrap_or(&UNDEFINED)
    }

    pub(crate) fn index(&self, thread: ThreadId) -> Result<&Arc<ThreadIndex<'t>>, AccessError> {
        self.threads
            .get(thread as usize)
            .ok_or(AccessError::NoSuchThread {
                thread,
                last: (self.threads.len() as ThreadId).saturating_sub(1),
            })
    }

    fn pages(&self) -> MutexGuard<'_, Pages<'t>> {
        // An interrupted update has left out one page at most.
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn step(&self, id: EventId) -> Result<Step, AccessError> {
        let index = self.index(id.thread)?;
        let missing = || AccessError::NoSuchEvent {
            event: id,
            events: index.events(),
        };
        if id.number >= index.events() {
            return Err(missing());
        }
        let (page, place) = self.pages().page(index, id.number)?;
        page.steps.get(place).copied().ok_or_else(missing)
    }

    /// Makes an event of a step; `lock` is the one that the operation is about.
    pub(crate) fn typed(&self, thread: ThreadId, step: &Step, lock: Option<u64>) -> TypedEvent<'t> {
        let event_type = match (step.event.kind, lock) {
            (EventKind::Enter { .. }, Some(lock))
                if step.operation == Operation::Unlock && !step.inferred =>
            {
                EventType::LockReleased { lock }
            }
            (EventKind::Enter { attributes, .. }, _) => EventType::Enter { attributes },
            (EventKind::Exit { .. }, _) if step.interrupted => EventType::Exit,
            (EventKind::Exit { .. }, Some(lock)) if step.takes_lock() => {
                EventType::LockAcquired { lock }
            }
            (
                EventKind::Exit {
                    attributes: Attributes::LockAttempt { acquired: false },
                    ..
                },
                Some(lock),
            ) => EventType::LockRefused { lock },
            (
                EventKind::Exit {
                    attributes:
                        Attributes::Collective {
                            root,
                            sent,
                            received,
                            sync_in,
                            sync_out,
                        },
                    ..
                },
                _,
            ) => EventType::CollectiveExit {
                root,
                sent,
                received,
                sync_in,
                sync_out,
            },
            (
                EventKind::Exit {
                    attributes:
                        Attributes::Message {
                            partner,
                            bytes,
                            group,
                        },
                    ..
                },
                _,
            ) => EventType::MessageExit {
                partner,
                bytes,
                group,
            },
            (
                EventKind::Exit {
                    attributes: Attributes::TaskLeft { reason },
                    ..
                },
                _,
            ) => EventType::TaskExit { reason },
            (
                EventKind::Exit {
                    attributes:
                        Attributes::Skipped {
                            barriers,
                            collectives,
                        },
                    ..
                },
                _,
            ) => EventType::RecordingResumed {
                barriers,
                collectives,
            },
            (EventKind::Exit { .. }, _) => EventType::Exit,
        };
        TypedEvent {
            id: EventId::new(thread, step.number),
            time: step.event.time,
            region: self.site(thread, step.site()),
            depth: step.depth,
            event_type,
            inferred: step.inferred,
            interrupted: step.interrupted,
        }
    }
}
