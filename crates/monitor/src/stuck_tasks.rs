//! Tasks that do not get on: they wait for much longer than usual, or for tasks that wait in turn,
//! so that none of them ever goes on.

use std::collections::{BTreeMap, BTreeSet};

use crate::stuck::{LONG, UNUSUAL};
use crate::tasks::{ChannelNow, StuckTask, TaskNow, task_name};

/// Tasks that are reported.
const MOST: usize = 64;
/// Tasks that such a report names as those that could end the wait.
const NAMED: usize = 3;

/// Tasks that are stuck, those that have been waiting longest first. `is_complete`: there are no
/// tasks beside these.
pub(crate) fn stuck(
    tasks: &[TaskNow],
    channels: &[ChannelNow],
    is_complete: bool,
) -> Vec<StuckTask> {
    let scene = Scene {
        tasks: tasks.iter().map(|task| (task.task, task)).collect(),
        channels: channels.iter().map(|one| (one.channel, one)).collect(),
        is_complete,
    };
    let hopeless = scene.hopeless();
    let is_stuck = |task: &&TaskNow| hopeless.contains(&task.task) || is_unusual(task);
    let mut stuck: Vec<&TaskNow> = tasks.iter().filter(is_stuck).collect();
    stuck.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    stuck.truncate(MOST);
    let shown = |task: &TaskNow| scene.shown(task, hopeless.contains(&task.task));
    stuck.into_iter().map(shown).collect()
}

/// Whether it has been waiting for much longer than it uses to.
fn is_unusual(task: &TaskNow) -> bool {
    let is_long = |usual: f64| task.seconds > LONG.max(UNUSUAL * usual);
    task.waits() && task.usual.is_some_and(is_long)
}

struct Scene<'a> {
    tasks: BTreeMap<u64, &'a TaskNow>,
    channels: BTreeMap<u64, &'a ChannelNow>,
    is_complete: bool,
}

impl Scene<'_> {
    /// Tasks that wait for a long time, each for such tasks only: the largest such set.
    fn hopeless(&self) -> BTreeSet<u64> {
        let waiting = self.tasks.values().filter(|task| is_long(task));
        let mut set: BTreeSet<u64> = waiting.map(|task| task.task).collect();
        loop {
            let is_bound = |task: &u64| self.waits_only_for(*task, &set);
            let rest: BTreeSet<u64> = set.iter().copied().filter(is_bound).collect();
            if rest.len() == set.len() {
                return set;
            }
            set = rest;
        }
    }

    fn waits_only_for(&self, task: u64, set: &BTreeSet<u64>) -> bool {
        let is_in_set = |other: &u64| set.contains(other);
        match self.tasks.get(&task).map(|task| self.partners(task)) {
            Some(partners) if !partners.is_empty() => partners.iter().all(is_in_set),
            // Anybody may do it.
            _ => self.is_complete && self.tasks.keys().all(is_in_set),
        }
    }

    /// Tasks that could end its wait, as far as they have used the channel.
    fn partners(&self, task: &TaskNow) -> Vec<u64> {
        let channel = task.channel.and_then(|channel| self.channels.get(&channel));
        match task.state {
            "sending" => channel
                .and_then(|channel| channel.receiver)
                .into_iter()
                .collect(),
            "receiving" => channel.map_or_else(Vec::new, |channel| channel.senders.clone()),
            _ => {
                let mut own = self.channels.values().collect::<Vec<_>>();
                own.retain(|channel| channel.receiver == Some(task.task));
                own.iter()
                    .flat_map(|channel| channel.senders.clone())
                    .collect()
            }
        }
    }

    fn shown(&self, task: &TaskNow, is_deadlocked: bool) -> StuckTask {
        let partners = self.partners(task);
        let named = partners.iter().filter_map(|other| self.tasks.get(other));
        let others = named.take(NAMED).map(|other| doing(other));
        let channel = task.channel.and_then(|channel| self.channels.get(&channel));
        StuckTask {
            task: task.task,
            place: task.place.clone(),
            thread: task.thread,
            state: task.state,
            channel: task.channel,
            channel_place: channel.map(|channel| channel.place.clone()),
            seconds: task.seconds,
            usual: task.usual,
            is_deadlocked,
            others: others.collect(),
        }
    }
}

fn is_long(task: &TaskNow) -> bool {
    task.waits() && task.seconds > LONG.max(UNUSUAL * task.usual.unwrap_or(0.0))
}

/// "task 2 (smoother) is sending for 8.2 s".
fn doing(task: &TaskNow) -> String {
    let name = task_name(task.task, &task.place);
    format!("{name} is {} for {:.1} s", task.state, task.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Place;

    fn task(number: u64, state: &'static str, channel: Option<u64>, seconds: f64) -> TaskNow {
        TaskNow {
            task: number,
            place: Place::default(),
            thread: 0,
            state,
            seconds,
            channel,
            usual: None,
            computing: 0.0,
            communicating: 0.0,
            load: None,
        }
    }

    fn channel(number: u64, sender: u64, receiver: u64) -> ChannelNow {
        ChannelNow {
            channel: number,
            senders: vec![sender],
            receiver: Some(receiver),
            ..ChannelNow::default()
        }
    }

    fn numbers(stuck: &[StuckTask]) -> Vec<(u64, bool)> {
        stuck
            .iter()
            .map(|one| (one.task, one.is_deadlocked))
            .collect()
    }

    #[test]
    fn tasks_that_wait_for_each_other_are_stuck_and_those_that_wait_for_a_busy_one_are_not() {
        let channels = [channel(1, 1, 2), channel(2, 2, 1), channel(3, 4, 3)];
        let tasks = [
            task(1, "receiving", Some(2), 9.0),
            task(2, "receiving", Some(1), 8.0),
            task(3, "receiving", Some(3), 60.0),
            task(4, "running", None, 60.0),
        ];
        assert_eq!(
            numbers(&stuck(&tasks, &channels, true)),
            [(1, true), (2, true)]
        );
    }

    #[test]
    fn a_task_that_waits_for_nobody_known_is_stuck_if_all_others_are() {
        let mut tasks = vec![
            task(1, "receiving", Some(7), 9.0),
            task(2, "selecting", None, 8.0),
        ];
        assert_eq!(stuck(&tasks, &[], true).len(), 2);
        assert!(stuck(&tasks, &[], false).is_empty(), "there may be others");
        tasks.push(task(3, "ready", None, 9.0));
        assert!(stuck(&tasks, &[], true).is_empty());
    }

    #[test]
    fn a_wait_that_is_much_longer_than_usual_is_reported_with_its_sender() {
        let mut late = task(1, "receiving", Some(1), 6.0);
        late.usual = Some(0.1);
        let tasks = [late, task(2, "running", None, 6.0)];
        let stuck = stuck(&tasks, &[channel(1, 2, 1)], true);
        assert_eq!(numbers(&stuck), [(1, false)]);
        assert_eq!(stuck[0].others, ["task 2 is running for 6.0 s"]);
    }

    #[test]
    fn a_wait_of_usual_length_is_none() {
        let mut usual = task(1, "receiving", Some(1), 6.0);
        usual.usual = Some(1.0);
        let tasks = [usual, task(2, "receiving", Some(2), 6.0)];
        let channels = [channel(1, 2, 1), channel(2, 1, 2)];
        assert!(stuck(&tasks, &channels, true).is_empty());
    }
}
