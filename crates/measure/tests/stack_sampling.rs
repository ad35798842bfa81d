//! Samples of where a thread computes: as many as its CPU time says, each with the region that was
//! open at its moment, and with its callers through code that nobody instrumented; and a program
//! that does the worst to a recorder that samples it, which must not notice.

mod support;

use std::collections::BTreeMap;
use std::process::Command;

use pgas_trace::model::{EventKind, Module, SampleClock, StackSample, StackSamples};
use pgas_trace::{Experiment, Stream};
use support::{Numbering, Program, compile_with};

/// Samples a second, so that short runs have many.
const RATE: &str = "2000";
/// Steps of a loop that take some 50 ms.
const STEPS: &str = "15000000";

fn programs(name: &str) -> String {
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/");
    format!("{programs}{name}")
}

fn program() -> Program {
    let directory = tempfile::tempdir().unwrap();
    let object = directory.path().join("sort.o");
    let compiled = Command::new("cc")
        .args(["-O2", "-fomit-frame-pointer", "-c", "-o"])
        .arg(&object)
        .arg(programs("stack_sampling_sort.c"))
        .status();
    assert!(compiled.expect("cc").success());
    let object = object.display().to_string();
    compile_with("stack_sampling.c", Numbering::Embedded, &[&object])
}

struct Run {
    program: Program,
    experiment: Experiment,
    /// What the program printed: a name and a number each.
    times: BTreeMap<String, u64>,
    errors: String,
}

fn run(arguments: &[&str], sample: &str) -> Run {
    run_with(arguments, &[("PGAS_SAMPLE", sample)])
}

fn run_with(arguments: &[&str], settings: &[(&str, &str)]) -> Run {
    let program = program();
    let mut command = program.default_command(1);
    command.args(arguments).envs(settings.iter().copied());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let times = text.lines().map(|line| {
        let (name, number) = line.split_once(' ').unwrap();
        (name.to_owned(), number.parse().unwrap())
    });
    Run {
        experiment: program.open(),
        times: times.collect(),
        errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        program,
    }
}

impl Run {
    fn stream(&self) -> &Stream {
        let stream = &self.experiment.streams()[0];
        assert!(stream.complete(), "{:?}", stream.remarks());
        stream
    }

    fn blocks(&self) -> Vec<StackSamples> {
        let blocks = self.stream().stack_samples();
        blocks.map(|block| block.expect("samples")).collect()
    }

    /// CPU time that samples stand for, in nanoseconds, by the innermost region.
    fn sampled(&self) -> BTreeMap<String, u64> {
        let mut times = BTreeMap::new();
        for block in self.blocks() {
            for sample in &block.samples {
                let region = region(self.stream(), &block, sample);
                let time = sample.weight * block.period_nanoseconds;
                *times.entry(region).or_default() += time;
            }
        }
        times
    }

    fn property(&self, key: &str) -> Option<&str> {
        self.stream().property(key)
    }

    /// The samples of a part of the program stand for the time that it took, to within `permille`
    /// and a few samples.
    fn expect_time(&self, part: &str, permille: u64) {
        let blocks = self.blocks();
        let period = blocks[0].period_nanoseconds;
        // At ticks of the kernel, all of a tick goes to whoever has the core then.
        let (permille, few) = match blocks[0].clock {
            SampleClock::UserTime => (permille, 4),
            _ => (permille.max(250), 10),
        };
        let expected = self.times[part];
        let found = self.sampled().get(part).copied().unwrap_or(0);
        let bound = expected * permille / 1000 + few * period;
        assert!(
            found.abs_diff(expected) <= bound,
            "{part}: samples say {found} ns, the clock {expected} ns"
        );
    }
}

/// Name of the innermost region of a sample; empty if there is none.
fn region(stream: &Stream, block: &StackSamples, sample: &StackSample) -> String {
    sample.path.map_or_else(String::new, |path| {
        let site = block.paths[path as usize].site;
        stream.site(site).name.clone()
    })
}

/// Addresses of the functions of a program, by `nm`.
fn functions(program: &Program) -> BTreeMap<String, std::ops::Range<u64>> {
    let output = Command::new("nm")
        .arg("-S")
        .arg(&program.executable)
        .output()
        .expect("nm");
    let text = String::from_utf8(output.stdout).unwrap();
    let functions = text.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[begin, size, _, name] = &words[..] else {
            return None;
        };
        let number = |text| u64::from_str_radix(text, 16).unwrap();
        Some((name.to_owned(), number(begin)..number(begin) + number(size)))
    });
    functions.collect()
}

