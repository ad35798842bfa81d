//! Effects of keys, seen on the screen.

use super::support::{User, results, theme};
use crate::document::Document;
use crate::input::Input;
use crate::state::{App, Next, Pane, Popup, Screen};
use pgas_cube::values::{Calls, Extent, SystemTree};
use ratatui::layout::Rect;

#[test]
fn a_finding_leads_to_its_line_and_to_its_place_in_the_trees() {
    let result = results::integer_sort();
    let finding = &result.summary.findings[0];
    let mut user = User::of(&result, 100, 30);
    user.types("s");
    assert_eq!(user.app.screen, Screen::Source);
    assert_eq!(user.app.source.line(), finding.line);
    let line = user.selected_line().unwrap();
    assert!(line.contains(&finding.line.to_string()), "{line}");

    user.types("1t");
    assert_eq!(user.app.trees.call_path().0, finding.call_path);
    let metric = user.app.trees.metric();
    assert_eq!(result.cube.metrics[metric.0].unique_name, finding.metric);
    let path = user.app.trees.call_path();
    let values = &user.document.profile.as_ref().unwrap().values;
    let expected = values.value(
        metric,
        Extent::Inclusive,
        Calls::Inclusive(path),
        SystemTree::ROOT,
    );
    let shown = user.app.trees.pane(Pane::Calls).value(path.0);
    assert!((shown - expected).abs() < 1e-12 && shown > 0.0);
    let system = user.app.trees.pane(Pane::System);
    let threads: f64 = system
        .rows()
        .iter()
        .map(|row| system.value(row.entry))
        .sum();
    assert!((threads - shown).abs() < 1e-9, "{threads} {shown}");
}

#[test]
fn open_entries_stand_for_themselves_and_all_of_a_tree_for_the_whole() {
    let result = results::integer_sort();
    let mut user = User::of(&result, 120, 40);
    user.types("2");
    let sum = |user: &User| -> f64 {
        let time = result.cube.metric("time").unwrap();
        let pane = user.app.trees.pane(Pane::Metrics);
        let below = user
            .document
            .profile
            .as_ref()
            .unwrap()
            .values
            .metrics()
            .subtree(time.0);
        let visible = pane.rows().iter().filter(|row| below.contains(&row.entry));
        visible.map(|row| pane.value(row.entry)).sum()
    };
    let closed = sum(&user);
    user.types("<Home>+");
    assert!(user.app.trees.pane(Pane::Metrics).rows().len() > 10);
    assert!((sum(&user) - closed).abs() < 1e-9);
    user.types("-");
    assert!((sum(&user) - closed).abs() < 1e-9);
}

#[test]
fn values_in_percent_are_of_what_is_selected() {
    let result = results::integer_sort();
    let mut user = User::of(&result, 120, 40);
    user.types("2v");
    assert!(user.sees().contains("(% of root)"));
    assert!(user.selected_line().unwrap().contains("100 %"));
    user.types("v");
    assert!(user.sees().contains("(% of selection)"));
    user.types("v");
    assert!(!user.sees().contains("(% of"));
}

#[test]
fn what_is_zero_is_hidden_on_demand() {
    let result = results::integer_sort();
    let mut user = User::of(&result, 120, 40);
    user.types("t");
    let all = user.app.trees.pane(Pane::Calls).rows().len();
    user.types("z");
    let calls = user.app.trees.pane(Pane::Calls);
    assert!(calls.rows().len() < all);
    assert!(
        calls
            .rows()
            .iter()
            .all(|row| calls.inclusive(row.entry) != 0.0)
    );
    user.types("z");
    assert_eq!(user.app.trees.pane(Pane::Calls).rows().len(), all);
}

