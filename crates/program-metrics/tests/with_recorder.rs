//! A program with a recorder, which is one of the test here: each call of the crate is one of it.

use std::ffi::{CStr, c_char, c_int};
use std::sync::Mutex;
use std::time::Duration;

use pgas_program_metrics::{Counter, MetricError, Timer, define};

static CALLS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn note(call: String) {
    CALLS.lock().unwrap().push(call);
}

/// Calls of the recorder that `what` leads to.
fn calls(what: impl FnOnce()) -> Vec<String> {
    CALLS.lock().unwrap().clear();
    what();
    std::mem::take(&mut CALLS.lock().unwrap())
}

/// # Safety
/// A C string.
unsafe fn text(text: *const c_char) -> String {
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

/// Answers with the number at the end of the name.
#[unsafe(no_mangle)]
unsafe extern "C" fn pgas_recorder_metric(name: *const c_char, is_timer: c_int) -> c_int {
    // SAFETY: promised by the caller.
    let name = unsafe { text(name) };
    note(format!("register {name} {is_timer}"));
    name.rsplit(' ').next().unwrap().parse().unwrap()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pgas_recorder_metric_define(definition: *const c_char) -> c_int {
    // SAFETY: promised by the caller.
    let definition = unsafe { text(definition) };
    let answer = if definition.contains('=') { 0 } else { -1 };
    note(format!("define {definition}"));
    answer
}

#[unsafe(no_mangle)]
extern "C" fn pgas_recorder_metric_set(metric: c_int, value: u64) {
    note(format!("set {metric} {value}"));
}

#[unsafe(no_mangle)]
extern "C" fn pgas_recorder_metric_add(metric: c_int, number: u64) {
    note(format!("add {metric} {}", number as i64));
}

#[unsafe(no_mangle)]
extern "C" fn pgas_recorder_metric_attach(metric: c_int) {
    note(format!("attach {metric}"));
}

#[unsafe(no_mangle)]
extern "C" fn pgas_recorder_metric_run(metric: c_int, is_running: c_int) {
    note(format!("run {metric} {is_running}"));
}

#[unsafe(no_mangle)]
extern "C" fn pgas_recorder_metric_value(metric: c_int) -> u64 {
    1_000_000_000 * metric as u64
}

// One test, as calls are noted for the whole process.
#[test]
fn calls_reach_the_recorder() {
    let mut counter = None;
    let found = calls(|| counter = Counter::new("grid 3").ok());
    assert_eq!(found, ["register grid 3 0"]);
    let counter = counter.unwrap();
    let found = calls(|| {
        counter.set(7);
        counter.add(2);
        counter.subtract(4);
        Counter::numbered(5).unwrap().set(u64::MAX);
    });
    let expected = [
        "set 3 7",
        "add 3 2",
        "add 3 -4",
        "register metric 5 0",
        "set 5 18446744073709551615",
    ];
    assert_eq!(found, expected);
    assert_eq!(counter.value(), 3_000_000_000);

    let found = calls(|| {
        let timer = counter.attach();
        timer.start();
        timer.stop();
        assert_eq!(timer.elapsed(), Duration::from_secs(3));
    });
    assert_eq!(found, ["attach 3", "run 3 1", "run 3 0"]);

    timers_stop_at_the_end_of_a_scope();
    refusals_have_their_reason();
}

fn timers_stop_at_the_end_of_a_scope() {
    let timer = Timer::new("solving 4").unwrap();
    let found = calls(|| {
        let result = std::panic::catch_unwind(|| {
            let _running = timer.scope();
            note("step".into());
            panic!("the solver diverges");
        });
        assert!(result.is_err());
    });
    assert_eq!(found, ["run 4 1", "step", "run 4 0"]);
}

fn refusals_have_their_reason() {
    let of = |code: i32| Counter::new(&format!("m {code}")).unwrap_err();
    let name = |code: i32| format!("m {code}");
    assert_eq!(of(-1), MetricError::Recorder { name: name(-1) });
    assert_eq!(of(-2), MetricError::AllInUse { name: name(-2) });
    assert_eq!(of(-3), MetricError::OtherKind { name: name(-3) });
    assert_eq!(of(-4), MetricError::Name { name: name(-4) });
    let message = of(-2).to_string();
    assert!(
        message.starts_with("metric m -2: all 16 metrics"),
        "{message}"
    );
    define("gets = count(upc_memget)").unwrap();
    let message = define("gets").unwrap_err().to_string();
    assert!(message.contains("`gets`: it is not valid"), "{message}");
}