#[test]
fn there_are_as_many_samples_as_time() {
    let run = run(&["ratio", STEPS], RATE);
    assert_eq!(run.errors, "");
    run.expect_time("one", 50);
    run.expect_time("three", 50);
    let blocks = run.blocks();
    assert!(blocks.iter().all(|block| block.lost == 0));
    let text = run.property("sampling").unwrap();
    match blocks[0].clock {
        SampleClock::UserTime => assert_eq!(text, "2000 Hz, CPU time in user mode"),
        _ => assert!(text.contains("refuses"), "{text}"),
    }
}

/// A timer that is looked at when the kernel ticks: all of a tick goes to whoever has the core then.
#[test]
fn where_the_kernel_refuses_events_its_ticks_are_taken() {
    let run = run(&["refused", "150000000"], RATE);
    assert_eq!(run.errors, "");
    let blocks = run.blocks();
    assert_eq!(blocks[0].clock, SampleClock::TickTime);
    assert!(blocks[0].period_nanoseconds >= 500_000);
    let text = run.property("sampling").unwrap();
    assert!(text.contains("(asked for: 2000 Hz"), "{text}");
    run.expect_time("one", 250);
    run.expect_time("three", 250);
}

/// In the trace's own order of time, each sample lies where its innermost region is open.
#[test]
fn paths_are_those_of_the_events() {
    for settings in [
        &[][..],
        &[("PGAS_BUFFER", "4096")],
        &[("PGAS_SYNC_IO", "1")],
    ] {
        let mut all = vec![("PGAS_SAMPLE", RATE)];
        all.extend(settings);
        let run = run_with(&["ratio", STEPS], &all);
        assert_eq!(run.errors, "");
        let stream = run.stream();
        let (mut open, mut regions) = (Vec::new(), Vec::new());
        for event in stream.events() {
            let event = event.unwrap();
            match event.kind {
                EventKind::Enter { site, .. } => open.push(stream.site(site).name.clone()),
                EventKind::Exit { .. } => drop(open.pop()),
            }
            regions.push((event.time, open.last().cloned().unwrap_or_default()));
        }
        let mut count = 0;
        for block in run.blocks() {
            for sample in &block.samples {
                let before = regions.partition_point(|(time, _)| *time <= sample.time);
                let expected = before.checked_sub(1).map_or("", |index| &regions[index].1);
                assert_eq!(region(stream, &block, sample), expected, "{settings:?}");
                count += 1;
            }
        }
        assert!(count > 50, "{count} samples");
    }
}

#[test]
fn callers_are_found_through_code_without_frame_pointers() {
    let run = run(&["sort", "40"], RATE);
    assert_eq!(run.errors, "");
    let functions = functions(&run.program);
    let blocks = run.blocks();
    let modules: Vec<&Module> = blocks.iter().flat_map(|block| &block.modules).collect();
    let executable = run.program.executable.canonicalize().unwrap();
    let own = modules
        .iter()
        .find(|module| module.path == executable.to_string_lossy())
        .expect("the program among the modules");
    let is_in = |address: u64, name: &str| {
        functions[name].contains(&address.wrapping_sub(own.bias).wrapping_sub(1))
    };
    let of_library = |address: u64| {
        let mut others = modules.iter().filter(|module| module.path.contains("libc"));
        others.any(|module| (module.start..module.end).contains(&address))
    };
    let (mut compared, mut whole) = (0, 0);
    let samples = blocks.iter().flat_map(|block| &block.samples);
    for frames in samples.map(|sample| &sample.frames) {
        if !is_in(frames[0] + 1, "compare") {
            continue;
        }
        compared += 1;
        let callers = &frames[1..];
        let last_of_library = callers.iter().take_while(|&&at| of_library(at)).count();
        let own_callers = &callers[last_of_library..];
        let goes_on = own_callers.len() >= 3
            && is_in(own_callers[0], "sort_all")
            && is_in(own_callers[1], "sort")
            && is_in(own_callers[2], "main");
        whole += usize::from(last_of_library > 0 && goes_on);
    }
    assert!(compared > 20, "{compared} samples in the comparison");
    // Recursion in the library may be deeper than what is noted.
    assert!(whole * 10 >= compared * 9, "{whole} of {compared}");
    let library = modules.iter().find(|module| module.path.contains("libc"));
    let id = &library.expect("the C library").build_id;
    assert!(id.len() >= 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()));
}

#[test]
fn sampling_can_be_switched_off() {
    let run = run(&["ratio", "1000000"], "off");
    assert_eq!(run.errors, "");
    assert_eq!(run.blocks(), []);
    assert_eq!(run.property("sampling"), Some("off"));
}

/// How often by default depends on the machine, but not whether.
#[test]
fn by_default_there_are_samples() {
    let run = run_with(&["ratio", STEPS], &[]);
    assert_eq!(run.errors, "");
    let period = run.blocks()[0].period_nanoseconds;
    assert!((1_000_000..=1_000_000_000).contains(&period), "{period}");
    assert!(run.sampled()["three"] > 0);
}

