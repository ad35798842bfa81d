//! Command lines and what is asked for with them.

use super::*;

fn request(line: &str) -> Request {
    parse(
        &line
            .split_whitespace()
            .map(OsString::from)
            .collect::<Vec<_>>(),
    )
    .unwrap()
}

fn refused(line: &str) -> String {
    parse(
        &line
            .split_whitespace()
            .map(OsString::from)
            .collect::<Vec<_>>(),
    )
    .unwrap_err()
    .to_string()
}

#[test]
fn every_spelling_of_the_number_of_threads() {
    for line in [
        "-T 4 a.upc",
        "-T4 a.upc",
        "-T=4 a.upc",
        "-fupc-threads=4 a.upc",
        "-fupc-threads-4 a.upc",
        "-fupc-threads 4 a.upc",
        "--threads 4 a.upc",
        "--threads=4 a.upc",
        "-THREADS=4 a.upc",
        "-fthreads 4 a.upc",
        "-X 4 a.upc",
        "-X4 a.upc",
        "-T 4 -fupc-threads=4 a.upc",
    ] {
        assert_eq!(request(line).threads, Some(4), "{line}");
    }
    assert_eq!(request("a.upc").threads, None);
    for line in [
        "-T 0 a.upc",
        "-T=-1 a.upc",
        "-T=x a.upc",
        "-fupc-threads=2000 a.upc",
        "-fupc-threads- a.upc",
    ] {
        assert!(refused(line).contains("1 to 1024"), "{line}");
    }
    assert!(refused("a.upc -T").contains("needs a value"));
    let message = refused("-T 4 a.upc -fupc-threads=2");
    assert!(
        message.contains("-T 4 and -fupc-threads=2 ask for different numbers"),
        "{message}"
    );
}

#[test]
fn the_network_and_its_compiler() {
    for line in [
        "-network=mpi a.upc",
        "-network mpi a.upc",
        "--network=mpi a.upc",
        "-network=smp a.upc --network mpi",
    ] {
        assert_eq!(request(line).network, Some(Network::Mpi), "{line}");
    }
    assert_eq!(request("a.upc").network, None);
    for word in ["", "udp", "MPI"] {
        let message = refused(&format!("a.upc -network={word}"));
        assert!(message.contains("is not a network"), "{message}");
        assert!(message.contains("smp (") && message.contains("mpi ("));
    }
    for line in [
        "-mpicc=/opt/mpicc a.upc",
        "--mpicc=/opt/mpicc a.upc",
        "-mpicc /opt/mpicc a.upc",
    ] {
        assert_eq!(request(line).mpicc, Some("/opt/mpicc".into()), "{line}");
    }
    assert_eq!(request("-mpi a.upc").mpicc, None);
}

#[test]
fn sizes_of_the_heap() {
    for (text, bytes) in [
        ("64", 64 << 20),
        ("64MB", 64 << 20),
        ("2gb", 2 << 30),
        ("100K", 100 << 10),
        ("4096B", 4096),
    ] {
        assert_eq!(
            request(&format!("-shared-heap={text} a.upc")).heap,
            Some(bytes)
        );
        assert_eq!(
            request(&format!("-shared-heap {text} a.upc")).heap,
            Some(bytes)
        );
    }
    for text in ["", "0", "-1", "x", "1PB", "99999999999TB", "1.5GB"] {
        assert!(refused(&format!("a.upc -shared-heap={text}")).contains("is not a size"));
    }
}

#[test]
fn options_go_where_they_belong() {
    let r = request(
        "-O2 -g -DX=1 -D Y -I inc -isystem sys -include pre.h -Wall -MMD -MF d -o out a.upc b.o \
         -lm -L lib -Wl,-z,now -Xlinker --as-needed -std=c99 -pthread c.c libd.a --param x=1 \
         -static",
    );
    assert_eq!(r.output, Some("out".into()));
    assert_eq!(r.stage, Stage::Link);
    assert_eq!(
        r.general,
        [
            "-O2", "-g", "-Wall", "-std=c99", "-pthread", "--param", "x=1"
        ]
    );
    assert_eq!(
        r.preprocessor,
        [
            "-DX=1", "-D", "Y", "-I", "inc", "-isystem", "sys", "-include", "pre.h"
        ]
    );
    assert_eq!(r.dependencies.beside, Some("-MMD"));
    assert_eq!(r.dependencies.file, Some("d".into()));
    let names: Vec<String> = r
        .inputs
        .iter()
        .map(|input| match input {
            Input::Source { path, .. } => format!("source {}", path.display()),
            Input::Object(path) => format!("object {}", path.display()),
            Input::LinkerOption(option) => option.to_string_lossy().into_owned(),
        })
        .collect();
    assert_eq!(
        names,
        [
            "source a.upc",
            "object b.o",
            "-lm",
            "-L",
            "lib",
            "-Wl,-z,now",
            "-Xlinker",
            "--as-needed",
            "source c.c",
            "object libd.a",
            "-static"
        ]
    );
}

#[test]
fn the_earliest_stage_counts() {
    assert_eq!(request("-c -E a.upc").stage, Stage::Preprocess);
    assert_eq!(request("-S -c a.upc").stage, Stage::Assembly);
    assert_eq!(request("-fsyntax-only a.upc").stage, Stage::Object);
    assert_eq!(request("-M -c a.upc").stage, Stage::Preprocess);
}

#[test]
fn dependencies_in_words_for_the_preprocessor() {
    let r = request("-Wp,-MMD,out.d,-MT,x.o,-DA,-DB -c a.upc");
    assert_eq!(r.dependencies.beside, Some("-MMD"));
    assert_eq!(r.dependencies.file, Some("out.d".into()));
    assert_eq!(r.dependencies.targets, ["-MT", "x.o"]);
    assert_eq!(r.preprocessor, ["-Wp,-DA,-DB"]);
}

#[test]
fn languages_are_as_told_or_by_the_name() {
    let r = request("-x c a.txt -x none b.i c.S d.upc -xassembler e.c");
    let languages: Vec<Language> = r
        .inputs
        .iter()
        .map(|input| match input {
            Input::Source { language, .. } => *language,
            other => panic!("{other:?}"),
        })
        .collect();
    use Language::*;
    assert_eq!(languages, [C, PreprocessedUpc, Foreign, Upc, Foreign]);
}

#[test]
fn nonsense_is_refused() {
    assert!(refused("").contains("no input files"));
    assert!(refused("-lm").contains("no input files"));
    assert!(refused("-c a.h").contains("is a header"));
    assert!(refused("-x c-header a").contains("is a header"));
    assert!(refused("-extern-main a.upc").contains("cannot be done"));
    assert!(refused("-c a.upc b.upc -o x.o").contains("2 sources"));
    assert!(refused("a.upc -o").contains("needs a value"));
}

#[test]
fn options_of_other_upc_compilers_do_no_harm() {
    let r = request(
        "-network=smp -pthreads=2 -shared-heap 1G -inst -inst-toolname=x -lines -Ww,-x \
         -fupc-inline-lib a.upc",
    );
    assert!(r.instrument);
    assert!(r.general.is_empty(), "{:?}", r.general);
    assert_eq!(r.inputs.len(), 1);
}
