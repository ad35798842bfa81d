//! The format is Score-P's, so that a file that was written for another tool of the field works
//! here too:
//!
//! ```text
//! SCOREP_FILE_NAMES_BEGIN        # rules for source files
//!   EXCLUDE */contrib/*
//! SCOREP_FILE_NAMES_END
//! SCOREP_REGION_NAMES_BEGIN      # rules for functions and operations
//!   EXCLUDE *                    # all functions,
//!   INCLUDE main solve_*         # but not these
//!   EXCLUDE upc_mem*             # and one-sided copies
//! SCOREP_REGION_NAMES_END
//! ```
//!
//! Everything is included until a rule says otherwise; of the rules that match, the last one wins.
//! A function of an excluded file stays out whatever the rules for names say. Operations of the
//! runtime are what an analysis finds wait states by, so they are not excluded in passing: rules
//! for files do not concern them, and of the rules for names only those that begin with `upc_` or
//! `shmem_`, or are exactly the operation's name.

use crate::wildcard::{Pattern, PatternError};

/// The rules of one filter file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    files: Vec<Rule>,
    regions: Vec<Rule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    include: bool,
    pattern: Pattern,
    /// Whether operations are meant, too.
    operations: bool,
}

/// A filter file that cannot be used, with the place in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct FilterError {
    /// Name of the filter file as it was given.
    pub file: String,
    /// Line in it, from 1.
    pub line: usize,
    /// The error there.
    pub problem: FilterProblem,
}

/// Errors in a filter file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterProblem {
    /// A word outside of a block.
    #[error(
        "found `{0}`, expected SCOREP_FILE_NAMES_BEGIN or SCOREP_REGION_NAMES_BEGIN: rules stand \
         inside of a block"
    )]
    OutsideOfBlock(String),
    /// A pattern before any INCLUDE or EXCLUDE.
    #[error("found `{0}`, expected INCLUDE or EXCLUDE before the first name of a block")]
    NoDirection(String),
    /// A BEGIN inside of a block, or the END of another one.
    #[error("found `{found}` inside of a block that ends with {expected}")]
    WrongBlockWord {
        /// The word that stands there.
        found: String,
        /// The word that would end the block.
        expected: &'static str,
    },
    /// The file ends inside of a block.
    #[error("the block that begins here has no {0}")]
    Unclosed(&'static str),
    /// A pattern that cannot be read.
    #[error("pattern `{pattern}`: {error}")]
    Pattern {
        /// The pattern as it stands in the file.
        pattern: String,
        /// Why it cannot be read.
        error: PatternError,
    },
}

/// How names of operations begin.
const OPERATIONS: [&str; 3] = ["upc_", "shmem_", "MPI_"];

#[derive(Clone, Copy, PartialEq)]
enum Block {
    Files,
    Regions,
}

impl Block {
    fn end_word(self) -> &'static str {
        match self {
            Block::Files => "SCOREP_FILE_NAMES_END",
            Block::Regions => "SCOREP_REGION_NAMES_END",
        }
    }
}

impl Filter {
    /// Reads the text of a filter file; `name` is its name for messages.
    ///
    /// # Errors
    /// The first thing that is not part of the format, with its line.
    pub fn parse(text: &str, name: &str) -> Result<Self, FilterError> {
        let mut filter = Filter::default();
        let mut block: Option<(Block, usize)> = None;
        let mut include: Option<bool> = None;
        for (index, line) in text.lines().enumerate() {
            let line_number = index + 1;
            let fail = |problem| FilterError {
                file: name.to_string(),
                line: line_number,
                problem,
            };
            for word in words(line) {
                let Some((kind, _)) = block else {
                    let kind = match word {
                        "SCOREP_FILE_NAMES_BEGIN" => Block::Files,
                        "SCOREP_REGION_NAMES_BEGIN" => Block::Regions,
                        other => {
                            return Err(fail(FilterProblem::OutsideOfBlock(other.to_string())));
                        }
                    };
                    block = Some((kind, line_number));
                    include = None;
                    continue;
                };
                match word {
                    word if word == kind.end_word() => block = None,
                    "SCOREP_FILE_NAMES_BEGIN"
                    | "SCOREP_FILE_NAMES_END"
                    | "SCOREP_REGION_NAMES_BEGIN"
                    | "SCOREP_REGION_NAMES_END" => {
                        return Err(fail(FilterProblem::WrongBlockWord {
                            found: word.to_string(),
                            expected: kind.end_word(),
                        }));
                    }
                    "INCLUDE" => include = Some(true),
                    "EXCLUDE" => include = Some(false),
                    // C names are not mangled, so the mangled names that follow are the names.
                    "MANGLED" if kind == Block::Regions && include.is_some() => {}
                    pattern => {
                        let include = include
                            .ok_or_else(|| fail(FilterProblem::NoDirection(pattern.to_string())))?;
                        let is_meant = |prefix: &&str| pattern.starts_with(*prefix);
                        let operations = OPERATIONS.iter().any(is_meant) || !has_wildcards(pattern);
                        let pattern = Pattern::parse(pattern).map_err(|error| {
                            fail(FilterProblem::Pattern {
                                pattern: pattern.to_string(),
                                error,
                            })
                        })?;
                        let rules = match kind {
                            Block::Files => &mut filter.files,
                            Block::Regions => &mut filter.regions,
                        };
                        rules.push(Rule {
                            include,
                            pattern,
                            operations,
                        });
                    }
                }
            }
        }
        match block {
            Some((kind, line)) => Err(FilterError {
                file: name.to_string(),
                line,
                problem: FilterProblem::Unclosed(kind.end_word()),
            }),
            None => Ok(filter),
        }
    }