#[test]
fn wall_time_shows_where_a_thread_waits() {
    // For 300 ms, which take next to no CPU time.
    let run = run(&["rest", "300000000"], "1000,wall");
    assert_eq!(run.errors, "");
    let blocks = run.blocks();
    assert_eq!(blocks[0].clock, SampleClock::WallTime);
    let lost: u64 = blocks.iter().map(|block| block.lost).sum();
    let rested = run.sampled()["rest"] + lost * 1_000_000;
    assert!(rested >= 200_000_000, "{rested}");
}

#[test]
fn a_profile_has_samples_too() {
    let settings = [("PGAS_SAMPLE", RATE), ("PGAS_MODE", "profile")];
    let run = run_with(&["ratio", STEPS], &settings);
    assert_eq!(run.errors, "");
    run.expect_time("one", 50);
    run.expect_time("three", 50);
}

#[test]
fn a_program_with_signals_threads_and_forks_goes_on_as_ever() {
    let run = run(&["torture", STEPS], RATE);
    assert_eq!(run.errors, "");
    let sampled = run.sampled();
    for part in ["timers", "closed", "parent"] {
        run.expect_time(part, 100);
    }
    // While signals are blocked there is at most the one that is pending at the end.
    let blocked = sampled.get("blocked").copied().unwrap_or(0);
    assert!(blocked <= 1_000_000, "{blocked}");
    assert!(sampled["jumps"] > 0);
}

#[test]
fn a_deep_recursion_is_sampled_with_little_stack_left() {
    let run = run(&["deep", STEPS], RATE);
    assert_eq!(run.errors, "");
    run.expect_time("deep", 50);
    let blocks = run.blocks();
    let samples = blocks.iter().flat_map(|block| &block.samples);
    assert!(samples.clone().all(|sample| sample.frames.len() <= 24));
    assert!(samples.clone().any(|sample| sample.frames.len() == 24));
}

#[test]
fn libraries_come_and_go() {
    let directory = tempfile::tempdir().unwrap();
    let library = directory.path().join("library.so");
    let compiled = Command::new("cc")
        .args(["-O1", "-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(programs("stack_sampling_library.c"))
        .status();
    assert!(compiled.expect("cc").success());
    let run = run(&["load", "2000000", &library.display().to_string()], RATE);
    assert_eq!(run.errors, "");
    run.expect_time("load", 150);
}

/// A program that handles the signal itself has it.
#[test]
fn the_signal_is_the_programs() {
    let first = run(&["urgent first", STEPS], RATE);
    assert_eq!(first.errors, "");
    assert_eq!(first.times["urgent"], 1);
    first.expect_time("before", 50);
    first.expect_time("after", 50);
    assert_eq!(first.property("sampling_stopped"), None);

    let later = run(&["urgent", STEPS], RATE);
    assert_eq!(later.times["urgent"], 1);
    assert_eq!(later.errors.lines().count(), 1, "{}", later.errors);
    assert!(later.errors.contains("SIGURG"), "{}", later.errors);
    later.expect_time("before", 50);
    assert_eq!(later.sampled().get("after"), None);
    assert!(later.property("sampling_stopped").is_some());
}

/// A small stack for handlers of crashes costs no sample its callers. For handlers that may be called
/// at any time it could overflow: there are no samples then.
#[test]
fn a_stack_that_a_sample_may_overflow_is_left_alone() {
    let run = run(&["small stack", STEPS], RATE);
    run.expect_time("before", 50);
    let blocks = run.blocks();
    let mut of_sort = Vec::new();
    for block in &blocks {
        let samples = block.samples.iter();
        let here = samples.filter(|sample| region(run.stream(), block, sample) == "sort");
        of_sort.extend(here.map(|sample| sample.frames.len()));
    }
    let deep = of_sort.iter().filter(|&&frames| frames >= 3).count();
    assert!(
        of_sort.len() > 20 && deep * 10 >= of_sort.len() * 9,
        "{of_sort:?}"
    );
    assert_eq!(run.sampled().get("after"), None);
    assert_eq!(run.errors.lines().count(), 1, "{}", run.errors);
    let reason = run.property("sampling_stopped").expect("a reason");
    assert!(reason.contains("stack"), "{reason}");
    assert!(run.errors.contains(reason), "{}", run.errors);
}

/// A program that ends in the midst of everything has its last samples, too.
#[test]
fn the_last_samples_are_written_at_an_exit() {
    let run = run(&["exit", STEPS], RATE);
    assert_eq!(run.errors, "");
    run.expect_time("last", 50);
}
