//! Computing time by line, of libraries, of counted accesses and of functions that are no events, from
//! samples of a made-up program whose addresses have known names.

use std::path::Path;

use pgas_analyze::{Analysis, analyze};
use pgas_result::sampling::{SampledTime, Sampling};
use pgas_result::summary::FindingKind;
use pgas_trace::builder::Sums;
use pgas_trace::model::{
    Attributes, Module, Operation, PathEntry, ProfileScope, SampleClock, Site, SiteId, StackSample,
    StackSamples,
};
use pgas_trace::properties::UNSEEN;
use pgas_trace::samples::{ARRAYS, SAMPLES, Sample, Samples, SharedArray};
use pgas_trace::{Experiment, ExperimentBuilder};

const MS: u64 = 1_000_000;
const FILE: &str = "a.upc";

/// Addresses of the program (from 0x1000 on) and of the C library (from 0x9000 on), as the file of
/// names has them. 0x100: main at line 10; 0x110: `square`, inlined into main at line 11; 0x120: an
/// access at line 12; 0x130: the call of qsort at line 13; 0x140: compare; 0x150: nothing is known;
/// 0x160: main at line 12; 0x170: counting at line 12; 0x180: main at line 14.
const SYMBOLS: &str = r#"{"format": 1,
 "names": ["main", "/src/a.upc", "square", "upcr_read_int", "/lib/pgas_upcr.h", "__GI___qsort_r", "msort.c",
           "compare", "upcr_elem_cyclic", "upcr_count"],
 "modules": [
  {"path": "/home/user/prog", "build_id": "ab", "detail": "lines", "addresses": [
    [256, [[0, 1, 10]]],
    [272, [[2, 1, 3], [0, 1, 11]]],
    [288, [[3, 4, 7], [8, 4, 9], [0, 1, 12]]],
    [304, [[0, 1, 13]]],
    [320, [[7, 1, 5]]],
    [336, []],
    [352, [[0, 1, 12]]],
    [368, [[9, 4, 8], [0, 1, 12]]],
    [384, [[0, 1, 14]]]]},
  {"path": "/usr/lib/libc.so.6", "build_id": "cd", "detail": "lines", "addresses": [
    [256, [[5, 6, 99]]]]}]}"#;

fn module(start: u64, path: &str, build_id: &str) -> Module {
    Module {
        start,
        end: start + 0x1000,
        bias: start - 0x100,
        build_id: build_id.into(),
        path: path.into(),
    }
}

/// Stacks and how often each was found.
fn samples(stacks: &[(&[u64], u64)]) -> StackSamples {
    let mut time = 0;
    let mut samples = Vec::new();
    for (frames, count) in stacks {
        for _ in 0..*count {
            time += MS;
            samples.push(StackSample {
                time,
                weight: 1,
                path: Some(0),
                frames: frames.to_vec(),
            });
        }
    }
    StackSamples {
        first_time: 0,
        last_time: time,
        period_nanoseconds: MS,
        clock: SampleClock::UserTime,
        lost: 0,
        within_recorder: 4,
        modules: vec![
            module(0x1000, "/home/user/prog", "ab"),
            module(0x9000, "/usr/lib/libc.so.6", "cd"),
        ],
        paths: vec![PathEntry {
            parent: None,
            site: SiteId(0),
        }],
        samples,
    }
}

/// A run of one thread that computes for as many milliseconds as it has samples, times `longer`.
fn run(directory: &Path, stacks: &[(&[u64], u64)], longer: f64, names: &str) -> Analysis {
    run_with(directory, stacks, longer, names, &[])
}

