//! The client against a manager in the same process.

use std::net::SocketAddr;

use pgas_base::models::Words;
use pgas_manager::{Manager, Options};
use pgas_search::{Change, Claim, Finding, TaskRef};
use pgas_watch_client::{Client, ClientError, Event, Query};

#[path = "../../manager/tests/sample/mod.rs"]
mod sample;
#[path = "../../manager/tests/sample/tasks.rs"]
mod sample_tasks;

fn manager(seconds: u32) -> Manager {
    let manager = Manager::start(Options {
        page: String::new(),
        words: Words::of(&[]),
        port: 0,
        questions: None,
    })
    .unwrap();
    for second in 1..=seconds {
        manager.add(sample::picture(second, 8), vec![finding()], Vec::new());
    }
    manager
}

fn finding() -> Finding {
    Finding {
        claim: Claim::Thread {
            kind: "barrier",
            place: sample::place("upc_barrier", 12),
            thread: 2,
        },
        share: 0.5,
        known_after: 1.0,
        pattern: None,
        evidence: None,
        meanwhile: Some("computing in step at heat.upc:9".to_owned()),
    }
}

fn client(manager: &Manager) -> Client {
    Client::connect(manager.address(), manager.token()).unwrap()
}

#[test]
fn a_client_reads_what_the_manager_knows() {
    let manager = manager(3);
    let client = client(&manager);
    let picture = client.picture().unwrap().unwrap();
    assert_eq!((picture.elapsed, picture.now.len()), (3.0, 8));
    assert_eq!(picture.now[7].node, "node1");
    assert_eq!(picture.now[7].metrics[0].name, "particles");
    assert_eq!(picture.findings[0].thread, Some(2));
    let matrices = client.matrices().unwrap().unwrap();
    let node = matrices.level("node").unwrap();
    assert_eq!(node.value("node1", "waiting"), Some(1.0));
    assert_eq!(node.value("node2", "waiting"), None);
    assert_eq!(node.sums.as_ref().map(Vec::len), Some(2));
    let points = client.history().unwrap();
    assert_eq!(points.len(), 3);
    assert!((points[2].efficiency.unwrap() - 0.65).abs() < 1e-6);
    let query = Query {
        level: Some("operation"),
        object: Some("waiting.barrier: upc_barrier at heat.upc:12"),
        ..Query::default()
    };
    let series = client.series(&query).unwrap();
    assert_eq!(
        (series[0].metric.as_str(), &*series[0].unit),
        ("seconds", "seconds/s")
    );
    assert_eq!(series[0].values, [2.0, 2.0, 2.0]);
    let system = client.series(&Query::default()).unwrap();
    assert!(system.iter().all(|series| series.level == "system"));
}

#[test]
fn a_client_reads_tasks_and_channels() {
    let manager = manager(0);
    let task = |task: u64, function: &str| TaskRef {
        task,
        place: sample::place(function, 30),
    };
    let slow = Finding {
        claim: Claim::Channel {
            slow: "consumer",
            channel: 3,
            place: sample::place("create channel", 28),
            producer: task(1, "reader"),
            consumer: task(2, "smoother"),
        },
        ..finding()
    };
    manager.add(sample_tasks::picture(1, 8), vec![slow], Vec::new());
    let picture = client(&manager).picture().unwrap().unwrap();
    let tasks = picture.tasks.unwrap();
    assert_eq!(tasks.tasks[0].channel, Some(3));
    assert_eq!(
        (tasks.channels[0].queued, tasks.channels[0].receiver),
        (5, Some(2))
    );
    let finding = &picture.findings[0];
    assert_eq!(
        (finding.level.as_str(), finding.slow.as_deref()),
        ("channel", Some("consumer"))
    );
    assert_eq!(finding.producer.as_ref().unwrap().place.region, "reader");
}

#[test]
fn before_the_first_picture_there_is_none() {
    let manager = manager(0);
    let client = client(&manager);
    assert_eq!(client.picture().unwrap(), None);
    assert_eq!(client.matrices().unwrap(), None);
    assert_eq!(client.history().unwrap(), []);
}

#[test]
fn a_wrong_token_is_refused_with_a_hint() {
    let manager = manager(1);
    let error = Client::connect(manager.address(), "wrong").unwrap_err();
    assert!(matches!(error, ClientError::Token { .. }), "{error:?}");
    assert!(error.to_string().contains("live/manager.json"), "{error}");
}

#[test]
fn a_wrong_query_says_what_would_be_right() {
    let manager = manager(1);
    let query = Query {
        level: Some("core"),
        ..Query::default()
    };
    let error = client(&manager).series(&query).unwrap_err();
    assert!(
        matches!(error, ClientError::Refused { status: 400, .. }),
        "{error:?}"
    );
    assert!(
        error.to_string().contains("system, node, process"),
        "{error}"
    );
}

#[test]
fn a_run_is_found_by_its_experiment_until_it_ends() {
    let experiment = tempfile::tempdir().unwrap();
    let manager = manager(1);
    manager.announce(experiment.path()).unwrap();
    assert!(Client::of_experiment(experiment.path()).is_ok());
    drop(manager);
    let error = Client::of_experiment(experiment.path()).unwrap_err();
    assert!(error.to_string().contains("live/manager.json"), "{error}");
}

#[test]
fn events_come_in_order_and_end_with_the_run() {
    let manager = manager(1);
    let mut events = client(&manager).changes().unwrap();
    let mut next = || events.next().map(Result::unwrap);
    assert!(matches!(next(), Some(Event::Picture(picture)) if picture.elapsed == 1.0));
    let changes = vec![Change::Found(finding())];
    manager.add(sample::picture(2, 8), vec![finding()], changes);
    let Some(Event::Found(found)) = next() else {
        panic!("no finding");
    };
    let text = "thread 2 comes late in upc_barrier at heat.upc:12, mostly computing in step at \
                heat.upc:9";
    assert_eq!(found.text, text);
    assert_eq!(found.finding.place.unwrap().line, 12);
    assert!(matches!(next(), Some(Event::Picture(picture)) if picture.elapsed == 2.0));
    manager.end("the program was killed");
    assert!(matches!(next(), Some(Event::End { why }) if why == "the program was killed"));
    assert!(next().is_none());
}

#[test]
fn a_manager_that_stops_is_an_error_and_no_end() {
    let manager = manager(1);
    let client = client(&manager);
    let mut events = client.changes().unwrap();
    assert!(events.next().unwrap().is_ok());
    drop(manager);
    let error = events.next().unwrap().unwrap_err();
    assert!(matches!(error, ClientError::Gone { .. }), "{error:?}");
    assert!(events.next().is_none());
    let error = client.picture().unwrap_err();
    assert!(error.to_string().contains("has the run ended?"), "{error}");
    let nobody = SocketAddr::from(([127, 0, 0, 1], 1));
    assert!(Client::connect(nobody, "token").is_err());
}
