//! A lock is never seen taken before it was released: the recorder's time stamps of different
//! threads keep the order of cause and effect, however close they are.

mod measured;

use std::path::Path;

use measured::{check_sums, measure, pgastool, succeed};

#[test]
fn a_lock_is_taken_after_its_release() {
    let dir = tempfile::tempdir().expect("a folder");
    let program = dir.path().join("lock_order");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profile/lock_order.upc");
    succeed(
        pgastool(dir.path())
            .args(["compile", "-O2", "-o"])
            .arg(&program)
            .arg(source),
    );
    for run in 0..4 {
        let measured = measure(dir.path(), &program, &[], 2, &format!("experiment{run}"));
        assert!(measured.printed.contains("taken 200000 times"));
        check_sums(&measured.report);
        let remarks = measured.report["remarks"].as_array().expect("remarks");
        let order = |remark: &&serde_json::Value| {
            let text = remark.as_str().expect("a text");
            text.contains("had not given back")
        };
        assert_eq!(remarks.iter().find(order), None, "run {run}");
    }
}
