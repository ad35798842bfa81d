//! The operations that a driver knows, and those that words of the command line mean.

use crate::arguments::pattern;
use crate::failure::Failure;
use serde::{Deserialize, Serialize};

/// Names that are offered for one that is not there.
const OFFERED: usize = 5;
/// Likeness of two names (0 to 1) that is worth offering, and how far behind the best it may be.
const WORTH: f64 = 0.55;
const BEHIND: f64 = 0.15;

/// One operation, as the driver describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// Its name, mostly that of the model's function.
    pub name: String,
    /// One line: meaning of the operation and of its arguments.
    pub help: String,
    /// Arguments and their values, as in `in=all|my|no root=N`, where N is a number.
    #[serde(default)]
    pub arguments: Option<String>,
    /// It has a size in bytes.
    pub sized: bool,
}

impl Operation {
    /// Names of its arguments, each with the values that it takes.
    pub fn arguments(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        let words = self.arguments.as_deref().unwrap_or_default();
        let pairs = words.split_whitespace().filter_map(|w| w.split_once('='));
        pairs.map(|(name, values)| (name, values.split('|').collect()))
    }

    /// The values that it takes for an argument; `None` if it has none of that name.
    pub fn values(&self, name: &str) -> Option<Vec<&str>> {
        let mut arguments = self.arguments();
        arguments.find_map(|(known, values)| (known == name).then_some(values))
    }
}

/// Reads a driver's list: an operation on each line.
///
/// # Errors
/// If a line is none.
pub fn parse(list: &str) -> Result<Vec<Operation>, Failure> {
    let lines = list.lines().filter(|line| line.starts_with('{'));
    let operations: Result<Vec<Operation>, _> = lines.map(serde_json::from_str).collect();
    let operations = operations
        .map_err(|error| Failure::new(format!("the driver's list of operations: {error}")))?;
    match operations.is_empty() {
        true => Err(Failure::new("the driver's list has no operations")),
        false => Ok(operations),
    }
}

/// The operations that `words` mean, each once, in the order of the words: names, or patterns with
/// wildcards.
///
/// # Errors
/// If a word means none; the message offers names like it.
pub fn select<'a>(all: &'a [Operation], words: &[String]) -> Result<Vec<&'a Operation>, Failure> {
    let mut selected: Vec<&Operation> = Vec::new();
    for word in words {
        let matching = matching(all, word)?;
        if matching.is_empty() {
            return Err(unknown(all, word));
        }
        for operation in matching {
            if !selected.contains(&operation) {
                selected.push(operation);
            }
        }
    }
    Ok(selected)
}

fn matching<'a>(all: &'a [Operation], word: &str) -> Result<Vec<&'a Operation>, Failure> {
    let exact: Vec<_> = all.iter().filter(|o| o.name == *word).collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    let lower = pattern(&word.to_lowercase())
        .map_err(|error| Failure::new(format!("`{word}` is no pattern of names: {error}")))?;
    let is_meant = |operation: &&Operation| lower.matches(&operation.name.to_lowercase());
    Ok(all.iter().filter(is_meant).collect())
}

fn unknown(all: &[Operation], word: &str) -> Failure {
    let failure = Failure::new(format!("there is no operation `{word}`"));
    if word.contains('=') {
        return failure.help(format!("an argument of operations is --argument {word}"));
    }
    let names = all.iter().map(|operation| operation.name.as_str());
    let list = "`pgastool time --list` names all, with the same --with and --network";
    match close(names, word) {
        close if close.is_empty() => failure.help(list),
        close => failure.help(format!("did you mean {}? {list}", close.join(", "))),
    }
}

/// Names like a word, the most likely first.
pub fn close<'a>(names: impl Iterator<Item = &'a str>, word: &str) -> Vec<&'a str> {
    let word = word.to_lowercase();
    let likeness = |name: &str| {
        let name = name.to_lowercase();
        match name.contains(&word) && word.len() > 2 {
            true => 1.0,
            false => strsim::normalized_damerau_levenshtein(&name, &word),
        }
    };
    let mut found: Vec<(f64, &str)> = names.map(|name| (likeness(name), name)).collect();
    found.retain(|(likeness, _)| *likeness >= WORTH);
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = found.first().map_or(0.0, |(likeness, _)| *likeness);
    found.retain(|(likeness, _)| *likeness >= best - BEHIND);
    found.dedup_by_key(|(_, name)| *name);
    found
        .into_iter()
        .map(|(_, name)| name)
        .take(OFFERED)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Operation> {
        let line = |name: &str| format!("{{\"name\":\"{name}\",\"help\":\"\",\"sized\":false}}\n");
        let names = [
            "upc_barrier",
            "upc_all_broadcast",
            "upc_all_gather",
            "MPI_Bcast",
        ];
        parse(&names.map(line).concat()).unwrap()
    }

    fn names(words: &[&str]) -> Result<Vec<String>, String> {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let told = |failure: Failure| format!("{} {:?}", failure.message, failure.help);
        let all = all();
        let selected = select(&all, &words).map_err(told)?;
        Ok(selected.iter().map(|o| o.name.clone()).collect())
    }

    #[test]
    fn words_are_names_and_patterns() {
        let expected = ["upc_all_gather", "upc_all_broadcast"];
        assert_eq!(names(&["upc_all_gather", "upc_all_*"]).unwrap(), expected);
        assert_eq!(names(&["mpi_bcast"]).unwrap(), ["MPI_Bcast"]);
    }

    #[test]
    fn an_unknown_name_is_answered_with_names_like_it() {
        for (word, expected) in [
            ("upc_barier", "did you mean upc_barrier?"),
            ("broadcast", "did you mean upc_all_broadcast?"),
            ("shmem*", "names all"),
            ("[", "no pattern"),
        ] {
            let told = names(&[word]).unwrap_err();
            assert!(told.contains(expected), "{told}");
        }
    }

    #[test]
    fn values_of_arguments_are_listed() {
        let line =
            "{\"name\":\"a\",\"help\":\"\",\"arguments\":\"in=all|my root=N\",\"sized\":true}";
        let operation = &parse(line).unwrap()[0];
        assert_eq!(operation.values("in"), Some(vec!["all", "my"]));
        assert_eq!(operation.values("root"), Some(vec!["N"]));
        assert_eq!(operation.values("out"), None);
    }
}
