//! Screens on terminals of several sizes.

use super::support::{User, results};
use crate::input::Input;
use crate::state::Screen;
use insta::assert_snapshot;
use pgas_result::AnalysisResult;

#[test]
fn findings() {
    let result = results::integer_sort();
    assert_snapshot!(User::of(&result, 110, 30).sees());
}

#[test]
fn findings_on_a_narrow_terminal() {
    let result = results::integer_sort();
    assert_snapshot!(User::of(&result, 80, 24).sees());
}

/// Those of the online search are below those of the trace, which say when the search knew them.
#[test]
fn findings_of_the_online_search() {
    let result = results::searched();
    let mut user = User::of(&result, 110, 30);
    let known = "known      while it ran, after 410 ms; thread 3 after 620 ms";
    let flat = |shown: String| {
        let lines = shown.lines().filter_map(|line| line.split('│').nth(1));
        lines
            .map(|line| format!("{}\n", line.trim()))
            .collect::<String>()
    };
    let first = flat(user.sees()).replace('\n', " ");
    assert!(first.contains(known), "{first}");
    user.types("<End>");
    assert_snapshot!(user.sees());
}

#[test]
fn keys_on_a_finding_of_the_online_search() {
    let result = results::searched();
    let mut user = User::of(&result, 110, 30);
    user.types("/comes late<Enter>");
    let line = user.selected_line().expect("a selected line");
    assert!(line.contains("live 620 ms: thread 3"), "{line}");
    user.types("s");
    let line = user.selected_line().expect("a selected line");
    assert!(line.contains("statement_441();"), "{line}");
    user.types("1t");
    let lines = user.selected_lines();
    assert!(
        lines.iter().any(|line| line.contains("upc_barrier")),
        "{lines:?}"
    );
    user.types("1e");
    let shown = user.sees();
    assert!(shown.contains("Wait at barrier"), "{shown}");
}

#[test]
fn the_online_search_alone_may_have_found_something() {
    let result = results::searched_only();
    let shown = User::of(&result, 110, 30).sees();
    assert!(
        shown.contains("23 % of the time is not computing"),
        "{shown}"
    );
    assert!(shown.contains("while it ran, after 2.50 s"), "{shown}");
}

#[test]
fn what_recording_inflates_is_marked() {
    let result = results::inflated();
    let mut user = User::of(&result, 110, 34);
    let shown = user.sees();
    assert!(
        shown.contains("recording took 40 % of the CPU time"),
        "{shown}"
    );
    // The second finding is on upc_memget.
    user.types("j");
    let shown = user.sees();
    assert!(
        shown.contains("inflated") && shown.contains("about 75 % of these seconds"),
        "{shown}"
    );
    user.types("t");
    let shown = user.sees();
    let marked: Vec<&str> = shown.lines().filter(|line| line.contains(" %]")).collect();
    assert!(
        marked.len() == 1 && marked[0].contains("upc_memget [75 %]"),
        "{shown}"
    );
    assert!(shown.contains("75 % is what recording took"), "{shown}");
}

#[test]
fn trees_of_a_finding() {
    let result = results::integer_sort();
    let mut user = User::of(&result, 120, 24);
    user.types("t");
    assert_snapshot!(user.sees());
}

#[test]
fn source() {
    let result = results::integer_sort();
    let mut user = User::of(&result, 100, 24);
    user.types("s");
    assert_snapshot!(user.sees());
}

#[test]
fn threads() {
    let result = results::integer_sort();
    let mut user = User::of(&result, 100, 24);
    user.types("4");
    assert_snapshot!(user.sees());
}

#[test]
fn iterations() {
    let result = results::growing();
    let mut user = User::of(&result, 120, 30);
    user.types("5");
    assert_snapshot!(user.sees());
}

#[test]
fn matrix() {
    let result = results::neighbours(8);
    let mut user = User::of(&result, 90, 20);
    user.types("6]");
    assert_snapshot!(user.sees());
}

#[test]
fn help() {
    let result = results::integer_sort();
    let mut user = User::of(&result, 90, 50);
    user.types("?");
    assert_snapshot!(user.sees());
}

#[test]
fn without_unicode() {
    let result = results::growing();
    let mut user = User::of(&result, 100, 30);
    user.app.theme = super::support::theme(false);
    for screen in '1'..='6' {
        user.types(&screen.to_string());
        let seen = user.sees();
        assert!(seen.is_ascii(), "{seen}");
    }
    user.types("?");
    assert!(user.sees().is_ascii());
}

#[test]
fn no_colours_where_none_are_wanted() {
    let result = results::growing();
    let mut user = User::of(&result, 120, 40);
    user.app.theme.colours = pgas_screen::theme::Colours::None;
    for screen in '1'..='6' {
        user.types(&screen.to_string());
        let buffer = user.buffer();
        let plain = |cell: &ratatui::buffer::Cell| {
            use ratatui::style::Color;
            cell.fg == Color::Reset && cell.bg == Color::Reset
        };
        assert!(buffer.content.iter().all(plain), "screen {screen}");
    }
}

/// Keys that do something on one screen or another; each is typed on all of them.
const KEYS: &str = "<Down><Enter><Tab><Down><PageDown>]ovxz+-<Right><Left>e<End><Esc>m<Down><Enter>f\
     <Enter>/a<Backspace>up<Enter>n?<PageDown><Esc>st";

