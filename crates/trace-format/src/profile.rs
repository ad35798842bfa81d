//! Blocks of sums: what a thread did, by call path, where the trace does not show each call. A
//! block stands for itself: its entries refer to sites and to earlier entries of the same block.
//! Blocks of a thread add up.

use crate::definitions::{expect_end, integer, push_string, string};
use crate::model::{CallSums, Profile, ProfileScope, SiteId};
use crate::{MAX_COUNTERS, MAX_PROFILE_ENTRIES, Problem, varint};

/// Regions in the longest path of a recorder: what is called there gets a path beside its caller's, so
/// that a recursion leaves room for others. Calls on such a path may lie within each other.
pub const DEEPEST: u16 = 10_000;

/// Appends the beginning of a payload: what the sums are of, calls that found no room in the
/// recorder's call tree, and the names of the counters that every entry has sums of.
pub fn push_head<'a>(
    payload: &mut Vec<u8>,
    scope: ProfileScope,
    unplaced_calls: u64,
    counters: impl ExactSizeIterator<Item = &'a str>,
) {
    varint::push(payload, u64::from(scope.number()));
    varint::push(payload, unplaced_calls);
    varint::push(payload, counters.len() as u64);
    for name in counters {
        push_string(payload, name.as_bytes());
    }
}

/// Appends one entry. It must have as many counters as the head has names.
pub fn push_entry(payload: &mut Vec<u8>, sums: &CallSums) {
    varint::push(payload, sums.parent.map_or(0, |index| u64::from(index) + 1));
    varint::push(payload, u64::from(sums.site.0));
    varint::push(
        payload,
        sums.partner.map_or(0, |thread| u64::from(thread) + 1),
    );
    for value in [sums.calls, sums.timed_calls, sums.ticks, sums.bytes] {
        varint::push(payload, value);
    }
    for &value in &sums.counters {
        varint::push(payload, value);
    }
}

/// Reads the payload of a block of sums. Times are those of the block's header; `sites` and
/// `threads` are how many there are.
pub fn read(
    payload: &[u8],
    entries: u32,
    span: (u64, u64),
    sites: u32,
    threads: u32,
) -> Result<Profile, Problem> {
    if entries as usize > MAX_PROFILE_ENTRIES {
        let found = format!("{entries} entries");
        let expected = format!("at most {MAX_PROFILE_ENTRIES}");
        return Err(Problem::new(0, found, expected));
    }
    let (scope, at) = integer(payload, 0)?;
    let scope = ProfileScope::from_number(scope)
        .ok_or_else(|| Problem::new(0, format!("scope {scope}"), "0, 1 or 2"))?;
    let (unplaced_calls, at) = integer(payload, at)?;
    let (counter_count, mut next) = integer(payload, at)?;
    if counter_count > MAX_COUNTERS as u64 {
        let found = format!("{counter_count} counters");
        return Err(Problem::new(at, found, format!("at most {MAX_COUNTERS}")));
    }
    let mut counters = Vec::new();
    for _ in 0..counter_count {
        let (name, after) = string(payload, next)?;
        counters.push(name);
        next = after;
    }
    let mut profile = Profile {
        scope,
        first_time: span.0,
        last_time: span.1,
        unplaced_calls,
        counters,
        entries: Vec::new(),
    };
    for index in 0..entries {
        let (sums, after) =
            read_entry(payload, next, index, profile.counters.len(), sites, threads)?;
        profile.entries.push(sums);
        next = after;
    }
    expect_end(payload, next)?;
    Ok(profile)
}

fn read_entry(
    payload: &[u8],
    mut at: usize,
    index: u32,
    counter_count: usize,
    sites: u32,
    threads: u32,
) -> Result<(CallSums, usize), Problem> {
    let begin = at;
    let mut next = || {
        let (value, after) = integer(payload, at)?;
        at = after;
        Ok(value)
    };
    let below = |value: u64, bound: u32, what: &str| {
        u32::try_from(value)
            .ok()
            .filter(|&value| value < bound)
            .ok_or_else(|| {
                Problem::new(
                    begin,
                    format!("{what} {value}"),
                    format!("one below {bound}"),
                )
            })
    };
    let parent = match next()? {
        0 => None,
        number => Some(below(number - 1, index, "the caller's entry")?),
    };
    let site = SiteId(below(next()?, sites, "site")?);
    let partner = match next()? {
        0 => None,
        number => Some(below(number - 1, threads, "thread")?),
    };
    let [calls, timed_calls, ticks, bytes] = [next()?, next()?, next()?, next()?];
    if timed_calls > calls {
        let found = format!("{timed_calls} calls that were timed, of {calls}");
        return Err(Problem::new(begin, found, "no more than there were"));
    }
    let counters = (0..counter_count)
        .map(|_| next())
        .collect::<Result<Vec<u64>, Problem>>()?;
    let sums = CallSums {
        parent,
        site,
        partner,
        calls,
        timed_calls,
        ticks,
        bytes,
        counters,
    };
    Ok((sums, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(parent: Option<u32>, site: u32) -> CallSums {
        CallSums {
            parent,
            site: SiteId(site),
            partner: Some(3),
            calls: 1 << 60,
            timed_calls: 17,
            ticks: u64::MAX,
            bytes: 8,
            counters: vec![0, 5_000_000_000],
        }
    }

    fn payload(entries: &[CallSums]) -> Vec<u8> {
        let mut bytes = Vec::new();
        push_head(
            &mut bytes,
            ProfileScope::Within,
            9,
            ["cycles", "µops"].into_iter(),
        );
        for entry in entries {
            push_entry(&mut bytes, entry);
        }
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let entries = vec![sums(None, 4), sums(Some(0), 0), sums(Some(0), 4)];
        let profile = read(&payload(&entries), 3, (10, 20), 5, 4).unwrap();
        assert_eq!(profile.scope, ProfileScope::Within);
        assert_eq!((profile.first_time, profile.last_time), (10, 20));
        assert_eq!(profile.unplaced_calls, 9);
        assert_eq!(profile.counters, ["cycles", "µops"]);
        assert_eq!(profile.entries, entries);
    }

    #[test]
    fn what_points_nowhere_is_refused() {
        let later_parent = [sums(Some(0), 0)];
        assert!(read(&payload(&later_parent), 1, (0, 0), 5, 4).is_err());
        let good = [sums(None, 4)];
        assert!(read(&payload(&good), 1, (0, 0), 4, 4).is_err(), "site");
        assert!(read(&payload(&good), 1, (0, 0), 5, 3).is_err(), "partner");
        assert!(read(&payload(&good), 2, (0, 0), 5, 4).is_err(), "too short");
        assert!(read(&payload(&good), 0, (0, 0), 5, 4).is_err(), "too long");
        let more_timed = [CallSums {
            calls: 1,
            ..sums(None, 0)
        }];
        assert!(read(&payload(&more_timed), 1, (0, 0), 5, 4).is_err());
    }
}
