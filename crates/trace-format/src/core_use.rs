//! Time for which a thread had a core, as the recorder asked the kernel when it began and when it
//! ended.

/// Between two moments; times in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreUse {
    /// From the one moment to the other (CLOCK_MONOTONIC).
    pub wall: u64,
    /// On a core (CLOCK_THREAD_CPUTIME_ID).
    pub cpu: u64,
    /// Part of it in user mode, as the kernel finds at its ticks, in whole ticks of its accounting;
    /// `None` where it does not say.
    pub user: Option<u64>,
    /// Context switches because the thread had nothing to do (it slept, or waited for something).
    pub voluntary_switches: u64,
    /// Context switches because the core was given to somebody else.
    pub involuntary_switches: u64,
    /// Ready to run but without a core; `None` where the kernel does not say (no
    /// /proc/*/schedstat).
    pub run_queue_wait: Option<u64>,
}

const WALL: &str = "wall_time";
const CPU: &str = "cpu_time";
const USER: &str = "user_time";
const VOLUNTARY: &str = "voluntary_switches";
const INVOLUNTARY: &str = "involuntary_switches";
const RUN_QUEUE: &str = "run_queue_wait";

impl CoreUse {
    /// Core use from the properties of a stream; `None` if they do not have it: other recorders,
    /// or a program that was killed.
    pub fn of<'a>(property: impl Fn(&str) -> Option<&'a str>) -> Option<Self> {
        let number = |key| property(key)?.trim().parse::<u64>().ok();
        Some(CoreUse {
            wall: number(WALL)?,
            cpu: number(CPU)?,
            user: number(USER),
            voluntary_switches: number(VOLUNTARY)?,
            involuntary_switches: number(INVOLUNTARY)?,
            run_queue_wait: number(RUN_QUEUE),
        })
    }

    /// Keys and values of the stream's properties that say the same.
    pub fn properties(&self) -> Vec<(&'static str, String)> {
        let mut properties = vec![
            (WALL, self.wall),
            (CPU, self.cpu),
            (VOLUNTARY, self.voluntary_switches),
            (INVOLUNTARY, self.involuntary_switches),
        ];
        properties.extend(self.user.map(|user| (USER, user)));
        properties.extend(self.run_queue_wait.map(|wait| (RUN_QUEUE, wait)));
        let text = |(key, value): (&'static str, u64)| (key, value.to_string());
        properties.into_iter().map(text).collect()
    }

    /// From `before` to this, where both began at the same moment.
    pub fn since(&self, before: &CoreUse) -> Self {
        let since = |after: Option<u64>, before: Option<u64>| Some(after?.saturating_sub(before?));
        CoreUse {
            wall: self.wall.saturating_sub(before.wall),
            cpu: self.cpu.saturating_sub(before.cpu),
            user: since(self.user, before.user),
            voluntary_switches: self
                .voluntary_switches
                .saturating_sub(before.voluntary_switches),
            involuntary_switches: self
                .involuntary_switches
                .saturating_sub(before.involuntary_switches),
            run_queue_wait: since(self.run_queue_wait, before.run_queue_wait),
        }
    }

    /// Share of the time it could have used a core (it ran, or was ready to) in which it had one;
    /// `None` where the kernel did not say how long it was ready, or if it never was.
    pub fn share_with_core(&self) -> Option<f64> {
        let wanted = self.cpu.saturating_add(self.run_queue_wait?);
        (wanted > 0).then(|| self.cpu as f64 / wanted as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_is_not_wanting_a_core() {
        let used = CoreUse {
            wall: 1000,
            cpu: 300,
            run_queue_wait: Some(100),
            ..CoreUse::default()
        };
        assert_eq!(used.share_with_core(), Some(0.75));
        let unknown = CoreUse {
            run_queue_wait: None,
            ..used
        };
        assert_eq!(unknown.share_with_core(), None);
        assert_eq!(CoreUse::default().share_with_core(), None);
        assert_eq!(used.since(&used).run_queue_wait, Some(0));
        assert_eq!(used.since(&unknown).run_queue_wait, None);
        assert_eq!(unknown.properties().len() + 1, used.properties().len());
    }
}
