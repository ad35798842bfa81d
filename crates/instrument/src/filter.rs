//! Filter files: which functions of the program are instrumented. The format is Score-P's, so that a file that was
//! written for another tool of the field works here too:
//!
//! ```text
//! SCOREP_FILE_NAMES_BEGIN        # rules for source files
//!   EXCLUDE */contrib/*
//! SCOREP_FILE_NAMES_END
//! SCOREP_REGION_NAMES_BEGIN      # rules for functions
//!   EXCLUDE *
//!   INCLUDE main solve_*
//! SCOREP_REGION_NAMES_END
//! ```
//!
//! Everything is included until a rule says otherwise; of the rules that match, the last one wins. A function of an
//! excluded file stays out whatever the rules for functions say.

use crate::wildcard::{Pattern, PatternError};

/// The rules of one filter file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    files: Vec<Rule>,
    functions: Vec<Rule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    include: bool,
    pattern: Pattern,
}

/// A filter file that cannot be used, with the place in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct FilterError {
    /// Name of the filter file as it was given.
    pub file: String,
    /// Line in it, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: FilterProblem,
}

/// What can be wrong in a filter file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterProblem {
    /// A word outside of a block.
    #[error(
        "found `{0}`, expected SCOREP_FILE_NAMES_BEGIN or SCOREP_REGION_NAMES_BEGIN: rules stand inside of a block"
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

#[derive(Clone, Copy, PartialEq)]
enum Block {
    Files,
    Functions,
}

impl Block {
    fn end_word(self) -> &'static str {
        match self {
            Block::Files => "SCOREP_FILE_NAMES_END",
            Block::Functions => "SCOREP_REGION_NAMES_END",
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
                        "SCOREP_REGION_NAMES_BEGIN" => Block::Functions,
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
                    // C names are not mangled, so the mangled name that follows is the name.
                    "MANGLED" if kind == Block::Functions && include.is_some() => {}
                    pattern => {
                        let include = include
                            .ok_or_else(|| fail(FilterProblem::NoDirection(pattern.to_string())))?;
                        let pattern = Pattern::parse(pattern).map_err(|error| {
                            fail(FilterProblem::Pattern {
                                pattern: pattern.to_string(),
                                error,
                            })
                        })?;
                        let rules = match kind {
                            Block::Files => &mut filter.files,
                            Block::Functions => &mut filter.functions,
                        };
                        rules.push(Rule { include, pattern });
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

    /// Whether `function`, defined in `file` (its name as the compiler knows it), is to be instrumented.
    pub fn includes(&self, function: &str, file: &str) -> bool {
        last_match(&self.files, file) && last_match(&self.functions, function)
    }
}

fn last_match(rules: &[Rule], name: &str) -> bool {
    rules
        .iter()
        .rev()
        .find(|rule| rule.pattern.matches(name))
        .is_none_or(|rule| rule.include)
}

/// The words of a line up to its comment. A backslash keeps a blank or `#` in the word; it stays there, since the
/// pattern takes it for an escape again.
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
            assert!(filter(text).includes("main", "a.c"));
        }
    }

    #[test]
    fn the_last_matching_rule_wins() {
        let filter = filter(
            "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *\n  INCLUDE main solve_* # kept\n  EXCLUDE solve_[0-9]\nSCOREP_REGION_NAMES_END\n",
        );
        assert!(filter.includes("main", "a.c"));
        assert!(filter.includes("solve_all", "a.c"));
        assert!(!filter.includes("solve_3", "a.c"));
        assert!(!filter.includes("other", "a.c"));
    }

    #[test]
    fn an_excluded_file_wins_over_an_included_function() {
        let filter = filter(
            "SCOREP_FILE_NAMES_BEGIN EXCLUDE */contrib/* INCLUDE */contrib/ours.c SCOREP_FILE_NAMES_END\n\
             SCOREP_REGION_NAMES_BEGIN INCLUDE main SCOREP_REGION_NAMES_END\n",
        );
        assert!(!filter.includes("main", "src/contrib/x.c"));
        assert!(filter.includes("main", "src/contrib/ours.c"));
        assert!(filter.includes("main", "src/x.c"));
    }

    #[test]
    fn names_may_go_over_lines_and_be_marked_as_mangled() {
        let filter = filter(
            "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE\n  one\n  two\nEXCLUDE MANGLED three\nSCOREP_REGION_NAMES_END",
        );
        for name in ["one", "two", "three"] {
            assert!(!filter.includes(name, ""));
        }
        assert!(filter.includes("MANGLED", ""));
    }

    #[test]
    fn blanks_and_number_signs_can_be_escaped() {
        let filter =
            filter("SCOREP_FILE_NAMES_BEGIN EXCLUDE my\\ file.c a\\#b.c SCOREP_FILE_NAMES_END");
        assert!(!filter.includes("f", "my file.c"));
        assert!(!filter.includes("f", "a#b.c"));
        assert!(filter.includes("f", "file.c"));
    }

    #[test]
    fn errors_say_where_and_what() {
        assert_eq!(
            error("\nEXCLUDE main"),
            "test.filter:2: found `EXCLUDE`, expected SCOREP_FILE_NAMES_BEGIN or SCOREP_REGION_NAMES_BEGIN: rules stand inside of a block"
        );
        assert_eq!(
            error("SCOREP_REGION_NAMES_BEGIN\nmain\nSCOREP_REGION_NAMES_END"),
            "test.filter:2: found `main`, expected INCLUDE or EXCLUDE before the first name of a block"
        );
        assert_eq!(
            error("SCOREP_REGION_NAMES_BEGIN\nSCOREP_FILE_NAMES_END"),
            "test.filter:2: found `SCOREP_FILE_NAMES_END` inside of a block that ends with SCOREP_REGION_NAMES_END"
        );
        assert_eq!(
            error("\n\nSCOREP_REGION_NAMES_BEGIN\nEXCLUDE a\n"),
            "test.filter:3: the block that begins here has no SCOREP_REGION_NAMES_END"
        );
        assert_eq!(
            error("SCOREP_REGION_NAMES_BEGIN EXCLUDE [a SCOREP_REGION_NAMES_END"),
            "test.filter:1: pattern `[a`: `[` without a closing `]` (write `\\[` for the character itself)"
        );
    }
}