/// The same, with these properties of the stream.
fn run_with(
    directory: &Path,
    stacks: &[(&[u64], u64)],
    longer: f64,
    names: &str,
    properties: &[(&str, u64)],
) -> Analysis {
    let main = Site::function("main", FILE, 9);
    let get = Site::operation(Operation::Get, FILE, 12);
    let mut builder = ExperimentBuilder::new("prog", 1);
    let all: u64 = stacks.iter().map(|(_, count)| count).sum();
    let end = (all as f64 * MS as f64 * longer) as u64;
    let sites = [main.clone(), get.clone()];
    let counted = |parent, site: &Site, partner, calls, bytes| Sums {
        parent,
        site: site.clone(),
        partner,
        calls,
        timed_calls: 0,
        ticks: 0,
        bytes,
        counters: Vec::new(),
    };
    builder
        .thread(0)
        .enter(0, &main, Attributes::None)
        .exit(end, Attributes::None)
        .sums(
            ProfileScope::Within,
            (0, end),
            &[
                counted(None, &main, None, 0, 0),
                counted(Some(0), &get, Some(0), 1000, 4000),
            ],
        )
        .stack_samples(&samples(stacks), &sites);
    for (key, value) in properties {
        builder.thread(0).property(key, &value.to_string());
    }
    builder.write(directory).expect("an experiment");
    std::fs::write(directory.join("symbols.json"), names).expect("names");
    let experiment = Experiment::open(directory).expect("it can be read");
    analyze(&experiment, &|_| {}).expect("an analysis")
}

fn sampling(stacks: &[(&[u64], u64)], longer: f64) -> Sampling {
    let directory = tempfile::tempdir().expect("a directory");
    let analysis = run(&directory.path().join("e"), stacks, longer, SYMBOLS);
    let first = analysis.summary.remarks.first();
    assert!(
        first.is_none_or(|remark| !remark.contains("internal error")),
        "{first:?}"
    );
    analysis.summary.sampling.expect("samples")
}

/// The time of some of 100 samples in a run of 100 ms.
fn is_milliseconds(time: &SampledTime, expected: u64) {
    let estimate = time.estimate.expect("enough samples");
    assert_eq!(time.samples, expected);
    let is_near = (estimate.seconds - expected as f64 * 1e-3).abs() < 1e-9;
    assert!(is_near, "{estimate:?}");
    assert!(estimate.low_seconds < estimate.seconds && estimate.seconds < estimate.high_seconds);
}

/// The last byte of the call is in the line of the call.
const CALL: u64 = 0x1031;
const MAIN: &[u64] = &[0x1000];
const SQUARE: &[u64] = &[0x1010];
const ACCESS: &[u64] = &[0x1020];
const QSORT: &[u64] = &[0x9000, CALL, 0x9100];
const COMPARE: &[u64] = &[0x1040, 0x9001, CALL, 0x9100];
const RARE: &[u64] = &[0x1050, CALL];
const AROUND_ACCESS: &[u64] = &[0x1060];
const COUNTING: &[u64] = &[0x1070];
const OWN_ACCESS: &[u64] = &[0x1080];

const ALL: &[(&[u64], u64)] = &[
    (MAIN, 10),
    (SQUARE, 20),
    (ACCESS, 15),
    (QSORT, 30),
    (COMPARE, 22),
    (RARE, 3),
];

#[test]
fn lines_have_their_share_of_the_exact_time() {
    let sampling = sampling(ALL, 1.0);
    assert_eq!((sampling.samples, sampling.within_recorder), (100, 4));
    let line = |function: &str, line: u32| {
        let mut lines = sampling.lines.iter();
        let found = lines.find(|l| l.place.function == function && l.place.line == line);
        found.unwrap_or_else(|| panic!("{function}:{line} in {:#?}", sampling.lines))
    };
    is_milliseconds(&line("main", 10).time, 10);
    is_milliseconds(&line("square", 3).time, 20);
    is_milliseconds(&line("main", 12).time, 15);
    is_milliseconds(&line("compare", 5).time, 22);
    assert_eq!(line("square", 3).place.file, FILE);
    // Of a library of the system: the function, and where it was called.
    let qsort = line("qsort_r", 0);
    is_milliseconds(&qsort.time, 30);
    assert_eq!(qsort.module, "libc.so.6");
    assert_eq!(
        (qsort.called_at.file.as_str(), qsort.called_at.line),
        (FILE, 13)
    );
    // Three samples are not enough for a time.
    assert_eq!(line("", 0).time.samples, 3);
    assert_eq!(line("", 0).time.estimate, None);
    let place = sampling.places.iter().find(|place| place.line == 13);
    assert_eq!(place.expect("line 13").time.samples, 33);
    let whole: f64 = sampling
        .stacks
        .iter()
        .flat_map(|s| &s.threads)
        .map(|t| t.seconds)
        .sum();
    assert!((whole - 0.1).abs() < 1e-9, "{whole}");
}

