//! Wire between processes of one machine: a pair of Unix domain sockets for each two.
//!
//! A sender writes itself as long as the socket takes all. What it does not take is left to a
//! thread, so that a task never waits for another process to read.

use std::io::{BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;

use parking_lot::{Condvar, Mutex};
use rustix::net::{SendFlags, send};

use crate::remote::wire::{Arrive, HEAD, Wire};

/// Sockets to all processes.
pub(crate) struct Sockets {
    links: Vec<Option<Arc<Link>>>,
}

struct Link {
    socket: UnixStream,
    left: Mutex<Left>,
    changed: Condvar,
}

/// What the socket did not take at once.
#[derive(Default)]
struct Left {
    bytes: Vec<u8>,
    /// The thread that writes is writing.
    writing: bool,
    gone: bool,
}

impl Sockets {
    /// A socket for each process; none for this one.
    pub fn new(sockets: Vec<Option<UnixStream>>) -> Self {
        let link = |socket| {
            Arc::new(Link {
                socket,
                left: Mutex::default(),
                changed: Condvar::new(),
            })
        };
        Self {
            links: sockets.into_iter().map(|socket| socket.map(link)).collect(),
        }
    }
}

impl Link {
    fn send(&self, frame: &[u8]) {
        let mut left = self.left.lock();
        if left.gone {
            return;
        }
        let sent = if left.bytes.is_empty() && !left.writing {
            send(
                &self.socket,
                frame,
                SendFlags::DONTWAIT | SendFlags::NOSIGNAL,
            )
            .unwrap_or(0)
        } else {
            0
        };
        if sent < frame.len() {
            left.bytes.extend_from_slice(&frame[sent..]);
            self.changed.notify_all();
        }
    }

    /// Writes what is left over, until the other process is gone.
    fn write(&self) {
        let mut left = self.left.lock();
        loop {
            if left.bytes.is_empty() {
                self.changed.wait(&mut left);
                continue;
            }
            let bytes = std::mem::take(&mut left.bytes);
            left.writing = true;
            drop(left);
            let written = (&self.socket).write_all(&bytes);
            left = self.left.lock();
            left.writing = false;
            left.gone = written.is_err();
            self.changed.notify_all();
            if left.gone {
                left.bytes.clear();
                return;
            }
        }
    }

    fn read(&self, from: u32, arrive: &Arrive) {
        let mut socket = BufReader::with_capacity(1 << 16, &self.socket);
        let mut frame = Vec::new();
        while read_frame(&mut socket, &mut frame).is_ok() {
            arrive.take(from, &frame);
        }
        arrive.lost(from);
    }
}

fn read_frame(socket: &mut impl Read, frame: &mut Vec<u8>) -> std::io::Result<()> {
    let mut head = [0; HEAD];
    socket.read_exact(&mut head)?;
    frame.resize(u64::from_le_bytes(head) as usize, 0);
    socket.read_exact(frame)
}

impl Wire for Sockets {
    fn send(&self, to: u32, mut frame: Vec<u8>) {
        let bytes = (frame.len() - HEAD) as u64;
        frame[..HEAD].copy_from_slice(&bytes.to_le_bytes());
        if let Some(link) = &self.links[to as usize] {
            link.send(&frame);
        }
    }

    fn listen(&self, arrive: Arrive) {
        for (from, link) in self.links.iter().enumerate() {
            let Some(link) = link else { continue };
            let (reading, arrive) = (Arc::clone(link), Arc::clone(&arrive));
            thread::spawn(move || reading.read(from as u32, &arrive));
            let writing = Arc::clone(link);
            thread::spawn(move || writing.write());
        }
    }

    fn flush(&self) {
        for link in self.links.iter().flatten() {
            let mut left = link.left.lock();
            while !left.gone && (left.writing || !left.bytes.is_empty()) {
                link.changed.wait(&mut left);
            }
        }
    }
}
