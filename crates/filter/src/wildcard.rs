//! Shell wildcards as filter files use them: `*` any text, `?` one character, `[a-z]` and `[!a-z]`
//! one of a set, `\` takes the next character literally. `*` also matches `/`, so `*/lib/*` means
//! any file below a `lib`.

/// A parsed wildcard pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    AnyText,
    AnyCharacter,
    Literal(char),
    Set {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

/// Why a pattern cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// A set of characters without its end.
    #[error("`[` without a closing `]` (write `\\[` for the character itself)")]
    UnclosedSet,
    /// `[z-a]`.
    #[error("the range `{0}-{1}` runs backwards")]
    BackwardRange(char, char),
    /// A backslash that nothing follows.
    #[error("nothing follows the `\\` at the end")]
    TrailingEscape,
}

impl Pattern {
    /// Parses the text of a pattern.
    ///
    /// # Errors
    /// An unclosed or backward set and a trailing backslash are refused, since they never mean what
    /// was intended.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let mut parts = Vec::new();
        let mut characters = text.chars().peekable();
        while let Some(c) = characters.next() {
            parts.push(match c {
                // Neighbouring stars mean one, and one keeps matching linear in practice.
                '*' if parts.last() == Some(&Part::AnyText) => continue,
                '*' => Part::AnyText,
                '?' => Part::AnyCharacter,
                '\\' => Part::Literal(characters.next().ok_or(PatternError::TrailingEscape)?),
                '[' => parse_set(&mut characters)?,
                other => Part::Literal(other),
            });
        }
        Ok(Self(parts))
    }

    /// Whether the pattern describes the whole of `text`.
    pub fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let (mut part, mut at) = (0, 0);
        // Where to go on if the attempt fails: after the last star, which then takes one character
        // more.
        let mut retry: Option<(usize, usize)> = None;
        loop {
            match self.0.get(part) {
                Some(Part::AnyText) => {
                    retry = Some((part + 1, at));
                    part += 1;
                    continue;
                }
                Some(single) if at < text.len() && single.accepts(text[at]) => {
                    part += 1;
                    at += 1;
                    continue;
                }
                None if at == text.len() => return true,
                _ => {}
            }
            match retry {
                Some((after_star, taken)) if taken < text.len() => {
                    part = after_star;
                    at = taken + 1;
                    retry = Some((after_star, at));
                }
                _ => return false,
            }
        }
    }
}

impl Part {
    fn accepts(&self, c: char) -> bool {
        match self {
            Part::AnyText => false,
            Part::AnyCharacter => true,
            Part::Literal(literal) => *literal == c,
            Part::Set { negated, ranges } => {
                ranges.iter().any(|&(low, high)| low <= c && c <= high) != *negated
            }
        }
    }
}

fn parse_set(
    characters: &mut std::iter::Peekable<std::str::Chars<'_>>,
) -> Result<Part, PatternError> {
    let negated = characters.next_if(|c| matches!(c, '!' | '^')).is_some();
    let mut ranges = Vec::new();
    loop {
        let low = match characters.next().ok_or(PatternError::UnclosedSet)? {
            // As in the shell, a bracket in the first place is a member of the set.
            ']' if !ranges.is_empty() => return Ok(Part::Set { negated, ranges }),
            '\\' => characters.next().ok_or(PatternError::UnclosedSet)?,
            c => c,
        };
        let mut ahead = characters.clone();
        if ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']') {
            characters.next();
            let high = match characters.next().ok_or(PatternError::UnclosedSet)? {
                '\\' => characters.next().ok_or(PatternError::UnclosedSet)?,
                c => c,
            };
            if high < low {
                return Err(PatternError::BackwardRange(low, high));
            }
            ranges.push((low, high));
        } else {
            ranges.push((low, low));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Pattern::parse(pattern).unwrap().matches(text)
    }

    #[test]
    fn literal_text_must_match_as_a_whole() {
        assert!(matches("rank", "rank"));
        assert!(!matches("rank", "ranks"));
        assert!(!matches("rank", "xrank"));
        assert!(!matches("rank", ""));
        assert!(matches("", ""));
    }

    #[test]
    fn stars_take_any_text() {
        assert!(matches("*", ""));
        assert!(matches("*/lib/*", "/home/me/lib/a/b.c"));
        assert!(matches("a*b*c", "aXXbYYbZZc"));
        assert!(!matches("a*b*c", "aXXbYYbZZ"));
        assert!(matches("**a", "bba"));
        assert!(matches("*aab", "aaaaaaaab"));
    }

    #[test]
    fn question_marks_and_sets_take_one_character() {
        assert!(matches("?", "ä"));
        assert!(!matches("?", ""));
        assert!(matches("get_[a-c0]", "get_b"));
        assert!(matches("get_[a-c0]", "get_0"));
        assert!(!matches("get_[a-c0]", "get_d"));
        assert!(matches("[!a-c]", "d"));
        assert!(matches("[^a-c]", "d"));
        assert!(!matches("[!a-c]", "b"));
        assert!(matches("[]x]", "]"));
        assert!(matches("[a-]", "-"));
    }

    #[test]
    fn a_backslash_makes_wildcards_plain() {
        assert!(matches(r"\*", "*"));
        assert!(!matches(r"\*", "a"));
        assert!(matches(r"[\]]", "]"));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        assert_eq!(Pattern::parse("[ab"), Err(PatternError::UnclosedSet));
        assert_eq!(Pattern::parse("[]"), Err(PatternError::UnclosedSet));
        assert_eq!(
            Pattern::parse("[z-a]"),
            Err(PatternError::BackwardRange('z', 'a'))
        );
        assert_eq!(Pattern::parse("a\\"), Err(PatternError::TrailingEscape));
    }

    #[test]
    fn many_stars_do_not_explode() {
        let pattern = "a*".repeat(60) + "b";
        assert!(!matches(&pattern, &"a".repeat(5000)));
    }
}
