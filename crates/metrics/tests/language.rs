//! Definitions that are valid and what they mean, and errors at the right character.

use std::collections::BTreeMap;

use pgas_metrics::{Definitions, Measure, Values, parse_file};
use proptest::prelude::*;

#[derive(Default)]
struct Thread {
    inside: u64,
    metrics: BTreeMap<&'static str, u64>,
    thread: u64,
}

impl Values for Thread {
    fn inside(&self) -> u64 {
        self.inside
    }
    fn metric(&self, name: &str) -> u64 {
        self.metrics.get(name).copied().unwrap_or(0)
    }
    fn thread(&self) -> u64 {
        self.thread
    }
    fn threads(&self) -> u64 {
        4
    }
}

fn defined(text: &str) -> Definitions {
    let mut definitions = Definitions::default();
    definitions
        .add(text)
        .unwrap_or_else(|error| panic!("{error}"));
    definitions
}

/// Whether `condition` holds inside of these regions, with these metrics, on thread 1 of 4.
fn holds(condition: &str, regions: &[&str], metrics: &[(&'static str, u64)]) -> bool {
    let definitions = defined(&format!("x = time() if {condition}"));
    let inside = regions
        .iter()
        .fold(0, |set, name| set | definitions.regions_named(name));
    let thread = Thread {
        inside,
        metrics: metrics.iter().copied().collect(),
        thread: 1,
    };
    definitions.all[0]
        .condition
        .as_ref()
        .unwrap()
        .holds(&thread)
}

#[test]
fn measures_are_of_regions() {
    for (text, expected) in [
        ("a = time()", Measure::Time(None)),
        ("a = time(solve)", Measure::Time(Some(0))),
        ("a = count(upc_mem*)", Measure::Count(0)),
        ("a=bytes(\"phase one\")", Measure::Bytes(0)),
    ] {
        assert_eq!(defined(text).all[0].measure, expected, "{text}");
    }
    let definitions = defined("a = count(upc_mem*) if inside(f) and inside(upc_mem*)");
    assert_eq!(definitions.regions_named("upc_memget"), 1);
    assert_eq!(definitions.regions_named("f"), 2);
    assert_eq!(definitions.regions_named("g"), 0);
}

#[test]
fn conditions_hold_where_they_should() {
    let both = "inside(solve) and phase == 2";
    assert!(holds(both, &["solve"], &[("phase", 2)]));
    assert!(!holds(both, &["solve"], &[("phase", 3)]));
    assert!(!holds(both, &[], &[("phase", 2)]));
    // `and` binds more tightly than `or`, `not` most.
    assert!(holds("inside(a) or inside(b) and inside(c)", &["a"], &[]));
    assert!(!holds(
        "(inside(a) or inside(b)) and inside(c)",
        &["a"],
        &[]
    ));
    assert!(holds("not inside(a) or inside(b)", &["b", "a"], &[]));
    assert!(!holds("not (inside(a) or inside(b))", &["b"], &[]));
    assert!(holds("thread == 1 and threads >= 4", &[], &[]));
    assert!(holds("waited > 2ms", &[], &[("waited", 2_000_001)]));
    assert!(!holds("waited > 2ms", &[], &[("waited", 2_000_000)]));
    for (condition, expected) in [
        ("3 < 4", true),
        ("4 <= 4", true),
        ("4 != 4", false),
        ("5 > 5", false),
        ("6 >= 7", false),
    ] {
        assert_eq!(holds(condition, &[], &[]), expected, "{condition}");
    }
}

#[test]
fn errors_point_at_the_character() {
    for (text, column, expected) in [
        ("", 0, "the name of the metric"),
        ("a", 1, "`=`"),
        ("a = tim(upc_memget)", 4, "time(…), count(…) or bytes(…)"),
        ("a = time upc_memget", 9, "`(` after time"),
        ("a = time(upc_memget", 19, "`)`"),
        ("a = count()", 10, "the name of a function"),
        ("a = time(x) when inside(y)", 12, "`if` or the end"),
        ("a = time(x) if", 14, "a condition"),
        (
            "a = time(x) if inside(y) phase == 2",
            25,
            "`and`, `or` or the end",
        ),
        ("a = time(x) if phase = 2", 21, "one of == !="),
        ("a = time(x) if phase == 2h", 25, "ns, us, ms, s"),
        (
            "a = time(x) if phase == 99999999999999999999",
            24,
            "below 2^64",
        ),
        ("a = time(x) if (phase == 2", 26, "`)`"),
        ("a = time(x) if $", 15, "a name, a number"),
        ("a = time(\"x)", 9, "a closing \""),
        ("if = time(x)", 0, "no keyword"),
        ("a* = time(x)", 0, "letters, digits"),
        ("a = time(x) if ä == \"", 20, "a closing"),
        ("a = count([)", 10, "wildcards"),
    ] {
        let error = Definitions::default().add(text).expect_err(text);
        assert_eq!(error.column, column, "{error}");
        assert!(error.expected.contains(expected), "{error}");
        let shown = error.to_string();
        let mark = shown.lines().last().unwrap();
        assert_eq!(mark.chars().count(), column + 3, "{shown}");
    }
}

#[test]
fn an_error_changes_nothing() {
    let mut definitions = defined("a = time(x)");
    let before = definitions.clone();
    assert!(definitions.add("b = time(y) if inside(z) oder").is_err());
    let error = definitions.add("a = count(y)").unwrap_err();
    assert!(error.to_string().contains("defined already"), "{error}");
    assert_eq!(definitions, before);
}

#[test]
fn files_have_comments_and_their_errors_have_lines() {
    let mut definitions = Definitions::default();
    let text = "# metrics of the solver\n\na = time(\"#x\") # all\nb = count(y)\n";
    parse_file(text, "m.txt", &mut definitions).unwrap();
    assert_eq!(definitions.all.len(), 2);
    assert_eq!(definitions.regions[0].text, "#x");
    let error = parse_file("\nc = time(\n", "m.txt", &mut definitions).unwrap_err();
    assert!(
        error.to_string().starts_with("m.txt:2:10: found the end"),
        "{error}"
    );
}

#[test]
fn nesting_and_regions_are_bounded() {
    let deep = format!("a = time() if {}1 == 1", "not ".repeat(100_000));
    assert!(Definitions::default().add(&deep).is_err());
    let deep = format!("a = time() if {}", "(".repeat(100_000));
    assert!(Definitions::default().add(&deep).is_err());
    let mut definitions = Definitions::default();
    for number in 0..64 {
        definitions
            .add(&format!("m{number} = time(r{number})"))
            .unwrap();
    }
    assert!(
        definitions
            .add("more = time(r64)")
            .unwrap_err()
            .expected
            .contains("64 names")
    );
    definitions.add("known = time(r63)").unwrap();
}

proptest! {
    /// No text makes the parser fail in another way than by an error within the text.
    #[test]
    fn any_text_is_parsed_or_refused(text in "[a-z0-9 =()<>!\"*\\[\\]#ä]{0,60}") {
        if let Err(error) = Definitions::default().add(&text) {
            prop_assert!(error.column <= text.chars().count());
        }
    }

    #[test]
    fn texts_like_definitions_are_parsed_or_refused(
        words in prop::collection::vec(
            prop::sample::select(vec!["a", "=", "time", "count", "(", ")", "if", "and", "or", "not",
                "inside", "==", "<", "7", "2ms", "thread", "\"x y\""]), 0..24)
    ) {
        let text = words.join(" ");
        if let Err(error) = Definitions::default().add(&text) {
            prop_assert!(error.column <= text.chars().count());
        }
    }
}
