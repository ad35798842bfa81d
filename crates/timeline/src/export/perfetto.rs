//! Events as a Perfetto trace (protobuf TrackEvents): a track for each thread with a slice for each
//! function and operation, arrows from who was waited for to who waited, counters of bytes in
//! flight and of threads in synchronisation, and samples of where threads computed. Tasks have
//! tracks of their own, messages are arrows, and queues of channels counters.
//!
//! The schema is that of <https://perfetto.dev/docs/reference/trace-packet-proto>. Everything is written while events are
//! read in the order of time; each thread is a packet sequence with its own interned strings.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use pgas_earl::access::{EventTrace, EventType, History, Occurrence};
use pgas_symbols::Symbols;
use pgas_trace::model::{Attributes, Operation, Site, StackSample, StackSamples, ThreadId};
use pgas_trace::models::Words;
use prost::Message;

use super::arguments::{Value, arguments, bytes, category, message, synchronises};
use super::arrows::{Arrows, Release};
use super::output::{self, WriteError};
use super::proto::*;
use super::stacks::{self, Stacks};
use super::task_tracks::{Mark, TaskTracks};
use crate::error::Error;

/// Part of a trace to export, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// First tick of the stretch.
    pub begin: u64,
    /// End of the stretch (exclusive); the largest number for all.
    pub end: u64,
}

impl Stretch {
    /// The whole trace.
    pub const ALL: Stretch = Stretch {
        begin: 0,
        end: u64::MAX,
    };
}

/// How large a file will be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// Events of all threads in the stretch, of which two make a slice.
    pub events: u64,
    /// Samples of all threads in the stretch, and in what is recorded together with them.
    pub samples: u64,
    /// Bytes of the file, roughly; not compressed.
    pub bytes: u64,
}

impl Estimate {
    /// Number of slices: calls of functions and operations of all threads.
    pub fn slices(&self) -> u64 {
        self.events.div_ceil(2)
    }
}

/// Bytes that an event takes in the file, with its part of counters and arrows: measured on kernels
/// that transfer much.
const BYTES_PER_EVENT: u64 = 45;
/// Bytes that a sample takes, with its part of interned stacks: 30 where these are few.
const BYTES_PER_SAMPLE: u64 = 45;

/// How large the file of a stretch will be. Decodes a page of each thread at most twice.
///
/// # Errors
/// [`Error::Access`] if a block is damaged.
pub fn estimate(trace: &EventTrace, stretch: Stretch) -> Result<Estimate, Error> {
    let mut events = 0;
    for thread in 0..trace.threads() as ThreadId {
        let end = match stretch.end {
            u64::MAX => trace.events_of(thread)?,
            end => trace.position_at(thread, end)?,
        };
        events += end.saturating_sub(trace.position_at(thread, stretch.begin)?);
    }
    let streams = trace.experiment().streams().iter();
    let samples = streams
        .map(|stream| stream.stack_samples_about(stretch.begin, stretch.end))
        .sum();
    let bytes = [(events, BYTES_PER_EVENT), (samples, BYTES_PER_SAMPLE)];
    let bytes = bytes.map(|(number, each)| number.saturating_mul(each));
    Ok(Estimate {
        events,
        samples,
        bytes: bytes[0].saturating_add(bytes[1]),
    })
}

/// Numbers of slices, arrows and interrupted operations of an export.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Slices of all threads: calls of functions and operations.
    pub slices: u64,
    /// Arrows from the thread that was waited for to the one that waited.
    pub arrows: u64,
    /// Ends of operations that were not written: the threads had been ended in the midst of them.
    pub interrupted: u64,
    /// Samples of stacks.
    pub samples: u64,
}

/// Writes the events of a stretch to `path`, compressed if that ends in `.gz`. `progress` receives
/// the share that is done.
///
/// Regions that were entered before the stretch begin with it. Those that were never left have no
/// end. Samples have the names that `symbols` knows.
///
/// # Errors
/// [`Error::Access`] if a block is damaged; [`Error::Io`].
pub fn write(
    trace: &EventTrace,
    stretch: Stretch,
    path: &Path,
    symbols: &Symbols,
    progress: &dyn Fn(f64),
) -> Result<Written, Error> {
    let events = estimate(trace, stretch)?.events.max(1) as f64;
    output::write(path, |out| {
        let mut writer = Writer::new(trace, stretch, out);
        writer.tracks()?;
        let all = vec![true; trace.threads()];
        let replay = trace.replay(stretch.begin, stretch.end, &all, History::Read)?;
        for (done, occurrence) in replay.enumerate() {
            if done % 65_536 == 0 {
                progress(done as f64 / events);
            }
            writer.event(&occurrence?)?;
        }
        writer.finish()?;
        writer.samples(symbols)?;
        Ok(writer.written)
    })
}

