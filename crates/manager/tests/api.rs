//! Responses of the manager to HTTP clients.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use pgas_base::models::Words;
use pgas_manager::{Fresh, Manager, Options, Question};
use pgas_monitor::{Cells, Picture};
use pgas_search::{Change, Claim, Finding};
use serde_json::Value;

mod sample;
#[path = "sample/tasks.rs"]
mod sample_tasks;

const PAGE: &str = "<!doctype html><script>follow()</script>";

fn manager() -> Manager {
    Manager::start(Options {
        page: PAGE.to_owned(),
        words: Words::of(&[]),
        port: 0,
        questions: None,
    })
    .unwrap()
}

/// A manager after `seconds` of a run with 8 threads on 2 nodes.
fn manager_after(seconds: u32) -> Manager {
    let manager = manager();
    for second in 1..=seconds {
        manager.add(sample::picture(second, 8), Vec::new(), Vec::new());
    }
    manager
}

fn finding() -> Finding {
    Finding {
        claim: Claim::Kind {
            activity: "waiting",
            kind: "point_to_point",
        },
        share: 0.25,
        known_after: 5.0,
        pattern: None,
        evidence: None,
        meanwhile: None,
    }
}

/// Status, headers and body of an answer.
struct Answer {
    status: u16,
    headers: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{}", self.body))
    }

    /// An error with a hint.
    fn error(&self) -> (u16, String, String) {
        let json = self.json();
        check("error", &json);
        let text = |name: &str| json[name].as_str().unwrap().to_owned();
        (self.status, text("error"), text("expected"))
    }
}

fn send(address: SocketAddr, request: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    answer(&mut stream)
}

fn answer(stream: &mut TcpStream) -> Answer {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (headers, body) = text
        .split_once("\r\n\r\n")
        .unwrap_or_else(|| panic!("{text}"));
    Answer {
        status: headers.split(' ').nth(1).unwrap().parse().unwrap(),
        headers: headers.to_lowercase(),
        body: body.to_owned(),
    }
}

fn request(manager: &Manager, path: &str) -> String {
    let (address, token) = (manager.address(), manager.token());
    format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
         Connection: close\r\n\r\n"
    )
}

fn get(manager: &Manager, path: &str) -> Answer {
    send(manager.address(), &request(manager, path))
}

