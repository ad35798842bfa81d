//! Runs the threads of a simulated cluster.

use super::model::Model;
use super::thread::Thread;
use super::world::World;
use corosensei::{Coroutine, CoroutineResult};
use std::cell::RefCell;
use std::rc::Rc;

/// Runs the same on all threads; results in their order.
///
/// # Panics
///
/// If threads wait for messages that nobody sends.
pub fn run<T: 'static>(model: &Model, body: impl Fn(&Thread) -> T + 'static) -> Vec<T> {
    let world = Rc::new(World::new(model));
    let body = Rc::new(body);
    let results: Rc<RefCell<Vec<Option<T>>>> = Rc::default();
    results.borrow_mut().resize_with(model.threads, || None);
    let mut threads: Vec<Option<Coroutine<(), (), ()>>> = (0..model.threads)
        .map(|number| {
            let (world, body, results) = (Rc::clone(&world), Rc::clone(&body), Rc::clone(&results));
            Some(Coroutine::new(move |yielder, ()| {
                let result = body(&Thread::new(number, &world, yielder));
                results.borrow_mut()[number] = Some(result);
            }))
        })
        .collect();
    while threads.iter().any(Option::is_some) {
        let mut anybody = false;
        for (number, thread) in threads.iter_mut().enumerate() {
            let Some(coroutine) = thread.as_mut().filter(|_| world.can_run(number)) else {
                continue;
            };
            anybody = true;
            if let CoroutineResult::Return(()) = coroutine.resume(()) {
                *thread = None;
            }
        }
        assert!(anybody, "threads wait for messages that nobody sends");
    }
    results.take().into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processes::Processes;

    #[test]
    fn messages_take_the_time_of_the_model_and_runs_repeat() {
        let run = |model: &Model| {
            run(model, |thread| {
                thread.idle_until(1.0);
                match thread.thread() {
                    0 => thread.send(1, &[7]),
                    _ => thread.receive(0, &mut [0]),
                }
                thread.true_time()
            })
        };
        let quiet = run(&Model::quiet(2));
        let model = Model::quiet(2);
        assert!((quiet[0] - 1.0 - model.overhead).abs() < 1e-12);
        let all = 2.0 * model.overhead + model.far;
        assert!((quiet[1] - 1.0 - all).abs() < 1e-12);
        let noisy = Model::cluster(2, 5);
        assert_eq!(run(&noisy), run(&noisy));
        assert_ne!(run(&noisy), quiet);
    }

    #[test]
    #[should_panic(expected = "nobody sends")]
    fn threads_that_wait_for_each_other_are_noticed() {
        run(&Model::quiet(2), |thread| {
            thread.receive(1 - thread.thread(), &mut [0]);
        });
    }
}
