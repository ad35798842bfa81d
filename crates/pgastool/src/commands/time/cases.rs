//! Cases to time: every combination of an operation's size and arguments.

use super::catalogue::{Operation, close};
use super::series::Sizes;
use crate::failure::Failure;
use clap::Args;
use pgas_timing::job::Case;
use std::collections::BTreeMap;
use std::str::FromStr;

const HEADING: &str = "Arguments of operations";
/// Sizes of operations that have one: 8 bytes to 1 MiB, each eight times the one before.
const SIZES: &str = "8..1Mi*8";
/// Cases of one start at most; more are a slip of the hand.
const MOST: usize = 100_000;
const MODES: [&str; 3] = ["no", "my", "all"];

/// Sizes and arguments of operations; with several, every combination is timed.
#[derive(Debug, Clone, Default, Args)]
pub struct CaseOptions {
    /// Sizes in bytes of the message, or of the block of one thread [default: 8..1Mi*8]
    #[arg(long, value_name = "LIST", help_heading = HEADING)]
    pub size: Option<Sizes>,
    /// An argument of operations and its values; `--list` says what each operation takes
    #[arg(long = "argument", value_name = "NAME=VALUE[,VALUE...]", help_heading = HEADING)]
    pub arguments: Vec<Assignment>,
    /// As --argument root=LIST
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = HEADING)]
    pub root: Vec<String>,
    /// Synchronisation at the begin of UPC collectives, as --argument in=LIST: no, my, all
    #[arg(long = "in", value_name = "LIST", value_delimiter = ',', conflicts_with = "all_modes", help_heading = HEADING)]
    pub mode_in: Vec<String>,
    /// Synchronisation at their end, as --argument out=LIST
    #[arg(long = "out", value_name = "LIST", value_delimiter = ',', conflicts_with = "all_modes", help_heading = HEADING)]
    pub mode_out: Vec<String>,
    /// All nine pairs of --in and --out
    #[arg(long, help_heading = HEADING)]
    pub all_modes: bool,
}

/// An argument and the values that it is to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    name: String,
    values: Vec<String>,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected NAME=VALUE, as in type=int,double".to_string();
        let (name, values) = text.split_once('=').ok_or_else(expected)?;
        let values: Vec<String> = values.split(',').map(|v| v.trim().to_string()).collect();
        let is_empty = name.trim().is_empty() || values.iter().any(String::is_empty);
        match is_empty {
            true => Err(expected()),
            false => Ok(Assignment {
                name: name.trim().to_string(),
                values,
            }),
        }
    }
}

impl CaseOptions {
    /// Whether sizes or arguments were given.
    pub fn are_given(&self) -> bool {
        let lists = [&self.root, &self.mode_in, &self.mode_out];
        let any = lists.iter().any(|list| !list.is_empty());
        any || self.size.is_some() || !self.arguments.is_empty() || self.all_modes
    }

    /// All cases of these operations. An argument concerns those operations that take it.
    ///
    /// # Errors
    /// If no operation takes an argument, one does not take a value, or none has a size.
    pub fn cases(&self, operations: &[&Operation]) -> Result<Vec<Case>, Failure> {
        let assignments = self.assignments();
        for assignment in &assignments {
            check(assignment, operations)?;
        }
        let sizes = self.sizes(operations)?;
        let mut cases = Vec::new();
        for operation in operations {
            let takes = |a: &&Assignment| operation.values(&a.name).is_some();
            let own: Vec<&Assignment> = assignments.iter().filter(takes).collect();
            for arguments in combinations(&own) {
                let case = |bytes| Case {
                    operation: operation.name.clone(),
                    bytes,
                    arguments: arguments.clone(),
                };
                match operation.sized {
                    true => cases.extend(sizes.iter().map(|&size| case(Some(size)))),
                    false => cases.push(case(None)),
                }
            }
            if cases.len() > MOST {
                return Err(Failure::new(format!("these are more than {MOST} cases")));
            }
        }
        Ok(cases)
    }

    fn assignments(&self) -> Vec<Assignment> {
        let modes = MODES.map(String::from).to_vec();
        let (mode_in, mode_out) = match self.all_modes {
            true => (&modes, &modes),
            false => (&self.mode_in, &self.mode_out),
        };
        let short = [("root", &self.root), ("in", mode_in), ("out", mode_out)];
        let short = short.into_iter().filter(|(_, values)| !values.is_empty());
        let short = short.map(|(name, values)| Assignment {
            name: name.to_string(),
            values: values.clone(),
        });
        self.arguments.iter().cloned().chain(short).collect()
    }

    fn sizes(&self, operations: &[&Operation]) -> Result<Vec<u64>, Failure> {
        match &self.size {
            Some(_) if !operations.iter().any(|operation| operation.sized) => Err(Failure::new(
                "--size is for operations that have a size; none of these has one",
            )),
            Some(Sizes(sizes)) => Ok(sizes.clone()),
            None => Ok(SIZES.parse::<Sizes>().map_err(Failure::new)?.0),
        }
    }
}

