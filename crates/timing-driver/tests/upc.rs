//! The driver of UPC, compiled by the embedded compiler: every operation is timed and checked.

mod common;
#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;

use common::*;
use not_tested::not_tested;
use pgas_timing::job::{Case, Job};
use pgas_timing::record::Record;
use pgas_timing_driver::sources::UPC;
use std::process::Command;
use std::sync::OnceLock;

/// The driver without operations of one's own, in a directory for each test.
fn plain_driver() -> Bench {
    static BUILT: OnceLock<Bench> = OnceLock::new();
    let built = BUILT.get_or_init(|| driver(None));
    let bench = Bench::new(&[], None);
    std::fs::hard_link(built.path("driver"), bench.path("driver")).unwrap();
    bench
}

/// Each operation as it is, and with each value of each of its arguments, on `threads` threads.
/// `partner` is used where the default would be a thread that is not there.
fn cases(list: &[Listed], threads: usize, partners: &[&str]) -> Vec<Case> {
    let mut cases = Vec::new();
    for operation in list {
        let has_partner = operation.arguments.contains("partner=");
        let always = match has_partner {
            true => format!("partner={} ", partners[0]),
            false => String::new(),
        };
        cases.push(case(operation, &always));
        for (name, values) in operation
            .arguments
            .split_whitespace()
            .filter_map(|a| a.split_once('='))
        {
            for value in values.split('|') {
                let value = match (name, value) {
                    ("partner", "N") => (threads - 1).to_string(),
                    ("partner", word) if !partners.contains(&word) => continue,
                    ("root", _) => (threads - 1).to_string(),
                    ("contenders", _) => threads.to_string(),
                    ("count", _) => "7".to_string(),
                    _ => value.to_string(),
                };
                cases.push(case(operation, &format!("{always}{name}={value}")));
            }
        }
    }
    cases
}

#[test]
fn every_operation_is_timed_on_one_to_four_threads() {
    let bench = plain_driver();
    let list = listed(&mut run(&bench, 2));
    for threads in 1..=4 {
        let partners: &[&str] = match threads {
            1 => &["own"],
            _ => &["near", "own"],
        };
        let cases = cases(&list, threads, partners);
        let records = bench.time(run(&bench, threads), cases.clone());
        assert_all_timed(&records, &cases);
        let checked = timings(&records)
            .iter()
            .filter(|t| t.verified == Some(true))
            .count();
        let patterns = ["null", "wait_pattern_up"];
        assert_eq!(checked, cases.len() - patterns.len());
    }
}

#[test]
fn collectives_are_timed_in_all_modes_and_types() {
    let bench = plain_driver();
    let list = listed(&mut run(&bench, 2));
    let mut all = Vec::new();
    for operation in list
        .iter()
        .filter(|o| o.name.starts_with("upc_all_") && o.arguments.contains("in="))
    {
        for (before, after) in ["all", "my", "no"]
            .iter()
            .flat_map(|i| ["all", "my", "no"].map(|o| (i, o)))
        {
            all.push(case(operation, &format!("in={before} out={after}")));
        }
    }
    for operation in ["upc_all_reduce", "upc_all_prefix_reduce"].map(|name| named(&list, name)) {
        for letters in "I C UC S US UI L UL F D LD".split(' ') {
            for op in "add mult min max logand logor func and or xor".split(' ') {
                if !("F D LD".contains(letters) && "and or xor".contains(op)) {
                    all.push(case(&operation, &format!("type={letters} op={op}")));
                }
            }
        }
    }
    let records = bench.time(run(&bench, 3), all.clone());
    assert_all_timed(&records, &all);
}

#[test]
fn atomic_operations_lose_nothing_under_contention() {
    let bench = plain_driver();
    let list = listed(&mut run(&bench, 2));
    let mut all = Vec::new();
    for operation in ["upc_atomic_relaxed", "upc_atomic_strict"].map(|name| named(&list, name)) {
        for letters in "I UI L UL I64 UI64 F D".split(' ') {
            for op in "add sub inc dec get set cswap mult min max and or xor".split(' ') {
                if !("F D".contains(letters) && "and or xor".contains(op)) {
                    all.push(case(
                        &operation,
                        &format!("type={letters} op={op} contenders=3 fetch=no"),
                    ));
                }
            }
        }
    }
    let records = bench.time(run(&bench, 3), all.clone());
    assert_all_timed(&records, &all);
}

