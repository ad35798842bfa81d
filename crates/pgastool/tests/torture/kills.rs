//! Runs that are killed with SIGKILL at random times: what was recorded can be read, is the truth,
//! and is everything that the program did; and nothing is left behind.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use pgas_trace::buffers::collect::PLACE;
use pgas_trace::buffers::page::PAGE;
use pgas_trace::buffers::{self, Collected};
use pgas_trace::properties::COLLECTED;
use pgas_trace::{Error, Experiment};
use rustix::process::{Pid, Signal, kill_process};

use crate::bench::{Bench, tools};
use crate::numbers::Numbers;
use crate::sequence;

/// Programs of one kind in a directory of their own.
pub struct Programs {
    bench: Bench,
}

/// Figures of some runs.
#[derive(Debug, Default)]
pub struct Counts {
    pub runs: u64,
    /// Runs that were killed before a thread had a file.
    pub too_early: u64,
    pub streams: u64,
    /// Streams of threads that were ended by others, whose recorder wrote the rest.
    pub complete: u64,
    pub blocks: u64,
    pub events: u64,
    pub bytes: u64,
    /// Events that were still in memory when their thread was killed.
    pub collected: u64,
}

/// Processes that are killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Victim {
    /// `pgastool run`, the program and all its threads.
    Everybody,
    /// One process of the program.
    OneProcess,
    /// `pgastool run`: the program must end with it.
    Tool,
}

#[derive(Debug)]
struct Plan {
    program: &'static str,
    threads: u32,
    victim: Victim,
    delay: Duration,
    /// Whether the delay counts from the program's first events on; else from the start of
    /// `pgastool run`.
    from_the_first_round: bool,
    options: Vec<&'static str>,
    /// Whether every event is in the trace.
    everything: bool,
}

impl Plan {
    fn new(numbers: &mut Numbers) -> Self {
        let mut options = vec!["--buffer", numbers.of(&["4K", "16K", "64K", "4M"])];
        options.extend(["--compress", numbers.of(&["none", "1", "1", "3"])]);
        if numbers.below(4) == 0 {
            options.push("--sync-io");
        }
        if numbers.below(2) == 0 {
            options.extend(["--files", "node"]);
        }
        let mode = numbers.below(12);
        match mode {
            0 => options.push("--profile"),
            1 => options.extend(["--throttle", "1000,10"]),
            2 => options.extend(["--throttle", "off", "--trace-limit", "200K"]),
            _ => options.extend(["--throttle", "off"]),
        }
        Plan {
            program: numbers.of(&["sequence", "sequence", "stress", "stress", "is"]),
            threads: numbers.of(&[1, 2, 4]),
            victim: numbers.of(&[Victim::Everybody, Victim::OneProcess, Victim::Tool]),
            from_the_first_round: numbers.below(5) > 0,
            // Often at the start, when files are made.
            delay: Duration::from_micros(1000 << numbers.below(7))
                .mul_f64(1.0 + numbers.below(1000) as f64 / 1000.0),
            options,
            everything: mode > 2,
        }
    }
}

impl Plan {
    /// A run that is killed within its first 60 ms, also before the program begins.
    fn early(numbers: &mut Numbers) -> Self {
        Plan {
            program: "sequence",
            threads: numbers.of(&[1, 2]),
            victim: numbers.of(&[Victim::Everybody, Victim::Tool, Victim::Tool]),
            from_the_first_round: numbers.below(2) > 0,
            delay: Duration::from_micros(numbers.below(60_000)),
            options: vec![
                "--throttle",
                "off",
                "--files",
                numbers.of(&["node", "node", "thread"]),
            ],
            everything: true,
        }
    }
}

impl Programs {
    pub fn new() -> Self {
        let bench = Bench::new();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/torture/programs");
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../npb-fixtures/is");
        let compile = |output: &str, arguments: &[PathBuf]| {
            let mut command = bench.command(&["compile", "--upcc", "embedded", "-O1", "-DCLASS=S"]);
            command.args(["--accesses", "all", "--functions", "all"]);
            command.args(["-o", output]).args(arguments);
            command.assert().success();
        };
        compile("sequence", &[sources.join("sequence.upc")]);
        compile("is", &[fixtures.join("is.c"), fixtures.join("randdp.c")]);
        let mut cc = std::process::Command::new("cc");
        cc.args(["-O1", "-pthread", "-I"])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../measure/include"))
            .arg("-o")
            .arg(bench.path("stress"))
            .arg(sources.join("sequence.c"))
            .arg(tools().join("libpgas_measure.a"))
            .args(["-lpthread", "-ldl", "-lm"]);
        assert!(cc.status().unwrap().success());
        Self { bench }
    }

