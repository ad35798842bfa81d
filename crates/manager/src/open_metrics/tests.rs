//! The text, read by a strict reader of the format that knows nothing of how it is written.

use std::collections::{BTreeMap, BTreeSet};

use pgas_base::models::Words;

use super::text;
use crate::store::Store;

#[path = "../../tests/sample/mod.rs"]
mod sample;
#[path = "../../tests/sample/tasks.rs"]
mod sample_tasks;

type Labels = BTreeMap<String, String>;

/// A family and its samples.
#[derive(Debug, Default)]
struct Family {
    kind: String,
    samples: BTreeMap<Labels, f64>,
}

/// Families by name; panics at anything that the format does not allow.
fn read(text: &str) -> BTreeMap<String, Family> {
    let body = text.strip_suffix("# EOF\n").expect("an end");
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    let mut current = String::new();
    for line in body.lines() {
        assert!(!line.is_empty() && !line.contains('\r'));
        if let Some(description) = line.strip_prefix("# ") {
            let mut parts = description.splitn(3, ' ');
            let (what, name, rest) = (parts.next(), parts.next().unwrap(), parts.next().unwrap());
            check_name(name);
            match what {
                Some("TYPE") => {
                    assert!(["counter", "gauge", "info"].contains(&rest), "{line}");
                    let family = Family {
                        kind: rest.to_owned(),
                        ..Family::default()
                    };
                    assert!(
                        families.insert(name.to_owned(), family).is_none(),
                        "{name} twice"
                    );
                    current = name.to_owned();
                }
                Some("UNIT") => assert!(name.ends_with(&format!("_{rest}")), "{line}"),
                Some("HELP") => drop(unescaped(rest)),
                _ => panic!("{line}"),
            }
            assert_eq!(name, current, "descriptions come before samples");
            assert!(families[name].samples.is_empty(), "{line}");
        } else {
            let family = families.get_mut(&current).expect("a type");
            sample_line(line, &current, family);
        }
    }
    families
}

fn sample_line(line: &str, name: &str, family: &mut Family) {
    let end = line.find(['{', ' ']).expect("a name");
    let suffix = match &*family.kind {
        "counter" => "_total",
        "info" => "_info",
        _ => "",
    };
    assert_eq!(&line[..end], format!("{name}{suffix}"));
    let mut labels = Labels::new();
    let mut rest = &line[end..];
    if let Some(inside) = rest.strip_prefix('{') {
        rest = inside;
        while !rest.starts_with('}') {
            let (label, after) = rest.split_once("=\"").expect("a label");
            check_name(label);
            let end = closing_quote(after);
            assert!(
                labels
                    .insert(label.to_owned(), unescaped(&after[..end]))
                    .is_none()
            );
            rest = &after[end + 1..];
            rest = rest
                .strip_prefix(',')
                .filter(|rest| !rest.starts_with('}'))
                .unwrap_or(rest);
        }
        rest = &rest[1..];
    }
    let value: f64 = rest
        .strip_prefix(' ')
        .expect("a space")
        .parse()
        .expect(line);
    assert!(family.kind != "counter" || value >= 0.0, "{line}");
    assert!(
        family.samples.insert(labels, value).is_none(),
        "twice: {line}"
    );
}

fn closing_quote(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            '"' if !is_escaped => return at,
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    panic!("no end of {text}");
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some(other @ ('\\' | '"')) => other,
                other => panic!("\\{other:?}"),
            },
            other => other,
        });
    }
    plain
}

fn check_name(name: &str) {
    let is_first = |one: char| one.is_ascii_alphabetic() || one == '_';
    assert!(name.starts_with(is_first), "{name}");
    assert!(
        name.chars()
            .all(|one| is_first(one) || one.is_ascii_digit()),
        "{name}"
    );
}

fn store(seconds: u32) -> Store {
    let mut store = Store::new(Words::of(&[]));
    for second in 1..=seconds {
        store.add(sample::picture(second, 8), &[], &[]);
    }
    store
}

