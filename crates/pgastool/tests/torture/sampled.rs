//! A program with signals, timers, children, threads, a deep stack, libraries that come and go and
//! system calls of its own prints the same while it is sampled, at any rate and with any clock; what
//! was recorded can be analysed.

use std::path::Path;
use std::process::Command;

use pgas_trace::Experiment;

use crate::bench::Bench;

/// How the samples are taken. Wall-clock time cuts sleeps short, as the option says.
const HOW: [(&str, &[&str]); 6] = [
    ("5000", &[]),
    ("10000", &[]),
    ("997", &[]),
    ("auto", &[]),
    ("5000,wall", &UNINTERRUPTED),
    ("997,wall", &UNINTERRUPTED),
];
const UNINTERRUPTED: [&str; 7] = [
    "timers",
    "jumps",
    "forks",
    "threads",
    "recursion",
    "libraries",
    "masks",
];
const LIBRARY: &str =
    "long compute(long n) { volatile long x = 0; for (long i = 0; i < n; i++) x += i; return x; }";

pub struct Sampled {
    bench: Bench,
    rounds: u64,
}

impl Sampled {
    pub fn new(rounds: u64) -> Self {
        let bench = Bench::new();
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/torture/programs/sampled.upc");
        let mut command = bench.command(&["compile", "--upcc", "embedded", "-O1", "-o", "sampled"]);
        command
            .arg(source)
            .args(["-ldl", "-lpthread"])
            .assert()
            .success();
        bench.write("library.c", LIBRARY);
        let mut compile = Command::new("cc");
        compile.args(["-O1", "-shared", "-fPIC", "-o"]);
        compile
            .arg(bench.path("library.so"))
            .arg(bench.path("library.c"));
        assert!(compile.status().expect("cc").success());
        Self { bench, rounds }
    }

    fn arguments(&self, parts: &[&str]) -> Vec<String> {
        let library = self.bench.path("library.so").display().to_string();
        let mut all = vec![self.rounds.to_string(), library];
        all.extend(parts.iter().map(|part| (*part).to_owned()));
        all
    }

    /// Runs the program in all ways, and returns the number of samples.
    pub fn run(&self) -> u64 {
        HOW.iter().map(|(how, parts)| self.sample(how, parts)).sum()
    }

    fn sample(&self, how: &str, parts: &[&str]) -> u64 {
        let plain = Command::new(self.bench.path("sampled"))
            .arg("-fupc-threads=2")
            .args(self.arguments(parts))
            .env("PGAS_MEASURE", "0")
            .output()
            .expect("the program");
        assert!(plain.status.success(), "without recording: {plain:?}");
        let _ = std::fs::remove_dir_all(self.bench.path("e"));
        let mut command = self.bench.command(&[
            "run",
            "-n",
            "2",
            "-o",
            "e",
            "--sample",
            how,
            "--",
            "./sampled",
        ]);
        let measured = command
            .args(self.arguments(parts))
            .output()
            .expect("pgastool");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(
            measured.status.success(),
            "{how}: {}",
            text(&measured.stderr)
        );
        // The experiment's name comes last.
        let expected = text(&plain.stdout) + "e\n";
        assert!(expected.lines().count() > 2 * parts.len(), "{expected}");
        assert_eq!(text(&measured.stdout), expected, "{how}");
        self.bench.ok(&["analyze", "e"]);
        self.bench.ok(&["report", "e"]);
        let experiment = Experiment::open(&self.bench.path("e")).expect("an experiment");
        let streams = experiment.streams().iter();
        let blocks = streams.flat_map(|stream| stream.stack_samples());
        let samples = blocks.map(|block| block.expect("samples").samples.len() as u64);
        let samples = samples.sum();
        assert!(samples > 0, "{how}: no samples");
        samples
    }
}
