//! The agent of a node: adds what the node sees to each request, and sends it on.

use std::io;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use pgas_monitor::NodePart;

use crate::client::Client;
use crate::message::{Content, Member, Message, REGISTER, ROUND, Registration, Round};
use crate::secret::Secret;
use crate::selection::Selection;
use crate::server::Server;

/// Time between two registrations: a manager that has lost the agent takes it in again.
const REGISTRATIONS: Duration = Duration::from_secs(2);

/// What an agent does on its node.
pub trait Node {
    /// What the threads on this node do now, and did since the last call.
    ///
    /// # Errors
    /// If their pages cannot be read.
    fn look(&mut self) -> io::Result<NodePart>;

    /// The same, but the next call of [`Node::look`] does not begin here.
    ///
    /// # Errors
    /// As [`Node::look`].
    fn peek(&mut self) -> io::Result<NodePart>;

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
    messages: Receiver<Message>,
    /// Number of the last request: each is taken once.
    last: u64,
    _server: Server,
}

/// Whether the agent goes on.
enum Turn {
    Next,
    End,
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
                Ok(message) => match self.handle(message.content, node) {
                    Turn::Next => {}
                    Turn::End => return,
                },
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn is_new(&mut self, number: u64) -> bool {
        let is_new = number > self.last;
        self.last = self.last.max(number);
        is_new
    }

    fn handle(&mut self, message: Content, node: &mut impl Node) -> Turn {
        match message {
            Content::End(end) if self.is_new(end.number) => return Turn::End,
            Content::Metrics(new) if self.is_new(new.number) => {
                node.keep(&new.definitions, &new.functions);
            }
            Content::Round(mut round) if self.is_new(round.number) => {
                self.add(&mut round, node);
                send_to_next(&self.client, *round);
            }
            _ => {}
        }
        Turn::Next
    }

    fn add(&self, round: &mut Round, node: &mut impl Node) {
        let part = match &round.what {
            Selection::Picture => node.look(),
            Selection::Cells(_) => node.peek(),
        };
        match (part, &round.what) {
            (Ok(part), Selection::Picture) => round.parts.push(part),
            (Ok(part), Selection::Cells(wanted)) => round.cells.add(part.seen, wanted),
            (Err(error), _) => {
                let problem = format!("{}: {error}", self.member.node);
                round.problems.push(problem);
            }
        }
    }
}

/// Sends a request to the next member that takes it, or back to the manager after the last one.
pub(crate) fn send_to_next(client: &Client, mut round: Round) -> bool {
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
