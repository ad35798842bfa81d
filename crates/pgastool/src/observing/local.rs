//! Samples of a run whose threads are all on this machine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pgas_live::place::PLACE;
use pgas_manager::Fresh;
use pgas_monitor::{Board, Look, Wanted, text};

use super::Sample;
use super::searching::Searching;

pub(super) struct Local {
    key: String,
    experiment: PathBuf,
    period: Duration,
    board: Board,
    /// Runs from the first page on.
    searching: Option<Searching>,
}

impl Local {
    pub(super) fn new(key: &str, experiment: &Path, period: Duration) -> Self {
        Local {
            key: key.to_owned(),
            experiment: experiment.to_owned(),
            period,
            board: Board::new(Path::new(PLACE), key, experiment),
            searching: None,
        }
    }

    pub(super) fn sample(&mut self) -> Option<Sample> {
        let Ok(Look::Going(picture)) = self.board.look() else {
            return None;
        };
        let begin = || {
            let words = text::words(&picture.runtime);
            Searching::begin(&self.key, &self.experiment, words, self.period)
        };
        let (findings, changes, _) = self.searching.get_or_insert_with(begin).news();
        // The first one is what the second is compared with.
        (picture.period > 0.0).then_some((*picture, findings, changes))
    }

    pub(super) fn fresh(&mut self, wanted: &Wanted) -> Option<Fresh> {
        let cells = self.board.cells(wanted).ok()?;
        Some(Fresh { cells, ring: None })
    }
}
