//! Several processes that run one program: what they send each other, and how they end together.
//!
//! Each is a [`Node`]. Between two of them is a link, on which frames arrive in order. A channel
//! lives in one process, its home; outputs elsewhere are proxies, which send to an object of
//! another process: the home, or what was the home before its input moved and passes all on.
//!
//! A proxy in process B that came from process A may send before what A sent earlier has arrived.
//! Therefore its frames say how many frames from A must have been accepted before them
//! ([`frame::After`]), and a link waits until that is so. This is causal, so links cannot wait for
//! each other in a circle. It keeps the order of messages if an output is handed on, and keeps the
//! count of outputs from reaching zero too early.

pub(crate) mod detector;
pub(crate) mod frame;
pub(crate) mod join;
pub(crate) mod launch;
#[cfg(feature = "mpi")]
mod mpi_wire;
pub(crate) mod node;
mod objects;
mod sockets;
pub(crate) mod wire;

pub(crate) use node::{Local, Node, destination, node, pack};
pub(crate) use objects::{Address, Object};
