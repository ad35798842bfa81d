//! A place to call the compiler in, as a user or a makefile does.

// Each test file uses a part of it.
#![allow(dead_code)]

#[path = "../../../trace/tests/support/numbers.rs"]
pub mod numbers;
pub mod random_programs;

use std::fs;
use std::process::{Command, Output, Stdio};

/// A directory with source files, in which commands run.
pub struct Place {
    pub dir: tempfile::TempDir,
}

impl Place {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let place = Place {
            dir: tempfile::tempdir().unwrap(),
        };
        for (name, text) in files {
            place.write(name, text);
        }
        place
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.dir.path().join(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        let path = self.dir.path().join(name);
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    pub fn has(&self, name: &str) -> bool {
        self.dir.path().join(name).exists()
    }

    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub fn command(&self, program: &str, line: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(line.split_whitespace())
            .current_dir(self.dir.path())
            .env_remove("PGAS_CC")
            .stdin(Stdio::null());
        command
    }

    pub fn upcc(&self, line: &str) -> Output {
        self.command(env!("CARGO_BIN_EXE_pgas-upcc"), line)
            .output()
            .unwrap()
    }

    /// Runs the compiler, which must succeed without a word; returns its standard output.
    pub fn upcc_ok(&self, line: &str) -> String {
        let output = self.upcc(line);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "", "{line}");
        text(&output.stdout)
    }

    /// Runs the compiler, which must fail with this status; returns its messages.
    pub fn upcc_fails(&self, line: &str, status: i32) -> String {
        let output = self.upcc(line);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{line}: {}",
            text(&output.stderr)
        );
        text(&output.stderr)
    }

    pub fn run(&self, program: &str, threads: &str) -> Output {
        let mut command = self.command(&self.dir.path().join(program).display().to_string(), "");
        match threads {
            "" => command.env_remove("PGAS_THREADS"),
            n => command.env("PGAS_THREADS", n),
        };
        command.output().unwrap()
    }

    /// Runs a program that must succeed; returns what it printed.
    pub fn run_ok(&self, program: &str, threads: &str) -> String {
        let output = self.run(program, threads);
        assert!(
            output.status.success(),
            "{program}: {}",
            text(&output.stderr)
        );
        text(&output.stdout)
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub const HELLO: &str = "#include <upc.h>\n#include <stdio.h>\nint main(void) {\n  if (MYTHREAD \
                         == THREADS - 1) printf(\"%d\\n\", THREADS);\n  return 0;\n}\n";

/// The C source of a performance tool that runs `on_event`, statements, for every event; they see
/// the parameters of `gasp_event_notifyVA` as `tag`, `type`, `file`, `line` and `a`.
pub fn gasp_tool(on_event: &str) -> String {
    format!(
        r#"
#include <gasp_upc.h>
#include <stdio.h>
gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) {{ return (gasp_context_t)&model; }}
int gasp_control(gasp_context_t c, int on) {{ return on; }}
unsigned gasp_create_event(gasp_context_t c, const char *name, const char *description) {{ return 100; }}
void gasp_event_notifyVA(gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int column,
                         va_list a) {{
{on_event}
}}
void gasp_event_notify(gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int column,
                       ...) {{
  va_list a;
  va_start(a, column);
  gasp_event_notifyVA(c, tag, type, file, line, column, a);
  va_end(a);
}}
"#
    )
}

/// Three sources that share data, declared in a header as programs do: defined in each of them.
pub fn shared_sources() -> Place {
    Place::new(&[
        (
            "data.h",
            "#include <upc.h>\nshared int numbers[8 * THREADS];\nextern shared int total;\nshared \
             [2] double pairs[4 * THREADS];\nvoid fill(void);\nvoid add(void);\n",
        ),
        (
            "main.upc",
            "#include <stdio.h>\n#include \"data.h\"\nstatic shared int own;\nint main(void) {\n  \
             fill(); upc_barrier; add(); upc_barrier;\n  own = 5; upc_barrier;\n  if (!MYTHREAD) \
             printf(\"%d %g\\n\", total + own, pairs[3]);\n  return 0;\n}\n",
        ),
        (
            "fill.c",
            "#include \"data.h\"\nstatic shared int own = 3;\nvoid fill(void) {\n  int i;\n  \
             upc_forall (i = 0; i < 8 * THREADS; i++; &numbers[i]) numbers[i] = i;\n  upc_forall \
             (i = 0; i < 4 * THREADS; i++; &pairs[i]) pairs[i] = i / 2.0;\n}\n",
        ),
        (
            "add.upc",
            "#include \"data.h\"\nshared int total;\nvoid add(void) {\n  if (MYTHREAD) return;\n  \
             for (int i = 0; i < 8 * THREADS; i++) total += numbers[i];\n}\n",
        ),
    ])
}