    /// The run of that number; all that is random follows from it.
    pub fn kill(&self, number: u64, counts: &mut Counts) {
        self.carry_out(Plan::new(&mut Numbers(number)), number, counts);
    }

    /// The same of runs that are killed soon after their start.
    pub fn kill_early(&self, number: u64, counts: &mut Counts) {
        self.carry_out(Plan::early(&mut Numbers(number)), number, counts);
    }

    fn carry_out(&self, plan: Plan, number: u64, counts: &mut Counts) {
        let context = format!("run {number}, {plan:?}");
        let directory = self.bench.path("experiment");
        let progress = self.bench.path("progress");
        fs::write(&progress, [0; 4096]).unwrap();

        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pgastool"));
        crate::bench::clean(|name| {
            command.env_remove(name);
        });
        let mut child = command
            .args(["--quiet", "run", "-n", &plan.threads.to_string(), "-o"])
            .arg(&directory)
            .args(&plan.options)
            .arg("--")
            .arg(self.bench.path(plan.program))
            .args(["1000000000000"])
            .arg(&progress)
            .env("PGAS_NO_CORE", "0")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        if plan.from_the_first_round {
            self.wait_for_the_program(&plan, &progress, &mut child, &context);
        }
        std::thread::sleep(plan.delay);
        let mut numbers = Numbers(!number);
        let (status, killed) = kill(
            &mut child,
            plan.victim,
            &self.bench.path(""),
            &mut numbers,
            &context,
        );

        // IS may have ended by itself before.
        if killed && plan.program != "is" {
            let expected = Some(128 + 9);
            assert_eq!(
                status.code(),
                expected,
                "{context}: exit status of the tool"
            );
        }
        counts.runs += 1;
        self.check(&plan, &directory, &progress, counts, &context);
        fs::remove_dir_all(&directory)
            .or_else(|error| match error.kind() {
                std::io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            })
            .unwrap();
    }

