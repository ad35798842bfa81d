//! Blocks of clock comparisons: how a thread's clock stood against another thread's at some moments
//! of the run.

use crate::definitions::{expect_end, integer};
use crate::model::ClockComparison;
use crate::{Problem, varint};

/// Appends one comparison to a payload.
pub fn push(payload: &mut Vec<u8>, comparison: &ClockComparison) {
    for value in [
        u64::from(comparison.reference),
        comparison.ticks,
        comparison.reference_ticks,
        comparison.round_trip,
        comparison.exchanges,
    ] {
        varint::push(payload, value);
    }
}

/// Reads the payload of a block of comparisons of a program with `threads` threads.
pub fn read(payload: &[u8], entries: u32, threads: u32) -> Result<Vec<ClockComparison>, Problem> {
    let mut comparisons = Vec::new();
    let mut at = 0;
    for _ in 0..entries {
        let begin = at;
        let mut values = [0; 5];
        for value in &mut values {
            (*value, at) = integer(payload, at)?;
        }
        let [reference, ticks, reference_ticks, round_trip, exchanges] = values;
        let reference = u32::try_from(reference)
            .ok()
            .filter(|&reference| reference < threads)
            .ok_or_else(|| {
                let found = format!("a comparison with thread {reference}");
                Problem::new(begin, found, format!("one of the {threads} threads"))
            })?;
        comparisons.push(ClockComparison {
            reference,
            ticks,
            reference_ticks,
            round_trip,
            exchanges,
        });
    }
    expect_end(payload, at)?;
    Ok(comparisons)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_checked() {
        let comparison = ClockComparison {
            reference: 2,
            ticks: u64::MAX,
            reference_ticks: 1,
            round_trip: 3_000,
            exchanges: 250,
        };
        let mut payload = Vec::new();
        push(&mut payload, &comparison);
        push(&mut payload, &comparison);
        assert_eq!(read(&payload, 2, 3), Ok(vec![comparison; 2]));
        assert!(read(&payload, 2, 2).is_err(), "no such thread");
        assert!(read(&payload, 3, 3).is_err(), "too short");
        assert!(read(&payload, 1, 3).is_err(), "too long");
    }
}
