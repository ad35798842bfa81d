//! Identity of a task: its number, its function, the place that created it, its processor.

use std::fmt;

use crate::place::Place;

/// A string of the executable. By its own name, serde does not take it for one that it borrows.
type Constant = &'static str;

/// What is known of a task as long as it lives.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Identity {
    /// Number of the task in its run, in the order of creation, from 0: the main task. The upper
    /// half is the process that created it.
    pub number: u64,
    /// Its function, without modules.
    #[serde(with = "crate::anchor::text")]
    pub name: Constant,
    /// Where it was created.
    pub created: Place,
    /// Number of the task that created it; its own for the main task.
    pub parent: u64,
    /// Position among the tasks that its parent created, from 0.
    pub nth: u32,
    /// Processor that runs it, from 0.
    pub processor: u32,
}

impl Identity {
    /// The process that created it, from 0.
    #[must_use]
    pub fn creating_process(&self) -> u32 {
        (self.number >> 32) as u32
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "task {} ({}, created at {})",
            self.number, self.name, self.created
        )
    }
}

/// Name of the function of type `F`: without modules and type arguments; of a closure, the function
/// that contains it.
pub(crate) fn function_name<F>() -> &'static str {
    let path = std::any::type_name::<F>();
    let path = path
        .split('<')
        .next()
        .unwrap_or(path)
        .trim_end_matches("::{{closure}}");
    path.rsplit("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    mod inner {
        pub fn stage<T>(_: T) {}
    }

    fn name_of<F>(_: F) -> &'static str {
        function_name::<F>()
    }

    #[test]
    fn names_have_no_modules_and_no_types() {
        assert_eq!(
            name_of(inner::stage::<Option<std::time::Duration>>),
            "stage"
        );
    }

    #[test]
    fn closures_have_the_name_of_their_function() {
        assert_eq!(name_of(|| 1), "closures_have_the_name_of_their_function");
    }
}
