//! Ids that a word or phrase probably meant: in any order of words, with typing errors, by id or by
//! title of the page.

use super::{ReferencePage, pages};

/// Ids that are offered at most.
const MOST: usize = 5;
/// Below this likeness of two words they are different words.
const SAME_WORD: f64 = 0.6;
/// Likeness that is worth offering, and how far behind the best one it may be.
const WORTH: f64 = 0.6;
const BEHIND: f64 = 0.15;
/// Words that distinguish nothing.
const EMPTY: [&str; 12] = [
    "a", "an", "and", "at", "by", "for", "in", "of", "on", "the", "to", "with",
];

/// Ids whose words are like those of `phrase`, best first.
pub fn close_ids(phrase: &str) -> Vec<&'static str> {
    let asked = words(phrase);
    let mut found: Vec<(f64, &'static str)> = Vec::new();
    for page in pages() {
        for (name, id) in names(page) {
            let likeness = likeness(&asked, &words(name));
            match found.iter_mut().find(|(_, known)| *known == id) {
                Some((best, _)) => *best = best.max(likeness),
                None => found.push((likeness, id)),
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = found.first().map_or(0.0, |(likeness, _)| *likeness);
    found
        .into_iter()
        .filter(|(likeness, _)| *likeness >= WORTH && *likeness >= best - BEHIND)
        .map(|(_, id)| id)
        .take(MOST)
        .collect()
}

/// Names of a page, each with the id that finds it.
fn names(page: &'static ReferencePage) -> impl Iterator<Item = (&'static str, &'static str)> {
    let ids = page.ids.iter().map(|id| (id.as_str(), id.as_str()));
    ids.chain([(page.title.as_str(), page.name)])
}

fn words(phrase: &str) -> Vec<String> {
    let all = phrase
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase);
    let (empty, full): (Vec<_>, Vec<_>) = all.partition(|word| EMPTY.contains(&word.as_str()));
    if full.is_empty() { empty } else { full }
}

/// 1 if both have the same words in any order; what was asked for and is missing counts more than
/// what was not asked for.
fn likeness(asked: &[String], name: &[String]) -> f64 {
    let covered = |these: &[String], by: &[String]| {
        let best = |word: &String| by.iter().map(|b| alike(word, b)).fold(0.0, f64::max);
        these.iter().map(best).sum::<f64>() / these.len().max(1) as f64
    };
    0.75 * covered(asked, name) + 0.25 * covered(name, asked)
}

/// Likeness of two words, 0 to 1: nearly 1 for `wait` and `waiting`, 0 for different words.
fn alike(a: &str, b: &str) -> f64 {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if a == b {
        return 1.0;
    }
    if short.len() >= 4 && long.starts_with(short) {
        return 0.9;
    }
    let likeness = strsim::normalized_damerau_levenshtein(a, b);
    if likeness < SAME_WORD { 0.0 } else { likeness }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_in_any_order_and_with_typing_errors() {
        for (asked, expected) in [
            ("barrier_wait", "wait_at_barrier"),
            ("wait_at_barier", "wait_at_barrier"),
            ("barrier waiting time", "wait_at_barrier"),
            ("broadcast late", "late_broadcast"),
            ("contention", "lock_contention"),
            ("balance", "load_balance"),
            ("delay-longterm", "delay_long_term"),
            ("imblaance", "imbalance"),
            ("removeable barrier", "removable_barrier"),
            ("synchronisation flags", "mode"),
        ] {
            let close = close_ids(asked);
            assert_eq!(close.first(), Some(&expected), "{asked}: {close:?}");
        }
    }

    #[test]
    fn parts_of_words_and_other_words_are_not_offered() {
        assert!(!close_ids("late").contains(&"unrelated_barrier"));
        assert_eq!(close_ids("zzz"), [""; 0]);
        assert_eq!(close_ids(""), [""; 0]);
        assert!(close_ids("wait").len() <= MOST);
    }
}