fn schema(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// A value is what this definition of the schema says.
fn check(definition: &str, value: &Value) {
    let mut schema = schema(include_str!("../../../docs/schema/manager-1.json"));
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validate(&schema, value).unwrap();
    schema["anyOf"] = serde_json::json!([{ "$ref": format!("#/$defs/{definition}") }]);
    jsonschema::validate(&schema, value).unwrap_or_else(|error| panic!("{error}: {value}"));
}

fn check_picture(value: &Value) {
    let schema = schema(include_str!("../../../docs/schema/watch-1.json"));
    jsonschema::validate(&schema, value).unwrap_or_else(|error| panic!("{error}"));
}

/// A number of a matrix, in one of its tables.
fn number(matrix: &Value, table: &str, object: &str, metric: &str) -> Option<f64> {
    let find = |all: &Value, wanted: &dyn Fn(&Value) -> bool| {
        let all = all.as_array().unwrap();
        all.iter()
            .position(wanted)
            .unwrap_or_else(|| panic!("{object} {metric}"))
    };
    let row = find(&matrix["objects"], &|name| name == object);
    let column = find(&matrix["metrics"], &|one| one["name"] == metric);
    matrix[table][row][column].as_f64()
}

fn matrix(manager: &Manager, level: &str) -> Value {
    let answer = get(manager, &format!("/api/1/matrices?level={level}")).json();
    check("matrices", &answer);
    assert_eq!(answer["matrices"].as_array().unwrap().len(), 1);
    answer["matrices"][0].clone()
}

fn about(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!(
        (found - expected).abs() < 1e-9 * expected.abs().max(1.0),
        "{found} {expected}"
    );
}

#[test]
fn the_last_picture_has_the_findings() {
    let manager = manager();
    let answer = get(&manager, "/api/1/picture");
    assert_eq!((answer.status, &*answer.body), (204, ""));
    for second in 1..=2 {
        manager.add(sample::picture(second, 8), vec![finding()], Vec::new());
    }
    let picture = get(&manager, "/api/1/picture").json();
    check_picture(&picture);
    assert_eq!(picture["elapsed"], 2.0);
    assert_eq!(picture["now"][5]["node"], "node1");
    assert_eq!(picture["findings"][0]["kind"], "point_to_point");
}

#[test]
fn levels_sum_average_and_take_the_maximum_of_those_below() {
    let manager = manager_after(3);
    let process = matrix(&manager, "process");
    let object = "node1/4712";
    about(number(&process, "values", object, "waiting"), 0.5);
    about(number(&process, "sums", object, "waiting.barrier"), 0.5);
    about(number(&process, "means", object, "waiting.barrier"), 0.25);
    about(number(&process, "maxima", object, "computing"), 0.9);
    about(number(&process, "values", object, "efficiency"), 0.65);
    let node = matrix(&manager, "node");
    about(number(&node, "sums", "node0", "waiting"), 1.0);
    about(number(&node, "means", "node0", "waiting"), 0.5);
    about(number(&node, "values", "node1", "bytes.near"), 4000.0);
    let system = matrix(&manager, "system");
    about(number(&system, "values", "system", "calls"), 120.0);
    about(number(&system, "totals", "system", "waiting"), 6.0);
    about(
        number(&system, "values", "system", "metric.particles"),
        28.0,
    );
    about(
        number(&system, "maxima", "system", "metric.particles"),
        22.0,
    );
    assert_eq!(number(&system, "totals", "system", "efficiency"), None);
    let thread = matrix(&manager, "thread");
    assert_eq!(thread["objects_above"][7], "node1/4712");
    assert!(thread.get("sums").is_none());
}

#[test]
fn operations_paths_and_locks_are_matrices_too() {
    let manager = manager_after(2);
    let all = get(&manager, "/api/1/matrices").json();
    check("matrices", &all);
    assert_eq!(all["matrices"].as_array().unwrap().len(), 20);
    let operation = matrix(&manager, "operation");
    let name = "waiting.barrier: upc_barrier at heat.upc:12";
    about(number(&operation, "totals", name, "seconds"), 4.0);
    let activity = matrix(&manager, "activity");
    about(number(&activity, "values", "computing", "seconds"), 5.2);
    about(number(&activity, "sums", "communicating", "bytes"), 8000.0);
    let path = matrix(&manager, "path");
    about(
        number(&path, "values", "main at heat.upc:50", "threads"),
        8.0,
    );
    let inner = "main at heat.upc:50 > step at heat.upc:21";
    about(number(&path, "values", inner, "waiting"), 4.0);
    about(number(&path, "totals", inner, "seconds"), 8.0);
    let lock = matrix(&manager, "lock");
    about(number(&lock, "values", "0x7", "holder"), 0.0);
    about(number(&lock, "values", "0x7", "waiting"), 4.0);
    about(number(&lock, "values", "0x7", "longest"), 0.25);
}

/// Values as they are now, from somebody who sees the last picture of a run with 8 threads.
fn manager_that_is_asked() -> Manager {
    let (ask, questions) = mpsc::sync_channel::<Question>(1);
    let manager = Manager::start(Options {
        page: PAGE.to_owned(),
        words: Words::of(&[]),
        port: 0,
        questions: Some(ask),
    })
    .unwrap();
    manager.add(sample::picture(1, 8), Vec::new(), Vec::new());
    std::thread::spawn(move || {
        for question in questions {
            let mut cells = Cells::default();
            for now in &sample::picture(1, 8).now {
                cells.add_thread(now, 1.0, &question.wanted);
            }
            question.answer(Fresh { cells, ring: None });
        }
    });
    manager
}

#[test]
fn values_of_now_are_those_of_the_period_that_ends_now() {
    let manager = manager_that_is_asked();
    let one = get(
        &manager,
        "/api/1/now?level=node&object=node1&metric=waiting",
    )
    .json();
    check("now", &one);
    let cell = serde_json::json!({
        "level": "node", "object": "node1", "metric": "waiting",
        "threads": 4, "sum": 1.0, "mean": 0.25, "max": 0.5
    });
    assert_eq!(one["cells"], serde_json::json!([cell]));
    let all = get(&manager, "/api/1/matrices").json();
    for kind in ["location", "operation", "path", "lock"] {
        let now = get(&manager, &format!("/api/1/now?kind={kind}")).json();
        check("now", &now);
        for cell in now["cells"].as_array().unwrap() {
            let levels = all["matrices"].as_array().unwrap();
            let mut levels = levels.iter();
            let matrix = levels.find(|one| one["level"] == cell["level"]).unwrap();
            let [object, metric] = ["object", "metric"].map(|name| cell[name].as_str().unwrap());
            let value = if metric == "longest" { "max" } else { "sum" };
            let value = cell[value].as_f64().unwrap();
            about(number(matrix, "values", object, metric), value);
        }
    }
}

#[test]
fn questions_that_nobody_can_answer_are_explained() {
    let asked = manager_that_is_asked();
    let (status, error, expected) = get(&asked, "/api/1/now?level=node&object=n").error();
    assert_eq!(status, 404, "{error}");
    assert!(expected.contains("node0, node1"), "{expected}");
    let (status, error, _) = get(&asked, "/api/1/now?level=node&kind=lock").error();
    assert_eq!(status, 400, "{error}");
    let (status, error, expected) = get(&manager_after(1), "/api/1/now").error();
    assert_eq!(status, 503, "{error}");
    assert!(expected.contains("/api/1/matrices"), "{expected}");
}

#[test]
fn history_has_the_system_or_what_a_query_selects() {
    let manager = manager_after(700);
    let history = get(&manager, "/api/1/history").json();
    check("history", &history);
    let points = history["points"].as_array().unwrap();
    assert_eq!(points.last().unwrap()["elapsed"], 700.0);
    let seconds: f64 = points
        .iter()
        .map(|point| point["waiting"].as_f64().unwrap())
        .sum();
    assert!((seconds - 1400.0).abs() < 0.1, "{seconds}");
    for point in points {
        assert!((point["calls_per_second"].as_f64().unwrap() - 120.0).abs() < 1e-3);
        assert!((point["efficiency"].as_f64().unwrap() - 0.65).abs() < 1e-6);
    }
    let query = "/api/1/history?level=thread&object=3&metric=metric.particles";
    let series = get(&manager, query).json();
    check("series", &series);
    assert_eq!(series["series"].as_array().unwrap().len(), 1);
    let values = series["series"][0]["values"].as_array().unwrap();
    assert!(values.len() > 300 && values.iter().all(|value| value == 3.0));
    let locks = get(&manager, "/api/1/history?kind=lock").json();
    check("series", &locks);
}

#[test]
fn wrong_queries_are_explained() {
    let manager = manager_after(1);
    for (path, status, error, expected) in [
        ("/api/2", 404, "there is no /api/2", "/api/1/picture"),
        (
            "/api/1/matrices?level=core",
            400,
            "no level `core`",
            "system, node",
        ),
        ("/api/1/matrices?levels=node", 400, "`levels`", "level"),
        ("/api/1/picture?level=node", 400, "`level`", "no query"),
        (
            "/api/1/history?kind=lock&level=node",
            400,
            "not of kind",
            "kind=location",
        ),
        ("/api/1/history?kind=locks", 400, "no kind `locks`", "lock"),
        (
            "/api/1/history?object=9",
            404,
            "no history",
            "objects system; metrics efficiency",
        ),
        (
            "/api/1/history?level=node&level=node",
            400,
            "twice",
            "at most once",
        ),
    ] {
        let (found, text, hint) = get(&manager, path).error();
        assert_eq!(found, status, "{path}");
        assert!(
            text.contains(error) && hint.contains(expected),
            "{path}: {text}; {hint}"
        );
    }
    let many = manager_after(0);
    many.add(sample::picture(1, 400), Vec::new(), Vec::new());
    let (status, text, _) = get(&many, "/api/1/history?level=thread").error();
    assert_eq!((status, &*text), (400, "these are 2800 series"));
}

#[test]
fn requests_without_the_token_get_nothing() {
    let manager = manager_after(1);
    let (address, token) = (manager.address(), manager.token());
    let ask = |path: &str, headers: &str| {
        let close = "Connection: close\r\n\r\n";
        send(
            address,
            &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{headers}{close}"),
        )
    };
    let longer = format!("{token}x");
    for path in ["/", "/metrics", "/api/1/picture", "/nothing"] {
        let (status, error, expected) = ask(path, "").error();
        assert_eq!((status, &*error), (401, "the request has no token"));
        assert!(expected.contains("live/manager.json"));
        for wrong in ["", "x", &token[1..], &longer] {
            let header = format!("Authorization: Bearer {wrong}\r\n");
            assert_eq!(ask(path, &header).status, 401, "{wrong}");
            assert_eq!(
                ask(&format!("{path}?token={wrong}"), "").status,
                401,
                "{wrong}"
            );
        }
        assert_ne!(ask(&format!("{path}?token={token}"), "").status, 401);
    }
    assert_eq!(
        ask("/", &format!("Authorization: Basic {token}\r\n")).status,
        401
    );
}

#[test]
fn other_hosts_and_methods_are_refused() {
    let manager = manager_after(1);
    let (address, token) = (manager.address(), manager.token());
    let end = format!("Authorization: Bearer {token}\r\nConnection: close\r\n\r\n");
    let rebound = format!("GET / HTTP/1.1\r\nHost: evil.example\r\n{end}");
    assert_eq!(send(address, &rebound).error().0, 403);
    let twice = format!("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n{end}");
    assert!([400, 403].contains(&send(address, &twice).status));
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let request = format!("{method} /api/1/picture HTTP/1.1\r\nHost: localhost\r\n{end}");
        let answer = send(address, &request);
        assert!(answer.headers.contains("allow: get"), "{}", answer.headers);
        assert_eq!(answer.error().0, 405);
    }
}

