//! What the options say about which events are wanted.

use std::str::FromStr;

use pgas_filter::Pattern;

use crate::failure::Failure;

/// A time since the start of the run, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seconds(pub f64);

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected a time, such as 1.5s, 300ms, 20us, 100ns or 12.3".to_string();
        let unit = text.find(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E');
        let (number, unit) = text.split_at(unit.unwrap_or(text.len()));
        let scale = match unit {
            "" | "s" => 1.0,
            "ms" => 1e3,
            "us" => 1e6,
            "ns" => 1e9,
            _ => return Err(expected()),
        };
        let number = number.trim_end();
        let value: f64 = number.parse().map_err(|_| expected())?;
        match value.is_finite() {
            // Dividing is exact to the last digit, where multiplying by 0.001 is not.
            true => Ok(Seconds(value / scale)),
            false => Err(expected()),
        }
    }
}

/// Threads as `0,4-7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadList(Vec<(u32, u32)>);

impl FromStr for ThreadList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected numbers of threads, such as 3 or 0,4-7".to_string();
        let ranges = text.split(',').map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let first: u32 = first.trim().parse().map_err(|_| expected())?;
            let last: u32 = last.trim().parse().map_err(|_| expected())?;
            match first <= last {
                true => Ok((first, last)),
                false => Err(expected()),
            }
        });
        Ok(ThreadList(ranges.collect::<Result<_, String>>()?))
    }
}

impl ThreadList {
    /// By thread of a program with `count` threads: whether it is in the list.
    pub fn of(&self, count: usize) -> Result<Vec<bool>, Failure> {
        let mut wanted = vec![false; count];
        for &(first, last) in &self.0 {
            let Some(range) = wanted.get_mut(first as usize..=last as usize) else {
                let highest = count.saturating_sub(1);
                return Err(Failure::new(format!(
                    "there is no thread {last}: the experiment's threads are 0 to {highest}"
                )));
            };
            range.fill(true);
        }
        Ok(wanted)
    }
}

pub fn pattern(text: &str) -> Result<Pattern, String> {
    Pattern::parse(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [
            ("1.5s", 1.5),
            ("300ms", 0.3),
            ("12.3", 12.3),
            ("20us", 20e-6),
            ("7 ns", 7e-9),
            ("1e-3", 1e-3),
            ("-1", -1.0),
        ] {
            assert_eq!(text.parse(), Ok(Seconds(seconds)), "{text}");
        }
        for text in ["", "s", "1.5m", "soon", "1.2.3", "inf", "NaN", "1ss"] {
            assert!(text.parse::<Seconds>().is_err(), "{text}");
        }
    }

    #[test]
    fn threads_are_listed_one_by_one_and_in_ranges() {
        let wanted = |text: &str| text.parse::<ThreadList>().unwrap().of(5).map_err(|_| ());
        assert_eq!(wanted("3"), Ok(vec![false, false, false, true, false]));
        assert_eq!(wanted("0,3-4"), Ok(vec![true, false, false, true, true]));
        assert_eq!(wanted("3-5"), Err(()));
        for text in ["", "a", "1-", "4-2", "-1", "1,,2"] {
            assert!(text.parse::<ThreadList>().is_err(), "{text}");
        }
    }
}
