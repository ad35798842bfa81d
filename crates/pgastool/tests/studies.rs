//! The programs of the studies (`studies/`): the advice that leads from a naive version to the
//! optimised one is among the first three findings of the naive one, at the lines that were
//! changed, and no longer in the report of the optimised one. All versions verify what they
//! compute.

#[path = "measured/machine.rs"]
mod machine;
mod measured;
#[path = "measured/mpi.rs"]
mod mpi;
#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use machine::{Taken, Watch};
use measured::{EACH_AN_EVENT, Measured, measure_with, pgastool, succeed};
use not_tested::not_tested;
use serde_json::Value;

/// Number of findings that count as the first ones.
const FIRST: usize = 3;
/// Runs of each version. Most of them must confirm the statement about the program: where other
/// processes take a thread's core away, all others wait for it, and that comes first then.
const RUNS: usize = 5;

/// Of what a finding cost, the share that may be left in the optimised version.
const LEFT: f64 = 0.1;

/// How often both versions are measured where something else takes the cores.
const ATTEMPTS: usize = 3;

/// If the machine takes more than this share of the threads' time, a run shows it rather than the
/// program.
const DISTURBED: f64 = 0.1;

/// Programs run one after the other: two at once would take each other's cores.
static ALONE: Mutex<()> = Mutex::new(());

fn source(path: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(path)
}

/// A version of a program and how it is measured.
struct Version {
    /// From the top directory.
    source: &'static str,
    class: &'static str,
    /// Arguments of `pgastool compile` that choose the compiler.
    compiler: &'static [&'static str],
    compile_options: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
    threads: u32,
}

impl Version {
    fn of(source: &'static str) -> Version {
        Version {
            source,
            class: "S",
            compiler: &["--upcc", "embedded"],
            // The advice is on what single accesses cost.
            compile_options: &EACH_AN_EVENT,
            environment: &[],
            threads: 2,
        }
    }

    /// Compiles it, and runs, analyses and reports it [`RUNS`] times.
    fn measure(&self) -> Vec<Run> {
        // A test that has failed leaves nothing that others would need.
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().expect("a folder");
        succeed(
            pgastool(folder.path())
                .arg("compile")
                .args(self.compile_options)
                .args(self.compiler)
                .arg(format!("-DCLASS={}", self.class))
                .args(["-O2", "-o", "prog"])
                .arg(source(self.source))
                .arg("-lm"),
        );
        (0..RUNS)
            .map(|number| self.run(folder.path(), number))
            .collect()
    }

    fn run(&self, folder: &Path, number: usize) -> Run {
        let experiment = format!("e{number}");
        let watch = Watch::start();
        let measured = measure_with(
            self.environment,
            folder,
            &folder.join("prog"),
            &[],
            self.threads,
            &experiment,
        );
        let taken = watch.end(&folder.join(experiment));
        let verified = measured
            .printed
            .lines()
            .any(|line| line.trim() == "Verification = SUCCESSFUL");
        assert!(verified, "{}: {}", self.source, measured.printed);
        Run { measured, taken }
    }
}

/// One run of a version.
struct Run {
    measured: Measured,
    /// By the machine.
    taken: Taken,
}

/// Advice that was followed.
struct Followed {
    /// Kinds of findings that give it.
    kinds: &'static [&'static str],
    /// In the words of the advice.
    words: &'static str,
    /// The functions that it is about; empty if it must not be given anywhere else, either.
    functions: &'static [&'static str],
    /// File of the naive version and parts of the lines that the finding may be about.
    file: &'static str,
    lines: &'static [&'static str],
}

impl Followed {
    /// Whether a finding gives the advice, wherever.
    fn is_given_by(&self, finding: &Value) -> bool {
        let kind = finding["kind"].as_str().expect("a kind");
        let advice = finding["advice"].as_str().expect("advice");
        let function = finding["function"].as_str().expect("a function");
        let is_there = self.functions.is_empty() || self.functions.contains(&function);
        is_there && self.kinds.contains(&kind) && advice.contains(self.words)
    }

    /// Whether a finding is about a line that was changed.
    fn is_about(&self, finding: &Value) -> bool {
        let file = finding["file"].as_str().expect("a file");
        if Path::new(file).file_name() != Path::new(self.file).file_name() {
            return false;
        }
        let number = finding["line"].as_u64().expect("a line") as usize;
        let text = std::fs::read_to_string(source(self.file)).expect("the source");
        // A call that takes several lines may be reported with any of them.
        let line = number.checked_sub(1).and_then(|at| text.lines().nth(at));
        line.is_some_and(|line| self.lines.iter().any(|part| line.contains(part)))
    }

