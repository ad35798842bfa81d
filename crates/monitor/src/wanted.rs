//! Selection of objects and metrics, as requests name them.

use serde::{Deserialize, Serialize};

use crate::level::{Kind, Level};

/// Objects and metrics that are asked for; what is `None` is not restricted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// Kind of the objects.
    pub kind: Option<Kind>,
    /// Their level; without kind and level, the system.
    pub level: Option<Level>,
    /// One of them, by its name.
    pub object: Option<String>,
    /// A metric.
    pub metric: Option<String>,
}

impl Wanted {
    /// Whether objects of this level are asked for.
    pub fn has(&self, level: Level) -> bool {
        match (self.level, self.kind) {
            (Some(wanted), _) => wanted == level,
            (None, Some(kind)) => level.kind() == kind,
            (None, None) => level == Level::System,
        }
    }

    /// The levels that are asked for.
    pub fn levels(&self) -> impl Iterator<Item = Level> + '_ {
        Level::ALL.into_iter().filter(|level| self.has(*level))
    }

    /// Whether this object is asked for, if its level is.
    pub fn has_object(&self, name: &str) -> bool {
        self.object.as_ref().is_none_or(|wanted| wanted == name)
    }

    /// Whether this metric is asked for.
    pub fn has_metric(&self, name: &str) -> bool {
        self.metric.as_ref().is_none_or(|wanted| wanted == name)
    }
}
