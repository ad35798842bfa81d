//! Two results on the same trees: what did not change keeps its place, what was edited is found
//! again, and what fits in two ways is left apart and told.

#[path = "../../cube/tests/common/mod.rs"]
mod common;

use std::collections::BTreeMap;

use pgas_cube::model::{CallPath, CallPathId, Cube, Metric, MetricId, Region, RegionId};
use pgas_result::matching::{Matched, Side, Tolerance, matched, matched_with};
use pgas_result::sources::{SourceFile, Sources};
use proptest::prelude::*;

/// A function of a made-up program: its name, and what it calls in which line below its first one.
#[derive(Debug, Clone)]
struct Function {
    name: String,
    calls: Vec<(u32, Callee)>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Callee {
    Operation(usize),
    /// One of the later functions, so that nothing calls itself.
    Function(usize),
}

#[derive(Debug, Clone)]
struct Program {
    functions: Vec<Function>,
    file: String,
    /// Lines in front of the first function.
    head: u32,
}

const OPERATIONS: [&str; 3] = ["upc_barrier", "upc_get", "upc_lock"];
const LENGTH: u32 = 100;

/// Identity of a call path, whatever the program was made to look like: the numbers of the
/// calls that lead there.
type Way = Vec<(usize, usize)>;

impl Program {
    fn begin(&self, function: usize) -> u32 {
        let before = &self.functions[..function];
        let lines = before.iter().map(|f| {
            let last = f.calls.iter().map(|(line, _)| *line).max().unwrap_or(0);
            LENGTH.max(last + 1)
        });
        1 + self.head + lines.sum::<u32>()
    }

    /// Its result, with values that depend on the ways alone.
    fn cube(&self) -> (Cube, Vec<Way>) {
        let mut cube = common::small();
        let mut empty = Cube::default();
        std::mem::swap(&mut cube, &mut empty);
        cube.metrics = empty.metrics;
        (cube.machine, cube.nodes, cube.threads) = (empty.machine, empty.nodes, empty.threads);
        let region = |name: &str, module: &str, begin_line| Region {
            name: name.into(),
            module: module.into(),
            begin_line,
            end_line: 0,
            description: String::new(),
        };
        cube.regions = vec![region("program", "", 0)];
        cube.regions
            .extend(OPERATIONS.map(|name| region(name, "UPC", 0)));
        for (index, function) in self.functions.iter().enumerate() {
            let begin = self.begin(index);
            cube.regions.push(region(&function.name, &self.file, begin));
        }
        let mut ways = vec![Vec::new()];
        cube.call_paths.push(CallPath {
            region: RegionId(0),
            parent: None,
            file: String::new(),
            line: 0,
        });
        self.enter(&mut cube, &mut ways, 0, 0, vec![(usize::MAX, 0)]);
        for (index, way) in ways.iter().enumerate() {
            let seed = way.iter().fold(7u64, |h, (f, c)| {
                h.wrapping_mul(31).wrapping_add((f % 97 * 101 + c) as u64)
            });
            for (metric, scale) in [(0, 1e-3), (4, 1.0)] {
                let value = (seed % 1000 + 1) as f64 * scale;
                cube.row_mut(MetricId(metric), CallPathId(index))
                    .copy_from_slice(&[value, value + scale]);
            }
        }
        (cube, ways)
    }

