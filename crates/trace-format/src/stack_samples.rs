//! Blocks of stack samples: where a thread computed, within and below the recorded regions. Call
//! paths of a block refer to sites and to earlier paths of the same block; modules hold for the
//! following blocks of the thread, too.

use crate::definitions::{expect_end, integer, push_string, string};
use crate::model::{Module, PathEntry, SampleClock, SiteId, StackSample, StackSamples};
use crate::{MAX_FRAMES, MAX_MODULES, MAX_PROFILE_ENTRIES, MAX_STACK_SAMPLES, Problem, varint};

/// Property: how many periods the thread was interrupted for.
pub const SAMPLE_PERIODS: &str = "sample_periods";
/// Property: why there are no samples any more from some moment on.
pub const SAMPLING_STOPPED: &str = "sampling_stopped";

/// Appends a payload. Times are relative to `samples.first_time`, which belongs into the block's
/// header.
pub fn push(payload: &mut Vec<u8>, samples: &StackSamples) {
    push_head(payload, samples);
    let mut before = Before {
        time: samples.first_time,
        frames: &[],
    };
    for sample in &samples.samples {
        varint::push(payload, sample.time.wrapping_sub(before.time));
        varint::push(payload, sample.weight);
        varint::push(payload, sample.path.map_or(0, |path| u64::from(path) + 1));
        let frames = &sample.frames[..sample.frames.len().min(MAX_FRAMES)];
        varint::push(payload, frames.len() as u64);
        for (depth, &address) in frames.iter().enumerate() {
            let difference = address.wrapping_sub(before.frame(depth));
            varint::push(payload, varint::zigzag(difference as i64));
        }
        before = Before {
            time: sample.time,
            frames,
        };
    }
}

fn push_head(payload: &mut Vec<u8>, samples: &StackSamples) {
    varint::push(payload, samples.period_nanoseconds);
    varint::push(payload, u64::from(samples.clock.number()));
    varint::push(payload, samples.lost);
    varint::push(payload, samples.within_recorder);
    varint::push(payload, samples.modules.len() as u64);
    for module in &samples.modules {
        for value in [module.start, module.end, module.bias] {
            varint::push(payload, value);
        }
        push_string(payload, module.build_id.as_bytes());
        push_string(payload, module.path.as_bytes());
    }
    varint::push(payload, samples.paths.len() as u64);
    for entry in &samples.paths {
        varint::push(
            payload,
            entry.parent.map_or(0, |index| u64::from(index) + 1),
        );
        varint::push(payload, u64::from(entry.site.0));
    }
}

/// The sample before, which the next one is told by.
struct Before<'a> {
    time: u64,
    frames: &'a [u64],
}

impl Before<'_> {
    /// The address at the same depth; 0 where there is none.
    fn frame(&self, depth: usize) -> u64 {
        self.frames.get(depth).copied().unwrap_or(0)
    }
}

