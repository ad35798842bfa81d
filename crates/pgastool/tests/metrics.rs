//! Metrics of the user, from the program, the command line, a file and while the program runs: their
//! values are those that the program must have.

mod measured;

use std::process::Command;

use measured::live::{metrics, seconds, start, watch_once};
use measured::{pgastool, succeed};

/// Each thread: 2 phases of 50 gets of 1000 bytes in `solve`, each with 1 ms in `pause`; 30 gets of
/// 10 bytes elsewhere. Then it waits for the file `go`, and does phase 0 once more.
const PROGRAM: &str = "#include <upc.h>
#include <unistd.h>
#include <pgas_metrics.h>
shared [1024] char data[1024 * THREADS];
static char buffer[1024];
static void pause_for(int us) { usleep(us); }
static void get(int bytes) { upc_memget(buffer, &data[1024 * ((MYTHREAD + 1) % THREADS)], bytes); }
static void solve(void) { for (int i = 0; i < 50; i++) { get(1000); pause_for(1000); } }
int main(void) {
  pgas_metric phase = pgas_metric_counter(\"phase\"), number = pgas_metric_numbered(3);
  pgas_metric solving = pgas_metric_timer(\"solving\"), attached = pgas_metric_counter(\"attached\");
  pgas_metric_define(\"of_program = count(upc_memget) if phase == 1\");
  pgas_metric_add(number, 10 + MYTHREAD);
  pgas_metric_subtract(number, 4);
  pgas_metric_set(attached, 1000000000);
  pgas_metric_attach(attached);
  for (int step = 0; step < 2; step++) {
    pgas_metric_set(phase, step);
    pgas_metric_start(solving);
    solve();
    pgas_metric_stop(solving);
    for (int i = 0; i < 15; i++) get(10);
  }
  pgas_metric_set(phase, 2);
  while (access(\"go\", F_OK)) { upc_fence; usleep(1000); }
  solve();
  pgas_metric_set(phase, 3);
  while (access(\"end\", F_OK)) { upc_fence; usleep(1000); }
  return 0;
}
";

#[test]
fn metrics_count_and_time_what_their_definitions_say() {
    for live in ["--live", "--live=only"] {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        std::fs::write(dir.join("p.upc"), PROGRAM).unwrap();
        let compile = ["compile", "--functions=all", "-g", "-o", "p", "p.upc"];
        succeed(pgastool(dir).args(compile));
        std::fs::write(
            dir.join("m"),
            "got = bytes(upc_mem*) if inside(solve) # of solve\n",
        )
        .unwrap();
        let odd = "odd = time(pause_for) if phase == 1 and thread == 1";
        let options = [
            live,
            "--metrics",
            "m",
            "--metric",
            "gets = count(upc_memget)",
        ];
        let _running = start(dir, "2", &[&options[..], &["--metric", odd]].concat());

        let metric = metrics(dir, 2);
        for (name, expected) in [
            ("gets", [130, 130]),
            ("got", [100_000, 100_000]),
            ("of_program", [65, 65]),
            ("metric 3", [6, 7]),
        ] {
            let found = metric(name);
            let values = [0, 1].map(|thread| found[thread]["integer"].as_u64());
            assert_eq!(values, expected.map(Some), "{live} {name}: {found:?}");
        }
        assert_eq!(metric("got")[0]["unit"], "bytes");
        // Sleeping takes no less than it should.
        let [none, odd] = seconds(&metric("odd"));
        let solving = seconds(&metric("solving"));
        assert!(
            none == 0.0 && (0.05..solving[1]).contains(&odd),
            "{none} {odd} {solving:?}"
        );
        assert!(solving.iter().all(|&time| time >= 0.1), "{solving:?}");
        assert_eq!(seconds(&metric("attached")), [1.0, 1.0]);

        // From here on, one more: nothing of what came before is in it.
        succeed(&mut watch_once(
            dir,
            &["--metric", "late = count(upc_memget) if inside(solve)"],
        ));
        std::fs::write(dir.join("go"), "").unwrap();
        let metric = metrics(dir, 3);
        let late = metric("late");
        assert_eq!([&late[0]["value"], &late[1]["value"]], [50.0, 50.0]);
        assert_eq!(metric("gets")[0]["value"], 180.0);
        let line = watch_once(dir, &["--text"]).output().unwrap();
        let line = String::from_utf8(line.stdout).unwrap();
        assert!(
            line.contains("; gets 180;") && line.contains("phase 3"),
            "{line}"
        );
        std::fs::write(dir.join("end"), "").unwrap();
    }
}

#[test]
fn what_is_not_valid_is_refused_before_the_program_runs() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    std::fs::write(dir.join("p.upc"), PROGRAM).unwrap();
    succeed(pgastool(dir).args(["compile", "-o", "p", "p.upc"]));
    std::fs::write(dir.join("m"), "# two\na = time(x)\nb = tim(x)\n").unwrap();
    for (options, expected) in [
        (
            &["--live", "--metric", "a = time(x) if phase = 2"][..],
            "found `=`, expected one of ==",
        ),
        (&["--live", "--metrics", "m"], "m:3:5: found `tim`"),
        (&["--metric", "a = time(x)"], "add --live"),
        (&["--live", "--metrics", "none"], "cannot read none"),
    ] {
        let mut run = pgastool(dir);
        let output = run
            .args(["run", "-o", "e", "-n", "2"])
            .args(options)
            .arg("./p")
            .output()
            .unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(expected), "{message}");
        assert!(
            output.status.code().unwrap() != 0 && !dir.join("e").exists(),
            "{message}"
        );
    }
}

/// The header alone, in programs that nobody measures.
#[test]
fn programs_do_without_a_recorder() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let include = pgastool(dir).arg("include").output().unwrap();
    let include = String::from_utf8(include.stdout).unwrap();
    let source = "#include <pgas_metrics.h>\nint main(void) {\n  pgas_metric m = \
                  pgas_metric_numbered(3);\n  pgas_metric_start(m);\n  return pgas_metric_value(m) + \
                  m + 1 + pgas_metric_define(\"x\");\n}\n";
    for (compiler, file) in [("cc", "p.c"), ("c++", "p.cc")] {
        std::fs::write(dir.join(file), source).unwrap();
        let mut compile = Command::new(compiler);
        compile
            .current_dir(dir)
            .args(["-Wall", "-Werror", "-o", "p", file, "-I", include.trim()]);
        succeed(&mut compile);
        succeed(&mut Command::new(dir.join("p")));
    }
}