/// The sum of samples that have these labels.
fn sum(families: &BTreeMap<String, Family>, name: &str, labels: &[(&str, &str)]) -> f64 {
    let family = families.get(name).unwrap_or_else(|| panic!("{name}"));
    let samples = family.samples.iter().filter(|(all, _)| {
        labels
            .iter()
            .all(|(name, value)| all.get(*name).is_some_and(|found| found == value))
    });
    samples.map(|(_, value)| value).sum()
}

#[test]
fn a_strict_reader_finds_what_threads_did() {
    let families = read(&text(&store(10)));
    let waiting = [
        ("thread", "5"),
        ("process", "4711"),
        ("node", "node1"),
        ("kind", "barrier"),
    ];
    assert_eq!(sum(&families, "pgas_thread_seconds", &waiting), 5.0);
    // All time of all threads, each second once.
    let all = sum(&families, "pgas_thread_seconds", &[]);
    assert!((all - 80.0).abs() < 1e-9, "{all}");
    let place = [("place", "upc_barrier at heat.upc:12")];
    assert_eq!(sum(&families, "pgas_operation_seconds", &place), 20.0);
    assert_eq!(sum(&families, "pgas_lock_waiting", &[("lock", "0x7")]), 4.0);
    assert_eq!(
        sum(&families, "pgas_run", &[("experiment", "/tmp/heat \"1\"")]),
        1.0
    );
    assert_eq!(
        sum(&families, "pgas_program_metric", &[("name", "particles")]),
        28.0
    );
    assert_eq!(
        sum(
            &families,
            "pgas_program_seconds",
            &[("name", "sort \"fast\"\\\n")]
        ),
        12.0
    );
    let efficiency = sum(&families, "pgas_efficiency_ratio", &[]);
    assert!((efficiency - 0.65).abs() < 1e-9, "{efficiency}");
}

#[test]
fn counters_go_on_when_threads_end() {
    let mut store = store(3);
    let before = read(&text(&store));
    let mut picture = sample::picture(4, 8);
    picture.now.truncate(2);
    store.add(picture, &[], &[]);
    let after = read(&text(&store));
    for (name, family) in before.iter().filter(|(_, family)| family.kind == "counter") {
        if name == "pgas_program_seconds" {
            // Of the program, which has it no more.
            continue;
        }
        for (labels, value) in &family.samples {
            assert!(after[name].samples[labels] >= *value, "{name} {labels:?}");
        }
    }
    let threads = |families: &BTreeMap<String, Family>| {
        let samples = families["pgas_thread_efficiency_ratio"].samples.keys();
        samples
            .map(|labels| labels["thread"].clone())
            .collect::<BTreeSet<_>>()
            .len()
    };
    assert_eq!((threads(&before), threads(&after)), (8, 2));
}

#[test]
fn nothing_is_known_before_the_first_picture() {
    let families = read(&text(&store(0)));
    assert_eq!(sum(&families, "pgas_pictures", &[]), 0.0);
}

#[test]
fn tasks_and_channels_have_families_of_their_own() {
    let mut store = store(0);
    for second in 1..=3 {
        store.add(sample_tasks::picture(second, 8), &[], &[]);
    }
    let families = read(&text(&store));
    let reader = [
        ("task", "1"),
        ("function", "reader"),
        ("activity", "computing"),
    ];
    assert!((sum(&families, "pgas_task_seconds", &reader) - 1.2).abs() < 1e-9);
    let sent = [("channel", "3"), ("direction", "send")];
    assert_eq!(sum(&families, "pgas_channel_messages", &sent), 30.0);
    assert_eq!(sum(&families, "pgas_channel_queued", &[]), 5.0);
    assert_eq!(
        sum(&families, "pgas_processor_load_ratio", &[("thread", "7")]),
        0.5
    );
}
