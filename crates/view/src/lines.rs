//! Searching for text, as `less -i` does: capital letters matter only if there are some in what is
//! looked for.

/// Whether `text` contains `wanted`.
pub(crate) fn matches(text: &str, wanted: &str) -> bool {
    if wanted.chars().any(char::is_uppercase) {
        text.contains(wanted)
    } else {
        text.to_lowercase().contains(wanted)
    }
}

/// The next of `count` entries, after or before `from` and around the end, whose text matches. With
/// `stay`, `from` itself is tried first.
pub(crate) fn find(
    count: usize,
    from: usize,
    forward: bool,
    stay: bool,
    is_match: impl Fn(usize) -> bool,
) -> Option<usize> {
    if count == 0 {
        return None;
    }
    let first = usize::from(!stay);
    (first..=count)
        .map(|step| match forward {
            true => (from + step) % count,
            false => (from + count - step % count) % count,
        })
        .find(|entry| is_match(*entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_matter_if_there_are_some() {
        assert!(matches("Wait at Barrier", "barrier"));
        assert!(!matches("Wait at barrier", "Barrier"));
    }

    #[test]
    fn searching_goes_around_the_end() {
        let found = |from, forward, stay| find(5, from, forward, stay, |i| i == 1 || i == 3);
        assert_eq!(found(1, true, true), Some(1));
        assert_eq!(found(1, true, false), Some(3));
        assert_eq!(found(3, true, false), Some(1));
        assert_eq!(found(1, false, false), Some(3));
        assert_eq!(find(5, 1, true, false, |i| i == 1), Some(1));
        assert_eq!(find(0, 0, true, true, |_| true), None);
    }
}