/// Kinds of interned strings.
#[derive(Debug, Default)]
struct Interned {
    names: HashMap<String, u64>,
    categories: HashMap<&'static str, u64>,
    arguments: HashMap<&'static str, u64>,
    places: HashMap<(String, u32), u64>,
}

/// One thread.
#[derive(Debug, Default)]
struct Lane {
    words: Words,
    interned: Interned,
    /// Data interned since the last packet.
    fresh: InternedData,
    begun: bool,
    /// Slices that are open; of each the bytes that it moves, and whether it synchronises.
    open: Vec<(u64, bool)>,
    interrupted_after: u64,
}

struct Writer<'a, 't, 'o> {
    trace: &'a EventTrace<'t>,
    stretch: Stretch,
    out: &'o mut dyn Write,
    lanes: Vec<Lane>,
    arrows: Arrows,
    task_tracks: TaskTracks,
    flows: u64,
    /// Arrows of messages under way, by channel and number of the message.
    under_way: HashMap<(u64, u64), u64>,
    bytes_in_flight: u64,
    synchronising: u64,
    buffer: Vec<u8>,
    written: Written,
}

const PROCESS: u64 = 1;
const BYTES: u64 = 2;
const SYNCHRONISING: u64 = 3;
/// Tracks that have those of tasks and of queues below them.
const TASKS: u64 = 4;
const QUEUES: u64 = 5;
/// Tracks of the first task and of the first channel.
const FIRST_TASK: u64 = 1 << 40;
const FIRST_CHANNEL: u64 = 1 << 41;
/// Track of thread 0.
const THREADS: u64 = 16;
/// Sequence of the counters; that of thread 0 is the next one.
const COUNTERS: u32 = 1;
/// Any number: there is one process.
const PID: i32 = 1;

impl<'a, 't, 'o> Writer<'a, 't, 'o> {
    fn new(trace: &'a EventTrace<'t>, stretch: Stretch, out: &'o mut dyn Write) -> Self {
        let threads = trace.threads();
        let words = trace.experiment().words();
        Writer {
            trace,
            stretch,
            out,
            lanes: (0..threads).map(|_| Lane::of(words)).collect(),
            arrows: Arrows::new(threads, trace.experiment().clocks().clone()),
            task_tracks: TaskTracks::default(),
            flows: 0,
            under_way: HashMap::new(),
            bytes_in_flight: 0,
            synchronising: 0,
            buffer: Vec::new(),
            written: Written::default(),
        }
    }

    /// Nanoseconds since the start of the run.
    fn nanoseconds(&self, ticks: u64) -> u64 {
        let seconds = self.trace.experiment().clock().seconds(ticks);
        // Conversion to integers saturates.
        (seconds * 1e9).round() as u64
    }

    fn packet(&mut self, packet: &TracePacket) -> Result<(), WriteError> {
        self.buffer.clear();
        // Field 1 of the trace, with a length.
        self.buffer.push(0x0a);
        if packet.encode_length_delimited(&mut self.buffer).is_err() {
            // A vector grows as needed.
            self.buffer.clear();
        }
        Ok(self.out.write_all(&self.buffer)?)
    }

