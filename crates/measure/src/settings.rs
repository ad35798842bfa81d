//! Settings of the recorder: the environment variable of each, the values that it takes, and their
//! one form. The command line refuses what the recorder would not understand, by the same parser
//! and in the same words.

use std::fmt;
use std::ops::RangeInclusive;

use pgas_trace_format::seal::CompressionLevel;

use crate::files::Files;

/// Where to write. Without it nothing is recorded.
pub const EXPERIMENT: &str = "PGAS_EXPERIMENT";
/// Of which run the streams are.
pub const RUN_ID: &str = "PGAS_RUN_ID";
/// The file with the rules of what is not recorded.
pub const FILTER: &str = "PGAS_FILTER";
/// Added to the name of that file: the list of the functions that it excludes by their addresses.
pub const FUNCTIONS_BESIDE_FILTER: &str = ".functions";

/// The file with definitions of metrics that live pages have.
pub const METRICS: &str = "PGAS_METRICS";
/// Added to the name of that file: the functions that its definitions name, by their addresses.
pub const METRIC_FUNCTIONS: &str = ".functions";

/// One setting.
#[derive(Debug, Clone, Copy)]
pub struct Setting<T> {
    /// The environment variable.
    pub variable: &'static str,
    parse: fn(&str) -> Option<T>,
    write: fn(&T) -> String,
    /// The values that it takes.
    expected: &'static str,
    /// Default of the recorder.
    pub(crate) otherwise: &'static str,
}

impl<T> Setting<T> {
    /// The value that `text` stands for.
    ///
    /// # Errors
    /// The expected form, if `text` stands for no value.
    pub fn read(&self, text: &str) -> Result<T, &'static str> {
        (self.parse)(text.trim()).ok_or(self.expected)
    }

    /// The same value in the form in which the tool passes it on.
    ///
    /// # Errors
    /// As [`Setting::read`].
    pub fn canonical(&self, text: &str) -> Result<String, String> {
        let value = self.read(text)?;
        Ok((self.write)(&value))
    }
}

/// Data that is kept of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Every event, except those of throttled places.
    Trace,
    /// Sums by call path.
    Profile,
}

impl Mode {
    /// The name by which a user chooses it.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Trace => "trace",
            Mode::Profile => "profile",
        }
    }
}

/// Whether the events of the run are kept, or only sums.
pub const MODE: Setting<Mode> = Setting {
    variable: "PGAS_MODE",
    parse: |text| {
        let mut modes = [Mode::Trace, Mode::Profile].into_iter();
        modes.find(|mode| mode.name() == text)
    },
    write: |mode| mode.name().to_owned(),
    expected: "expected trace or profile",
    otherwise: "writing a trace",
};

/// Whether other processes can see what threads do now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Live {
    /// They cannot.
    Off,
    /// Beside what is recorded.
    Beside,
    /// And nothing is recorded.
    Only,
}

/// Whether every thread has a page that others can read.
pub const LIVE: Setting<Live> = Setting {
    variable: "PGAS_LIVE",
    parse: |text| match text {
        "off" => Some(Live::Off),
        "beside" => Some(Live::Beside),
        "only" => Some(Live::Only),
        _ => None,
    },
    write: |live| {
        let name = match live {
            Live::Off => "off",
            Live::Beside => "beside",
            Live::Only => "only",
        };
        name.to_owned()
    },
    expected: "expected off, beside (beside what is recorded) or only (and nothing is recorded)",
    otherwise: "taking off",
};

/// Bytes of one of a thread's two buffers.
pub const BUFFER: Setting<u64> = Setting {
    variable: "PGAS_BUFFER",
    parse: |text| bytes(text).filter(|bytes| BUFFERS.contains(bytes)),
    write: u64::to_string,
    expected: "expected a size from 4K to 64M, such as 1M; without a unit, in bytes",
    otherwise: "taking 4M",
};
pub(crate) const DEFAULT_BUFFER: u64 = 4 << 20;
/// Bytes of the smallest buffer.
pub(crate) const SMALLEST_BUFFER: usize = 4096;
const BUFFERS: RangeInclusive<u64> = SMALLEST_BUFFER as u64..=64 << 20;

