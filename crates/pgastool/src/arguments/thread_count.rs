//! Number of threads of a program.

/// The most threads that a program can be started with, on any number of nodes. Beyond it, a number
/// is a slip of the hand.
const MOST_THREADS: u32 = 1 << 20;

pub fn thread_count(text: &str) -> Result<u32, String> {
    match text.parse::<i128>() {
        Ok(n) if n < 1 => Err("a UPC program has at least 1 thread".to_string()),
        Ok(n) if n > MOST_THREADS.into() => {
            Err(format!("at most {MOST_THREADS} threads are possible"))
        }
        Ok(n) => Ok(n as u32),
        Err(_) => Err("expected a whole number of threads, such as 4".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_numbers_of_threads_are_refused() {
        for (text, expected) in [
            ("0", "at least 1"),
            ("-3", "at least 1"),
            ("1048577", "at most 1048576"),
            ("99999999999", "at most 1048576"),
            ("four", "whole number"),
            ("4.0", "whole number"),
        ] {
            assert!(thread_count(text).unwrap_err().contains(expected), "{text}");
        }
        assert_eq!(thread_count("4096"), Ok(4096));
    }
}
