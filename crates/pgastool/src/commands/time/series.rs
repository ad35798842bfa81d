//! Lists of numbers of threads and of sizes: `2,4,8..32`.

use crate::arguments::thread_count;
use pgas_measure::settings;
use std::str::FromStr;

/// Values that a list may have at most; more are a slip of the hand.
const MOST: usize = 1000;

/// Numbers of threads, in the order in which they were given, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Threads(pub Vec<u32>);

/// Sizes in bytes, in the order in which they were given, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes(pub Vec<u64>);

impl FromStr for Threads {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |word: &str| thread_count(word).map(u64::from);
        let values = series(text, &number)?;
        // The parser of one number allows no more.
        Ok(Threads(values.into_iter().map(|n| n as u32).collect()))
    }
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        series(text, &size).map(Sizes)
    }
}

/// Bytes: `8`, `64K`, `64Ki`, `64KiB`, all of the same 1024.
fn size(word: &str) -> Result<u64, String> {
    let plain = word.replace("iB", "").replace('i', "");
    let expected = || format!("`{word}` is no size; expected bytes, such as 8, 64Ki or 1Mi");
    settings::bytes(&plain).ok_or_else(expected)
}

/// All values of a list whose elements are numbers and ranges.
fn series(text: &str, number: &dyn Fn(&str) -> Result<u64, String>) -> Result<Vec<u64>, String> {
    let mut values = Vec::new();
    for element in text.split(',').map(str::trim) {
        let more = match element.split_once("..") {
            Some((first, rest)) => range(first, rest, number)?,
            None => vec![number(element)?],
        };
        for value in more {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if values.len() > MOST {
            return Err(format!("more than {MOST} values"));
        }
    }
    Ok(values)
}

/// Next value after one, by the step of a range.
enum Step {
    Times(u64),
    Plus(u64),
}

impl Step {
    fn after(&self, value: u64) -> Option<u64> {
        match self {
            Step::Times(factor) => value.checked_mul(*factor),
            Step::Plus(difference) => value.checked_add(*difference),
        }
    }
}

/// `8..32` (doubling), `8..32*4`, `8..32+8`. Both ends belong to it.
fn range(
    first: &str,
    rest: &str,
    number: &dyn Fn(&str) -> Result<u64, String>,
) -> Result<Vec<u64>, String> {
    let (last, step) = match (rest.split_once('*'), rest.split_once('+')) {
        (Some((last, factor)), _) => (last, Step::Times(whole(factor, 2)?)),
        (None, Some((last, difference))) => (last, Step::Plus(number(difference)?)),
        (None, None) => (rest, Step::Times(2)),
    };
    let (first, last) = (number(first)?, number(last)?);
    if first > last {
        return Err(format!(
            "the range begins with {first} and ends with {last}"
        ));
    }
    if matches!((first, &step), (0, _) | (_, Step::Plus(0))) {
        return Err("a range begins with at least 1 and takes steps of at least 1".to_string());
    }
    let steps = std::iter::successors(Some(first), |&value| step.after(value));
    let mut values: Vec<u64> = steps
        .take_while(|&value| value < last)
        .take(MOST + 1)
        .collect();
    values.push(last);
    Ok(values)
}

fn whole(text: &str, least: u64) -> Result<u64, String> {
    let number = text.trim().parse().ok().filter(|&number| number >= least);
    number.ok_or_else(|| format!("`{text}` is no factor; expected {least} or more, as in 8..512*8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_numbers_and_ranges() {
        for (text, expected) in [
            ("4", &[4][..]),
            ("2,4,8..32", &[2, 4, 8, 16, 32]),
            ("2..12", &[2, 4, 8, 12]),
            ("8..32+8", &[8, 16, 24, 32]),
            ("1..16*4", &[1, 4, 16]),
            ("4,2,4", &[4, 2]),
            ("3..3", &[3]),
        ] {
            assert_eq!(text.parse(), Ok(Threads(expected.to_vec())), "{text}");
        }
    }

    #[test]
    fn sizes_have_units_of_1024() {
        let expected = Ok(Sizes(vec![8, 1024, 65536]));
        assert_eq!("8,1Ki,64K".parse(), expected);
        assert_eq!("8,1KiB,64KB".parse(), expected);
        let doubled = Sizes(vec![1 << 18, 1 << 19, 1 << 20]);
        assert_eq!("256Ki..1Mi".parse(), Ok(doubled));
        assert_eq!("0".parse(), Ok(Sizes(vec![0])));
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for (text, reason) in [
            ("", "whole number"),
            ("2,,4", "whole number"),
            ("8..2", "begins with 8"),
            ("2..8*1", "factor"),
            ("2..8+0", "at least 1"),
            ("0", "at least 1"),
            ("1..1048576+1", "more than"),
        ] {
            let error = text.parse::<Threads>().unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
        for text in ["8x", "-1", "1..", "big", "0..8", "1..2..3"] {
            assert!(text.parse::<Sizes>().is_err(), "{text}");
        }
    }
}
