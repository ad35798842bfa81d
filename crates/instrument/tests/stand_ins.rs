//! Compilers of sites, played by shell scripts that answer and behave as the real ones are
//! documented to: what they are is found by asking, and what the tool adds to a program is compiled
//! once, with the right compiler.

use pgas_instrument::compiler::{Choice, Compiler, CompilerError};
use pgas_instrument::flavour::Flavour;
use pgas_instrument::support::{
    Purpose, Shelves, Sources, SupportError, own_headers_of, prepare_link, threads_arguments,
};
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
        // Written by another process: a file that this one had open for writing while a test beside
        // it starts a child cannot be executed for as long ("text file busy").
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

    /// A stand-in under this name, as it is "built".
    fn stand_in(&self, which: &str, name: &str, built: &str) -> PathBuf {
        let place = Path::new(env!("CARGO_MANIFEST_DIR"));
        let variables = [
            ("LOG", self.path("log")),
            ("INCLUDE", place.join("support/gasp/gnu")),
            ("BUILT", built.into()),
        ];
        let mut text = String::new();
        for (variable, value) in variables {
            text += &format!("export STAND_IN_{variable}='{}'\n", value.display());
        }
        let script = place.join("tests/stand-ins").join(which);
        text += &format!("exec '{}' \"$@\"\n", script.display());
        self.script(name, &text)
    }

    fn shelves(&self, shared: &[PathBuf]) -> Shelves {
        Shelves {
            shared: shared.to_vec(),
            own: self.path("cache"),
        }
    }

    fn berkeley(&self) -> Compiler {
        Compiler::ask(&self.stand_in("upcc", "my-upcc", "")).unwrap()
    }

    /// The calls since the last time, without questions for the version.
    fn log(&self) -> Vec<String> {
        let path = self.path("log");
        let text = fs::read_to_string(&path).unwrap_or_default();
        fs::write(path, "").unwrap();
        let calls = text.lines().filter(|line| !line.contains("ersion"));
        calls.map(String::from).collect()
    }

    fn prepare(
        &self,
        compiler: &Compiler,
        decoder: &str,
        purpose: &Purpose,
        shared: &[PathBuf],
    ) -> Result<Vec<String>, SupportError> {
        let include = self.path("include");
        fs::create_dir_all(&include).unwrap();
        for name in ["gasp.h", "gasp_upc.h", "pgas_upc_query.h"] {
            fs::write(include.join(name), "").unwrap();
        }
        let sources = Sources {
            decoder,
            headers: &[("pgas_measure.h", "int from_the_recorders_header;")],
            recorder_exports: &[],
            runtime_include: &include,
        };
        let shelves = self.shelves(shared);
        prepare_link(compiler, purpose, &sources, self.directory.path(), &shelves).map(|inputs| {
            inputs
                .into_iter()
                .map(|i| i.into_string().unwrap())
                .collect()
        })
    }
}

/// It needs the recorder's header and the compiler's.
const DECODER: &str = "#include <gasp_upc.h>\n#include \"pgas_measure.h\"\nint *decoder(void) { \
                       return GASP_UPC_NOTIFY == 7 ? &from_the_recorders_header : 0; }\n";

#[test]
fn a_compiler_is_known_by_its_answer_not_by_its_name() {
    let site = Site::new();
    for (which, flavour, version) in [
        ("upcc", Flavour::Berkeley, "v. 2020.4.0"),
        ("gupc", Flavour::Gnu, "GNU UPC 5.2.0-1"),
        ("clang-upc", Flavour::Clang, "clang version 3.8.1"),
        ("cray-cc", Flavour::Cray, "Version 8.7.3"),
    ] {
        let compiler = Compiler::ask(&site.stand_in(which, "my-cc", "")).unwrap();
        assert_eq!(compiler.flavour, flavour);
        assert!(compiler.version.contains(version), "{}", compiler.version);
    }
    // The line that tells is not the first one.
    let wrapper = site.script(
        "x",
        "echo 'using upc/2020.4 of project 17'; echo; echo 'This is upcc (the Berkeley Unified \
         Parallel C compiler), v. 1'",
    );
    let version = Compiler::ask(&wrapper).unwrap().version;
    assert!(version.starts_with("This is upcc"), "{version}");
}

