//! For tests on one machine: `PGAS_TEST_CLOCKS=THREAD:OFFSET:PPM:HOST,...` makes threads look as if
//! they ran on other nodes. Their clock, and the system's where it stands beside theirs, shows
//! OFFSET ticks more and runs PPM parts per million faster, counted from zero, and their host has
//! that name. Threads that are not named stay what they are.

use std::sync::OnceLock;

use crate::message::say;

const VARIABLE: &str = "PGAS_TEST_CLOCKS";

/// The clock and host that one thread pretends to have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TestClock {
    thread: u32,
    offset: i64,
    ppm: f64,
    pub(crate) host: String,
}

impl TestClock {
    /// Reading of the clock when the true one reads `ticks`.
    pub(crate) fn shown(&self, ticks: u64) -> u64 {
        let drift = (ticks as f64 * (self.ppm * 1e-6)).round() as i64;
        ticks
            .saturating_add_signed(drift)
            .saturating_add_signed(self.offset)
    }
}

/// The clock of a thread in a test; `None` if it has its own.
pub(crate) fn of(thread: u32) -> Option<&'static TestClock> {
    static ALL: OnceLock<Vec<TestClock>> = OnceLock::new();
    let all = ALL.get_or_init(|| match std::env::var(VARIABLE) {
        Err(_) => Vec::new(),
        Ok(text) => parse(&text).unwrap_or_else(|| {
            say(&format!(
                "{VARIABLE}={text}: expected thread:ticks:ppm:host for each thread, with commas \
                 between"
            ));
            Vec::new()
        }),
    });
    all.iter().find(|test_clock| test_clock.thread == thread)
}

fn parse(text: &str) -> Option<Vec<TestClock>> {
    let test_clock = |part: &str| {
        let mut fields = part.splitn(4, ':');
        let test_clock = TestClock {
            thread: fields.next()?.trim().parse().ok()?,
            offset: fields.next()?.parse().ok()?,
            ppm: fields.next()?.parse().ok()?,
            host: fields.next()?.to_owned(),
        };
        let is_clock = test_clock.ppm.abs() < 1e6;
        (is_clock && !test_clock.host.is_empty()).then_some(test_clock)
    };
    text.split(',').map(test_clock).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_a_thread() {
        let clocks = parse("1:-5:2.5:a,3:7:-100:b:c").unwrap();
        assert_eq!((clocks[0].thread, clocks[0].host.as_str()), (1, "a"));
        assert_eq!((clocks[1].thread, clocks[1].host.as_str()), (3, "b:c"));
        assert_eq!(clocks[0].shown(2_000_000), 2_000_000 - 5 + 5);
        assert_eq!(clocks[1].shown(1_000_000), 1_000_000 + 7 - 100);
        for wrong in ["", "1", "1:2:3:", "x:1:1:h", "1:1:nan:h", "1:1:1:h,"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
