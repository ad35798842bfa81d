//! The programs that `pgastool demo` shows, carried in the executable so that they are there
//! without a clone.

/// A program with its sources and how to compile and run it.
pub struct Bundled {
    pub name: &'static str,
    /// One line about it.
    pub what: &'static str,
    /// Names and texts of its files.
    pub files: &'static [(&'static str, &'static str)],
    /// Options of `pgastool compile` and compiler flags beside -O2.
    pub flags: &'static [&'static str],
    /// Libraries to link with.
    pub libraries: &'static [&'static str],
    /// Arguments of a run.
    pub arguments: &'static [&'static str],
}

impl Bundled {
    /// Those of its files that are compiled.
    pub fn sources(&self) -> impl Iterator<Item = &'static str> {
        let names = self.files.iter().map(|(name, _)| *name);
        names.filter(|name| name.ends_with(".c") || name.ends_with(".upc"))
    }
}

macro_rules! files {
    ($folder:literal: $($name:literal),+) => {
        &[$(($name, include_str!(concat!("../../../../../npb-fixtures/", $folder, "/", $name)))),+]
    };
}

/// The first one is shown if none is named.
pub const ALL: &[Bundled] = &[
    Bundled {
        name: "is",
        what: "integer sort of the NAS Parallel Benchmarks, class W",
        files: files!("is": "is.c", "randdp.c", "randdp.h", "is_class.h", "is.filter"),
        flags: &["--filter", "is.filter", "-DCLASS=W"],
        libraries: &[],
        arguments: &[],
    },
    Bundled {
        name: "jacobi",
        what: "Poisson's equation in three dimensions by Jacobi's iteration",
        files: files!("jacobi": "jacobi.upc"),
        flags: &[],
        libraries: &["-lm"],
        arguments: &[],
    },
];