/// Properties of a thread with this much CPU time in user mode and in the kernel, in milliseconds,
/// and this many sampling interrupts.
fn used(user: u64, kernel: u64, periods: u64) -> Vec<(&'static str, u64)> {
    vec![
        ("wall_time", (user + kernel) * MS),
        ("cpu_time", (user + kernel) * MS),
        ("user_time", user * MS),
        ("voluntary_switches", 0),
        ("involuntary_switches", 0),
        ("sample_periods", periods),
    ]
}

/// A thread computes for 400 ms, and has samples of 100 ms: the others may be of any line.
#[test]
fn intervals_reach_up_to_where_missing_samples_are_of_the_line() {
    let directory = tempfile::tempdir().expect("a directory");
    let run = |name: &str, properties: &[(&str, u64)]| {
        run_with(&directory.path().join(name), ALL, 4.0, SYMBOLS, properties).summary
    };
    let is_told = |summary: &pgas_result::summary::Summary| {
        let mut remarks = summary.remarks.iter();
        remarks.any(|remark| remark.starts_with("samples are missing for 300 ms of thread 0"))
    };
    let of_line = |summary: &pgas_result::summary::Summary, number: u32| {
        let lines = &summary.sampling.as_ref().expect("samples").lines;
        let line = lines.iter().find(|l| l.place.line == number);
        line.expect("a line").time.estimate.expect("a time")
    };
    let missing = run("missing", &used(400, 0, 100));
    assert!(is_told(&missing), "{:?}", missing.remarks);
    let sampling = missing.sampling.as_ref().expect("samples");
    assert!((sampling.missing_seconds - 0.3).abs() < 1e-9);
    let compare = of_line(&missing, 5);
    assert!((compare.seconds - 0.022).abs() < 1e-9, "{compare:?}");
    assert!(compare.low_seconds < 0.022 && 0.3 < compare.high_seconds - 0.022);
    assert!(compare.high_seconds < 0.335, "{compare:?}");
    // Shares in findings are of that time, too.
    let path = &sampling.call_paths[0];
    assert!((path.seconds - 0.1).abs() < 1e-9 && (path.missing_seconds - 0.3).abs() < 1e-9);

    // The kernel does not say exactly how much it took itself; a thread that waited there needs no
    // samples of that; and while recording was off, none are kept.
    for (name, properties) in [
        ("kernel", used(200, 200, 100)),
        ("waiting", used(100, 0, 100)),
        ("paused", used(400, 0, 400)),
    ] {
        let summary = run(name, &properties);
        assert!(!is_told(&summary), "{name}: {:?}", summary.remarks);
        let compare = of_line(&summary, 5);
        assert!(compare.high_seconds < 0.035, "{name}: {compare:?}");
    }
}

#[test]
fn libraries_and_functions_have_what_they_call() {
    let sampling = sampling(ALL, 1.0);
    let mut libraries = sampling.libraries.iter();
    let qsort = libraries
        .find(|library| library.function == "qsort_r")
        .expect("qsort");
    is_milliseconds(&qsort.time, 52);
    assert_eq!(qsort.called_at.line, 13);
    let function = |name: &str| sampling.functions.iter().find(|f| f.function == name);
    is_milliseconds(&function("compare").expect("compare").inclusive, 22);
    is_milliseconds(&function("square").expect("square").exclusive, 20);
    assert!(function("main").is_none(), "it is recorded");
    assert!(
        function("upcr_read_int").is_none(),
        "it is part of its line"
    );
}

#[test]
fn counted_accesses_have_exact_numbers_and_a_sampled_time() {
    let sampling = sampling(ALL, 1.0);
    let [accesses] = sampling.accesses.as_slice() else {
        panic!("{:#?}", sampling.accesses);
    };
    assert_eq!((accesses.file.as_str(), accesses.line), (FILE, 12));
    assert_eq!(
        (accesses.accesses, accesses.reads, accesses.bytes),
        (1000, 1000, 4000)
    );
    is_milliseconds(&accesses.time, 15);
}