#[test]
fn operations_are_timed_over_mpi_near_and_far() {
    let Ok(mpirun) = which("mpirun") else {
        return not_tested("the driver of UPC over MPI: there is no mpirun");
    };
    let bench = Bench::new(UPC, None);
    compiled(&bench, "-network=mpi");
    let start = || {
        let mut command = Command::new(&mpirun);
        command.args(["-n", "4"]).arg(bench.path("driver"));
        command.envs(CONTAINER).env("PGAS_NODE_SIZE", "2");
        command
    };
    let list = listed(&mut start());
    let mut all: Vec<_> = list.iter().map(|operation| case(operation, "")).collect();
    let far = list.iter().filter(|o| o.arguments.contains("partner="));
    all.extend(far.map(|operation| case(operation, "partner=far")));
    let records = bench.time(start(), all.clone());
    assert_all_timed(&records, &all);
    let Record::Start(begin) = &records[0] else {
        panic!("{:?}", records[0]);
    };
    assert_eq!(begin.nodes, [0, 0, 1, 1]);
    assert_eq!(begin.implementation, "pgas-upcc -network=mpi");
}

#[test]
fn a_driver_for_a_fixed_number_of_threads_works() {
    let bench = Bench::new(UPC, None);
    compiled(&bench, "-T 3");
    let list = listed(&mut run(&bench, 3));
    let all = ["upc_barrier", "upc_all_exchange", "shared_read"]
        .map(|name| case(&named(&list, name), ""));
    let records = bench.time(run(&bench, 3), all.to_vec());
    assert_all_timed(&records, &all);
}

/// Operations that do not do what they should: the text of a source, and what takes its place.
const BROKEN: &[(&str, &str, &str, &[&str])] = &[
    (
        "collectives.upc",
        "upc_all_##operation(TARGET, SOURCE, __VA_ARGS__ of->bytes",
        "upc_all_##operation(TARGET, SOURCE, __VA_ARGS__ of->bytes - 1",
        &[
            "upc_all_broadcast",
            "upc_all_scatter",
            "upc_all_gather",
            "upc_all_gather_all",
            "upc_all_exchange",
            "upc_all_permute",
        ],
    ),
    (
        "reductions.upc",
        "of->upc_op, of->elements * THREADS",
        "of->upc_op == UPC_ADD ? UPC_MAX : UPC_ADD, of->elements * THREADS",
        &["upc_all_reduce", "upc_all_prefix_reduce"],
    ),
    (
        "barriers.upc",
        "static void cross_barrier(void) { upc_barrier; }",
        "static void cross_barrier(void) {}",
        &["upc_barrier"],
    ),
    (
        "fences.upc",
        "  of->data[THREADS - 1] = -round;\n  upc_fence;\n  of->flag[THREADS - 1] = round;\n",
        "  of->flag[THREADS - 1] = round;\n  for (int i = 0; i < 1000; i++) sched_yield();\n  \
         of->data[THREADS - 1] = -round;\n",
        &["upc_fence"],
    ),
    (
        "locks.upc",
        "    upc_lock(of->lock);\n    long before = *of->count;\n    sched_yield();\n    *of->count = \
         before + 1;\n    upc_unlock(of->lock);\n",
        "    long before = *of->count;\n    sched_yield();\n    *of->count = before + 1;\n",
        &["upc_lock", "upc_unlock", "upc_lock_unlock"],
    ),
    (
        "blocks.upc",
        "upc_##operation(__VA_ARGS__, of->bytes)",
        "upc_##operation(__VA_ARGS__, of->bytes - 1)",
        &["upc_memget", "upc_memput", "upc_memcpy", "upc_memset"],
    ),
    (
        "accesses.upc",
        "i < of->count; i++) sum +=",
        "i < of->count - 1; i++) sum +=",
        &["shared_read"],
    ),
    (
        "accesses.upc",
        "i < of->count; i++) numbers",
        "i < of->count - 1; i++) numbers",
        &["shared_write"],
    ),
    (
        "atomics.upc",
        "i < of->count; i++)",
        "i < of->count - 1; i++)",
        &["upc_atomic_relaxed", "upc_atomic_strict"],
    ),
    (
        "nonblocking.upc",
        "(__VA_ARGS__, of->bytes)",
        "(__VA_ARGS__, of->bytes - 1)",
        &[
            "upc_memget_nb",
            "upc_memput_nbi",
            "upc_memcpy_nb",
            "upc_memset_nbi",
        ],
    ),
    (
        "allocations.upc",
        "of->memory = upc_alloc(of->with->bytes)",
        "of->memory = upc_global_alloc(THREADS, of->with->bytes)",
        &["upc_alloc"],
    ),
];