    /// Panics unless the naive version's first findings have it, and the optimised version's report
    /// has not, or hardly, in most runs. Where other processes take the cores, they are
    /// measured again; if they do so in most runs of every attempt, nothing is judged, and that
    /// is noted.
    fn check(&self, naive: &Version, optimised: &Version) {
        let mut can_judge = false;
        for attempt in 1.. {
            let runs = [naive.measure(), optimised.measure()];
            let Err(wrong) = self.judge(&runs[0], &runs[1]) else {
                return;
            };
            let all = || runs[0].iter().chain(&runs[1]);
            let disturbed = all().filter(|run| run.taken.share() > DISTURBED).count();
            can_judge |= 2 * disturbed <= all().count();
            assert!(disturbed > 0, "{wrong}");
            if attempt == ATTEMPTS {
                assert!(!can_judge, "{wrong}");
                let source = naive.source;
                not_tested(&format!(
                    "advice on {source}: the machine took the cores in {disturbed} runs"
                ));
                return;
            }
        }
    }

    fn judge(&self, naive: &[Run], optimised: &[Run]) -> Result<(), String> {
        let is_first = |run: &&Run| {
            let first = findings(run).iter().take(FIRST);
            let mut first = first.filter(|finding| self.is_given_by(finding));
            first.any(|finding| self.is_about(finding))
        };
        let found = naive.iter().filter(is_first).count();
        if 2 * found <= naive.len() {
            return Err(format!(
                "'{}' is among the first {FIRST} findings of {found} runs:\n{}",
                self.words,
                listed(naive)
            ));
        }
        // A lock that is taken once costs something, too.
        let worth = |run: &Run| {
            let given = findings(run).iter().filter(|f| self.is_given_by(f));
            let seconds = given.map(|f| f["seconds"].as_f64().expect("seconds"));
            seconds.fold(0.0, f64::max)
        };
        let mut before: Vec<f64> = naive.iter().map(worth).collect();
        before.sort_unstable_by(f64::total_cmp);
        let much = LEFT * before[before.len() / 2];
        let left = optimised.iter().filter(|run| worth(run) > much).count();
        if 2 * left >= optimised.len() {
            return Err(format!(
                "'{}' is still there in {left} runs:\n{}",
                self.words,
                listed(optimised)
            ));
        }
        Ok(())
    }
}

fn findings(run: &Run) -> &Vec<Value> {
    run.measured.report["findings"]
        .as_array()
        .expect("findings")
}

/// The first findings of several runs in short.
fn listed(runs: &[Run]) -> String {
    let line = |finding: &Value| {
        format!(
            "{} {} {} {}:{} {} s, saves {} s: {}\n",
            finding["kind"],
            finding["metric"],
            finding["region"],
            finding["file"],
            finding["line"],
            finding["seconds"],
            finding["saves_seconds"],
            finding["advice"]
        )
    };
    let list = |run: &Run| -> String { findings(run).iter().take(6).map(line).collect() };
    runs.iter().map(|run| list(run) + "\n").collect()
}

const JACOBI: [&str; 3] = [
    "studies/jacobi/naive.upc",
    "studies/jacobi/blocks.upc",
    "studies/jacobi/optimised.upc",
];

#[test]
fn jacobi_should_fetch_neighbours_rows_as_blocks() {
    let [naive, optimised] = [JACOBI[0], JACOBI[1]].map(Version::of);
    let blocks = Followed {
        kinds: &["fine_grained", "cost"],
        words: "upc_memget into private memory",
        functions: &["sweep"],
        file: JACOBI[0],
        lines: &["double above =", "double below ="],
    };
    blocks.check(&naive, &optimised);
}

#[test]
fn jacobi_should_use_own_rows_through_pointers_to_private() {
    let [naive, optimised] = [JACOBI[1], JACOBI[2]].map(|source| Version {
        compile_options: &["--inst-local", "--functions", "all"],
        ..Version::of(source)
    });
    let own = Followed {
        kinds: &["own_affinity"],
        words: "Cast the pointer-to-shared to a pointer to private",
        functions: &["sweep"],
        file: JACOBI[1],
        lines: &[
            "double next =",
            "double difference =",
            "to[y * WIDTH + x] = next",
        ],
    };
    own.check(&naive, &optimised);
}

#[test]
fn a_work_queue_should_take_its_locks_less_often() {
    let sources = ["studies/queue/naive.upc", "studies/queue/optimised.upc"];
    let [naive, optimised] = sources.map(Version::of);
    let less_often = Followed {
        kinds: &["cost"],
        words: "Take the lock less often",
        functions: &[],
        file: sources[0],
        lines: &["upc_lock(", "upc_unlock("],
    };
    less_often.check(&naive, &optimised);
}

const PREFIX: [&str; 2] = ["studies/prefix/naive.upc", "studies/prefix/optimised.upc"];

