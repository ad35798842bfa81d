//! A split-phase barrier whose halves stand on one line, as from a macro: the work between them is
//! no part of a barrier.

use crate::bench::Bench;
use serde_json::Value;

const PROGRAM: &str = r#"#include <upc.h>
#include <unistd.h>

#define OVERLAPPED(work) do { upc_notify; work; upc_wait; } while (0)

int main(void) {
    for (int round = 0; round < 10; round++)
        OVERLAPPED(usleep(5000));
    return 0;
}
"#;

#[test]
fn work_between_halves_on_one_line_is_not_charged_to_a_barrier() {
    let bench = Bench::new();
    bench.compile(PROGRAM, &[]);
    bench.ok(&["run", "-n", "2", "-o", "exp", "./prog"]);
    bench.ok(&["analyze", "exp"]);
    let report: Value =
        serde_json::from_str(&bench.ok(&["report", "exp", "--format", "json"])).unwrap();
    let paths = report["call_paths"].as_array().unwrap();
    let at = |region: &str| paths.iter().find(|path| path["region"] == region);
    assert!(
        at("upc_notify").is_some() && at("upc_wait").is_some(),
        "{report}"
    );
    let main = at("main").unwrap();
    let computation = main["metrics"]["computation"].as_array().unwrap();
    for seconds in computation {
        assert!(seconds.as_f64().unwrap() >= 0.05, "{main}");
    }
}
