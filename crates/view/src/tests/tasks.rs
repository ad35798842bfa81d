//! Tables of tasks and of channels.

use super::support::{User, results};

#[test]
fn tasks_and_channels_are_tables_that_scroll() {
    let result = results::of_tasks(6);
    let mut user = User::of(&result, 100, 13);
    user.types("6");
    let shown = user.sees();
    for expected in [
        "Tasks: time by state; efficiency 75 %, speedup 3.00",
        "0 read",
        "3.00 s",
        "5 collect",
        "Channels",
    ] {
        assert!(shown.contains(expected), "{expected} in\n{shown}");
    }
    assert!(!shown.contains("no limit"), "{shown}");
    user.types("G");
    let shown = user.sees();
    assert!(shown.contains("0 farm.rs:20"), "{shown}");
    assert!(shown.contains("no limit"), "{shown}");
    assert!(shown.contains("5 farm.rs:22"), "{shown}");
}
