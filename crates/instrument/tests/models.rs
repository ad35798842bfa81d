//! Compilers of other models than UPC, played by scripts that call the C compiler: what they are is
//! found by trying them, once, and wrappers fit the library at hand.

use pgas_instrument::model::{Model, ModelCompiler};
use pgas_instrument::support::{Shelves, WrapperSources, Wrappers, prepare_wrappers, recognise};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Wrappers as small as they can be, for functions that the header declares.
const WRAPPERS: &str = "\
#include \"shmem_have.h\"
#ifdef PGAS_SHMEM_WITHOUT_PROFILING
int pgas_looked_up;
#else
#ifdef HAVE_shmem_init
extern void pshmem_init(void);
void shmem_init(void) { pshmem_init(); }
#endif
#ifdef HAVE_shmem_extra
extern int pshmem_extra(int);
int shmem_extra(int value) { return pshmem_extra(value); }
#endif
#endif
";

const SOURCES: WrapperSources<'static> = WrapperSources {
    openshmem: &[("shmem_all.c", WRAPPERS)],
    coarrays: &[("caf_all.c", "int pgas_caf;\n")],
    mpi: &[],
    coarray_options: "-Wl,--wrap=_gfortran_caf_init\n",
    jump_options: &[],
    interface: ("pgas_measure.h", ""),
    recorder_exports: &["pgas_open"],
};

struct Site {
    directory: tempfile::TempDir,
}

impl Site {
    /// With a library of SHMEM, a script `cc` for it that notes its calls, and a recorder.
    fn new(flags: &[&str]) -> Self {
        let site = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stand-ins/shmem");
        let library = stand_in.join("library.c");
        let object = site.path("library.o");
        let compiled = Command::new("cc")
            .args(["-fPIC", "-c", "-o"])
            .args([&object, &library])
            .args(flags)
            .status();
        assert!(compiled.unwrap().success());
        fs::write(site.path("libpgas_measure.a"), "").unwrap();
        site.script(
            "cc",
            &format!(
                "[ \"$1\" != -show ] || exit 1\necho \"$*\" >>'{}/log'\nlast='{}'\ncase \" $* \" in \
                 *' -c '* | *' -E '*) last= ;; esac\nset -- \"$@\" -I '{}'\nshift 0\nfor word; do \
                 shift; case $word in */libpgas_measure.a) ;; *) set -- \"$@\" \"$word\" ;; esac; \
                 done\nexec cc \"$@\" $last\n",
                site.path("").display(),
                object.display(),
                stand_in.display(),
            ),
        );
        site
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        // Written by another process: a file that this one had open for writing while a test beside
        // it starts a child cannot be executed for as long ("text file busy").
        let status = Command::new("sh")
            .args([
                "-c",
                "printf '%s' \"$2\" > \"$1\" && chmod 755 \"$1\"",
                "sh",
            ])
            .arg(&path)
            .arg(format!("#!/bin/sh\n{text}"))
            .status();
        assert!(status.unwrap().success());
        path
    }

    fn shelves(&self) -> Shelves {
        Shelves {
            shared: Vec::new(),
            own: self.path("cache"),
        }
    }

    fn recognise(&self, compiler: &Path, line: &str) -> Option<ModelCompiler> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        recognise(compiler, &words, &self.shelves(), || false)
    }

    fn wrappers(&self, compiler: &ModelCompiler) -> Result<Wrappers, String> {
        prepare_wrappers(compiler, &[], &SOURCES, &self.path(""), &self.shelves())
            .map_err(|error| error.to_string())
    }

    /// The calls of `cc` since the last time.
    fn log(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("log")).unwrap_or_default();
        let _ = fs::remove_file(self.path("log"));
        text.lines().map(String::from).collect()
    }
}

