//! Definitions that come while the program runs: a file beside the live pages, which the recorder's
//! helper thread looks for now and then.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use pgas_live::place::{self, PLACE};

use super::giving;
use crate::message::say;
use crate::settings::METRIC_FUNCTIONS;

/// Time between two looks.
pub(crate) const PERIOD: Duration = Duration::from_millis(250);
/// More bytes than definitions can have.
const MOST: u64 = 1 << 20;

static INBOX: OnceLock<PathBuf> = OnceLock::new();

/// From now on, [`look_into_inbox`] looks for the file of the run with this key.
pub(crate) fn open_inbox(key: &str) {
    INBOX.get_or_init(|| place::metrics_file(Path::new(PLACE), key));
}

/// How long the helper may sleep between two looks; for ever without live pages.
pub(crate) fn longest_sleep() -> Duration {
    match INBOX.get() {
        Some(_) => PERIOD,
        None => Duration::MAX,
    }
}

/// Takes over the definitions in the file if it has changed since `seen`.
pub(crate) fn look_into_inbox(seen: &mut Option<SystemTime>) {
    let Some(path) = INBOX.get() else {
        return;
    };
    // Another user cannot give this process anything to do.
    let Ok((text, modified)) = place::read_own(path, MOST) else {
        return;
    };
    if *seen == Some(modified) {
        return;
    }
    *seen = Some(modified);
    let mut beside = OsString::from(path);
    beside.push(METRIC_FUNCTIONS);
    let functions = place::read_own(Path::new(&beside), 64 * MOST).map(|(text, _)| text);
    match String::from_utf8(text) {
        Ok(text) => {
            let functions = functions.ok().and_then(|text| String::from_utf8(text).ok());
            giving::give_all(&text, &functions.unwrap_or_default());
        }
        Err(_) => say(&format!(
            "{}: no UTF-8; its metrics are not kept",
            path.display()
        )),
    }
}
