//! Names of signals.

use signal_hook::consts::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGKILL, SIGSEGV, SIGTERM};

/// The usual name of a signal, such as "SIGSEGV (segmentation fault)".
pub fn signal_name(signal: i32) -> String {
    let name = signal_hook::low_level::signal_name(signal);
    let meaning = match signal {
        SIGKILL => Some("killed"),
        SIGSEGV => Some("segmentation fault"),
        SIGABRT => Some("aborted"),
        SIGFPE => Some("arithmetic error"),
        SIGBUS => Some("bus error"),
        SIGILL => Some("illegal instruction"),
        SIGTERM => Some("terminated"),
        SIGINT => Some("interrupted"),
        _ => None,
    };
    match (name, meaning) {
        (Some(name), Some(meaning)) => format!("{name} ({meaning})"),
        (Some(name), None) => name.to_string(),
        (None, _) => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_names() {
        assert_eq!(signal_name(9), "SIGKILL (killed)");
        assert_eq!(signal_name(63), "signal 63");
    }
}
