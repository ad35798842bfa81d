//! A server of one page, for a browser on another machine: it listens on this machine's own address
//! alone, and what does not know the random part of the address gets nothing.

use crate::failure::Failure;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often it is looked whether the server is to end.
const TURN: Duration = Duration::from_millis(50);
/// A browser that has not asked after so long, or takes nothing, is given up.
const PATIENCE: Duration = Duration::from_secs(10);
/// A longer request is none of a browser.
const LONGEST_REQUEST: usize = 16 << 10;
/// Connections at the same time. One more takes the place of that which has kept us waiting for its
/// question longest.
const MOST_CONNECTIONS: usize = 32;

/// A page that waits for browsers.
pub struct Server {
    listener: TcpListener,
    content: Arc<Content>,
}

/// The page, the secret token in its path, and the open connections.
struct Content {
    token: String,
    page: String,
    connections: Mutex<Connections>,
}

/// Connections that are open.
#[derive(Default)]
struct Connections {
    next: u64,
    open: usize,
    /// Those that have not asked yet, in the order in which they came.
    waiting: BTreeMap<u64, TcpStream>,
}

impl Server {
    /// Takes `port`, or any that is free for 0.
    ///
    /// # Errors
    /// If the port is taken.
    pub fn new(port: u16, page: String) -> Result<Self, Failure> {
        let taken = |error: io::Error| {
            Failure::new(format!(
                "cannot listen on port {port} of 127.0.0.1: {error}"
            ))
            .help("`--serve` without a port takes one that is free")
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(taken)?;
        listener.set_nonblocking(true)?;
        let mut random = [0u8; 16];
        File::open("/dev/urandom")?.read_exact(&mut random)?;
        let token = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let content = Content {
            token,
            page,
            connections: Mutex::default(),
        };
        Ok(Server {
            listener,
            content: Arc::new(content),
        })
    }

    pub fn port(&self) -> io::Result<u16> {
        Ok(self.listener.local_addr()?.port())
    }

    pub fn address(&self) -> io::Result<String> {
        Ok(format!(
            "http://127.0.0.1:{}/{}/",
            self.port()?,
            self.content.token
        ))
    }

    /// Answers until `stop`. An answer that is not complete then is cut off with the end of this
    /// process.
    pub fn run(&self, stop: impl Fn() -> bool) {
        while !stop() {
            let Ok((stream, _)) = self.listener.accept() else {
                std::thread::sleep(TURN);
                continue;
            };
            // One for which there is no place is closed.
            let Some(number) = self.content.admit(&stream) else {
                continue;
            };
            let content = Arc::clone(&self.content);
            std::thread::spawn(move || {
                // A browser that went away needs no answer.
                let _ = content.answer(stream, number);
                let mut connections = content.connections();
                connections.waiting.remove(&number);
                connections.open -= 1;
            });
        }
    }
}

impl Content {
    fn connections(&self) -> MutexGuard<'_, Connections> {
        self.connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes place for a connection, and returns its number; `None` if all others are being
    /// answered.
    fn admit(&self, stream: &TcpStream) -> Option<u64> {
        let mut connections = self.connections();
        if connections.open >= MOST_CONNECTIONS {
            let (_, slow) = connections.waiting.pop_first()?;
            // Its thread ends then, and counts it out.
            let _ = slow.shutdown(Shutdown::Both);
        }
        let number = connections.next;
        connections.waiting.insert(number, stream.try_clone().ok()?);
        connections.next += 1;
        connections.open += 1;
        Some(number)
    }

    fn answer(&self, mut stream: TcpStream, number: u64) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let request = read_request(&mut stream)?;
        self.connections().waiting.remove(&number);
        let mut words = request.lines().next().unwrap_or_default().split(' ');
        let (method, target) = (words.next(), words.next().unwrap_or_default());
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let is_page = path.strip_prefix('/').and_then(|p| p.strip_suffix('/')) == Some(&self.token);
        let (status, kind, body) = match (method, is_page) {
            (Some("GET" | "HEAD"), true) => ("200 OK", "text/html; charset=utf-8", &*self.page),
            (Some("GET" | "HEAD"), false) => {
                ("404 Not Found", "text/plain", "There is nothing here.\n")
            }
            _ => (
                "405 Method Not Allowed",
                "text/plain",
                "Only GET and HEAD are known.\n",
            ),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: \
             no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: \
             no-referrer\r\nAllow: GET, HEAD\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes())?;
        if method != Some("HEAD") {
            stream.write_all(body.as_bytes())?;
        }
        stream.flush()
    }
}

/// The head of a request.
fn read_request(stream: &mut TcpStream) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut part = [0; 1024];
    let begin = Instant::now();
    while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
        // For the whole of it: one byte now and then keeps nobody waiting for ever.
        let left = PATIENCE.saturating_sub(begin.elapsed());
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        let count = stream.read(&mut part)?;
        if count == 0 || bytes.len() + count > LONGEST_REQUEST {
            return Err(ErrorKind::InvalidData.into());
        }
        bytes.extend_from_slice(&part[..count]);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
