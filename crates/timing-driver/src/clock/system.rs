//! Clocks of the operating system.

/// A reading in whole seconds and nanoseconds, which a floating-point number could not hold.
#[derive(Clone, Copy)]
pub struct Moment {
    pub seconds: i64,
    nanoseconds: i64,
}

impl Moment {
    /// Seconds since a whole second.
    pub fn since(self, epoch: i64) -> f64 {
        (self.seconds - epoch) as f64 + self.nanoseconds as f64 * 1e-9
    }
}

pub fn monotonic() -> Moment {
    read(libc::CLOCK_MONOTONIC)
}

/// A clock that nobody adjusts.
pub fn raw() -> Moment {
    read(libc::CLOCK_MONOTONIC_RAW)
}

fn read(clock: libc::clockid_t) -> Moment {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is the structure that the function fills.
    unsafe { libc::clock_gettime(clock, &mut time) };
    Moment {
        seconds: time.tv_sec,
        nanoseconds: time.tv_nsec,
    }
}

pub fn time_of_day() -> Moment {
    let mut time = libc::timeval {
        tv_sec: 0,
        tv_usec: 0,
    };
    // SAFETY: `time` is the structure that the function fills, and no time zone is asked for.
    unsafe { libc::gettimeofday(&mut time, std::ptr::null_mut()) };
    Moment {
        seconds: time.tv_sec,
        nanoseconds: time.tv_usec * 1000,
    }
}
