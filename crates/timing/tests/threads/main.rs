//! The method on real threads of this machine.

#[path = "../../../trace/tests/support/not_tested.rs"]
mod not_tested;
mod team;

use not_tested::not_tested;
use pgas_timing::job::{Method, Order, Settings};
use pgas_timing::operation::Operation;
use pgas_timing::processes::Processes;
use pgas_timing::record::Clocks;
use pgas_timing::session::{Measurement, Session, TooFew};
use team::Member;

/// Thread i is busy for i + 1 times so long.
struct Busy<'a> {
    member: &'a Member,
    seconds: f64,
}

impl Operation for Busy<'_> {
    fn ready(&mut self, _launch: u64) {}

    fn run(&mut self, _launch: u64) {
        let share = (self.member.thread() + 1) as f64;
        self.member.spin(share * self.seconds);
    }

    fn done(&mut self, _launch: u64) {}
}

type Seen = (Option<Result<Measurement, TooFew>>, Option<Clocks>);

fn time(nodes: &[usize], settings: &Settings, seconds: f64) -> Vec<Seen> {
    team::run(nodes, |member| {
        let mut session = Session::begin(&member, settings);
        let mut busy = Busy {
            member: &member,
            seconds,
        };
        let time = session.time(&mut busy, &mut |_| {});
        (time, session.clocks())
    })
}

#[test]
fn each_method_and_order_gives_a_time_on_thread_0() {
    for method in [Method::Window, Method::Barrier, Method::Loop] {
        for order in [Order::Linear, Order::Ring] {
            let settings = Settings {
                method,
                order,
                compare_all: true,
                per_thread: true,
                picture: true,
                ..Settings::default()
            };
            let mut seen = time(&[0, 0], &settings, 200e-6);
            let (time, clocks) = seen.remove(0);
            assert_eq!(seen, [(None, None)]);
            let clocks = clocks.expect("they were compared");
            assert_eq!((clocks.order, clocks.offsets.len()), (order, 2));
            assert!(clocks.exchanges >= 20, "{clocks:?}");
            // Other processes may take the cores, so no more is asked of the time than this.
            let time = match time.expect("on thread 0") {
                Ok(time) => time,
                Err(few) if few.started_late == few.launches => {
                    not_tested(&format!(
                        "{method:?} with two threads: something else had a core all the time"
                    ));
                    continue;
                }
                Err(few) => panic!("{few:?}"),
            };
            assert!(time.summary.mean >= 200e-6, "{time:?}");
            assert_eq!(time.per_thread.len(), 2);
            assert!(time.launches >= 10 && time.stages.len() >= 2);
            assert!(!time.picture.is_empty());
        }
    }
}
