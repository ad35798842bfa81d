//! Published figures of the same programs: for the tool that this one succeeds, and for the
//! Parallel Performance Wizard (PPW). The programs were other implementations on other machines, so
//! that figures tell an order of magnitude.

/// Overhead of recording in percent of the original run time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overhead {
    pub predecessor: f64,
    pub ppw: f64,
}

/// A gain in run time: by how many percent it went down, at a number of threads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    pub percent: f64,
    /// `None` where the range over several numbers of threads is known, and not which.
    pub threads: Option<u32>,
}

const fn overhead(predecessor: f64, ppw: f64) -> Option<Overhead> {
    Some(Overhead { predecessor, ppw })
}

pub const CG: Option<Overhead> = overhead(80.6, 138.0);
pub const CG_FILTERED: Option<Overhead> = overhead(1.15, 6.1);
pub const IS: Option<Overhead> = overhead(848.0, 1649.0);
pub const IS_FILTERED: Option<Overhead> = overhead(2.65, 3.4);
pub const FT: Option<Overhead> = overhead(3.08, 7.6);
pub const MG: Option<Overhead> = overhead(1.72, 5.8);
pub const EP: Option<Overhead> = overhead(1.41, 2.8);

const fn at(percent: f64, threads: u32) -> Gain {
    Gain {
        percent,
        threads: Some(threads),
    }
}

const fn somewhere(percent: f64) -> Gain {
    Gain {
        percent,
        threads: None,
    }
}

pub const IS_GAIN: &[Gain] = &[at(28.0, 32)];
pub const FT_GAIN: &[Gain] = &[at(12.0, 32), at(37.0, 256)];
pub const JACOBI_GAIN: &[Gain] = &[somewhere(40.0), somewhere(58.0)];