#[test]
fn siblings_are_sorted_by_value() {
    let result = results::integer_sort();
    let mut user = User::of(&result, 120, 40);
    user.types("2<Tab><Home>+");
    let called_by_rank = |user: &User| -> Vec<(String, f64)> {
        let calls = user.app.trees.pane(Pane::Calls);
        let cube = &result.cube;
        let name = |path: usize| cube.regions[cube.call_paths[path].region.0].name.clone();
        let is_child = |path: usize| {
            let parent = cube.call_paths[path].parent;
            parent.is_some_and(|parent| name(parent.0) == "rank")
        };
        let rows = calls.rows().iter().filter(|row| is_child(row.entry));
        rows.map(|row| (name(row.entry), calls.inclusive(row.entry)))
            .collect()
    };
    let measured = called_by_rank(&user);
    user.types("o");
    let by_value = called_by_rank(&user);
    let falls = |pair: &[(String, f64)]| pair[0].1 >= pair[1].1;
    assert!(!measured.windows(2).all(falls), "{measured:?}");
    assert!(by_value.windows(2).all(falls), "{by_value:?}");
    assert_eq!(by_value.len(), measured.len());
    user.types("o");
    let by_name = called_by_rank(&user);
    assert!(by_name.is_sorted_by_key(|(name, _)| name), "{by_name:?}");
    user.types("o");
    assert_eq!(called_by_rank(&user), measured);
}

#[test]
fn searching_opens_what_hides_a_match_and_escape_goes_back() {
    let result = results::integer_sort();
    let mut user = User::of(&result, 120, 40);
    user.types("2<Tab><Home>-");
    let before = user.app.trees.pane(Pane::Calls).rows().len();
    user.types("/upc_barrier");
    let line = user.selected_line().unwrap();
    assert!(line.contains("upc_barrier"), "{line}");
    let found = user.app.trees.call_path();
    user.types("<Esc>");
    assert_eq!(user.app.trees.pane(Pane::Calls).rows().len(), before);

    user.types("/upc_barrier<Enter>");
    assert_eq!(user.app.trees.call_path(), found);
    user.types("nN");
    assert_eq!(user.app.trees.call_path(), found);
    user.types("/no such thing<Enter>n");
    assert!(user.sees().contains("no match for no such thing"));
}

#[test]
fn hot_lines_follow_one_another() {
    let result = results::integer_sort();
    let mut user = User::of(&result, 100, 30);
    user.types("3<Home>");
    let mut seen = vec![];
    for _ in 0..50 {
        let before = user.app.source.line();
        user.types("]");
        let line = user.app.source.line();
        if line == before {
            break;
        }
        seen.push(line);
    }
    let hot: Vec<u32> = user.app.source.values().keys().copied().collect();
    assert!(hot.len() > 2);
    assert_eq!(seen, hot);
    user.types("[");
    assert_eq!(user.app.source.line(), hot[hot.len() - 2]);
}

#[test]
fn the_metric_is_chosen_from_a_list() {
    let result = results::integer_sort();
    let mut user = User::of(&result, 100, 30);
    user.types("3m");
    assert!(user.sees().contains("Wait at barrier"));
    let entries = match &user.app.popup {
        Some(Popup::Chooser(chooser)) => chooser.entries.len(),
        other => panic!("{other:?}"),
    };
    // The window lies over a line of the source that is selected, too.
    let is_on = |user: &User| {
        let lines = user.selected_lines();
        lines.iter().any(|line| line.contains("Wait at barrier"))
    };
    let mut moves = 0;
    while !is_on(&user) && moves < entries {
        user.types("<Down>");
        moves += 1;
    }
    assert!(is_on(&user), "{}", user.sees());
    user.types("<Enter>");
    let metric = user.app.trees.metric();
    assert_eq!(result.cube.metrics[metric.0].unique_name, "wait_at_barrier");
    let sum: f64 = user.app.source.values().values().sum();
    let file = &user.document.profile.as_ref().unwrap().files[user.app.source.file];
    assert_eq!(file.name, "is.c");
    assert!(sum > 0.0 && sum <= result.cube.total(metric) + 1e-9);
}

