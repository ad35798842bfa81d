//! The runs of this user on this machine, by the pages that their threads keep.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use pgas_live::place::{self, Found};
use pgas_live::{LivePage, Problem};

/// A run that keeps pages.
#[derive(Debug)]
pub struct Run {
    /// What its files are named by.
    pub key: String,
    /// Its experiment, as far as it is known.
    pub experiment: PathBuf,
    /// Its processes.
    pub processes: Vec<u32>,
    /// When its first thread began, in nanoseconds since 1970.
    pub started: u64,
    /// Threads that the program has.
    pub threads: u32,
}

/// The pages in a directory.
#[derive(Debug, Default)]
pub struct Runs {
    /// Runs with at least one page that can be read, the oldest first.
    pub runs: Vec<Run>,
    /// Pages of processes that are gone.
    pub stale: Vec<Found>,
    /// Pages of this user that cannot be read, and why.
    pub problems: Vec<Problem>,
    /// Number of pages that belong to others.
    pub of_others: usize,
}

impl Runs {
    /// All runs with pages in a directory, which is [`place::PLACE`] unless a test has its own.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn find(place: &Path) -> io::Result<Self> {
        let mut found = Runs::default();
        let mut by_key: BTreeMap<String, Run> = BTreeMap::new();
        for file in place::all(place)? {
            if file.user != place::own_user() {
                found.of_others += 1;
                continue;
            }
            match open(&file) {
                Ok(Some(page)) => note(&mut by_key, &file, &page),
                Ok(None) => {}
                Err(Problem::Stale { .. }) => found.stale.push(file),
                Err(problem) => found.problems.push(problem),
            }
        }
        found.runs = by_key.into_values().collect();
        found.runs.sort_by_key(|run| run.started);
        Ok(found)
    }

    /// Removes the pages of processes that are gone; returns how many.
    pub fn remove_stale(&mut self) -> usize {
        remove(&std::mem::take(&mut self.stale))
    }

    /// The same for one run, whose files are named by this.
    pub fn remove_stale_of(&mut self, key: &str) -> usize {
        let (of_run, others): (Vec<_>, _) = std::mem::take(&mut self.stale)
            .into_iter()
            .partition(|file| file.key == key);
        self.stale = others;
        remove(&of_run)
    }
}

fn remove(files: &[Found]) -> usize {
    let removed = files
        .iter()
        .filter(|file| fs::remove_file(&file.path).is_ok());
    removed.count()
}

/// A page of a run that goes on; `None` if it is not there any more, or not yet.
fn open(file: &Found) -> Result<Option<LivePage>, Problem> {
    let page = match LivePage::open(&file.path) {
        Ok(page) => page,
        Err(Problem::Beginning { .. }) => return Ok(None),
        Err(Problem::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(None);
        }
        Err(problem) => return Err(problem),
    };
    page.check_process()?;
    Ok(Some(page))
}

fn note(by_key: &mut BTreeMap<String, Run>, file: &Found, page: &LivePage) {
    let header = page.header();
    let run = by_key.entry(file.key.clone()).or_insert_with(|| Run {
        key: file.key.clone(),
        experiment: PathBuf::from(OsStr::from_bytes(header.path())),
        processes: Vec::new(),
        started: header.start_unix,
        threads: header.threads,
    });
    run.started = run.started.min(header.start_unix);
    if !run.processes.contains(&header.process) {
        run.processes.push(header.process);
    }
}
