//! Sampling of a run on several nodes: each has an [`Agent`], and the manager's [`Ring`] sends a
//! request to the first of them. It travels from agent to agent, each adds its part, and the last
//! one sends it back. N + 1 one-way messages take the place of 2 N, no node has more load than
//! others, and the time of the round shows the load of the line.
//!
//! Messages are HTTP requests over TCP, with a body in the format of postcard and the signature of
//! the body (HMAC-SHA256, RFC 2104) by the [`Secret`] of the run: others get no answer but 401. What
//! is sent can be read on the network, but not changed or sent again: each request has a number that
//! an agent takes once.

mod agent;
mod client;
mod manager;
mod message;
mod secret;
mod selection;
mod server;

pub use agent::{Agent, Node};
pub use manager::{Answer, MemberState, Ring, RingError};
pub use message::{Member, Message, Refused};
pub use secret::{Secret, SecretError};
pub use selection::Selection;