#[test]
fn a_compiler_is_what_it_can_make_and_is_tried_once() {
    let site = Site::new(&[]);
    let cc = site.path("cc");
    let compiler = site.recognise(&cc, "-O2 -c a.c").unwrap();
    assert_eq!(compiler.model, Model::OpenShmem);
    assert_eq!(compiler.path, cc);
    assert_eq!(compiler.mpi, None);
    assert!(compiler.context.is_empty());
    assert!(!site.log().is_empty());
    assert_eq!(site.recognise(&cc, "-o a a.c -lm"), Some(compiler));
    assert!(site.log().is_empty());
}

#[test]
fn options_of_the_command_may_be_what_makes_it_one() {
    let site = Site::new(&[]);
    let bare = site.script("bare", "[ \"$1\" != -show ] || exit 1\nexec cc \"$@\"\n");
    assert_eq!(site.recognise(&bare, "-c a.c"), None);
    let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stand-ins/shmem");
    let header = format!("-I{}", stand_in.display());
    // It compiles with the header; to link it takes the library, too.
    assert!(site.recognise(&bare, &format!("{header} -c a.c")).is_some());
    let without_library = site.recognise(&bare, &format!("{header} -o a a.c"));
    assert_eq!(without_library, None);
    let made = Command::new("ar")
        .arg("rcs")
        .args([site.path("libstand_in.a"), site.path("library.o")])
        .status();
    assert!(made.unwrap().success());
    let library = format!("-L{} -lstand_in", site.path("").display());
    let found = site.recognise(&bare, &format!("{header} -o a a.c {library}"));
    let context = found.unwrap().context;
    assert!(
        context.contains(&OsString::from("-lstand_in")),
        "{context:?}"
    );
}

#[test]
fn what_is_something_else_is_not_tried() {
    let site = Site::new(&[]);
    let found = recognise(&site.path("cc"), &["a.c".into()], &site.shelves(), || true);
    assert_eq!(found, None);
    assert!(site.log().is_empty());
}

#[test]
fn wrappers_fit_the_library_and_are_made_once() {
    let site = Site::new(&[]);
    let compiler = site.recognise(&site.path("cc"), "-c a.c").unwrap();
    let wrappers = site.wrappers(&compiler).unwrap();
    // An extension that has no second name is left out.
    let have = fs::read_to_string(wrappers.made.join("shmem_have.h")).unwrap();
    assert!(have.contains("HAVE_shmem_init 1"), "{have}");
    assert!(!have.contains("HAVE_shmem_extra"), "{have}");
    let note = fs::read(wrappers.made.join("pgas_info.o")).unwrap();
    let expected = b"compiler=openshmem;threads=dynamic;instrumented=yes;network=mpi;";
    assert!(note.windows(expected.len()).any(|text| text == expected));
    assert!(
        wrappers.link_inputs.first[0]
            .to_string_lossy()
            .ends_with("/shmem_all.o")
    );
    assert_eq!(wrappers.link_inputs.last[1..], ["-lpthread", "-ldl", "-lm"]);

    site.log();
    assert_eq!(site.wrappers(&compiler).unwrap(), wrappers);
    assert!(site.log().is_empty());
}

#[test]
fn a_library_without_second_names_gets_wrappers_that_look_functions_up() {
    let site = Site::new(&["-DPLAIN"]);
    let compiler = site.recognise(&site.path("cc"), "-c a.c").unwrap();
    site.log();
    site.wrappers(&compiler).unwrap();
    let looked_up = |call: &String| call.contains("-DPGAS_SHMEM_WITHOUT_PROFILING");
    assert!(site.log().iter().any(looked_up));
}

#[test]
fn wrappers_that_cannot_be_compiled_are_an_error_with_the_command() {
    let site = Site::new(&[]);
    let compiler = site.recognise(&site.path("cc"), "-c a.c").unwrap();
    let broken = WrapperSources {
        openshmem: &[("shmem_all.c", "#error not for this one\n")],
        ..SOURCES
    };
    let error = prepare_wrappers(&compiler, &[], &broken, &site.path(""), &site.shelves());
    let message = error.unwrap_err().to_string();
    for part in ["calls of OpenSHMEM", "command: ", "not for this one"] {
        assert!(message.contains(part), "{message}");
    }
}
