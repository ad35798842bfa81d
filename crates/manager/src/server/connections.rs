//! Connections to the server, limited in number: those that have not shown the token make room for
//! new ones, so that silent clients neither use up the descriptors of the process nor stop others.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Connections that have not shown the token yet, at most.
const MOST_UNKNOWN: usize = 64;
/// Those that have, at most.
const MOST_KNOWN: usize = 192;
/// Time in which a connection must show the token.
const PATIENCE: Duration = Duration::from_secs(10);

/// Accepts connections.
pub(super) struct Limited {
    listener: TcpListener,
    unknown: Unknown,
    known: Arc<AtomicUsize>,
}

/// Connections that have not shown the token, the oldest first.
type Unknown = Arc<Mutex<VecDeque<Entry>>>;

struct Entry {
    state: Arc<State>,
    /// Dropped, it ends the connection.
    _end: oneshot::Sender<()>,
}

struct State {
    is_known: AtomicBool,
    unknown: Unknown,
    known: Arc<AtomicUsize>,
}

/// A connection, for the requests that come over it.
#[derive(Clone)]
pub(super) struct Connection(Arc<State>);

/// A stream that ends when another connection needs its place.
pub(super) struct Stream {
    stream: TcpStream,
    state: Arc<State>,
    end: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// `end` has come, and must not be polled again.
    has_ended: bool,
}

impl Limited {
    pub(super) fn new(listener: TcpListener) -> Self {
        Limited {
            listener,
            unknown: Unknown::default(),
            known: Arc::default(),
        }
    }

    fn stream(&self, stream: TcpStream) -> Stream {
        // Small events must not wait for the next ones.
        let _ = stream.set_nodelay(true);
        let (end, ended) = oneshot::channel();
        let state = Arc::new(State {
            is_known: AtomicBool::new(false),
            unknown: Arc::clone(&self.unknown),
            known: Arc::clone(&self.known),
        });
        let mut unknown = lock(&self.unknown);
        if unknown.len() == MOST_UNKNOWN {
            unknown.pop_front();
        }
        unknown.push_back(Entry {
            state: Arc::clone(&state),
            _end: end,
        });
        Stream {
            stream,
            state,
            end: Box::pin(async {
                // Time has passed, or the other end was dropped.
                let _ = timeout(PATIENCE, ended).await;
            }),
            has_ended: false,
        }
    }
}

impl Listener for Limited {
    type Io = Stream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Stream, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        (self.stream(stream), address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, Limited>> for Connection {
    fn connect_info(incoming: IncomingStream<'_, Limited>) -> Self {
        Connection(Arc::clone(&incoming.io().state))
    }
}

impl Connection {
    /// Notes that a request has shown the token. False if there are too many such connections.
    pub(super) fn has_shown_token(&self) -> bool {
        let state = &self.0;
        if state.is_known.load(Ordering::Relaxed) {
            return true;
        }
        // Connections are served by one thread, so that nobody else adds one meanwhile.
        if state.known.load(Ordering::Relaxed) >= MOST_KNOWN {
            return false;
        }
        state.known.fetch_add(1, Ordering::Relaxed);
        state.is_known.store(true, Ordering::Relaxed);
        state.leave();
        true
    }
}

impl State {
    /// No longer one of the unknown.
    fn leave(&self) {
        lock(&self.unknown).retain(|entry| !std::ptr::eq(&*entry.state, self));
    }
}

impl Stream {
    /// An error if the stream has to end.
    fn check(&mut self, context: &mut Context) -> io::Result<()> {
        if self.state.is_known.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.has_ended = self.has_ended || self.end.as_mut().poll(context).is_ready();
        match self.has_ended {
            false => Ok(()),
            true => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        match self.state.is_known.load(Ordering::Relaxed) {
            true => drop(self.state.known.fetch_sub(1, Ordering::Relaxed)),
            false => self.state.leave(),
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

fn lock(unknown: &Unknown) -> MutexGuard<'_, VecDeque<Entry>> {
    unknown.lock().unwrap_or_else(PoisonError::into_inner)
}
