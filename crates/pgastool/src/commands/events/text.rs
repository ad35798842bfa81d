//! Events as lines for a person: time, thread, region (indented by depth), place in the source, and
//! what is known.

use std::collections::HashMap;
use std::io::{self, Write};

use pgas_base::models::Words;
use pgas_earl::access::{EventTrace, EventType, Occurrence, States};
use pgas_report::printable;
use pgas_trace::model::{Address, Attributes, Operation, ThreadId};

use super::names::{list, lock_name, place};
use super::{Cut, Format, Stop, state, tasks};
use crate::experiment::times::Times;

/// Columns of the region with its indentation.
const REGION: usize = 34;
/// Columns of the place in the source.
const PLACE: usize = 20;
/// Deeper regions are not indented any further.
const DEEPEST: usize = 10;

pub struct Text {
    times: Times,
    thread_width: usize,
    has_title: bool,
    threads: usize,
    words: Words,
    /// Threads that have come to a barrier, by its number, until all have.
    arrived: HashMap<u64, usize>,
}

impl Text {
    pub fn new(times: Times, threads: usize, words: Words) -> Self {
        let highest = words.number(threads.saturating_sub(1) as u32);
        Text {
            times,
            thread_width: highest.to_string().len().max(words.one.len()),
            has_title: false,
            threads,
            words,
            arrived: HashMap::new(),
        }
    }

    fn title(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::replace(&mut self.has_title, true) {
            return Ok(());
        }
        writeln!(
            out,
            "{:>time$} {:>thread$}  {:<REGION$}  {:<PLACE$}  what is known",
            "seconds",
            self.words.one,
            "region (> entered, < left)",
            "source",
            time = self.times.width(),
            thread = self.thread_width
        )
    }

    fn front(&self, ticks: u64, thread: u32) -> String {
        format!(
            "{:>time$} {:>width$}  ",
            self.times.show(ticks),
            self.words.number(thread),
            time = self.times.width(),
            width = self.thread_width
        )
    }
}

impl<'t> Format<'t> for Text {
    fn states(
        &mut self,
        out: &mut dyn Write,
        trace: &EventTrace<'t>,
        states: &States<'t>,
        threads: &[bool],
        occasion: &str,
    ) -> Result<(), Stop> {
        state::write(
            out,
            trace,
            states,
            threads,
            self.times,
            occasion,
            &self.words,
        )
    }

    fn event(
        &mut self,
        out: &mut dyn Write,
        occurrence: &Occurrence<'t>,
        waiting: Option<&[ThreadId]>,
    ) -> io::Result<()> {
        self.title(out)?;
        let event = &occurrence.event;
        let sign = if event.event_type.is_enter() {
            '>'
        } else {
            '<'
        };
        let indentation = 2 * event.depth.min(DEEPEST);
        let name = printable(event.region.region_name(), true);
        let mut details = self.details(occurrence, waiting);
        if self.completes_barrier(occurrence) {
            details.push("the last to come".into());
        }
        let line = format!(
            "{}{:<REGION$}  {:<PLACE$}  {}",
            self.front(event.time, event.id.thread),
            format!("{:indentation$}{sign} {name}", ""),
            place(event.region),
            details.join(", ")
        );
        writeln!(out, "{}", line.trim_end())
    }

    fn cut(&mut self, out: &mut dyn Write, cut: &Cut<'t>) -> io::Result<()> {
        self.title(out)?;
        let open: Vec<String> = cut
            .open
            .iter()
            .map(|site| printable(site.region_name(), true))
            .collect();
        let place = match open.is_empty() {
            true => String::new(),
            false => format!(" inside {}", open.join(" > ")),
        };
        let front = self.front(cut.time, cut.thread);
        writeln!(
            out,
            "{front}-- the trace of {} ends here{place}",
            self.words.name(cut.thread)
        )
    }
}

impl Text {
    /// Whether it is the arrival of the last thread at a barrier, and all others have been seen to
    /// arrive.
    fn completes_barrier(&mut self, occurrence: &Occurrence) -> bool {
        let event = &occurrence.event;
        let arrives = matches!(event.operation(), Operation::Barrier | Operation::Notify);
        let Some(number) = occurrence.barrier.filter(|_| arrives) else {
            return false;
        };
        if !event.event_type.is_enter() || event.inferred || self.threads < 2 {
            return false;
        }
        let count = self.arrived.entry(number).or_insert(0);
        *count += 1;
        let is_complete = *count == self.threads;
        if is_complete {
            self.arrived.remove(&number);
        }
        is_complete
    }