#[test]
fn counted_accesses_take_no_more_than_their_line_and_no_less_than_their_code() {
    let stacks = &[
        (MAIN, 45),
        (ACCESS, 15),
        (AROUND_ACCESS, 30),
        (COUNTING, 10),
    ];
    let sampling = sampling(stacks, 1.0);
    let time = sampling.accesses[0].time;
    assert_eq!(time.samples, 45, "without those of counting");
    let estimate = time.estimate.expect("a time");
    assert!((estimate.seconds - 0.045).abs() < 1e-9, "{estimate:?}");
    // Wilson's interval of 15 of 100 begins at 9.3 %, that of 45 of 100 ends at 54.8 %.
    assert!((estimate.low_seconds - 0.0093).abs() < 1e-4, "{estimate:?}");
    assert!(
        (estimate.high_seconds - 0.0548).abs() < 1e-4,
        "{estimate:?}"
    );
}

/// Two threads, each with these stacks, that read the neighbours of their elements at line 12, and
/// write their own ones at line 14, in loops that go by `array`.
fn run_of_an_array(array: &str, more: &str, stacks: &[(&[u64], u64)]) -> Analysis {
    const ELEMENTS: u64 = 1024;
    let main = Site::function("main", FILE, 9);
    let get = Site::operation(Operation::Get, FILE, 12);
    let put = Site::operation(Operation::Put, FILE, 14);
    let declared = SharedArray {
        address: 0x1000,
        element_bytes: 8,
        block: 1,
        elements: ELEMENTS,
        line: 3,
        name: "now".into(),
        file: FILE.into(),
    };
    let unseen =
        format!("units=1;neighbours=a.upc:12:1;followers=a.upc:12:{array},a.upc:14:{array};{more}");
    let mut builder = ExperimentBuilder::new("prog", 2);
    let end = stacks.iter().map(|(_, count)| count * MS).sum();
    for thread in 0..2 {
        let accesses = |site: &Site, partner| Sums {
            parent: Some(0),
            site: site.clone(),
            partner: Some(partner),
            calls: 1_000_000,
            timed_calls: 0,
            ticks: 0,
            bytes: 8_000_000,
            counters: Vec::new(),
        };
        let mut first = accesses(&main, 0);
        (first.parent, first.partner, first.calls, first.bytes) = (None, None, 0, 0);
        let of_reads = (0..ELEMENTS / 2 - 1).map(|own| Sample {
            site: 1,
            partner: 1 - thread,
            address: 0x1000 + 8 * (own + u64::from(thread)),
            bytes: 8,
            is_first: own % 8 == 0,
            is_new_period: own % 8 == 0,
            is_locked: false,
        });
        let of_reads = Samples {
            accesses_of_each: 1,
            samples: of_reads.collect(),
        };
        builder
            .thread(thread)
            .enter(0, &main, Attributes::None)
            .exit(end, Attributes::None)
            .sums(
                ProfileScope::Within,
                (0, end),
                &[first, accesses(&get, 1 - thread), accesses(&put, thread)],
            )
            .stack_samples(&samples(stacks), &[main.clone(), get.clone(), put.clone()])
            .property(UNSEEN, &unseen)
            .property(ARRAYS, &declared.to_text())
            .property(SAMPLES, &of_reads.to_text());
    }
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path().join("e");
    builder.write(&directory).expect("an experiment");
    std::fs::write(directory.join("symbols.json"), SYMBOLS).expect("names");
    let experiment = Experiment::open(&directory).expect("it can be read");
    analyze(&experiment, &|_| {}).expect("an analysis")
}

