//! The agent of a node: adds what the node sees to each request, and sends it on.

use std::io;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use pgas_monitor::NodePart;
use serde::de::DeserializeOwned;

use crate::client::Client;
use crate::message::{END, End, METRICS, Member, NewMetrics, REGISTER, ROUND, Registration, Round};
use crate::secret::Secret;
use crate::selection::{self, Selection};
use crate::server::{Received, Server};

/// Time between two registrations: a manager that has lost the agent takes it in again.
const REGISTRATIONS: Duration = Duration::from_secs(2);

/// What an agent does on its node.
pub trait Node {
    /// What the threads on this node do now, and did since the last call.
    ///
    /// # Errors
    /// If their pages cannot be read.
    fn look(&mut self) -> io::Result<NodePart>;

    /// Lets the threads keep more metrics: definitions, and functions that these name.
    fn keep(&mut self, definitions: &str, functions: &str);

    /// Whether the program has ended on this node.
    fn is_over(&mut self) -> bool;
}

/// See the module.
pub struct Agent {
    member: Member,
    manager: SocketAddr,
    client: Client,
    messages: Receiver<Received>,
    /// Number of the last request: each is taken once.
    last: u64,
    _server: Server,
}

impl Agent {
    /// An agent of a node, which listens at `address` (port 0: one that is free).
    ///
    /// # Errors
    /// If it cannot listen there.
    pub fn start(
        node: &str,
        address: SocketAddr,
        manager: SocketAddr,
        secret: &Secret,
    ) -> io::Result<Self> {
        let (sender, messages) = channel();
        let server = Server::start(address, secret.clone(), sender)?;
        Ok(Agent {
            member: Member {
                node: node.to_owned(),
                address: server.address,
            },
            manager,
            client: Client::new(secret.clone()),
            messages,
            last: 0,
            _server: server,
        })
    }

    /// Works until the manager says that the run has ended, or the program has ended on this node.
    pub fn work(mut self, node: &mut impl Node) {
        let mut registered = None::<Instant>;
        loop {
            if registered.is_none_or(|at| at.elapsed() >= REGISTRATIONS) {
                if node.is_over() {
                    return;
                }
                let (member, manager) = (self.member.clone(), self.manager);
                let registration = Registration { member, manager };
                self.client.send(manager, REGISTER, &registration);
                registered = Some(Instant::now());
            }
            match self.messages.recv_timeout(REGISTRATIONS) {
                Ok(message) if self.is_end(&message) => return,
                Ok(message) => self.handle(&message, node),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn is_end(&mut self, message: &Received) -> bool {
        message.path == END && read::<End>(message).is_some_and(|end| self.is_new(end.number))
    }

    fn is_new(&mut self, number: u64) -> bool {
        let is_new = number > self.last;
        self.last = self.last.max(number);
        is_new
    }

    fn handle(&mut self, message: &Received, node: &mut impl Node) {
        match &*message.path {
            METRICS => {
                if let Some(new) = read::<NewMetrics>(message).filter(|new| self.is_new(new.number))
                {
                    node.keep(&new.definitions, &new.functions);
                }
            }
            ROUND => {
                if let Some(mut round) =
                    read::<Round>(message).filter(|one| self.is_new(one.number))
                {
                    self.add(&mut round, node);
                    self.send_on(round);
                }
            }
            _ => {}
        }
    }

    fn add(&self, round: &mut Round, node: &mut impl Node) {
        let part = match node.look() {
            Ok(part) => part,
            Err(error) => {
                round
                    .problems
                    .push(format!("{}: {error}", self.member.node));
                return;
            }
        };
        match &round.what {
            Selection::Picture => round.parts.push(part),
            Selection::Cells {
                level,
                object,
                metric,
            } => {
                let (object, metric) = (object.as_deref(), metric.as_deref());
                selection::add(&mut round.cells, &part.seen, *level, object, metric);
            }
        }
    }

    /// To the next member that takes it, else back to the manager.
    fn send_on(&mut self, round: Round) {
        send_to_next(&mut self.client, round);
    }
}

/// Sends a request to the next member that takes it, or back to the manager after the last one.
pub(crate) fn send_to_next(client: &mut Client, mut round: Round) -> bool {
    while round.done < round.route.len() {
        let next = round.route[round.done].address;
        round.done += 1;
        if client.send(next, ROUND, &round) {
            return true;
        }
        round.skipped.push(round.done - 1);
    }
    client.send(round.manager, ROUND, &round)
}

pub(crate) fn read<T: DeserializeOwned>(message: &Received) -> Option<T> {
    postcard::from_bytes(&message.body).ok()
}