/// How blocks are compressed.
pub const COMPRESS: Setting<CompressionLevel> = Setting {
    variable: "PGAS_COMPRESS",
    parse: |text| {
        if text.eq_ignore_ascii_case("none") {
            return Some(CompressionLevel::None);
        }
        let level = text.parse().ok().filter(|level| LEVELS.contains(level))?;
        Some(CompressionLevel::Zstd(level))
    },
    write: |level| match level {
        CompressionLevel::None => "none".to_owned(),
        CompressionLevel::Zstd(level) => level.to_string(),
    },
    expected: "expected none or a level from 1 to 19",
    otherwise: "taking 1",
};
pub(crate) const DEFAULT_COMPRESSION: CompressionLevel = CompressionLevel::Zstd(1);
/// Levels of zstd that are quick enough to go beside a program.
const LEVELS: RangeInclusive<i32> = 1..=19;

/// When a place is throttled: its last `calls` calls on a thread took less than `microseconds` on
/// average.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Throttle {
    /// Number of last calls on a thread that are looked at.
    pub calls: u32,
    /// Bound of their mean time, in microseconds.
    pub microseconds: u32,
}

impl fmt::Display for Throttle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.calls, self.microseconds)
    }
}

/// `None`: every call is recorded.
pub const THROTTLE: Setting<Option<Throttle>> = Setting {
    variable: "PGAS_THROTTLE",
    parse: |text| {
        if text.eq_ignore_ascii_case("off") {
            return Some(None);
        }
        let (calls, microseconds) = text.split_once(',')?;
        let positive = |text: &str| text.trim().parse::<u32>().ok().filter(|&number| number > 0);
        Some(Some(Throttle {
            calls: positive(calls)?,
            microseconds: positive(microseconds)?,
        }))
    },
    write: |throttle| throttle.map_or_else(|| "off".to_owned(), |throttle| throttle.to_string()),
    expected: "expected a number of calls and microseconds, such as 100000,10, or off; both are \
               whole numbers from 1 to 4294967295",
    otherwise: "taking 100000,10",
};
pub(crate) const DEFAULT_THROTTLE: Throttle = Throttle {
    calls: 100_000,
    microseconds: 10,
};

/// Bytes that the streams of all threads together may have before the trace ends.
pub const TRACE_LIMIT: Setting<u64> = Setting {
    variable: "PGAS_TRACE_LIMIT",
    parse: |text| bytes(text).filter(|&bytes| bytes > 0),
    write: u64::to_string,
    expected: "expected a size, such as 500M or 2G; without a unit, in bytes",
    otherwise: "there is no limit then",
};

/// Whether threads of the program compress and write by themselves.
pub const SYNC_IO: Setting<bool> = Setting {
    otherwise: "a helper thread compresses and writes",
    ..switch("PGAS_SYNC_IO")
};

/// Whether transfers have addresses.
pub const ADDRESSES: Setting<bool> = Setting {
    otherwise: "addresses are not recorded",
    ..switch("PGAS_ADDRESSES")
};

/// Whether time in which a thread was ready to run and had no core is recorded.
pub const NO_CORE: Setting<bool> = Setting {
    otherwise: "time without a core is recorded",
    ..switch("PGAS_NO_CORE")
};

/// Clock of the sampling timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleBy {
    /// CPU time of the thread.
    CpuTime,
    /// Wall-clock time, also while the thread waits.
    WallTime,
}

impl SampleBy {
    /// The name by which a user chooses it.
    pub fn name(self) -> &'static str {
        match self {
            SampleBy::CpuTime => "cpu",
            SampleBy::WallTime => "wall",
        }
    }

    /// The reverse of [`SampleBy::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = [SampleBy::CpuTime, SampleBy::WallTime].into_iter();
        all.find(|by| name.eq_ignore_ascii_case(by.name()))
    }
}

/// How threads are sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    /// Samples a second.
    pub rate: u32,
    /// Fewer where they would take too much of the CPU time.
    pub is_limited: bool,
    /// What the time between two samples is measured by.
    pub by: SampleBy,
}

