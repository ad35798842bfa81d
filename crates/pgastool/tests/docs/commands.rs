//! Runs the commands of all pages, page by page in an empty directory with a home of its own, and
//! compares what they print.

use crate::blocks::{Step, What, steps};
use crate::{book, shape};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Longer than any command of a page takes on a slow machine. Seconds.
const PATIENCE: u32 = 300;

/// Results of one page.
#[derive(Default)]
struct Tally {
    run: usize,
    compared: usize,
    left_out: Vec<(usize, String)>,
    wrong: Vec<String>,
}

/// Where the commands of one page are run. Directory and variables carry over from one block to the
/// next.
struct Sandbox {
    directory: tempfile::TempDir,
}

impl Sandbox {
    fn new() -> Sandbox {
        let directory = tempfile::tempdir().unwrap();
        for name in ["home", "work"] {
            std::fs::create_dir(directory.path().join(name)).unwrap();
        }
        std::fs::write(
            directory.path().join("cwd"),
            directory.path().join("work").to_str().unwrap(),
        )
        .unwrap();
        std::fs::write(directory.path().join("variables"), "").unwrap();
        Sandbox { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Output and errors together, as a terminal shows them, and the exit status.
    fn run(&self, commands: &str) -> (String, i32) {
        let script = format!(
            "set -eu\n. ../variables\ncd \"$(cat ../cwd)\"\n{commands}\nexport -p \
             >\"$SANDBOX/variables\"\npwd >\"$SANDBOX/cwd\"\n"
        );
        std::fs::write(self.path("script"), script).unwrap();
        let tools = Path::new(env!("CARGO_BIN_EXE_pgastool")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let home = std::env::var("HOME").unwrap_or_default();
        let or_home = |variable: &str, below: &str| {
            std::env::var(variable).unwrap_or_else(|_| format!("{home}/{below}"))
        };
        let log = std::fs::File::create(self.path("log")).unwrap();
        let status = Command::new("timeout")
            .args(["-k", "5", &PATIENCE.to_string(), "sh", "../script"])
            .current_dir(self.path("work"))
            .env("SANDBOX", self.directory.path())
            .env("CLONE", book::clone())
            .env("HOME", self.path("home"))
            // Compilers of Rust stay where they are.
            .env("CARGO_HOME", or_home("CARGO_HOME", ".cargo"))
            .env("RUSTUP_HOME", or_home("RUSTUP_HOME", ".rustup"))
            .env("CARGO_TARGET_DIR", tools.parent().unwrap())
            .env("PATH", format!("{}:{path}", tools.display()))
            .env(
                "PGAS_CACHE_DIR",
                Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs-cache"),
            )
            .env("PGAS_UPCC", "embedded")
            // The pages show runs that had the machine to themselves.
            .env("PGAS_NO_CORE", "0")
            .env("LC_ALL", "C.UTF-8")
            .env("NO_COLOR", "1")
            .env_remove("DISPLAY")
            .env_remove("BROWSER")
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .status()
            .expect("`timeout` of coreutils runs");
        let output = std::fs::read(self.path("log")).unwrap();
        (
            String::from_utf8_lossy(&output).into_owned(),
            status.code().unwrap_or(128),
        )
    }
}

/// The commands of a transcript, each with what is shown below it.
fn exchanges(transcript: &str) -> Vec<(String, String)> {
    let mut exchanges: Vec<(String, String)> = Vec::new();
    let mut continued = false;
    for line in transcript.lines() {
        match (line.strip_prefix("$ "), exchanges.last_mut()) {
            (Some(command), _) => exchanges.push((command.to_string(), String::new())),
            (None, Some((command, _))) if continued => {
                command.push('\n');
                command.push_str(line);
            }
            (None, Some((_, output))) => {
                output.push_str(line);
                output.push('\n');
            }
            (None, None) => {}
        }
        continued = line.ends_with('\\');
    }
    exchanges
}

impl Tally {
    /// One command or block of commands; false if the rest of the page makes no sense any more.
    fn execute(
        &mut self,
        sandbox: &Sandbox,
        page: &Path,
        line: usize,
        commands: &str,
        expected: &[i32],
    ) -> Option<String> {
        let (output, status) = sandbox.run(commands);
        if !expected.contains(&status) {
            self.wrong.push(format!(
                "{}:{line}: exit status {status} instead of {expected:?}:\n{commands}\n--- it \
                 says\n{output}",
                page.display()
            ));
            return None;
        }
        Some(output)
    }

    fn compare(&mut self, page: &Path, line: usize, shown: &str, printed: &str) {
        if shown.trim().is_empty() {
            return;
        }
        self.compared += 1;
        if let Some(missing) = shape::missing(shown, printed) {
            self.wrong.push(format!(
                "{}:{line}: shows this line (# are numbers), which is not printed, or not \
                 there:\n  {missing}\n--- printed is\n{printed}",
                page.display()
            ));
        }
    }

    fn page(path: &Path, steps: Vec<Step>) -> Tally {
        let sandbox = Sandbox::new();
        let mut tally = Tally::default();
        let mut last = String::new();
        for Step { line, what } in steps {
            let output = match what {
                What::LeftOut { reason } => {
                    tally.left_out.push((line, reason));
                    continue;
                }
                What::File { name, text } => {
                    let at = std::fs::read_to_string(sandbox.path("cwd")).unwrap();
                    std::fs::write(Path::new(at.trim()).join(name), text).unwrap();
                    continue;
                }
                What::Output(shown) => {
                    tally.compare(path, line, &shown, &last);
                    continue;
                }
                What::Setup(commands) => tally.execute(&sandbox, path, line, &commands, &[0]),
                What::Commands { text, status } => {
                    tally.run += 1;
                    tally.execute(&sandbox, path, line, &text, &status)
                }
                What::Transcript { text, status } => {
                    tally.run += 1;
                    let mut whole = Some(String::new());
                    let exchanges = exchanges(&text);
                    for (at, (command, shown)) in exchanges.iter().enumerate() {
                        let expected = if at + 1 == exchanges.len() {
                            &status[..]
                        } else {
                            &[0]
                        };
                        whole = tally.execute(&sandbox, path, line, command, expected);
                        match &whole {
                            Some(printed) => tally.compare(path, line, shown, printed),
                            None => break,
                        }
                    }
                    whole
                }
            };
            match output {
                Some(output) => last = output,
                // Later steps may need the effects of the failed one.
                None => break,
            }
        }
        tally
    }
}

#[test]
#[ignore = "takes minutes; a step of its own of scripts/test"]
fn every_command_of_every_page_works() {
    let only = std::env::var("DOC_PAGE").unwrap_or_default();
    let mut all = Tally::default();
    for (path, text) in book::pages() {
        if !path.to_string_lossy().contains(&only) {
            continue;
        }
        let steps = steps(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if steps.is_empty() {
            continue;
        }
        let begin = Instant::now();
        let tally = Tally::page(&path, steps);
        println!(
            "{:40} {:3} run, {:3} outputs compared, {:2} left out  {:6.1} s{}",
            path.display().to_string(),
            tally.run,
            tally.compared,
            tally.left_out.len(),
            begin.elapsed().as_secs_f64(),
            if tally.wrong.is_empty() {
                ""
            } else {
                "  WRONG"
            },
        );
        for (line, reason) in &tally.left_out {
            println!("    line {line} left out: {reason}");
        }
        for wrong in &tally.wrong {
            println!("{wrong}");
        }
        all.run += tally.run;
        all.compared += tally.compared;
        all.left_out.extend(tally.left_out);
        all.wrong.extend(tally.wrong);
    }
    println!(
        "blocks: {} run, {} left out; {} outputs compared",
        all.run,
        all.left_out.len(),
        all.compared
    );
    assert!(all.wrong.is_empty(), "{} do not work", all.wrong.len());
    assert!(
        all.run + all.left_out.len() > 0,
        "no page matches DOC_PAGE={only}"
    );
}

#[test]
fn every_page_says_what_of_it_is_run() {
    for (path, text) in book::pages() {
        if let Err(error) = steps(&text) {
            panic!("{}: {error}", path.display());
        }
    }
}
