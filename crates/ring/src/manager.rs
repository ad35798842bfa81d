//! The manager's end of the ring: knows its members, sends requests and takes them back.

use std::io;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use pgas_monitor::{Cells, NodePart};

use crate::agent::send_to_next;
use crate::client::Client;
use crate::message::{Content, END, End, METRICS, Member, Message, NewMetrics, Round};
use crate::secret::Secret;
use crate::selection::Selection;
use crate::server::Server;

/// Requests in succession that a member may miss before it is cut out.
const MISSED: u32 = 2;

/// A ring that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum RingError {
    /// The manager cannot listen.
    #[error("the manager of the run cannot listen at {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// The system's error.
        error: io::Error,
    },
}

/// See the module.
pub struct Ring {
    members: Vec<(Member, u32)>,
    client: Client,
    messages: Receiver<Message>,
    server: Server,
    /// The address by which agents reach the manager.
    reached: Option<SocketAddr>,
    number: u64,
    news: Vec<MemberState>,
}

/// A change among the members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberState {
    /// It is there.
    Joined(Member),
    /// It was cut out: it has missed requests.
    Lost(Member),
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    /// Nodes that have answered.
    pub nodes: u32,
    /// One for each of them, if a picture was asked for.
    pub parts: Vec<NodePart>,
    /// Else the values.
    pub cells: Cells,
    /// Time of the request's way.
    pub round_trip: Duration,
    /// Bytes of the request when it came back.
    pub bytes: usize,
    /// Failures of nodes to look at their pages.
    pub problems: Vec<String>,
}

impl Ring {
    /// A ring without members, whose manager listens at `address` (port 0: one that is free).
    ///
    /// # Errors
    /// [`RingError`].
    pub fn start(address: SocketAddr, secret: &Secret) -> Result<Self, RingError> {
        let (sender, messages) = channel();
        let server = Server::start(address, secret.clone(), sender)
            .map_err(|error| RingError::Listen { address, error })?;
        // Agents that outlive a manager know its numbers: those of the next one are larger.
        Ok(Ring {
            members: Vec::new(),
            client: Client::new(secret.clone()),
            messages,
            server,
            reached: None,
            number: since_1970(),
            news: Vec::new(),
        })
    }

    /// Where agents reach the manager.
    pub fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// The nodes of the ring, in its order.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().map(|(member, _)| member)
    }

    /// Changes among the members since the last call.
    pub fn news(&mut self) -> Vec<MemberState> {
        while let Ok(message) = self.messages.try_recv() {
            self.note(message.content);
        }
        std::mem::take(&mut self.news)
    }

    /// Sends a request through the ring, and waits for it: `None` if there are no members, or it did
    /// not come back in time.
    pub fn ask(&mut self, what: Selection, patience: Duration) -> Option<Answer> {
        while let Ok(message) = self.messages.try_recv() {
            self.note(message.content);
        }
        if self.members.is_empty() {
            return None;
        }
        self.number += 1;
        let round = Round {
            number: self.number,
            what,
            route: self.members().cloned().collect(),
            done: 0,
            manager: self.reached.unwrap_or(self.server.address),
            parts: Vec::new(),
            cells: Cells::default(),
            skipped: Vec::new(),
            problems: Vec::new(),
        };
        let route = round.route.clone();
        let begin = Instant::now();
        send_to_next(&self.client, round);
        let answer = self.wait(begin, patience);
        match &answer {
            Some((round, _)) => self.judge(&route, &round.skipped),
            None => self.find_silent(&route),
        }
        answer.map(|(round, bytes)| Answer {
            nodes: nodes_of(&round),
            parts: round.parts,
            cells: round.cells,
            round_trip: begin.elapsed(),
            bytes,
            problems: round.problems,
        })
    }

    fn wait(&mut self, begin: Instant, patience: Duration) -> Option<(Round, usize)> {
        loop {
            let left = patience.checked_sub(begin.elapsed())?;
            let message = self.messages.recv_timeout(left).ok()?;
            match message.content {
                Content::Round(round) if round.number == self.number => {
                    return Some((*round, message.bytes));
                }
                other => self.note(other),
            }
        }
    }

    fn note(&mut self, message: Content) {
        let Content::Registration(new) = message else {
            return;
        };
        self.reached = Some(new.manager);
        let is_known = self
            .members()
            .any(|member| member.address == new.member.address);
        if !is_known {
            self.news.push(MemberState::Joined(new.member.clone()));
            self.members.push((new.member, 0));
            self.members.sort_by(|(a, _), (b, _)| a.node.cmp(&b.node));
        }
    }

    /// A request was lost on its way: an agent has ended with it. Those that do not answer now are
    /// taken for it.
    fn find_silent(&mut self, route: &[Member]) {
        let silent = route.iter().enumerate().filter(|(_, member)| {
            std::net::TcpStream::connect_timeout(&member.address, Duration::from_millis(200))
                .is_err()
        });
        let silent: Vec<usize> = silent.map(|(index, _)| index).collect();
        self.judge(route, &silent);
    }

    fn judge(&mut self, route: &[Member], skipped: &[usize]) {
        for (index, member) in route.iter().enumerate() {
            let Some(at) = self.members.iter().position(|(known, _)| known == member) else {
                continue;
            };
            let missed = &mut self.members[at].1;
            *missed = if skipped.contains(&index) {
                *missed + 1
            } else {
                0
            };
            if *missed >= MISSED {
                self.members.remove(at);
                self.news.push(MemberState::Lost(member.clone()));
            }
        }
    }

    /// Lets the threads of all nodes keep more metrics. Returns the nodes that did not take them.
    pub fn keep(&mut self, definitions: &str, functions: &str) -> Vec<String> {
        self.number += 1;
        let new = NewMetrics {
            number: self.number,
            definitions: definitions.to_owned(),
            functions: functions.to_owned(),
        };
        let members: Vec<Member> = self.members().cloned().collect();
        let refused = members
            .into_iter()
            .filter(|member| !self.client.send(member.address, METRICS, &new));
        refused.map(|member| member.node).collect()
    }

    /// Tells all agents that the run has ended.
    pub fn end(mut self) {
        self.number += 1;
        let members: Vec<Member> = self.members().cloned().collect();
        for member in members {
            let number = self.number;
            self.client.send(member.address, END, &End { number });
        }
    }
}

/// Members of the route that took the request and could look at their pages.
fn nodes_of(round: &Round) -> u32 {
    let without = round.skipped.len() + round.problems.len();
    u32::try_from(round.route.len().saturating_sub(without)).unwrap_or(u32::MAX)
}

fn since_1970() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(now.as_nanos()).unwrap_or(u64::MAX)
}