    fn enter(
        &self,
        cube: &mut Cube,
        ways: &mut Vec<Way>,
        parent: usize,
        function: usize,
        way: Way,
    ) {
        let begin = self.begin(function);
        let place = cube.call_paths.len();
        cube.call_paths.push(CallPath {
            region: RegionId(1 + OPERATIONS.len() + function),
            parent: Some(CallPathId(parent)),
            file: self.file.clone(),
            line: begin,
        });
        ways.push(way.clone());
        for (number, &(line, callee)) in self.functions[function].calls.iter().enumerate() {
            let mut further = way.clone();
            further.push((function, number));
            match callee {
                Callee::Operation(operation) => {
                    cube.call_paths.push(CallPath {
                        region: RegionId(1 + operation),
                        parent: Some(CallPathId(place)),
                        file: self.file.clone(),
                        line: begin + line,
                    });
                    ways.push(further);
                }
                // A call path names the function and not the line that it is called in: one for all
                // calls.
                Callee::Function(callee) => {
                    let calls = &self.functions[function].calls[..number];
                    if !calls
                        .iter()
                        .any(|(_, other)| *other == Callee::Function(callee))
                    {
                        self.enter(cube, ways, place, callee, further);
                    }
                }
            }
        }
    }
}

fn program() -> impl Strategy<Value = Program> {
    let call = (
        1u32..4,
        0..OPERATIONS.len(),
        any::<Option<prop::sample::Index>>(),
    );
    prop::collection::vec(prop::collection::vec(call, 0..6), 1..6).prop_map(|functions| {
        let count = functions.len();
        let functions = functions.into_iter().enumerate().map(|(index, calls)| {
            let mut line = 0;
            let mut made: Vec<(u32, Callee)> = Vec::new();
            for (gap, operation, function) in calls {
                line += gap;
                let callee = match function {
                    Some(pick) if index + 1 < count => {
                        Callee::Function(index + 1 + pick.index(count - index - 1))
                    }
                    _ => Callee::Operation(operation),
                };
                made.push((line, callee));
            }
            Function {
                name: format!("function_{index}"),
                calls: made,
            }
        });
        Program {
            functions: functions.collect(),
            file: "src/a.c".into(),
            head: 10,
        }
    })
}

/// Lines inserted at random places of a program.
fn edits() -> impl Strategy<Value = (u32, Vec<(prop::sample::Index, prop::sample::Index, u32)>)> {
    let insertion = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        1u32..9,
    );
    (0u32..50, prop::collection::vec(insertion, 0..5))
}

fn edited(
    program: &Program,
    (head, insertions): &(u32, Vec<(prop::sample::Index, prop::sample::Index, u32)>),
) -> Program {
    let mut edited = program.clone();
    edited.head += head;
    for (function, call, lines) in insertions {
        let function = function.get_mut(&mut edited.functions);
        if !function.calls.is_empty() {
            let from = call.index(function.calls.len());
            for (line, _) in &mut function.calls[from..] {
                *line += lines;
            }
        }
    }
    edited
}

/// By way: where it is in the common tree, from the numbers that the two runs gave their call
/// paths.
fn places(ways: &[Way], place: impl Fn(usize) -> CallPathId) -> BTreeMap<&Way, CallPathId> {
    let ways = ways.iter().enumerate();
    ways.map(|(index, way)| (way, place(index))).collect()
}

/// Total of what is in a metric and in none below it.
fn exclusive(cube: &Cube, metric: MetricId) -> f64 {
    let children = (0..cube.metrics.len()).filter(|&m| cube.metrics[m].parent == Some(metric));
    let below: f64 = children.map(|child| cube.total(MetricId(child))).sum();
    cube.total(metric) - below
}

/// Invariants of each match: nothing is lost, and the later run keeps its numbers.
fn check_laws(matched: &Matched, before: &Cube, after: &Cube) {
    for (common, own) in [(&matched.before, before), (&matched.after, after)] {
        assert_eq!(common.regions, matched.after.regions);
        assert_eq!(common.call_paths, matched.after.call_paths);
        assert_eq!(common.metrics, matched.after.metrics);
        assert_eq!(common.threads, matched.after.threads);
        for (metric, definition) in own.metrics.iter().enumerate() {
            // Of two metrics of one name and different units, that of the earlier run gets another
            // name.
            let name = &definition.unique_name;
            let of_this = |m: &&Metric| {
                let named = m.unique_name.strip_prefix(name.as_str());
                named.is_some_and(|rest| rest.replace("_before", "").is_empty())
                    && m.unit == definition.unit
            };
            let there = common
                .metrics
                .iter()
                .find(of_this)
                .expect("no metric is lost");
            let there = common.metric(&there.unique_name).expect("it has a number");
            let (now, then) = (exclusive(common, there), exclusive(own, MetricId(metric)));
            assert!((now - then).abs() < 1e-6, "{name}: {now} was {then}");
        }
    }
    let paths = &matched.after.call_paths;
    assert_eq!(paths[..after.call_paths.len()], after.call_paths);
    assert_eq!(matched.after.regions[..after.regions.len()], after.regions);
    for (index, path) in paths.iter().enumerate() {
        assert!(path.parent.is_none_or(|parent| parent.0 < index));
    }
    let mut used = matched.before_call_paths.clone();
    used.sort_unstable();
    used.dedup();
    assert_eq!(
        used.len(),
        before.call_paths.len(),
        "nothing has two partners"
    );
}

