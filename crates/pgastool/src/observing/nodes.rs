//! Samples of a run on several nodes, by a ring of agents.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use pgas_monitor::{Assembler, Look, RingNow, text};
use pgas_ring::{MemberState, Ring, Secret, Selection};
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
}

impl Nodes {
    /// Leaves the addresses of the manager and the secret of the run in the experiment, where agents
    /// find them.
    pub(super) fn prepare(experiment: &Path) -> Result<Self, Failure> {
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
        })
    }

    pub(super) fn sample(&mut self) -> Option<Sample> {
        let answer = self.ring.ask(Selection::Picture, PATIENCE)?;
        let ring = RingNow {
            nodes: answer.parts.len() as u32,
            round_trip: answer.round_trip.as_secs_f64(),
            bytes: answer.bytes as u64,
        };
        let Look::Going(mut picture) = self.assembler.look(answer.parts) else {
            return None;
        };
        picture.problems.extend(answer.problems);
        picture.ring = Some(ring);
        if picture.period <= 0.0 {
            return None;
        }
        let changes = self.search.look(&picture);
        if !changes.is_empty() {
            let words = text::words("");
            let noted = searching::note(&self.experiment, &changes, picture.elapsed, &words);
            self.problems
                .extend(noted.err().map(|error| error.to_string()));
        }
        Some((*picture, self.search.findings().to_vec(), changes))
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
