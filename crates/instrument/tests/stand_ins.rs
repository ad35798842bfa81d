//! Compilers of sites, played by shell scripts that answer and behave as the real ones are documented to: what they
//! are is found by asking, and what the tool adds to a program is compiled once, with the right compiler.

use pgas_instrument::command::{plan, shown, Options};
use pgas_instrument::compiler::{Choice, Compiler, CompilerError};
use pgas_instrument::flavour::Flavour;
use pgas_instrument::support::{prepare_link, Sources, SupportError};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

struct Site {
    directory: tempfile::TempDir,
}

impl Site {
    fn new() -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        // Written by another process: a file that this one had open for writing while a test beside it starts a
        // child cannot be executed for as long ("text file busy").
        let status = std::process::Command::new("sh")
            .args([
                "-c",
                "printf '%s' \"$2\" > \"$1\" && chmod 755 \"$1\"",
                "sh",
            ])
            .arg(&path)
            .arg(format!("#!/bin/sh\n{text}"))
            .status()
            .unwrap();
        assert!(status.success());
        assert_ne!(fs::metadata(&path).unwrap().permissions().mode() & 0o100, 0);
        path
    }

    /// Berkeley's `upcc`: knows `-version`, compiles C through `cc`, notes every command.
    fn berkeley(&self) -> PathBuf {
        self.script(
            "upcc",
            &format!(
                r#"case "$1" in
  -version) echo "This is upcc (the Berkeley Unified Parallel C compiler), v. 2020.4.0"; exit 0 ;;
  --version|-V) echo "upcc: unrecognized option '$1'" >&2; exit 1 ;;
esac
echo "$*" >> '{log}'
for a; do shift; case "$a" in -T=*) ;; *) set -- "$@" "$a" ;; esac; done
exec cc "$@"
"#,
                log = self.path("log").display()
            ),
        )
    }

    fn log(&self) -> Vec<String> {
        fs::read_to_string(self.path("log"))
            .unwrap_or_default()
            .lines()
            .map(String::from)
            .collect()
    }

    fn prepare(&self, compiler: &Compiler, decoder: &str) -> Result<Vec<String>, SupportError> {
        let include = self.path("include");
        fs::create_dir_all(&include).unwrap();
        for name in ["gasp.h", "gasp_upc.h", "pgas_upc_query.h"] {
            fs::write(include.join(name), "").unwrap();
        }
        let sources = Sources {
            decoder,
            headers: &[("pgas_measure.h", "int from_the_recorders_header;")],
            runtime_include: &include,
        };
        prepare_link(
            compiler,
            Some(4),
            &sources,
            self.directory.path(),
            &self.path("cache"),
        )
        .map(|inputs| {
            inputs
                .into_iter()
                .map(|i| i.into_string().unwrap())
                .collect()
        })
    }
}

const DECODER: &str =
    "#include \"pgas_measure.h\"\nint *decoder(void) { return &from_the_recorders_header; }\n";

#[test]
fn a_compiler_is_known_by_its_answer_not_by_its_name() {
    let site = Site::new();
    let upcc = site.berkeley();
    let renamed = site.path("my-cc");
    fs::rename(&upcc, &renamed).unwrap();
    let compiler = Compiler::ask(&renamed).unwrap();
    assert_eq!(compiler.flavour, Flavour::Berkeley);
    assert!(compiler.version.contains("2020.4.0"));

    let gnu = site.script("x", "echo 'gupc (GNU UPC 5.2.0-1) 5.2.0'");
    assert_eq!(Compiler::ask(&gnu).unwrap().flavour, Flavour::Gnu);
}

#[test]
fn another_program_of_a_usual_name_is_not_taken() {
    let site = Site::new();
    let upc = site.script("upc", "echo 'universal product code 1.0'");
    let error = Compiler::ask(&upc).unwrap_err();
    assert!(matches!(error, CompilerError::Unknown { .. }));
    assert!(
        error.to_string().contains("universal product code 1.0"),
        "{error}"
    );
}

#[test]
fn what_cannot_be_asked_is_an_error() {
    let site = Site::new();
    let missing = Choice::Named(site.path("nothing-here"));
    assert!(matches!(
        Compiler::choose(&missing, site.directory.path()),
        Err(CompilerError::NotFound { .. })
    ));
    let error = Compiler::choose(&Choice::Embedded, site.directory.path()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("cargo build --release --workspace"),
        "{error}"
    );
}

#[test]
fn the_decoder_is_compiled_once_with_the_sites_compiler() {
    let site = Site::new();
    let compiler = Compiler::ask(&site.berkeley()).unwrap();
    fs::write(site.path("libpgas_measure.a"), "").unwrap();

    let first = site.prepare(&compiler, DECODER).unwrap();
    assert_eq!(site.log().len(), 1, "{:?}", site.log());
    assert!(site.log()[0].starts_with("-c -O2 -I "), "{:?}", site.log());
    assert!(site.log()[0].contains(" -T=4 "), "{:?}", site.log());
    for (input, name) in first.iter().zip([
        "gasp_decoder.o",
        "pgas_info.o",
        "pgas_upc_query.upc",
        "pgas_upc_cells.upc",
        "libpgas_measure.a",
    ]) {
        assert!(
            input.ends_with(name) && Path::new(input).is_file(),
            "{input}"
        );
    }
    assert_eq!(&first[5..], ["-lpthread", "-ldl", "-lm"]);
    let note = fs::read(&first[1]).unwrap();
    let expected = b"compiler=berkeley;threads=4;instrumented=yes;";
    assert!(note.windows(expected.len()).any(|w| w == expected));

    assert_eq!(site.prepare(&compiler, DECODER).unwrap(), first);
    assert_eq!(site.log().len(), 1);

    let changed = site
        .prepare(&compiler, &format!("{DECODER}int another;\n"))
        .unwrap();
    assert_ne!(changed, first);
    assert_eq!(site.log().len(), 2);

    let inputs: Vec<_> = first.iter().map(Into::into).collect();
    let plan = plan(&compiler, &Options::default(), &["a.upc".into()], &inputs).unwrap();
    assert!(
        shown(&plan.command)
            .contains("upcc -inst -inst-toolname=pgastool -lines -inst-functions a.upc "),
        "{}",
        shown(&plan.command)
    );
}

#[test]
fn a_decoder_that_does_not_compile_shows_what_the_compiler_said() {
    let site = Site::new();
    let compiler = Compiler::ask(&site.berkeley()).unwrap();
    fs::write(site.path("libpgas_measure.a"), "").unwrap();
    let error = site
        .prepare(&compiler, "this is not C\n")
        .unwrap_err()
        .to_string();
    assert!(error.contains("gasp_decoder.c:1"), "{error}");
    let left: Vec<_> = fs::read_dir(site.path("cache")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_missing_recorder_says_where_it_was_looked_for() {
    let site = Site::new();
    let compiler = Compiler::ask(&site.berkeley()).unwrap();
    let error = site.prepare(&compiler, DECODER).unwrap_err().to_string();
    assert!(error.contains("libpgas_measure.a"), "{error}");
    assert!(
        error.contains(&site.directory.path().display().to_string()),
        "{error}"
    );
    assert!(error.contains("PGAS_LIB_DIR"), "{error}");
}
