//! Where pictures come from: the pages on this machine, or the manager of a run on several nodes.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use pgas_base::models::Words;
use pgas_live::place::PLACE;
use pgas_monitor::{Board, Look, Picture};
use pgas_search::{Change, Claim, Finding};
use pgas_watch_client::Client;
use serde::Deserialize;

use super::choosing::Chosen;
use crate::observing::agents;
use crate::observing::searching::{OFTEN, Searching};

/// How long the manager of a run that has just begun may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Findings so far, changes since the last call, and a problem.
pub type News = (Vec<Finding>, Vec<Change>, Option<String>);

/// See the module.
pub enum Source {
    Pages {
        board: Box<Board>,
        searching: Searching,
    },
    Manager {
        client: Box<Client>,
        findings: Vec<Finding>,
        changes: Vec<Change>,
        /// End of the last period that was shown, in nanoseconds since 1970.
        last: u64,
    },
}

/// An answer of the manager.
#[derive(Deserialize)]
struct Answer {
    #[serde(flatten)]
    picture: Picture,
    findings: Vec<Finding>,
}

impl Source {
    /// The manager if the run is on several nodes and was started here, else the pages.
    pub fn of(chosen: &Chosen, words: Words) -> Self {
        if let Some(client) = manager(&chosen.experiment) {
            return Source::Manager {
                client: Box::new(client),
                findings: Vec::new(),
                changes: Vec::new(),
                last: 0,
            };
        }
        Source::Pages {
            board: Box::new(Board::new(
                Path::new(PLACE),
                &chosen.key,
                &chosen.experiment,
            )),
            searching: Searching::begin(&chosen.key, &chosen.experiment, words, OFTEN),
        }
    }

    /// Whether the first picture has a period before it.
    pub fn is_complete(&self) -> bool {
        matches!(self, Source::Manager { .. })
    }

    /// What the threads do now.
    ///
    /// # Errors
    /// If the directory of the pages cannot be read.
    pub fn look(&mut self) -> io::Result<Look> {
        let (client, findings, changes, last) = match self {
            Source::Pages { board, .. } => return board.look(),
            Source::Manager {
                client,
                findings,
                changes,
                last,
            } => (client, findings, changes, last),
        };
        match client.picture_as::<Answer>() {
            Ok(Some(answer)) if answer.picture.time_unix_ns == *last => Ok(Look::Nothing),
            Ok(Some(answer)) => {
                changes.extend(differences(findings, &answer.findings));
                *findings = answer.findings;
                *last = answer.picture.time_unix_ns;
                Ok(Look::Going(Box::new(answer.picture)))
            }
            Ok(None) => Ok(Look::Nothing),
            // The manager ends with the run.
            Err(_) if *last > 0 => Ok(Look::Ended),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    /// The findings, and what has changed since the last call.
    pub fn news(&mut self) -> News {
        match self {
            Source::Pages { searching, .. } => searching.news(),
            Source::Manager {
                findings, changes, ..
            } => (findings.clone(), std::mem::take(changes), None),
        }
    }
}

/// The manager of a run on several nodes; `None` if it has none, or was started on another machine.
fn manager(experiment: &Path) -> Option<Client> {
    let begin = Instant::now();
    while agents::is_on_nodes(experiment) && begin.elapsed() < PATIENCE {
        if let Ok(client) = Client::of_experiment(experiment) {
            return Some(client);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    None
}

fn differences(before: &[Finding], now: &[Finding]) -> Vec<Change> {
    let claims = |all: &[Finding]| -> BTreeSet<Claim> {
        all.iter().map(|finding| finding.claim.clone()).collect()
    };
    let (old, new) = (claims(before), claims(now));
    let found = now.iter().filter(|finding| !old.contains(&finding.claim));
    let gone = before
        .iter()
        .filter(|finding| !new.contains(&finding.claim));
    let found = found.cloned().map(Change::Found);
    found.chain(gone.cloned().map(Change::Gone)).collect()
}