/// With values of which sums do not depend much on the order of summing up.
fn moderate(mut cube: Cube) -> Cube {
    let rows: Vec<_> = cube.rows().map(|(m, c, _)| (m, c)).collect();
    for (metric, path) in rows {
        for value in cube.row_mut(metric, path) {
            *value = (*value % 1000.0).abs();
        }
    }
    cube
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_result_matches_itself(cube in common::cube()) {
        let matched = matched(&cube, &cube);
        prop_assert_eq!(&matched.before, &cube);
        prop_assert_eq!(&matched.after, &cube);
        prop_assert_eq!(matched.notes, Vec::<String>::new());
    }

    /// The later run has a call path more, so that no short cut is possible.
    #[test]
    fn a_result_is_found_in_a_larger_one(cube in common::cube()) {
        let mut larger = cube.clone();
        larger.regions.push(Region {
            name: "one more".into(),
            module: String::new(),
            begin_line: 0,
            end_line: 0,
            description: String::new(),
        });
        larger.call_paths.push(CallPath {
            region: RegionId(cube.regions.len()),
            parent: Some(CallPathId(0)),
            file: String::new(),
            line: 0,
        });
        for tolerance in [Tolerance::Exact, Tolerance::Edited] {
            let matched = matched_with(&cube, &larger, tolerance);
            let identity: Vec<_> = (0..cube.call_paths.len()).map(CallPathId).collect();
            prop_assert_eq!(&matched.before_call_paths, &identity);
            prop_assert_eq!(&matched.after, &larger);
        }
    }

    #[test]
    fn whatever_is_matched_nothing_is_lost(before in common::cube(), after in common::cube()) {
        let (before, after) = (moderate(before), moderate(after));
        for tolerance in [Tolerance::Exact, Tolerance::Edited] {
            check_laws(&matched_with(&before, &after, tolerance), &before, &after);
        }
    }

    #[test]
    fn shifted_lines_are_found_again(program in program(), edits in edits()) {
        let (before, ways) = program.cube();
        let (after, later_ways) = edited(&program, &edits).cube();
        let matched = matched(&before, &after);
        check_laws(&matched, &before, &after);
        prop_assert_eq!(&ways, &later_ways);
        prop_assert_eq!(matched.after.call_paths.len(), after.call_paths.len());
        let earlier = places(&ways, |index| matched.before_call_paths[index]);
        prop_assert_eq!(earlier, places(&later_ways, CallPathId));
        // The same work, so the same values at every call path.
        for (metric, path, values) in matched.after.rows() {
            prop_assert_eq!(matched.before.row(metric, path), Some(values));
        }
    }

    #[test]
    fn a_renamed_function_brings_its_call_paths(program in program(), which in any::<prop::sample::Index>()) {
        let mut later = program.clone();
        let last = later.functions.len() - 1;
        let renamed = which.get_mut(&mut later.functions[last.min(1)..]);
        renamed.name = "quite_another_name".into();
        let (before, _) = program.cube();
        let (after, _) = later.cube();
        let matched = matched(&before, &after);
        let identity: Vec<_> = (0..before.call_paths.len()).map(CallPathId).collect();
        let called = after.call_paths.iter().any(|path| after.regions[path.region.0].name == "quite_another_name");
        if called {
            prop_assert_eq!(&matched.before_call_paths, &identity);
            prop_assert!(matched.notes[0].contains("quite_another_name"), "{:?}", matched.notes);
        }
    }

    #[test]
    fn partners_do_not_depend_on_the_direction(program in program(), edits in edits(), gone in any::<prop::sample::Index>()) {
        let mut later = edited(&program, &edits);
        let changed = gone.get_mut(&mut later.functions);
        if !changed.calls.is_empty() {
            changed.calls.remove(0);
        }
        let (before, after) = (program.cube().0, later.cube().0);
        let there = matched(&before, &after);
        let back = matched(&after, &before);
        let pairs = |matched: &Matched, count: usize| -> Vec<(usize, usize)> {
            let places = matched.before_call_paths.iter().enumerate();
            places.filter(|(_, place)| place.0 < count).map(|(b, a)| (b, a.0)).collect()
        };
        let mut turned: Vec<_> = pairs(&back, before.call_paths.len()).into_iter().map(|(b, a)| (a, b)).collect();
        turned.sort_unstable();
        prop_assert_eq!(pairs(&there, after.call_paths.len()), turned);
        check_laws(&there, &before, &after);
    }
}

