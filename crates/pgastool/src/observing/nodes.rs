//! Samples of a run on several nodes, by a ring of agents.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use pgas_live::place::{self, PLACE};
use pgas_manager::Fresh;
use pgas_measure::settings::METRIC_FUNCTIONS;
use pgas_monitor::{Assembler, Look, RingNow, Wanted, text};
use pgas_ring::{Answer, MemberState, Ring, Secret, Selection};
use pgas_search::Search;

use super::agents::{DIRECTORY, MANAGER, SECRET};
use super::{Sample, searching};
use crate::failure::Failure;

/// How long a request may take.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) struct Nodes {
    experiment: PathBuf,
    ring: Ring,
    assembler: Assembler,
    search: Search,
    problems: Vec<String>,
    /// Most nodes that have answered.
    nodes: u32,
    /// Where `watch --metric` leaves definitions, and those that all nodes have.
    inbox: PathBuf,
    given: String,
}

impl Nodes {
    /// Leaves the addresses of the manager and the secret of the run in the experiment, where agents
    /// find them.
    pub(super) fn prepare(key: &str, experiment: &Path) -> Result<Self, Failure> {
        let directory = experiment.join(DIRECTORY);
        std::fs::create_dir_all(&directory)?;
        let failed = |error: &dyn std::fmt::Display| {
            Failure::new(format!("threads on other nodes cannot be watched: {error}"))
        };
        let secret = Secret::new().map_err(|error| failed(&error))?;
        let path = directory.join(SECRET);
        secret.save(&path).map_err(|error| failed(&error))?;
        let any = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);
        let ring = Ring::start(any, &secret).map_err(|error| failed(&error))?;
        let port = ring.address().port();
        let interfaces = if_addrs::get_if_addrs()?;
        let addresses = interfaces.iter().filter(|one| !one.is_loopback());
        let addresses = addresses
            .map(if_addrs::Interface::ip)
            .filter(IpAddr::is_ipv4);
        let own = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let all: Vec<SocketAddr> = addresses
            .chain([own])
            .map(|address| SocketAddr::new(address, port))
            .collect();
        let text = serde_json::to_vec(&all)?;
        crate::output::write_file(&directory.join(MANAGER), &text)?;
        Ok(Nodes {
            experiment: experiment.to_owned(),
            ring,
            assembler: Assembler::new(experiment),
            search: Search::default(),
            problems: Vec::new(),
            nodes: 0,
            inbox: place::metrics_file(Path::new(PLACE), key),
            given: String::new(),
        })
    }

    pub(super) fn sample(&mut self) -> Option<Sample> {
        self.pass_metrics_on();
        let answer = self.ring.ask(Selection::Picture, PATIENCE)?;
        let ring = ring_now(&answer);
        let Look::Going(mut picture) = self.assembler.look(answer.parts) else {
            return None;
        };
        self.nodes = self.nodes.max(ring.nodes);
        picture.problems.extend(answer.problems);
        picture.ring = Some(ring);
        if picture.period <= 0.0 {
            return None;
        }
        // Threads that are not seen would look as if they did not wait.
        let is_whole = picture
            .ring
            .as_ref()
            .is_some_and(|ring| ring.nodes >= self.nodes);
        let changes = match is_whole {
            true => self.search.look(&picture),
            false => Vec::new(),
        };
        if !changes.is_empty() {
            let words = text::words(&picture.runtime);
            let noted = searching::note(&self.experiment, &changes, picture.elapsed, &words);
            self.problems
                .extend(noted.err().map(|error| error.to_string()));
        }
        Some((*picture, self.search.findings().to_vec(), changes))
    }

    pub(super) fn fresh(&mut self, wanted: Wanted) -> Option<Fresh> {
        let answer = self.ring.ask(Selection::Cells(wanted), PATIENCE)?;
        Some(Fresh {
            ring: Some(ring_now(&answer)),
            cells: answer.cells,
        })
    }

    /// Passes definitions on that have been left here since the last time.
    fn pass_metrics_on(&mut self) {
        let Ok(definitions) = std::fs::read_to_string(&self.inbox) else {
            return;
        };
        if definitions == self.given {
            return;
        }
        let mut beside = OsString::from(&self.inbox);
        beside.push(METRIC_FUNCTIONS);
        let functions = std::fs::read_to_string(beside).unwrap_or_default();
        let refused = self.ring.keep(&definitions, &functions);
        if !refused.is_empty() {
            let nodes = refused.join(", ");
            self.problems
                .push(format!("new metrics have not reached these nodes: {nodes}"));
        }
        self.given = definitions;
    }

    /// What the user should know, since the last call.
    pub(super) fn news(&mut self) -> Vec<String> {
        let lost = self.ring.news().into_iter().filter_map(|state| match state {
            MemberState::Joined(_) => None,
            MemberState::Lost(member) => Some(format!(
                "the agent of node {} does not answer any more: its threads are not watched; the \
                 program goes on",
                member.node
            )),
        });
        let mut news: Vec<String> = lost.collect();
        news.append(&mut self.problems);
        news
    }

    pub(super) fn end(self) {
        self.ring.end();
        let directory = self.experiment.join(DIRECTORY);
        for name in [SECRET, MANAGER] {
            let _ = std::fs::remove_file(directory.join(name));
        }
        // The manager's file may still be in it.
        let _ = std::fs::remove_dir(directory);
    }
}

fn ring_now(answer: &Answer) -> RingNow {
    RingNow {
        nodes: answer.nodes,
        round_trip: answer.round_trip.as_secs_f64(),
        bytes: answer.bytes as u64,
    }
}