#[test]
fn the_page_runs_its_own_scripts_only() {
    let manager = manager();
    let answer = get(&manager, "/");
    assert_eq!((answer.status, &*answer.body), (200, PAGE));
    let headers = answer.headers;
    assert!(headers.contains("content-type: text/html"), "{headers}");
    let policy = "content-security-policy: default-src 'none'; script-src 'sha256-";
    assert!(headers.contains(policy), "{headers}");
    assert!(
        headers.contains("referrer-policy: no-referrer"),
        "{headers}"
    );
}

/// Reads events of a stream: name and data.
struct Events(BufReader<TcpStream>);

impl Events {
    fn follow(manager: &Manager, more: &str) -> Self {
        let (address, token) = (manager.address(), manager.token());
        let mut stream = TcpStream::connect(address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        // Version 1.0 has no chunks.
        let path = format!("/api/1/changes?token={token}");
        write!(
            stream,
            "GET {path} HTTP/1.0\r\nHost: {address}\r\n{more}\r\n"
        )
        .unwrap();
        Events(BufReader::new(stream))
    }

    fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if let Some(event) = line.strip_prefix("event: ") {
                name = event.trim().to_owned();
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).unwrap()));
            }
        }
    }
}

#[test]
fn events_come_until_the_end() {
    let manager = manager_after(1);
    let mut events = Events::follow(&manager, "");
    let (name, picture) = events.next().unwrap();
    assert_eq!(
        (&*name, &picture["elapsed"]),
        ("picture", &Value::from(1.0))
    );
    check_picture(&picture);
    manager.add(
        sample::picture(2, 8),
        vec![finding()],
        vec![Change::Found(finding())],
    );
    let (name, found) = events.next().unwrap();
    check("change", &found);
    assert_eq!(name, "found");
    assert_eq!(
        found["text"],
        "waiting (point to point) takes 25 % of the time"
    );
    assert_eq!(events.next().unwrap().0, "picture");
    manager.add(
        sample::picture(3, 8),
        Vec::new(),
        vec![Change::Gone(finding())],
    );
    assert_eq!(events.next().unwrap().0, "gone");
    assert_eq!(events.next().unwrap().0, "picture");
    manager.end("the program has ended");
    let (name, end) = events.next().unwrap();
    check("end", &end);
    assert_eq!(
        (&*name, &end["why"]),
        ("end", &Value::from("the program has ended"))
    );
    assert!(events.next().is_none());
    let mut late = Events::follow(&manager, "");
    assert_eq!(late.next().unwrap().0, "picture");
    assert_eq!(late.next().unwrap().0, "end");
    let mut again = Events::follow(&manager, "Last-Event-ID: 1\r\n");
    assert_eq!(again.next().unwrap().0, "found");
}