#[test]
fn a_compiler_that_does_not_say_that_it_knows_upc_is_tried() {
    let site = Site::new();
    // A packager's version; the preprocessor tells.
    let packaged = "case $1 in -x) echo '#define __UPC__ 1'; echo '#define __GNUC__ 5' ;; *) echo \
                    'x (Site 5.2) 5.2.0'; echo 'Copyright (C) Free Software Foundation, Inc.' ;; \
                    esac";
    let compiler = Compiler::ask(&site.script("x", packaged)).unwrap();
    assert_eq!(compiler.flavour, Flavour::Gnu);
    assert_eq!(compiler.version, "x (Site 5.2) 5.2.0");
    // The C compiler here, under a name of a UPC compiler.
    let c = site.script("gupc", "exec cc \"$@\"");
    assert!(matches!(
        Compiler::ask(&c),
        Err(CompilerError::Unknown { .. })
    ));
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
fn what_programs_need_is_made_once_for_each_configuration() {
    let site = Site::new();
    let compiler = site.berkeley();
    fs::write(site.path("libpgas_measure.a"), "").unwrap();
    let four = Purpose {
        threads: Some(4),
        threads_arguments: vec!["-T=4".into()],
        configuration: vec!["-network=udp".into()],
        ..Purpose::default()
    };
    let prepare =
        |decoder: &str, purpose: &Purpose| site.prepare(&compiler, decoder, purpose, &[]).unwrap();

    site.log();
    let first = prepare(DECODER, &four);
    let log = site.log();
    // It was tried whether it instruments as the program will be, and asked where its headers are.
    let flags = "-T=4 -network=udp -inst -inst-toolname=pgastool -lines";
    assert_eq!(
        log,
        [
            format!("upcc {flags} -inst-functions -c -o trial.o pgas_upc_query.upc -> 0"),
            format!("upcc {flags} -inst-functions -c -o trial.o pgas_upc_cells.upc -> 0"),
            format!("upcc {flags} -E headers.upc -> 0"),
        ]
    );
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

    assert_eq!(prepare(DECODER, &four), first);
    assert!(site.log().is_empty());
    for other in [
        prepare(&format!("{DECODER}int another;\n"), &four),
        prepare(DECODER, &Purpose::default()),
    ] {
        assert_ne!(other, first);
        assert_eq!(site.log().len() % 3, 0);
    }
}

#[test]
fn the_script_beside_it_makes_the_same_again() {
    let site = Site::new();
    let compiler = site.berkeley();
    fs::write(site.path("libpgas_measure.a"), "").unwrap();
    let inputs = site
        .prepare(&compiler, DECODER, &Purpose::default(), &[])
        .unwrap();
    let made = Path::new(&inputs[0]).parent().unwrap();
    let moved = site.path("moved to another place");
    fs::rename(made, &moved).unwrap();
    let object = fs::read(moved.join("gasp_decoder.o")).unwrap();
    fs::remove_file(moved.join("gasp_decoder.o")).unwrap();
    let status = std::process::Command::new("sh")
        .arg(moved.join("commands.sh"))
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(fs::read(moved.join("gasp_decoder.o")).unwrap(), object);
}

#[test]
fn what_an_operator_has_made_is_taken_and_left_alone() {
    let site = Site::new();
    let compiler = site.berkeley();
    fs::write(site.path("libpgas_measure.a"), "").unwrap();
    let none = Purpose::default();
    site.prepare(&compiler, DECODER, &none, &[]).unwrap();
    let shared = site.path("of the installation");
    fs::rename(site.path("cache"), &shared).unwrap();
    site.log();
    let inputs = site
        .prepare(&compiler, DECODER, &none, std::slice::from_ref(&shared))
        .unwrap();
    assert!(Path::new(&inputs[0]).starts_with(&shared), "{inputs:?}");
    assert!(site.log().is_empty() && !site.path("cache").exists());
}

/// Each is made anew, and links nothing that was changed.
#[test]
fn what_was_changed_since_it_was_made_is_not_linked() {
    let site = Site::new();
    let compiler = Compiler::ask(&site.stand_in("gupc", "gupc", "")).unwrap();
    fs::write(site.path("libpgas_measure.a"), "").unwrap();
    fs::write(site.path("elsewhere.o"), "foreign").unwrap();
    let prepare = || {
        site.prepare(&compiler, DECODER, &Purpose::default(), &[])
            .unwrap()
    };
    let object = PathBuf::from(&prepare()[0]);
    let set = object.parent().unwrap();
    let before = fs::read(&object).unwrap();
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let other_bytes = vec![b'x'; before.len()];
    let changes: [(&str, &dyn Fn()); 6] = [
        ("same length", &|| fs::write(&object, &other_bytes).unwrap()),
        ("symbolic link", &|| {
            fs::remove_file(&object).unwrap();
            std::os::unix::fs::symlink(site.path("elsewhere.o"), &object).unwrap();
        }),
        ("others may write", &|| mode(&object, 0o664)),
        ("others may add", &|| mode(set, 0o777)),
        ("a header beside", &|| {
            fs::write(set.join("headers/stdio.h"), "#error no\n").unwrap()
        }),
        ("no digests", &|| {
            fs::remove_file(set.join("digests.sha256")).unwrap()
        }),
    ];
    for (name, change) in changes {
        change();
        site.log();
        assert_eq!(prepare()[0], object.to_str().unwrap(), "{name}");
        assert!(!site.log().is_empty(), "{name}");
        assert!(
            !fs::symlink_metadata(&object).unwrap().is_symlink(),
            "{name}"
        );
        assert_ne!(fs::read(&object).unwrap(), other_bytes, "{name}");
        assert_eq!(
            fs::metadata(&object).unwrap().permissions().mode() & 0o022,
            0
        );
        assert!(!set.join("headers/stdio.h").exists(), "{name}");
        // The set, and that the recorder's library, an empty file, cannot be linked in advance.
        assert_eq!(
            fs::read_dir(site.path("cache")).unwrap().count(),
            2,
            "{name}"
        );
    }
    prepare();
    assert!(site.log().is_empty());

    mode(&site.path("cache"), 0o775);
    let refused = site.prepare(&compiler, DECODER, &Purpose::default(), &[]);
    let refused = refused.unwrap_err().to_string();
    for part in ["cache", "(mode 0775)", "chmod go-w", "PGAS_CACHE_DIR"] {
        assert!(refused.contains(part), "{refused}");
    }
}

#[test]
fn a_compiler_built_without_instrumentation_is_told_from_a_broken_one() {
    let site = Site::new();
    fs::write(site.path("libpgas_measure.a"), "").unwrap();
    for (built, expected) in [
        ("no-inst", ["does not instrument", "--enable-inst"]),
        ("broken", ["with or without instrumentation", "cc1upc"]),
    ] {
        let compiler = Compiler::ask(&site.stand_in("upcc", built, built)).unwrap();
        let error = site
            .prepare(&compiler, DECODER, &Purpose::default(), &[])
            .unwrap_err();
        let error = format!("{error}\n{}", error.remedy().unwrap_or_default());
        for part in expected {
            assert!(error.contains(part), "{error}");
        }
        let left = fs::read_dir(site.path("cache")).unwrap().count();
        assert_eq!(left, 0);
    }
}

#[test]
fn a_decoder_that_does_not_compile_shows_what_both_compilers_said() {
    let site = Site::new();
    let compiler = site.berkeley();
    fs::write(site.path("libpgas_measure.a"), "").unwrap();
    // The stand-in compiles nothing, so that it fails for this reason alone.
    let refusing = site.script(
        "refusing",
        &format!(
            "case \"$*\" in *gasp_decoder.c*) echo 'no C here' >&2; exit 1 ;; esac\nexec '{}' \
             \"$@\"\n",
            compiler.path.display()
        ),
    );
    let compiler = Compiler::ask(&refusing).unwrap();
    let error = site
        .prepare(&compiler, "this is not C\n", &Purpose::default(), &[])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("gasp_decoder.c:1") && error.contains("no C here"),
        "{error}"
    );
    let left: Vec<_> = fs::read_dir(site.path("cache")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn headers_that_cannot_be_found_leave_the_decoder_to_the_sites_compiler() {
    let site = Site::new();
    fs::write(site.path("libpgas_measure.a"), "").unwrap();
    let hiding = site.script(
        "hiding",
        &format!(
            "case \"$*\" in *-E*) exit 0 ;; esac\nexec '{}' \"$@\"\n",
            site.stand_in("upcc", "other", "").display()
        ),
    );
    let compiler = Compiler::ask(&hiding).unwrap();
    site.log();
    site.prepare(&compiler, DECODER, &Purpose::default(), &[])
        .unwrap();
    let log = site.log();
    assert!(
        log.last()
            .unwrap()
            .contains("-inst-toolname=pgastool -lines -O2 -I. -c -o gasp_decoder.o gasp_decoder.c"),
        "{log:?}"
    );
}

#[test]
fn the_spelling_of_a_number_of_threads_is_tried_once_and_kept() {
    let site = Site::new();
    for (which, name, built, expected, refused) in [
        ("clang-upc", "c", "", "-fupc-threads-4", 0),
        ("gupc", "g", "", "-fupc-threads=4", 0),
        ("gupc", "old", "old", "-fupc-threads-4", 1),
        // One that takes none is given the usual one, to say what is wrong.
        ("gupc", "broken", "broken", "-fupc-threads=4", 2),
    ] {
        let compiler = Compiler::ask(&site.stand_in(which, name, built)).unwrap();
        site.log();
        let shelves = site.shelves(&[]);
        assert_eq!(threads_arguments(&compiler, 4, &shelves), [expected]);
        let tried = site.log();
        let failed = tried.iter().filter(|call| !call.ends_with("-> 0")).count();
        assert_eq!(failed, refused, "{tried:?}");
        assert_eq!(threads_arguments(&compiler, 4, &shelves), [expected]);
        // What did not work may do so the next time.
        assert_eq!(site.log().is_empty(), built != "broken", "{name}");
    }
    // Without a place to keep it the number is fixed all the same.
    let compiler = Compiler::ask(&site.stand_in("gupc", "another", "old")).unwrap();
    let nowhere = Shelves {
        shared: Vec::new(),
        own: site.path("g/no directory"),
    };
    assert_eq!(
        threads_arguments(&compiler, 8, &nowhere),
        ["-fupc-threads-8"]
    );
    let berkeley = site.berkeley();
    site.log();
    assert_eq!(threads_arguments(&berkeley, 8, &nowhere), ["-T=8"]);
    assert!(site.log().is_empty());
}

/// It finds the headers of the tool where the compiler has none, with the numbers of the compiler's
/// family.
#[test]
fn headers_that_a_compiler_does_not_have_are_the_tools_own() {
    let site = Site::new();
    fs::write(site.path("libpgas_measure.a"), "").unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("support/gasp/gnu");
    let some = site.path("some");
    fs::create_dir(&some).unwrap();
    for name in ["gasp.h", "gasp_upc.h"] {
        fs::copy(own.join(name), some.join(name)).unwrap();
    }
    let hiding = |which: &str, include: &Path| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/stand-ins")
            .join(which);
        let text = format!(
            "export STAND_IN_INCLUDE='{}'\nexec '{}' \"$@\"\n",
            include.display(),
            script.display()
        );
        let name = format!("{which} {}", include.file_name().unwrap().to_string_lossy());
        Compiler::ask(&site.script(&name, &text)).unwrap()
    };
    let nothing = site.path("nothing");
    let berkeley = "#include <gasp_upc.h>\n#include \"pgas_measure.h\"\nint *decoder(void) { \
                    return GASP_C_FUNC + GASP_UPC_NOTIFY == 2123 ? &from_the_recorders_header : \
                    0; }\n";
    for (compiler, decoder, missing) in [
        (
            hiding("clang-upc", &own),
            DECODER,
            vec!["gasp.h", "gasp_upc.h", "pupc.h"],
        ),
        (hiding("gupc", &own), DECODER, vec![]),
        (hiding("gupc", &some), DECODER, vec!["pupc.h"]),
        (
            hiding("upcc", &nothing),
            berkeley,
            vec!["gasp.h", "gasp_upc.h"],
        ),
    ] {
        // A family's numbers are in the object's code.
        let number = format!(
            "{decoder}_Static_assert(GASP_UPC_NOTIFY == {}, \"\");\n",
            if decoder == DECODER { 7 } else { 1100 }
        );
        let inputs = site
            .prepare(&compiler, &number, &Purpose::default(), &[])
            .unwrap();
        let set = Path::new(&inputs[0]).parent().unwrap();
        let mut found: Vec<String> = fs::read_dir(set.join("own_headers")).map_or_else(
            |_| Vec::new(),
            |all| {
                all.map(|e| e.unwrap().file_name().into_string().unwrap())
                    .collect()
            },
        );
        found.sort();
        assert_eq!(found, missing, "{}", compiler.path.display());
        // Berkeley's has what programs include.
        let given = own_headers_of(set, compiler.flavour).is_some();
        assert_eq!(given, found.contains(&"pupc.h".to_string()));
    }
}

#[test]
fn a_missing_recorder_says_where_it_was_looked_for() {
    let site = Site::new();
    let compiler = site.berkeley();
    let error = site
        .prepare(&compiler, DECODER, &Purpose::default(), &[])
        .unwrap_err()
        .to_string();
    assert!(error.contains("libpgas_measure.a"), "{error}");
    assert!(
        error.contains(&site.directory.path().display().to_string()),
        "{error}"
    );
    assert!(error.contains("PGAS_LIB_DIR"), "{error}");
}
