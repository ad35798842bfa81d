//! Table of processors: lines `FUNCTION PROCESSORS` or `FUNCTION[NTH] PROCESSORS`.

use std::ops::RangeInclusive;

use crate::failure::Failure;
use crate::mapping::NewTask;

/// Lines in order of precedence.
pub(super) struct Table {
    rules: Vec<Rule>,
}

struct Rule {
    /// `None` stands for any function.
    function: Option<String>,
    nth: Option<u32>,
    processors: RangeInclusive<usize>,
}

impl Table {
    pub(super) fn parse(source_name: &str, text: &str) -> Result<Self, Failure> {
        let rule = |(index, line): (usize, &str)| {
            let line = line.split('#').next().unwrap_or_default().trim();
            (!line.is_empty()).then(|| {
                Rule::parse(line).map_err(|(found, expected)| Failure::MapLine {
                    source_name: source_name.to_owned(),
                    line: index + 1,
                    found: found.to_owned(),
                    expected,
                })
            })
        };
        let rules = text
            .lines()
            .enumerate()
            .filter_map(rule)
            .collect::<Result<_, _>>()?;
        Ok(Self { rules })
    }

    /// By the first line that fits.
    pub(super) fn processor(&self, task: &NewTask) -> Option<usize> {
        let rule = self.rules.iter().find(|rule| rule.fits(task))?;
        let count = rule.processors.end() - rule.processors.start() + 1;
        Some(rule.processors.start() + task.nth as usize % count)
    }
}

/// What was found, and what was expected.
type Wrong<'a> = (&'a str, &'static str);

impl Rule {
    fn parse(line: &str) -> Result<Self, Wrong<'_>> {
        let words: Vec<_> = line.split_whitespace().collect();
        let [task, processors] = words[..] else {
            return Err((
                line,
                "a task and a processor, such as 'worker[3] 0' or 'worker 1-3'",
            ));
        };
        let (function, nth) = parse_task(task)?;
        let function = (function != "*").then(|| function.to_owned());
        Ok(Self {
            function,
            nth,
            processors: parse_processors(processors)?,
        })
    }

    fn fits(&self, task: &NewTask) -> bool {
        self.function
            .as_deref()
            .is_none_or(|function| function == task.name)
            && self.nth.is_none_or(|nth| nth == task.nth)
    }
}

fn parse_task(task: &str) -> Result<(&str, Option<u32>), Wrong<'_>> {
    let Some((function, rest)) = task.split_once('[') else {
        return Ok((task, None));
    };
    let nth = rest.strip_suffix(']').and_then(|nth| nth.parse().ok());
    let wrong = (task, "a number in brackets, such as 'worker[3]'");
    nth.map(|nth| (function, Some(nth))).ok_or(wrong)
}

fn parse_processors(text: &str) -> Result<RangeInclusive<usize>, Wrong<'_>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse::<u32>(), last.parse::<u32>()) {
        (Ok(first), Ok(last)) if first <= last => Ok(first as usize..=last as usize),
        _ => Err((
            text,
            "a processor, from 0, or a range of processors such as '1-3'",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# slow stage alone\nslow 3\nworker[2] 0\nworker 1-2 # the others\n* 5";

    fn processor(name: &'static str, nth: u32) -> Option<usize> {
        let table = Table::parse("t", TEXT).unwrap();
        table.processor(&NewTask {
            name,
            nth,
            parent_processor: 0,
        })
    }

    #[test]
    fn the_first_line_that_fits_counts() {
        assert_eq!(processor("slow", 7), Some(3));
        assert_eq!(
            [0, 1, 2, 3].map(|nth| processor("worker", nth).unwrap()),
            [1, 2, 0, 2]
        );
        assert_eq!(processor("other", 0), Some(5));
    }

    #[test]
    fn errors_name_the_line_and_what_is_wrong() {
        for (line, found) in [
            ("worker", "'worker'"),
            ("worker x", "'x'"),
            ("worker 3-1", "'3-1'"),
            ("worker[x] 1", "'worker[x]'"),
            ("worker 1 2", "'worker 1 2'"),
        ] {
            let Err(failure) = Table::parse("a.map", &format!("* 0\n{line}\n")) else {
                panic!()
            };
            let text = failure.to_string();
            assert!(
                text.starts_with(&format!("a.map:2: found {found}, expected ")),
                "{text}"
            );
        }
    }
}