#[test]
fn metrics_are_explained_by_the_reference() {
    let result = results::integer_sort();
    let mut user = User::of(&result, 100, 60);
    user.types("e");
    let seen = user.sees();
    assert!(
        seen.contains("FORMULA") || seen.contains("Formula"),
        "{seen}"
    );
    user.types("q");
    assert!(user.app.popup.is_none());
    assert_eq!(user.types("q"), Next::Quit);
}

#[test]
fn a_click_selects_and_the_wheel_scrolls() {
    let result = results::many();
    let mut user = User::of(&result, 100, 20);
    user.types("4");
    user.does(Input::Click { column: 5, row: 6 });
    assert_eq!(user.app.threads.selected(), Some(2));
    user.does(Input::Scroll {
        column: 5,
        row: 6,
        lines: 3,
    });
    assert_eq!(user.app.threads.cursor.top, 3);
    // The number of the second screen.
    user.does(Input::Click { column: 15, row: 0 });
    assert_eq!(user.app.screen, Screen::Trees);
}

#[test]
fn what_is_said_about_a_loop_can_be_read_to_its_end_on_a_small_terminal() {
    let result = results::growing();
    let mut user = User::of(&result, 60, 10);
    user.types("5<Enter>");
    assert!(user.sees().contains("200 iterations"));
    let mut seen = user.sees();
    for _ in 0..10 {
        user.types("<PageDown>");
        seen.push_str(&user.sees());
    }
    assert!(seen.contains("number 57 took"), "{seen}");
    // The end of the text stays on the screen.
    assert!(user.sees().contains("into the run"), "{}", user.sees());
    user.types("<Esc><Down>");
    assert_eq!(user.app.iterations.cursor.selected, 1);
    user.types("<Enter>");
    assert!(user.sees().contains("4,000 iterations"), "{}", user.sees());
}

#[test]
fn threads_are_found_by_number() {
    let result = results::many();
    let mut user = User::of(&result, 100, 20);
    user.types("4/100<Enter>");
    assert_eq!(user.app.threads.selected(), Some(100));
    user.types("oo");
    let waiting: Vec<f64> = user
        .app
        .threads
        .rows()
        .iter()
        .map(|&thread| user.document.profile.as_ref().unwrap().activities[thread].waiting)
        .collect();
    assert!(waiting.windows(2).all(|pair| pair[0] >= pair[1]));
}

#[test]
fn findings_are_there_while_the_profile_is_read() {
    let result = results::integer_sort();
    let document = Document::of_summary(&result.summary);
    let mut user = User {
        app: App::new(theme(true), Rect::new(0, 0, 100, 30)),
        document,
    };
    user.app.refresh(&user.document);
    let seen = user.sees();
    assert!(seen.contains(&result.summary.findings[0].region), "{seen}");
    assert!(seen.contains("reading the profile"), "{seen}");
    user.types("2<Down>+m3]4o");
    assert!(user.sees().contains("Reading the profile"));
    user.types("1<Down>");
    assert_eq!(user.app.findings.cursor.selected, 1);
    // The profile has come: the place is still the same.
    let complete = Document::new(&result, &super::support::sources());
    let mut user = User {
        app: user.app,
        document: complete,
    };
    user.app.refresh(&user.document);
    assert_eq!(user.app.findings.cursor.selected, 1);
    assert!(!user.sees().contains("reading the profile"));
}

#[test]
fn names_of_the_program_do_not_act_on_the_terminal() {
    let mut result = results::integer_sort();
    for region in &mut result.cube.regions {
        region.name = format!("\u{1b}[2J\u{202e}{}", region.name);
    }
    for path in &mut result.cube.call_paths {
        path.file = format!("\u{1b}]0;title\u{7}{}", path.file);
    }
    for finding in &mut result.summary.findings {
        finding.cause = "\u{9b}31m\r\n".into();
        finding.file = "\u{1b}c".into();
    }
    let mut user = User::of(&result, 120, 40);
    for screen in '1'..='6' {
        user.types(&screen.to_string());
        let seen = user.sees();
        let acts = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!seen.contains(acts), "{seen:?}");
    }
}
