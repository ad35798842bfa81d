//! Period between two samples of a running program.

use super::Seconds;

/// Max number of samples per second.
const MOST: f64 = 20.0;

/// Parses a period from 50 ms to a day.
///
/// # Errors
/// The expected form.
pub fn sampling_period(text: &str) -> Result<Seconds, String> {
    let period: Seconds = text.parse()?;
    match period.0 >= 1.0 / MOST && period.0 <= 86_400.0 {
        true => Ok(period),
        false => Err("expected a time from 50ms to 24h, such as 1s".to_owned()),
    }
}
