//! A user in front of a screen of some size: sees text, and types keys.

use std::collections::BTreeMap;

use pgas_base::models::Words;
use pgas_monitor::{
    ChannelNow, MetricNow, Now, OperationTime, Picture, Place, TaskNow, TasksNow, Times, Wait,
};
use pgas_screen::{Colours, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::draw::draw;
use crate::keys::Command;
use crate::state::{Order, State, Tab};
use crate::update::Next;

fn place(region: &str, line: u32) -> Place {
    Place {
        region: region.into(),
        file: "src/heat.upc".into(),
        line,
    }
}

fn times(computing: f64, kind: &'static str, waiting: f64) -> Times {
    Times {
        computing,
        waiting: BTreeMap::from([(kind, waiting)]),
        ..Times::default()
    }
}

fn now(thread: u32, activity: &'static str, seconds: f64, efficiency: f64) -> Now {
    Now {
        thread,
        process: 1,
        node: String::new(),
        activity,
        kind: None,
        seconds,
        place: Some(match activity {
            "computing" => place("exchange", 30),
            _ => place("upc_barrier", 41),
        }),
        path: vec![place("main", 50), place("step", 20)],
        deeper: 0,
        held: Vec::new(),
        wanted: None,
        efficiency: Some(efficiency),
        times: Some(times(efficiency, "barrier", 1.0 - efficiency)),
        metrics: Vec::new(),
        operations: Vec::new(),
        arrivals: 0,
        calls: 0.0,
        bytes: Default::default(),
        tasks: None,
    }
}

/// Threads 0 and 1 wait for thread 2.
fn picture(elapsed: f64) -> Picture {
    let wait = Wait {
        place: place("upc_barrier", 41),
        kind: "barrier",
        threads: vec![0, 1],
        longest: 0.812,
        longest_thread: 1,
    };
    let operation = OperationTime {
        place: place("upc_barrier", 41),
        activity: "waiting",
        kind: "barrier",
        seconds: 1.5,
        calls: 6.0,
        bytes: 0.0,
        threads: 3,
        wait_states: None,
    };
    Picture {
        schema: 1,
        experiment: "heat".into(),
        run: String::new(),
        runtime: String::new(),
        words: Default::default(),
        time_unix_ns: 0,
        elapsed,
        period: 1.0,
        threads: 3,
        seen: 3,
        efficiency: Some(0.5),
        times: times(1.5, "barrier", 1.5),
        calls_per_second: 6.0,
        bytes_per_second: Default::default(),
        operations: vec![operation],
        waiting: 2,
        waits: vec![wait],
        now: vec![
            now(0, "waiting", 0.4, 0.25),
            now(1, "waiting", 0.812, 0.25),
            now(2, "computing", 2.1, 1.0),
        ],
        stuck: Vec::new(),
        deadlocks: Vec::new(),
        problems: Vec::new(),
        ring: None,
        tasks: None,
    }
}

struct User(State);

impl User {
    fn of(columns: u16, rows: u16) -> Self {
        let theme = Theme {
            colours: Colours::Indexed,
            unicode: true,
        };
        let area = Rect::new(0, 0, columns, rows);
        let mut state = State::new(theme, Words::default(), "heat".into(), area);
        state.take(picture(9.0), Vec::new());
        User(state)
    }

    fn sees(&self) -> String {
        let mut buffer = Buffer::empty(self.0.area);
        draw(&self.0, &mut buffer);
        let cells = buffer.content.chunks(usize::from(self.0.area.width).max(1));
        let lines = cells.map(|line| line.iter().map(|cell| cell.symbol()).collect::<String>());
        lines.collect::<Vec<String>>().join("\n")
    }

    fn expects(&self, texts: &[&str]) {
        let seen = self.sees();
        for text in texts {
            assert!(seen.contains(text), "no {text:?} in:\n{seen}");
        }
    }
}

#[test]
fn threads_are_shown_with_what_they_do_now() {
    let user = User::of(100, 24);
    user.expects(&[
        "heat · 3 threads · 9.00 s",
        "efficiency  50 %",
        "computing 50 % · waiting 50 % (barrier 50 %)",
        "2 of 3 wait: in upc_barrier at heat.upc:41, thread 1 for 812 ms",
        "thread 0 ████▒▒▒▒▒▒▒▒▒▒▒▒   25 %  waits 400 ms in upc_barrier at heat.upc:41",
        "thread 2 ████████████████  100 %  computes 2.10 s in exchange at heat.upc:30",
        "main at heat.upc:50 › step at heat.upc:20",
    ]);
}

#[test]
fn a_wait_names_who_is_not_there_and_what_they_do() {
    let mut user = User::of(100, 24);
    user.0.update(Command::Show(Tab::Waits));
    user.expects(&[
        "2 of 3 wait up to 812 ms in upc_barrier at heat.upc:41: thread 0, thread 1",
        "    missing: thread 2, which computes 2.10 s in exchange at heat.upc:30",
    ]);
}

#[test]
fn a_wait_for_a_lock_names_its_holder() {
    let mut user = User::of(100, 24);
    let mut picture = picture(9.0);
    picture.waits[0].kind = "lock";
    picture.waits[0].threads = vec![0];
    picture.now[0].wanted = Some(7);
    picture.now[1].held = vec![7];
    user.0.take(picture, Vec::new());
    user.expects(&["thread 0 ████▒▒▒▒▒▒▒▒▒▒▒▒   25 %  waits 400 ms for lock 0x7 of thread 1"]);
    user.0.update(Command::Show(Tab::Waits));
    user.expects(&["    held by thread 1, which waits 812 ms"]);
}

#[test]
fn findings_are_listed() {
    let mut user = User::of(100, 24);
    user.0
        .take(picture(10.0), vec!["thread 2 comes late".into()]);
    user.expects(&["thread 2 comes late"]);
    user.0.update(Command::Show(Tab::Waits));
    user.expects(&["Confirmed", "thread 2 comes late"]);
}

#[test]
fn operations_have_their_share_of_all_threads_time() {
    let mut user = User::of(100, 24);
    user.0.update(Command::Show(Tab::Operations));
    user.expects(&["50 %           6", "upc_barrier at heat.upc:41 (barrier)"]);
}

#[test]
fn threads_are_ordered_and_selected() {
    let mut user = User::of(100, 24);
    user.0.update(Command::Order);
    assert_eq!(user.0.order, Order::Efficiency);
    user.0.update(Command::Order);
    user.0.update(Command::Move(-1));
    user.expects(&["Thread 2 ─"]);
    user.0.update(Command::Last);
    user.expects(&["Thread 0 ─"]);
}

#[test]
fn a_held_picture_stays_while_the_history_goes_on() {
    let mut user = User::of(100, 24);
    user.0.update(Command::Hold);
    user.0.take(picture(10.0), Vec::new());
    user.expects(&["9.00 s · held"]);
    user.0.update(Command::Hold);
    user.0.take(picture(11.0), Vec::new());
    user.expects(&["11.0 s"]);
    assert_eq!(user.0.history.columns(99).len(), 3);
}

#[test]
fn the_last_picture_stays_when_the_program_has_ended() {
    let mut user = User::of(100, 24);
    user.0.over = Some("the program has ended; q quits".into());
    user.expects(&["the program has ended; q quits", "thread 2"]);
    assert_eq!(user.0.update(Command::Quit), Next::Quit);
}

/// Also with a thousand threads, of which those around the selected one are visible.
#[test]
fn screens_of_any_size_are_drawn() {
    for (columns, rows) in [(0, 0), (1, 1), (20, 5), (40, 10), (80, 24), (300, 100)] {
        let mut user = User::of(columns, rows);
        let mut many = picture(9.0);
        many.now = (0..1024)
            .map(|thread| now(thread, "waiting", 1.0, 0.5))
            .collect();
        user.0.take(many, Vec::new());
        for command in [
            Command::Last,
            Command::NextTab,
            Command::Page(1),
            Command::NextTab,
            Command::Help,
            Command::Back,
            Command::NextTab,
            Command::NextTab,
            Command::Last,
        ] {
            user.0.update(command);
            user.sees();
        }
        if rows >= 24 {
            user.expects(&["thread 1023"]);
        }
    }
}

#[test]
fn metrics_are_shown_over_all_threads() {
    let mut user = User::of(100, 24);
    let mut picture = picture(9.0);
    for now in &mut picture.now {
        now.metrics.push(MetricNow {
            name: "solving".into(),
            unit: "seconds",
            value: 1.0 + f64::from(now.thread),
            integer: None,
            rate: Some(0.5),
            is_running: Some(true),
        });
    }
    user.0.take(picture, Vec::new());
    user.0.update(Command::Show(Tab::Metrics));
    user.expects(&[
        "6.00 s",
        "2.00 s",
        "3.00 s",
        "50 %",
        "solving (most: thread 2)",
    ]);
}

/// The program, of a reader that waits for room in a channel, and a smoother.
fn pipeline() -> Picture {
    let task = |task: u64, function: &str, state, load: f64| TaskNow {
        task,
        place: place(function, 30),
        thread: task as u32,
        state,
        seconds: 0.5,
        channel: (state == "sending").then_some(3),
        usual: None,
        computing: load,
        communicating: 0.0,
        load: Some(load),
    };
    let channel = ChannelNow {
        channel: 3,
        place: place("create channel", 28),
        capacity: Some(4),
        senders: vec![1],
        receiver: Some(2),
        sends: 20.0,
        send_seconds: 0.9,
        queued: 5,
        ..ChannelNow::default()
    };
    Picture {
        tasks: Some(TasksNow {
            tasks: vec![
                task(1, "reader", "sending", 0.1),
                task(2, "smoother", "running", 0.98),
            ],
            channels: vec![channel],
            omitted_tasks: 7,
            ..TasksNow::default()
        }),
        ..picture(10.0)
    }
}

#[test]
fn tasks_and_channels_are_a_list_of_their_own() {
    let mut user = User::of(100, 24);
    user.0.update(Command::Show(Tab::Tasks));
    assert_eq!(user.0.tab, Tab::Threads, "there are none");
    user.0.take(pipeline(), Vec::new());
    user.0.update(Command::Show(Tab::Tasks));
    user.expects(&[
        "5 Tasks",
        "98 %  task 2 (smoother) runs for 500 ms, thread 2",
        "task 1 (reader) waits to send to channel 3 (heat.upc:28) for 500 ms",
        "7 more",
        "5 of 4",
        "channel 3 (heat.upc:28): from task 1 to task 2",
    ]);
}