/// Reads the payload of a block of stack samples. `span` is the first and last time of the block's
/// header; `sites` is the number of sites.
///
/// # Errors
/// A [`Problem`] with the offset in `payload`.
pub fn read(
    payload: &[u8],
    entries: u32,
    span: (u64, u64),
    sites: u32,
) -> Result<StackSamples, Problem> {
    at_most(u64::from(entries), MAX_STACK_SAMPLES, "samples", 0)?;
    let mut reader = Reader { payload, at: 0 };
    let period_nanoseconds = reader.next()?;
    if period_nanoseconds == 0 {
        return Err(Problem::new(0, "a period of 0 ns", "at least 1"));
    }
    let (at, clock) = (reader.at, reader.next()?);
    let clock = u8::try_from(clock)
        .ok()
        .and_then(SampleClock::from_number)
        .ok_or_else(|| Problem::new(at, format!("clock {clock}"), "0, 1 or 2"))?;
    let (lost, within_recorder) = (reader.next()?, reader.next()?);
    let modules = reader.count(MAX_MODULES, "modules")?;
    let modules = (0..modules)
        .map(|_| reader.module())
        .collect::<Result<Vec<Module>, Problem>>()?;
    let paths = reader.count(MAX_PROFILE_ENTRIES, "call paths")?;
    let paths = (0..paths)
        .map(|index| reader.path_entry(index, sites))
        .collect::<Result<Vec<PathEntry>, Problem>>()?;
    let mut samples: Vec<StackSample> = Vec::new();
    for _ in 0..entries {
        let before = samples.last().map_or(
            Before {
                time: span.0,
                frames: &[],
            },
            |sample| Before {
                time: sample.time,
                frames: &sample.frames,
            },
        );
        let sample = reader.sample(&before, paths.len() as u64, span.1)?;
        samples.push(sample);
    }
    expect_end(payload, reader.at)?;
    Ok(StackSamples {
        first_time: span.0,
        last_time: span.1,
        period_nanoseconds,
        clock,
        lost,
        within_recorder,
        modules,
        paths,
        samples,
    })
}

struct Reader<'a> {
    payload: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Result<u64, Problem> {
        let (value, after) = integer(self.payload, self.at)?;
        self.at = after;
        Ok(value)
    }

    fn string(&mut self) -> Result<String, Problem> {
        let (text, after) = string(self.payload, self.at)?;
        self.at = after;
        Ok(text)
    }

    fn count(&mut self, limit: usize, things: &str) -> Result<u32, Problem> {
        let at = self.at;
        let count = self.next()?;
        at_most(count, limit, things, at)?;
        Ok(count as u32)
    }

    fn module(&mut self) -> Result<Module, Problem> {
        let at = self.at;
        let (start, end, bias) = (self.next()?, self.next()?, self.next()?);
        if end <= start {
            let found = format!("a module from {start:#x} to {end:#x}");
            return Err(Problem::new(at, found, "an end after its start"));
        }
        Ok(Module {
            start,
            end,
            bias,
            build_id: self.string()?,
            path: self.string()?,
        })
    }

    fn path_entry(&mut self, index: u32, sites: u32) -> Result<PathEntry, Problem> {
        let at = self.at;
        let parent = match self.next()? {
            0 => None,
            number => Some(below(number - 1, index, "the caller's entry", at)?),
        };
        let site = SiteId(below(self.next()?, sites, "site", at)?);
        Ok(PathEntry { parent, site })
    }

    fn sample(
        &mut self,
        before: &Before<'_>,
        paths: u64,
        last_time: u64,
    ) -> Result<StackSample, Problem> {
        let at = self.at;
        let elapsed = self.next()?;
        let time = before
            .time
            .checked_add(elapsed)
            .filter(|&time| time <= last_time)
            .ok_or_else(|| {
                let found = format!("a sample {elapsed} ticks after {}", before.time);
                let expected = format!("none after {last_time}, the last time of the block");
                Problem::new(at, found, expected)
            })?;
        let (at, weight) = (self.at, self.next()?);
        if weight == 0 {
            return Err(Problem::new(at, "a sample of weight 0", "at least 1"));
        }
        let at = self.at;
        let path = match self.next()? {
            0 => None,
            number => Some(below(number - 1, paths as u32, "call path", at)?),
        };
        let count = self.count(MAX_FRAMES, "frames")?;
        let mut frames = Vec::with_capacity(count as usize);
        for depth in 0..count as usize {
            let difference = varint::unzigzag(self.next()?);
            frames.push(before.frame(depth).wrapping_add_signed(difference));
        }
        Ok(StackSample {
            time,
            weight,
            path,
            frames,
        })
    }
}

fn at_most(count: u64, limit: usize, things: &str, at: usize) -> Result<(), Problem> {
    if count <= limit as u64 {
        return Ok(());
    }
    let found = format!("{count} {things}");
    Err(Problem::new(at, found, format!("at most {limit}")))
}

