//! Functions that can be tasks, and how tasks may end.

use std::future::Future;

use crate::channel::Closed;

/// A function whose arguments are `A`, a tuple, and that runs as a task: `async fn` with up to
/// eight parameters.
pub trait TaskFunction<A>: 'static {
    /// The task.
    type Future: Future<Output = Self::Output> + 'static;
    /// What it returns.
    type Output: 'static;

    /// The task with its arguments; it does not run yet.
    fn call(self, arguments: A) -> Self::Future;
}

macro_rules! task_functions {
    ($($type:ident $value:ident),*) => {
        impl<F, Task, $($type),*> TaskFunction<($($type,)*)> for F
        where
            F: FnOnce($($type),*) -> Task + 'static,
            Task: Future + 'static,
            Task::Output: 'static,
        {
            type Future = Task;
            type Output = Task::Output;

            fn call(self, ($($value,)*): ($($type,)*)) -> Task {
                self($($value),*)
            }
        }
    };
}

task_functions!();
task_functions!(A a);
task_functions!(A a, B b);
task_functions!(A a, B b, C c);
task_functions!(A a, B b, C c, D d);
task_functions!(A a, B b, C c, D d, E e);
task_functions!(A a, B b, C c, D d, E e, G g);
task_functions!(A a, B b, C c, D d, E e, G g, H h);
task_functions!(A a, B b, C c, D d, E e, G g, H h, I i);

/// What a task may return. None of it is a failure: a task whose receiver is gone has nothing left
/// to do, so it may leave a send with `?`.
pub trait Outcome: 'static {}

impl Outcome for () {}
impl Outcome for Result<(), Closed> {}
