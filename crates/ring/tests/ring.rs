//! Rings of agents in one process: what comes back, who is refused, and what happens when agents end.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pgas_monitor::{Kind, Level, NodePart, Seen, Wanted};
use pgas_ring::{Agent, MemberState, Node, Ring, Secret, Selection};
use serde_json::json;

const ANY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Clone, Default)]
struct TestNode {
    name: String,
    /// It goes away with the next request.
    dies: Arc<AtomicBool>,
    kept: Arc<Mutex<String>>,
    /// Its threads, which have waited this long each.
    threads: Vec<(u32, f64)>,
}

/// A thread of process 7 on a node, as agents send it.
fn seen(node: &str, thread: u32, waiting: f64) -> Seen {
    let place = json!({ "region": "upc_barrier", "file": "heat.upc", "line": 12 });
    let times = json!({
        "computing": 1.0 - waiting, "waiting": { "barrier": waiting }, "communicating": {},
        "estimated": 0.0, "recording": 0.0, "paused": 0.0
    });
    let operation = json!({
        "place": place, "activity": "waiting", "kind": "barrier", "seconds": waiting,
        "calls": 3.0, "bytes": 0.0, "threads": 1
    });
    let now = json!({
        "thread": thread, "process": 7, "node": node, "activity": "waiting", "kind": "barrier",
        "seconds": 0.1, "place": place, "path": [place], "deeper": 0, "held": [], "wanted": null,
        "efficiency": 1.0 - waiting, "times": times, "metrics": []
    });
    let bytes = json!({ "own": 0.0, "near": 0.0, "far": 0.0, "unknown": 0.0 });
    let period = json!({
        "seconds": 1.0, "times": times, "calls": 3.0, "bytes": bytes, "operations": [operation]
    });
    let seen = json!({
        "now": now, "class": { "Waiting": "barrier" }, "usual": null, "since": 1,
        "period": period, "elapsed": 5.0
    });
    serde_json::from_value(seen).unwrap()
}

impl Node for TestNode {
    fn look(&mut self) -> io::Result<NodePart> {
        assert!(
            !self.dies.load(Ordering::Relaxed),
            "an agent that was killed"
        );
        let problems = vec![self.name.clone()];
        Ok(NodePart {
            problems,
            ..self.peek()?
        })
    }

    fn peek(&mut self) -> io::Result<NodePart> {
        let threads = self.threads.iter();
        let seen = threads.map(|(thread, waiting)| seen(&self.name, *thread, *waiting));
        Ok(NodePart {
            seen: seen.collect(),
            ..NodePart::default()
        })
    }

    fn keep(&mut self, definitions: &str, _: &str) {
        self.kept.lock().unwrap().push_str(definitions);
    }

    fn is_over(&mut self) -> bool {
        false
    }
}

fn agent(name: &str, manager: SocketAddr, secret: &Secret) -> (TestNode, JoinHandle<()>) {
    agent_of(name, &[], manager, secret)
}

fn agent_of(
    name: &str,
    threads: &[(u32, f64)],
    manager: SocketAddr,
    secret: &Secret,
) -> (TestNode, JoinHandle<()>) {
    let node = TestNode {
        name: name.to_owned(),
        threads: threads.to_vec(),
        ..TestNode::default()
    };
    let mut own = node.clone();
    let agent = Agent::start(name, ANY, manager, secret).unwrap();
    let thread = std::thread::spawn(move || agent.work(&mut own));
    (node, thread)
}

