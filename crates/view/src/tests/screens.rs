//! Screens on terminals of several sizes.

use super::support::{User, results};
use crate::input::Input;
use insta::assert_snapshot;

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
    user.app.theme.colours = crate::theme::Colours::None;
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

/// Every screen, after every key, at every size: nothing may panic, and what is selected is
/// visible.
#[test]
fn nothing_breaks_on_any_size() {
    let results = [
        results::growing(),
        results::killed(),
        results::neighbours(8),
        results::many(),
        results::without_trace(),
    ];
    let keys = "<Down><Enter><Tab><Down><PageDown>]ovxz+-<Right><Left>e<End><Esc>m<Down><Enter>f<Enter>/\
         a<Backspace>up<Enter>n?<PageDown><Esc>st";
    for result in &results {
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
                user.types(keys);
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
