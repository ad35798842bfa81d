//! Reads everything that a stream file says, through the interface that analyses use.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use pgas_trace::model::{ClockComparison, Event, EventKind, Profile, Site, StackSamples};
use pgas_trace::{Error, Experiment, Metadata, Stream, experiment};

/// Contents of one stream.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contents {
    pub thread: u32,
    pub complete: bool,
    pub sites: Vec<Site>,
    pub properties: Vec<(String, String)>,
    /// The events of each block that can be read, by times of the block.
    pub blocks: Vec<((u64, u64), Vec<Event>)>,
    /// All events, as far as they can be read, and whether that is to the end.
    pub events: (Vec<Event>, bool),
    pub profiles: Vec<Profile>,
    pub stack_samples: Vec<StackSamples>,
    pub comparisons: Vec<ClockComparison>,
    /// Whether every block could be read.
    pub whole: bool,
}

/// An experiment that this process writes its inputs into: in `$FUZZ_SCRATCH`, which should be in
/// memory.
fn directory() -> &'static PathBuf {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let parent = std::env::var_os("FUZZ_SCRATCH")
            .map_or_else(|| PathBuf::from("/dev/shm"), PathBuf::from);
        let path = parent.join(format!("pgas-fuzz-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        experiment::create(&path, &Metadata::new("fuzz", &[], 4)).expect("a scratch directory");
        path
    })
}

/// Opens a file of these bytes, and hands over its streams.
///
/// # Errors
/// Those of [`Experiment::open`].
pub fn open(bytes: &[u8]) -> Result<Experiment, Error> {
    let directory = directory();
    fs::write(directory.join("streams/thread-0000.pgt"), bytes)
        .expect("room in the scratch directory");
    Experiment::open(directory)
}

/// Reads a stream in every way that there is. Checks what holds for any stream that can be read at
/// all.
pub fn contents(stream: &Stream) -> Contents {
    let mut contents = Contents {
        thread: stream.thread(),
        complete: stream.complete(),
        sites: stream.sites().to_vec(),
        properties: stream.properties().to_vec(),
        comparisons: stream.clock_comparisons().to_vec(),
        ..Contents::default()
    };
    let (mut depth, mut time) = (0_u64, 0);
    contents.events.1 = true;
    for event in stream.events() {
        let Ok(event) = event else {
            contents.events.1 = false;
            break;
        };
        assert!(event.time >= time, "time runs backwards");
        time = event.time;
        match event.kind {
            EventKind::Enter { site, .. } => {
                stream.site(site);
                depth += 1;
            }
            EventKind::Exit { site, .. } => {
                stream.site(site);
                depth = depth.checked_sub(1).expect("an Enter for each Exit");
            }
        }
        contents.events.0.push(event);
    }
    for (index, info) in stream.blocks().iter().enumerate() {
        let events = stream
            .block_events(index)
            .and_then(|events| events.collect::<Result<Vec<Event>, Error>>());
        if let Ok(events) = events {
            assert_eq!(
                events.len(),
                info.events as usize,
                "events of block {index}"
            );
            for event in &events {
                assert!(
                    (info.first_time..=info.last_time).contains(&event.time),
                    "a time outside of its block"
                );
            }
            contents
                .blocks
                .push(((info.first_time, info.last_time), events));
        }
    }
    contents.whole = contents.events.1
        && contents.blocks.len() == stream.blocks().len()
        && stream.profiles().all(|profile| profile.is_ok())
        && stream.stack_samples().all(|samples| samples.is_ok());
    for profile in stream.profiles().flatten() {
        for (index, entry) in profile.entries.iter().enumerate() {
            assert!(
                entry.parent.is_none_or(|parent| (parent as usize) < index),
                "a caller after its callee"
            );
            assert!(
                entry.timed_calls <= entry.calls,
                "more timed calls than calls"
            );
            assert_eq!(entry.counters.len(), profile.counters.len(), "counters");
            stream.site(entry.site);
        }
        contents.profiles.push(profile);
    }
    for samples in stream.stack_samples().flatten() {
        for (index, entry) in samples.paths.iter().enumerate() {
            assert!(
                entry.parent.is_none_or(|parent| (parent as usize) < index),
                "a caller after its callee"
            );
            stream.site(entry.site);
        }
        for sample in &samples.samples {
            assert!(
                (samples.first_time..=samples.last_time).contains(&sample.time),
                "a sample outside of its block"
            );
            assert!(
                sample.path.is_none_or(|path| (path as usize) < samples.paths.len()),
                "a call path that is not there"
            );
            assert!(sample.weight > 0, "a sample that stands for nothing");
        }
        contents.stack_samples.push(samples);
    }
    // From the middle on it is the same.
    let middle = stream.blocks().len() / 2;
    if contents.whole && middle > 0 {
        let (_, events) = stream
            .events_from(middle)
            .expect("a block that can be read");
        let events: Vec<Event> = events
            .map(|event| event.expect("events of whole blocks"))
            .collect();
        assert!(
            contents.events.0.ends_with(&events),
            "other events from the middle on"
        );
    }
    stream.remarks();
    stream.profile_range();
    contents
}