    /// Whether `function`, defined in `file` (its name as the compiler knows it), is to be
    /// recorded. The same holds for a region that the program named itself.
    pub fn includes_function(&self, function: &str, file: &str) -> bool {
        self.includes_function_of(function, &[file])
    }

    /// The same for a file that has several names: a rule for one of them is a rule for the file.
    pub fn includes_function_of(&self, function: &str, file: &[&str]) -> bool {
        last_match(self.files.iter(), file) && last_match(self.regions.iter(), &[function])
    }

    /// Whether a file is to be recorded as far as its names go.
    pub fn includes_file(&self, names: &[&str]) -> bool {
        last_match(self.files.iter(), names)
    }

    /// Whether the operation that reports call `name` is to be recorded.
    pub fn includes_operation(&self, name: &str) -> bool {
        ALWAYS.contains(&name)
            || last_match(self.regions.iter().filter(|rule| rule.operations), &[name])
    }

    /// Whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.regions.is_empty()
    }
}

/// Operations that end a recording, so that nothing is written without them.
const ALWAYS: &[&str] = &["upc_global_exit", "program end"];

fn last_match<'a>(rules: impl DoubleEndedIterator<Item = &'a Rule>, names: &[&str]) -> bool {
    rules
        .rev()
        .find(|rule| names.iter().any(|name| rule.pattern.matches(name)))
        .is_none_or(|rule| rule.include)
}

fn has_wildcards(pattern: &str) -> bool {
    pattern.contains(['*', '?', '['])
}