fn below(value: u64, bound: u32, what: &str, at: usize) -> Result<u32, Problem> {
    u32::try_from(value)
        .ok()
        .filter(|&value| value < bound)
        .ok_or_else(|| {
            let found = format!("{what} {value}");
            Problem::new(at, found, format!("one below {bound}"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn some() -> StackSamples {
        StackSamples {
            first_time: 1000,
            last_time: 5000,
            period_nanoseconds: 1_000_000,
            clock: SampleClock::UserTime,
            lost: 3,
            within_recorder: 1 << 40,
            modules: vec![Module {
                start: 0x55_0000_0000,
                end: 0x55_0001_0000,
                bias: u64::MAX - 7,
                build_id: "0123abcd".into(),
                path: "/usr/lib/libm.so.6".into(),
            }],
            paths: vec![
                PathEntry {
                    parent: None,
                    site: SiteId(4),
                },
                PathEntry {
                    parent: Some(0),
                    site: SiteId(0),
                },
            ],
            samples: vec![
                StackSample {
                    time: 1000,
                    weight: 1,
                    path: Some(1),
                    frames: vec![0x55_0000_1234, 0x55_0000_0100],
                },
                StackSample {
                    time: 5000,
                    weight: 1 << 33,
                    path: None,
                    frames: vec![u64::MAX, 0, 7],
                },
            ],
        }
    }

    fn payload(samples: &StackSamples) -> Vec<u8> {
        let mut bytes = Vec::new();
        push(&mut bytes, samples);
        bytes
    }

    fn read_back(samples: &StackSamples, sites: u32) -> Result<StackSamples, Problem> {
        let span = (samples.first_time, samples.last_time);
        let entries = samples.samples.len() as u32;
        read(&payload(samples), entries, span, sites)
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(read_back(&some(), 5).unwrap(), some());
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = |change: fn(&mut StackSamples), why: &str| {
            let mut samples = some();
            change(&mut samples);
            assert!(read_back(&samples, 5).is_err(), "{why}");
        };
        refused(|s| s.paths[1].site = SiteId(5), "site");
        refused(|s| s.paths[1].parent = Some(1), "its own caller");
        refused(|s| s.samples[0].path = Some(2), "path");
        refused(|s| s.samples[0].weight = 0, "weight");
        refused(|s| s.samples[1].time = 5001, "after the block's time");
        refused(|s| s.period_nanoseconds = 0, "period");
        refused(|s| s.modules[0].end = s.modules[0].start, "empty module");
        let bytes = payload(&some());
        assert!(read(&bytes, 1, (1000, 5000), 5).is_err(), "too long");
        assert!(read(&bytes, 3, (1000, 5000), 5).is_err(), "too short");
        let mut head = some();
        head.samples.clear();
        let mut deep = payload(&head);
        for value in [0, 1, 0, MAX_FRAMES as u64 + 1] {
            varint::push(&mut deep, value);
        }
        deep.resize(deep.len() + MAX_FRAMES + 1, 1);
        assert!(read(&deep, 1, (1000, 5000), 5).is_err(), "frames");
    }

    proptest! {
        #[test]
        fn samples_are_read_as_written(
            all in proptest::collection::vec(
                (any::<u32>(), 1_u64..1000, proptest::option::of(0_u32..2),
                 proptest::collection::vec(any::<u64>(), 0..=MAX_FRAMES)),
                0..20,
            ),
        ) {
            let mut samples = some();
            let mut time = samples.first_time;
            samples.samples = all
                .into_iter()
                .map(|(elapsed, weight, path, frames)| {
                    time += u64::from(elapsed);
                    StackSample { time, weight, path, frames }
                })
                .collect();
            samples.last_time = time;
            prop_assert_eq!(read_back(&samples, 5).unwrap(), samples);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes, 3, (0, u64::MAX), 5);
        }
    }
}