#[test]
fn an_arrays_distribution_has_the_time_of_all_loops_that_go_by_its_elements() {
    let stacks = &[
        (MAIN, 20),
        (ACCESS, 10),
        (AROUND_ACCESS, 30),
        (OWN_ACCESS, 40),
    ];
    let analysis = run_of_an_array("now", "", stacks);
    let accesses = &analysis.summary.accesses;
    let [array] = &accesses.distributions[..] else {
        panic!("{accesses:#?}");
    };
    assert!(array.loops_follow && array.one_block_each, "{array:#?}");
    let seconds: f64 = array.places.iter().map(|place| place.seconds).sum();
    assert!((seconds - 0.160).abs() < 1e-9, "{array:#?}");
    let findings = &analysis.summary.findings;
    let [finding] = &findings[..] else {
        panic!("one finding stands for both lines: {findings:#?}");
    };
    assert_eq!(finding.kind, FindingKind::WrongSide);
    let saves = finding.saves_seconds.expect("a saving");
    assert!((saves - 0.080).abs() < 1e-9, "{finding:#?}");
    assert!(
        finding.cause.contains("together take 160 ms at most"),
        "{finding:#?}"
    );

    // Loops that go by another array stay as they are.
    let analysis = run_of_an_array("other", "", stacks);
    let array = &analysis.summary.accesses.distributions[0];
    let seconds: f64 = array.places.iter().map(|place| place.seconds).sum();
    assert!((seconds - 0.080).abs() < 1e-9, "{array:#?}");
    let findings = &analysis.summary.findings;
    assert!(findings.iter().any(|f| f.line == 14), "{findings:#?}");
}

/// The compiler has them go through pointers to private already.
#[test]
fn accesses_to_own_elements_that_are_private_ones_in_the_code_are_no_finding() {
    let stacks = &[(ACCESS, 10), (AROUND_ACCESS, 30), (OWN_ACCESS, 60)];
    let own = |more: &str| {
        let analysis = run_of_an_array("other", more, stacks);
        let findings = analysis.summary.findings.into_iter();
        let own = findings.filter(|f| f.kind == FindingKind::OwnAffinity);
        own.map(|finding| finding.line).collect::<Vec<_>>()
    };
    assert_eq!(own(""), [14]);
    assert_eq!(own("direct=a.upc:14;"), [0; 0]);
    // Another line.
    assert_eq!(own("direct=a.upc:13;"), [14]);
}

#[test]
fn time_without_samples_is_not_distributed() {
    // The thread had no core, or slept, for half of its time.
    let sampling = sampling(ALL, 2.0);
    let path = &sampling.call_paths[0];
    assert!((path.seconds - 0.1).abs() < 1e-9, "{path:?}");
    let first = &sampling.lines[0];
    is_milliseconds(&first.time, 30);
    // A little more than was sampled is distributed.
    let sampling = self::sampling(ALL, 1.05);
    let path = &sampling.call_paths[0];
    assert!((path.seconds - 0.105).abs() < 1e-9, "{path:?}");
}

#[test]
fn findings_say_where_the_computing_goes_and_what_accesses_cost() {
    let directory = tempfile::tempdir().expect("a directory");
    let stacks: &[(&[u64], u64)] = &[(MAIN, 100), (ACCESS, 900)];
    let analysis = run(&directory.path().join("e"), stacks, 1.0, SYMBOLS);
    let finding = &analysis.summary.findings[0];
    assert_eq!((finding.region.as_str(), finding.line), ("upc_get", 12));
    assert!((finding.seconds - 0.9).abs() < 1e-9, "{finding:?}");
    assert!(
        finding.cause.contains("1000 reads of 4 bytes each"),
        "{}",
        finding.cause
    );
}

#[test]
fn a_file_of_names_that_cannot_be_read_is_a_remark() {
    let directory = tempfile::tempdir().expect("a directory");
    let analysis = run(&directory.path().join("e"), ALL, 1.0, "{");
    let remarks = &analysis.summary.remarks;
    let is_said = |remark: &String| remark.contains("symbols.json");
    assert!(remarks.iter().any(is_said), "{remarks:?}");
    // The program of this experiment is nowhere, so no line is known.
    let sampling = analysis.summary.sampling.expect("samples");
    assert!(sampling.places.is_empty());
    assert!(
        sampling
            .modules
            .iter()
            .all(|module| module.detail == "nothing")
    );
}
