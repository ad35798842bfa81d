//! The machine: processor cores, clock, memory, disk.

use super::Check;
use pgas_measure::counters::{Availability, check};
use std::fs;

const GIB: f64 = (1u64 << 30) as f64;

pub(super) fn checks() -> Vec<Check> {
    vec![
        cores(),
        clock(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default()),
        memory(&fs::read_to_string("/proc/meminfo").unwrap_or_default()),
        disk(),
        counters(&check([
            "cycles",
            "instructions",
            "cache-misses",
            "branch-misses",
            "task-clock",
            "page-faults",
        ])),
    ]
}

fn cores() -> Check {
    const NAME: &str = "processor cores";
    match std::thread::available_parallelism() {
        Ok(cores) if cores.get() == 1 => Check::warning(
            NAME,
            "1",
            "threads take turns on one core: times of a parallel program say little here",
        ),
        Ok(cores) => Check::ok(NAME, format!("{cores}; more threads than that take turns")),
        Err(error) => Check::warning(
            NAME,
            format!("unknown: {error}"),
            "check the limits of this session",
        ),
    }
}

/// The recorder reads the time stamp counter where it runs at the same rate on all cores, whatever
/// their frequency.
fn clock(cpuinfo: &str) -> Check {
    const NAME: &str = "clock";
    let has = |flag: &str| {
        cpuinfo
            .lines()
            .find(|line| line.starts_with("flags"))
            .is_some_and(|line| line.split_whitespace().any(|word| word == flag))
    };
    if has("constant_tsc") && has("nonstop_tsc") {
        Check::ok(NAME, "invariant time stamp counter")
    } else {
        Check::warning(
            NAME,
            "no invariant time stamp counter; the system's monotonic clock is used",
            "nothing to do; an event takes some 20 ns more",
        )
    }
}

fn memory(meminfo: &str) -> Check {
    const NAME: &str = "memory";
    let kib = |key: &str| -> Option<f64> {
        let line = meminfo.lines().find(|line| line.starts_with(key))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    match (kib("MemAvailable:"), kib("MemTotal:")) {
        (Some(available), Some(total)) => {
            let (available, total) = (available * 1024.0 / GIB, total * 1024.0 / GIB);
            let detail = format!("{available:.1} GiB free of {total:.1} GiB");
            if available < 0.5 {
                Check::warning(
                    NAME,
                    detail,
                    "close other programs: a measured thread needs 8 MiB beside its own data",
                )
            } else {
                Check::ok(NAME, detail)
            }
        }
        _ => Check::warning(NAME, "unknown", "check that /proc is mounted"),
    }
}

fn disk() -> Check {
    const NAME: &str = "disk space here";
    match rustix::fs::statvfs(".") {
        Ok(state) => {
            let free = state.f_bavail as f64 * state.f_frsize as f64 / GIB;
            let detail = format!("{free:.1} GiB free");
            if free < 1.0 {
                Check::warning(
                    NAME,
                    detail,
                    "run in a directory with more room: experiments are written there",
                )
            } else {
                Check::ok(NAME, detail)
            }
        }
        Err(error) => Check::warning(
            NAME,
            format!("unknown: {error}"),
            "check the current directory",
        ),
    }
}

/// Counters that `run --counters` can record.
fn counters(available: &Availability) -> Check {
    const NAME: &str = "counters";
    let Some(refusal) = available.refused.first() else {
        return Check::ok(NAME, available.usable.join(", "));
    };
    let refused: Vec<&str> = available.refused.iter().map(|r| r.name.as_str()).collect();
    let usable = match available.usable.as_slice() {
        [] => "none".to_string(),
        names => names.join(", "),
    };
    Check::warning(
        NAME,
        format!("{usable}; not {}: {}", refused.join(", "), refusal.reason),
        refusal.remedy.clone(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::Status;
    use super::*;
    use pgas_measure::counters::Refusal;

    #[test]
    fn the_counter_must_be_constant_and_never_stop() {
        let status = |flags: &str| clock(&format!("processor: 0\nflags\t\t: {flags}\n")).status;
        assert_eq!(status("fpu tsc constant_tsc nonstop_tsc sse"), Status::Ok);
        assert_eq!(status("fpu tsc constant_tsc sse"), Status::Warning);
        assert_eq!(clock("").status, Status::Warning);
    }

    #[test]
    fn counters_that_are_missing_are_named_with_the_reason() {
        let all = Availability {
            usable: vec!["cycles".to_string(), "page-faults".to_string()],
            refused: Vec::new(),
        };
        assert_eq!(counters(&all).detail, "cycles, page-faults");
        assert_eq!(counters(&all).status, Status::Ok);
        let some = Availability {
            refused: vec![Refusal {
                name: "instructions".to_string(),
                reason: "this processor does not offer it".to_string(),
                remedy: "run elsewhere".to_string(),
            }],
            ..all
        };
        let check = counters(&some);
        assert_eq!(check.status, Status::Warning);
        assert_eq!(
            check.detail,
            "cycles, page-faults; not instructions: this processor does not offer it"
        );
        assert_eq!(check.remedy.as_deref(), Some("run elsewhere"));
    }

    #[test]
    fn memory_is_read_in_kib() {
        let check = memory("MemTotal:  25165824 kB\nMemFree: 1 kB\nMemAvailable: 12582912 kB\n");
        assert_eq!(check.detail, "12.0 GiB free of 24.0 GiB");
        assert_eq!(
            memory("MemTotal: 4 kB\nMemAvailable: 2 kB").status,
            Status::Warning
        );
        assert_eq!(memory("").status, Status::Warning);
    }
}