#[test]
fn operations_that_are_broken_are_noticed() {
    let bench = Bench::new(UPC, None);
    for (file, right, wrong, _) in BROKEN {
        let text = std::fs::read_to_string(bench.path(file)).unwrap();
        let joined = text.replace("\\\n", " ");
        assert!(joined.contains(right), "{file} has no {right}");
        std::fs::write(bench.path(file), joined.replace(right, wrong)).unwrap();
    }
    compiled(&bench, "");
    let list = listed(&mut run(&bench, 2));
    let names: Vec<&str> = BROKEN
        .iter()
        .flat_map(|(.., names)| *names)
        .copied()
        .collect();
    let mut all: Vec<_> = names
        .iter()
        .map(|name| case(&named(&list, name), ""))
        .collect();
    all.push(case(&named(&list, "upc_notify_wait"), ""));
    let on_all = all.iter_mut().filter(|c| c.operation == "upc_alloc");
    on_all.for_each(|c| {
        _ = c
            .arguments
            .insert("contenders".to_string(), "2".to_string())
    });
    let records = bench.time(run(&bench, 2), all.clone());
    let failed: Vec<_> = failures(&records).iter().map(|(case, _)| *case).collect();
    let expected: Vec<_> = (0..names.len()).collect();
    assert_eq!(failed, expected, "{:#?}", failures(&records));
    for (case, reason) in failures(&records) {
        assert!(
            reason.starts_with("wrong result: "),
            "{}: {reason}",
            names[case]
        );
    }
    assert_eq!(timings(&records).len(), 1);
}

#[test]
fn cases_that_cannot_be_timed_say_why_and_the_others_go_on() {
    let bench = plain_driver();
    let list = listed(&mut run(&bench, 2));
    let with = |name: &str, arguments: &str| case(&named(&list, name), arguments);
    let mut sized = with("upc_barrier", "");
    sized.bytes = Some(8);
    let mut unsized_one = with("upc_memget", "");
    unsized_one.bytes = None;
    let mut unknown = with("upc_barrier", "");
    unknown.operation = "upc_barier".to_string();
    let mut odd = with("upc_all_reduce", "type=D");
    odd.bytes = Some(12);
    let expected = [
        (sized, "upc_barrier has no size, but one was given"),
        (unsized_one, "upc_memget needs a size"),
        (unknown, "there is no operation `upc_barier`"),
        (
            odd,
            "the size must be a multiple of 8 bytes, the size of the type",
        ),
        (
            with("upc_all_broadcast", "in=some"),
            "upc_all_broadcast: argument in is `some`; it may be all, my or no",
        ),
        (
            with("upc_all_broadcast", "rot=1"),
            "upc_all_broadcast: has no argument `rot`; it has root, in, out",
        ),
        (
            with("upc_all_broadcast", "root=2"),
            "argument root is 2; it may be from 0 to 1",
        ),
        (
            with("upc_memget", "partner=far"),
            "partner=far: there is no other thread on another node than thread 0",
        ),
        (
            with("upc_barrier", "a=b"),
            "upc_barrier: has no arguments, but `a` was given",
        ),
    ];
    let mut all: Vec<_> = expected.iter().map(|(case, _)| case.clone()).collect();
    all.push(with("upc_barrier", ""));
    let records = bench.time(run(&bench, 2), all);
    let reasons: Vec<_> = failures(&records)
        .iter()
        .map(|(_, reason)| *reason)
        .collect();
    assert_eq!(reasons, expected.map(|(_, reason)| reason));
    assert_eq!(timings(&records).len(), 1);
}

