//! State that the recorders of one process share: the list of them, the configuration; and their
//! work at the process's end and at a fork.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pgas_filter::Unseen;
use pgas_trace_format::model::Operation;
use pgas_trace_format::properties::{HOST, NODE, RUN, RUNTIME, UNSEEN};

use crate::clock::{Clock, thread_time};
use crate::clock_sync;
use crate::config::Config;
use crate::cost::Cost;
use crate::counter_sums::CounterSums;
use crate::counters::Counters;
use crate::files::Files;
use crate::helper::{self, LONGEST_UNSAFE};
use crate::message::say;
use crate::metrics;
use crate::node;
use crate::objects;
use crate::recorder::Recorder;
use crate::registry::{publish, recorders};
use crate::rehearsal::Rehearsal;
use crate::runtime;
use crate::settings::{EXPERIMENT, Live, Mode};
use crate::shared::settle;
use crate::signals::without_signals;
use crate::sink::Sink;
use crate::stack_samples::on_signal;
use crate::stack_sampling::StackSampler;
use crate::test_kill;

static SETUP: OnceLock<Option<Setup>> = OnceLock::new();
/// This process is the child of one that records.
static IS_FORKED: AtomicBool = AtomicBool::new(false);

/// How long the process's end waits for a thread to leave the recorder.
const LONGEST_WAIT: Duration = Duration::from_millis(200);

struct Setup {
    config: Config,
    clock: Clock,
}

/// The recorder of the calling thread; `None` if nothing is to be recorded, or nothing can be: then
/// it was said why.
pub(crate) fn open(
    thread: u32,
    threads: u32,
    rehearsal: Option<&Rehearsal>,
) -> Option<&'static Recorder> {
    let began = thread_time();
    if IS_FORKED.load(Ordering::Relaxed) {
        return None;
    }
    let setup = SETUP.get_or_init(|| prepare(threads)).as_ref()?;
    let refuse = |reason: &str| {
        say(&format!(
            "{reason}; thread {thread} is not recorded, the program goes on"
        ));
        None
    };
    let config = &setup.config;
    let clock = setup.clock.of_thread(thread);
    let sink = match without_signals(|| Sink::create(config, thread, clock)) {
        Ok(sink) => sink,
        Err(reason) => return refuse(&reason),
    };
    let Some(mut recorder) = Recorder::new(sink, clock, config, thread, threads) else {
        return refuse("no memory for the buffers of the recorder");
    };
    let counted = without_signals(|| open_counters(&mut recorder, config));
    let (sampler, sampling) = StackSampler::prepare(config.sampling, on_signal);
    recorder.stack_sampler = sampler;
    let mut properties = properties(config, thread, recorder.measure_cost());
    properties.extend(counted);
    properties.push(("sampling", sampling));
    properties.extend(config.run.clone().map(|run| (RUN, run)));
    if let Some(rehearsal) = rehearsal {
        let costs = recorder.rehearse(rehearsal);
        properties.extend(costs.properties());
    }
    let begun = without_signals(|| recorder.lock_sink().begin(threads, &properties));
    if let Err(reason) = begun {
        return refuse(&reason);
    }
    let Some(recorder) = settle(recorder) else {
        return refuse("no memory for the recorder");
    };
    let started = thread_time();
    recorder.start();
    without_signals(|| {
        if config.live == Live::Only {
            return;
        }
        if let Err(reason) = recorder.share(config, thread) {
            let mut sink = recorder.lock_sink();
            sink.add_properties(&[("buffers", format!("private: {reason}"))]);
        }
    });
    without_signals(|| {
        if let Err(reason) = recorder.show(config, thread) {
            if thread == 0 {
                say(&format!("no live page, {reason}; the program goes on"));
            }
            let mut sink = recorder.lock_sink();
            sink.add_properties(&[("live", format!("off: {reason}"))]);
        }
    });
    recorder.state.get_mut().adopt_metrics();
    recorder.refresh_flags();
    let ended = thread_time();
    let state = recorder.state.get_mut();
    state.set_up = ended.saturating_sub(began);
    state.set_up_within = ended.saturating_sub(started);
    let recorder: &'static Recorder = recorder;
    publish(recorder);
    recorder.begin_sampling();
    if !config.synchronous {
        helper::start(longest_wait(config));
    } else if config.live != Live::Off {
        helper::start_for_inbox();
    }
    Some(recorder)
}

/// How a thread compares its clock, and that clock; `None` if it is not to be compared.
pub(crate) fn clock_settings(thread: u32) -> Option<(clock_sync::Settings, Clock)> {
    let setup = SETUP.get()?.as_ref()?;
    Some((setup.config.clocks?, setup.clock.of_thread(thread)))
}

/// Opens the counters of the calling thread; returns the stream's properties about them. Refused
/// counters are no reason for a message of each thread: `pgastool run` has reported them.
fn open_counters(recorder: &mut Recorder, config: &Config) -> Vec<(&'static str, String)> {
    let names = config.counters.iter().map(String::as_str);
    let (counters, refused) = Counters::open(names);
    let mut properties = Vec::new();
    if let Some(sums) = counters.and_then(CounterSums::new) {
        properties.push(("counters", sums.names().join(",")));
        recorder.count(sums);
    }
    if !refused.is_empty() {
        let reasons = refused.iter().map(|r| format!("{}: {}", r.name, r.reason));
        properties.push(("counters_refused", reasons.collect::<Vec<_>>().join("; ")));
    }
    properties
}