fn function(name: &str, calls: &[(u32, Callee)]) -> Function {
    Function {
        name: name.into(),
        calls: calls.to_vec(),
    }
}

fn program_of(functions: Vec<Function>) -> Program {
    Program {
        functions,
        file: "src/a.c".into(),
        head: 10,
    }
}

const BARRIER: Callee = Callee::Operation(0);
const GET: Callee = Callee::Operation(1);

#[test]
fn a_file_that_moved_keeps_its_call_paths() {
    let program = program_of(vec![
        function("main", &[(3, BARRIER), (5, Callee::Function(1))]),
        function("work", &[(2, GET)]),
    ]);
    let mut later = program.clone();
    later.file = "lib/b.c".into();
    let (before, after) = (program.cube().0, later.cube().0);
    let matched = matched(&before, &after);
    assert_eq!(matched.after.call_paths, after.call_paths);
    assert_eq!(matched.notes, ["2 functions moved from src/a.c to lib/b.c"]);
}

#[test]
fn of_two_new_names_that_fit_neither_is_taken() {
    let twins = |first: &str, second: &str| {
        program_of(vec![
            function(
                "main",
                &[(3, Callee::Function(1)), (4, Callee::Function(2))],
            ),
            function(first, &[(2, GET)]),
            function(second, &[(2, GET)]),
        ])
    };
    let (mut before, _) = twins("left", "right").cube();
    let (mut after, _) = twins("upper", "lower").cube();
    // Equal in all that is measured, too.
    for cube in [&mut before, &mut after] {
        for path in 0..cube.call_paths.len() {
            for metric in [0, 4] {
                cube.row_mut(MetricId(metric), CallPathId(path)).fill(1.0);
            }
        }
    }
    let matched = matched(&before, &after);
    assert_eq!(
        matched.after.call_paths.len(),
        after.call_paths.len() + 4,
        "both functions and what they call stand apart: {:?}",
        matched.notes
    );
    let doubt = |note: &&String| note.contains("left may be called");
    let note = matched.notes.iter().find(doubt).expect("it is told");
    assert!(note.contains("upper") && note.contains("lower"), "{note}");
}

#[test]
fn another_function_is_no_renamed_one() {
    let with = |name: &str, calls: &[(u32, Callee)]| {
        program_of(vec![
            function("main", &[(3, Callee::Function(1))]),
            function(name, calls),
        ])
    };
    let (mut before, _) = with("read_input", &[(2, GET), (3, GET)]).cube();
    let (mut after, _) = with("solve", &[(1, BARRIER), (5, BARRIER), (9, BARRIER)]).cube();
    before.row_mut(MetricId(4), CallPathId(2)).fill(1.0);
    after.row_mut(MetricId(4), CallPathId(2)).fill(5000.0);
    let matched = matched(&before, &after);
    let notes = matched.notes.join("\n");
    assert!(
        notes.contains("functions only before: read_input (src/a.c)"),
        "{notes}"
    );
    assert!(
        notes.contains("functions only after: solve (src/a.c)"),
        "{notes}"
    );
}