    /// Describes the tracks, and begins the slices that are open at the beginning.
    fn tracks(&mut self) -> Result<(), WriteError> {
        let program = &self.trace.experiment().metadata().program;
        let program = program.rsplit('/').next().unwrap_or(program).to_owned();
        let process = ProcessDescriptor {
            pid: Some(PID),
            process_name: Some(program),
        };
        self.describe(TrackDescriptor {
            uuid: Some(PROCESS),
            process: Some(process),
            ..TrackDescriptor::default()
        })?;
        let words = self.trace.experiment().words();
        let synchronising = words.say("threads in synchronisation");
        let counters = [
            (BYTES, &"bytes in flight".to_owned(), UNIT_SIZE_BYTES),
            (SYNCHRONISING, &synchronising, UNIT_COUNT),
        ];
        for (uuid, name, unit) in counters {
            self.describe(TrackDescriptor {
                uuid: Some(uuid),
                name: Some(name.to_owned()),
                parent_uuid: Some(PROCESS),
                counter: Some(CounterDescriptor { unit: Some(unit) }),
                ..TrackDescriptor::default()
            })?;
        }
        for thread in 0..self.lanes.len() as ThreadId {
            self.describe(TrackDescriptor {
                uuid: Some(THREADS + u64::from(thread)),
                parent_uuid: Some(PROCESS),
                thread: Some(ThreadDescriptor {
                    pid: Some(PID),
                    // A thread whose number is that of the process would be its main thread.
                    tid: Some(i64::from(PID) + 1 + i64::from(thread)),
                    thread_name: Some(words.title(thread)),
                }),
                ..TrackDescriptor::default()
            })?;
            let events = self.trace.thread_events(thread, self.stretch.begin)?;
            let interrupted = events.interrupted_after();
            self.lanes[thread as usize].interrupted_after = interrupted.unwrap_or(u64::MAX);
            let open: Vec<_> = events.open().collect();
            for region in open {
                let Some(site) = events.sites().get(region.site.0 as usize) else {
                    continue;
                };
                let attributes = region.enter.map_or(Attributes::None, |(_, known)| known);
                self.begin(thread, self.stretch.begin, site, &attributes, Vec::new())?;
            }
        }
        Ok(())
    }

    fn describe(&mut self, descriptor: TrackDescriptor) -> Result<(), WriteError> {
        self.packet(&TracePacket {
            trusted_packet_sequence_id: Some(COUNTERS),
            track_descriptor: Some(descriptor),
            ..TracePacket::default()
        })
    }

    /// Writes an event on the track of a thread, with what it has interned.
    fn on_thread(
        &mut self,
        thread: ThreadId,
        ticks: u64,
        event: TrackEvent,
    ) -> Result<(), WriteError> {
        let timestamp = self.nanoseconds(ticks);
        let lane = &mut self.lanes[thread as usize];
        let fresh = std::mem::take(&mut lane.fresh);
        let begins = !std::mem::replace(&mut lane.begun, true);
        let track = TrackEventDefaults {
            track_uuid: Some(THREADS + u64::from(thread)),
        };
        self.packet(&TracePacket {
            timestamp: Some(timestamp),
            trusted_packet_sequence_id: Some(COUNTERS + 1 + thread),
            track_event: Some(event),
            interned_data: (fresh != InternedData::default()).then_some(fresh),
            sequence_flags: Some(match begins {
                true => INCREMENTAL_STATE_CLEARED | NEEDS_INCREMENTAL_STATE,
                false => NEEDS_INCREMENTAL_STATE,
            }),
            trace_packet_defaults: begins.then(|| TracePacketDefaults {
                track_event_defaults: Some(track),
                ..TracePacketDefaults::default()
            }),
            ..TracePacket::default()
        })
    }

    fn counter(&mut self, track: u64, ticks: u64, value: u64) -> Result<(), WriteError> {
        let timestamp = self.nanoseconds(ticks);
        self.packet(&TracePacket {
            timestamp: Some(timestamp),
            trusted_packet_sequence_id: Some(COUNTERS),
            track_event: Some(TrackEvent {
                r#type: Some(COUNTER),
                track_uuid: Some(track),
                counter_value: Some(i64::try_from(value).unwrap_or(i64::MAX)),
                ..TrackEvent::default()
            }),
            ..TracePacket::default()
        })
    }