/// `None`: threads are not sampled.
pub const SAMPLE: Setting<Option<Sampling>> = Setting {
    variable: "PGAS_SAMPLE",
    parse: |text| {
        if text.eq_ignore_ascii_case("off") {
            return Some(None);
        }
        let (rate, by) = text.split_once(',').unwrap_or((text, "cpu"));
        let by = SampleBy::from_name(by.trim())?;
        let rate = rate.trim();
        if rate.eq_ignore_ascii_case("auto") {
            return Some(Some(Sampling {
                by,
                ..DEFAULT_SAMPLING
            }));
        }
        let rate = rate.parse().ok();
        Some(Some(Sampling {
            rate: rate.filter(|rate| RATES.contains(rate))?,
            is_limited: false,
            by,
        }))
    },
    write: |sampling| match sampling {
        None => "off".to_owned(),
        Some(Sampling {
            is_limited: true,
            by,
            ..
        }) => format!("auto,{}", by.name()),
        Some(Sampling { rate, by, .. }) => format!("{rate},{}", by.name()),
    },
    expected: "expected auto or a number of samples a second from 1 to 10000, perhaps with cpu or \
               wall for the clock, such as 500,cpu; or off",
    otherwise: "taking auto,cpu",
};
pub(crate) const DEFAULT_SAMPLING: Sampling = Sampling {
    rate: 1000,
    is_limited: true,
    by: SampleBy::CpuTime,
};
const RATES: RangeInclusive<u32> = 1..=10_000;

/// Which threads share a file.
pub const FILES: Setting<Files> = Setting {
    variable: "PGAS_FILES",
    parse: Files::from_name,
    write: |files| files.name().to_owned(),
    expected: "expected auto, thread or node",
    otherwise: "taking auto",
};

/// In which order the clocks of nodes are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// In a ring if there are many.
    Automatic,
    /// Each node with the first one, one after the other.
    Linear,
    /// Each node with the one before it.
    Ring,
}

impl Order {
    /// The name by which a user chooses it.
    pub fn name(self) -> &'static str {
        match self {
            Order::Automatic => "auto",
            Order::Linear => "linear",
            Order::Ring => "ring",
        }
    }
}

/// How clocks of different nodes are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// Choice of the nodes that are compared with each other.
    pub order: Order,
    /// An exchange of messages was the fastest if this number of exchanges after it were not
    /// faster.
    pub exchanges: Option<u32>,
}

/// `None`: clocks are not compared.
pub const CLOCKS: Setting<Option<Clocks>> = Setting {
    variable: "PGAS_CLOCKS",
    parse: |text| {
        let text = text.to_ascii_lowercase();
        let (order, exchanges) = match text.split_once(',') {
            None => (text.as_str(), None),
            Some((order, exchanges)) => {
                let exchanges = exchanges.trim().parse().ok();
                (
                    order.trim(),
                    Some(exchanges.filter(|number| EXCHANGES.contains(number))?),
                )
            }
        };
        if order == "off" && exchanges.is_none() {
            return Some(None);
        }
        let mut orders = [Order::Automatic, Order::Linear, Order::Ring].into_iter();
        let order = orders.find(|known| known.name() == order)?;
        Some(Some(Clocks { order, exchanges }))
    },
    write: |clocks| match clocks {
        None => "off".to_owned(),
        Some(Clocks {
            order,
            exchanges: None,
        }) => order.name().to_owned(),
        Some(Clocks {
            order,
            exchanges: Some(number),
        }) => format!("{},{number}", order.name()),
    },
    expected: "expected auto, linear or ring, perhaps with a number of exchanges from 1 to 10000, \
               such as ring,200; or off",
    otherwise: "taking auto,100",
};
pub(crate) const DEFAULT_CLOCKS: Clocks = Clocks {
    order: Order::Automatic,
    exchanges: None,
};
pub(crate) const DEFAULT_EXCHANGES: u32 = 100;
const EXCHANGES: RangeInclusive<u32> = 1..=10_000;

/// Names of counters that are to be read at the boundaries of regions. Which of them there are
/// depends on the machine: the stream says what was refused.
pub const COUNTERS: Setting<Vec<String>> = Setting {
    variable: "PGAS_COUNTERS",
    parse: |text| {
        let names = text.split(',').map(str::trim);
        let names = names.filter(|name| !name.is_empty()).map(str::to_owned);
        Some(names.collect())
    },
    write: |names| names.join(","),
    expected: "expected names separated by commas, such as cycles,instructions",
    otherwise: "nothing is counted",
};

const fn switch(variable: &'static str) -> Setting<bool> {
    Setting {
        variable,
        parse: |text| match text {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        },
        write: |is_on| u8::from(*is_on).to_string(),
        expected: "expected 0 or 1",
        otherwise: "",
    }
}

/// A number of bytes, with K, M or G for powers of 1024; a B may follow.
pub fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" => 1 << 10,
        "M" | "MB" => 1 << 20,
        "G" | "GB" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}
