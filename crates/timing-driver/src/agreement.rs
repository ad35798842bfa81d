//! Agreement of all threads on whether a step worked: if one has a reason to stop, all hear it.

use crate::messages::{broadcast, gather};
use crate::threads::Threads;

/// The reasons of all threads, if one of them has some; the same on every thread.
pub fn agree(threads: Threads, reasons: &[String]) -> Result<(), String> {
    let verdict = gather(threads, reasons.join("; ").as_bytes()).map(|all| {
        let all: Vec<_> = all.iter().map(|r| String::from_utf8_lossy(r)).collect();
        together(&all)
    });
    let verdict = broadcast(threads, verdict.unwrap_or_default().into_bytes());
    match verdict.is_empty() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&verdict).into_owned()),
    }
}

/// The results of all threads' steps: this thread's own, or the reasons of all if one has failed.
pub fn agreed<T>(threads: Threads, own: Result<T, String>) -> Result<T, String> {
    let reasons: Vec<String> = own.as_ref().err().cloned().into_iter().collect();
    agree(threads, &reasons)?;
    own
}

/// Reasons by thread as one text: each reason once, with the threads that have it unless all do.
fn together(by_thread: &[impl AsRef<str>]) -> String {
    let mut reasons: Vec<(&str, Vec<usize>)> = Vec::new();
    for (thread, reason) in by_thread.iter().map(AsRef::as_ref).enumerate() {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, threads)) => threads.push(thread),
            None => reasons.push((reason, vec![thread])),
        }
    }
    let texts = reasons
        .iter()
        .filter(|(reason, _)| !reason.is_empty())
        .map(|(reason, threads)| match threads.len() == by_thread.len() {
            true => reason.to_string(),
            false => format!("{}: {reason}", numbers(threads)),
        });
    texts.collect::<Vec<_>>().join("; ")
}

/// "thread 3", "threads 0, 2, 5", and of many the first ones.
fn numbers(threads: &[usize]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<_> = threads.iter().take(SHOWN).map(usize::to_string).collect();
    let shown = shown.join(", ");
    match threads.len() {
        1 => format!("thread {shown}"),
        n if n > SHOWN => format!("threads {shown} and {} others", n - SHOWN),
        _ => format!("threads {shown}"),
    }
}

#[cfg(test)]
mod tests {
    use super::together;

    #[test]
    fn a_reason_names_its_threads_unless_all_have_it() {
        assert_eq!(together(&["", ""]), "");
        assert_eq!(together(&["full", "full"]), "full");
        assert_eq!(together(&["", "full", ""]), "thread 1: full");
        assert_eq!(
            together(&["a", "b", "a", ""]),
            "threads 0, 2: a; thread 1: b"
        );
        let many = together(&[["x"; 10].as_slice(), &[""]].concat());
        assert_eq!(many, "threads 0, 1, 2, 3, 4, 5, 6, 7 and 2 others: x");
    }
}
