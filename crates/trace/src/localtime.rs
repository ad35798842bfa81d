//! The local date and time, from the C library, which knows the machine's time zone.

use std::time::{SystemTime, UNIX_EPOCH};

/// Date and time of a clock on the wall, with its distance from UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocalTime {
    year: i32,
    month: i32,
    day: i32,
    hour: i32,
    minute: i32,
    second: i32,
    /// Seconds east of Greenwich.
    offset: i64,
}

impl LocalTime {
    /// The local form of `time`; UTC's year 1970 for times that the C library cannot express.
    pub(crate) fn of(time: SystemTime) -> Self {
        let seconds = time
            .duration_since(UNIX_EPOCH)
            .ok()
            // As the C library has them; its type has another name wherever it was changed.
            .and_then(|since| since.as_secs().try_into().ok())
            .unwrap_or(0);
        // SAFETY: `tm` is plain data for which zeros are valid, both pointers are valid for the
        // call, and `localtime_r` keeps none of them.
        let broken_down = unsafe {
            let mut broken_down: libc::tm = std::mem::zeroed();
            libc::localtime_r(&seconds, &mut broken_down);
            broken_down
        };
        LocalTime {
            year: broken_down.tm_year + 1900,
            month: broken_down.tm_mon + 1,
            day: broken_down.tm_mday,
            hour: broken_down.tm_hour,
            minute: broken_down.tm_min,
            second: broken_down.tm_sec,
            offset: broken_down.tm_gmtoff,
        }
    }

    /// `20261121-143000`, as in the names of experiments.
    pub(crate) fn compact(&self) -> String {
        format!(
            "{:04}{:02}{:02}-{:02}{:02}{:02}",
            self.year, self.month, self.day, self.hour, self.minute, self.second
        )
    }

    /// `2026-11-21T14:30:00+01:00` (RFC 3339).
    pub(crate) fn rfc3339(&self) -> String {
        let (sign, minutes) = if self.offset < 0 {
            ('-', -self.offset / 60)
        } else {
            ('+', self.offset / 60)
        };
        format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{sign}{:02}:{:02}",
            self.year,
            self.month,
            self.day,
            self.hour,
            self.minute,
            self.second,
            minutes / 60,
            minutes % 60
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_padded() {
        let time = LocalTime {
            year: 2026,
            month: 1,
            day: 2,
            hour: 3,
            minute: 4,
            second: 5,
            offset: -(3 * 3600 + 30 * 60),
        };
        assert_eq!(time.compact(), "20260102-030405");
        assert_eq!(time.rfc3339(), "2026-01-02T03:04:05-03:30");
    }
}