#[test]
fn a_job_that_cannot_be_read_ends_all_threads() {
    let bench = plain_driver();
    let refused = |words: &[&str], status: i32, message: &str| {
        let output = run(&bench, 3)
            .current_dir(bench.dir.path())
            .args(words)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(status), "{}", messages(&output));
        assert_eq!(
            messages(&output).matches(message).count(),
            1,
            "{}",
            messages(&output)
        );
    };
    refused(
        &["none.json", "records"],
        1,
        "none.json: cannot read the job",
    );
    std::fs::write(bench.path("job.json"), "{}").unwrap();
    refused(
        &["job.json", "records"],
        1,
        "job.json: not a job: missing field `cases`",
    );
    let job = Job {
        cases: Vec::new(),
        settings: quick(),
    };
    std::fs::write(bench.path("job.json"), serde_json::to_vec(&job).unwrap()).unwrap();
    refused(
        &["job.json", "no/such/file"],
        1,
        "no/such/file: cannot write the results",
    );
    refused(&[], 2, "arguments: JOB-FILE RECORD-FILE, or --list");
}

#[test]
fn records_that_cannot_be_written_end_all_threads() {
    let bench = plain_driver();
    let job = Job {
        cases: Vec::new(),
        settings: quick(),
    };
    std::fs::write(bench.path("job.json"), serde_json::to_vec(&job).unwrap()).unwrap();
    let output = run(&bench, 3)
        .arg(bench.path("job.json"))
        .arg("/dev/full")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", messages(&output));
    assert!(
        messages(&output).contains("/dev/full: cannot write the results"),
        "{}",
        messages(&output)
    );
}

#[test]
fn a_timer_that_is_wrong_is_refused() {
    let bench = plain_driver();
    let list = listed(&mut run(&bench, 1));
    let mut settings = quick();
    settings.check_timer = true;
    settings.fault.drift = 0.5;
    let cases = vec![case(&named(&list, "null"), "")];
    let output = bench.try_time(run(&bench, 1), Job { cases, settings });
    assert!(output.status.success(), "{}", messages(&output));
    let records = bench.records();
    let refused = records.iter().find_map(|record| match record {
        Record::Timer(check) => Some(&check.refused),
        _ => None,
    });
    assert!(
        refused.is_some_and(|reasons| !reasons.is_empty()),
        "{records:?}"
    );
    assert!(timings(&records).is_empty() && failures(&records).is_empty());
}

/// UPC 1.3 with its optional libraries: collective operations, and the others.
const COLLECTIVES: &str = "broadcast scatter gather gather_all exchange permute reduce \
                           prefix_reduce";
const OTHERS: &str = "barrier notify wait notify_wait fence lock unlock lock_attempt lock_unlock \
                      alloc global_alloc all_alloc free all_free global_lock_alloc all_lock_alloc \
                      lock_free all_lock_free memget memput memcpy memset atomic_relaxed \
                      atomic_strict memget_nb memget_nbi memput_nb memput_nbi memcpy_nb memcpy_nbi \
                      memset_nb memset_nbi";

#[test]
fn every_operation_of_upc_is_listed() {
    let bench = plain_driver();
    let list = listed(&mut run(&bench, 1));
    let collectives = COLLECTIVES.split(' ').map(|name| format!("upc_all_{name}"));
    let others = OTHERS.split(' ').map(|name| format!("upc_{name}"));
    let accesses = ["shared_read", "shared_write"].map(String::from);
    let missing: Vec<String> = collectives
        .clone()
        .chain(others)
        .chain(accesses)
        .filter(|name| list.iter().all(|operation| operation.name != *name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    for name in collectives {
        let arguments = named(&list, &name).arguments;
        assert!(
            arguments.contains("in=all|my|no out=all|my|no"),
            "{arguments}"
        );
    }
}
