//! For tests: `PGAS_TEST_KILL=POINT:N` ends the process by SIGKILL when it comes to that point of
//! the recorder for the Nth time, as a kill from outside may, which cannot be placed.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::message::say;

const VARIABLE: &str = "PGAS_TEST_KILL";

struct Kill {
    point: String,
    /// Times until it, this one included.
    left: AtomicU32,
}

static KILL: OnceLock<Kill> = OnceLock::new();

/// Reads the variable. Points are also passed in signal handlers, where that is not allowed.
pub(crate) fn prepare() {
    let Ok(text) = std::env::var(VARIABLE) else {
        return;
    };
    match parse(&text) {
        Some(kill) => {
            let _ = KILL.set(kill);
        }
        None => say(&format!("{VARIABLE}={text}: expected point:number")),
    }
}

/// A point at which tests kill the process.
pub(crate) fn point(name: &str) {
    let Some(kill) = KILL.get() else { return };
    if kill.point == name && kill.left.fetch_sub(1, Ordering::Relaxed) == 1 {
        // SAFETY: no pointers; the process ends here.
        unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
    }
}

fn parse(text: &str) -> Option<Kill> {
    let (point, times) = text.rsplit_once(':')?;
    let left = times.parse().ok().filter(|&times| times > 0)?;
    Some(Kill {
        point: point.to_owned(),
        left: AtomicU32::new(left),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_has_a_name_and_a_number_of_times() {
        let kill = parse("sums: cleared:2").unwrap();
        assert_eq!(kill.point, "sums: cleared");
        assert_eq!(kill.left.load(Ordering::Relaxed), 2);
        for wrong in ["", "cleared", "cleared:", "cleared:0", "cleared:x"] {
            assert!(parse(wrong).is_none(), "{wrong}");
        }
    }
}