#[test]
fn calls_that_cannot_be_distinguished_stay_apart() {
    let (before, _) = program_of(vec![function("main", &[(10, BARRIER), (20, BARRIER)])]).cube();
    let (after, _) = program_of(vec![function("main", &[(40, BARRIER)])]).cube();
    let matched = matched(&before, &after);
    assert_eq!(matched.after.call_paths.len(), after.call_paths.len() + 2);
    let notes = matched.notes.join("\n");
    assert!(
        notes.contains("calls in main that were in src/a.c:21, 31"),
        "{notes}"
    );
}

/// The text decides where lines alone would leave it open.
#[test]
fn source_texts_tell_which_line_is_which() {
    let text = |lines: &[(u32, &str)]| {
        let mut content: Vec<String> = (1..=60).map(|n| format!("statement {n};")).collect();
        for (line, text) in lines {
            content[*line as usize - 1] = (*text).to_owned();
        }
        content
    };
    let mut earlier = text(&[
        (21, "upc_barrier; // first"),
        (31, "upc_barrier; // second"),
    ]);
    let before_text = earlier.join("\n");
    // The first barrier goes away, and the second one moves down.
    earlier.remove(20);
    for number in 0..20 {
        earlier.insert(5, format!("something new {number};"));
    }
    let after_text = earlier.join("\n");
    let sources = |text: String| Sources {
        files: vec![SourceFile::text("src/a.c", text)],
    };
    let (before_sources, after_sources) = (sources(before_text), sources(after_text));
    let (before, _) = program_of(vec![function("main", &[(10, BARRIER), (20, BARRIER)])]).cube();
    let (after, _) = program_of(vec![function("main", &[(39, BARRIER)])]).cube();
    let matched = matched(
        Side {
            cube: &before,
            sources: Some(&before_sources),
        },
        Side {
            cube: &after,
            sources: Some(&after_sources),
        },
    );
    // 0 program, 1 main, 2 the barrier of line 50, which was in line 31; that of line 21 is gone.
    assert_eq!(
        matched.before_call_paths,
        [0, 1, 3, 2].map(CallPathId),
        "{:?}",
        matched.notes
    );
}

#[test]
fn metrics_between_others_are_summed_up() {
    let before = common::small();
    let mut after = common::small();
    // pgas now has a child that holds the waiting.
    let mut barrier = after.metrics[2].clone();
    barrier.unique_name = "barrier".into();
    barrier.parent = Some(MetricId(2));
    after.metrics.insert(3, barrier);
    after.metrics[4].parent = Some(MetricId(3));
    let matched = matched(&before, &after);
    let of = |name: &str| matched.before.total(matched.before.metric(name).unwrap());
    assert_eq!(of("barrier"), of("wait_at_barrier"));
    assert_eq!(of("wait_at_barrier"), 0.5);
    assert!((of("pgas") - 0.7).abs() < 1e-12);
    assert!(matched.notes[0].contains("only the run after has the metrics barrier"));
}

#[test]
fn threads_that_one_run_has_not_are_zero_there() {
    let before = common::small();
    let mut narrow = Cube::default();
    narrow.metrics = before.metrics.clone();
    narrow.regions = before.regions.clone();
    narrow.call_paths = before.call_paths.clone();
    narrow.threads = before.threads[..1].to_vec();
    narrow.nodes = vec!["another".into()];
    for (metric, path, values) in before.rows() {
        narrow.row_mut(metric, path)[0] = values[0];
    }
    let matched = matched(&before, &narrow);
    check_laws(&matched, &before, &narrow);
    assert_eq!(matched.after.threads.len(), 2);
    assert_eq!(matched.after.nodes, ["another", "node-1"]);
    assert!(matched.notes[0].starts_with("2 threads before and 1 after"));
}