/// The words of a line up to its comment. A backslash keeps a blank or `#` in the word; it stays
/// there, since the pattern takes it for an escape again.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = None;
    let mut characters = line.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '#' => {
                words.extend(start.take().map(|from: usize| &line[from..at]));
                return words;
            }
            c if c.is_whitespace() => words.extend(start.take().map(|from| &line[from..at])),
            _ => {
                start.get_or_insert(at);
                if c == '\\' {
                    characters.next();
                }
            }
        }
    }
    words.extend(start.map(|from| &line[from..]));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(text: &str) -> Filter {
        Filter::parse(text, "test.filter").unwrap()
    }

    fn error(text: &str) -> String {
        Filter::parse(text, "test.filter").unwrap_err().to_string()
    }

    #[test]
    fn an_empty_filter_includes_everything() {
        for text in [
            "",
            "# only a comment\n\n",
            "SCOREP_REGION_NAMES_BEGIN SCOREP_REGION_NAMES_END",
        ] {
            assert!(filter(text).includes_function("main", "a.c"));
        }
    }

    #[test]
    fn the_last_matching_rule_wins() {
        let filter = filter(
            "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *\n  INCLUDE main solve_* # kept\n  EXCLUDE \
             solve_[0-9]\nSCOREP_REGION_NAMES_END\n",
        );
        assert!(filter.includes_function("main", "a.c"));
        assert!(filter.includes_function("solve_all", "a.c"));
        assert!(!filter.includes_function("solve_3", "a.c"));
        assert!(!filter.includes_function("other", "a.c"));
    }

    #[test]
    fn an_excluded_file_wins_over_an_included_function() {
        let filter = filter(
            "SCOREP_FILE_NAMES_BEGIN EXCLUDE */contrib/* INCLUDE */contrib/ours.c \
             SCOREP_FILE_NAMES_END\nSCOREP_REGION_NAMES_BEGIN INCLUDE main \
             SCOREP_REGION_NAMES_END\n",
        );
        assert!(!filter.includes_function("main", "src/contrib/x.c"));
        assert!(filter.includes_function("main", "src/contrib/ours.c"));
        assert!(filter.includes_function("main", "src/x.c"));
    }

    #[test]
    fn operations_are_excluded_only_where_they_are_meant() {
        let filter = filter(
            "SCOREP_FILE_NAMES_BEGIN EXCLUDE * SCOREP_FILE_NAMES_END\nSCOREP_REGION_NAMES_BEGIN \
             EXCLUDE * [m]alloc *_barrier u* upc_mem* malloc\n INCLUDE upc_memget MANGLED \
             free\nSCOREP_REGION_NAMES_END",
        );
        for name in ["upc_barrier", "upc_lock", "upc_memget", "free", "realloc"] {
            assert!(filter.includes_operation(name), "{name}");
        }
        for name in ["upc_memput", "upc_memcpy", "malloc"] {
            assert!(!filter.includes_operation(name), "{name}");
        }
    }

    #[test]
    fn calls_of_libraries_are_excluded_by_their_names() {
        let filter = filter(
            "SCOREP_REGION_NAMES_BEGIN EXCLUDE * shmem_*_p sync\\ all s* SCOREP_REGION_NAMES_END",
        );
        for name in ["shmem_quiet", "shmem_long_put", "sync images"] {
            assert!(filter.includes_operation(name), "{name}");
        }
        for name in ["shmem_long_p", "sync all"] {
            assert!(!filter.includes_operation(name), "{name}");
        }
    }

    #[test]
    fn what_ends_a_recording_is_always_recorded() {
        let filter = filter("SCOREP_REGION_NAMES_BEGIN EXCLUDE upc_* SCOREP_REGION_NAMES_END");
        assert!(filter.includes_operation("upc_global_exit"));
        assert!(!filter.includes_operation("upc_barrier"));
    }

    #[test]
    fn names_may_go_over_lines_and_be_marked_as_mangled() {
        let filter = filter(
            "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE\n  one\n  two\nEXCLUDE MANGLED \
             three\nSCOREP_REGION_NAMES_END",
        );
        for name in ["one", "two", "three"] {
            assert!(!filter.includes_function(name, ""));
        }
        assert!(filter.includes_function("MANGLED", ""));
    }

    #[test]
    fn blanks_and_number_signs_can_be_escaped() {
        let filter =
            filter("SCOREP_FILE_NAMES_BEGIN EXCLUDE my\\ file.c a\\#b.c SCOREP_FILE_NAMES_END");
        assert!(!filter.includes_function("f", "my file.c"));
        assert!(!filter.includes_function("f", "a#b.c"));
        assert!(filter.includes_function("f", "file.c"));
    }

    #[test]
    fn errors_say_where_and_what() {
        assert_eq!(
            error("\nEXCLUDE main"),
            "test.filter:2: found `EXCLUDE`, expected SCOREP_FILE_NAMES_BEGIN or \
             SCOREP_REGION_NAMES_BEGIN: rules stand inside of a block"
        );
        assert_eq!(
            error("SCOREP_REGION_NAMES_BEGIN\nmain\nSCOREP_REGION_NAMES_END"),
            "test.filter:2: found `main`, expected INCLUDE or EXCLUDE before the first name of a \
             block"
        );
        assert_eq!(
            error("SCOREP_REGION_NAMES_BEGIN\nSCOREP_FILE_NAMES_END"),
            "test.filter:2: found `SCOREP_FILE_NAMES_END` inside of a block that ends with \
             SCOREP_REGION_NAMES_END"
        );
        assert_eq!(
            error("\n\nSCOREP_REGION_NAMES_BEGIN\nEXCLUDE a\n"),
            "test.filter:3: the block that begins here has no SCOREP_REGION_NAMES_END"
        );
        assert_eq!(
            error("SCOREP_REGION_NAMES_BEGIN EXCLUDE [a SCOREP_REGION_NAMES_END"),
            "test.filter:1: pattern `[a`: `[` without a closing `]` (write `\\[` for the \
             character itself)"
        );
    }
}
