//! The streams of the experiment that is made, and its clock.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pgas_trace::format::header::FileHeader;
use pgas_trace::names;
use pgas_trace::names::STREAMS;
use pgas_trace::writer::{CompressionLevel, StreamOptions, StreamWriter};
use pgas_trace::{CalibrationPair, ClockKind};

use crate::error::Error;
use crate::notes::ExperimentNote;

/// Memory for the blocks of all threads together, in bytes, as far as blocks stay large enough to
/// compress well.
const BLOCKS: usize = 64 << 20;
/// Later times, in ticks since the first, are no times of a run: it would have lasted for decades.
const LATEST: f64 = (1_u64 << 62) as f64;

/// From seconds to ticks.
#[derive(Debug, Clone, Copy)]
pub struct Ticks {
    kind: ClockKind,
    first: u64,
    seconds_per_tick: f64,
    /// Readings that are far enough apart to say the length of a tick.
    second: Option<CalibrationPair>,
}

impl Ticks {
    /// The clock of the experiment that a file was written from; nanoseconds for a foreign file.
    pub fn of(note: Option<&ExperimentNote>) -> Self {
        let nanoseconds = Ticks {
            kind: ClockKind::Nanoseconds,
            first: note.map_or(0, |note| note.first_tick),
            seconds_per_tick: 1e-9,
            second: None,
        };
        let Some(note) = note else {
            return nanoseconds;
        };
        let counter = ClockKind::TimeStampCounter;
        let second = ClockKind::from_number(note.clock)
            .filter(|&kind| kind == counter)
            .and_then(|_| second_reading(note.first_tick, note.seconds_per_tick));
        match second {
            None => nanoseconds,
            second => Ticks {
                kind: counter,
                seconds_per_tick: note.seconds_per_tick,
                second,
                ..nanoseconds
            },
        }
    }

    /// The tick at a time; `None` if it is beyond what ticks can say.
    pub fn at(&self, seconds: f64) -> Option<u64> {
        let since = (seconds / self.seconds_per_tick).round();
        if !(0.0..=LATEST).contains(&since) {
            return None;
        }
        self.first.checked_add(since as u64)
    }
}

/// A reading of the clock after the tick `first`, read at nanosecond 0, for which dividing gives
/// exactly `seconds_per_tick` again. There is one, as a double is a whole number times a power of
/// two.
fn second_reading(first: u64, seconds_per_tick: f64) -> Option<CalibrationPair> {
    let near = 1e-9 / seconds_per_tick;
    let candidates = (0..8).flat_map(|ulps| {
        let bits = near.to_bits();
        [f64::from_bits(bits + ulps), f64::from_bits(bits - ulps)]
    });
    let mut candidates = candidates.filter(|&rate| 1e-9 / rate == seconds_per_tick);
    // If there is none, the length did not come from a clock of ours; the nearest is right to the
    // last bit but one.
    let rate = candidates.next().unwrap_or(near);
    let exponent =
        (10..=62).find(|&exponent| (rate * (1_u64 << exponent) as f64).fract() == 0.0)?;
    let nanoseconds = 1_u64 << exponent;
    let ticks = first.checked_add((rate * nanoseconds as f64) as u64)?;
    Some(CalibrationPair { ticks, nanoseconds })
}

/// Begins the stream of a thread, with room for the blocks of `threads` of them.
pub fn begin(
    directory: &Path,
    thread: u32,
    threads: u32,
    ticks: &Ticks,
) -> Result<StreamWriter<AppendedFile>, Error> {
    let path = directory.join(STREAMS).join(names::of_thread(thread));
    let failed = |error| Error::io(&path, "create", error);
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .map_err(failed)?;
    let header = FileHeader {
        clock: ticks.kind,
        thread,
        threads,
        process: 0,
        start: CalibrationPair {
            ticks: ticks.first,
            nanoseconds: match ticks.kind {
                ClockKind::Nanoseconds => ticks.first,
                ClockKind::TimeStampCounter => 0,
            },
        },
        start_unix: 0,
    };
    let options = StreamOptions {
        block_size: (BLOCKS / threads.max(1) as usize).clamp(4 << 10, 1 << 20),
        compression: CompressionLevel::Zstd(1),
    };
    let out = AppendedFile { path: path.clone() };
    let mut writer = StreamWriter::new(out, header, options).map_err(failed)?;
    if let Some(second) = ticks.second {
        writer.calibrate(second);
    }
    Ok(writer)
}

/// A file that is open only while a block is written to it: there may be more threads than files
/// can be open.
#[derive(Debug)]
pub struct AppendedFile {
    path: PathBuf,
}

impl Write for AppendedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut file = OpenOptions::new().append(true).open(&self.path)?;
        file.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_trace::Clock;

    #[test]
    fn the_length_of_a_tick_comes_back_to_the_last_bit() {
        let mut rate = 0.0234_f64;
        while rate < 99.0 {
            let kind = ClockKind::TimeStampCounter;
            let original = 1e-9 / rate;
            let first = 1 << 60;
            let second = second_reading(first, original).unwrap();
            let start = CalibrationPair {
                ticks: first,
                nanoseconds: 0,
            };
            let clock = Clock::calibrate(kind, first, [start, second]);
            assert!(clock.is_calibrated());
            assert_eq!(clock.seconds_per_tick(), original, "rate {rate}");
            rate *= 1.000_123;
        }
    }
}
