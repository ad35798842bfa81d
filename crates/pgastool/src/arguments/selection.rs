//! Selection of events by the options of the command line.

use std::str::FromStr;

use pgas_filter::Pattern;

use crate::failure::Failure;
use pgas_base::models::Words;

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
    /// By thread of a program with `count` threads: whether it is in the list, which has the
    /// numbers that people know them by.
    pub fn of(&self, count: usize, words: &Words) -> Result<Vec<bool>, Failure> {
        let mut wanted = vec![false; count];
        for &(first, last) in &self.0 {
            let index = |number: u32| number.checked_sub(words.first).map(|index| index as usize);
            let range = index(first).zip(index(last));
            let Some(range) = range.and_then(|(first, last)| wanted.get_mut(first..=last)) else {
                let wrong = if first < words.first { first } else { last };
                return Err(Failure::new(format!(
                    "there is no {} {wrong}: the experiment's {} are {} to {}",
                    words.one,
                    words.many,
                    words.first,
                    words.number(count.saturating_sub(1) as u32)
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
    fn threads_are_listed_one_by_one_and_in_ranges() {
        let of = |text: &str, words| text.parse::<ThreadList>().unwrap().of(5, &words);
        let wanted = |text: &str| of(text, Words::default()).map_err(|_| ());
        assert_eq!(wanted("3"), Ok(vec![false, false, false, true, false]));
        assert_eq!(wanted("0,3-4"), Ok(vec![true, false, false, true, true]));
        assert_eq!(wanted("3-5"), Err(()));
        let images = Words::of_first_name("image 1");
        let first = vec![true, false, false, false, false];
        assert_eq!(of("1", images).unwrap(), first);
        for (text, wrong) in [("0", "0"), ("0-2", "0"), ("4-6", "6")] {
            assert_eq!(
                of(text, images).unwrap_err().message,
                format!("there is no image {wrong}: the experiment's images are 1 to 5")
            );
        }
        for text in ["", "a", "1-", "4-2", "-1", "1,,2"] {
            assert!(text.parse::<ThreadList>().is_err(), "{text}");
        }
    }
}