    fn details(&self, occurrence: &Occurrence, waiting: Option<&[ThreadId]>) -> Vec<String> {
        let event = &occurrence.event;
        let mut details = Vec::new();
        if let Some(number) = occurrence.barrier {
            details.push(format!("barrier {number}"));
        }
        if let Some(number) = occurrence.collective {
            details.push(format!("collective {number}"));
        }
        if let Some((_, begin)) = occurrence.enter {
            let ticks = event.time.saturating_sub(begin);
            details.push(self.times.length(ticks));
        }
        match event.event_type {
            EventType::Enter { attributes } => {
                details.extend(call(event.region.operation, &attributes, &self.words));
            }
            EventType::Exit => {}
            EventType::CollectiveExit {
                root,
                sent,
                received,
                sync_in,
                sync_out,
            } => {
                details.extend(root.map(|root| format!("root {}", self.words.number(root))));
                details.push(format!("sent {sent}, received {received} bytes"));
                details.push(format!("IN_{} OUT_{}", sync_in.name(), sync_out.name()));
            }
            EventType::MessageExit { partner, bytes, .. } => {
                details.push(format!(
                    "{bytes} bytes from {}",
                    named(partner, &self.words)
                ));
            }
            EventType::TaskExit { reason } => details.push(reason.name().into()),
            EventType::RecordingResumed {
                barriers,
                collectives,
            } => details.push(format!(
                "recording was off: {barriers} barriers and {collectives} collective operations \
                 are not in the trace"
            )),
            EventType::LockAcquired { lock } => {
                let from = occurrence.lock_pointer.map(|event| event.thread);
                let from = from.map_or(String::new(), |thread| {
                    format!(" from {}", self.words.name(thread))
                });
                details.push(format!("takes {}{from}", lock_name(lock)));
            }
            EventType::LockRefused { lock } => {
                details.push(format!("does not get {}", lock_name(lock)));
            }
            EventType::LockReleased { lock } => {
                details.push(format!("gives {} back", lock_name(lock)));
                if let Some(waiting) = waiting.filter(|waiting| !waiting.is_empty()) {
                    details.push(format!("waiting: {}", list(waiting, &self.words)));
                }
            }
        }
        if let Some(owner) = occurrence.owner {
            let since = self.times.show(owner.since);
            details.push(format!(
                "{} has it since {since}",
                self.words.name(owner.thread)
            ));
        }
        if event.interrupted {
            details.push(format!(
                "never left: the {} was ended in it",
                self.words.one
            ));
        }
        if event.inferred {
            details.push("not recorded: events are missing here".into());
        }
        details
    }
}

/// A call of a message. Of one that receives, the size of the buffer is known.
fn message(operation: Operation, partner: ThreadId, bytes: u64, words: &Words) -> String {
    match (operation, partner) {
        (Operation::Receive, ThreadId::MAX) => {
            format!("up to {bytes} bytes from any {}", words.one)
        }
        (Operation::Receive, partner) => {
            format!("up to {bytes} bytes from {}", words.number(partner))
        }
        (_, partner) => format!("{bytes} bytes to {}", named(partner, words)),
    }
}

/// The other thread of a message. Processes that were created later are no threads of the program.
fn named(partner: ThreadId, words: &Words) -> String {
    match partner {
        ThreadId::MAX => format!("a process that is no {} here", words.one),
        partner => words.number(partner).to_string(),
    }
}

/// Attributes that the call of an operation states; `None` if it states none.
fn call(operation: Operation, attributes: &Attributes, words: &Words) -> Option<String> {
    use Operation::*;
    Some(match *attributes {
        Attributes::Barrier { value } => format!("value {}", value?),
        Attributes::Transfer {
            partner,
            bytes,
            address,
        } => {
            let direction = match operation {
                Get | RemoteGet | Memget | NonBlockingGet => "from",
                FlagWait | SignalWait => "on",
                _ => "to",
            };
            format!(
                "{bytes} bytes {direction} {}",
                side(partner, address, words)
            )
        }
        Attributes::Copy {
            source,
            destination,
            bytes,
            source_address,
            destination_address,
        } => format!(
            "{bytes} bytes from {} to {}",
            side(source, source_address, words),
            side(destination, destination_address, words)
        ),
        Attributes::Allocation { bytes } => format!("{bytes} bytes"),
        Attributes::Lock { lock } => lock_name(lock),
        Attributes::Object { object, units } => format!("{units} of object {object:#x}"),
        Attributes::Group {
            group,
            members,
            root,
            ..
        } => {
            let root = root.map_or(String::new(), |root| {
                format!(", root {}", words.number(root))
            });
            format!("group {group:#x} of {members}{root}")
        }
        Attributes::Message { partner, bytes, .. } => message(operation, partner, bytes, words),
        Attributes::Exit { status } => format!("status {status}"),
        Attributes::None if operation == Send => format!("to no {}", words.one),
        Attributes::None if operation == Receive => format!("from no {}", words.one),
        Attributes::None
        | Attributes::LockAttempt { .. }
        | Attributes::Collective { .. }
        | Attributes::Skipped { .. }
        | Attributes::TaskLeft { .. } => return None,
        Attributes::Task { .. }
        | Attributes::TaskCreate { .. }
        | Attributes::ChannelCreate { .. }
        | Attributes::ChannelMessage { .. }
        | Attributes::Channel { .. }
        | Attributes::SelectWait { .. } => return tasks::call(operation, attributes, words),
    })
}

/// "thread 3", with the address there if it is known.
fn side(thread: ThreadId, address: Option<Address>, words: &Words) -> String {
    let address = address.map_or(String::new(), |address| format!(" addr {address}"));
    format!("{}{address}", words.name(thread))
}