/// Checks that some operation takes the argument, and all of these take its values.
fn check(assignment: &Assignment, operations: &[&Operation]) -> Result<(), Failure> {
    let name = &assignment.name;
    let mut is_known = false;
    for operation in operations {
        let Some(values) = operation.values(name) else {
            continue;
        };
        is_known = true;
        let is_number = |text: &str| text.parse::<i64>().is_ok();
        let takes = |value: &&String| {
            values.contains(&value.as_str()) || values.contains(&"N") && is_number(value)
        };
        if let Some(wrong) = assignment.values.iter().find(|value| !takes(value)) {
            return Err(
                Failure::new(format!("{} does not take {name}={wrong}", operation.name))
                    .help(format!("it takes {name}={}", values.join("|"))),
            );
        }
    }
    match is_known {
        true => Ok(()),
        false => Err(not_taken(name, operations)),
    }
}

fn not_taken(name: &str, operations: &[&Operation]) -> Failure {
    let failure = Failure::new(format!("none of these operations has an argument `{name}`"));
    let all = || operations.iter().flat_map(|o| o.arguments());
    let close = close(all().map(|(name, _)| name), name);
    if !close.is_empty() {
        return failure.help(format!("did you mean {}?", close.join(", ")));
    }
    let mut known: Vec<&str> = all().map(|(name, _)| name).collect();
    known.sort_unstable();
    known.dedup();
    match known.is_empty() {
        true => failure.help("they have no arguments"),
        false => failure.help(format!("they have {}", known.join(", "))),
    }
}

/// Every choice of one value for each argument, the last argument varying fastest.
fn combinations(assignments: &[&Assignment]) -> Vec<BTreeMap<String, String>> {
    let mut all = vec![BTreeMap::new()];
    for assignment in assignments {
        let with = |chosen: &BTreeMap<String, String>, value: &String| {
            let mut chosen = chosen.clone();
            chosen.insert(assignment.name.clone(), value.clone());
            chosen
        };
        all = all
            .iter()
            .flat_map(|chosen| assignment.values.iter().map(|value| with(chosen, value)))
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(name: &str, arguments: &str, sized: bool) -> Operation {
        Operation {
            name: name.to_string(),
            help: String::new(),
            arguments: Some(arguments.to_string()),
            sized,
        }
    }

    fn cases(options: &CaseOptions) -> Result<Vec<String>, String> {
        let barrier = operation("barrier", "", false);
        let broadcast = operation("broadcast", "in=all|my|no out=all|my|no root=N", true);
        let cases = options.cases(&[&barrier, &broadcast]);
        let shown = |case: &Case| {
            let words = case.arguments.iter().map(|(n, v)| format!(" {n}={v}"));
            let bytes = case
                .bytes
                .map_or(String::new(), |bytes| format!(" {bytes}"));
            format!("{}{bytes}{}", case.operation, words.collect::<String>())
        };
        let told = |failure: Failure| format!("{} {:?}", failure.message, failure.help);
        Ok(cases.map_err(told)?.iter().map(shown).collect())
    }

    #[test]
    fn every_combination_of_size_and_arguments_is_timed() {
        let options = CaseOptions {
            size: Some(Sizes(vec![8, 64])),
            arguments: vec!["root=0,1".parse().unwrap()],
            mode_in: vec!["my".to_string()],
            ..CaseOptions::default()
        };
        let expected = [
            "barrier",
            "broadcast 8 in=my root=0",
            "broadcast 64 in=my root=0",
            "broadcast 8 in=my root=1",
            "broadcast 64 in=my root=1",
        ];
        assert_eq!(cases(&options).unwrap(), expected);
    }

    #[test]
    fn there_are_nine_pairs_of_modes_and_seven_sizes() {
        let all_modes = CaseOptions {
            all_modes: true,
            ..CaseOptions::default()
        };
        assert_eq!(cases(&all_modes).unwrap().len(), 1 + 9 * 7);
    }

    #[test]
    fn arguments_that_no_operation_takes_are_refused() {
        for (argument, expected) in [
            ("rot=1", "did you mean root?"),
            ("color=red", "they have in, out, root"),
            ("in=every", "it takes in=all|my|no"),
            ("root=first", "does not take root=first"),
        ] {
            let options = CaseOptions {
                arguments: vec![argument.parse().unwrap()],
                ..CaseOptions::default()
            };
            let told = cases(&options).unwrap_err();
            assert!(told.contains(expected), "{told}");
        }
        for text in ["root", "=1", "root=", "root=1,,2"] {
            assert!(text.parse::<Assignment>().is_err(), "{text}");
        }
    }
}