    fn wait_for_the_program(&self, plan: &Plan, progress: &Path, child: &mut Child, context: &str) {
        let begin = Instant::now();
        while match plan.program {
            "is" => processes_of(&self.bench.path("")).is_empty(),
            _ => fs::read(progress).unwrap()[..8] == [0; 8],
        } {
            // IS ends by itself.
            let ended = child.try_wait().unwrap().is_some();
            if ended && plan.program == "is" {
                return;
            }
            assert!(
                !ended && begin.elapsed() < Duration::from_secs(60),
                "{context}: the program does not start"
            );
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    fn check(
        &self,
        plan: &Plan,
        directory: &Path,
        progress: &Path,
        counts: &mut Counts,
        context: &str,
    ) {
        let progress = fs::read(progress).unwrap();
        let rounds = |thread: u32| {
            let at = 8 * thread as usize;
            u64::from_le_bytes(progress[at..at + 8].try_into().unwrap())
        };
        // A process has lost its program a moment before it has ended.
        let begin = Instant::now();
        loop {
            let collected = buffers::collect(directory);
            assert_eq!(collected.problems, [""; 0], "{context}");
            if collected.alive == 0 {
                break;
            }
            let waited = begin.elapsed();
            assert!(
                waited < Duration::from_secs(60),
                "{context}: something still runs"
            );
        }
        let again = buffers::collect(directory);
        assert_eq!(again, Collected::default(), "{context}: the second time");
        assert_eq!(left_in_memory(directory), 0, "{context}: left in memory");
        let experiment = match Experiment::open(directory) {
            Ok(experiment) => experiment,
            Err(Error::NotAnExperiment { .. } | Error::NoStreams { .. }) => {
                assert!(
                    (0..plan.threads).all(|thread| rounds(thread) == 0),
                    "{context}: there is no trace of a program that ran"
                );
                counts.too_early += 1;
                return;
            }
            Err(error) => panic!("{context}: {error}"),
        };
        for stream in experiment.streams() {
            counts.streams += 1;
            counts.complete += u64::from(stream.complete());
            counts.blocks += stream.blocks().len() as u64;
            counts.events += stream.event_count();
            counts.bytes += fs::metadata(stream.path()).unwrap().len();
            for profile in stream.profiles() {
                profile.unwrap_or_else(|error| panic!("{context}: {error}"));
            }
            if plan.program == "is" || !plan.everything {
                read_everything(stream, context);
                continue;
            }
            let shown = sequence::check(stream, context);
            let done = sequence::events_of(rounds(stream.thread()));
            // The program counts a round after its last event; of the next one some events may be
            // there.
            assert!(
                shown.rounds <= rounds(stream.thread()) + 2,
                "{context}: {shown:?} of {done}"
            );
            assert_eq!(stream.property("buffers"), None, "{context}: not shared");
            let collected = stream.property(COLLECTED).map(|text| text.parse::<u64>());
            counts.collected += collected.map_or(0, |count| count.expect("a number"));
            // The program counts a round when all of its events are recorded.
            assert!(
                shown.events >= done,
                "{context}: thread {} has {} of {done} events that were recorded",
                stream.thread(),
                shown.events
            );
        }
    }
}

/// Buffers of threads that recorded into the experiment.
fn left_in_memory(directory: &Path) -> usize {
    let directory = directory.as_os_str().as_encoded_bytes();
    let files = fs::read_dir(PLACE).unwrap().flatten();
    let is_ours = |file: &fs::DirEntry| {
        let bytes = fs::File::open(file.path()).and_then(|mut file| {
            let mut page = vec![0; PAGE];
            file.read_exact(&mut page).map(|()| page)
        });
        bytes.is_ok_and(|bytes| bytes.windows(directory.len()).any(|path| path == directory))
    };
    let name = |file: &fs::DirEntry| file.file_name().to_string_lossy().into_owned();
    files
        .filter(|file| name(file).starts_with("pgas-buffers-") && is_ours(file))
        .count()
}

/// All events can be read and are in order.
fn read_everything(stream: &pgas_trace::Stream, context: &str) {
    let mut time = 0;
    for event in stream.events() {
        let event = event.unwrap_or_else(|error| panic!("{context}: {error}"));
        assert!(event.time >= time, "{context}: time runs backwards");
        time = event.time;
    }
}

/// Kills, and waits until nothing of the run is left. `directory` is where the program lies.
/// Returns how `pgastool run` ended, and whether that is because of one process of the program.
fn kill(
    child: &mut Child,
    victim: Victim,
    directory: &Path,
    numbers: &mut Numbers,
    context: &str,
) -> (ExitStatus, bool) {
    let tool = Pid::from_child(child);
    let mut processes = processes_of(directory);
    let one_was_killed = victim == Victim::OneProcess && !processes.is_empty();
    match victim {
        Victim::Everybody => {
            processes.push(tool);
            while !processes.is_empty() {
                let one = processes.swap_remove(numbers.index(processes.len()));
                let _ = kill_process(one, Signal::KILL);
            }
        }
        Victim::OneProcess if !processes.is_empty() => {
            let one = processes[numbers.index(processes.len())];
            let _ = kill_process(one, Signal::KILL);
        }
        // The first of the others: it has not started the program yet.
        Victim::OneProcess | Victim::Tool => {
            let _ = kill_process(tool, Signal::KILL);
        }
    }
    // The runtime ends the other threads of a program, and the system the program of a tool that
    // was killed.
    let begin = Instant::now();
    loop {
        let status = child.try_wait().unwrap();
        let left = processes_of(directory);
        if let (Some(status), true) = (status, left.is_empty()) {
            return (status, one_was_killed);
        }
        if victim == Victim::Everybody {
            for process in left {
                let _ = kill_process(process, Signal::KILL);
            }
        }
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "{context}: something of the run is left, and it does not end"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Processes that run a program of that directory.
fn processes_of(directory: &Path) -> Vec<Pid> {
    let directory = fs::canonicalize(directory).unwrap();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    numbers
        .filter(|number| {
            fs::read_link(format!("/proc/{number}/exe"))
                .is_ok_and(|exe| exe.starts_with(&directory))
        })
        .filter_map(Pid::from_raw)
        .collect()
}
