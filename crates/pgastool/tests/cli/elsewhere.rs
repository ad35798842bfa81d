//! Programs of which the recorder sees a part: accesses by threads and processes that they create
//! themselves.

use crate::bench::Bench;
use serde_json::Value;

/// In each round a thread writes its own element, and another one's is read after the barrier: by
/// whom is the program's argument. Both barriers are needed, unless nobody reads.
const PROGRAM: &str = r#"#include <upc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

shared int element[THREADS];
volatile int seen;

void *look(void *reads) {
    if (reads) seen = element[(MYTHREAD + 1) % THREADS];
    return NULL;
}

int main(int argc, char **argv) {
    const char *who = argv[1];
    for (int round = 0; round < 20; round++) {
        element[MYTHREAD] = round;
        usleep(500 * (1 + MYTHREAD));
        upc_barrier;
        if (strcmp(who, "fork") == 0) {
            pid_t child = fork();
            if (child == 0) {
                look(&seen);
                _exit(0);
            }
            waitpid(child, NULL, 0);
        } else {
            pthread_t thread;
            pthread_create(&thread, NULL, look, strcmp(who, "thread") == 0 ? (void *)&seen : NULL);
            pthread_join(thread, NULL);
        }
        upc_barrier;
    }
    return 0;
}
"#;

fn report(bench: &Bench, who: &str) -> Value {
    bench.ok(&["run", "-n", "2", "-o", who, "./prog", who]);
    bench.ok(&["analyze", who]);
    serde_json::from_str(&bench.ok(&["report", who, "--format", "json"])).unwrap()
}

fn removable_barriers(report: &Value) -> usize {
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .filter(|finding| finding["kind"] == "removable_barrier")
        .count()
}

fn names_them(report: &Value) -> bool {
    let withheld = report["withheld"].as_array().unwrap().iter();
    let mut reasons = withheld.flat_map(|withheld| withheld["reasons"].as_array().unwrap());
    reasons.any(|reason| reason["kind"] == "elsewhere")
}

#[test]
fn accesses_of_threads_and_processes_that_the_program_makes_withhold_advice() {
    let bench = Bench::new();
    bench.compile_all(PROGRAM, &["-pthread"]);
    for who in ["thread", "fork"] {
        let report = report(&bench, who);
        assert_eq!(removable_barriers(&report), 0, "{who}: {report}");
        assert!(names_them(&report), "{who}: {report}");
    }
    // A thread that only computes is in nobody's way.
    let report = report(&bench, "nobody");
    assert!(removable_barriers(&report) > 0, "{report}");
    assert!(!names_them(&report), "{report}");
}