/// Properties of a stream about how it was recorded.
fn properties(config: &Config, thread: u32, cost: Cost) -> Vec<(&'static str, String)> {
    let mut properties = vec![
        (HOST, node::host_name(thread)),
        (NODE, node::clock_name(thread)),
        ("recorder", env!("CARGO_PKG_VERSION").to_owned()),
        ("mode", config.mode.name().to_owned()),
        ("event_cost", cost.event.to_string()),
        ("clock_cost", cost.clock.to_string()),
    ];
    properties.push((UNSEEN, unseen(config).to_string()));
    properties.extend(runtime::name().map(|name| (RUNTIME, name)));
    if config.mode == Mode::Trace {
        let throttle = match config.throttle {
            Some(throttle) => throttle.to_string(),
            None => "off".to_owned(),
        };
        properties.push(("throttle", throttle));
        if config.addresses {
            properties.push(("addresses", "recorded".to_owned()));
        }
        if cost.throttled > 0 {
            properties.push(("throttled_cost", cost.throttled.to_string()));
        }
    }
    properties
}

/// Operations on shared data that are not recorded, by the way in which the program was compiled,
/// and by the filter.
fn unseen(config: &Config) -> Unseen {
    let mut unseen = objects::unseen();
    if let Some(filter) = &config.filter {
        let names = Operation::ALL.iter().map(|operation| operation.name());
        let left_out =
            names.filter(|name| name.starts_with("upc_") && !filter.rules.includes_operation(name));
        unseen.add(&Unseen {
            filtered: left_out.map(str::to_owned).collect(),
            ..Unseen::default()
        });
    }
    unseen
}

/// How long events stay in memory at most while the program goes on producing some. A kill takes
/// none of them where buffers lie in memory that outlives the process, and else the helper does not
/// wait as long. Where nodes share a file system, small pieces from all of them would cost others
/// more than that.
fn longest_wait(config: &Config) -> Duration {
    Duration::from_secs(match config.files {
        Files::Node => 30,
        _ => return LONGEST_UNSAFE,
    })
}

fn prepare(threads: u32) -> Option<Setup> {
    let mut config = Config::from_environment(|complaint| say(&complaint))?;
    test_kill::prepare();
    config.files = config.files.resolve(&config.experiment, threads);
    if config.live != Live::Off {
        metrics::give_file(&config);
    }
    // SAFETY: both functions may be called at any time, and are never unloaded.
    unsafe {
        libc::atexit(at_exit);
        libc::pthread_atfork(None, None, Some(after_fork_in_child));
    }
    Some(Setup {
        config,
        clock: Clock::choose(),
    })
}

/// There is no memory for something that the decoder of events needs.
pub(crate) fn note_no_memory(consequence: &str) {
    let is_wanted = std::env::var_os(EXPERIMENT).is_some_and(|path| !path.is_empty());
    if is_wanted {
        say(&format!("no memory: {consequence}; the program goes on"));
    }
}

/// A signal has come that ends the process, or somebody else has ended the program (0): what is
/// recorded from here on is not the program's. May be called by a handler of signals.
pub(crate) fn note_signal(signal: u32) {
    for recorder in recorders().filter(|recorder| recorder.is_of_this_process()) {
        recorder.note_signal(signal);
    }
}

/// The calling thread must soon make no system calls any more: what it has recorded is written, and
/// its recording ends.
pub(crate) fn end_of_calls() {
    let own = |recorder: &&Recorder| recorder.is_of_this_process() && recorder.is_mine();
    for recorder in recorders().filter(own) {
        say(
            "seccomp's strict mode allows no recording: this thread is recorded up to here, the \
             program goes on",
        );
        // SAFETY: this is its thread. Within the recorder, as in a handler of signals, it does
        // nothing.
        unsafe { recorder.finish() };
    }
    helper::watch_threads();
}

/// For a process that has waited for those that record: completes their streams.
pub(crate) fn collect() {
    let Some(experiment) = std::env::var_os(EXPERIMENT).filter(|path| !path.is_empty()) else {
        return;
    };
    for problem in pgas_trace_format::buffers::collect(experiment.as_ref()).problems {
        say(&problem);
    }
}

/// The process ends by `exit` or by returning from `main`: writes what no thread has written yet.
extern "C" fn at_exit() {
    if IS_FORKED.load(Ordering::Relaxed) {
        return;
    }
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let mut others = Vec::new();
        for recorder in recorders().filter(|recorder| recorder.is_of_this_process()) {
            if recorder.is_mine() {
                match recorder.is_busy() {
                    // SAFETY: this is its thread. A signal handler called `exit` inside of the
                    // recorder, and nothing there will go on.
                    true => unsafe { recorder.finish_in_the_middle() },
                    // SAFETY: this is its thread, outside of the recorder.
                    false => unsafe { recorder.finish() },
                }
            } else {
                recorder.close();
                others.push(recorder);
            }
        }
        if !others.is_empty() {
            without_signals(|| finish_others(&others));
        }
    }));
}

/// Other threads may still run. They have been told to stop; after a barrier on all processors, one
/// that is seen outside of its recorder will not append anything more.
fn finish_others(others: &[&Recorder]) {
    const MEMBARRIER_CMD_GLOBAL: libc::c_int = 1;
    // SAFETY: no pointers.
    if unsafe { libc::syscall(libc::SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) } != 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    for recorder in others {
        let begin = Instant::now();
        while recorder.is_busy() && begin.elapsed() < LONGEST_WAIT {
            std::thread::yield_now();
        }
        if !recorder.is_busy() {
            // SAFETY: it was closed, and after the barrier seen outside.
            unsafe { recorder.finish_for_other() };
        }
    }
}

/// The child of a fork has a copy of all buffers and an open descriptor of every stream. These are
/// its parent's.
extern "C" fn after_fork_in_child() {
    IS_FORKED.store(true, Ordering::Relaxed);
    for recorder in recorders() {
        // SAFETY: a forked child has one thread.
        unsafe { recorder.abandon() };
    }
}