    fn begin(
        &mut self,
        thread: ThreadId,
        ticks: u64,
        site: &Site,
        attributes: &Attributes,
        known: Vec<(&'static str, Value)>,
    ) -> Result<(), WriteError> {
        let lane = &mut self.lanes[thread as usize];
        let name = lane.name(site.region_name());
        let category = lane.category(category(site.operation));
        let place = lane.place(site);
        let arguments = arguments(site.operation, attributes)
            .into_iter()
            .chain(known);
        let annotations = arguments
            .map(|(name, value)| lane.argument(name, value))
            .collect();
        let moved = bytes(attributes);
        let synchronises = synchronises(site.operation);
        lane.open.push((moved, synchronises));
        let (sent, received) = self.message_arrow(site.operation, attributes);
        let event = TrackEvent {
            r#type: Some(SLICE_BEGIN),
            name_iid: Some(name),
            category_iids: vec![category],
            source_location_iid: place,
            debug_annotations: annotations,
            flow_ids: Vec::from_iter(sent),
            terminating_flow_ids: Vec::from_iter(received),
            ..TrackEvent::default()
        };
        self.written.slices += 1;
        self.on_thread(thread, ticks, event)?;
        if moved > 0 {
            self.bytes_in_flight = self.bytes_in_flight.saturating_add(moved);
            self.counter(BYTES, ticks, self.bytes_in_flight)?;
        }
        if synchronises {
            self.synchronising += 1;
            self.counter(SYNCHRONISING, ticks, self.synchronising)?;
        }
        Ok(())
    }

    fn end(
        &mut self,
        thread: ThreadId,
        ticks: u64,
        known: Vec<(&'static str, Value)>,
    ) -> Result<(), WriteError> {
        let lane = &mut self.lanes[thread as usize];
        let Some((moved, synchronised)) = lane.open.pop() else {
            return Ok(());
        };
        let known = known.into_iter();
        let annotations = known
            .map(|(name, value)| lane.argument(name, value))
            .collect();
        let event = TrackEvent {
            r#type: Some(SLICE_END),
            debug_annotations: annotations,
            ..TrackEvent::default()
        };
        self.on_thread(thread, ticks, event)?;
        if moved > 0 {
            self.bytes_in_flight = self.bytes_in_flight.saturating_sub(moved);
            self.counter(BYTES, ticks, self.bytes_in_flight)?;
        }
        if synchronised {
            self.synchronising = self.synchronising.saturating_sub(1);
            self.counter(SYNCHRONISING, ticks, self.synchronising)?;
        }
        Ok(())
    }

    /// The arrow that begins with a message that is sent, or ends with one that is received.
    fn message_arrow(
        &mut self,
        operation: Operation,
        attributes: &Attributes,
    ) -> (Option<u64>, Option<u64>) {
        let Attributes::ChannelMessage {
            channel, message, ..
        } = *attributes
        else {
            return (None, None);
        };
        if operation != Operation::ChannelSend {
            let known = self.under_way.remove(&(channel, message));
            self.written.arrows += u64::from(known.is_some());
            return (None, known);
        }
        self.flows += 1;
        self.under_way.insert((channel, message), self.flows);
        (Some(self.flows), None)
    }

    /// Writes what an event changes on the tracks of tasks and queues.
    fn mark(&mut self, ticks: u64, mark: Mark) -> Result<(), WriteError> {
        match mark {
            Mark::Task { track, name } => {
                self.describe_below(TASKS, "tasks", FIRST_TASK, track, name, None)
            }
            Mark::Channel { track, name } => {
                let unit = CounterDescriptor {
                    unit: Some(UNIT_COUNT),
                };
                self.describe_below(QUEUES, "channels", FIRST_CHANNEL, track, name, Some(unit))
            }
            Mark::Begin { track, state } => self.on_task(track, ticks, Some(state)),
            Mark::End { track } => self.on_task(track, ticks, None),
            Mark::Queued { track, messages } => {
                self.counter(FIRST_CHANNEL + track as u64, ticks, messages)
            }
        }
    }

    /// Describes a track below a common one, which is described with the first of them.
    fn describe_below(
        &mut self,
        common: u64,
        common_name: &str,
        first: u64,
        track: usize,
        name: String,
        counter: Option<CounterDescriptor>,
    ) -> Result<(), WriteError> {
        if track == 0 {
            self.describe(TrackDescriptor {
                uuid: Some(common),
                name: Some(common_name.to_owned()),
                parent_uuid: Some(PROCESS),
                ..TrackDescriptor::default()
            })?;
        }
        self.describe(TrackDescriptor {
            uuid: Some(first + track as u64),
            name: Some(name),
            parent_uuid: Some(common),
            counter,
            ..TrackDescriptor::default()
        })
    }

    /// Begins a state of a task, or ends it.
    fn on_task(
        &mut self,
        track: usize,
        ticks: u64,
        begins: Option<&'static str>,
    ) -> Result<(), WriteError> {
        let timestamp = self.nanoseconds(ticks);
        self.packet(&TracePacket {
            timestamp: Some(timestamp),
            trusted_packet_sequence_id: Some(COUNTERS),
            track_event: Some(TrackEvent {
                r#type: Some(begins.map_or(SLICE_END, |_| SLICE_BEGIN)),
                track_uuid: Some(FIRST_TASK + track as u64),
                name: begins.map(str::to_owned),
                ..TrackEvent::default()
            }),
            ..TracePacket::default()
        })
    }

    fn event(&mut self, occurrence: &Occurrence) -> Result<(), WriteError> {
        let event = &occurrence.event;
        let (thread, ticks) = (event.id.thread, event.time);
        if !event.event_type.is_enter() && ticks > self.lanes[thread as usize].interrupted_after {
            // It says that the thread was still there.
            self.written.interrupted += 1;
            return Ok(());
        }
        let numbers = [
            ("barrier", occurrence.barrier),
            ("collective", occurrence.collective),
        ];
        let numbers = numbers.into_iter();
        let mut known: Vec<(&'static str, Value)> = numbers
            .filter_map(|(name, number)| Some((name, Value::Unsigned(number?))))
            .collect();
        match event.event_type {
            EventType::Enter { attributes } => {
                self.begin(thread, ticks, event.region, &attributes, known)?;
            }
            EventType::LockReleased { lock } => {
                let attributes = Attributes::Lock { lock };
                self.begin(thread, ticks, event.region, &attributes, known)?;
            }
            EventType::CollectiveExit {
                root,
                sent,
                received,
                sync_in,
                sync_out,
            } => {
                known.clear();
                known.extend(root.map(|root| ("root", Value::Unsigned(root.into()))));
                known.push(("sent", Value::Unsigned(sent)));
                known.push(("received", Value::Unsigned(received)));
                known.push(("in", Value::Text(format!("UPC_IN_{}", sync_in.name()))));
                known.push(("out", Value::Text(format!("UPC_OUT_{}", sync_out.name()))));
                self.end(thread, ticks, known)?;
            }
            EventType::MessageExit {
                partner,
                bytes,
                group,
            } => self.end(thread, ticks, message(partner, bytes, group))?,
            EventType::TaskExit { reason } => {
                known.clear();
                known.push(("reason", Value::Text(reason.name().to_owned())));
                self.end(thread, ticks, known)?;
            }
            _ => self.end(thread, ticks, Vec::new())?,
        }
        for mark in self.task_tracks.take(occurrence) {
            self.mark(ticks, mark)?;
        }
        for release in self.arrows.take(occurrence) {
            self.arrow(&release)?;
        }
        Ok(())
    }

    /// Viewers sort packets by time, so that samples need not be among the events.
    fn samples(&mut self, symbols: &Symbols) -> Result<(), WriteError> {
        let trace = self.trace;
        for (thread, stream) in (0..).zip(trace.experiment().streams()) {
            let mut stacks = Stacks::new(symbols, stream.sites());
            let mut nanoseconds = 0_u64;
            for block in stream.stack_samples() {
                let block = block?;
                stacks.enter(&block);
                for sample in &block.samples {
                    let counted = sample.weight.saturating_mul(block.period_nanoseconds);
                    nanoseconds = nanoseconds.saturating_add(counted);
                    if (self.stretch.begin..self.stretch.end).contains(&sample.time) {
                        self.sample(thread, &mut stacks, &block, sample, nanoseconds)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// `nanoseconds`: what this sample and all of the thread before it stand for. Perfetto's counters
    /// of samples add up.
    fn sample(
        &mut self,
        thread: ThreadId,
        stacks: &mut Stacks,
        block: &StackSamples,
        sample: &StackSample,
        nanoseconds: u64,
    ) -> Result<(), WriteError> {
        let stack = stacks.stack(block, sample);
        let (fresh, begins) = stacks.take_fresh();
        let timestamp = self.nanoseconds(sample.time);
        self.written.samples += 1;
        self.packet(&TracePacket {
            timestamp: Some(timestamp),
            trusted_packet_sequence_id: Some(COUNTERS + 1 + self.lanes.len() as u32 + thread),
            interned_data: (fresh != InternedData::default()).then_some(fresh),
            sequence_flags: Some(match begins {
                true => INCREMENTAL_STATE_CLEARED | NEEDS_INCREMENTAL_STATE,
                false => NEEDS_INCREMENTAL_STATE,
            }),
            trace_packet_defaults: begins.then(|| TracePacketDefaults {
                perf_sample_defaults: Some(stacks::defaults(block)),
                ..TracePacketDefaults::default()
            }),
            perf_sample: Some(PerfSample {
                pid: Some(PID as u32),
                tid: Some(PID as u32 + 1 + thread),
                callstack_iid: Some(stack),
                cpu_mode: Some(MODE_USER),
                timebase_count: Some(nanoseconds),
            }),
            ..TracePacket::default()
        })
    }

    /// An arrow between two moments: that at which one thread came, and that at which the other
    /// one's wait was over.
    fn arrow(&mut self, release: &Release) -> Result<(), WriteError> {
        let is_inside = (self.stretch.begin..self.stretch.end).contains(&release.time);
        if !is_inside || release.waiting == release.waited_for {
            return Ok(());
        }
        self.flows += 1;
        self.written.arrows += 1;
        let flow = self.flows;
        let nanoseconds = self.trace.experiment().clock().duration(release.ticks) * 1e9;
        let ends = [
            (release.waited_for, "is waited for", true),
            (release.waiting, "waited until here", false),
        ];
        for (thread, name, is_begin) in ends {
            let lane = &mut self.lanes[thread as usize];
            let other = match is_begin {
                true => ("waiting thread", release.waiting),
                false => ("waited for thread", release.waited_for),
            };
            let known = [
                ("wait state", Value::Text(release.metric.to_owned())),
                (
                    "nanoseconds waited",
                    Value::Unsigned(nanoseconds.round() as u64),
                ),
                (other.0, Value::Thread(other.1)),
            ];
            let name = lane.name(name);
            let category = lane.category("wait");
            let known = known.into_iter();
            let event = TrackEvent {
                r#type: Some(INSTANT),
                name_iid: Some(name),
                category_iids: vec![category],
                debug_annotations: known
                    .map(|(name, value)| lane.argument(name, value))
                    .collect(),
                flow_ids: Vec::from_iter(is_begin.then_some(flow)),
                terminating_flow_ids: Vec::from_iter((!is_begin).then_some(flow)),
                ..TrackEvent::default()
            };
            self.on_thread(thread, release.time, event)?;
        }
        Ok(())
    }

    /// Ends what goes on at the end of a stretch; at the end of the trace it never ended.
    fn finish(&mut self) -> Result<(), WriteError> {
        for thread in 0..self.lanes.len() as ThreadId {
            let next = self
                .trace
                .thread_events(thread, self.stretch.end)?
                .next_time()?;
            let goes_on = self.stretch.end != u64::MAX && next.is_some();
            while goes_on && !self.lanes[thread as usize].open.is_empty() {
                self.end(thread, self.stretch.end, Vec::new())?;
            }
        }
        Ok(())
    }
}

impl Lane {
    fn of(words: Words) -> Self {
        Lane {
            words,
            ..Lane::default()
        }
    }

    fn name(&mut self, name: &str) -> u64 {
        if let Some(&known) = self.interned.names.get(name) {
            return known;
        }
        let iid = self.interned.names.len() as u64 + 1;
        self.interned.names.insert(name.to_owned(), iid);
        self.fresh.event_names.push(interned(iid, name));
        iid
    }

    fn category(&mut self, name: &'static str) -> u64 {
        let next = self.interned.categories.len() as u64 + 1;
        let iid = *self.interned.categories.entry(name).or_insert(next);
        if iid == next {
            self.fresh.event_categories.push(interned(iid, name));
        }
        iid
    }

    fn place(&mut self, site: &Site) -> Option<u64> {
        if site.file.is_empty() {
            return None;
        }
        let place = (site.file.clone(), site.line);
        let next = self.interned.places.len() as u64 + 1;
        let iid = *self.interned.places.entry(place).or_insert(next);
        if iid == next {
            self.fresh.source_locations.push(SourceLocation {
                iid: Some(iid),
                file_name: Some(site.file.clone()),
                line_number: (site.line > 0).then_some(site.line),
            });
        }
        Some(iid)
    }

    fn argument(&mut self, name: &'static str, value: Value) -> DebugAnnotation {
        let next = self.interned.arguments.len() as u64 + 1;
        let iid = *self.interned.arguments.entry(name).or_insert(next);
        if iid == next {
            let name = self.words.say(name);
            self.fresh.debug_annotation_names.push(interned(iid, &name));
        }
        let mut annotation = DebugAnnotation {
            name_iid: Some(iid),
            ..DebugAnnotation::default()
        };
        match value {
            Value::Unsigned(value) => annotation.uint_value = Some(value),
            Value::Thread(thread) => {
                annotation.uint_value = Some(self.words.number(thread).into());
            }
            Value::Signed(value) => annotation.int_value = Some(value),
            Value::Text(value) => annotation.string_value = Some(value),
        }
        annotation
    }
}
