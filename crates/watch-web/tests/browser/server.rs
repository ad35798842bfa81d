//! Fake server of the page on a port of its own: the test decides what it has and what it sends,
//! and can break its connections. It ends with the value.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

pub const TOKEN: &str = "2f9c";

#[derive(Default)]
struct Shared {
    picture: Option<Value>,
    points: Vec<Value>,
    /// Connections that get events.
    listeners: Vec<TcpStream>,
    /// Whether connections are closed without an answer.
    is_down: bool,
    is_over: bool,
    refused: usize,
}

pub struct Server {
    port: u16,
    shared: Arc<Mutex<Shared>>,
}

impl Server {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Mutex::new(Shared::default()));
        let of_thread = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if locked(&of_thread).is_over {
                    return;
                }
                let shared = Arc::clone(&of_thread);
                std::thread::spawn(move || serve(stream, &shared));
            }
        });
        Server { port, shared }
    }

    pub fn address(&self, token: &str) -> String {
        format!("http://127.0.0.1:{}/?token={token}", self.port)
    }

    /// What a page gets that is opened from now on.
    pub fn have(&self, picture: &Value, points: Vec<Value>) {
        let mut shared = locked(&self.shared);
        shared.picture = Some(picture.clone());
        shared.points = points;
    }

    /// A new period, for open pages and later ones.
    pub fn show(&self, picture: &Value) {
        locked(&self.shared).picture = Some(picture.clone());
        self.send("picture", picture);
    }

    pub fn send(&self, event: &str, data: &Value) {
        let text = format!("event: {event}\ndata: {data}\n\n");
        let mut shared = locked(&self.shared);
        shared
            .listeners
            .retain_mut(|stream| stream.write_all(text.as_bytes()).is_ok());
    }

    pub fn listeners(&self) -> usize {
        locked(&self.shared).listeners.len()
    }

    /// Requests without the right token.
    pub fn refused(&self) -> usize {
        locked(&self.shared).refused
    }

    /// Breaks all connections, and accepts no others until [`Server::come_back`].
    pub fn break_connections(&self) {
        let mut shared = locked(&self.shared);
        shared.is_down = true;
        for stream in shared.listeners.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub fn come_back(&self) {
        locked(&self.shared).is_down = false;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.break_connections();
        locked(&self.shared).is_over = true;
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn locked(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers one request.
fn serve(mut stream: TcpStream, shared: &Mutex<Shared>) {
    let Some(target) = target(&stream) else {
        return;
    };
    if locked(shared).is_down {
        return;
    }
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    if query != format!("token={TOKEN}") && path != "/" {
        locked(shared).refused += 1;
        return answer(&mut stream, "403 Forbidden", "text/plain", "no");
    }
    match path {
        "/" => answer(&mut stream, "200 OK", "text/html", &pgas_watch_web::page()),
        "/api/1/picture" => match locked(shared).picture.clone() {
            Some(picture) => answer_json(&mut stream, &picture),
            None => answer(&mut stream, "204 No Content", "text/plain", ""),
        },
        "/api/1/history" => {
            let points = locked(shared).points.clone();
            answer_json(&mut stream, &json!({ "schema": 1, "points": points }));
        }
        "/api/1/changes" => {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\
                        Cache-Control: no-store\r\nConnection: close\r\n\r\nretry: 200\n\n";
            if stream.write_all(head.as_bytes()).is_ok() {
                locked(shared).listeners.push(stream);
            }
        }
        _ => answer(&mut stream, "404 Not Found", "text/plain", "no"),
    }
}

/// The target of the request, whose head is read to its end.
fn target(stream: &TcpStream) -> Option<String> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next()?.ok()?;
    let target = first.split(' ').nth(1)?.to_owned();
    let _ = lines.map_while(Result::ok).find(|line| line.is_empty());
    Some(target)
}

fn answer_json(stream: &mut TcpStream, value: &Value) {
    answer(stream, "200 OK", "application/json", &value.to_string());
}

fn answer(stream: &mut TcpStream, status: &str, kind: &str, body: &str) {
    let policy = pgas_watch_web::policy();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n\
         Content-Security-Policy: {policy}; frame-ancestors 'none'\r\nConnection: close\r\n\r\n",
        body.len()
    );
    // A browser that has gone away is no concern of a test.
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(body.as_bytes());
}