#[test]
fn many_prefix_reductions_should_be_one_without_barriers_around() {
    let [naive, optimised] = PREFIX.map(Version::of);
    let combined = Followed {
        kinds: &["cost"],
        words: "Combine several small operations into one",
        functions: &[],
        file: PREFIX[0],
        lines: &["upc_all_prefix_reduceL("],
    };
    combined.check(&naive, &optimised);
}

#[test]
fn rows_of_neighbours_should_be_fetched_as_blocks() {
    if !mpi::has("oshcc") {
        return;
    }
    let sources = ["studies/heat/naive.c", "studies/heat/optimised.c"];
    let [naive, optimised] = sources.map(|source| Version {
        compiler: &["oshcc"],
        compile_options: &[],
        environment: &mpi::CONTAINER,
        ..Version::of(source)
    });
    let blocks = Followed {
        kinds: &["fine_grained"],
        words: "shmem_getmem into private memory",
        functions: &[],
        file: sources[0],
        lines: &["shmem_double_g("],
    };
    blocks.check(&naive, &optimised);
}

/// Each thread is a node of its own.
const BETWEEN_NODES: [(&str, &str); 5] = [
    mpi::CONTAINER[0],
    mpi::CONTAINER[1],
    mpi::CONTAINER[2],
    mpi::CONTAINER[3],
    ("PGAS_NODE_SIZE", "1"),
];

#[test]
fn bodies_of_another_node_should_be_fetched_as_blocks() {
    if !mpi::has("mpicc") {
        return;
    }
    let sources = ["studies/bodies/naive.upc", "studies/bodies/optimised.upc"];
    let [naive, optimised] = sources.map(|source| Version {
        compile_options: &["--network", "mpi"],
        environment: &BETWEEN_NODES,
        ..Version::of(source)
    });
    let blocks = Followed {
        kinds: &["fine_grained"],
        words: "upc_memget into private memory",
        functions: &["add_bodies_of"],
        file: sources[0],
        lines: &["upc_memget(&body"],
    };
    blocks.check(&naive, &optimised);
}

const SORT: [&str; 2] = ["npb-fixtures/is/is.c", "studies/is/optimised.upc"];

/// On two threads with a core each, memory that was freed is handed out again at once, and waiting
/// for it is short.
#[test]
fn the_integer_sort_should_allocate_once() {
    let [naive, optimised] = ["studies/is/naive.upc", SORT[1]].map(|source| Version {
        threads: 4,
        ..Version::of(source)
    });
    let once = Followed {
        kinds: &["wait", "cost"],
        words: "llocate once",
        functions: &[],
        file: SORT[0],
        // Where memory is allocated, and where threads wait for those that allocate it.
        lines: &["upc_all_alloc(", "upc_barrier;"],
    };
    once.check(&naive, &optimised);
}

/// Class S has too few keys for their copies to take time.
#[test]
fn the_integer_sort_should_use_own_keys_where_they_are() {
    let [naive, optimised] = ["studies/is/naive.upc", SORT[1]].map(|source| Version {
        class: "A",
        ..Version::of(source)
    });
    let in_place = Followed {
        kinds: &["own_affinity", "cost"],
        words: "through a pointer to private",
        functions: &["fetch_keys"],
        file: SORT[0],
        lines: &["upc_memget(received"],
    };
    in_place.check(&naive, &optimised);
}

const TRANSFORM: [&str; 2] = ["npb-fixtures/ft/ft.c", "studies/ft/optimised.upc"];

#[test]
fn the_fourier_transform_should_not_transfer_own_data() {
    let [naive, optimised] = ["studies/ft/naive.upc", TRANSFORM[1]].map(Version::of);
    let in_place = Followed {
        kinds: &["own_affinity", "cost"],
        words: "through a pointer to private",
        functions: &[],
        file: TRANSFORM[0],
        lines: &["upc_memget("],
    };
    in_place.check(&naive, &optimised);
}

/// The transform reads and writes its planes through pointers to private, so nobody has seen all
/// that its barriers order.
#[test]
fn whether_the_fourier_transform_needs_its_barriers_is_not_judged() {
    let naive = Version {
        threads: 4,
        ..Version::of("studies/ft/naive.upc")
    };
    for run in naive.measure() {
        let removable = findings(&run)
            .iter()
            .find(|f| f["kind"] == "removable_barrier");
        assert_eq!(removable, None);
        let withheld = run.measured.report["withheld"].as_array().expect("a list");
        let is_of_barriers = |withheld: &&Value| {
            let advice = withheld["advice"].as_array().expect("kinds of advice");
            advice.contains(&Value::from("own_data_barrier"))
        };
        let reasons = &withheld.iter().find(is_of_barriers).expect("barriers")["reasons"];
        assert_eq!(reasons[0]["kind"], "cast");
        let text = reasons[0]["text"].as_str().expect("a text");
        assert!(text.contains("ft/ft.c:67"), "{text}");
    }
}