fn joined(ring: &mut Ring, number: usize) {
    let begin = Instant::now();
    while ring.members().count() < number {
        ring.news();
        assert!(begin.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn names(ring: &mut Ring) -> Option<Vec<String>> {
    let answer = ring.ask(Selection::Picture, Duration::from_secs(1))?;
    Some(
        answer
            .parts
            .into_iter()
            .flat_map(|part| part.problems)
            .collect(),
    )
}

#[test]
fn every_node_adds_its_part_and_takes_new_metrics() {
    let secret = Secret::new().unwrap();
    let mut ring = Ring::start(ANY, &secret).unwrap();
    assert!(names(&mut ring).is_none());
    let all: Vec<_> = ["b", "a", "c"]
        .map(|name| agent(name, ring.address(), &secret))
        .into();
    joined(&mut ring, 3);
    for _ in 0..3 {
        assert_eq!(names(&mut ring).unwrap(), ["a", "b", "c"]);
    }
    assert!(ring.keep("x = time()\n", "").is_empty());
    assert_eq!(names(&mut ring).unwrap().len(), 3);
    ring.end();
    for (node, thread) in all {
        assert_eq!(*node.kept.lock().unwrap(), "x = time()\n");
        thread.join().unwrap();
    }
}

/// An agent dies with the request that it has taken, and is gone from then on.
#[test]
fn an_agent_that_dies_is_cut_out_within_three_periods() {
    let secret = Secret::new().unwrap();
    let mut ring = Ring::start(ANY, &secret).unwrap();
    let all: Vec<_> = (0..8)
        .map(|number| agent(&format!("n{number}"), ring.address(), &secret))
        .collect();
    joined(&mut ring, 8);
    ring.news();
    assert_eq!(names(&mut ring).unwrap().len(), 8);
    all[3].0.dies.store(true, Ordering::Relaxed);
    let answers: Vec<_> = (0..3).map(|_| names(&mut ring)).collect();
    assert_eq!(answers[0], None, "it has taken the request with it");
    let rest = ["n0", "n1", "n2", "n4", "n5", "n6", "n7"];
    assert_eq!(answers[2].as_ref().unwrap(), &rest);
    let news = ring.news();
    assert!(
        matches!(&news[..], [MemberState::Lost(member)] if member.node == "n3"),
        "{news:?}"
    );
    // One that comes back is taken in again.
    let _new = agent("n3", ring.address(), &secret);
    joined(&mut ring, 8);
    assert_eq!(names(&mut ring).unwrap().len(), 8);
    ring.end();
}

#[test]
fn others_are_refused() {
    let (secret, other) = (Secret::new().unwrap(), Secret::new().unwrap());
    let mut ring = Ring::start(ANY, &secret).unwrap();
    let _wrong = agent("wrong", ring.address(), &other);
    let _right = agent("right", ring.address(), &secret);
    joined(&mut ring, 1);
    assert_eq!(names(&mut ring).unwrap(), ["right"]);
    let right = ring.members().next().unwrap().address;
    for path in ["/round", "/end", "/metrics", "/"] {
        let agent = ureq::Agent::new_with_defaults();
        let unsigned = agent.post(format!("http://{right}{path}")).send(&b"x"[..]);
        assert!(
            matches!(unsigned, Err(ureq::Error::StatusCode(401))),
            "{unsigned:?}"
        );
    }
    // The manager of another run.
    let mut foreign = Ring::start(ANY, &other).unwrap();
    assert!(names(&mut foreign).is_none());
    assert_eq!(names(&mut ring).unwrap(), ["right"]);
}

/// Level, object, metric, number of threads, sum and maximum.
type Found = (Level, String, String, u32, f64, f64);

/// The values of an answer, and its bytes.
fn cells(ring: &mut Ring, wanted: Wanted) -> (Vec<Found>, usize) {
    let answer = ring.ask(Selection::Cells(wanted), PATIENCE).unwrap();
    assert!(answer.parts.is_empty());
    assert_eq!(answer.nodes, 3);
    let cells = answer.cells.iter().map(|cell| {
        let (object, metric) = (cell.object.to_owned(), cell.metric.to_owned());
        (cell.level, object, metric, cell.threads, cell.sum, cell.max)
    });
    (cells.collect(), answer.bytes)
}

#[test]
fn requests_for_some_values_bring_these_alone() {
    let secret = Secret::new().unwrap();
    let mut ring = Ring::start(ANY, &secret).unwrap();
    let threads = [
        [(0, 0.5), (1, 0.25)],
        [(2, 0.0), (3, 0.25)],
        [(4, 0.5), (5, 0.75)],
    ];
    let _all: Vec<_> = ["a", "b", "c"]
        .iter()
        .zip(&threads)
        .map(|(name, threads)| agent_of(name, threads, ring.address(), &secret))
        .collect();
    joined(&mut ring, 3);
    let picture = ring.ask(Selection::Picture, PATIENCE).unwrap();
    assert_eq!((picture.nodes, picture.parts.len()), (3, 3));
    let of = |level, object: Option<&str>, metric: &str| Wanted {
        level: Some(level),
        object: object.map(str::to_owned),
        metric: Some(metric.to_owned()),
        ..Wanted::default()
    };
    let cell = |level, object: &str, metric: &str, threads, sum, max| {
        (
            level,
            object.to_owned(),
            metric.to_owned(),
            threads,
            sum,
            max,
        )
    };
    let (one, bytes) = cells(&mut ring, of(Level::Node, Some("c"), "waiting"));
    assert_eq!(one, [cell(Level::Node, "c", "waiting", 2, 1.25, 0.75)]);
    assert!(4 * bytes < picture.bytes, "{bytes} of {}", picture.bytes);
    let (system, _) = cells(&mut ring, of(Level::System, None, "waiting.barrier"));
    assert_eq!(
        system,
        [cell(
            Level::System,
            "system",
            "waiting.barrier",
            6,
            2.25,
            0.75
        )]
    );
    let (nodes, _) = cells(&mut ring, of(Level::Process, None, "calls"));
    let nodes: Vec<&str> = nodes.iter().map(|cell| &*cell.1).collect();
    assert_eq!(nodes, ["a/7", "b/7", "c/7"]);
    // All levels of a kind, of all nodes together.
    let kind = Wanted {
        kind: Some(Kind::Operation),
        metric: Some("seconds".to_owned()),
        ..Wanted::default()
    };
    let (operations, _) = cells(&mut ring, kind);
    assert_eq!(
        operations
            .iter()
            .map(|cell| (&*cell.1, cell.3, cell.4))
            .collect::<Vec<_>>(),
        [
            ("computing", 6, 3.75),
            ("waiting", 6, 2.25),
            ("waiting.barrier", 6, 2.25),
            ("waiting.barrier: upc_barrier at heat.upc:12", 6, 2.25),
        ]
    );
    let (thread, _) = cells(&mut ring, of(Level::Thread, Some("3"), "nothing"));
    assert!(thread.is_empty());
    ring.end();
}
