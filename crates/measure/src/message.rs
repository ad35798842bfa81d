//! The one way to tell a person something: a line on standard error, which never fails and never
//! blocks for long.

/// Writes `pgastool: <text>` to standard error.
pub(crate) fn say(text: &str) {
    let line = format!("pgastool: {text}\n");
    // SAFETY: the pointer and the length are those of `line`. Rust's own stderr is not used since
    // its lock may be held by a thread that does not exist any more after a fork.
    let _ = unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
}
