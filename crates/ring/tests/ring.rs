//! Rings of agents in one process: what comes back, who is refused, and what happens when agents end.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pgas_monitor::NodePart;
use pgas_ring::{Agent, MemberState, Node, Ring, Secret, Selection};

const ANY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Clone, Default)]
struct TestNode {
    name: String,
    /// It goes away with the next request.
    dies: Arc<AtomicBool>,
    kept: Arc<Mutex<String>>,
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
    let node = TestNode {
        name: name.to_owned(),
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
