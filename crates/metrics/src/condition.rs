//! Conditions of metrics, and whether they hold.

/// What a condition is about, of one thread at one moment.
pub trait Values {
    /// Set of the regions that are open, as bits by [`crate::Definitions::regions`].
    fn inside(&self) -> u64;
    /// Value of a metric, in nanoseconds if it is a timer; 0 if the thread has no such metric.
    fn metric(&self, name: &str) -> u64;
    /// Number of the thread, from 0.
    fn thread(&self) -> u64;
    /// Number of threads.
    fn threads(&self) -> u64;
}

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// Any of these holds.
    Any(Vec<Condition>),
    /// All of these hold.
    All(Vec<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
    /// This region is open, by its index in [`crate::Definitions::regions`].
    Inside(usize),
    /// A comparison.
    Compare(Value, Comparison, Value),
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number; times are in nanoseconds.
    Number(u64),
    /// The value of this metric.
    Metric(String),
    /// Number of the thread.
    Thread,
    /// Number of threads.
    Threads,
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    pub(crate) const ALL: [(&'static str, Comparison); 6] = [
        ("==", Comparison::Equal),
        ("!=", Comparison::Unequal),
        ("<", Comparison::Less),
        ("<=", Comparison::LessOrEqual),
        (">", Comparison::Greater),
        (">=", Comparison::GreaterOrEqual),
    ];

    fn holds(self, left: u64, right: u64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }
}

impl Condition {
    /// Whether it holds now.
    pub fn holds(&self, values: &impl Values) -> bool {
        match self {
            Condition::Any(all) => all.iter().any(|one| one.holds(values)),
            Condition::All(all) => all.iter().all(|one| one.holds(values)),
            Condition::Not(one) => !one.holds(values),
            Condition::Inside(region) => values.inside() & 1 << region != 0,
            Condition::Compare(left, comparison, right) => {
                comparison.holds(left.of(values), right.of(values))
            }
        }
    }

    /// Names of the metrics that it compares.
    pub fn metrics(&self) -> Vec<&str> {
        match self {
            Condition::Any(all) | Condition::All(all) => {
                all.iter().flat_map(Condition::metrics).collect()
            }
            Condition::Not(one) => one.metrics(),
            Condition::Inside(_) => Vec::new(),
            Condition::Compare(left, _, right) => [left, right]
                .into_iter()
                .filter_map(Value::metric)
                .collect(),
        }
    }
}

impl Value {
    fn metric(&self) -> Option<&str> {
        match self {
            Value::Metric(name) => Some(name),
            Value::Number(_) | Value::Thread | Value::Threads => None,
        }
    }

    fn of(&self, values: &impl Values) -> u64 {
        match self {
            Value::Number(number) => *number,
            Value::Metric(name) => values.metric(name),
            Value::Thread => values.thread(),
            Value::Threads => values.threads(),
        }
    }
}