#[test]
fn a_client_that_does_not_read_gets_the_newest_picture_later() {
    let manager = manager_after(1);
    let mut events = Events::follow(&manager, "");
    let picture = Picture {
        problems: vec!["x".repeat(1 << 20)],
        ..sample::picture(1, 8)
    };
    for second in 2..=60 {
        manager.add(
            Picture {
                elapsed: f64::from(second),
                ..picture.clone()
            },
            Vec::new(),
            Vec::new(),
        );
    }
    let mut seen = 0;
    loop {
        let (_, picture) = events.next().unwrap();
        seen += 1;
        if picture["elapsed"] == 60.0 {
            break;
        }
    }
    assert!(seen < 40, "{seen} pictures were kept for one client");
}

#[test]
fn a_dropped_manager_stops_also_with_clients_that_do_not_read() {
    let manager = manager_after(1);
    let address = manager.address();
    let _silent = Events::follow(&manager, "");
    let mut events = Events::follow(&manager, "");
    events.next();
    let begin = Instant::now();
    drop(manager);
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert!(events.next().is_none());
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn the_address_is_announced_until_the_end() {
    let experiment = tempfile::tempdir().unwrap();
    let file = experiment.path().join("live/manager.json");
    let manager = manager();
    manager.announce(experiment.path()).unwrap();
    let content: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    check("announcement", &content);
    assert_eq!(content["address"], manager.address().to_string());
    assert_eq!(content["token"], manager.token());
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    manager.end("the program has ended");
    assert!(!experiment.path().join("live").exists());
    manager.announce(experiment.path()).unwrap();
    drop(manager);
    assert!(!file.exists());
    let error = self::manager()
        .announce(&experiment.path().join("none"))
        .unwrap_err();
    assert!(
        error.to_string().contains("none/live/manager.json"),
        "{error}"
    );
}

/// Connections that say nothing, more than the server keeps.
#[test]
fn silent_connections_make_room_for_others() {
    let manager = manager_after(1);
    let mut silent: Vec<TcpStream> = Vec::new();
    for _ in 0..300 {
        let stream = TcpStream::connect(manager.address()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        silent.push(stream);
    }
    // One with a wrong token does not stay, either.
    let wrong = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", manager.address());
    silent[299].write_all(wrong.as_bytes()).unwrap();
    assert_eq!(get(&manager, "/api/1/picture").status, 200);
    // All but 64 have been closed, the oldest ones first.
    for stream in &mut silent[..300 - 64] {
        let closed = match stream.read(&mut [0]) {
            Ok(read) => read == 0,
            Err(error) => error.kind() == io::ErrorKind::ConnectionReset,
        };
        assert!(closed);
    }
    // The newest one is still served.
    let request = request(&manager, "/api/1/picture");
    silent[298].write_all(request.as_bytes()).unwrap();
    assert_eq!(answer(&mut silent[298]).status, 200);
}

#[test]
fn a_client_with_the_token_keeps_its_connection() {
    let manager = manager_after(1);
    let mut follower = Events::follow(&manager, "");
    assert!(follower.next().is_some());
    let _silent: Vec<TcpStream> = (0..300)
        .map(|_| TcpStream::connect(manager.address()).unwrap())
        .collect();
    assert_eq!(get(&manager, "/api/1/picture").status, 200);
    manager.add(sample::picture(2, 8), Vec::new(), Vec::new());
    assert!(matches!(follower.next(), Some((event, _)) if event == "picture"));
}

#[test]
fn only_so_many_clients_follow_the_events() {
    let manager = manager_after(1);
    let mut all: Vec<Events> = (0..64).map(|_| Events::follow(&manager, "")).collect();
    for follower in &mut all {
        assert!(follower.next().is_some());
    }
    let (status, error, expected) = get(&manager, "/api/1/changes").error();
    assert_eq!(
        (status, &*error),
        (503, "64 clients follow the events already")
    );
    assert!(expected.contains("/api/1/picture"), "{expected}");
}

/// Status of a request on a connection that stays open.
fn status_of_open(stream: &mut TcpStream, manager: &Manager) -> u16 {
    let request = request(manager, "/api/1/picture");
    let open = request.replace("Connection: close\r\n", "");
    stream.write_all(open.as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    line.split(' ').nth(1).unwrap().parse().unwrap()
}

#[test]
fn only_so_many_clients_keep_a_connection_and_one_that_ends_makes_room() {
    let manager = manager_after(1);
    let connect = || TcpStream::connect(manager.address()).unwrap();
    let mut all = Vec::new();
    for _ in 0..192 {
        let mut stream = connect();
        assert_eq!(status_of_open(&mut stream, &manager), 200);
        all.push(stream);
    }
    assert_eq!(status_of_open(&mut connect(), &manager), 503);
    let mut last = all.pop().unwrap();
    last.shutdown(std::net::Shutdown::Write).unwrap();
    // Until the server has closed it.
    last.read_to_end(&mut Vec::new()).unwrap();
    assert_eq!(status_of_open(&mut connect(), &manager), 200);
}

/// The server ends it by itself, after the time that a connection has for showing the token.
#[test]
fn a_silent_connection_ends() {
    let manager = manager_after(1);
    let mut silent = TcpStream::connect(manager.address()).unwrap();
    let read = silent.read(&mut [0]);
    let reset = |error: &io::Error| error.kind() == io::ErrorKind::ConnectionReset;
    assert!(matches!(&read, Ok(0)) || read.as_ref().is_err_and(reset));
}

#[test]
fn tasks_and_channels_are_matrices_of_all_levels() {
    let manager = manager();
    manager.add(sample_tasks::picture(1, 8), Vec::new(), Vec::new());
    check_picture(&get(&manager, "/api/1/picture").json());
    let thread = matrix(&manager, "thread");
    assert_eq!(number(&thread, "values", "0", "load"), Some(0.5));
    let system = matrix(&manager, "system");
    assert_eq!(
        number(&system, "values", "system", "memory"),
        Some(4.0 * f64::from(1 << 20))
    );
    let task = matrix(&manager, "task");
    assert_eq!(number(&task, "values", "1", "sending"), Some(1.0));
    assert_eq!(task["objects_above"][1], "1");
    let node = matrix(&manager, "tasks_of_node");
    assert_eq!(number(&node, "values", "node0", "computing"), Some(0.8));
    let channel = matrix(&manager, "channel");
    assert_eq!(number(&channel, "values", "3", "queued"), Some(5.0));
    assert_eq!(number(&channel, "values", "3", "send.mean"), Some(0.08));
    let all = matrix(&manager, "all_channels");
    assert_eq!(number(&all, "values", "all", "receive.mean"), Some(0.02));
}