fn all_results() -> [AnalysisResult; 6] {
    [
        results::growing(),
        results::killed(),
        results::neighbours(8),
        results::many(),
        results::without_trace(),
        results::searched(),
    ]
}

/// [`KEYS`] one by one.
fn keys() -> Vec<&'static str> {
    let mut keys = Vec::new();
    let mut rest = KEYS;
    while !rest.is_empty() {
        let length = match rest.starts_with('<') {
            true => rest.find('>').expect("the end of a key's name") + 1,
            false => 1,
        };
        let (key, after) = rest.split_at(length);
        keys.push(key);
        rest = after;
    }
    keys
}

/// Words on the line of what is selected; `None` if the screen has nothing to select, or shows
/// something else in its place.
fn selected(user: &User) -> Option<String> {
    let (app, document) = (&user.app, &user.document);
    if app.popup.is_some() {
        return None;
    }
    let profile = document.profile.as_ref();
    match app.screen {
        Screen::Findings => {
            let number = app.findings.cursor.selected;
            let is_listed = number < document.entries() && !app.findings.reading;
            let label = match document.live(number) {
                Some(_) => "live ".to_owned(),
                None => format!(" {} ", number + 1),
            };
            is_listed.then_some(label)
        }
        Screen::Trees => {
            let pane = app.trees.pane(app.trees.focus);
            // `z` hides what is zero, which may be all of it.
            pane.rows().first()?;
            let name = app.trees.focus.name(profile?, pane.selected());
            // Long names are cut in the middle.
            Some(name.chars().take(3).collect())
        }
        Screen::Source => {
            let file = profile?.files.get(app.source.file)?;
            let has_text = file.text.as_ref().is_ok_and(|lines| !lines.is_empty());
            has_text.then(|| format!(" {} ", app.source.line()))
        }
        Screen::Threads => profile
            .and(app.threads.selected())
            .map(|t| format!("thread {t}")),
        Screen::Iterations => {
            let found = document.summary.phases.get(app.iterations.cursor.selected);
            found
                .filter(|_| profile.is_some() && !app.iterations.reading)
                .map(|_| String::new())
        }
        Screen::Matrix => {
            let has_pairs = profile.is_some() && document.summary.communication.is_some();
            has_pairs.then(|| format!("thread {}", app.matrix.row.selected))
        }
    }
}

/// Panics unless the line of what is selected is on the screen, and drawn as selected.
fn check_selected(user: &User, context: &str) -> bool {
    let Some(words) = selected(user) else {
        return false;
    };
    let lines = user.selected_lines();
    assert!(
        lines.iter().any(|line| line.contains(&words)),
        "{context}: '{words}' is not among the selected lines {lines:#?} of\n{}",
        user.sees()
    );
    true
}

/// After every key, click and change of the size, on every screen that has room for a list.
#[test]
fn what_is_selected_is_visible() {
    let mut checked = [0; 6];
    for (number, result) in all_results().iter().enumerate() {
        for (columns, rows) in [(40, 12), (80, 24), (131, 43)] {
            for screen in 1..=6 {
                let mut user = User::of(result, columns, rows);
                user.types(&screen.to_string());
                let mut check = |user: &User, what: &str| {
                    let context = format!("result {number}, {columns} x {rows}, {screen}, {what}");
                    let shown = user.app.screen as usize;
                    checked[shown] += usize::from(check_selected(user, &context));
                };
                check(&user, "at first");
                let mut typed = String::new();
                for key in keys() {
                    user.types(key);
                    typed.push_str(key);
                    check(&user, &typed);
                }
                for (column, row) in [(columns / 2, rows / 2), (columns / 4, 2)] {
                    user.does(Input::Click { column, row });
                    check(&user, "a click");
                    for lines in [3, -3] {
                        user.does(Input::Scroll { column, row, lines });
                        check(&user, "scrolling");
                    }
                }
                user.does(Input::Resize {
                    columns: 50,
                    rows: 12,
                });
                check(&user, "another size");
            }
        }
    }
    // `s`, `t`, Enter and others lead to other screens.
    assert!(checked.iter().all(|&count| count > 30), "{checked:?}");
}

/// Every screen, after every key, at every size.
#[test]
fn nothing_panics_at_any_size() {
    for result in &all_results() {
        for (columns, rows) in [
            (0, 0),
            (1, 1),
            (3, 2),
            (12, 5),
            (40, 10),
            (80, 24),
            (131, 43),
        ] {
            for screen in '1'..='6' {
                let mut user = User::of(result, columns, rows);
                user.types(&screen.to_string());
                user.types(KEYS);
                user.sees();
                for (column, row) in [
                    (0, 0),
                    (columns / 2, rows / 2),
                    (columns / 4, 2),
                    (columns, rows),
                ] {
                    user.does(Input::Click { column, row });
                    for lines in [3, -3] {
                        user.does(Input::Scroll { column, row, lines });
                    }
                    user.sees();
                }
                user.does(Input::Resize {
                    columns: 50,
                    rows: 12,
                });
                user.sees();
            }
        }
    }
}
