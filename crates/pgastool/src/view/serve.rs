//! A server of one page, for a browser on another machine: it listens on this machine's own address alone, and what does
//! not know the random part of the address gets nothing.

use crate::failure::Failure;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked whether the server is to end.
const TURN: Duration = Duration::from_millis(50);
/// A browser that says nothing for so long, or takes nothing, is given up.
const PATIENCE: Duration = Duration::from_secs(10);
/// A longer request is none of a browser.
const LONGEST_REQUEST: usize = 16 << 10;
/// Browsers that are answered at the same time.
const MOST_CONNECTIONS: usize = 32;

/// A page that waits for browsers.
pub struct Server {
    listener: TcpListener,
    content: Arc<Content>,
}

/// What is served, and the path that it is served at.
struct Content {
    token: String,
    page: String,
    connections: AtomicUsize,
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
            connections: AtomicUsize::new(0),
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

    /// Answers until `stop`. Whoever is being answered then has no more than the end of this process.
    pub fn run(&self, stop: impl Fn() -> bool) {
        while !stop() {
            let connections = &self.content.connections;
            match self.listener.accept() {
                Ok((stream, _)) if connections.load(Ordering::Relaxed) < MOST_CONNECTIONS => {
                    connections.fetch_add(1, Ordering::Relaxed);
                    let content = Arc::clone(&self.content);
                    std::thread::spawn(move || {
                        // A browser that went away needs no answer.
                        let _ = content.answer(stream);
                        content.connections.fetch_sub(1, Ordering::Relaxed);
                    });
                }
                // One too many is closed.
                Ok(_) => {}
                Err(_) => std::thread::sleep(TURN),
            }
        }
    }
}

impl Content {
    fn answer(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let request = read_request(&mut stream)?;
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
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nAllow: GET, HEAD\r\n\
             Connection: close\r\n\r\n",
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
    while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
        let count = stream.read(&mut part)?;
        if count == 0 || bytes.len() + count > LONGEST_REQUEST {
            return Err(ErrorKind::InvalidData.into());
        }
        bytes.extend_from_slice(&part[..count]);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
